//! Tunnelling: the search below ground, straight on at one level, turning where it cannot go on.
//!
//! Caves that open on the way are looked into by sight alone. It does not know where ores lie;
//! the level is the caller's choice. Invariant: bounded legs; lava is never dug at.

use super::super::path::goal::Goal;
use super::super::seen::square;
use super::super::senses::{Hands, Senses};
use super::travel::{self, Manner};
use super::wanted::{self, Wanted};
use super::depth;
use crate::world::action::ActionFailure;
use crate::world::block::can_harvest;
use crate::world::space::{Facing, Pos};
use std::collections::BTreeSet;

/// Blocks of one leg.
const LEG: i32 = 12;
/// Legs before the search is given up.
const LEGS_MAX: u32 = 90;
/// By hand a leg takes three minutes.
const LEGS_BY_HAND: u32 = 2;
/// Legs in a row that failed.
const FAILED_MAX: u32 = 8;
/// Caves are looked into when they open this near to the level of the tunnel.
const CAVE_RANGE: i32 = 20;
const CAVE_BELOW: i32 = 5;
const CAVE_ABOVE: i32 = 4;
/// Rays and ticks of a look into a cave.
const LOOK: u32 = 150;
const LOOK_TICKS: u32 = 6;
/// So many blocks of rock known so near make a place in the rock.
const ROCK_NEAR: f64 = 4.0;
const ROCK_COUNT: usize = 10;
/// From the surface: this deep below it, rock is around on all sides.
const ROCK_DEPTH: i32 = 8;

/// Digs on until something wanted is known.
pub(crate) async fn search(hands: &Hands, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let found = |s: &Senses| wanted::nearest(s, wanted).is_some();
    if hands.with(|s| s.sky || !is_in_rock(s)) {
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
    let mut caves = Caves::default();
    let level = hands.with(|s| s.feet().y);
    let mut side = hands.with(|s| s.chance.below(4)) as usize;
    let mut failed = 0;
    let legs = if hands.with(|s| depth::has_pickaxe(s)) { LEGS_MAX } else { LEGS_BY_HAND };
    for _ in 0..legs {
        if hands.with(|s| found(s)) {
            return Ok(true);
        }
        if could && hands.with(|s| !can(s)) {
            return Err(depth::worn_out(hands));
        }
        if failed >= FAILED_MAX {
            break;
        }
        if let Some(at) = hands.with(|s| caves.next(s, level)) {
            let goal = Goal::Near { at, range: 2.0 };
            match travel::travel_until(hands, &goal, Manner::Burrow, &stop).await {
                Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {}
                Err(failure) => return Err(failure),
            }
            look_in(hands).await;
            continue;
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

/// A moment to look into what opened.
async fn look_in(hands: &Hands) {
    hands.with(|s| s.look_around = LOOK);
    for _ in 0..LOOK_TICKS {
        hands.idle().await;
    }
}

/// Where in the caves along the way the body has been.
#[derive(Debug, Default)]
struct Caves {
    visited: BTreeSet<Pos>,
}

impl Caves {
    /// The nearest known place of a cave beyond which nothing is known yet; each once.
    fn next(&mut self, s: &Senses, level: i32) -> Option<Pos> {
        let feet = s.feet();
        self.visited.insert(patch(feet));
        let mut best: Option<(i64, Pos)> = None;
        for y in level - CAVE_BELOW..=level + CAVE_ABOVE {
            for x in feet.x - CAVE_RANGE..=feet.x + CAVE_RANGE {
                for z in feet.z - CAVE_RANGE..=feet.z + CAVE_RANGE {
                    let at = Pos::new(x, y, z);
                    let gap = square(at, feet);
                    let is_nearer = best.is_none_or(|(known, _)| gap < known);
                    if is_nearer && is_frontier(s, at) && !self.visited.contains(&patch(at)) {
                        best = Some((gap, at));
                    }
                }
            }
        }
        let (_, at) = best?;
        self.visited.insert(patch(at));
        Some(at)
    }
}

fn patch(at: Pos) -> Pos {
    Pos::new(at.x.div_euclid(6), at.y.div_euclid(4), at.z.div_euclid(6))
}

/// Room to stand, in the open, with something unknown beside it.
fn is_frontier(s: &Senses, at: Pos) -> bool {
    let nature = |p: Pos| s.seen.nature(p);
    let is_room = nature(at).is_air() && nature(at.up()).is_air() && nature(at.down()).is_floor();
    is_room && Facing::FLAT.iter().any(|f| nature(at.side(*f)).is_unknown() || nature(at.up().side(*f)).is_unknown())
}

/// True if rock is all around: a cave mouth or an overhang is not below ground yet.
fn is_in_rock(s: &Senses) -> bool {
    let near = s.seen.nearest(s.feet(), ROCK_NEAR, ROCK_COUNT, wanted::is_rock);
    near.len() >= ROCK_COUNT
}
