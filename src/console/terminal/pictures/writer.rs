//! The easel: which picture is on the screen, and what must be written so that it is another one, or none.
//!
//! Invariant: nothing is written while the same picture stays where it is.

use crate::terminal::pictures::{Means, Placement, kitty, sixel};
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
struct Hung {
    area: Rect,
    screen: Size,
    means: Means,
    seen: Arc<Pixels>,
    /// By which kitty knows it.
    number: u32,
    /// The pixels that it was written with.
    pixels: (u32, u32),
}

#[derive(Debug, Default)]
pub(crate) struct Easel {
    hung: Option<Hung>,
}

impl Easel {
    /// What makes of the picture on the screen the one that is wanted.
    pub(crate) fn change(&mut self, wanted: Option<Placement>) -> Change {
        let before = self.hung.take();
        let Some(spot) = wanted else {
            return Change {
                before: before.map_or(Vec::new(), |hung| take_off(&hung)),
                after: Vec::new(),
            };
        };
        match before {
            Some(hung) if stays(&hung, &spot) => {
                if Arc::ptr_eq(&hung.seen, &spot.seen) || hung.seen == spot.seen {
                    self.hung = Some(hung);
                    return Change::default();
                }
                self.replace(&hung, spot)
            }
            other => Change {
                before: other.map_or(Vec::new(), |hung| take_off(&hung)),
                after: self.hang(spot, kitty::NUMBERS[0]),
            },
        }
    }

    /// The screen was wiped: nothing is on it.
    pub(crate) fn forget(&mut self) {
        self.hung = None;
    }

    /// Another picture in the same place, with nothing in between.
    fn replace(&mut self, old: &Hung, spot: Placement) -> Change {
        let mut numbers = kitty::NUMBERS.into_iter();
        let other = numbers.find(|number| *number != old.number);
        let mut change = Change {
            before: Vec::new(),
            after: self.hang(spot, other.unwrap_or(old.number)),
        };
        let is_as_large = |new: &Hung| new.pixels == old.pixels;
        match old.means.protocol {
            Protocol::Kitty => change.after.extend(take_off(old)),
            Protocol::Sixel if self.hung.as_ref().is_some_and(is_as_large) => (),
            // What it would leave at its edges goes first.
            Protocol::Sixel => change.before = take_off(old),
        }
        change
    }

    fn hang(&mut self, spot: Placement, number: u32) -> Vec<u8> {
        let (written, pixels) = match spot.means.protocol {
            Protocol::Kitty => (kitty::put(&spot, number), (0, 0)),
            Protocol::Sixel => sixel::put(&spot),
        };
        self.hung = Some(Hung {
            area: spot.area,
            screen: spot.screen,
            means: spot.means,
            seen: spot.seen,
            number,
            pixels,
        });
        written
    }
}

fn stays(hung: &Hung, spot: &Placement) -> bool {
    (hung.area, hung.screen, hung.means) == (spot.area, spot.screen, spot.means)
}

fn take_off(hung: &Hung) -> Vec<u8> {
    match hung.means.protocol {
        Protocol::Kitty => kitty::forget(hung.number).into_bytes(),
        Protocol::Sixel => sixel::wipe(hung.area).into_bytes(),
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
            means: Means {
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
            let (mut easel, seen) = (Easel::default(), Arc::new(gradient(40, 30)));
            assert_eq!(easel.change(None), Change::default());
            let first = easel.change(Some(spot(protocol, &seen)));
            assert!(first.before.is_empty() && has(&first.after, put));
            let same = Arc::new(gradient(40, 30));
            for again in [&seen, &same] {
                let change = easel.change(Some(spot(protocol, again)));
                assert_eq!(change, Change::default(), "{protocol:?}");
            }
            let last = easel.change(None);
            assert!(has(&last.before, off) && last.after.is_empty());
            assert_eq!(easel.change(None), Change::default());
        }
    }

    #[test]
    fn the_next_picture_is_there_before_the_last_one_goes() {
        let (one, other) = (Arc::new(gradient(40, 30)), Arc::new(noise(40, 30)));
        let mut easel = Easel::default();
        easel.change(Some(spot(Protocol::Kitty, &one)));
        let change = easel.change(Some(spot(Protocol::Kitty, &other)));
        let text = String::from_utf8_lossy(&change.after).into_owned();
        assert!(change.before.is_empty());
        assert!(text.find("a=T").unwrap() < text.find("a=d,d=I,i=7411").unwrap());
        let change = easel.change(Some(spot(Protocol::Kitty, &one)));
        assert!(has(&change.after, "i=7411,p=1") && has(&change.after, "a=d,d=I,i=7412"));
        let mut easel = Easel::default();
        easel.change(Some(spot(Protocol::Sixel, &one)));
        let change = easel.change(Some(spot(Protocol::Sixel, &other)));
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
            let mut easel = Easel::default();
            easel.change(Some(moved(area, screen)));
            let change = easel.change(Some(other));
            assert!(has(&change.before, "a=d") && has(&change.after, "a=T"));
        }
        let mut easel = Easel::default();
        easel.change(Some(moved(area, screen)));
        easel.forget();
        let change = easel.change(Some(moved(area, screen)));
        assert!(change.before.is_empty() && has(&change.after, "a=T"));
    }
}
