//! Looking: the keys that turn the view to a block, and a look all around.

use super::super::body::turn;
use super::super::controls::Controls;
use super::super::senses::{BodyHandle, Senses};
use crate::space::Pos;

/// Rays of a look all around: about one for each block of a sphere nine blocks off.
const RAYS: u32 = 1_000;
/// Ticks that a look takes, as long as a head takes to turn round.
const LOOK_TICKS: u32 = 10;

/// Looks at a block, for keys that work on it.
pub(crate) fn look_at_block(s: &Senses, at: Pos) -> Controls {
    let (yaw, pitch) = turn::look_at(s.eyes, at.centre());
    Controls {
        yaw,
        pitch,
        ..Controls::default()
    }
}

/// One look all around, and the ticks it takes.
pub(crate) async fn look_around(body: &BodyHandle) {
    look_for(body, &|_| false).await;
}

/// Looks around until something is in sight: who goes on turning loses it again.
pub(crate) async fn look_for(body: &BodyHandle, found: &(dyn Fn(&Senses) -> bool + Send + Sync)) {
    if body.with(|s| found(s)) {
        return;
    }
    body.with(|s| s.look_around = RAYS);
    for _ in 0..LOOK_TICKS {
        body.idle().await;
        if body.with(|s| found(s)) {
            body.with(|s| s.has_found = true);
            return;
        }
    }
}
