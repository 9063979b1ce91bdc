//! Pictures: what the body sees at full resolution, written beside the frame by the terminal's owner.
//!
//! The cells below a picture stay blank, so that no cell holds anything but what can be printed.
//! Invariant: nothing but our own numbers, base64 and sixels is written, and no terminal is asked anything.

pub(crate) mod kitty;
pub(crate) mod sixel;
pub(crate) mod writer;

pub(crate) use crate::terminal::pictures::kitty::forget_all;
pub(crate) use crate::terminal::pictures::writer::{Change, Easel};

use pithead_engine::config::pictures::Protocol;
use pithead_world::port::Pixels;
use ratatui::layout::{Rect, Size};
use std::sync::Arc;

/// Bytes of one picture on its way to the terminal; what is longer is written at half the size.
const BYTES_MAX: usize = 512 * 1024;

/// How pictures are written to this terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Means {
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
    pub means: Means,
    pub seen: Arc<Pixels>,
}

impl Means {
    /// What a choice comes to in a terminal whose cells have so many pixels, if it says so. Sixels
    /// cannot do without; a picture by kitty's protocol is stretched over its cells by the terminal.
    pub(crate) fn of(protocol: Option<Protocol>, cell: Option<Size>) -> Option<Self> {
        let protocol = protocol?;
        let cell = match protocol {
            Protocol::Sixel => cell?,
            Protocol::Kitty => cell.unwrap_or(USUAL_CELL),
        };
        Some(Self { protocol, cell })
    }
}

/// Twice as high as wide, as in nearly every font.
const USUAL_CELL: Size = Size {
    width: 10,
    height: 20,
};

/// The picture at another size, every pixel the nearest of it.
fn scaled(seen: &Pixels, width: u32, height: u32) -> Pixels {
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
fn bounded(
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
fn at_cell(column: u16, row: u16) -> String {
    format!("\x1b[{};{}H", u32::from(row) + 1, u32::from(column) + 1)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A picture of which every pixel tells where it is.
    pub(crate) fn gradient(width: u32, height: u32) -> Pixels {
        let colour = |at: u32| {
            let (x, y) = (at % width, at / width);
            [(x * 255 / width) as u8, (y * 255 / height) as u8, 80]
        };
        Pixels {
            width,
            height,
            rgb: (0..width * height).map(colour).collect(),
        }
    }

    /// One that no packing makes smaller.
    pub(crate) fn noise(width: u32, height: u32) -> Pixels {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        };
        let mut colour = |_| {
            let bytes = next();
            [bytes[1], bytes[3], bytes[5]]
        };
        Pixels {
            width,
            height,
            rgb: (0..width * height).map(&mut colour).collect(),
        }
    }

    #[test]
    fn sixels_need_the_size_of_a_cell_and_kitty_does_not() {
        let cell = Some(Size::new(8, 16));
        let of = |protocol, cell| Means::of(protocol, cell).map(|means| means.cell);
        assert_eq!(of(None, cell), None);
        assert_eq!(of(Some(Protocol::Sixel), None), None);
        assert_eq!(of(Some(Protocol::Sixel), cell), cell);
        assert_eq!(of(Some(Protocol::Kitty), None), Some(USUAL_CELL));
    }

    #[test]
    fn scaling_takes_the_nearest_pixel() {
        let small = gradient(4, 2);
        let large = scaled(&small, 8, 4);
        assert_eq!(large.at(7, 3), small.at(3, 1));
        assert_eq!(scaled(&large, 4, 2), small);
    }
}
