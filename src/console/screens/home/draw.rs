//! The form for a new run: its fields, what the task comes to, and the tasks that fit.

use crate::screens::home::form::{Field, GATES, NewRunForm};
use crate::theme::{Role, Theme};
use crate::widgets::popup::{block, clear, put};
use crate::widgets::rich::Rich;
use crate::widgets::scroll::window;
use pithead_core::text::clean::pad_columns;
use pithead_core::text::numbers::count_with_noun;
use ratatui::Frame;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

const WIDTH_MAX: u16 = 100;
const LEAD: usize = 11;
/// Columns that the words of a published task have at most.
const INSTRUCTION_MAX: usize = 60;

pub(crate) fn draw(frame: &mut Frame<'_>, form: &NewRunForm, theme: &Theme) {
    let screen = frame.area();
    let width = WIDTH_MAX.min(screen.width);
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y,
        width,
        height: screen.height.saturating_sub(1),
    };
    if area.is_empty() {
        return;
    }
    clear(frame, area);
    let inner = if area.height > 6 && width > 20 {
        frame.render_widget(block("Start a run", theme), area);
        Rect::new(area.x + 2, area.y + 1, width - 4, area.height - 2)
    } else {
        area
    };
    let mut lines = fields(form, usize::from(inner.width));
    let room = usize::from(inner.height).saturating_sub(lines.len());
    lines.extend(found(form, room));
    put(frame, inner, &lines, theme);
}

fn fields(form: &NewRunForm, width: usize) -> Vec<Rich> {
    let mut lines = Vec::new();
    for field in Field::ALL {
        lines.push(field_line(form, field, width));
        if field == Field::Task {
            let said = match &form.reads {
                Ok(words) => Rich::text(Role::Good, format!("✔ {words}")),
                Err(because) => Rich::text(Role::Notice, format!("? {because}")),
            };
            let lead = " ".repeat(LEAD + 2);
            lines.push(Rich::text(Role::Faint, lead).with_rest(&said).cut(width));
        }
    }
    lines
}

fn field_line(form: &NewRunForm, field: Field, width: usize) -> Rich {
    let is_here = form.at == field;
    let (sign, role) = if is_here {
        ("▌ ", Role::Strong)
    } else {
        ("  ", Role::Text)
    };
    let lead =
        Rich::text(Role::BorderFocus, sign).and(Role::Faint, format!("{:<LEAD$}", field.name()));
    let cursor = if is_here { "▏" } else { "" };
    // A value that the keys turn through stands between arrows.
    let turned = |value: &str, about: &str| {
        let (open, close) = if is_here {
            ("‹ ", " ›")
        } else {
            ("  ", "  ")
        };
        lead.clone()
            .and(Role::Key, open)
            .and(role, value)
            .and(Role::Key, close)
            .and(Role::Faint, format!("  {about}"))
    };
    let line = match field {
        Field::Task => {
            let shown = width.saturating_sub(LEAD + 4);
            let all = form.words.chars().count();
            let tail: String = form.words.chars().skip(all.saturating_sub(shown)).collect();
            lead.and(role, tail).and(Role::Key, cursor)
        }
        Field::Seed => lead
            .and(role, &form.seed)
            .and(Role::Key, cursor)
            .and(Role::Faint, "  the same seed is the same world"),
        Field::Mind => turned(form.mind(), "who plans"),
        Field::System => turned(form.system(), "which parts of the loop are on"),
        Field::Gate(n) => turned(form.policy(n), GATES[n].2),
    };
    line.cut(width)
}

/// The tasks that fit what is typed.
fn found(form: &NewRunForm, room: usize) -> Vec<Rich> {
    if room < 3 {
        return Vec::new();
    }
    let heading = count_with_noun(
        form.found.len(),
        "published task fits",
        "published tasks fit",
    );
    let mut lines = vec![Rich::new(), Rich::text(Role::Faint, heading)];
    let rows = room - 2;
    let first = window(form.pick.unwrap_or(0), form.found.len(), rows);
    let words = form.found.iter().map(|task| task.instruction.width());
    let column = words.max().unwrap_or_default().min(INSTRUCTION_MAX);
    for (place, task) in form.found.iter().enumerate().skip(first).take(rows) {
        let (sign, role) = if form.pick == Some(place) {
            ("▌ ", Role::Strong)
        } else {
            ("  ", Role::Text)
        };
        lines.push(
            Rich::text(Role::BorderFocus, sign)
                .and(role, pad_columns(&task.instruction, column))
                .and(Role::Faint, format!("  {}", task.id)),
        );
    }
    lines
}
