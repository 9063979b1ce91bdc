//! Drawing one run: its panes, the position in a recording, and what lies over them.

use super::panes::header;
use super::{layout, scenery};
use crate::context::Scene;
use crate::overlay::Overlay;
use crate::screens::live::layout::Focus;
use crate::screens::live::panes::pane_of;
use crate::screens::live::state::{LiveState, ReplayState, RunMode};
use crate::theme::{Role, Theme};
use crate::view::View;
use crate::widgets::pane;
use crate::widgets::pane::PaneName;
use crate::widgets::rich::Rich;
use crate::widgets::rows::line;
use pithead_core::text::numbers::format_count;
use ratatui::Frame;

/// One run.
pub(crate) fn draw(frame: &mut Frame<'_>, scene: &Scene<'_>, theme: &Theme) {
    let Scene { shell, view, .. } = *scene;
    let ui = &shell.live;
    let area = frame.area();
    let layout = layout::live_layout(area.as_size(), ui);
    let width = usize::from(area.width);
    line(frame, layout.title, &header::title(view, ui, width), theme);
    line(
        frame,
        layout.status,
        &header::status(view, ui, width),
        theme,
    );
    line(frame, layout.tabs, &tabs(view, ui, width), theme);
    // Elsewhere all are named in the line of tabs.
    let names_others = layout.tabs.is_none();
    for (focus, area) in &layout.panes {
        let is_focused = *focus == ui.focus && !shell.overlays.iter().any(Overlay::is_about_run);
        let behind = ui.behind(*focus).map(Focus::name);
        let behind: Vec<&str> = behind.filter(|_| names_others).collect();
        let name = PaneName {
            name: focus.name(),
            is_focused,
            behind: &behind,
        };
        pane::draw(
            frame,
            *area,
            name,
            |room| (pane_of(*focus).show)(view, ui, room),
            theme,
        );
    }
    let in_cells = scenery::place(area.as_size(), ui)
        .filter(|_| scenery::beside(area.as_size(), scene).is_none());
    if let Some(area) = in_cells {
        scenery::draw(frame, area, ui.seen.as_deref(), theme);
    }
    if let RunMode::Replay(replay) = &ui.mode {
        line(
            frame,
            layout.position,
            &position(replay, view, width),
            theme,
        );
    }
}

/// The panes by name, the focused one marked; for screens that do not show them all.
fn tabs(view: &View, ui: &LiveState, width: usize) -> Rich {
    let mut out = Rich::new();
    for focus in ui.panes() {
        let waiting = match (focus, view.inbox.open.len()) {
            (Focus::Inbox, n) if n > 0 => format!(" ◆{n}"),
            (Focus::Mind, _) if ui.thinking.is_some() => " …".to_owned(),
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
        (true, _) => (Role::Faint, "… seeking"),
        (false, true) => (Role::Running, "▶ playing"),
        (false, false) => (Role::Faint, "‖ stopped"),
    };
    let share = if replay.len == 0 {
        1.0
    } else {
        replay.at as f64 / replay.len as f64
    };
    let left = Rich::text(role, format!(" {sign} ")).and(
        Role::Text,
        format!(
            " event {} of {} ",
            format_count(replay.at),
            format_count(replay.len)
        ),
    );
    let right = Rich::text(
        Role::Faint,
        format!(
            " tick {} · {} events/s ",
            format_count(view.tick),
            replay.speed
        ),
    );
    // Both ends of the bar, and the gap before what stands at the right.
    let room = width.saturating_sub(left.width() + right.width() + 3);
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
