//! Hunting: after one mob until it is dead or lost.

use super::super::controls::{AimTarget, ControlOutcome, Controls};
use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Living, Senses};
use super::combat::{best_weapon, chase, reaches};
use super::fight;
use super::pick_up::pick_up;
use crate::action::ActionFailure;

/// Ticks of one hunt.
const HUNT_TICKS_MAX: u64 = 2_400;
/// From here on a hostile is fought, not hunted.
const DUEL: f64 = 5.0;
/// Out of sight for so long, it is lost.
const LOST_TICKS: u64 = 60;
/// What it drops lies within this.
pub(super) const SPILL: f64 = 8.0;
/// Blows in a row that did not land before one goes nearer, and how often one does.
const MISSES_MAX: u32 = 4;
const APPROACHES_MAX: u32 = 2;

/// How a hunt ended.
pub(super) enum Hunt {
    Killed,
    Lost,
    /// Near enough, and something is between.
    Sheltered,
}

/// Kills this one and takes what it leaves; false if it got away.
pub(super) async fn slay(body: &BodyHandle, prey: Living) -> Result<bool, ActionFailure> {
    match hunt(body, prey).await? {
        Hunt::Killed => pick_up(body, SPILL, &|_| true).await.map(|()| true),
        Hunt::Lost | Hunt::Sheltered => Ok(false),
    }
}

pub(super) async fn hunt(body: &BodyHandle, prey: Living) -> Result<Hunt, ActionFailure> {
    handling::close(body).await?;
    let start = body.with(|s| s.tick);
    let (mut seen_at, mut last) = (start, prey);
    let mut struck = false;
    let (mut misses, mut approaches) = (0, 0);
    while body.with(|s| s.tick) < start + HUNT_TICKS_MAX {
        match body.with(|s| s.mobs.iter().find(|mob| mob.id == prey.id).copied()) {
            Some(now) => (last, seen_at) = (now, body.with(|s| s.tick)),
            None if struck && body.with(|s| s.at.distance(last.at)) < 6.0 => {
                return Ok(Hunt::Killed);
            }
            None if body.with(|s| s.tick) > seen_at + LOST_TICKS => return Ok(Hunt::Lost),
            None => {}
        }
        if last.kind.facts().hostile && body.with(|s| s.at.distance(last.at) < DUEL) {
            fight::fight(body).await?;
            struck = true;
            body.idle().await;
        } else if misses < MISSES_MAX && body.with(|s| reaches(s, last)) {
            let has_landed = strike(body, last).await?;
            struck |= has_landed;
            misses = if has_landed { 0 } else { misses + 1 };
        } else {
            let is_screened = std::mem::take(&mut misses) >= MISSES_MAX;
            approaches += u32::from(is_screened);
            if approaches > APPROACHES_MAX {
                return Ok(Hunt::Sheltered);
            }
            let goal = PathGoal::Near {
                at: last.at.block(),
                range: if is_screened { 0.9 } else { 1.8 },
            };
            let came_close = |s: &Senses| {
                let now = s.mobs.iter().find(|mob| mob.id == prey.id);
                let will_do = |now: Living| !is_screened && reaches(s, now);
                now.is_some_and(|now| will_do(*now) || now.at.distance(last.at) > 3.0)
            };
            match travel::travel_until(body, &goal, TravelMode::Dig, &came_close).await {
                Ok(()) => {}
                Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {
                    return Ok(if is_screened {
                        Hunt::Sheltered
                    } else {
                        Hunt::Lost
                    });
                }
                Err(failure) => return Err(failure),
            }
            body.idle().await;
        }
    }
    Ok(Hunt::Lost)
}

/// One full blow, walking after the mob meanwhile; true if it landed.
pub(crate) async fn strike(body: &BodyHandle, mob: Living) -> Result<bool, ActionFailure> {
    if let Some(weapon) = body
        .with(|s| best_weapon(s))
        .filter(|weapon| body.with(|s| s.held) != Some(*weapon))
    {
        handling::hold(body, weapon).await?;
    }
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
        let Some(now) = body.with(|s| s.mobs.iter().find(|m| m.id == mob.id).copied()) else {
            break;
        };
        let keys = body.with(|s| chase(s, now));
        body.act(keys).await;
    }
    Ok(matches!(outcome, ControlOutcome::Struck(_)))
}
