//! Breeding: two grown animals of a kind, food for both, and the wait for the young one.
//!
//! Invariant: ends well only when young of the kind is seen that was not there before.

use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::reflexes;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Living};
use super::purpose::Purpose;
use super::wanted::{self, Wanted};
use super::{End, explore, use_on};
use crate::action::{ActionFailure, Target};
use crate::farming::feed_of;
use crate::item::ItemId;
use crate::mob::MobKind;

/// Animals that are offered food before the action gives up.
const OFFERS_MAX: u32 = 24;
/// Ticks in which two that were fed find each other.
const COURT_TICKS_MAX: u32 = 700;
const WATCH_EVERY: u32 = 20;
/// One follows them so near, to see what comes of it.
const NEAR: f64 = 6.0;

/// Feeds two animals of the kind and waits for their young.
pub(crate) async fn breed(body: &BodyHandle, kind: MobKind) -> End {
    handling::close(body).await?;
    if feed_of(kind).next().is_none() {
        return Err(ActionFailure::Invalid {
            because: format!("a {kind} does not breed"),
        });
    }
    let mut fed: Vec<Living> = Vec::new();
    let mut wanted = Wanted {
        purpose: Purpose::Use,
        ..Wanted::from_targets(&[Target::Mob(kind)])
    };
    let known: Vec<u64> = body.with(|s| s.mobs.iter().map(|mob| mob.id).collect());
    for _ in 0..OFFERS_MAX {
        if fed.len() >= 2 {
            return await_young(body, &fed, &known).await;
        }
        let food = food(body, kind, 2 - fed.len() as u32)?;
        let Some(mob) = body.with(|s| wanted::nearest_mob(s, &wanted)) else {
            explore::search(body, &wanted, &Target::Mob(kind)).await?;
            body.idle().await;
            continue;
        };
        wanted.spent.push(mob.id);
        if use_on::on_mob(body, mob, Some(food)).await? {
            fed.push(mob);
        }
    }
    Err(ActionFailure::NoTarget {
        target: Target::Mob(kind),
        y: body.with(|s| s.feet().y),
    })
}

/// Food for as many as are still to be fed.
fn food(body: &BodyHandle, kind: MobKind, mouths: u32) -> Result<ItemId, ActionFailure> {
    let best = body.with(|s| feed_of(kind).max_by_key(|food| s.slots.count(*food)));
    let Some(food) = best else {
        return Err(ActionFailure::Invalid {
            because: format!("a {kind} does not breed"),
        });
    };
    let have = body.with(|s| feed_of(kind).map(|food| s.slots.count(food)).sum::<u32>());
    if have < mouths {
        let first = feed_of(kind).next().unwrap_or(food);
        return Err(ActionFailure::NotHeld { item: first.into() });
    }
    Ok(food)
}

async fn await_young(body: &BodyHandle, fed: &[Living], known: &[u64]) -> End {
    for tick in 0..COURT_TICKS_MAX {
        let born = body.with(|s| {
            let young = |mob: &&Living| mob.kind == fed[0].kind && mob.is_baby;
            s.mobs
                .iter()
                .filter(young)
                .any(|mob| !known.contains(&mob.id))
        });
        if born {
            return Ok(());
        }
        if tick % WATCH_EVERY == 0 {
            reflexes::watch(body).await?;
            stay_near(body, fed).await?;
        }
        body.idle().await;
    }
    Err(ActionFailure::NoTarget {
        target: Target::Mob(fed[0].kind),
        y: body.with(|s| s.feet().y),
    })
}

async fn stay_near(body: &BodyHandle, fed: &[Living]) -> End {
    let at = body.with(|s| {
        let one = s.mobs.iter().find(|mob| fed.iter().any(|f| f.id == mob.id));
        one.map_or(fed[0].at, |mob| mob.at).block()
    });
    let goal = PathGoal::Near { at, range: NEAR };
    travel::went(travel::travel(body, &goal, TravelMode::Walk).await).map(|_| ())
}
