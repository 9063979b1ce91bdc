//! Screens: the places of the console, by number and name.

use ratatui::layout::Size;

/// Columns from which on the last line names all tabs.
pub(crate) const TABS_IN_FOOTER_FROM: u16 = 140;

/// Whether the screens of a run, whose title fills its line, have the tabs in a line of their own above it.
pub(crate) fn has_tab_line(size: Size) -> bool {
    (76..TABS_IN_FOOTER_FROM).contains(&size.width) && size.height >= 24
}

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
    /// Entries that say the same or speak against each other; opened from the entries.
    Queue,
    /// What was tried to get something; opened from an entry, an attempt or a step of a plan.
    Options,
    /// Failures, entries, runs and overruled labels, one leading to the next; opened from an entry or an attempt.
    Lineage,
    Runs,
    /// Evaluations that are kept in folders.
    Evaluate,
    /// The failed attempts of some runs; opened from the runs.
    Failures,
    /// The episodes of one evaluation; opened from there.
    Episodes,
    Logs,
    /// What can be started, resumed or watched.
    Home,
}

impl Screen {
    pub const ALL: [Self; 15] = [
        Self::Live,
        Self::Inbox,
        Self::Decided,
        Self::Rules,
        Self::Debug,
        Self::Knowledge,
        Self::Queue,
        Self::Options,
        Self::Lineage,
        Self::Runs,
        Self::Evaluate,
        Self::Episodes,
        Self::Failures,
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
            Self::Queue => "Queue",
            Self::Options => "Options",
            Self::Lineage => "Lineage",
            Self::Runs => "Runs",
            Self::Evaluate => "Evaluate",
            Self::Episodes => "Episodes",
            Self::Failures => "Failures",
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
            Self::Evaluate => '6',
            Self::Logs => '7',
            Self::Home => 'H',
            // They are opened from others.
            Self::Decided
            | Self::Rules
            | Self::Queue
            | Self::Options
            | Self::Lineage
            | Self::Episodes
            | Self::Failures => return None,
        })
    }

    /// The screen under whose tab it stands: itself, or the one that it is opened from.
    #[must_use]
    pub fn tab(self) -> Self {
        match self {
            Self::Decided | Self::Rules => Self::Inbox,
            Self::Queue | Self::Options | Self::Lineage => Self::Knowledge,
            Self::Episodes => Self::Evaluate,
            Self::Failures => Self::Runs,
            other => other,
        }
    }

    /// Those that have a tab: the others are opened from one of these.
    pub fn tabs() -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(|screen| screen.key().is_some())
    }
}
