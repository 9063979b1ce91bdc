//! Pages of the shell: help, and a row of a list in full.

use crate::cache::Cache;
use crate::overlays::help;
use crate::screen::Screen;
use crate::screens::debug::sheet;
use crate::screens::debug::state::DebugOverlay;
use crate::screens::evaluate::sheet as sheet_of;
use crate::screens::inbox;
use crate::screens::knowledge;
use crate::screens::live::pages;
use crate::screens::live::panes::{Room, show};
use crate::screens::live::state::{Overlay, Ui};
use crate::screens::runs::{comparison, heat};
use crate::shell::{Cover, Shell};
use crate::theme::Role;
use crate::view::View;
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::table::ListItem;
use ratatui::layout::Size;

/// The lines of what is being read; none if nothing is.
#[must_use]
pub fn lines(shell: &Shell, cache: &Cache, ui: &Ui) -> Vec<Rich> {
    let width = usize::from(crate::widgets::page::reading_area(shell.size, 0).width);
    match shell.cover {
        Cover::Help { .. } => help::lines(shell, ui, width),
        Cover::Page { item, .. } => of(item, cache, width),
        Cover::Debug(DebugOverlay::Full { page, .. }) => sheet::lines(page, shell, cache),
        Cover::Inbox(_) => inbox::sheet::lines(shell, cache),
        Cover::Curate(_) => knowledge::sheet::lines(shell, cache),
        Cover::None
        | Cover::Filter { .. }
        | Cover::Palette { .. }
        | Cover::Delete(_)
        | Cover::Bulk(_)
        | Cover::Columns(_)
        | Cover::Start(_)
        | Cover::Debug(_) => Vec::new(),
    }
}

/// A row in full.
#[must_use]
pub fn of(item: ListItem, cache: &Cache, width: usize) -> Vec<Rich> {
    let gone = || {
        vec![Rich::of(
            Role::Faint,
            "This is not in the database any more.",
        )]
    };
    match item {
        ListItem::Line(n) => match cache.line(n) {
            Some(line) => {
                let mut out = Vec::new();
                paragraph(&mut out, Rich::new(), Role::Text, &line.text, width);
                out
            }
            None => gone(),
        },
        ListItem::Failure(..) => match &cache.heat {
            Some((_, heat)) => heat::lines(heat, width),
            None => gone(),
        },
        ListItem::Pair(one, other) => knowledge::pair::lines([one, other], cache, width),
        ListItem::Comparison => comparison::lines(cache, width),
        ListItem::Evaluation(id) => match cache.evaluation(id) {
            Some(evaluation) => sheet_of::whole(evaluation, width),
            None => gone(),
        },
        ListItem::Episode(id) => match cache.episode(id) {
            Some(episode) => {
                let opened = cache.episodes.as_ref().map(|(id, _)| *id);
                let evaluation = opened.and_then(|id| cache.evaluation(id));
                let journal = evaluation.and_then(|evaluation| evaluation.journal.as_deref());
                sheet_of::episode(episode, journal, width)
            }
            None => gone(),
        },
        // Runs are opened on their own screen.
        ListItem::Run(_) | ListItem::Attempt(_) | ListItem::Task(_) | ListItem::New => Vec::new(),
        // The inbox and the knowledge base have sheets of their own.
        ListItem::Entry(_) | ListItem::Question(..) | ListItem::Past(..) | ListItem::Rule(_) => {
            Vec::new()
        }
    }
}

/// Lines of what is read, and how many fit on the screen.
#[must_use]
pub fn extent(shell: &Shell, cache: &Cache, ui: &Ui) -> (usize, usize) {
    let height = crate::widgets::page::reading_area(shell.size, 0).height;
    (lines(shell, cache, ui).len(), usize::from(height))
}

/// The same for a row.
#[must_use]
pub fn extent_of(item: ListItem, size: Size, cache: &Cache) -> (usize, usize) {
    let area = crate::widgets::page::reading_area(size, 0);
    let lines = of(item, cache, usize::from(area.width)).len();
    (lines, usize::from(area.height))
}

/// What is selected or read, as plain text for the clipboard.
#[must_use]
pub fn selected(shell: &Shell, cache: &Cache, ui: &Ui, view: &View) -> String {
    let text = |lines: &[Rich]| {
        let lines: Vec<String> = lines.iter().map(Rich::plain).collect();
        lines.join("\n")
    };
    if shell.cover != Cover::None {
        return text(&lines(shell, cache, ui));
    }
    if shell.screen != Screen::Live {
        let row = cache.table(shell.screen).zip(shell.item(cache));
        let row = row.and_then(|(table, item)| table.rows.iter().find(|row| row.item == item));
        let cells = row.map(|row| row.cells.iter().map(|cell| cell.text.clone()).collect());
        return cells.map_or(String::new(), |cells: Vec<String>| cells.join("\t"));
    }
    if !matches!(ui.overlay, Overlay::None) {
        return text(&pages::lines(ui, view));
    }
    // Wide enough that nothing is cut; the room in sight is found by the selection.
    let room = Room {
        width: 500,
        height: 500,
    };
    let shown = show(ui.focus, view, ui, room);
    match shown.selected {
        Some(row) => shown.lines.get(row).map_or(String::new(), Rich::plain),
        None => text(&shown.lines),
    }
}
