//! Sixels: a picture of the very pixels of its cells, in at most 256 colours.
//!
//! Invariant: it covers no cell beside its own.

use crate::terminal::pictures::placement::{Placement, at_cell, bounded, scaled};
use icy_sixel::{EncodeOptions, SixelImage};
use ratatui::layout::Rect;

/// Pixels of one picture: finding their colours takes the console's own time. A larger place has it
/// in its middle.
const PIXELS_MAX: f64 = 300_000.0;

/// Pixels from top to bottom of one sixel.
const BAND: u32 = 6;

/// What puts a picture on the screen, and the pixels it has there.
pub(crate) fn put(spot: &Placement) -> (Vec<u8>, (u32, u32)) {
    let (sixels, (width, height)) = bounded(fitting(spot), |width, height| {
        encode(spot, width, whole_bands(height))
    });
    let size = (width, whole_bands(height));
    let cell = spot.mode.cell;
    let centred = |start: u16, cells: u16, pixels: u32, cell: u16| {
        let free = (u32::from(cells) * u32::from(cell)).saturating_sub(pixels);
        start + u16::try_from(free / 2 / u32::from(cell.max(1))).unwrap_or(0)
    };
    let area = spot.area;
    let (column, row) = (
        centred(area.x, area.width, size.0, cell.width),
        centred(area.y, area.height, size.1, cell.height),
    );
    let mut out = at_cell(column, row).into_bytes();
    out.extend(sixels);
    (out, size)
}

/// What takes it off: its cells are erased.
pub(crate) fn wipe(area: Rect) -> String {
    let rows = area.top()..area.bottom();
    rows.map(|row| format!("{}\x1b[{}X", at_cell(area.x, row), area.width))
        .collect()
}

/// The pixels of the place, or as many of them in its proportions as are taken.
fn fitting(spot: &Placement) -> (u32, u32) {
    let (area, cell) = (spot.area, spot.mode.cell);
    let width = f64::from(area.width) * f64::from(cell.width);
    let height = f64::from(area.height) * f64::from(cell.height);
    let share = (PIXELS_MAX / (width * height).max(1.0)).sqrt().min(1.0);
    let part = |pixels: f64| ((pixels * share) as u32).max(1);
    (part(width), part(height))
}

/// Sixels come in bands; what a last one has too much would stand on the cells below.
fn whole_bands(height: u32) -> u32 {
    (height / BAND).max(1) * BAND
}

fn encode(spot: &Placement, width: u32, height: u32) -> Vec<u8> {
    let pixels = scaled(&spot.seen, width, height);
    let rgb = pixels.rgb.iter();
    let rgba: Vec<u8> = rgb.flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect();
    // Without dithering what is flat stays flat, and short.
    let options = EncodeOptions {
        diffusion: 0.0,
        ..EncodeOptions::default()
    };
    let image = SixelImage::from_rgba(rgba, width as usize, height as usize);
    match image.encode_with(&options) {
        Ok(sixels) => sixels.into_bytes(),
        Err(error) => {
            tracing::warn!(%error, "a picture could not be written as sixels");
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::pictures::placement::{BYTES_MAX, PictureMode};
    use crate::terminal::pictures::tests::{gradient, noise};
    use pithead_engine::config::pictures::Protocol;
    use pithead_world::port::Pixels;
    use ratatui::layout::Size;
    use std::sync::Arc;

    fn spot(area: Rect, seen: Pixels) -> Placement {
        Placement {
            area,
            screen: Size::new(200, 60),
            mode: PictureMode {
                protocol: Protocol::Sixel,
                cell: Size::new(8, 16),
            },
            seen: Arc::new(seen),
        }
    }

    /// The picture that a terminal makes of it.
    fn read(bytes: &[u8]) -> SixelImage {
        let start = bytes.iter().position(|byte| *byte == b'P').unwrap() - 1;
        SixelImage::decode(&bytes[start..]).unwrap()
    }

    #[test]
    fn a_picture_fills_its_cells_with_its_own_colours() {
        let seen = gradient(60, 40);
        let (bytes, size) = put(&spot(Rect::new(4, 2, 30, 10), seen.clone()));
        assert_eq!(size, (240, 156), "whole bands within 160 pixels");
        assert!(bytes.starts_with(b"\x1b[3;5H\x1bP") && bytes.ends_with(b"\x1b\\"));
        let came = read(&bytes);
        assert_eq!((came.width, came.height), (240, 156));
        // 256 colours stand for 2,400: a patch is as near as an eye tells, which is least for blue.
        for (left, top) in [(0, 0), (228, 0), (0, 144), (114, 72), (228, 144)] {
            let mut off = 0.0;
            for (part, weight) in [0.299, 0.587, 0.114].into_iter().enumerate() {
                let (mut wanted, mut found) = (0_u32, 0_u32);
                for (x, y) in (0..144).map(|n| (left + n % 12, top + n / 12)) {
                    wanted += u32::from(seen.at(x / 4, y * 40 / 156)[part]);
                    found += u32::from(came.pixels[(y as usize * 240 + x as usize) * 4 + part]);
                }
                off += weight * f64::from(wanted.abs_diff(found)) / 144.0;
            }
            assert!(off < 20.0, "{left} {top}: off by {off:.1} of 255");
        }
    }

    #[test]
    fn a_place_that_is_too_large_has_it_in_its_middle_and_no_picture_is_too_long() {
        let area = Rect::new(0, 0, 120, 50);
        let (bytes, (width, height)) = put(&spot(area, noise(480, 320)));
        assert!(bytes.len() <= BYTES_MAX + 16, "{}", bytes.len());
        assert!(width * height <= PIXELS_MAX as u32 && width < 960 && height < 800);
        assert_eq!(read(&bytes).width, width as usize);
        assert!(!bytes.starts_with(b"\x1b[1;1H"));
    }

    #[test]
    fn taking_it_off_erases_its_rows_and_no_more() {
        let wiped = wipe(Rect::new(4, 2, 30, 2));
        assert_eq!(wiped, "\x1b[3;5H\x1b[30X\x1b[4;5H\x1b[30X");
    }
}
