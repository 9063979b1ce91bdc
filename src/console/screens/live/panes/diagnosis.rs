//! The diagnosis pane: the label of the last attempt, how sure it is, its indicators and its reason.

use crate::screens::live::panes::pane::{Pane, open_selected, page_rows, scrolled_to};
use crate::screens::live::state::{LiveState, RunPage};
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::widgets::diagnosis::{indicator, verdict};
use crate::widgets::pane::{PaneContent, Room, scrolled_content};
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::scroll::Motion;

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show,
    move_selection,
    open,
};

pub fn show(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    let Some(shown) = &view.diagnosis else {
        let lines = vec![Rich::text(Role::Faint, "no attempt has ended yet")];
        return PaneContent {
            lines,
            ..PaneContent::default()
        };
    };
    let mut lines = vec![verdict(shown).cut(room.width)];
    paragraph(
        &mut lines,
        Rich::new(),
        Role::Text,
        &shown.diagnosis.summary,
        room.width,
    );
    // What was held against a threshold explains the label; the rest is in the full trace.
    let measured = shown.diagnosis.indicators.iter();
    let (held, free): (Vec<_>, Vec<_>) = measured.partition(|i| i.threshold.is_some());
    lines.extend(
        held.into_iter()
            .chain(free)
            .map(|i| indicator(i, shown, room.width)),
    );
    if !view.counts.reasons.is_empty() {
        let reasons = view.counts.reasons.iter();
        let words: Vec<String> = reasons.map(|(r, n)| format!("{} ×{n}", r.name())).collect();
        paragraph(
            &mut lines,
            Rich::text(Role::Faint, "so far "),
            Role::Text,
            &words.join(" · "),
            room.width,
        );
    }
    let title = format!("{} {}", shown.attempt, shown.label);
    PaneContent {
        title,
        ..scrolled_content(lines, ui.diagnosis_scroll, room)
    }
}

fn move_selection(shell: &mut Shell, _: &View, motion: Motion) {
    let page = page_rows(shell);
    shell.live.diagnosis_scroll = scrolled_to(shell.live.diagnosis_scroll, page, motion);
}

fn open(shell: &mut Shell, view: &View) {
    open_selected(shell, view.diagnosis.as_ref().map(|_| RunPage::Trace));
}
