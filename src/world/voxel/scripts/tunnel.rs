//! Tunnelling: the search below ground, straight on at one level, turning where it cannot continue.
//!
//! Caves that open on the way, and those in which lava or water is heard, are looked into. It does not know where ores lie;
//! the level is the caller's choice. Invariant: bounded legs; lava is never dug at.

use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::looking;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Senses};
use super::super::terrain::biome::homes::Biomes;
use super::super::visited::patch_of;
use super::caves::{Caves, SHALLOW};
use super::wanted::{self, Wanted};
use super::{depth, prospect};
use crate::action::ActionFailure;
use crate::block::{self as blocks, BlockId, can_harvest};
use crate::item::ItemId;
use crate::space::Pos;

/// Blocks of one leg.
/// Short legs: after each, the search looks into caves and at its tools.
const LEG: i32 = 12;
/// So long one is on the way to a cave, two thirds of what a leg takes; past lava it can take a leg or three.
const VISIT_TICKS: u64 = 200;
/// Legs before the search is given up.
/// About a thousand blocks of tunnel.
const LEGS_MAX: u32 = 90;
/// From so far away the tunnel turns back to land that bears what is wanted, in legs.
const LEGS_BACK: i32 = 8;
/// By hand a leg takes three minutes.
const LEGS_BY_HAND: u32 = 2;
/// Uses of the last good pickaxe that are kept for what is looked for, and for the way up.
const USES_KEPT: u32 = 90;
/// Legs in a row that failed.
/// Two full turns of directions without a way out.
const FAILED_MAX: u32 = 8;
/// So many blocks of rock known so near make a place in the rock.
const ROCK_NEAR: f64 = 4.0;
const ROCK_COUNT: usize = 10;
/// From the surface: this deep below it, rock is around on all sides.
const ROCK_DEPTH: i32 = 8;
/// Shafts of that depth for rock itself, down to this height.
const SHAFTS_MAX: u32 = 4;
const DEEPEST: i32 = 12;
/// Where water, sand or gravel is known so near to a place so far above the feet, the tunnel goes on so much lower.
const BED_ABOVE: i32 = 3;
const BED_NEAR: f64 = 4.5;
const BED_DEPTH: i32 = 6;

/// Digs on until something wanted is known.
pub(crate) async fn search(body: &BodyHandle, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let found = |s: &Senses| wanted::nearest(s, wanted).is_some();
    if get_into_rock(body, wanted).await? {
        return Ok(true);
    }
    // Asked once: the search ends when a tool that was good enough no longer is.
    let could = body.with(|s| s.can_harvest_any(&wanted.blocks));
    let is_worn =
        |s: &Senses| (could && !s.can_harvest_any(&wanted.blocks)) || is_precious_worn(s, wanted);
    let land = prospect::land(wanted);
    let is_out = |s: &Senses| land.is_some_and(|land| is_elsewhere(s, land));
    let stop = |s: &Senses| found(s) || is_worn(s);
    // The last place of a leg in such land: where the land ends the tunnel goes back there and turns.
    let mut inside = None;
    let mut level = body.with(|s| level_below(s, s.feet().y));
    let mut caves = Caves::around(level, &wanted.blocks);
    // Any direction to begin with; later ones turn.
    let mut side = body.with(|s| freshest(s, &[0, 1, 2, 3]));
    let mut failed = 0;
    let legs = if body.with(|s| depth::has_pickaxe(s)) {
        LEGS_MAX
    } else {
        LEGS_BY_HAND
    };
    for _ in 0..legs {
        if body.with(|s| found(s)) {
            return Ok(true);
        }
        if body.with(|s| is_worn(s)) {
            return Err(depth::worn_out(body, &wanted.blocks));
        }
        if failed >= FAILED_MAX {
            // Checked after the tools, so that the report names the tool and not the rock.
            break;
        }
        handling::make_room(body).await;
        if !body.with(|s| is_out(s)) {
            inside = Some(body.with(|s| s.feet()));
        } else if let Some(at) = inside.take() {
            burrow_to(body, at, 1.0, &stop).await?;
            failed += 1;
            side = body.with(|s| freshest(s, &[(side + 1) % 4, (side + 3) % 4]));
            continue;
        } else {
            side = body.with(|s| land.map_or(side, |land| side_within(s, land, side)));
        }
        let stop = |s: &Senses| stop(s) || (inside.is_some() && is_out(s));
        if let Some((at, range)) = body.with(|s| caves.next(s)) {
            // A cave that cannot be reached, or not soon, is no reason to give up: it is marked as visited.
            let until = body.with(|s| s.tick) + VISIT_TICKS;
            burrow_to(body, at, range, &|s| stop(s) || s.tick > until).await?;
            looking::look_around(body).await;
            continue;
        }
        let at = ahead(body.with(|s| s.feet()), side, 1, level);
        if !burrow_to(body, at, 1.5, &stop).await? {
            failed += 1;
            level = body.with(|s| level_below(s, level));
            // Turn to the hand that promises more; straight on or back is where it came from.
            side = body.with(|s| freshest(s, &[(side + 1) % 4, (side + 3) % 4]));
        } else if !body.with(|s| is_out(s)) {
            failed = 0;
        }
    }
    Ok(body.with(|s| found(s)))
}

/// Digs to a place, or until it is told to stop; false if no way leads there.
async fn burrow_to(
    body: &BodyHandle,
    at: Pos,
    range: f64,
    stop: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> Result<bool, ActionFailure> {
    let goal = PathGoal::Near { at, range };
    travel::went(travel::travel_until(body, &goal, TravelMode::Burrow, stop).await)
}

/// From the surface or the mouth of a cave down into the rock; for rock itself on until there is some, for it lies under
/// all soil. True if something wanted came into sight on the way.
async fn get_into_rock(body: &BodyHandle, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let found = |s: &Senses| wanted::nearest(s, wanted).is_some();
    let is_plenty = wanted.blocks.iter().any(|block| wanted::is_plenty(*block));
    for _ in 0..if is_plenty { SHAFTS_MAX } else { 1 } {
        if body.with(|s| !s.sky && is_in_rock(s) && !(is_plenty && is_shallow(s))) {
            break;
        }
        looking::look_around(body).await;
        if body.with(|s| found(s)) {
            return Ok(true);
        }
        let y = body.with(|s| s.feet().y) - ROCK_DEPTH;
        depth::dig_down_until(body, y.max(DEEPEST), &found).await?;
    }
    if body.with(|s| !s.sky && is_in_rock(s) && !depth::has_pickaxe(s)) {
        // Who has come down so far has had one.
        return Err(depth::worn_out(body, &[blocks::STONE]));
    }
    Ok(false)
}

/// True if only the pickaxe is left that the wanted takes, and little of it: rock alone would
/// use it up.
/// Stone that is in the way wears the pickaxe as much as the ore does.
fn is_precious_worn(s: &Senses, wanted: &Wanted) -> bool {
    let plain = ItemId::named("stone_pickaxe");
    let takes_better = wanted
        .blocks
        .iter()
        .all(|block| !can_harvest(*block, plain));
    takes_better && s.can_harvest_any(&wanted.blocks) && s.uses_left(&[blocks::STONE]) <= USES_KEPT
}

/// East, south, west, north.
const SIDES: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// So many legs ahead on one of the sides, at this level.
fn ahead(feet: Pos, side: usize, legs: i32, y: i32) -> Pos {
    let (x, z) = SIDES[side];
    Pos::new(feet.x + x * LEG * legs, y, feet.z + z * LEG * legs)
}

/// This level, or one farther from the bed of a sea: what is dug there comes down, with the water after it.
fn level_below(s: &Senses, level: i32) -> i32 {
    let is_of_bed = |block: BlockId| block == blocks::WATER || block.falls();
    let bed = s
        .seen
        .nearest(s.feet().plus(0, BED_ABOVE, 0), BED_NEAR, 1, is_of_bed);
    if bed.is_empty() {
        level
    } else {
        (level - BED_DEPTH).max(DEEPEST.min(level))
    }
}

/// The body is under other land.
fn is_elsewhere(s: &Senses, land: Biomes) -> bool {
    s.lands.here().is_some_and(|biome| !land.holds(biome))
}

/// The side by which the tunnel stays in such land, or comes back to it soonest; the given one if nothing speaks against it.
fn side_within(s: &Senses, land: Biomes, side: usize) -> usize {
    let feet = s.feet();
    let there = |side: usize, legs: i32| s.lands.get(patch_of(ahead(feet, side, legs, feet.y)));
    if there(side, 1).is_none_or(|biome| land.holds(biome)) {
        return side;
    }
    let ways = (1..=LEGS_BACK).flat_map(|legs| (0..SIDES.len()).map(move |side| (side, legs)));
    let mut back = ways.filter(|(side, legs)| there(*side, *legs).is_some_and(|b| land.holds(b)));
    back.next().map_or(side, |(side, _)| side)
}

/// Blocks ahead that are asked whether they are known.
const AHEAD: i32 = 32;

/// The side with most unknown rock ahead, so that no tunnel is dug beside another; chance decides
/// between equals.
fn freshest(s: &mut Senses, sides: &[usize]) -> usize {
    let feet = s.feet();
    let mut best = (0, sides[0]);
    for &side in sides {
        let (x, z) = SIDES[side];
        // A band 7 wide and 31 long ahead, at the height of the feet.
        let ahead = (2..=AHEAD).flat_map(|far| (-3..=3).map(move |off| (far, off)));
        let cells = ahead.map(|(far, off)| feet.plus(x * far + z * off, 0, z * far + x * off));
        let unknown = cells.filter(|at| s.seen.nature(*at).is_unknown()).count() as u64;
        // Times four, so that chance decides only between sides with the same count.
        let worth = unknown * 4 + s.chance.below(4);
        if worth > best.0 {
            best = (worth, side);
        }
    }
    best.1
}

fn is_shallow(s: &Senses) -> bool {
    s.feet().y >= SHALLOW
}

/// True if rock is all around: a cave mouth or an overhang is not below ground yet.
fn is_in_rock(s: &Senses) -> bool {
    let near = s
        .seen
        .nearest(s.feet(), ROCK_NEAR, ROCK_COUNT, wanted::is_rock);
    near.len() >= ROCK_COUNT
}
