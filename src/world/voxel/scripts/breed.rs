//! Breeding: two grown animals of a kind, food for both, and the wait for the young one.
//!
//! Invariant: ends well only when young of the kind is seen that was not there before.

use super::super::hand;
use super::super::path::goal::Goal;
use super::super::senses::{Hands, Living};
use super::travel::{self, Manner};
use super::{End, explore, reflex, use_on};
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
pub(crate) async fn breed(hands: &Hands, kind: MobKind) -> End {
    hand::close(hands).await?;
    if feed_of(kind).next().is_none() {
        return Err(ActionFailure::Invalid {
            because: format!("a {kind} is not bred with food"),
        });
    }
    let mut fed: Vec<Living> = Vec::new();
    let mut refused: Vec<u64> = Vec::new();
    let known: Vec<u64> = hands.with(|s| s.mobs.iter().map(|mob| mob.id).collect());
    for _ in 0..OFFERS_MAX {
        if fed.len() >= 2 {
            return await_young(hands, &fed, &known).await;
        }
        let food = food(hands, kind, 2 - fed.len() as u32)?;
        let next = hands.with(|s| {
            let fits = |mob: &&Living| {
                let tried = refused.contains(&mob.id) || fed.iter().any(|f| f.id == mob.id);
                mob.kind == kind && !mob.is_baby && !tried
            };
            s.mobs.iter().find(fits).copied()
        });
        let Some(mob) = next else {
            let mut wanted = super::wanted::Wanted::of(&[Target::Mob(kind)]);
            wanted.spent.clone_from(&refused);
            wanted.spent.extend(fed.iter().map(|mob| mob.id));
            explore::search(hands, &wanted, &Target::Mob(kind)).await?;
            hands.idle().await;
            continue;
        };
        if use_on::on_mob(hands, mob, Some(food)).await? {
            fed.push(mob);
        } else {
            refused.push(mob.id);
        }
    }
    Err(ActionFailure::NoTarget {
        target: Target::Mob(kind),
        y: hands.with(|s| s.feet().y),
    })
}

/// Food for as many as are still to be fed.
fn food(hands: &Hands, kind: MobKind, mouths: u32) -> Result<ItemId, ActionFailure> {
    let best = hands.with(|s| feed_of(kind).max_by_key(|food| s.slots.count(*food)));
    let Some(food) = best else {
        return Err(ActionFailure::Invalid {
            because: format!("a {kind} is not bred with food"),
        });
    };
    let have = hands.with(|s| feed_of(kind).map(|food| s.slots.count(food)).sum::<u32>());
    if have < mouths {
        let first = feed_of(kind).next().unwrap_or(food);
        return Err(ActionFailure::NotHeld { item: first.into() });
    }
    Ok(food)
}

async fn await_young(hands: &Hands, fed: &[Living], known: &[u64]) -> End {
    for tick in 0..COURT_TICKS_MAX {
        let born = hands.with(|s| {
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
            reflex::watch(hands).await?;
            stay_near(hands, fed).await?;
        }
        hands.idle().await;
    }
    Err(ActionFailure::NoTarget {
        target: Target::Mob(fed[0].kind),
        y: hands.with(|s| s.feet().y),
    })
}

async fn stay_near(hands: &Hands, fed: &[Living]) -> End {
    let at = hands.with(|s| {
        let one = s.mobs.iter().find(|mob| fed.iter().any(|f| f.id == mob.id));
        one.map_or(fed[0].at, |mob| mob.at).block()
    });
    let goal = Goal::Near { at, range: NEAR };
    match travel::travel(hands, &goal, Manner::Walk).await {
        Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => Ok(()),
        Err(failure) => Err(failure),
    }
}
