//! Lava: keeping it where it is, and getting out of it.
//!
//! What flows is stopped with a block, what stands beside a block that is to be broken is shut out
//! first. Invariant: no block that is known to border lava is broken for the rock in it.

use super::super::controls::Controls;
use super::super::hand;
use super::super::path::goal::Goal;
use super::super::senses::{Hands, Senses};
use super::End;
use super::travel::{self, Manner};
use crate::action::ActionFailure;
use crate::block as blocks;
use crate::space::{Facing, Pos};

/// Lava that cannot be shut out is left this far behind.
const BACK_OFF: f64 = 5.0;
/// Rock this near to lava is left alone while there is other.
const SHY: f64 = 3.0;

/// The known lava that would come through if the block were broken.
pub(crate) fn beside(s: &Senses, at: Pos) -> impl Iterator<Item = Pos> {
    let sides = Facing::FLAT.into_iter().chain([Facing::Up]);
    sides
        .map(move |facing| at.side(facing))
        .filter(|p| s.seen.nature(*p).is_lava())
}

/// True if breaking the block lets lava in, or opens a way into it.
pub(crate) fn touches(s: &Senses, at: Pos) -> bool {
    beside(s, at).next().is_some() || s.seen.nature(at.down()).is_lava()
}

/// True if lava is known close to a place.
pub(crate) fn is_near(s: &Senses, at: Pos) -> bool {
    let lava = s.seen.nearest(at, SHY, 1, |b| b == blocks::LAVA);
    !lava.is_empty()
}

/// Puts blocks where lava stands beside a block; true if none is left that could come through.
pub(crate) async fn shut_out(hands: &Hands, at: Pos) -> Result<bool, ActionFailure> {
    let cells: Vec<Pos> = hands.with(|s| beside(s, at).collect());
    for cell in cells {
        let Some(filler) = hands.with(|s| s.filler()) else {
            break;
        };
        hand::put_at(hands, filler, cell).await?;
    }
    // What runs off below the feet harms nobody.
    Ok(hands.with(|s| beside(s, at).next().is_none() || s.feet().y > at.y))
}

/// An open cell beside the body through which lava will come, if there is something to fill it.
pub(crate) fn leak(s: &Senses) -> Option<Pos> {
    if !s.on_ground {
        return None;
    }
    s.filler()?;
    let feet = s.feet();
    let around = Facing::FLAT
        .into_iter()
        .flat_map(|f| [feet.side(f), feet.up().side(f)]);
    let comes = |at: Pos| {
        let from = Facing::FLAT.into_iter().chain([Facing::Up]);
        from.map(|f| at.side(f)).any(|p| s.seen.nature(p).is_lava())
    };
    let is_leak = |at: &Pos| {
        let nature = s.seen.nature(*at);
        nature.is_lava() || (nature.is_open() && comes(*at))
    };
    around.chain([feet.up().up()]).find(is_leak)
}

/// Stops a leak, or gets away from it.
pub(crate) async fn plug(hands: &Hands, at: Pos) -> End {
    let Some(filler) = hands.with(|s| s.filler()) else {
        return Ok(());
    };
    let is_done = hand::put_at(hands, filler, at).await?;
    if !is_done {
        // Nothing to put it against: away from here.
        Box::pin(back_off(hands, at)).await?;
    }
    Ok(())
}

async fn back_off(hands: &Hands, from: Pos) -> End {
    let goal = Goal::Away {
        from,
        range: BACK_OFF,
    };
    match travel::rush(hands, &goal, Manner::Dig).await {
        Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => Ok(()),
        Err(failure) => Err(failure),
    }
}

/// Out of lava or fire: to the nearest known open cell that stands on something.
pub(crate) async fn get_out(hands: &Hands) -> End {
    let from = hands.with(|s| s.feet());
    let refuge = hands.with(|s| {
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
        hands
            .act(Controls {
                jump: true,
                forward: 1,
                ..Controls::default()
            })
            .await;
        return Ok(());
    };
    for _ in 0..20 {
        if hands.with(|s| s.feet() == refuge) {
            break;
        }
        let keys = hands.with(|s| Controls {
            jump: true,
            forward: 1,
            ..super::super::follow::look(s, refuge)
        });
        hands.act(keys).await;
    }
    Ok(())
}
