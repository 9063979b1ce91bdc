//! The mouse: the wheel and clicks, on any screen.
//!
//! It decides nothing. Invariant: whatever it does a key does too.

use crate::context::Context;
use crate::effect::Effect;
use crate::lists::update::go_to_screen;
use crate::msg::Msg;
use crate::screen::Screen;
use crate::screens::debug;
use crate::screens::live::layout;
use crate::update::update;
use crate::widgets::scroll::Motion;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Rows that one notch of the wheel moves.
const WHEEL: usize = 3;

/// The wheel moves what lies under it; a click chooses it.
pub(crate) fn on_mouse(context: &mut Context<'_>, mouse: &MouseEvent) -> Option<Effect> {
    let wheel = |motion| Some(Msg::Move(motion));
    let msg = match mouse.kind {
        MouseEventKind::ScrollUp => wheel(Motion::Up),
        MouseEventKind::ScrollDown => wheel(Motion::Down),
        MouseEventKind::Down(MouseButton::Left) => {
            click(context, Position::new(mouse.column, mouse.row));
            None
        }
        _ => None, // moving and the other buttons mean nothing
    }?;
    // A line of text has nothing to scroll.
    if context.shell.typed_line().is_some() {
        return None;
    }
    focus_under(context, Position::new(mouse.column, mouse.row));
    (0..WHEEL).find_map(|_| update(context, msg))
}

/// A click chooses a screen by its tab, a pane, or a row.
fn click(context: &mut Context<'_>, at: Position) {
    if !context.shell.overlays.is_empty() {
        return;
    }
    if let Some(screen) = crate::draw::tab_at(context.shell, context.cache, context.view, at) {
        return go_to_screen(context, screen);
    }
    if context.shell.screen == Screen::Live {
        return focus_under(context, at);
    }
    if context.shell.screen == Screen::Debug {
        return click_debug(context, at);
    }
    let (size, screen) = (context.shell.size, context.shell.screen);
    if let Some((list, table)) = context.shell.list_with(context.cache)
        && let Some(row) = crate::lists::draw::row_at(screen, list, table, size, at)
    {
        list.selected = Some(table.rows[list.order[row]].item);
    }
}

fn click_debug(context: &mut Context<'_>, at: Position) {
    if let Some(row) = crate::screens::debug::draw::row_at(context.shell, context.cache, at) {
        debug::update::focus_on(&mut context.shell.debug, debug::state::DebugPart::Attempts);
        if let Some((list, table)) = context.shell.list_with(context.cache) {
            list.selected = Some(table.rows[list.order[row]].item);
        }
    } else if let Some(part) = crate::screens::debug::draw::part_at(context.shell, at) {
        debug::update::focus_on(&mut context.shell.debug, part);
    }
}

fn focus_under(context: &mut Context<'_>, at: Position) {
    if context.shell.screen == Screen::Live && context.shell.overlays.is_empty() {
        let layout = layout::live_layout(context.shell.size, &context.shell.live);
        let found = layout.panes.iter().find(|(_, area)| area.contains(at));
        if let Some((focus, _)) = found {
            context.shell.live.focus_on(*focus);
        }
    }
}
