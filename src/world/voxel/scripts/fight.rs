//! Fighting: blow by blow against what comes near, at the length of the arm.
//!
//! One strikes where the own arm reaches and theirs does not, gives way while the arm comes back,
//! and runs from a creeper that hisses. Invariant: bounded blows and ticks; never backwards over an
//! edge.

use super::super::body::turn;
use super::super::controls::{AimTarget, ControlOutcome, Controls};
use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::straight;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Living, Senses};
use super::End;
use super::combat;
use super::creeper::{self, OUT_OF_BLAST};
use super::screen;
use crate::action::ActionFailure;
use crate::mob::MobKind;

/// Ticks of one fight, and of waiting for a hostile that does not come.
const FIGHT_TICKS_MAX: u32 = 600;
const WAIT_TICKS_MAX: u32 = 30;
/// One faces a creeper that stands still no longer than this.
const FACED_TICKS_MAX: u32 = 100;
/// Nearer than this one gives way, from creepers sooner: within three blocks they hiss.
const ELBOW: f64 = 2.4;
const ELBOW_CREEPER: f64 = 3.5;
const FUSE_RANGE: f64 = 3.05;
/// From here on one lets a creeper come: two who walk towards each other meet too close.
const WAITS: f64 = 4.5;
/// One who shoots and is not reached by walking straight is run at after so many ticks, until that
/// has cost so much health.
const CHARGE_AFTER: u32 = 8;
const CHARGE_LOSS: f32 = 4.5;
/// Who shoots from so near is fought on, whatever it costs: it would shoot at one who turns away.
const AT_HAND: f64 = 6.0;
/// From so near one strikes; a creeper that is farther off than `ELBOW_CREEPER` waits.
const STRIKES: f64 = 2.0;
/// An arrow that is loosed from farther off misses who runs askew, by so many degrees; the side changes this often.
const DODGE_FROM: f64 = 7.0;
/// A bow that has been drawn for so long is loosed soon; a shield is up in five ticks.
const AIMED: u8 = 8;
const ASKEW: f32 = 50.0;
const SIDE_TICKS: u64 = 30;
/// Farther off one runs at it.
const RUN_FROM: f64 = 4.0;
/// Those so near are met with the shield up until the arm is back.
const SHIELD_RANGE: f64 = 3.5;
/// A hostile that cannot be hit though it hits is left this far behind.
const APART: f64 = 6.0;
const TRUCE_TICKS: u64 = 50;

/// Fights what is near until nothing near is left, one is too weak, or it does not come.
pub(crate) async fn fight(body: &BodyHandle) -> End {
    handling::close(body).await?;
    let weak = body.with(|s| s.health.min(combat::weak_health(s)));
    let (mut waited, mut faced, mut is_screened) = (0, 0, false);
    for _ in 0..FIGHT_TICKS_MAX {
        let Some(now) = body.with(|s| opponent(s)) else {
            break;
        };
        if body.with(|s| s.health < weak) {
            break;
        }
        // A blast leaves nothing of what is hunted.
        let may_burst = body.with(|s| combat::has_shield(s) && s.monster != Some(now.kind));
        if now.is_lit && !may_burst {
            creeper::run_off(body, now).await;
            body.idle().await;
            continue;
        }
        if waited > CHARGE_AFTER && combat::shoots(now) && !body.with(|s| is_aimed_at(s, now)) {
            if !charge(body, now).await? {
                return screen::screen(body, now).await;
            }
            waited = 0;
        }
        take_weapon(body).await?;
        let keys = body.with(|s| match is_screened {
            true => closer(s, now, stance(s, now)),
            false => stance(s, now),
        });
        let is_blow = keys.attack;
        let is_near_creeper =
            now.kind == MobKind::Creeper && body.with(|s| now.at.distance(s.at) < ELBOW_CREEPER);
        let outcome = body.act(keys).await;
        if is_blow {
            is_screened = !matches!(outcome, ControlOutcome::Struck(_));
        }
        waited = match outcome {
            ControlOutcome::Struck(_) => 0,
            _ if is_blow => waited + 4,
            // Behind the shield, or dodging.
            _ if now.drawn > 0 || body.with(|s| is_aimed_at(s, now)) => waited,
            // From so near it comes by itself, and is nobody to turn one's back to.
            _ if is_near_creeper => {
                faced += 1;
                waited
            }
            _ => waited + 1,
        };
        if waited > WAIT_TICKS_MAX || faced > FACED_TICKS_MAX {
            return leave(body, now).await;
        }
    }
    Ok(())
}

/// The one to deal with: a creeper that is close, unless another one strikes already, else the nearest.
fn opponent(s: &Senses) -> Option<Living> {
    let gap = |mob: &Living| mob.at.distance(s.at);
    let near = || {
        s.enemies()
            .filter(|mob| gap(mob) < combat::alarm(*mob) + 2.0)
    };
    let is_creeper = |mob: &Living| mob.kind == MobKind::Creeper;
    let is_struck = near().any(|mob| !is_creeper(&mob) && gap(&mob) < STRIKES);
    let range = if is_struck {
        ELBOW_CREEPER
    } else {
        OUT_OF_BLAST
    };
    let creeper = near().find(|mob| is_creeper(mob) && (gap(mob) < range || mob.is_lit));
    creeper.or_else(|| near().next())
}

/// Runs at one who shoots, by whatever way there is; false if there is none.
async fn charge(body: &BodyHandle, enemy: Living) -> Result<bool, ActionFailure> {
    let goal = PathGoal::Near {
        at: enemy.at.block(),
        range: 2.0,
    };
    let health = body.with(|s| s.health);
    let enough = |s: &Senses| {
        let now = s.mob(enemy.id);
        let is_hurt = s.health < health - CHARGE_LOSS;
        is_hurt
            || is_beset(s, enemy)
            || now.is_none_or(|now| combat::reaches(s, now) || is_aimed_at(s, now))
    };
    let was_far = !body.with(|s| enough(s));
    match travel::rush_until(body, &goal, TravelMode::Walk, &enough).await {
        Ok(()) => Ok(body.with(|s| {
            let now = s.mob(enemy.id);
            let is_near = now.is_none_or(|now| now.at.distance(s.at) < AT_HAND);
            is_near || is_beset(s, enemy) || (was_far && s.health >= health - CHARGE_LOSS)
        })),
        Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => Ok(false),
        Err(failure) => Err(failure),
    }
}

/// Another one has come near that has to be dealt with first.
fn is_beset(s: &Senses, enemy: Living) -> bool {
    opponent(s).is_some_and(|near| near.id != enemy.id && !combat::shoots(near))
}

/// It is about to shoot, from where that can be answered.
fn is_aimed_at(s: &Senses, mob: Living) -> bool {
    let is_soon = mob.drawn >= AIMED || (s.is_shot_at && combat::shoots(mob));
    is_soon && (combat::has_shield(s) || s.at.distance_flat(mob.at) > DODGE_FROM)
}

/// Keys that bring the body nearer to an archer and out of the line of its arrow.
fn dodge(s: &Senses, mob: Living) -> Option<Controls> {
    let straight = turn::yaw_along(mob.at.x - s.at.x, mob.at.z - s.at.z);
    let side = if (s.tick / SIDE_TICKS).is_multiple_of(2) {
        ASKEW
    } else {
        -ASKEW
    };
    let (x, z) = turn::heading(straight + side);
    let keys = straight::keys_ahead(s, s.at.plus(x * 4.0, 0.0, z * 4.0), 0.0)?;
    Some(Controls {
        sprint: !s.in_water,
        ..keys
    })
}

/// Takes what hits hardest in hand.
pub(super) async fn take_weapon(body: &BodyHandle) -> End {
    let weapon = body.with(|s| combat::best_weapon(s).filter(|weapon| s.held != Some(*weapon)));
    match weapon {
        Some(weapon) => handling::hold(body, weapon).await,
        None => Ok(()),
    }
}

/// Keys for one tick of a fight.
fn stance(s: &Senses, mob: Living) -> Controls {
    let (yaw, pitch) = turn::look_at(s.eyes, mob.at.plus(0.0, mob.height * 0.5, 0.0));
    let gap = s.at.distance_flat(mob.at);
    let is_creeper = mob.kind == MobKind::Creeper;
    let is_ready = s.since_blow >= super::super::body::blow::blow_ticks(s.held);
    let reaches = combat::reaches(s, mob);
    let elbow = if is_creeper { ELBOW_CREEPER } else { ELBOW };
    // Who shoots backs away by itself, and is hit the sooner the closer one stays.
    let is_archer = combat::shoots(mob);
    // With the arm back one stands: who backs away as fast as a creeper comes never strikes it.
    let is_shy = !is_archer && gap < elbow && !is_ready;
    let step = if is_shy || (is_creeper && gap < FUSE_RANGE) {
        -i8::from(combat::has_room_behind(s, mob))
    } else if is_creeper && gap < WAITS {
        0
    } else if (is_ready || is_archer) && !reaches && combat::may_advance(s, mob) {
        1
    } else {
        0
    };
    let is_due = mob.is_lit || !is_ready || (combat::shoots(mob) && !reaches);
    if combat::has_shield(s) && is_due && (gap < SHIELD_RANGE || mob.is_lit || is_aimed_at(s, mob))
    {
        return Controls {
            yaw,
            pitch,
            jump: s.in_water,
            forward: i8::from(is_aimed_at(s, mob) && !reaches && combat::may_advance(s, mob)),
            guard: true,
            ..Controls::default()
        };
    }
    if let Some(keys) = is_aimed_at(s, mob).then(|| dodge(s, mob)).flatten() {
        return keys;
    }
    if is_archer
        && !reaches
        && let Some(keys) = straight::keys_ahead(s, mob.at, 0.0)
    {
        let sprint = !s.in_water;
        return Controls { sprint, ..keys };
    }
    Controls {
        yaw,
        pitch,
        jump: s.in_water,
        forward: step,
        sprint: step > 0 && (is_archer || gap > RUN_FROM),
        attack: is_ready && reaches,
        aim: Some(AimTarget::Mob(mob.id)),
        ..Controls::default()
    }
}

/// An edge kept the last blow off: one steps up to it, not towards a creeper.
fn closer(s: &Senses, mob: Living, keys: Controls) -> Controls {
    let may_step = mob.kind != MobKind::Creeper && combat::may_advance(s, mob);
    let forward = if may_step { 1 } else { keys.forward };
    Controls { forward, ..keys }
}

/// Behind a wall or across a gap: continue with the work, but not beside it.
async fn leave(body: &BodyHandle, enemy: Living) -> End {
    let goal = PathGoal::Away {
        from: enemy.at.block(),
        range: APART,
    };
    travel::went(travel::rush(body, &goal, TravelMode::Dig).await)?;
    body.with(|s| s.truce_until = s.tick + TRUCE_TICKS);
    Ok(())
}
