//! The last word over a finished frame: no cell holds a character that could steer the terminal.
//!
//! Widgets clean what they show; this holds even where one forgets.

use pithead_core::text::clean::{clean_line, is_clean};
use ratatui::buffer::Buffer;
use unicode_width::UnicodeWidthStr;

/// Makes every cell of a finished frame printable.
pub(crate) fn scrub_frame(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().bytes().all(|b| (0x20..0x7f).contains(&b)) && !is_clean(cell.symbol()) {
            let clean = clean_line(cell.symbol());
            // The width must stay: the cells beside it were laid out for it.
            let fits = clean.width() == cell.symbol().width() && !clean.is_empty();
            cell.set_symbol(if fits { &clean } else { "·" });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::text::hostile::HOSTILE;
    use ratatui::layout::Rect;

    #[test]
    fn cells_are_scrubbed_whatever_a_widget_let_through() {
        for text in HOSTILE {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 1));
            buffer.set_string(0, 0, text, ratatui::style::Style::new());
            buffer[(39, 0)].set_symbol("a\u{202e}\u{1b}[31m");
            scrub_frame(&mut buffer);
            assert!(
                buffer.content.iter().all(|cell| is_clean(cell.symbol())),
                "{text:?}"
            );
        }
    }
}
