//! What comes from the terminal: keys become messages, or text where text is being written.

use crate::context::Context;
use crate::effect::Effect;
use crate::input::mouse::on_mouse;
use crate::input::scopes::scopes;
use crate::lists::update::filter_list;
use crate::overlay::Overlay;
use crate::overlays::pages::settle_page;
use crate::screens::debug::state::DebugOverlay;
use crate::update::update;
use crate::widgets::table::filter::LENGTH_MAX;
use pithead_core::text::clean::{clean_block, clean_line};
use ratatui::crossterm::event::{Event as Term, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Size;

/// Longest reason taken; the mind is told it, and that has a price.
const REASON_MAX: usize = 500;

/// Something came from the terminal.
pub fn on_terminal(context: &mut Context<'_>, event: &Term) -> Option<Effect> {
    match event {
        Term::Key(key) if key.kind != KeyEventKind::Release => match after_escape(context, key) {
            Some(second) => {
                let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
                on_key(context, &escape).or_else(|| on_key(context, &second))
            }
            None => on_key(context, key),
        },
        Term::Paste(text) => {
            paste(context, text);
            None
        }
        Term::Resize(width, height) => {
            context.shell.size = Size::new(*width, *height);
            settle_page(context.shell, context.cache, context.view);
            None
        }
        Term::Mouse(mouse) => on_mouse(context, mouse),
        Term::Key(_) | Term::FocusGained | Term::FocusLost => None,
    }
}

/// Escape and a key in one go look like alt and the key; only the editor has a use for alt.
fn after_escape(context: &mut Context<'_>, key: &KeyEvent) -> Option<KeyEvent> {
    let is_alt = key.modifiers.contains(KeyModifiers::ALT) && matches!(key.code, KeyCode::Char(_));
    let is_editing = context.shell.open_text().is_some();
    (is_alt && !is_editing).then(|| KeyEvent::new(key.code, key.modifiers - KeyModifiers::ALT))
}

fn on_key(context: &mut Context<'_>, key: &KeyEvent) -> Option<Effect> {
    context.shell.toast = None;
    context.shell.aim = None;
    let scopes = scopes(context.shell);
    if let Some(msg) = context.shell.keymap.lookup(&scopes, key) {
        return update(context, msg);
    }
    if let Some(editor) = context.shell.open_text() {
        editor.typed(*key);
        return None;
    }
    let ctrl = key
        .modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    match key.code {
        KeyCode::Char('u') if ctrl => delete(context, true),
        KeyCode::Char(c) if !ctrl => type_text(context, &c.to_string()),
        KeyCode::Backspace => delete(context, false),
        _ => (), // other keys mean nothing in a line of text
    }
    None
}

fn paste(context: &mut Context<'_>, text: &str) {
    match context.shell.open_text() {
        Some(editor) => {
            editor.fault = None;
            editor.area.insert_str(clean_block(text));
        }
        None => type_text(context, text),
    }
}

/// Puts text at the end of the line that is being typed; what has no room is left out.
fn type_text(context: &mut Context<'_>, text: &str) {
    let max = match context.shell.overlay() {
        Some(Overlay::NewRun(_)) => {
            if let Some(Overlay::NewRun(form)) = context.shell.overlays.last_mut() {
                form.type_in(text);
            }
            return;
        }
        Some(Overlay::Run(_)) => REASON_MAX,
        Some(_) => LENGTH_MAX,
        None => return,
    };
    if let Some(line) = context.shell.typed_line() {
        let room = max.saturating_sub(line.len());
        let fits = clean_line(text);
        let mut end = fits.len().min(room);
        while !fits.is_char_boundary(end) {
            end -= 1;
        }
        line.push_str(&fits[..end]);
        line_changed(context);
    }
}

/// Deletes the last letter of the line that is being typed, or all of it.
fn delete(context: &mut Context<'_>, all: bool) {
    if let Some(Overlay::NewRun(form)) = context.shell.overlays.last_mut() {
        form.wipe(all);
    } else if let Some(line) = context.shell.typed_line() {
        if all {
            line.clear();
        } else {
            line.pop();
        }
        line_changed(context);
    }
}

/// A filter holds at once, a palette begins anew.
fn line_changed(context: &mut Context<'_>) {
    match context.shell.overlays.last_mut() {
        Some(Overlay::Filter { text, .. }) => {
            let text = text.clone();
            filter_list(context, text);
        }
        Some(Overlay::Palette { at, .. } | Overlay::Debug(DebugOverlay::Line { at, .. })) => {
            *at = 0;
        }
        _ => (), // other lines are read when they are taken
    }
}
