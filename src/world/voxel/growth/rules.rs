//! Rules: what a random tick does to each kind of block.
//!
//! Chances are those of 1.16. Ground: see `spread`; trees: see `saplings`.

use super::turn::{Next, Turn};
use super::{leaves, saplings, spread};
use crate::block::{self as blocks, BlockId};
use crate::space::{Facing, Pos};
use crate::voxel::grid::Grid;
use crate::voxel::weather;

/// Random ticks between two blocks of cane or cactus, and how high they grow.
const STALK_AGES: u8 = 15;
const STALK_HIGH: i32 = 3;
const BAMBOO_HIGH: i32 = 14;
const KELP_CHANCE: f64 = 0.14;
/// Random ticks in the rain for a measure of water: the game takes one column of a chunk every sixteenth
/// tick, and one of twenty such drops counts.
const DROPS: u64 = 60;

/// The last stage of a plant that ripens.
pub(super) fn ripe_stage(block: BlockId) -> Option<u8> {
    match block {
        blocks::WHEAT | blocks::CARROTS | blocks::POTATOES => Some(7),
        blocks::PUMPKIN_STEM | blocks::MELON_STEM => Some(7),
        blocks::BEETROOTS | blocks::SWEET_BERRY_BUSH => Some(3),
        blocks::COCOA => Some(2),
        _ => None,
    }
}

/// The tree of a sapling aside, does this cell ever change by itself?
pub(super) fn ticks(grid: &Grid, at: Pos) -> bool {
    let block = grid.block(at);
    match block {
        blocks::AIR | blocks::STONE | blocks::WATER => false,
        blocks::SUGAR_CANE | blocks::CACTUS | blocks::BAMBOO | blocks::VINE | blocks::FARMLAND => {
            true
        }
        blocks::BROWN_MUSHROOM | blocks::RED_MUSHROOM | blocks::KELP | blocks::CAULDRON => true,
        blocks::DIRT => !grid.block(at.up()).is_opaque(),
        blocks::GRASS_BLOCK | blocks::MYCELIUM => grid.block(at.up()).is_opaque(),
        _ => ripe_stage(block).is_some() || saplings::is_sapling(block),
    }
}

/// One random tick of a cell.
pub(super) fn tick(turn: &mut Turn<'_>, block: BlockId) -> Next {
    match block {
        blocks::WHEAT | blocks::CARROTS | blocks::POTATOES | blocks::BEETROOTS => crop(turn, block),
        blocks::PUMPKIN_STEM => stem(turn, block, blocks::PUMPKIN),
        blocks::MELON_STEM => stem(turn, block, blocks::MELON),
        blocks::SWEET_BERRY_BUSH | blocks::COCOA => ripen(turn, block),
        blocks::SUGAR_CANE | blocks::CACTUS => stalk(turn, block),
        blocks::BAMBOO => bamboo(turn),
        blocks::VINE => vine(turn),
        blocks::KELP => kelp(turn),
        blocks::BROWN_MUSHROOM | blocks::RED_MUSHROOM => spread::mushroom(turn, block),
        blocks::CAULDRON => fill(turn),
        blocks::FARMLAND => spread::farmland(turn),
        blocks::DIRT => spread::grass_onto(turn),
        blocks::GRASS_BLOCK | blocks::MYCELIUM => spread::smothered(turn),
        _ if saplings::is_sapling(block) => saplings::tick(turn, block),
        _ if leaves::may_wither(turn.grid, turn.at) => {
            if leaves::hang(turn.grid, turn.at) {
                Next::Done
            } else {
                Next::Withered
            }
        }
        _ => Next::Done,
    }
}

/// Rain fills a cauldron, a measure at a time.
fn fill(turn: &mut Turn<'_>) -> Next {
    let level = turn.grid.stage(turn.at).unwrap_or(0);
    let is_rained_on = weather::rains_on(turn.grid, turn.weather, turn.at.up());
    if is_rained_on && level < blocks::CAULDRON_FULL && turn.rng.below(DROPS) == 0 {
        turn.grid.set_stage(turn.at, Some(level + 1));
    }
    Next::Again
}

/// Goes one stage on; true if it is ripe now or has been.
fn advance(turn: &mut Turn<'_>, block: BlockId) -> bool {
    let last = ripe_stage(block).unwrap_or(0);
    match turn.grid.stage(turn.at) {
        Some(stage) if stage < last => {
            turn.grid.set_stage(turn.at, Some(stage + 1));
            stage + 1 >= last
        }
        Some(_) | None => true,
    }
}

fn crop(turn: &mut Turn<'_>, block: BlockId) -> Next {
    if turn.grid.block(turn.at.down()) != blocks::FARMLAND {
        return Next::Withered;
    }
    let slow = block == blocks::BEETROOTS && turn.rng.below(3) == 0;
    let ripe = !slow && thrives(turn, block) && advance(turn, block);
    if ripe { Next::Done } else { Next::Again }
}

fn stem(turn: &mut Turn<'_>, block: BlockId, fruit: BlockId) -> Next {
    if turn.grid.block(turn.at.down()) != blocks::FARMLAND {
        return Next::Withered;
    }
    if !thrives(turn, block) {
        return Next::Again;
    }
    if turn.grid.stage(turn.at).is_some_and(|stage| stage < 7) {
        advance(turn, block);
        return Next::Again;
    }
    let bears = Facing::FLAT
        .iter()
        .any(|side| turn.grid.block(turn.at.side(*side)) == fruit);
    let place = turn.at.side(Facing::FLAT[turn.rng.below(4) as usize]);
    let ground = turn.grid.block(place.down());
    let fit = matches!(
        ground,
        blocks::DIRT | blocks::GRASS_BLOCK | blocks::FARMLAND | blocks::COARSE_DIRT
    );
    if !bears && fit && turn.grid.block(place) == blocks::AIR {
        turn.grid.set(place, fruit);
    }
    Next::Again
}

/// Whether a field plant grows at this tick: it wants light, and wet farmland around it.
fn thrives(turn: &mut Turn<'_>, block: BlockId) -> bool {
    if !turn.is_lit() {
        return false;
    }
    let points = fertility(turn, block);
    turn.rng.below((25.0 / points) as u64 + 1) == 0
}

/// 1 to 10, as in the game: more for farmland around, much more if it is wet, half if crowded.
fn fertility(turn: &Turn<'_>, block: BlockId) -> f32 {
    let (grid, at): (&Grid, Pos) = (turn.grid, turn.at);
    let mut points = 1.0;
    for (dx, dz) in (-1..=1).flat_map(|dz| (-1..=1).map(move |dx| (dx, dz))) {
        let ground = at.plus(dx, -1, dz);
        if grid.block(ground) == blocks::FARMLAND {
            let worth = if spread::is_watered(grid, turn.weather, ground) {
                3.0
            } else {
                1.0
            };
            points += if (dx, dz) == (0, 0) {
                worth
            } else {
                worth / 4.0
            };
        }
    }
    let same = |dx, dz| grid.block(at.plus(dx, 0, dz)) == block;
    let along = same(1, 0) || same(-1, 0);
    let across = same(0, 1) || same(0, -1);
    let corner = same(1, 1) || same(1, -1) || same(-1, 1) || same(-1, -1);
    if (along && across) || corner {
        points / 2.0
    } else {
        points
    }
}

fn ripen(turn: &mut Turn<'_>, block: BlockId) -> Next {
    let grows = turn.rng.below(5) == 0 && (block == blocks::COCOA || turn.is_lit());
    if grows && advance(turn, block) {
        Next::Done
    } else {
        Next::Again
    }
}

/// Cane and cactus: the uppermost block counts to fifteen, then one more stands on it.
fn stalk(turn: &mut Turn<'_>, block: BlockId) -> Next {
    if turn.grid.block(turn.at.up()) != blocks::AIR {
        return Next::Done;
    }
    let high = (0..).take_while(|down| turn.grid.block(turn.at.plus(0, -down, 0)) == block);
    if high.count() as i32 >= STALK_HIGH {
        return Next::Done;
    }
    let age = turn.grid.stage(turn.at).unwrap_or(0);
    if age < STALK_AGES {
        turn.grid.set_stage(turn.at, Some(age + 1));
        return Next::Again;
    }
    turn.grid.set_stage(turn.at, Some(0));
    turn.grid.set(turn.at.up(), block);
    Next::Done
}

fn bamboo(turn: &mut Turn<'_>) -> Next {
    let up = turn.at.up();
    let high =
        (0..BAMBOO_HIGH).take_while(|d| turn.grid.block(turn.at.plus(0, -d, 0)) == blocks::BAMBOO);
    if turn.grid.block(up) != blocks::AIR || high.count() as i32 >= BAMBOO_HIGH {
        return Next::Done;
    }
    if turn.rng.below(3) != 0 {
        return Next::Again;
    }
    turn.grid.set(up, blocks::BAMBOO);
    Next::Done
}

/// Kelp grows up to just below the surface.
fn kelp(turn: &mut Turn<'_>) -> Next {
    let up = turn.at.up();
    if turn.grid.block(up) != blocks::WATER || turn.grid.block(up.up()) != blocks::WATER {
        return Next::Done;
    }
    if turn.rng.chance(KELP_CHANCE) {
        turn.grid.set(up, blocks::KELP);
        return Next::Done;
    }
    Next::Again
}

/// Vines grow down only, which keeps them from covering the land.
fn vine(turn: &mut Turn<'_>) -> Next {
    if turn.grid.block(turn.at.down()) != blocks::AIR {
        return Next::Done;
    }
    if turn.rng.below(4) != 0 {
        return Next::Again;
    }
    turn.grid.set(turn.at.down(), blocks::VINE);
    Next::Done
}
