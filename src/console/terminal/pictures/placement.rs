//! A picture and where it is to stand, and what a terminal can show of it.

use pithead_engine::config::pictures::Protocol;
use pithead_world::port::Pixels;
use ratatui::layout::{Rect, Size};
use std::sync::Arc;

/// Bytes of one picture on its way to the terminal; what is longer is written at half the size.
pub(crate) const BYTES_MAX: usize = 512 * 1024;

/// How pictures are written to this terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureMode {
    pub protocol: Protocol,
    /// Pixels of a cell.
    pub cell: Size,
}

/// A picture and where it is to stand.
#[derive(Debug, Clone)]
pub struct Placement {
    pub area: Rect,
    /// The screen around it: one of another size is wiped by whoever resizes it.
    pub screen: Size,
    pub mode: PictureMode,
    pub seen: Arc<Pixels>,
}

impl PictureMode {
    /// What a choice comes to in a terminal whose cells have so many pixels, if it says so. Sixels
    /// cannot do without; a picture by kitty's protocol is stretched over its cells by the terminal.
    pub(crate) fn for_terminal(protocol: Option<Protocol>, cell: Option<Size>) -> Option<Self> {
        let protocol = protocol?;
        let cell = match protocol {
            Protocol::Sixel => cell?,
            Protocol::Kitty => cell.unwrap_or(USUAL_CELL),
        };
        Some(Self { protocol, cell })
    }
}

/// Twice as high as wide, as in nearly every font.
pub(crate) const USUAL_CELL: Size = Size {
    width: 10,
    height: 20,
};

/// The picture at another size, every pixel the nearest of it.
pub(crate) fn scaled(seen: &Pixels, width: u32, height: u32) -> Pixels {
    let pixel = |at: u32| {
        let (x, y) = (u64::from(at % width), u64::from(at / width));
        let x = x * u64::from(seen.width) / u64::from(width);
        let y = y * u64::from(seen.height) / u64::from(height);
        seen.at(x as u32, y as u32)
    };
    Pixels {
        width,
        height,
        rgb: (0..width * height).map(pixel).collect(),
    }
}

/// The first encoding that is short enough, of the picture at this size or a half, a quarter, … of it.
pub(crate) fn bounded(
    (mut width, mut height): (u32, u32),
    encode: impl Fn(u32, u32) -> Vec<u8>,
) -> (Vec<u8>, (u32, u32)) {
    loop {
        let bytes = encode(width, height);
        if bytes.len() <= BYTES_MAX || (width, height) == (1, 1) {
            return (bytes, (width, height));
        }
        (width, height) = ((width / 2).max(1), (height / 2).max(1));
    }
}

/// To where a picture begins; the cursor is put back by whoever has put it there.
pub(crate) fn at_cell(column: u16, row: u16) -> String {
    format!("\x1b[{};{}H", u32::from(row) + 1, u32::from(column) + 1)
}
