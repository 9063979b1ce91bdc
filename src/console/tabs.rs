//! Tabs: the screens that a key leads to, and where each of them stands.
//!
//! Wide terminals have them in the last line, others in the first one: lists beside the title, a run's own screens
//! above it. On low terminals these have the numbers alone, in the last line.
//! Invariant: a click on a tab goes to its screen wherever it is drawn.

use crate::screen::{Screen, TABS_IN_FOOTER_FROM, has_tab_line};
use crate::shell::Shell;
use crate::theme::Role;
use crate::widgets::rich::Rich;

/// From this width on there is room for numbers in the last line.
const NUMBERS_FROM: u16 = 100;

/// Tabs one after the other.
#[derive(Debug, Default)]
pub(crate) struct Tabs(Vec<(Screen, Rich)>);

impl Tabs {
    /// Those of the last line; none where it has no room for them.
    pub(crate) fn of_footer(shell: &Shell) -> Self {
        let is_run = matches!(shell.screen, Screen::Live | Screen::Debug);
        let from = if is_run && !has_tab_line(shell.size) {
            NUMBERS_FROM
        } else {
            TABS_IN_FOOTER_FROM
        };
        if shell.size.width < from {
            return Self::default();
        }
        let tabs = Screen::tabs().map(|screen| {
            // Where it is narrow the keys that work are worth more than names that `?` tells too.
            let is_named = is_here(shell, screen) || shell.size.width >= TABS_IN_FOOTER_FROM;
            let name = if is_named { screen.name() } else { "" };
            let sides = if is_here(shell, screen) {
                ["[", "]"]
            } else {
                [" ", " "]
            };
            (screen, tab(shell, screen, name, sides))
        });
        Self(tabs.collect())
    }

    /// Those of the first line, with how much waits; none if the last line has them.
    pub(crate) fn of_top(shell: &Shell, waiting: usize) -> Self {
        if shell.size.width >= TABS_IN_FOOTER_FROM {
            return Self::default();
        }
        let tabs = Screen::tabs().map(|screen| {
            let name = match (screen, waiting) {
                (Screen::Inbox, 1..) => format!("{} ◆{waiting}", screen.name()),
                _ => screen.name().to_owned(),
            };
            let sides = if is_here(shell, screen) {
                [" [", "]"]
            } else {
                [" ", ""]
            };
            (screen, tab(shell, screen, &name, sides))
        });
        Self(tabs.collect())
    }

    pub(crate) fn line(&self) -> Rich {
        let mut out = Rich::new();
        self.0.iter().for_each(|(_, tab)| out.append(tab));
        out
    }

    /// The screen whose tab is at that column of the line.
    pub(crate) fn at(&self, column: usize) -> Option<Screen> {
        let mut end = 0;
        let mut tabs = self.0.iter();
        let found = tabs.find(|(_, tab)| {
            end += tab.width();
            column < end
        });
        found.map(|(screen, _)| *screen)
    }
}

fn is_here(shell: &Shell, screen: Screen) -> bool {
    screen == shell.screen.tab()
}

fn tab(shell: &Shell, screen: Screen, name: &str, [open, close]: [&str; 2]) -> Rich {
    let role = match is_here(shell, screen) {
        true => Role::BorderFocus,
        false => Role::Faint,
    };
    let key = screen.key().map_or(String::new(), String::from);
    let space = if name.is_empty() { "" } else { " " };
    Rich::text(role, format!("{open}{key}{space}{name}{close}"))
}
