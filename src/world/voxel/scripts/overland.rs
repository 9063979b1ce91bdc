//! Over the land: to a place on it, coming up again where the way leads below for long.
//!
//! Below, the way that is known best leads through rock or back down the shafts that one came from. Invariant: bounded
//! climbs.

use super::super::path::goal::PathGoal;
use super::super::primitives::travel;
use super::super::senses::{BodyHandle, Senses};
use super::{End, depth};

/// So many times one comes up again, on one walk.
const CLIMBS_MAX: u32 = 3;
/// Under an overhang or through a hillock is no longer a way than this, in ticks.
const BELOW_TICKS: u64 = 160;

/// A way over the land has led below it: rock is dug for minutes there, and nothing is seen.
pub(super) fn is_lost_below(s: &Senses) -> bool {
    !s.sky && s.tick > s.under_sky.0 + BELOW_TICKS
}

/// Walks to a goal over the land, from below it as well; ends early, well, once `enough` holds.
pub(super) async fn walk(
    body: &BodyHandle,
    goal: &PathGoal,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    let is_over = |s: &Senses| enough(s) || is_lost_below(s);
    for _ in 0..CLIMBS_MAX {
        if body.with(|s| is_lost_below(s)) {
            depth::surface(body).await?;
        }
        travel::walk_until(body, goal, &is_over).await?;
        if !body.with(|s| is_lost_below(s)) {
            return Ok(());
        }
    }
    depth::surface(body).await?;
    travel::walk_until(body, goal, enough).await
}
