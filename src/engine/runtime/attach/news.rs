//! News: what consoles are told that is no event: how far the mind is, what the body sees, what waits.
//!
//! Invariant: nothing is sent that has not changed, and a host without consoles hardly wakes.

use super::lines::HostLine;
use super::seats::Seats;
use crate::journal::is_waiting_for_others;
use crate::runtime::link::Eyes;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pithead_world::port::Pixels;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Between two looks while a picture or an answer is on its way: a picture is asked for four times a second.
const BUSY: Duration = Duration::from_millis(40);
/// The same while somebody looks on; a person does not notice the delay.
const WATCHED: Duration = Duration::from_millis(200);
/// The same while nobody is there.
const ALONE: Duration = Duration::from_secs(1);

/// Tells consoles what changes, until the host closes.
pub(super) fn tell_news(eyes: &Eyes, seats: &Seats, closing: &AtomicBool) {
    let (mut thinking, mut waits, mut consoles) = (None, false, 0);
    let mut picture: Option<Arc<Pixels>> = None;
    while !closing.load(Ordering::Acquire) {
        let here = seats.consoles();
        // Whoever has just come knows nothing yet.
        let has_more = here > std::mem::replace(&mut consoles, here);
        let now = eyes.thinking();
        if now != thinking || has_more {
            seats.tell(&HostLine::Thinking(now.clone()));
            thinking = now;
        }
        let now = is_waiting_for_others();
        if now != waits || has_more {
            seats.tell(&HostLine::Waits(now));
            waits = now;
        }
        let is_looked = seats.is_looked();
        if let Some(seen) = eyes.picture().filter(|_| is_looked) {
            let is_new = picture.as_ref().is_none_or(|old| !Arc::ptr_eq(old, &seen));
            if is_new {
                seats.show((seen.width, seen.height), &line_of(&seen));
                picture = Some(seen);
            }
        }
        std::thread::park_timeout(match here {
            0 => ALONE,
            _ if is_looked || thinking.is_some() => BUSY,
            _ => WATCHED,
        });
    }
}

fn line_of(picture: &Pixels) -> HostLine {
    HostLine::Picture {
        width: picture.width,
        height: picture.height,
        rgb: STANDARD.encode(picture.rgb.as_flattened()),
    }
}

/// The picture of a line; none if its bytes are not those of its size.
pub(super) fn picture_of(width: u32, height: u32, rgb: &str) -> Option<Pixels> {
    let bytes = STANDARD.decode(rgb).ok()?;
    let (pixels, rest) = bytes.as_chunks::<3>();
    let fits = pixels.len() as u64 == u64::from(width) * u64::from(height) && rest.is_empty();
    fits.then(|| Pixels {
        width,
        height,
        rgb: pixels.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_comes_out_as_it_went_in_and_a_wrong_one_not_at_all() {
        let picture = Pixels {
            width: 2,
            height: 3,
            rgb: (0..6).map(|n| [n, 200, 255 - n]).collect(),
        };
        let HostLine::Picture { width, height, rgb } = line_of(&picture) else {
            panic!("it is a picture")
        };
        assert_eq!(picture_of(width, height, &rgb), Some(picture));
        for (width, height, bytes) in [
            (2, 2, rgb.as_str()),
            (2, 3, "!"),
            (2, 3, ""),
            (u32::MAX, u32::MAX, rgb.as_str()),
        ] {
            assert_eq!(picture_of(width, height, bytes), None);
        }
    }
}
