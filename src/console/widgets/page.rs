//! Pages: where a text is read on the screen, and how its headings and fields are set.

use super::rich::{Rich, paragraph};
use crate::theme::Role;
use pithead_core::text::clean::pad_columns;
use ratatui::layout::{Rect, Size};

/// Where a page is read: everything but the footer, within a border where there is room for one.
#[must_use]
pub(crate) fn reading_area(size: Size, bar: u16) -> Rect {
    let (width, height) = (size.width, size.height.saturating_sub(1));
    if has_border(size) {
        Rect::new(2, 1, width - 4, (height - 2).saturating_sub(bar))
    } else {
        Rect::new(0, 0, width, height.saturating_sub(bar))
    }
}

/// Small terminals have no line to spare for borders.
#[must_use]
pub(crate) fn has_border(size: Size) -> bool {
    size.width >= 30 && size.height >= 8
}

/// A heading with an empty line before it, unless it is the first.
pub(crate) fn heading(out: &mut Vec<Rich>, text: &str) {
    if !out.is_empty() {
        out.push(Rich::new());
    }
    out.push(Rich::text(Role::Title, text));
}

/// `name  value` with the names in a column.
pub(crate) fn field(out: &mut Vec<Rich>, name: &str, value: &str, width: usize) {
    let lead = Rich::text(Role::Faint, pad_columns(name, NAME_WIDTH));
    paragraph(out, lead, Role::Text, value, width);
}

const NAME_WIDTH: usize = 14;
