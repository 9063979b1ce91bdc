//! Boxes over the screen, texts on the whole of it, and lines being typed.
//!
//! Keys that decide are drawn below the text of others, on lines which that text cannot reach.

use super::page::{has_border, reading_area};
use super::rich::Rich;
use crate::theme::{Role, Theme};
use pithead_core::text::clean::{clean_line, fit_columns};
use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};

pub(crate) fn keys(pairs: &[(&str, &str)]) -> Rich {
    let mut out = Rich::new();
    for (key, does) in pairs {
        out.add(Role::Key, *key);
        out.add(Role::Faint, format!(" {does}   "));
    }
    out
}

/// A line being typed, its end in sight, with a cursor.
pub(crate) fn typing(lead: &str, text: &str) -> Rich {
    const SHOWN: usize = 40;
    let tail: String = text
        .chars()
        .skip(text.chars().count().saturating_sub(SHOWN))
        .collect();
    Rich::text(Role::Faint, lead)
        .and(Role::Strong, tail)
        .and(Role::Key, "▏")
}

/// A box of lines in the middle of the screen.
pub(crate) fn popup(frame: &mut Frame<'_>, title: &str, lines: &[Rich], theme: &Theme) {
    let screen = frame.area();
    let wanted = lines.iter().map(Rich::width).max().unwrap_or(0).max(44) + 4;
    let width = u16::try_from(wanted).unwrap_or(u16::MAX).min(screen.width);
    let height = u16::try_from(lines.len() + 2)
        .unwrap_or(u16::MAX)
        .min(screen.height);
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    };
    clear(frame, area);
    let bordered = height > 3 && width > 8;
    let inner = if bordered {
        frame.render_widget(block(title, theme), area);
        Rect {
            x: area.x + 2,
            y: area.y + 1,
            width: area.width - 4,
            height: area.height - 2,
        }
    } else {
        area
    };
    put(frame, inner, lines, theme);
}

pub(crate) fn block<'a>(title: &str, theme: &Theme) -> Block<'a> {
    Block::bordered()
        .border_type(BorderType::Thick)
        .border_style(theme.style(Role::BorderFocus))
        .title_top(Span::styled(
            format!(" {} ", clean_line(title)),
            theme.style(Role::BorderFocus),
        ))
}

/// Clears an area, and wide characters that reach into it from the left.
pub(crate) fn clear(frame: &mut Frame<'_>, area: Rect) {
    let from = area.x.saturating_sub(1);
    let buffer = frame.buffer_mut();
    for y in area.y..area.bottom() {
        if from < area.x && unicode_width::UnicodeWidthStr::width(buffer[(from, y)].symbol()) > 1 {
            buffer[(from, y)].set_symbol(" ");
        }
    }
    frame.render_widget(Clear, area);
}

pub(crate) fn put(frame: &mut Frame<'_>, area: Rect, lines: &[Rich], theme: &Theme) {
    let width = usize::from(area.width);
    for (row, rich) in (0_u16..).zip(lines).take(usize::from(area.height)) {
        let line = Rect {
            y: area.y + row,
            height: 1,
            ..area
        };
        let cut = rich.clone().cut(width);
        frame.render_widget(Paragraph::new(cut.styled(theme, false)), line);
    }
}

/// A text on the whole screen, with `bar` lines kept free below it.
pub(crate) fn reading(
    frame: &mut Frame<'_>,
    title: &str,
    lines: &[Rich],
    scroll: usize,
    (size, bar): (Size, u16),
    theme: &Theme,
) {
    let screen = frame.area();
    let whole = Rect {
        height: screen.height.saturating_sub(1),
        ..screen
    };
    frame.render_widget(Clear, whole);
    let text = reading_area(size, bar).intersection(screen);
    let height = usize::from(text.height);
    let first = scroll.min(lines.len().saturating_sub(height));
    if has_border(size) {
        let title = fit_columns(title, usize::from(size.width.saturating_sub(6)));
        let block = block(&title, theme).title_bottom(
            Line::from(Span::styled(
                extent(first, height, lines.len()),
                theme.style(Role::Faint),
            ))
            .right_aligned(),
        );
        frame.render_widget(block, whole);
    }
    put(frame, text, lines.get(first..).unwrap_or_default(), theme);
}

/// What stands below a text whose end has not been on the screen yet.
pub(crate) fn read_on_bar() -> Rich {
    Rich::text(Role::Notice, "↓ read on to the end; then you can decide")
        .and(Role::Faint, "   ")
        .and(Role::Key, "pgdn G")
}

/// Rows that the keys which decide take below a text.
pub(crate) const BAR_ROWS: u16 = 2;

/// The keys that decide, on lines below the text which no text of others reaches.
pub(crate) fn key_bar(frame: &mut Frame<'_>, size: Size, bar: &Rich, theme: &Theme) {
    let text = reading_area(size, BAR_ROWS);
    let area = Rect {
        y: text.bottom(),
        height: BAR_ROWS,
        ..text
    };
    let area = area.intersection(frame.area());
    clear(frame, area);
    let rule = Rich::text(Role::Border, "─".repeat(usize::from(area.width)));
    put(frame, area, &[rule, bar.clone()], theme);
}

fn extent(first: usize, height: usize, lines: usize) -> String {
    let last = (first + height).min(lines);
    if lines <= height {
        return " all of it ".to_owned();
    }
    format!(" lines {}–{last} of {lines} ", first + 1)
}
