//! Lava: keeping it where it is, and getting out of it.
//!
//! What flows is stopped with a block, what stands beside a block that is to be broken is shut out
//! first. Invariant: no block that is known to border lava is broken for the rock in it.

use super::super::controls::Controls;
use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::lava::beside;
use super::super::primitives::looking::look_at_block;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::BodyHandle;
use super::End;
use crate::action::ActionFailure;
use crate::space::{Facing, Pos};

/// Lava that cannot be shut out is left this far behind.
const BACK_OFF: f64 = 5.0;

/// Puts blocks where lava stands beside a block; true if none is left that could come through.
pub(crate) async fn shut_out(body: &BodyHandle, at: Pos) -> Result<bool, ActionFailure> {
    let cells: Vec<Pos> = body.with(|s| beside(s, at).collect());
    for cell in cells {
        let Some(filler) = body.with(|s| s.filler()) else {
            break;
        };
        handling::put_at(body, filler, cell).await?;
    }
    // What runs off below the feet harms nobody.
    Ok(body.with(|s| beside(s, at).next().is_none() || s.feet().y > at.y))
}

/// Stops a leak, or gets away from it.
pub(crate) async fn plug(body: &BodyHandle, at: Pos) -> End {
    let Some(filler) = body.with(|s| s.filler()) else {
        return Ok(());
    };
    let is_done = handling::put_at(body, filler, at).await?;
    if !is_done {
        // Nothing to put it against: away from here. If it has not come meanwhile, it stands or runs elsewhere.
        back_off(body, at).await?;
        body.with(|s| s.lava_rests.insert(at));
    }
    Ok(())
}

async fn back_off(body: &BodyHandle, from: Pos) -> End {
    let goal = PathGoal::Away {
        from,
        range: BACK_OFF,
    };
    travel::went(travel::rush(body, &goal, TravelMode::Dig).await).map(|_| ())
}

/// Out of lava or fire: to the nearest known open cell that stands on something.
pub(crate) async fn get_out(body: &BodyHandle) -> End {
    let from = body.with(|s| s.feet());
    let refuge = body.with(|s| {
        let seen = &s.seen;
        let is_safe = |p: &Pos| {
            seen.nature(*p).is_open()
                && seen.nature(p.up()).is_open()
                && seen.nature(p.down()).is_floor()
        };
        let burns = |p: Pos| {
            Facing::FLAT
                .iter()
                .any(|f| seen.nature(p.side(*f)).is_lava())
        };
        let mut cells: Vec<_> = (-4..=4)
            .flat_map(|x| (-1..=3).flat_map(move |y| (-4..=4).map(move |z| from.plus(x, y, z))))
            .filter(is_safe)
            .collect();
        // Lava spreads: beside it is no refuge, unless there is no other.
        cells.sort_by_key(|p| (burns(*p), super::super::seen::square(*p, from), *p));
        cells.first().copied()
    });
    let Some(refuge) = refuge else {
        body.act(Controls {
            jump: true,
            forward: 1,
            ..Controls::default()
        })
        .await;
        return Ok(());
    };
    for _ in 0..20 {
        if body.with(|s| s.feet() == refuge) {
            break;
        }
        let keys = body.with(|s| Controls {
            jump: true,
            forward: 1,
            ..look_at_block(s, refuge)
        });
        body.act(keys).await;
    }
    Ok(())
}
