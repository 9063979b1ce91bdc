//! Drawing: a view, a ui and a theme become a frame; nothing is changed by it.
//!
//! Invariant: every cell that leaves here is printable (`scrub_frame` has the last word), and any
//! size down to one cell is drawn without a panic.

mod preview;
pub(crate) mod scrub;

use crate::available::is_available;
use crate::cache::Cache;
use crate::context::Scene;
use crate::input::keys::{Binding, Key};
use crate::input::scopes::scopes;
use crate::lists;
use crate::msg::Msg;
use crate::overlay::Overlay;
use crate::screen::{Screen, has_tab_line};
use crate::screens::{debug, live};
use crate::shell::Shell;
use crate::tabs::Tabs;
use crate::theme::{Role, Theme};
use crate::view::View;
use crate::widgets::rich::Rich;
use crate::widgets::rows::line;
use pithead_engine::journal::WAIT_NOTICE;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// The whole screen.
pub fn draw(frame: &mut Frame<'_>, scene: &Scene<'_>, theme: &Theme) {
    let Scene { shell, cache, .. } = *scene;
    if shell.screen == Screen::Live {
        live::draw::draw(frame, scene, theme);
    } else if shell.screen == Screen::Debug {
        debug::draw::draw(frame, shell, cache, scene.view, theme);
    } else {
        let preview = preview::preview_of(shell, cache);
        lists::draw::draw(frame, shell, cache, preview, theme);
    }
    if is_run_screen(shell) && has_tab_line(frame.area().as_size()) {
        let first = Rect {
            height: 1,
            ..frame.area()
        };
        line(
            frame,
            Some(first),
            &lists::draw::tab_line(shell, lists::draw::waiting_beside(shell, cache, scene.view)),
            theme,
        );
    }
    crate::overlays::draw::draw(frame, scene, theme);
    if !matches!(shell.overlay(), Some(Overlay::Filter { .. })) || toast_line(shell).is_some() {
        let area = frame.area();
        let last = (area.height > 0 && area.width > 0).then(|| Rect {
            y: area.bottom() - 1,
            height: 1,
            ..area
        });
        line(frame, last, &footer(scene, usize::from(area.width)), theme);
    }
    scrub::scrub_frame(frame.buffer_mut());
}

/// Whether it is a screen of the run in sight, and no list.
fn is_run_screen(shell: &Shell) -> bool {
    matches!(shell.screen, Screen::Live | Screen::Debug)
}

/// The screens, then the keys that work now or the last word to the operator.
fn footer(scene: &Scene<'_>, width: usize) -> Rich {
    let shell = scene.shell;
    let mut tabs = Tabs::of_footer(shell).line();
    if tabs.width() > 0 {
        tabs.add(Role::Border, "│");
    }
    let room = width.saturating_sub(tabs.width());
    match toast_line(shell) {
        // A word that has no room beside the tabs goes before them.
        Some(word) if word.width() > room => word.cut(width),
        Some(word) => tabs.with_rest(&word),
        None => tabs.with_rest(&footer_keys(scene, room)).cut(width),
    }
}

/// The last word to the operator, until the next key; a wait goes before it, for as long as it lasts.
fn toast_line(shell: &Shell) -> Option<Rich> {
    if shell.waits_for_database {
        return Some(Rich::text(Role::Notice, format!(" … {WAIT_NOTICE}")));
    }
    let toast = shell.toast.as_ref()?;
    let (role, sign) = if toast.is_fault {
        (Role::Bad, "!")
    } else {
        (Role::Good, "✔")
    };
    Some(Rich::text(role, format!(" {sign} {}", toast.text)))
}

/// Keys that stand before the ways out: more of them are read by nobody.
const FOOTER_KEYS_MAX: usize = 5;

/// The keys that matter here, of those that work now.
pub(crate) fn footer_rows<'a>(scene: &Scene<'a>) -> Vec<(&'static Binding, &'a [Key])> {
    let scopes = scopes(scene.shell);
    let rows = scene.shell.keymap.rows(&scopes);
    let shown = rows.filter(|(row, keys)| !row.short.is_empty() && !keys.is_empty());
    shown
        .filter(|(row, _)| is_available(scene, row.msg))
        .collect()
}

fn footer_keys(scene: &Scene<'_>, width: usize) -> Rich {
    // The ways to the question, to all keys, back and out are never crowded out by others.
    let stays = |(row, _): &(&Binding, &[Key])| {
        matches!(
            row.msg,
            Msg::Inbox | Msg::Help | Msg::Quit | Msg::Palette | Msg::Back
        )
    };
    let (last, rows): (Vec<_>, Vec<_>) = footer_rows(scene).into_iter().partition(stays);
    let reserved: usize = last.iter().map(|row| footer_part(row).width()).sum();
    let mut out = Rich::new();
    for part in rows.iter().take(FOOTER_KEYS_MAX).map(footer_part) {
        if out.width() + part.width() + reserved <= width {
            out.append(&part);
        }
    }
    last.iter().for_each(|row| out.append(&footer_part(row)));
    out.cut(width)
}

fn footer_part((row, keys): &(&Binding, &[Key])) -> Rich {
    Rich::text(Role::Key, format!(" {}", keys[0].name()))
        .and(Role::Faint, format!(" {} ", row.short))
}

/// The screen on whose tab a click falls.
#[must_use]
pub fn tab_at(shell: &Shell, cache: &Cache, view: &View, at: Position) -> Option<Screen> {
    match at.y + 1 {
        y if y == shell.size.height => Tabs::of_footer(shell).at(usize::from(at.x)),
        1 => lists::draw::tab_in_top(shell, cache, view, usize::from(at.x)),
        _ => None, // tabs are in no other line
    }
}
