//! Reflexes: what every script does without being told: breathe, get out of fire, fight or flee, eat.
//!
//! Called between steps; what they do takes ticks, after which plans are stale. Invariant: a
//! reflex never calls another.

use super::super::controls::Controls;
use super::super::hand;
use super::super::path::goal::Goal;
use super::super::senses::{Hands, Living, Senses};
use super::travel::{self, Manner};
use super::{End, attack, simple};
use crate::world::action::ActionFailure;
use crate::world::space::{Facing, Pos};

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
/// Breath with which one goes down again.
const WELL_BREATHED: i32 = 200;
/// Blocks a shelter in a tunnel may take.
const SHELTER_BLOCKS: u32 = 9;
/// Food from which on wounds heal, health that will do, and the patience for it.
const HEALS: f32 = 18.0;
const RESTED: f32 = 16.0;
const REST_TICKS_MAX: u32 = 800;
/// Lava that cannot be shut out is left this far behind.
const BACK_OFF: f64 = 5.0;
/// Ticks to wait for a hostile to come, and to let it be when it does not.
const WAIT_TICKS_MAX: u32 = 15;
const TRUCE_TICKS: u64 = 100;
/// Blows in one fight.
const BLOWS_MAX: u32 = 40;

/// Looks after the body; true if that took time.
pub(crate) async fn watch(hands: &Hands) -> Result<bool, ActionFailure> {
    enum Need {
        Head(Pos),
        Breath,
        Out,
        Plug(Pos),
        Shelter,
        Fight(Living),
        Flee(Living),
        Food,
        None,
    }
    let need = hands.with(|s| {
        let enemy = s.enemy();
        let near = enemy.filter(|enemy| enemy.at.distance(s.at) < NEAR && s.tick >= s.truce_until);
        let peace = enemy.is_none_or(|enemy| enemy.at.distance(s.at) > PEACE);
        let head = s.eyes.block();
        match near {
            _ if s.seen.nature(head).is_solid() => Need::Head(head),
            _ if s.eyes_in_water && s.air < BREATHLESS => Need::Breath,
            _ if s.in_lava || s.burning && !s.in_water => Need::Out,
            _ if leak(s).is_some() => leak(s).map_or(Need::None, Need::Plug),
            _ if needs_shelter(s) => Need::Shelter,
            Some(enemy) if s.health < WEAK || is_creeper(enemy) => Need::Flee(enemy),
            Some(enemy) => Need::Fight(enemy),
            None if s.hunger <= HUNGRY && peace && simple::best_food(s).is_some() => Need::Food,
            None => Need::None,
        }
    });
    match need {
        Need::None => return Ok(false),
        // Sand came down on the head.
        Need::Head(at) => {
            hand::dig(hands, at).await?;
        }
        Need::Breath => Box::pin(come_up(hands)).await?,
        Need::Out => get_out(hands).await?,
        Need::Shelter => shelter(hands).await?,
        Need::Plug(at) => plug(hands, at).await?,
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
    s.tick >= s.truce_until && s.enemy().is_some_and(|enemy| enemy.at.distance(s.at) < NEAR)
}

/// Fighting a creeper at arm's length is what it wants.
fn is_creeper(enemy: Living) -> bool {
    enemy.kind == crate::world::mob::MobKind::Creeper
}

/// To the nearest air that is known, or straight up through whatever is there.
async fn come_up(hands: &Hands) -> End {
    match travel::rush(hands, &Goal::Air, Manner::Dig).await {
        Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {}
        Err(failure) => return Err(failure),
    }
    for _ in 0..UP_TICKS_MAX {
        let (is_well, lid) = hands.with(|s| {
            let above = s.eyes.block().up();
            let is_lid = s.eyes_in_water && s.seen.nature(above).is_solid();
            (!s.eyes_in_water && s.air >= WELL_BREATHED, is_lid.then_some(above))
        });
        if is_well {
            break;
        }
        match lid {
            Some(lid) => {
                hand::dig(hands, lid).await?;
            }
            None => {
                hands.act(Controls { jump: true, ..Controls::default() }).await;
            }
        }
    }
    Ok(())
}

/// Out of lava or fire: to the nearest known open cell that stands on something.
async fn get_out(hands: &Hands) -> End {
    let from = hands.with(|s| s.feet());
    let refuge = hands.with(|s| {
        let seen = &s.seen;
        let is_safe = |p: &Pos| {
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

/// Weak, below ground, and something hostile in sight: walls are near and blocks at hand.
fn needs_shelter(s: &Senses) -> bool {
    let is_hunted = s.enemy().is_some_and(|enemy| enemy.at.distance(s.at) < PEACE);
    is_hunted && s.health < WEAK && !s.sky && s.on_ground && s.filler_count() >= SHELTER_BLOCKS && s.tick >= s.truce_until
}

/// Walls itself in and rests as long as that heals.
async fn shelter(hands: &Hands) -> End {
    hand::close(hands).await?;
    let feet = hands.with(|s| s.feet());
    for at in Facing::FLAT.into_iter().flat_map(|f| [feet.side(f), feet.up().side(f)]).chain([feet.up().up()]) {
        if hands.with(|s| s.seen.nature(at).is_solid()) {
            continue;
        }
        if let Some(filler) = hands.with(|s| s.filler()) {
            hand::put_at(hands, filler, at).await?;
        }
    }
    for _ in 0..REST_TICKS_MAX {
        if hands.with(|s| s.health >= RESTED || s.hunger < HEALS || s.enemy().is_some_and(|e| e.at.distance(s.at) < NEAR)) {
            break;
        }
        hands.idle().await;
    }
    hands.with(|s| s.truce_until = s.tick + TRUCE_TICKS);
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
    hand::close(hands).await?;
    let mut waited = 0;
    for _ in 0..BLOWS_MAX {
        let Some(now) = hands.with(|s| s.mobs.iter().find(|mob| mob.id == enemy.id).copied()) else { break };
        if hands.with(|s| now.at.distance(s.at) > NEAR + 2.0 || s.health < WEAK / 2.0) {
            break;
        }
        if hands.with(|s| attack::reaches(s, now)) {
            attack::strike(hands, now).await?;
            waited = 0;
        } else {
            hands.idle().await;
            waited += 1;
        }
        if waited > WAIT_TICKS_MAX {
            // Behind a wall or across a gap: go on with the work.
            hands.with(|s| s.truce_until = s.tick + TRUCE_TICKS);
            break;
        }
    }
    Ok(())
}

/// An open cell beside the body through which lava will come, if there is something to fill it.
fn leak(s: &Senses) -> Option<Pos> {
    if s.sky || !s.on_ground {
        return None;
    }
    s.filler()?;
    let feet = s.feet();
    let beside = Facing::FLAT.into_iter().flat_map(|f| [feet.side(f), feet.up().side(f)]);
    let comes = |at: Pos| {
        let from = Facing::FLAT.into_iter().chain([Facing::Up]);
        from.map(|f| at.side(f)).any(|p| s.seen.nature(p).is_lava())
    };
    let is_leak = |at: &Pos| {
        let nature = s.seen.nature(*at);
        nature.is_lava() || (nature.is_open() && comes(*at))
    };
    beside.chain([feet.up().up()]).find(is_leak)
}

async fn plug(hands: &Hands, at: Pos) -> End {
    let Some(filler) = hands.with(|s| s.filler()) else { return Ok(()) };
    let is_done = hand::put_at(hands, filler, at).await?;
    if !is_done {
        // Nothing to put it against: away from here.
        Box::pin(back_off(hands, at)).await?;
    }
    Ok(())
}

async fn back_off(hands: &Hands, from: Pos) -> End {
    match travel::rush(hands, &Goal::Away { from, range: BACK_OFF }, Manner::Dig).await {
        Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => Ok(()),
        Err(failure) => Err(failure),
    }
}
