//! Screens: the places of the console, by number and name.

/// A place that fills the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Screen {
    /// One run, live or recorded.
    Live,
    /// What waits for the operator, in all runs.
    Inbox,
    /// One attempt of the run after the other, frame by frame.
    Debug,
    Knowledge,
    Runs,
    /// Evaluations that are kept in folders.
    Evaluate,
    /// The failed attempts of some runs; opened from the runs.
    Failures,
    /// The episodes of one evaluation; opened from there.
    Episodes,
    Logs,
    /// What can be begun, gone on with or watched.
    Home,
}

impl Screen {
    pub const ALL: [Self; 10] = [
        Self::Live,
        Self::Inbox,
        Self::Debug,
        Self::Knowledge,
        Self::Runs,
        Self::Evaluate,
        Self::Episodes,
        Self::Failures,
        Self::Logs,
        Self::Home,
    ];

    /// Those with a tab: the others are opened from one of these.
    pub fn tabs() -> impl Iterator<Item = Self> {
        let has_tab = |screen: &Self| !matches!(screen, Self::Episodes | Self::Failures);
        Self::ALL.into_iter().filter(has_tab)
    }

    /// The name on its tab and in breadcrumbs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "Live",
            Self::Inbox => "Inbox",
            Self::Debug => "Debug",
            Self::Knowledge => "Knowledge",
            Self::Runs => "Runs",
            Self::Evaluate => "Evaluate",
            Self::Episodes => "Episodes",
            Self::Failures => "Failures",
            Self::Logs => "Logs",
            Self::Home => "Home",
        }
    }

    /// The key that leads there. Numbers do not move when a screen is added between them.
    #[must_use]
    pub fn key(self) -> char {
        match self {
            Self::Live => '1',
            Self::Inbox => '2',
            Self::Debug => '3',
            Self::Knowledge => '4',
            Self::Runs | Self::Failures => '5',
            Self::Evaluate | Self::Episodes => '6',
            Self::Logs => '7',
            Self::Home => 'H',
        }
    }
}
