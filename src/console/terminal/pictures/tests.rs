//! Pictures for tests, and what holds for all of them.

use crate::terminal::pictures::placement::*;
use pithead_engine::config::pictures::Protocol;
use pithead_world::port::Pixels;
use ratatui::layout::Size;

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
    let of = |protocol, cell| PictureMode::for_terminal(protocol, cell).map(|mode| mode.cell);
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
