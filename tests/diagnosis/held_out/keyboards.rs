//! Keyboards of bodies that fail in other ways than those of the corpus.

use pithead_world::keys::KeyPresses;

pub(super) fn backward(_: u32) -> KeyPresses {
    KeyPresses {
        back: true,
        ..KeyPresses::default()
    }
}

/// Sneaking, a body does not fall off an edge.
pub(super) fn sneaking(_: u32) -> KeyPresses {
    KeyPresses {
        forward: true,
        sneak: true,
        ..KeyPresses::default()
    }
}

/// Straight on and back again on the same line, by turning around.
pub(super) fn turning_around(tick: u32) -> KeyPresses {
    let turns = tick > 0 && tick.is_multiple_of(50);
    KeyPresses {
        forward: true,
        camera: [if turns { 180.0 } else { 0.0 }, 0.0],
        ..KeyPresses::default()
    }
}

/// Slantwise there and slantwise back.
pub(super) fn slantwise(tick: u32) -> KeyPresses {
    let back = tick / 35 % 2 == 1;
    KeyPresses {
        forward: !back,
        right: !back,
        back,
        left: back,
        ..KeyPresses::default()
    }
}

/// Rounds to the left, three blocks across.
pub(super) fn small_rounds(_: u32) -> KeyPresses {
    KeyPresses {
        forward: true,
        camera: [-8.0, 0.0],
        ..KeyPresses::default()
    }
}

/// Looking about on the spot.
pub(super) fn looking_about(_: u32) -> KeyPresses {
    KeyPresses {
        camera: [3.0, 0.0],
        ..KeyPresses::default()
    }
}

/// Hits the air in front of it.
pub(super) fn hitting(_: u32) -> KeyPresses {
    KeyPresses {
        attack: true,
        ..KeyPresses::default()
    }
}

/// Swings and strays: forward in long bends that lead on.
pub(super) fn bends(tick: u32) -> KeyPresses {
    let left = tick / 60 % 2 == 1;
    KeyPresses {
        forward: true,
        camera: [if left { -1.0 } else { 1.0 }, 0.0],
        ..KeyPresses::default()
    }
}

/// The inventory opened and closed once a second.
pub(super) fn opening_and_closing(tick: u32) -> KeyPresses {
    KeyPresses {
        inventory: tick % 20 == 7 || tick % 20 == 17,
        ..KeyPresses::default()
    }
}
