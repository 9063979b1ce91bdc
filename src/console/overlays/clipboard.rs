//! What is selected or read, as plain text for the clipboard.

use crate::cache::Cache;
use crate::overlay::Overlay;
use crate::overlays::pages::page_lines;
use crate::screen::Screen;
use crate::screens::live::panes::pane_of;
use crate::shell::Shell;
use crate::view::View;
use crate::widgets::pane::Room;
use crate::widgets::rich::Rich;

/// The text; empty if nothing is selected.
#[must_use]
pub fn selected_text(shell: &Shell, cache: &Cache, view: &View) -> String {
    let text = |lines: &[Rich]| {
        let lines: Vec<String> = lines.iter().map(Rich::plain).collect();
        lines.join("\n")
    };
    match shell.overlay() {
        Some(Overlay::Page(page)) => {
            return text(&page_lines(&page.subject, (shell, cache, view)));
        }
        Some(_) => return String::new(),
        None => (),
    }
    if shell.screen != Screen::Live {
        let row = cache.table(shell.screen).zip(shell.item(cache));
        let row = row.and_then(|(table, item)| table.rows.iter().find(|row| row.item == item));
        let cells = row.map(|row| row.cells.iter().map(|cell| cell.text.clone()).collect());
        return cells.map_or(String::new(), |cells: Vec<String>| cells.join("\t"));
    }
    // Wide enough that nothing is cut; the room in sight is found by the selection.
    let room = Room {
        width: 500,
        height: 500,
    };
    let shown = (pane_of(shell.live.focus).show)(view, &shell.live, room);
    match shown.selected {
        Some(row) => shown.lines.get(row).map_or(String::new(), Rich::plain),
        None => text(&shown.lines),
    }
}
