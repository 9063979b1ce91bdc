//! Hunting: after one mob until it is dead or lost.

use super::super::controls::{AimTarget, ControlOutcome, Controls};
use super::super::path::goal::{PathGoal, first_in_way};
use super::super::primitives::looking::look_for;
use super::super::primitives::travel;
use super::super::primitives::{handling, reflexes, straight};
use super::super::senses::{BodyHandle, Living, Senses};
use super::combat::{chase, reaches};
use super::pick_up::pick_up;
use super::{fight, pillar};
use crate::action::ActionFailure;

/// Ticks of one hunt.
const HUNT_TICKS_MAX: u64 = 2_400;
/// From here on a hostile is fought, not hunted.
const DUEL: f64 = 5.0;
/// Out of sight for so long, seen from so near where it was last seen, it is lost.
const LOST_TICKS: u64 = 60;
const NEAR: f64 = 6.0;
/// What it drops lies within this.
pub(super) const SPILL: f64 = 8.0;
/// Blows in a row that did not land before one goes nearer, and how often one does.
const MISSES_MAX: u32 = 4;
const APPROACHES_MAX: u32 = 2;
/// Pillars for one hunt.
const CLIMBS_MAX: u32 = 3;

/// From so near one runs straight at it, as long as that brings it nearer, by so much within so many ticks.
const RUN_FROM: f64 = 12.0;
const RUN_GAIN: f64 = 0.5;
const RUN_TICKS: u32 = 20;

/// How a hunt ended.
pub(super) enum Hunt {
    Killed,
    Lost,
    /// In sight, and there is no getting at it: no way there, or something is between.
    OutOfReach(ActionFailure),
}

/// Kills this one and takes what it leaves; false if it got away.
pub(super) async fn slay(body: &BodyHandle, prey: Living) -> Result<bool, ActionFailure> {
    match hunt(body, prey).await? {
        Hunt::Killed => pick_up(body, SPILL, &|_| true).await.map(|()| true),
        Hunt::Lost | Hunt::OutOfReach(_) => Ok(false),
    }
}

pub(super) async fn hunt(body: &BodyHandle, prey: Living) -> Result<Hunt, ActionFailure> {
    handling::close(body).await?;
    if prey.kind.facts().hostile {
        // The arm is slow for a moment after the hand has changed.
        fight::take_weapon(body).await?;
    }
    let start = body.with(|s| s.tick);
    let (mut seen_at, mut last) = (start, prey);
    let mut struck = false;
    let (mut misses, mut approaches, mut climbed) = (0, 0, 0);
    let is_seen = |s: &Senses| s.mob(prey.id).is_some();
    while body.with(|s| s.tick) < start + HUNT_TICKS_MAX {
        match body.with(|s| s.mob(prey.id)) {
            Some(now) => (last, seen_at) = (now, body.with(|s| s.tick)),
            None if body.with(|s| s.at.distance(last.at)) >= NEAR => {}
            None if struck || body.with(|s| has_struck_since(s, seen_at)) => {
                return Ok(Hunt::Killed);
            }
            None if body.with(|s| s.tick) > seen_at + LOST_TICKS => return Ok(Hunt::Lost),
            None => {
                look_for(body, &is_seen).await;
            }
        }
        let may_climb = climbed < CLIMBS_MAX;
        let is_for_pillar = move |s: &Senses| may_climb && is_below(s, prey.id);
        if body.with(|s| is_for_pillar(s)) {
            climbed += 1;
            struck |= pillar::fight(body).await?;
            body.idle().await;
        } else if last.is_enemy() && body.with(|s| s.at.distance(last.at) < DUEL) {
            fight::fight(body).await?;
            struck = true;
            body.idle().await;
        } else if misses < MISSES_MAX && body.with(|s| reaches(s, last)) {
            let has_landed = strike(body, last).await?;
            struck |= has_landed;
            misses = if has_landed { 0 } else { misses + 1 };
        } else if misses < MISSES_MAX && run_at(body, last, &is_for_pillar).await? {
            body.idle().await;
        } else {
            let is_screened = std::mem::take(&mut misses) >= MISSES_MAX;
            approaches += u32::from(is_screened);
            if approaches > APPROACHES_MAX {
                return Ok(Hunt::OutOfReach(body.with(|s| behind(s, last))));
            }
            match walk_near(body, last, is_screened, &is_for_pillar).await {
                Ok(()) => {}
                Err(failure @ (ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. })) => {
                    let screen = is_screened.then(|| body.with(|s| behind(s, last)));
                    return Ok(Hunt::OutOfReach(screen.unwrap_or(failure)));
                }
                Err(failure) => return Err(failure),
            }
            body.idle().await;
        }
    }
    Ok(Hunt::Lost)
}

/// A blow has landed since then, as in a fight that the body got into on the way.
fn has_struck_since(s: &Senses, tick: u64) -> bool {
    u64::from(s.since_blow) < s.tick - tick
}

/// In sight, and a pillar helps against it.
fn is_below(s: &Senses, prey: u64) -> bool {
    s.mob(prey).is_some_and(|now| pillar::is_worth(s, now))
}

/// Walks to where it was last seen, right up to it where something is between, until it will do or has moved away.
async fn walk_near(
    body: &BodyHandle,
    prey: Living,
    is_screened: bool,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> Result<(), ActionFailure> {
    let goal = PathGoal::Near {
        at: prey.at.block(),
        range: if is_screened { 0.9 } else { 1.8 },
    };
    let came_close = |s: &Senses| match s.mob(prey.id) {
        Some(_) if enough(s) => true,
        Some(now) => (!is_screened && reaches(s, now)) || now.at.distance(prey.at) > 3.0,
        None => s.at.distance(prey.at) < NEAR,
    };
    travel::walk_until(body, &goal, &came_close).await
}

/// Runs straight at what is near and in sight; true if that brought it within reach, or to where it is `enough`.
async fn run_at(
    body: &BodyHandle,
    prey: Living,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> Result<bool, ActionFailure> {
    let (mut mark, mut since) = (f64::INFINITY, 0);
    while since < RUN_TICKS {
        if reflexes::watch_amid(body).await? {
            return Ok(false);
        }
        let keys = body.with(|s| {
            let now = s.mob(prey.id)?;
            let gap = s.at.distance(now.at);
            (mark, since) = match gap < mark - RUN_GAIN {
                true => (gap, 0),
                false => (mark, since + 1),
            };
            let may_run = gap < RUN_FROM && !reaches(s, now) && !enough(s);
            let keys = straight::keys_ahead(s, now.at, 0.0).filter(|_| may_run)?;
            let sprint = !s.in_water;
            Some(Controls { sprint, ..keys })
        });
        let Some(keys) = keys else { break };
        body.act(keys).await;
    }
    Ok(body.with(|s| {
        let is_in_reach = s.mob(prey.id).is_some_and(|mob| reaches(s, mob));
        is_in_reach || enough(s)
    }))
}

/// There is no hitting it from here, and what is in between.
fn behind(s: &Senses, prey: Living) -> ActionFailure {
    let to = prey.at.block();
    let between = first_in_way(&s.seen, s.eyes, to);
    ActionFailure::NoPath {
        to,
        blocked_by: between.and_then(|at| s.seen.block(at)),
    }
}

/// One full blow, walking after the mob meanwhile; true if it landed.
pub(crate) async fn strike(body: &BodyHandle, mob: Living) -> Result<bool, ActionFailure> {
    fight::take_weapon(body).await?;
    let rest = body.with(|s| s.held.map_or(4.0, |item| item.facts().attack_rate));
    let keys = body.with(|s| chase(s, mob));
    let outcome = body
        .act(Controls {
            attack: true,
            aim: Some(AimTarget::Mob(mob.id)),
            ..keys
        })
        .await;
    // A blow before the arm is back does little harm.
    for _ in 0..(20.0 / rest).ceil() as u32 {
        let Some(now) = body.with(|s| s.mob(mob.id)) else {
            break;
        };
        let keys = body.with(|s| chase(s, now));
        body.act(keys).await;
    }
    Ok(matches!(outcome, ControlOutcome::Struck(_)))
}
