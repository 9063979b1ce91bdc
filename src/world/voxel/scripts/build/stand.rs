//! Standing: from where a block can be put at a place, on the ground, in a jump, or on a scaffold.

use super::super::super::body::sight::sees_side_past;
use super::super::super::controls::{ControlOutcome, Controls, HandAction};
use super::super::super::primitives::handling;
use super::super::super::primitives::looking::look_at_block;
use super::super::super::seen::Seen;
use super::super::super::senses::{BodyHandle, Senses};
use super::shape::Shape;
use crate::action::ActionFailure;
use crate::item::ItemId;
use crate::space::{Facing, Point, Pos};

/// Height of the eyes above the feet, and how much more a jump gives.
const EYES: f64 = 1.62;
const JUMP: f64 = 1.1;
/// A little less than the arm is long: one does not stand exactly in the middle of a cell.
const REACH: f64 = 4.2;
/// How far off, how much higher and how much lower one may stand.
const FAR: i32 = 4;
const HIGHER: i32 = 3;
const LOWER: i32 = 5;
/// The highest scaffold.
const SCAFFOLD_MAX: i32 = 12;
const JUMP_TICKS: u32 = 16;

/// How a block is put down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Standing,
    Jumping,
    Scaffolded,
}

/// The places for the feet from which a block can be put at `at`; with a scaffold, those at its foot.
pub(super) fn places(
    s: &mut Senses,
    shape: &Shape,
    at: Pos,
    kind: Kind,
    in_vain: &[(Pos, Pos)],
) -> Vec<Pos> {
    let lower = match kind {
        Kind::Standing | Kind::Jumping => LOWER,
        Kind::Scaffolded => SCAFFOLD_MAX + 2,
    };
    let mut places = Vec::new();
    for y in -lower..=HIGHER {
        for z in -FAR..=FAR {
            for x in -FAR..=FAR {
                let feet = at.plus(x, y, z);
                let is_fine = can_stand(&s.seen, shape, feet, at) && !in_vain.contains(&(feet, at));
                let reaches = || match kind {
                    Kind::Standing => sees_a_side(&s.seen, eyes(feet, 0.0), at),
                    Kind::Jumping => reaches_in_a_jump(&s.seen, feet, at),
                    Kind::Scaffolded => height_for(s, shape, feet, at).is_some(),
                };
                if is_fine && reaches() {
                    places.push(feet);
                }
            }
        }
    }
    places
}

fn eyes(feet: Pos, more: f64) -> Point {
    feet.floor().plus(0.0, EYES + more, 0.0)
}

/// There is a floor and room, and neither feet nor head are where the block belongs.
fn can_stand(seen: &Seen, shape: &Shape, feet: Pos, at: Pos) -> bool {
    let is_open = |cell: Pos| seen.nature(cell).is_open() && !seen.nature(cell).is_water();
    feet != at
        && feet.up() != at
        && is_open(feet)
        && is_open(feet.up())
        && seen.nature(feet.down()).is_floor()
        && shape.may_stand(feet)
}

fn reaches_in_a_jump(seen: &Seen, feet: Pos, at: Pos) -> bool {
    let roof = feet.up().up();
    roof != at && seen.nature(roof).is_open() && sees_a_side(seen, eyes(feet, JUMP), at)
}

/// The lowest scaffold on this place from which the block can be put down.
pub(super) fn height_for(s: &Senses, shape: &Shape, feet: Pos, at: Pos) -> Option<i32> {
    let is_free = |cell: Pos| s.seen.nature(cell).is_open() && cell != at && !shape.is_solid(cell);
    for height in 1..=SCAFFOLD_MAX {
        let top = feet.plus(0, height, 0);
        // Room to jump from the level below.
        if !is_free(top) || !is_free(top.up()) {
            return None;
        }
        let reaches = sees_a_side(&s.seen, eyes(top, 0.0), at)
            || is_free(top.up().up()) && reaches_in_a_jump(&s.seen, top, at);
        if reaches {
            return Some(height);
        }
    }
    None
}

/// Some side of a solid neighbour, the one turned to the place, is in sight and reach.
fn sees_a_side(seen: &Seen, eyes: Point, at: Pos) -> bool {
    sides(seen, at).any(|(against, side)| is_in_reach(seen, eyes, against, side))
}

fn sides(seen: &Seen, at: Pos) -> impl Iterator<Item = (Pos, Facing)> {
    let side = move |side: Facing| {
        let [x, y, z] = side.step();
        let against = at.plus(-x, -y, -z);
        seen.nature(against).is_solid().then_some((against, side))
    };
    Facing::ALL.into_iter().filter_map(side)
}

fn is_in_reach(seen: &Seen, eyes: Point, against: Pos, side: Facing) -> bool {
    sees_side_past(eyes, against, side, REACH, |cell| {
        let nature = seen.nature(cell);
        !nature.is_air() && !nature.is_water()
    })
}

/// Puts a block down at the height of a jump; false if no side came into sight.
pub(super) async fn put_in_a_jump(
    body: &BodyHandle,
    item: ItemId,
    at: Pos,
) -> Result<bool, ActionFailure> {
    let has_room = |s: &mut Senses| {
        let roof = s.feet().up().up();
        s.seen.nature(roof).is_open() && reaches_in_a_jump(&s.seen, s.feet(), at)
    };
    if !body.with(has_room) {
        return Ok(false);
    }
    handling::hold(body, item).await?;
    for _ in 0..JUMP_TICKS {
        let keys = body.with(|s| {
            let mut seen = sides(&s.seen, at);
            let side = seen.find(|(against, side)| is_in_reach(&s.seen, s.eyes, *against, *side));
            Controls {
                jump: true,
                action: side.map(|(against, side)| HandAction::Place { against, side }),
                ..look_at_block(s, at)
            }
        });
        let tries = keys.action.is_some();
        if body.act(keys).await == ControlOutcome::Done && tries {
            settle(body).await;
            return Ok(true);
        }
    }
    settle(body).await;
    Ok(false)
}

/// Waits until the feet are on the ground again.
async fn settle(body: &BodyHandle) {
    for _ in 0..JUMP_TICKS {
        if body.with(|s| s.on_ground || s.in_water) {
            return;
        }
        body.idle().await;
    }
}
