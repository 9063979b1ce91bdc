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
    let in_sight = ui.events.in_sight(&view.timeline);
    let Some(row) = select::line_row(view, ui, &in_sight) else {
        let nothing = match lines.is_empty() {
            true => "nothing has happened yet",
            false => "no event fits the filter; esc takes it off",
        };
        return PaneContent {
            title: title(view, ui, (0, 0)),
            lines: vec![Rich::text(Role::Faint, nothing)],
            ..PaneContent::default()
        };
    };
    // Following shows the last lines; a selection stays in the middle.
    let anchor = if ui.line.is_none() {
        in_sight.len() - 1
    } else {
        row
    };
    let shown = rows_around(in_sight.len(), anchor, room, |at| {
        let shown = &lines[in_sight[at]];
        line(shown, shown.elapsed_ms / 1000, room.width)
    });
    let title = title(view, ui, (row + 1, in_sight.len()));
    let selected = shown.selected.filter(|_| ui.line.is_some());
    PaneContent {
        title,
        selected,
        ..shown
    }
}

/// `115 so far`, `12 of 115 · filter iron`, `3 of 12 · filter iron · end follows`
fn title(view: &View, ui: &LiveState, (row, shown): (usize, usize)) -> String {
    let all = view.timeline.lines.len() as u64 + view.timeline.dropped;
    let filter = ui.events.text();
    let counted = match (ui.line, filter.is_empty()) {
        (Some(_), _) => format!("{row} of {shown}"),
        (None, true) => return format!("{} so far", format_count(all)),
        (None, false) => format!("{shown} of {}", format_count(all)),
    };
    let filter = match filter {
        "" => String::new(),
        words => format!(" · filter {words}"),
    };
    let follows = if ui.line.is_some() {
        " · end follows"
    } else {
        ""
    };
    format!("{counted}{filter}{follows}")
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
    let in_sight = shell.live.events.in_sight(&view.timeline);
    if let Some(row) = select::line_row(view, &shell.live, &in_sight) {
        let to = moved(row, in_sight.len(), page, motion);
        // At the last line the pane follows again.
        let is_last = to + 1 == in_sight.len();
        shell.live.line = (!is_last).then(|| view.timeline.lines[in_sight[to]].seq);
    }
}

fn open(shell: &mut Shell, view: &View) {
    let in_sight = shell.live.events.in_sight(&view.timeline);
    let row = select::line_row(view, &shell.live, &in_sight);
    let seq = row.map(|row| view.timeline.lines[in_sight[row]].seq);
    open_selected(shell, seq.map(RunPage::Event));
}
