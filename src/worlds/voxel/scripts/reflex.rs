//! Reflexes: what every script does without being told: breathe, get out of fire, fight or flee, eat.
//!
//! Called between steps; what they do takes ticks, after which plans are stale. Invariant: a
//! reflex never calls another.

use super::super::controls::Controls;
use super::super::path::goal::Goal;
use super::super::senses::{Hands, Living, Senses};
use super::travel::{self, Manner};
use super::{End, attack, simple};
use crate::world::action::ActionFailure;

/// Food at which one eats, if there is peace to do so.
const HUNGRY: f32 = 14.0;
/// Health below which one runs rather than fights.
const WEAK: f32 = 8.0;
/// A hostile nearer than this has to be dealt with.
const NEAR: f64 = 4.0;
/// A hostile nearer than this spoils the meal.
const PEACE: f64 = 12.0;
/// Running this far is enough.
const FLEE: f64 = 14.0;
/// Breath at which one comes up.
const BREATHLESS: i32 = 120;
const UP_TICKS_MAX: u32 = 200;
/// Blows in one fight.
const BLOWS_MAX: u32 = 40;

/// Looks after the body; true if that took time.
pub(crate) async fn watch(hands: &Hands) -> Result<bool, ActionFailure> {
    enum Need {
        Breath,
        Out,
        Fight(Living),
        Flee(Living),
        Food,
        None,
    }
    let need = hands.with(|s| {
        let enemy = s.enemy();
        let near = enemy.filter(|enemy| enemy.at.distance(s.at) < NEAR);
        let peace = enemy.is_none_or(|enemy| enemy.at.distance(s.at) > PEACE);
        match near {
            _ if s.eyes_in_water && s.air < BREATHLESS => Need::Breath,
            _ if s.in_lava || s.burning && !s.in_water => Need::Out,
            Some(enemy) if s.health < WEAK || is_creeper(enemy) => Need::Flee(enemy),
            Some(enemy) => Need::Fight(enemy),
            None if s.hunger <= HUNGRY && peace && simple::best_food(s).is_some() => Need::Food,
            None => Need::None,
        }
    });
    match need {
        Need::None => return Ok(false),
        Need::Breath => come_up(hands).await,
        Need::Out => get_out(hands).await?,
        // Boxed: travelling calls the reflexes, which may travel.
        Need::Flee(enemy) => Box::pin(flee(hands, enemy)).await?,
        Need::Fight(enemy) => fight(hands, enemy).await?,
        Need::Food => match simple::eat(hands).await {
            Ok(()) | Err(ActionFailure::Invalid { .. } | ActionFailure::Stuck { .. }) => {}
            Err(failure) => return Err(failure),
        },
    }
    Ok(true)
}

/// True if a hostile is near enough to matter.
pub(crate) fn is_threatened(s: &Senses) -> bool {
    s.enemy().is_some_and(|enemy| enemy.at.distance(s.at) < NEAR)
}

/// Fighting a creeper at arm's length is what it wants.
fn is_creeper(enemy: Living) -> bool {
    enemy.kind == crate::world::mob::MobKind::Creeper
}

async fn come_up(hands: &Hands) {
    for _ in 0..UP_TICKS_MAX {
        if hands.with(|s| !s.eyes_in_water && s.air >= 200) {
            return;
        }
        hands.act(Controls { jump: true, ..Controls::default() }).await;
    }
}

/// Out of lava or fire: to the nearest known open cell that stands on something.
async fn get_out(hands: &Hands) -> End {
    let from = hands.with(|s| s.feet());
    let refuge = hands.with(|s| {
        let seen = &s.seen;
        let is_safe = |p: &crate::world::space::Pos| {
            seen.nature(*p).is_open() && seen.nature(p.up()).is_open() && seen.nature(p.down()).is_floor()
        };
        let mut cells: Vec<_> = (-3..=3)
            .flat_map(|x| (-1..=2).flat_map(move |y| (-3..=3).map(move |z| from.plus(x, y, z))))
            .filter(is_safe)
            .collect();
        cells.sort_by_key(|p| (super::super::seen::square(*p, from), *p));
        cells.first().copied()
    });
    let Some(refuge) = refuge else {
        hands.act(Controls { jump: true, forward: 1, ..Controls::default() }).await;
        return Ok(());
    };
    for _ in 0..20 {
        if hands.with(|s| s.feet() == refuge) {
            break;
        }
        let keys = hands.with(|s| Controls { jump: true, forward: 1, ..super::super::follow::look(s, refuge) });
        hands.act(keys).await;
    }
    // Burning on dry land ends by itself; waiting it out beside the lava is the danger.
    Ok(())
}

async fn flee(hands: &Hands, enemy: Living) -> End {
    let from = enemy.at.block();
    match travel::rush(hands, &Goal::Away { from, range: FLEE }, Manner::Walk).await {
        Ok(()) => Ok(()),
        // Cornered: fight.
        Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => fight(hands, enemy).await,
        Err(failure) => Err(failure),
    }
}

async fn fight(hands: &Hands, enemy: Living) -> End {
    super::super::hand::close(hands).await?;
    for _ in 0..BLOWS_MAX {
        let Some(now) = hands.with(|s| s.mobs.iter().find(|mob| mob.id == enemy.id).copied()) else { break };
        if hands.with(|s| now.at.distance(s.at) > NEAR + 2.0 || s.health < WEAK / 2.0) {
            break;
        }
        if hands.with(|s| attack::reaches(s, now)) {
            attack::strike(hands, now).await?;
        } else {
            hands.idle().await;
        }
    }
    Ok(())
}
