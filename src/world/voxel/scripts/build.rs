//! Building: blocks in their order, at offsets from a free spot near by.
//!
//! Invariant: nothing is put down before all of it is carried and a spot is found.

use super::super::controls::{ControlOutcome, Controls, HandAction};
use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::looking::look_at_block;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Senses};
use super::End;
use crate::action::ActionFailure;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::space::{Facing, Pos};

/// Blocks of one building, and how far it may reach.
const BLOCKS_MAX: usize = 512;
const EXTENT_MAX: i32 = 32;
/// A spot is looked for within this distance.
const AROUND: i32 = 8;
/// Steps aside when one stands in the way of a block.
const ASIDE: f64 = 2.5;
/// From so near one reaches what one has climbed for.
const CLIMBED: f64 = 2.5;
const JUMP_TICKS: u32 = 16;

/// Puts all blocks down, in order.
pub(crate) async fn build(body: &BodyHandle, blocks: &[(ItemSpec, [i32; 3])]) -> End {
    handling::close(body).await?;
    check(body, blocks)?;
    let Some(origin) = body.with(|s| spot(s, blocks)) else {
        return Err(ActionFailure::NoRoom {
            at: body.with(|s| s.feet()),
        });
    };
    for (spec, [x, y, z]) in blocks {
        let at = origin.plus(*x, *y, *z);
        let Some(item) = body.with(|s| carried(s, *spec)) else {
            return Err(ActionFailure::NotHeld { item: *spec });
        };
        put(body, item, at).await?;
    }
    Ok(())
}

fn check(body: &BodyHandle, blocks: &[(ItemSpec, [i32; 3])]) -> End {
    let far = |offset: &[i32; 3]| offset.iter().any(|by| by.abs() > EXTENT_MAX);
    if blocks.len() > BLOCKS_MAX || blocks.iter().any(|(_, offset)| far(offset)) {
        return Err(ActionFailure::Invalid {
            because: format!("at most {BLOCKS_MAX} blocks within {EXTENT_MAX} of each other"),
        });
    }
    for (spec, _) in blocks {
        let need = blocks.iter().filter(|(other, _)| other == spec).count() as u32;
        if body.with(|s| s.count(*spec)) < need {
            return Err(ActionFailure::NotHeld { item: *spec });
        }
        let Some(item) = body.with(|s| carried(s, *spec)) else {
            return Err(ActionFailure::NotHeld { item: *spec });
        };
        if item.facts().places.is_none() {
            return Err(ActionFailure::Invalid {
                because: format!("{item} is not a block"),
            });
        }
    }
    Ok(())
}

fn carried(s: &Senses, spec: ItemSpec) -> Option<ItemId> {
    let slot = s.slots.find(spec)?;
    s.slots.stacks[slot].map(|stack| stack.item)
}

/// The nearest origin at which every cell is free and the lowest ones have a floor.
fn spot(s: &mut Senses, blocks: &[(ItemSpec, [i32; 3])]) -> Option<Pos> {
    let feet = s.feet();
    let lowest = blocks.iter().map(|(_, [_, y, _])| *y).min().unwrap_or(0);
    let fits = |origin: &Pos| {
        blocks.iter().all(|(_, [x, y, z])| {
            let at = origin.plus(*x, *y, *z);
            let nature = s.seen.nature(at);
            let free = nature.is_open() && !nature.is_water() && at != feet && at != feet.up();
            free && (*y > lowest || s.seen.nature(at.down()).is_floor())
        })
    };
    let side = || -AROUND..=AROUND;
    let mut origins: Vec<Pos> = (-2..=2)
        .flat_map(|y| side().flat_map(move |z| side().map(move |x| (x, y, z))))
        .map(|(x, y, z)| feet.plus(x, y - lowest, z))
        .collect();
    origins.sort_by_key(|at| (at.manhattan(feet), *at));
    origins.into_iter().find(fits)
}

async fn put(body: &BodyHandle, item: ItemId, at: Pos) -> End {
    let is_in_way = body.with(|s| s.feet() == at || s.feet().up() == at);
    if is_in_way {
        let goal = PathGoal::Away {
            from: at,
            range: ASIDE,
        };
        travel::travel(body, &goal, TravelMode::Walk).await?;
    }
    travel::travel(body, &PathGoal::Reach { at }, TravelMode::Walk).await?;
    if handling::put_at(body, item, at).await? || put_in_a_jump(body, item, at).await? {
        return Ok(());
    }
    // Up on what stands already.
    let range = CLIMBED;
    travel::travel(body, &PathGoal::Near { at, range }, TravelMode::Walk).await?;
    if handling::put_at(body, item, at).await? || put_in_a_jump(body, item, at).await? {
        return Ok(());
    }
    Err(ActionFailure::NoRoom { at })
}

/// A block one above the eyes goes down at the height of a jump.
async fn put_in_a_jump(body: &BodyHandle, item: ItemId, at: Pos) -> Result<bool, ActionFailure> {
    handling::hold(body, item).await?;
    for _ in 0..JUMP_TICKS {
        let keys = body.with(|s| Controls {
            jump: true,
            action: Some(HandAction::Place {
                against: at.down(),
                side: Facing::Up,
            }),
            ..look_at_block(s, at)
        });
        if body.act(keys).await == ControlOutcome::Done {
            return Ok(true);
        }
    }
    Ok(false)
}
