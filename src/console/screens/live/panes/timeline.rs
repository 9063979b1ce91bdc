//! The timeline pane: the last events, one sentence each; it follows the newest unless scrolled.

use crate::screens::live::panes::pane::{Pane, open_selected, page_rows};
use crate::screens::live::select;
use crate::screens::live::state::{LiveState, RunPage};
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::view::timeline::{TimelineLine, Weight};
use crate::widgets::pane::{PaneContent, Room, rows_around};
use crate::widgets::rich::Rich;
use crate::widgets::scroll::{Motion, moved};
use pithead_core::text::numbers::{format_clock, format_count};

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show,
    move_selection,
    open,
};

pub fn show(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    let lines = &view.timeline.lines;
    let Some(row) = select::line_row(view, ui) else {
        let lines = vec![Rich::text(Role::Faint, "nothing has happened yet")];
        return PaneContent {
            lines,
            ..PaneContent::default()
        };
    };
    // Following shows the last lines; a selection stays in the middle.
    let anchor = if ui.line.is_none() {
        lines.len() - 1
    } else {
        row
    };
    let shown = rows_around(lines.len(), anchor, room, |at| {
        line(&lines[at], lines[at].elapsed_ms / 1000, room.width)
    });
    let title = match ui.line {
        Some(_) => format!("{} of {} · end follows", row + 1, lines.len()),
        None => format!(
            "{} so far",
            format_count(lines.len() as u64 + view.timeline.dropped)
        ),
    };
    let selected = shown.selected.filter(|_| ui.line.is_some());
    PaneContent {
        title,
        selected,
        ..shown
    }
}

fn line(line: &TimelineLine, elapsed_s: u64, width: usize) -> Rich {
    let (role, sign) = match line.weight {
        Weight::Plain => (Role::Text, "·"),
        Weight::Good => (Role::Good, "✔"),
        Weight::Notice => (Role::Notice, "◆"),
        Weight::Bad => (Role::Bad, "✗"),
    };
    let clock = format_clock(elapsed_s);
    Rich::text(
        Role::Faint,
        format!("{clock:>5} {:>7} ", format_count(line.tick)),
    )
    .and(role, format!("{sign} "))
    .and(
        if line.weight == Weight::Bad {
            Role::Bad
        } else {
            Role::Text
        },
        &line.text,
    )
    .cut(width)
}

fn move_selection(shell: &mut Shell, view: &View, motion: Motion) {
    let page = page_rows(shell);
    let lines = &view.timeline.lines;
    if let Some(row) = select::line_row(view, &shell.live) {
        let to = moved(row, lines.len(), page, motion);
        // At the last line the pane follows again.
        shell.live.line = (to + 1 < lines.len()).then(|| lines[to].seq);
    }
}

fn open(shell: &mut Shell, view: &View) {
    let row = select::line_row(view, &shell.live);
    open_selected(
        shell,
        row.map(|row| RunPage::Event(view.timeline.lines[row].seq)),
    );
}
