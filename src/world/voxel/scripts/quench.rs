//! Quenching: a burning body runs to water, if any is known near by.
//!
//! Invariant: after a try it waits before the next one; where no path exists the flames burn out.

use super::super::path::goal::PathGoal;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Senses};
use super::End;
use crate::block as blocks;
use crate::space::Pos;

/// Flames last long enough for a run of this many blocks to be worth it.
const NEAR: f64 = 16.0;
const TRY_AGAIN_TICKS: u64 = 100;

/// The water to run to.
pub(crate) fn water(s: &Senses) -> Option<Pos> {
    if !s.burning || s.in_water || s.tick < s.retry_after.quench {
        return None;
    }
    let near = s
        .seen
        .nearest(s.feet(), NEAR, 1, |block| block == blocks::WATER);
    near.first().map(|(at, _)| *at)
}

/// Runs into the water.
pub(crate) async fn quench(body: &BodyHandle, at: Pos) -> End {
    body.with(|s| s.retry_after.quench = s.tick + TRY_AGAIN_TICKS);
    let goal = PathGoal::Near { at, range: 0.9 };
    travel::went(travel::rush_until(body, &goal, TravelMode::Walk, &|s| !s.burning).await)
        .map(|_| ())
}
