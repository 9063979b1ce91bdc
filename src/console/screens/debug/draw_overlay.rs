//! Drawing what lies over the Debug screen: a line of text, lists with switches, the fork's form.

use crate::cache::Cache;
use crate::screens::debug::offers::{line_offers, offer_lines};
use crate::screens::debug::state::{DebugOverlay, LinePrompt};
use crate::screens::debug::{breaks, forking};
use crate::shell::Shell;
use crate::theme::{Role, Theme};
use crate::view::View;
use crate::widgets::popup::{keys, popup, typing};
use crate::widgets::rich::Rich;
use crate::widgets::scroll::window;
use ratatui::Frame;

/// What lies over the screen.
pub(crate) fn draw(
    frame: &mut Frame<'_>,
    overlay: &DebugOverlay,
    shell: &Shell,
    cache: &Cache,
    view: &View,
    theme: &Theme,
) {
    match overlay {
        DebugOverlay::Line { what, text, at } => {
            let [title, hint, lead] = what.texts();
            let enter = match what {
                LinePrompt::Overrule => "overrule",
                LinePrompt::Where | LinePrompt::Wrote => "look",
                LinePrompt::Set => "move",
                LinePrompt::Break => "set",
                LinePrompt::Bookmark => "mark",
            };
            let offers = line_offers(*what, text, (shell, cache));
            let mut lines = vec![
                Rich::text(Role::Faint, hint),
                Rich::new(),
                typing(lead, text),
            ];
            lines.extend(offer_lines(&offers, *at));
            lines.push(Rich::new());
            lines.push(match offers.is_empty() {
                true => keys(&[("enter", enter), ("esc", "back")]),
                false => keys(&[("enter", "take"), ("↓", "next"), ("esc", "back")]),
            });
            popup(frame, title, &lines, theme);
        }
        DebugOverlay::Breaks { at } => {
            let lines = breaks::breakpoint_lines(breaks::breakpoints(shell, view));
            let help = [("space", "on or off"), ("x", "take off"), ("esc", "back")];
            chooser(frame, "Breakpoints", lines, *at, &help, theme);
        }
        DebugOverlay::Bookmarks { at } => {
            let lines = breaks::bookmark_lines(&cache.debug.bookmarks);
            let help = [("enter", "go there"), ("x", "take off"), ("esc", "back")];
            chooser(frame, "Bookmarks", lines, *at, &help, theme);
        }
        DebugOverlay::Fork(form) => popup(frame, "Fork", &forking::fork_lines(form, view), theme),
    }
}

/// Rows of a chooser at once.
const CHOICES_MAX: usize = 12;

fn chooser(
    frame: &mut Frame<'_>,
    title: &str,
    lines: Vec<Rich>,
    at: usize,
    help: &[(&str, &str)],
    theme: &Theme,
) {
    let at = at.min(lines.len().saturating_sub(1));
    let first = window(at, lines.len(), CHOICES_MAX);
    let shown = lines.into_iter().enumerate().skip(first).take(CHOICES_MAX);
    let mut out: Vec<Rich> = shown
        .map(|(n, rich)| {
            let sign = if n == at { "▌ " } else { "  " };
            Rich::text(Role::BorderFocus, sign).with_rest(&rich)
        })
        .collect();
    out.push(Rich::new());
    out.push(keys(help));
    popup(frame, title, &out, theme);
}
