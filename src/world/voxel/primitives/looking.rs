//! Looking: the keys that turn the view to a block, and a look all around.

use super::super::body::turn;
use super::super::controls::Controls;
use super::super::senses::{BodyHandle, HeadOrder, Senses};
use crate::space::Pos;

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
    body.with(|s| s.head = Some(HeadOrder::LookAround));
    for _ in 0..LOOK_TICKS {
        body.idle().await;
        if body.with(|s| found(s)) {
            body.with(|s| s.head = Some(HeadOrder::Stay));
            return;
        }
    }
}

/// Looks at the ground near the feet, on the side that the body is turned to; sneaking, as at an edge.
pub(crate) async fn look_at_feet(body: &BodyHandle, yaw: f32) {
    look_sneaking(body, yaw, HeadOrder::LookNear).await;
}

/// Looks at the ground near the feet and what lies deep below, sneaking.
pub(crate) async fn look_straight_down(body: &BodyHandle, yaw: f32) {
    look_sneaking(body, yaw, HeadOrder::LookDown).await;
}

async fn look_sneaking(body: &BodyHandle, yaw: f32, order: HeadOrder) {
    body.with(|s| s.head = Some(order));
    body.act(Controls {
        sneak: true,
        yaw,
        ..Controls::default()
    })
    .await;
}
