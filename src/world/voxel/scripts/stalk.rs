//! Stalking: near a mob, without touching it, until it carries something.
//!
//! An enderman takes up what lies at its feet sooner or later. Invariant: bounded in ticks.

use super::super::path::goal::PathGoal;
use super::super::primitives::{reflexes, travel};
use super::super::senses::{BodyHandle, Living, Senses};
use super::End;

/// One minute: by then it has taken something up, or there is nothing around it.
const STALK_TICKS: u64 = 1_200;
/// Farther off it is followed, up to so near, in blocks.
const FAR: f64 = 12.0;
const NEAR: f64 = 7.0;

/// Keeps near until the mob carries something, is out of sight, or the time is over.
pub(super) async fn stalk(body: &BodyHandle, mob: Living) -> End {
    let start = body.with(|s| s.tick);
    let seen = |s: &Senses| s.mob(mob.id);
    while body.with(|s| s.tick) < start + STALK_TICKS {
        let Some(now) = body.with(|s| seen(s)) else {
            return Ok(());
        };
        if now.held.is_some() {
            return Ok(());
        }
        reflexes::watch(body).await?;
        if body.with(|s| s.at.distance(now.at)) > FAR {
            let goal = PathGoal::Near {
                at: now.at.block(),
                range: NEAR,
            };
            let is_over = |s: &Senses| seen(s).is_none_or(|mob| mob.held.is_some());
            travel::went(travel::walk_until(body, &goal, &is_over).await)?;
        }
        body.idle().await;
    }
    Ok(())
}
