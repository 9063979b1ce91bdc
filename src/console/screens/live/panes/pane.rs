//! What every pane of the live screen is made of: what it shows, and what keys do in it.

use crate::overlay::PageSubject;
use crate::screens::live::state::{LiveState, RunPage};
use crate::shell::Shell;
use crate::view::View;
use crate::widgets::pane::{PaneContent, Room};
use crate::widgets::scroll::{Motion, moved};

/// A pane.
#[derive(Debug)]
pub(crate) struct Pane {
    pub(crate) show: fn(&View, &LiveState, Room) -> PaneContent,
    /// Moves its selection, or what it shows.
    pub(crate) move_selection: fn(&mut Shell, &View, Motion),
    /// What enter does in it.
    pub(crate) open: fn(&mut Shell, &View),
}

/// Opens a page about what is selected; says so if nothing is.
pub(crate) fn open_selected(shell: &mut Shell, page: Option<RunPage>) {
    match page {
        Some(page) => shell.open_page(PageSubject::Run(page)),
        None => shell.refuse("there is nothing to open here yet"),
    }
}

/// Gives the pane the whole screen, or takes it back.
pub(crate) fn switch_zoom(shell: &mut Shell, _: &View) {
    shell.live.zoom = !shell.live.zoom;
}

/// Rows that a key for a page moves.
pub(crate) fn page_rows(shell: &Shell) -> usize {
    usize::from(shell.size.height / 2)
}

/// Lines that a short pane can be scrolled; drawing stops at the last line.
const SCROLL_MAX: usize = 200;

/// The first line in sight of a pane without a selection.
pub(crate) fn scrolled_to(scroll: usize, page: usize, motion: Motion) -> usize {
    moved(scroll, SCROLL_MAX, page, motion)
}
