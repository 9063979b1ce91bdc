//! The view pane: what the body sees, where it is asked for; it may say why there is nothing.

use crate::screens::live::layout;
use crate::screens::live::layout::Focus;
use crate::screens::live::panes::pane::{Pane, switch_zoom};
use crate::screens::live::state::LiveState;
use crate::shell::Shell;
use crate::theme::Role;
use crate::widgets::pane::PaneContent;
use crate::widgets::rich::Rich;

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show: |_, live, _| missing_picture(live),
    // It shows what there is.
    move_selection: |_, _, _| (),
    open: switch_zoom,
};

/// Shows it, on the whole screen where there is no room beside the others, or hides it.
pub(crate) fn toggle(shell: &mut Shell) {
    let (size, ui) = (shell.size, &mut shell.live);
    let is_shown = ui.looks
        && layout::live_layout(size, ui)
            .panes
            .iter()
            .any(|(f, _)| *f == Focus::View);
    if is_shown {
        let had_the_screen = ui.zoom && ui.focus == Focus::View;
        ui.looks = false;
        ui.zoom = ui.zoom && !had_the_screen;
        if ui.focus == Focus::View {
            ui.focus_on(Focus::Map);
        }
        return;
    }
    ui.looks = true;
    if ui.zoom || !layout::shows_all(size) {
        ui.focus_on(Focus::View);
        ui.zoom = true;
    }
}

/// What the pane says where it has no picture.
pub(crate) fn missing_picture(ui: &LiveState) -> PaneContent {
    let lines = if ui.is_guest && !ui.has_eyes() {
        vec![
            Rich::text(Role::Faint, "not to be seen from here"),
            Rich::text(Role::Faint, "The process that drives this run"),
            Rich::text(Role::Faint, "does not answer."),
        ]
    } else if ui.is_replay() {
        vec![
            Rich::text(Role::Faint, "not recorded"),
            Rich::text(Role::Faint, "A recording holds what was done,"),
            Rich::text(Role::Faint, "not what was seen."),
        ]
    } else {
        Vec::new()
    };
    let title = if !ui.has_eyes() {
        ""
    } else {
        "what the body sees"
    };
    PaneContent {
        title: title.to_owned(),
        lines,
        ..PaneContent::default()
    }
}
