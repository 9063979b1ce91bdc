//! Screens: the places of the console, by number and name.

/// A place that fills the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Screen {
    /// One run, live or recorded.
    Live,
    /// What waits for the operator, in all runs.
    Inbox,
    /// What was decided, in all runs.
    Decided,
    /// The saved rules about gates.
    Rules,
    /// One attempt of the run after the other, frame by frame.
    Debug,
    Knowledge,
    Runs,
    Logs,
    /// What can be begun, gone on with or watched.
    Home,
}

impl Screen {
    pub const ALL: [Self; 9] = [
        Self::Live,
        Self::Inbox,
        Self::Decided,
        Self::Rules,
        Self::Debug,
        Self::Knowledge,
        Self::Runs,
        Self::Logs,
        Self::Home,
    ];

    /// The name on its tab and in breadcrumbs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "Live",
            Self::Inbox => "Inbox",
            Self::Decided => "Decisions",
            Self::Rules => "Rules",
            Self::Debug => "Debug",
            Self::Knowledge => "Knowledge",
            Self::Runs => "Runs",
            Self::Logs => "Logs",
            Self::Home => "Home",
        }
    }

    /// The key that leads there from everywhere, if one does; such screens have a tab. Numbers do not
    /// move when a screen is added between them.
    #[must_use]
    pub fn key(self) -> Option<char> {
        Some(match self {
            Self::Live => '1',
            Self::Inbox => '2',
            Self::Debug => '3',
            Self::Knowledge => '4',
            Self::Runs => '5',
            Self::Logs => '7',
            Self::Home => 'H',
            // They belong to the inbox.
            Self::Decided | Self::Rules => return None,
        })
    }

    /// Those that have a tab.
    pub fn tabs() -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(|screen| screen.key().is_some())
    }
}
