//! Drawing: a view, a ui and a theme become a frame; nothing is changed by it.
//!
//! Invariant: every cell that leaves here is printable (`scrub_frame` has the last word), and any
//! size down to one cell is drawn without a panic.

mod cover;
mod curate;
pub(super) mod debug;
mod editor;
mod form;
mod inbox;
pub mod layout;
pub mod list;
mod overlay;
mod pane;
mod rows;
pub mod scenery;
pub(super) mod scrub;

pub(super) use overlay::keys;

use super::desk::Desk;
use super::keys::{self as table, Key, Row};
use super::msg::Msg;
use super::panes::header;
use super::pictures::Means;
use super::rich::Rich;
use super::screen::Screen;
use super::shell::{Cover, Shell};
use super::theme::{Role, Theme};
use super::ui::{Focus, Mode, Overlay, ReplayState, Ui};
use super::view::View;
use pithead_core::text::numbers::format_count;
use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::widgets::{Clear, Paragraph};

/// Everything that is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    pub shell: &'a Shell,
    pub desk: &'a Desk,
    pub view: &'a View,
    pub ui: &'a Ui,
    /// How pictures are written beside the frame; none where they are drawn in cells.
    pub pictures: Option<Means>,
}

/// The whole screen.
pub fn draw(frame: &mut Frame<'_>, sight: &Sight<'_>, theme: &Theme) {
    let Sight { shell, desk, .. } = *sight;
    let is_run = shell.screen == Screen::Live;
    if is_run {
        draw_run(frame, sight, theme);
    } else if shell.screen == Screen::Debug {
        debug::draw(frame, shell, desk, (sight.ui, sight.view), theme);
    } else {
        list::draw(frame, shell, desk, theme);
    }
    cover::draw(frame, sight, theme);
    if !matches!(shell.cover, Cover::Filter { .. }) || shell.toast.is_some() {
        let area = frame.area();
        let last = (area.height > 0 && area.width > 0).then(|| Rect {
            y: area.bottom() - 1,
            height: 1,
            ..area
        });
        line(frame, last, &footer(sight, usize::from(area.width)), theme);
    }
    scrub::scrub_frame(frame.buffer_mut());
}

/// One run.
fn draw_run(frame: &mut Frame<'_>, sight: &Sight<'_>, theme: &Theme) {
    let Sight { view, ui, .. } = *sight;
    let area = frame.area();
    let layout = layout::of(area.as_size(), ui);
    let width = usize::from(area.width);
    line(frame, layout.title, &header::title(view, ui, width), theme);
    line(
        frame,
        layout.status,
        &header::status(view, ui, width),
        theme,
    );
    line(frame, layout.tabs, &tabs(view, ui, width), theme);
    for (focus, area) in &layout.panes {
        let is_focused = *focus == ui.focus && matches!(ui.overlay, Overlay::None);
        pane::draw(frame, *area, *focus, is_focused, view, ui, theme);
    }
    let in_cells = scenery::place(area.as_size(), ui)
        .filter(|_| scenery::beside(area.as_size(), sight).is_none());
    if let Some(area) = in_cells {
        scenery::draw(frame, area, ui.seen.as_deref(), theme);
    }
    if let Mode::Replay(replay) = &ui.mode {
        line(
            frame,
            layout.position,
            &position(replay, view, width),
            theme,
        );
    }
    overlay::draw(frame, view, ui, theme);
}

/// From this width on there is room for the screens' tabs.
const TABS_FROM: u16 = 100;
/// Columns from which on every tab shows its name.
const TAB_NAMES_FROM: u16 = 140;

fn has_tabs(size: Size) -> bool {
    size.width >= TABS_FROM
}

/// The tab of a screen, with what waits there.
fn tab(shell: &Shell, screen: Screen) -> Rich {
    let is_here = screen == shell.screen.tab();
    let (role, open, close) = if is_here {
        (Role::BorderFocus, "[", "]")
    } else {
        (Role::Faint, " ", " ")
    };
    // Where it is narrow the keys that work are worth more than names that `?` tells too.
    let key = screen.key().map_or(String::new(), String::from);
    if is_here || shell.size.width >= TAB_NAMES_FROM {
        Rich::of(role, format!("{open}{key} {}{close}", screen.name()))
    } else {
        Rich::of(role, format!("{open}{key}{close}"))
    }
}

/// One line; nothing if there is no room for it.
fn line(frame: &mut Frame<'_>, area: Option<Rect>, text: &Rich, theme: &Theme) {
    if let Some(area) = area.map(|area| area.intersection(frame.area())) {
        frame.render_widget(Clear, area);
        frame.render_widget(Paragraph::new(text.styled(theme, false)), area);
    }
}

/// The panes by name, the focused one marked; for screens that do not show them all.
fn tabs(view: &View, ui: &Ui, width: usize) -> Rich {
    let mut out = Rich::new();
    for focus in Focus::ALL {
        let waiting = match (focus, view.inbox.open.len()) {
            (Focus::Inbox, n) if n > 0 => format!(" ◆{n}"),
            _ => String::new(),
        };
        let (role, open, close) = if focus == ui.focus {
            (Role::BorderFocus, "[", "]")
        } else {
            (Role::Faint, " ", " ")
        };
        out.add(role, format!("{open}{}{waiting}{close}", focus.name()));
    }
    out.cut(width)
}

/// `▶ event 120 of 3,401 ▕███▏ tick 3,400 · 20 events/s`
fn position(replay: &ReplayState, view: &View, width: usize) -> Rich {
    let (role, sign) = match (replay.seeking, replay.playing) {
        (true, _) => (Role::Notice, "… seeking"),
        (false, true) => (Role::Running, "▶ playing"),
        (false, false) => (Role::Faint, "‖ stopped"),
    };
    let share = if replay.len == 0 {
        1.0
    } else {
        replay.at as f64 / replay.len as f64
    };
    let left = Rich::of(role, format!(" {sign} ")).and(
        Role::Text,
        format!(
            " event {} of {} ",
            format_count(replay.at),
            format_count(replay.len)
        ),
    );
    let right = Rich::of(
        Role::Faint,
        format!(
            " tick {} · {} events/s ",
            format_count(view.tick),
            replay.speed
        ),
    );
    let room = width.saturating_sub(left.width() + right.width() + 2);
    if room < 6 {
        return left.cut(width);
    }
    let filled = (share * room as f64).round() as usize;
    left.and(Role::Faint, "▕")
        .and(Role::Bar, "━".repeat(filled.min(room)))
        .and(Role::Faint, "┄".repeat(room - filled.min(room)))
        .and(Role::Faint, "▏")
        .with_right(right, width)
}

/// The screens, then the keys that work now or the last word to the operator.
fn footer(sight: &Sight<'_>, width: usize) -> Rich {
    let Sight { shell, ui, .. } = *sight;
    let mut tabs = Rich::new();
    if has_tabs(shell.size) {
        for screen in Screen::tabs() {
            tabs.append(&tab(shell, screen));
        }
        tabs.add(Role::Border, "│");
    }
    let room = width.saturating_sub(tabs.width());
    match said(shell, ui) {
        // A word that has no room beside the tabs goes before them.
        Some(word) if word.width() > room => word.cut(width),
        Some(word) => tabs.with_rest(&word),
        None => tabs.with_rest(&footer_keys(shell, ui, room)).cut(width),
    }
}

/// The last word to the operator, until the next key.
fn said(shell: &Shell, ui: &Ui) -> Option<Rich> {
    let toast = shell.toast.as_ref().or(ui.toast.as_ref())?;
    let (role, sign) = if toast.is_fault {
        (Role::Bad, "!")
    } else {
        (Role::Good, "✔")
    };
    Some(Rich::of(role, format!(" {sign} {}", toast.text)))
}

fn footer_keys(shell: &Shell, ui: &Ui, width: usize) -> Rich {
    let scopes = table::scopes(shell, ui);
    let rows: Vec<(&Row, &[Key])> = shell
        .keymap
        .rows(&scopes)
        .filter(|(row, keys)| !row.short.is_empty() && !keys.is_empty())
        .collect();
    // The ways to the question, to all keys, back and out are never crowded out by others.
    let stays = |(row, _): &(&Row, &[Key])| {
        matches!(
            row.msg,
            Msg::Inbox | Msg::Help | Msg::Quit | Msg::Palette | Msg::Back
        )
    };
    let (last, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(stays);
    let reserved: usize = last.iter().map(|row| footer_part(row).width()).sum();
    let mut out = Rich::new();
    for part in rows.iter().map(footer_part) {
        if out.width() + part.width() + reserved <= width {
            out.append(&part);
        }
    }
    last.iter().for_each(|row| out.append(&footer_part(row)));
    out.cut(width)
}

fn footer_part((row, keys): &(&Row, &[Key])) -> Rich {
    Rich::of(Role::Key, format!(" {}", keys[0].name())).and(Role::Faint, format!(" {} ", row.short))
}

#[cfg(test)]
mod tests;
