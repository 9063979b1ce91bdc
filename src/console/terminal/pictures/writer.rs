//! The pictures: which picture is on the screen, and what must be written so that it is another one, or none.
//!
//! Invariant: nothing is written while the same picture stays where it is.

use crate::terminal::pictures::placement::{PictureMode, Placement};
use crate::terminal::pictures::{kitty, sixel};
use pithead_engine::config::pictures::Protocol;
use pithead_world::port::Pixels;
use ratatui::layout::{Rect, Size};
use std::sync::Arc;

/// What is written before and after the cells of a frame.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) before: Vec<u8>,
    pub(crate) after: Vec<u8>,
}

/// The picture that is on the screen.
#[derive(Debug)]
struct ShownPicture {
    area: Rect,
    screen: Size,
    mode: PictureMode,
    seen: Arc<Pixels>,
    /// By which kitty knows it.
    number: u32,
    /// The pixels that it was written with.
    pixels: (u32, u32),
}

#[derive(Debug, Default)]
pub(crate) struct PictureWriter {
    shown: Option<ShownPicture>,
}

impl PictureWriter {
    /// What makes of the picture on the screen the one that is wanted.
    pub(crate) fn change(&mut self, wanted: Option<Placement>) -> Change {
        let before = self.shown.take();
        let Some(spot) = wanted else {
            return Change {
                before: before.map_or(Vec::new(), |shown| take_off(&shown)),
                after: Vec::new(),
            };
        };
        match before {
            Some(shown) if stays(&shown, &spot) => {
                if Arc::ptr_eq(&shown.seen, &spot.seen) || shown.seen == spot.seen {
                    self.shown = Some(shown);
                    return Change::default();
                }
                self.replace(&shown, spot)
            }
            other => Change {
                before: other.map_or(Vec::new(), |shown| take_off(&shown)),
                after: self.hang(spot, kitty::NUMBERS[0]),
            },
        }
    }

    /// The screen was wiped: nothing is on it.
    pub(crate) fn forget(&mut self) {
        self.shown = None;
    }

    /// Another picture in the same place, with nothing in between.
    fn replace(&mut self, old: &ShownPicture, spot: Placement) -> Change {
        let mut numbers = kitty::NUMBERS.into_iter();
        let other = numbers.find(|number| *number != old.number);
        let mut change = Change {
            before: Vec::new(),
            after: self.hang(spot, other.unwrap_or(old.number)),
        };
        let is_as_large = |new: &ShownPicture| new.pixels == old.pixels;
        match old.mode.protocol {
            Protocol::Kitty => change.after.extend(take_off(old)),
            Protocol::Sixel if self.shown.as_ref().is_some_and(is_as_large) => (),
            // What it would leave at its edges goes first.
            Protocol::Sixel => change.before = take_off(old),
        }
        change
    }

    fn hang(&mut self, spot: Placement, number: u32) -> Vec<u8> {
        let (written, pixels) = match spot.mode.protocol {
            Protocol::Kitty => (kitty::put(&spot, number), (0, 0)),
            Protocol::Sixel => sixel::put(&spot),
        };
        self.shown = Some(ShownPicture {
            area: spot.area,
            screen: spot.screen,
            mode: spot.mode,
            seen: spot.seen,
            number,
            pixels,
        });
        written
    }
}

fn stays(shown: &ShownPicture, spot: &Placement) -> bool {
    (shown.area, shown.screen, shown.mode) == (spot.area, spot.screen, spot.mode)
}

fn take_off(shown: &ShownPicture) -> Vec<u8> {
    match shown.mode.protocol {
        Protocol::Kitty => kitty::forget(shown.number).into_bytes(),
        Protocol::Sixel => sixel::wipe(shown.area).into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::pictures::tests::{gradient, noise};

    fn spot(protocol: Protocol, seen: &Arc<Pixels>) -> Placement {
        Placement {
            area: Rect::new(2, 2, 20, 8),
            screen: Size::new(80, 24),
            mode: PictureMode {
                protocol,
                cell: Size::new(8, 16),
            },
            seen: Arc::clone(seen),
        }
    }

    fn has(bytes: &[u8], wanted: &str) -> bool {
        String::from_utf8_lossy(bytes).contains(wanted)
    }

    #[test]
    fn a_picture_is_written_once_and_taken_off_once() {
        for (protocol, put, off) in [
            (Protocol::Kitty, "\x1b_Ga=T", "\x1b_Ga=d,d=I,i=7411,q=2"),
            (Protocol::Sixel, "\x1bP", "\x1b[3;3H\x1b[20X"),
        ] {
            let (mut pictures, seen) = (PictureWriter::default(), Arc::new(gradient(40, 30)));
            assert_eq!(pictures.change(None), Change::default());
            let first = pictures.change(Some(spot(protocol, &seen)));
            assert!(first.before.is_empty() && has(&first.after, put));
            let same = Arc::new(gradient(40, 30));
            for again in [&seen, &same] {
                let change = pictures.change(Some(spot(protocol, again)));
                assert_eq!(change, Change::default(), "{protocol:?}");
            }
            let last = pictures.change(None);
            assert!(has(&last.before, off) && last.after.is_empty());
            assert_eq!(pictures.change(None), Change::default());
        }
    }

    #[test]
    fn the_next_picture_is_there_before_the_last_one_goes() {
        let (one, other) = (Arc::new(gradient(40, 30)), Arc::new(noise(40, 30)));
        let mut pictures = PictureWriter::default();
        pictures.change(Some(spot(Protocol::Kitty, &one)));
        let change = pictures.change(Some(spot(Protocol::Kitty, &other)));
        let text = String::from_utf8_lossy(&change.after).into_owned();
        assert!(change.before.is_empty());
        assert!(text.find("a=T").unwrap() < text.find("a=d,d=I,i=7411").unwrap());
        let change = pictures.change(Some(spot(Protocol::Kitty, &one)));
        assert!(has(&change.after, "i=7411,p=1") && has(&change.after, "a=d,d=I,i=7412"));
        let mut pictures = PictureWriter::default();
        pictures.change(Some(spot(Protocol::Sixel, &one)));
        let change = pictures.change(Some(spot(Protocol::Sixel, &other)));
        assert!(change.before.is_empty(), "it covers the one before");
    }

    #[test]
    fn another_place_another_screen_or_a_wiped_one_take_it_anew() {
        let seen = Arc::new(gradient(40, 30));
        let moved = |area, screen| Placement {
            area,
            screen,
            ..spot(Protocol::Kitty, &seen)
        };
        let (area, screen) = (Rect::new(2, 2, 20, 8), Size::new(80, 24));
        for other in [
            moved(Rect::new(3, 2, 20, 8), screen),
            moved(area, Size::new(81, 24)),
        ] {
            let mut pictures = PictureWriter::default();
            pictures.change(Some(moved(area, screen)));
            let change = pictures.change(Some(other));
            assert!(has(&change.before, "a=d") && has(&change.after, "a=T"));
        }
        let mut pictures = PictureWriter::default();
        pictures.change(Some(moved(area, screen)));
        pictures.forget();
        let change = pictures.change(Some(moved(area, screen)));
        assert!(change.before.is_empty() && has(&change.after, "a=T"));
    }
}
