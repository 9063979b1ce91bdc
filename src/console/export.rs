//! Exports: a screen as plain text and as SVG, from the cells that were drawn.
//!
//! Invariant: only printable cells come out, escaped for their format.

use crate::theme::Paper;
use pithead_world::clock::Millis;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Size;
use ratatui::style::{Color, Modifier};
use ratatui::{Frame, Terminal};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// Pixels of a cell at a font size of 14.
const CELL: (f64, f64) = (8.4, 17.0);

/// The colours of what is left to the terminal, which a picture has to choose.
impl Paper {
    fn background(self) -> &'static str {
        match self {
            Self::Dark => "#16181d",
            Self::Light => "#ffffff",
        }
    }

    fn foreground(self) -> &'static str {
        match self {
            Self::Dark => "#d5d8de",
            Self::Light => "#24292f",
        }
    }
}

/// Draws a frame off the screen.
pub fn render(size: Size, draw: impl FnOnce(&mut Frame<'_>)) -> Result<Buffer, String> {
    let mut terminal = Terminal::new(TestBackend::new(size.width, size.height))
        .map_err(|error| error.to_string())?;
    terminal.draw(draw).map_err(|error| error.to_string())?;
    Ok(terminal.backend().buffer().clone())
}

/// Writes both files beside where the program was started; their name without its ending.
pub fn save(buffer: &Buffer, paper: Paper, now: Millis) -> Result<String, String> {
    let name = format!("pithead-{}", now.0);
    for (ending, content) in [("txt", text(buffer)), ("svg", svg(buffer, paper))] {
        let path = format!("{name}.{ending}");
        let wrote = std::fs::write(&path, content);
        wrote.map_err(|error| format!("{path} could not be written: {error}"))?;
    }
    Ok(name)
}

/// The lines without what is empty at their ends.
#[must_use]
pub fn text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            if skip == 0 {
                line.push_str(symbol);
                skip = symbol.width().saturating_sub(1);
            } else {
                skip -= 1;
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A picture of the screen that scales.
#[must_use]
pub fn svg(buffer: &Buffer, paper: Paper) -> String {
    let (wide, high) = CELL;
    let (width, height) = (
        f64::from(buffer.area.width) * wide,
        f64::from(buffer.area.height) * high,
    );
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" \
         font-family=\"ui-monospace, DejaVu Sans Mono, monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
        paper.background()
    );
    for y in 0..buffer.area.height {
        for x in 0..buffer.area.width {
            cell(&mut out, &buffer[(x, y)], (x, y), paper);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn cell(out: &mut String, cell: &Cell, (x, y): (u16, u16), paper: Paper) {
    let (wide, high) = CELL;
    let (left, top) = (f64::from(x) * wide, f64::from(y) * high);
    let (mut fg, mut bg) = (
        colour(cell.fg, paper.foreground()),
        colour(cell.bg, paper.background()),
    );
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut fg, &mut bg);
    }
    let symbol = cell.symbol();
    if bg != paper.background() {
        let columns = symbol.width().max(1) as f64;
        let _ = writeln!(
            out,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{high:.1}\" fill=\"{bg}\"/>",
            columns * wide
        );
    }
    if symbol.trim().is_empty() {
        return;
    }
    let mut style = String::new();
    for (modifier, text) in [
        (Modifier::BOLD, " font-weight=\"bold\""),
        (Modifier::ITALIC, " font-style=\"italic\""),
        (Modifier::UNDERLINED, " text-decoration=\"underline\""),
        (Modifier::CROSSED_OUT, " text-decoration=\"line-through\""),
    ] {
        if cell.modifier.contains(modifier) {
            style.push_str(text);
        }
    }
    let _ = writeln!(
        out,
        "<text x=\"{left:.1}\" y=\"{:.1}\" fill=\"{fg}\"{style}>{}</text>",
        top + high * 0.76,
        escaped(symbol)
    );
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c if c.is_control() => (),
            c => out.push(c),
        }
    }
    out
}

/// The sixteen colours as most terminals show them.
const SIXTEEN: [&str; 16] = [
    "#1d1f21", "#cc6666", "#8abd68", "#d7af5f", "#5f87d7", "#b294bb", "#5fafaf", "#c5c8c6",
    "#707880", "#f2777a", "#b5e890", "#f0c674", "#81a2ff", "#d0a8ff", "#8abeb7", "#ffffff",
];

fn colour(colour: Color, default: &str) -> String {
    let index = match colour {
        Color::Reset => return default.to_owned(),
        Color::Rgb(r, g, b) => return format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Indexed(n) => n,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    };
    indexed(index)
}

/// The palette of 256: sixteen, a cube of 6×6×6, and greys.
fn indexed(n: u8) -> String {
    let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    match n {
        0..16 => SIXTEEN[usize::from(n)].to_owned(),
        16..232 => {
            let n = n - 16;
            let (r, g, b) = (level(n / 36), level(n / 6 % 6), level(n % 6));
            format!("#{r:02x}{g:02x}{b:02x}")
        }
        232.. => {
            let grey = 8 + 10 * (n - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    fn buffer() -> Buffer {
        render(Size::new(12, 2), |frame| {
            let buffer = frame.buffer_mut();
            buffer.set_string(0, 0, "<a> & 好 x", Style::new().red().bold());
            buffer.set_string(0, 1, "plain", Style::new());
        })
        .unwrap()
    }

    #[test]
    fn a_screen_becomes_its_text() {
        assert_eq!(text(&buffer()), "<a> & 好 x\nplain\n");
    }

    #[test]
    fn hostile_cells_leave_neither_as_text_nor_as_a_picture() {
        use crate::draw::scrub::scrub_frame;
        use pithead_core::text::clean::is_clean;
        use pithead_core::text::hostile::HOSTILE;
        for hostile in HOSTILE {
            let buffer = render(Size::new(60, 1), |frame| {
                let buffer = frame.buffer_mut();
                buffer.set_string(0, 0, hostile, Style::new());
                buffer[(59, 0)].set_symbol("</text><script>\u{1b}[2J\u{202e}");
                scrub_frame(buffer);
            });
            let buffer = buffer.unwrap();
            let svg = svg(&buffer, Paper::Dark);
            assert!(!svg.contains("<script"), "{svg}");
            for made in [text(&buffer), svg] {
                assert!(made.lines().all(is_clean), "{made:?}");
            }
        }
    }

    #[test]
    fn a_picture_is_well_formed_and_keeps_styles() {
        let svg = svg(&buffer(), Paper::Dark);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains(">&lt;</text>") && svg.contains(">&amp;</text>"));
        assert!(svg.contains("fill=\"#cc6666\" font-weight=\"bold\""));
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    }

    #[test]
    fn a_picture_of_the_light_theme_has_dark_text_on_light_paper() {
        use crate::theme::Theme;
        let paper = Theme::named("light").unwrap().paper;
        let svg = svg(&buffer(), paper);
        let plain = |paper: Paper| format!("fill=\"{}\">p</text>", paper.foreground());
        assert!(svg.contains("height=\"100%\" fill=\"#ffffff\""), "{svg}");
        assert!(svg.contains(&plain(Paper::Light)) && !svg.contains(&plain(Paper::Dark)));
        for dark in ["dark", "monochrome"] {
            assert_eq!(Theme::named(dark).unwrap().paper, Paper::Dark);
        }
    }
}
