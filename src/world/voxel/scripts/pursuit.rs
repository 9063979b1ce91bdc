//! Pursuit: the way to where a living thing is now.
//!
//! It does not wait for it and does nothing to it. Invariant: one way, which ends as the thing is near enough or has
//! strayed from where the way leads.

use super::super::path::goal::PathGoal;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Living, Senses};
use super::combat::touches;
use crate::action::ActionFailure;

/// How near a way leads, how near if that was not enough, because something stands in between, and how far it may get
/// from there before that is no use, in blocks.
const BESIDE: f64 = 1.8;
const CLOSE: f64 = 1.0;
const STRAYED: f64 = 3.0;

/// Goes to where it was last seen, until the hand comes to it; false if there is no way.
pub(super) async fn come_near(
    body: &BodyHandle,
    mob: Living,
    manner: TravelMode,
) -> Result<bool, ActionFailure> {
    let at = mob.at.block();
    let range = match body.with(|s| s.feet()).distance(at) <= BESIDE {
        true => CLOSE,
        false => BESIDE,
    };
    let goal = PathGoal::Near { at, range };
    let enough = |s: &Senses| {
        let now = s.mob(mob.id);
        now.is_some_and(|now| touches(s, now) || now.at.distance(mob.at) > STRAYED)
    };
    let is_there = travel::went(travel::travel_until(body, &goal, manner, &enough).await)?;
    if is_there {
        body.idle().await;
    }
    Ok(is_there)
}
