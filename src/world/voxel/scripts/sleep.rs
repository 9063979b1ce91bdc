//! Sleeping: to a bed, one's own if need be, and in it until morning.
//!
//! Invariant: a bed that was put down here is taken along again.

use super::super::body::bed::NIGHT;
use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::reflexes;
use super::super::primitives::travel::{self, manner_here};
use super::super::senses::{BodyHandle, Senses};
use super::{End, pick_up};
use crate::action::ActionFailure;
use crate::family::{FamilyId, ItemSpec};
use crate::item::ItemId;
use crate::observation::Pause;
use crate::space::Pos;

/// One's own bed that stands nearer than this is used rather than one that is carried, and any bed by who carries none;
/// so many of the nearest are looked at.
const NEAR: f64 = 48.0;
const BEDS_MAX: usize = 16;
/// Dusk is waited for from here on; earlier in the day it is no time to sleep.
const EVENING: u32 = 11_000;
const DUSK_TICKS_MAX: u32 = 2_000;
const WATCH_EVERY: u32 = 20;
/// Tries to fall asleep: monsters come and go.
const TRIES_MAX: u32 = 40;
const PAUSE_TICKS: u32 = 20;
/// Ticks in bed before one has to be awake again.
const BED_TICKS_MAX: u32 = 140;
const BESIDE: f64 = 2.0;

/// Sleeps in a bed until morning.
pub(crate) async fn sleep(body: &BodyHandle) -> End {
    handling::close(body).await?;
    if body.with(|s| s.time) < EVENING {
        return Err(ActionFailure::Invalid {
            because: "the body can sleep only at night".to_owned(),
        });
    }
    let (at, is_own) = reach_bed(body).await?;
    for tick in 0..DUSK_TICKS_MAX {
        if body.with(|s| NIGHT.contains(&s.time)) {
            break;
        }
        if tick % WATCH_EVERY == 0 {
            reflexes::watch(body).await?;
        }
        body.pause(Pause::Night).await;
    }
    let end = lie(body, at).await;
    if is_own {
        take_along(body, at).await?;
    }
    end
}

/// Sleeps, if it is night and a bed is carried; who cannot continues with what there is to do.
pub(crate) async fn through_the_night(body: &BodyHandle) -> End {
    let tired = body.with(|s| NIGHT.contains(&s.time) && has_bed(s));
    if !tired {
        return Ok(());
    }
    match sleep(body).await {
        Err(failure @ (ActionFailure::Died { .. } | ActionFailure::Cancelled)) => Err(failure),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A bed is carried.
pub(super) fn has_bed(s: &Senses) -> bool {
    let mut carried = s.slots.stacks.iter().flatten();
    carried.any(|stack| is_bed(stack.item))
}

fn is_bed(item: ItemId) -> bool {
    item.name().ends_with("_bed")
}

/// Gets beside a bed; where it is, and whether it was put down just now.
async fn reach_bed(body: &BodyHandle) -> Result<(Pos, bool), ActionFailure> {
    let known = body.with(|s| {
        let beds = s.seen.nearest(s.feet(), NEAR, BEDS_MAX, |block| {
            block.name().ends_with("_bed")
        });
        let mut beds = beds.into_iter().map(|(at, _)| at);
        // Who carries one leaves those of others to them.
        let is_carried = has_bed(s);
        beds.find(|at| !is_carried || s.own.contains(at))
    });
    if let Some(at) = known {
        let goal = PathGoal::Near { at, range: BESIDE };
        if travel::went(travel::travel(body, &goal, manner_here(body)).await)? {
            return Ok((at, body.with(|s| s.own.contains(&at))));
        }
    }
    let beds = FamilyId::named("#beds").map(ItemSpec::Family);
    let Some(beds) = beds else {
        return Err(ActionFailure::Invalid {
            because: "there are no beds".to_owned(),
        });
    };
    let own = body.with(|s| {
        let slot = s.slots.find(beds)?;
        s.slots.stacks[slot].map(|stack| stack.item)
    });
    let Some(own) = own else {
        return Err(ActionFailure::NotHeld { item: beds });
    };
    let at = handling::put_down(body, own).await?;
    body.with(|s| s.own.push(at));
    Ok((at, true))
}

/// Lies down until the morning has come.
async fn lie(body: &BodyHandle, at: Pos) -> End {
    for _ in 0..TRIES_MAX {
        if handling::click(body, at).await {
            for _ in 0..BED_TICKS_MAX {
                if !body.with(|s| s.asleep) {
                    break;
                }
                body.idle().await;
            }
            if !body.with(|s| NIGHT.contains(&s.time)) {
                return Ok(());
            }
        }
        reflexes::watch(body).await?;
        for _ in 0..PAUSE_TICKS {
            body.idle().await;
        }
        let goal = PathGoal::Near { at, range: BESIDE };
        travel::travel(body, &goal, manner_here(body)).await?;
    }
    Err(ActionFailure::Danger {
        of: "monsters near the bed".to_owned(),
    })
}

async fn take_along(body: &BodyHandle, at: Pos) -> End {
    let Some(item) = body.with(|s| s.seen.block(at)).and_then(|bed| bed.item()) else {
        return Ok(());
    };
    handling::dig(body, at).await?;
    body.with(|s| s.own.retain(|own| *own != at));
    pick_up::pick_up(body, 6.0, &move |loose| loose == item).await
}
