//! The editor on the screen: the text with line numbers, the faulty line marked, the fault below.

use crate::theme::{Role, Theme};
use crate::widgets::editor::{Editor, TextFault};
use crate::widgets::rich::Rich;
use pithead_core::text::clean::{clean_line, wrap_columns};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Span;
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};

/// Lines for the fault; longer ones are cut.
const FAULT_LINES: u16 = 2;

/// Draws the text, and lines about it below.
pub(crate) fn draw(frame: &mut Frame<'_>, editor: &Editor, below: &[Rich], theme: &Theme) {
    let screen = frame.area();
    let whole = Rect {
        height: screen.height.saturating_sub(1),
        ..screen
    };
    if whole.height < 3 || whole.width < 6 {
        return;
    }
    frame.render_widget(Clear, whole);
    let title = format!(
        " Edit {} · {} ",
        clean_line(&editor.title),
        editor.format_name()
    );
    let block = Block::bordered()
        .border_type(BorderType::Thick)
        .border_style(theme.style(Role::BorderFocus))
        .title_top(Span::styled(title, theme.style(Role::BorderFocus)));
    let mut inner = block.inner(whole);
    frame.render_widget(block, whole);
    let lines = u16::try_from(below.len()).unwrap_or(u16::MAX);
    // The text itself keeps at least half of the screen.
    if lines > 0 && inner.height / 2 > lines {
        inner.height -= lines;
        for (row, line) in (0..lines).zip(below) {
            let area = Rect {
                y: inner.bottom() + row,
                height: 1,
                ..inner
            };
            frame.render_widget(Paragraph::new(line.styled(theme, false)), area);
        }
    }
    if let Some(fault) = &editor.fault
        && inner.height > FAULT_LINES
    {
        inner.height -= FAULT_LINES;
        let at = place_words(fault);
        let lines = wrap_columns(
            &format!("✗ {at}{}", fault.message),
            usize::from(inner.width),
        );
        for (row, text) in (0..FAULT_LINES).zip(lines) {
            let line = Rect {
                y: inner.bottom() + row,
                height: 1,
                ..inner
            };
            frame.render_widget(
                Paragraph::new(Span::styled(text, theme.style(Role::Bad))),
                line,
            );
        }
    }
    frame.render_widget(&editor.area, inner);
    mark_fault(frame, editor, inner, theme);
}

/// Where the fault is; the cursor may be elsewhere.
fn place_words(fault: &TextFault) -> String {
    match (fault.line, fault.column) {
        (Some(line), Some(column)) => format!("line {}, column {}: ", line + 1, column + 1),
        (Some(line), None) => format!("line {}: ", line + 1),
        (None, _) => String::new(),
    }
}

/// The faulty line in its style and with a sign in the border.
fn mark_fault(frame: &mut Frame<'_>, editor: &Editor, inner: Rect, theme: &Theme) {
    let Some(line) = editor.fault.as_ref().and_then(|fault| fault.line) else {
        return;
    };
    let (top, _) = editor.area.scroll_offset();
    let row = u16::try_from(line)
        .ok()
        .and_then(|line| line.checked_sub(top));
    let Some(row) = row.filter(|row| *row < inner.height) else {
        return;
    };
    let y = inner.y + row;
    frame.buffer_mut().set_style(
        Rect {
            y,
            height: 1,
            ..inner
        },
        theme.style(Role::Bad),
    );
    let sign = Rect {
        x: inner.x - 1,
        y,
        width: 1,
        height: 1,
    };
    frame.render_widget(Span::styled("✗", theme.style(Role::Bad)), sign);
}
