//! Rows: lines one below the other, the selected one told apart.
//!
//! Invariant: what is selected is said by a glyph too, for those who see no colours; it stands in a column that no
//! text reaches.

use crate::theme::{Role, Theme};
use crate::widgets::rich::Rich;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Span;
use ratatui::widgets::{Clear, Paragraph};

/// Draws as many as there is room for. `mark` is the column of the glyph; none where there is no room for it.
pub(crate) fn rows(
    frame: &mut Frame<'_>,
    area: Rect,
    lines: &[Rich],
    (selected, mark): (Option<usize>, Option<u16>),
    theme: &Theme,
) {
    for (row, rich) in (0_u16..).zip(lines).take(usize::from(area.height)) {
        let at = Rect {
            y: area.y + row,
            height: 1,
            ..area
        };
        let is_selected = selected == Some(usize::from(row));
        if is_selected {
            let style = theme.style(Role::Selected);
            frame.buffer_mut().set_style(at, style);
        }
        let cut = rich.clone().cut(usize::from(area.width));
        frame.render_widget(Paragraph::new(cut.styled(theme, is_selected)), at);
        if let Some(x) = mark.filter(|_| is_selected && area.width > 0) {
            let cell = Rect { x, width: 1, ..at };
            frame.render_widget(Span::styled("▌", theme.style(Role::BorderFocus)), cell);
        }
    }
}

/// One line; nothing if there is no room for it.
pub(crate) fn line(frame: &mut Frame<'_>, area: Option<Rect>, text: &Rich, theme: &Theme) {
    if let Some(area) = area.map(|area| area.intersection(frame.area())) {
        frame.render_widget(Clear, area);
        frame.render_widget(Paragraph::new(text.styled(theme, false)), area);
    }
}
