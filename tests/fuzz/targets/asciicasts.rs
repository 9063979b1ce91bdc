//! Recordings of console sessions, as `pithead play` reads and plays them.

use super::text;
use pithead_console::recording::{Asciicast, Playback, Told};
use pithead_world::clock::Millis;

/// The emulated terminal is slow on large screens.
const CELLS_MAX: u32 = 20_000;

pub(crate) fn check(data: &[u8]) {
    let Ok(cast) = Asciicast::parse(text(data)) else {
        return;
    };
    assert!(cast.events.is_sorted_by_key(|(at, _)| *at));
    let cells = |(columns, rows): (u16, u16)| u32::from(columns) * u32::from(rows);
    let resized = cast.events.iter().filter_map(|(_, told)| match told {
        Told::Resize(x, y) => Some((*x, *y)),
        _ => None,
    });
    if resized
        .chain([cast.size])
        .any(|size| cells(size) > CELLS_MAX)
    {
        return;
    }
    let length = cast.length();
    let mut playback = Playback::new(cast);
    playback.pass(500);
    replay(&mut playback);
    playback.step();
    playback.seek_mark(true);
    playback.seek(length);
    replay(&mut playback);
    let at_end = playback.screen().contents();
    playback.seek(Millis(0));
    playback.seek_mark(false);
    playback.seek(length);
    replay(&mut playback);
    assert_eq!(playback.screen().contents(), at_end);
}

fn replay(playback: &mut Playback) {
    while playback.is_behind() {
        assert!(playback.replay_slice() > 0, "a slice comes no further");
    }
}
