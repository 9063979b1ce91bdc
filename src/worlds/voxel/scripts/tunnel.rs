//! Tunnelling: the search below ground, straight on at one level, turning where it cannot go on.
//!
//! Caves that open on the way are looked into by sight alone. It does not know where ores lie;
//! the level is the caller's choice. Invariant: bounded legs; lava is never dug at.

use super::super::path::goal::Goal;
use super::super::senses::{Hands, Senses};
use super::travel::{self, Manner};
use super::wanted::{self, Wanted};
use super::depth;
use crate::world::action::ActionFailure;
use crate::world::block::can_harvest;
use crate::world::space::Pos;

/// Blocks of one leg.
const LEG: i32 = 12;
/// Legs before the search is given up.
const LEGS_MAX: u32 = 90;
/// Legs in a row that failed.
const FAILED_MAX: u32 = 8;
/// From the surface: this deep below it, rock is around on all sides.
const ROCK_DEPTH: i32 = 8;

/// Digs on until something wanted is known.
pub(crate) async fn search(hands: &Hands, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let found = |s: &Senses| wanted::nearest(s, wanted).is_some();
    if hands.with(|s| s.sky) {
        super::explore::look_around(hands).await;
        if hands.with(|s| found(s)) {
            return Ok(true);
        }
        let y = hands.with(|s| s.feet().y) - ROCK_DEPTH;
        depth::dig_down_until(hands, y, &found).await?;
    }
    let can = |s: &Senses| wanted.blocks.iter().any(|block| can_harvest(*block, s.tool_for(*block)));
    let could = hands.with(|s| can(s));
    let stop = |s: &Senses| found(s) || (could && !can(s));
    let level = hands.with(|s| s.feet().y);
    let mut side = hands.with(|s| s.chance.below(4)) as usize;
    let mut failed = 0;
    for _ in 0..LEGS_MAX {
        if hands.with(|s| found(s)) {
            return Ok(true);
        }
        if could && hands.with(|s| !can(s)) {
            return Err(depth::worn_out(hands));
        }
        if failed >= FAILED_MAX {
            break;
        }
        let (x, z) = [(1, 0), (0, 1), (-1, 0), (0, -1)][side % 4];
        let feet = hands.with(|s| s.feet());
        let at = Pos::new(feet.x + x * LEG, level, feet.z + z * LEG);
        let goal = Goal::Near { at, range: 1.5 };
        match travel::travel_until(hands, &goal, Manner::Burrow, &stop).await {
            Ok(()) => failed = 0,
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {
                failed += 1;
                // Turn, and not always to the same hand, or four turns lead back.
                side += if hands.with(|s| s.chance.chance(0.5)) { 1 } else { 3 };
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(hands.with(|s| found(s)))
}
