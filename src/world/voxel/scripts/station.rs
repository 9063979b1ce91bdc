//! Stations: getting to a crafting table or furnace, one's own if need be, and leaving it tidy.
//!
//! Invariant: what was put down here is taken along again, when the tools at hand give it back, unless the order says that it stays.

use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::looking;
use super::super::primitives::travel::{self, manner_here};
use super::super::senses::BodyHandle;
use super::End;
use super::pick_up::{go_after, pick_up};
use crate::action::ActionFailure;
use crate::block::{BlockId, can_harvest};
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::space::Pos;

/// A station known nearer than this is used rather than putting one's own down.
/// Walking farther takes longer than putting down one's own.
const NEAR: f64 = 24.0;
/// Around a station taken down, its pieces lie within this.
pub(super) const SPILL: f64 = 6.0;

/// Places tried for putting a station down, each so much farther from the first.
const PLACES: [f64; 4] = [0.0, 5.0, 10.0, 15.0];

/// A station ready for use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PlacedStation {
    pub(crate) at: Pos,
    is_own: bool,
}

/// Gets to a station, within reach of the hand.
pub(crate) async fn reach(
    body: &BodyHandle,
    block: BlockId,
    made: ItemSpec,
) -> Result<PlacedStation, ActionFailure> {
    let item = block
        .item()
        .filter(|item| body.with(|s| s.slots.count(*item) > 0));
    let mut known = nearest(body, block);
    if known.is_none() && item.is_none() {
        // One may stand right here and not have been looked at.
        // Only if nothing is carried: looking costs ticks.
        looking::look_around(body).await;
        known = nearest(body, block);
    }
    if let Some(at) = known {
        match travel::travel(body, &PathGoal::Reach { at }, manner_here(body)).await {
            Ok(()) => return Ok(standing(body, at)),
            // Cannot be reached, but one is carried.
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) if item.is_some() => {}
            Err(failure) => return Err(failure),
        }
    }
    let Some(item) = item else {
        return Err(ActionFailure::NoStation {
            item: made,
            station: block,
        });
    };
    let at = put_down(body, item).await?;
    // Noted at once: a cancelled action must not forget it.
    body.with(|s| s.own.push(at));
    Ok(PlacedStation { at, is_own: true })
}

/// The one that stands there; an own one that was left behind by a cancelled action is taken along now.
pub(crate) fn standing(body: &BodyHandle, at: Pos) -> PlacedStation {
    let is_own = body.with(|s| s.own.contains(&at));
    PlacedStation { at, is_own }
}

/// Own ones beside those that are in use, up to so many in all: what was left standing first, then what is carried.
pub(crate) async fn more(
    body: &BodyHandle,
    block: BlockId,
    used: &[PlacedStation],
    number: usize,
) -> Result<Vec<PlacedStation>, ActionFailure> {
    let is_used = |at: &Pos| used.iter().any(|station| station.at == *at);
    let mut found: Vec<Pos> = body.with(|s| {
        let stands = |at: &&Pos| s.seen.block(**at) == Some(block) && !is_used(at);
        let near = |at: &&Pos| at.distance(s.feet()) < SPILL;
        s.own.iter().filter(stands).filter(near).copied().collect()
    });
    let Some(item) = block.item() else {
        return Ok(Vec::new());
    };
    while used.len() + found.len() < number && body.with(|s| s.slots.count(item) > 0) {
        let stations = used.iter().map(|station| station.at);
        let in_use: Vec<Pos> = stations.chain(found.iter().copied()).collect();
        let Some(at) = handling::put_in_sight(body, item, &in_use).await? else {
            // Those that have room will do.
            break;
        };
        body.with(|s| s.own.push(at));
        found.push(at);
    }
    let own = |at| PlacedStation { at, is_own: true };
    Ok(found.into_iter().map(own).collect())
}

fn nearest(body: &BodyHandle, block: BlockId) -> Option<Pos> {
    body.with(|s| {
        let near = s.seen.nearest(s.feet(), NEAR, 1, |b| b == block);
        near.first().map(|(at, _)| *at)
    })
}

/// Puts it down here or, where there is no room, some steps on, and not back again.
async fn put_down(body: &BodyHandle, item: ItemId) -> Result<Pos, ActionFailure> {
    if body.with(|s| s.in_water) {
        try_going(body, &PathGoal::Ashore).await?;
    }
    let from = body.with(|s| s.feet());
    let mut end = Err(ActionFailure::NoRoom { at: from });
    for range in PLACES {
        if range > 0.0 {
            try_going(body, &PathGoal::Away { from, range }).await?;
        }
        end = handling::put_down(body, item).await;
        if !matches!(end, Err(ActionFailure::NoRoom { .. })) {
            break;
        }
    }
    end
}

/// Goes there if it can; a body that cannot get on makes do with where it is.
async fn try_going(body: &BodyHandle, goal: &PathGoal) -> End {
    travel::went(travel::travel(body, goal, manner_here(body)).await).map(|_| ())
}

/// Closes the window and takes an own station along.
pub(crate) async fn leave(body: &BodyHandle, station: PlacedStation) -> End {
    leave_all(body, &[station]).await
}

/// Closes the window and takes own stations along: all are broken before any is picked up.
pub(crate) async fn leave_all(body: &BodyHandle, stations: &[PlacedStation]) -> End {
    handling::close(body).await?;
    let mut broken: Vec<(Pos, ItemId)> = Vec::new();
    let held = |body: &BodyHandle, item| body.with(|s| s.slots.count(item));
    for station in stations.iter().filter(|station| station.is_own) {
        let Some(block) = body.with(|s| s.seen.block(station.at)) else {
            continue;
        };
        // With the wrong tool it would be destroyed: leave it standing.
        let is_worth = body.with(|s| can_harvest(block, s.tool_for(block)));
        if let Some(item) = block.item().filter(|_| is_worth) {
            let before = held(body, item);
            handling::dig(body, station.at).await?;
            body.with(|s| s.own.retain(|at| *at != station.at));
            // It may fall on the body.
            if held(body, item) == before {
                broken.push((station.at, item));
            }
        }
    }
    for (at, item) in broken {
        let before = held(body, item);
        pick_up(body, SPILL, &move |loose| loose == item).await?;
        // The piece may have rolled away.
        if held(body, item) == before {
            go_after(body, at, item).await?;
        }
    }
    Ok(())
}
