//! Picking up: walking over loose items that lie in sight.

use super::super::body::turn;
use super::super::controls::Controls;
use super::super::path::goal::PathGoal;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Loose};
use super::End;
use crate::item::ItemId;
use crate::space::Pos;

/// Around the place where something fell.
const NEAR: f64 = 6.0;
/// Items picked up in one go.
const ITEMS_MAX: usize = 24;
/// What was just dropped cannot be picked up at once.
const WAIT_TICKS: u32 = 16;
/// So far ahead one looks where one treads.
const STEP: f64 = 0.7;
/// Ticks for what falls to come to rest.
const REST_TICKS: u32 = 4;

/// Collects what `wanted` accepts within `radius` blocks.
pub(crate) async fn pick_up(
    body: &BodyHandle,
    radius: f64,
    wanted: &(dyn Fn(ItemId) -> bool + Send + Sync),
) -> End {
    let mut skip: Vec<Pos> = Vec::new();
    for _ in 0..REST_TICKS {
        body.idle().await;
    }
    for _ in 0..ITEMS_MAX {
        let next = body.with(|s| {
            let near = |loose: &&Loose| {
                let at = loose.at.block();
                loose.at.distance(s.at) <= radius && wanted(loose.item) && !skip.contains(&at)
            };
            s.loose.iter().find(near).copied()
        });
        let Some(loose) = next else { return Ok(()) };
        skip.push(loose.at.block());
        collect(body, loose).await?;
    }
    Ok(())
}

/// What fell out of sight lies about where the block was: go there and look again.
pub(crate) async fn go_after(body: &BodyHandle, at: Pos, item: ItemId) -> End {
    let before = body.with(|s| s.slots.count(item));
    // To the very place, or where a fall from there ends.
    for goal in [
        PathGoal::Near { at, range: 0.9 },
        PathGoal::Flat {
            x: at.x,
            z: at.z,
            range: 0.9,
        },
    ] {
        travel::went(travel::travel(body, &goal, TravelMode::Dig).await)?;
        pick_up(body, NEAR, &move |loose| loose == item).await?;
        if body.with(|s| s.slots.count(item)) > before {
            break;
        }
    }
    Ok(())
}

async fn collect(body: &BodyHandle, loose: Loose) -> End {
    let at = loose.at.plus(0.0, 0.2, 0.0).block();
    let goal = PathGoal::Near { at, range: 1.0 };
    if !travel::went(travel::travel(body, &goal, TravelMode::Dig).await)? {
        return Ok(());
    }
    for _ in 0..WAIT_TICKS {
        let keys = body.with(|s| {
            let still = s
                .loose
                .iter()
                .find(|l| l.item == loose.item && l.at.distance(loose.at) < 1.5)?;
            let (dx, dz) = (still.at.x - s.at.x, still.at.z - s.at.z);
            let gap = (dx * dx + dz * dz).sqrt();
            // No step over an edge for an item, nor over what lies between.
            let floor = s.feet().y - 1;
            let is_safe = [STEP.min(gap) / gap.max(0.1), 1.0]
                .into_iter()
                .all(|share| {
                    let at = s.at.plus(dx * share, 0.1, dz * share).block();
                    s.seen.nature(Pos::new(at.x, floor, at.z)).is_floor()
                });
            Some(Controls {
                forward: i8::from(gap > 0.3 && is_safe),
                yaw: turn::yaw_along(dx, dz),
                ..Controls::default()
            })
        });
        let Some(keys) = keys else { return Ok(()) };
        body.act(keys).await;
    }
    Ok(())
}
