//! The mouse: the wheel and clicks, on any screen.
//!
//! It decides nothing. Invariant: whatever it does a key does too.

use crate::msg::{Effect, Motion, Msg};
use crate::screen::Screen;
use crate::screens::debug;
use crate::screens::live::layout;
use crate::shell::Cover;
use crate::ui::Overlay;
use crate::update::{Hands, go, typed_text, update};
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Rows that one notch of the wheel moves.
const WHEEL: usize = 3;

/// The wheel moves what lies under it; a click chooses it.
pub(crate) fn on_mouse(hands: &mut Hands<'_>, mouse: &MouseEvent) -> Option<Effect> {
    let wheel = |motion| Some(Msg::Move(motion));
    let msg = match mouse.kind {
        MouseEventKind::ScrollUp => wheel(Motion::Up),
        MouseEventKind::ScrollDown => wheel(Motion::Down),
        MouseEventKind::Down(MouseButton::Left) => {
            click(hands, Position::new(mouse.column, mouse.row));
            None
        }
        _ => None, // moving and the other buttons mean nothing
    }?;
    // A line of text has nothing to scroll.
    if typed_text(&mut hands.shell.cover).is_some() {
        return None;
    }
    focus_under(hands, Position::new(mouse.column, mouse.row));
    (0..WHEEL).find_map(|_| update(hands, msg))
}

/// A click chooses a screen by its tab, a pane, or a row.
fn click(hands: &mut Hands<'_>, at: Position) {
    if hands.shell.cover != Cover::None || !matches!(hands.ui.overlay, Overlay::None) {
        return;
    }
    if let Some(screen) = crate::draw::list::tab_at(hands.shell, at) {
        return go(hands, screen);
    }
    if hands.shell.screen == Screen::Live {
        return focus_under(hands, at);
    }
    if hands.shell.screen == Screen::Debug {
        return click_debug(hands, at);
    }
    let (size, screen) = (hands.shell.size, hands.shell.screen);
    if let Some((list, table)) = hands.shell.list_with(hands.desk)
        && let Some(row) = crate::draw::list::row_at(screen, list, table, size, at)
    {
        list.selected = Some(table.rows[list.order[row]].item);
    }
}

fn click_debug(hands: &mut Hands<'_>, at: Position) {
    if let Some(row) = crate::screens::debug::draw::row_at(hands.shell, hands.desk, at) {
        debug::update::focus_on(&mut hands.shell.debug, debug::Part::Attempts);
        if let Some((list, table)) = hands.shell.list_with(hands.desk) {
            list.selected = Some(table.rows[list.order[row]].item);
        }
    } else if let Some(part) = crate::screens::debug::draw::part_at(hands.shell, at) {
        debug::update::focus_on(&mut hands.shell.debug, part);
    }
}

fn focus_under(hands: &mut Hands<'_>, at: Position) {
    let is_run = hands.shell.screen == Screen::Live && hands.shell.cover == Cover::None;
    if is_run && matches!(hands.ui.overlay, Overlay::None) {
        let layout = layout::of(hands.ui.size, hands.ui);
        let found = layout.panes.iter().find(|(_, area)| area.contains(at));
        if let Some((focus, _)) = found {
            hands.ui.focus_on(*focus);
        }
    }
}
