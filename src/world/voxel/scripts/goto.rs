//! Going: to a place, or to the nearest known target.

use super::wanted::{self, Wanted};
use super::{End, explore, overland};
use crate::action::{ActionFailure, Target};
use crate::space::Pos;
use crate::voxel::path::goal::PathGoal;
use crate::voxel::primitives::travel::{REPLANS_MAX, manner_here, travel};
use crate::voxel::senses::BodyHandle;

/// From this range on, a place is rather a direction.
const ROUGHLY: u32 = 8;
/// A region from this height on is one of the land.
const LAND_Y: i32 = 56;

/// Walks to within `range` blocks of a place.
pub(crate) async fn goto(body: &BodyHandle, at: Pos, range: u32) -> End {
    let goal = if range >= ROUGHLY {
        // What is so far from exact names a region; its height is not known before it is seen.
        let range = f64::from(range) / 2.0;
        PathGoal::Flat {
            x: at.x,
            z: at.z,
            range,
        }
    } else {
        PathGoal::Near {
            at,
            range: f64::from(range).max(0.9),
        }
    };
    let is_on_land = range >= ROUGHLY && at.y >= LAND_Y;
    if is_on_land || body.with(|s| s.sky) {
        overland::walk(body, &goal, &|_| false).await?;
    } else {
        travel(body, &goal, manner_here(body)).await?;
    }
    let within = f64::from(range).max(0.9);
    if range < ROUGHLY || body.with(|s| s.feet().distance(at)) <= within {
        return Ok(());
    }
    // Above or below the place: now its height counts.
    let goal = PathGoal::Near { at, range: within };
    travel(body, &goal, manner_here(body)).await
}

/// Goes to the nearest known target, looking for one when none is known.
pub(crate) async fn approach(body: &BodyHandle, target: &Target, range: u32) -> End {
    let targets = std::slice::from_ref(target);
    let wanted = Wanted::from_targets(targets);
    if body.with(|s| wanted::nearest(s, &wanted)).is_none() {
        explore::explore(body, targets).await?;
    }
    for _ in 0..REPLANS_MAX {
        let Some(at) = body.with(|s| wanted::nearest(s, &wanted)) else {
            break;
        };
        if body.with(|s| s.feet().distance(at) <= f64::from(range) + 0.9) {
            return Ok(());
        }
        let goal = PathGoal::Near {
            at,
            range: f64::from(range).max(1.5),
        };
        travel(body, &goal, manner_here(body)).await?;
    }
    Err(ActionFailure::NoTarget {
        target: target.clone(),
        y: body.with(|s| s.feet().y),
    })
}
