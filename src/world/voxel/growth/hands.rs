//! Hands: what a player does to the ground and to what grows on it.
//!
//! Only the blocks change here; items are the caller's. Invariant: what is refused changes nothing.

use super::rules::ripe_stage;
use super::{saplings, spread};
use crate::block::{self as blocks, BlockId};
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::rng::Rng;
use crate::space::{Facing, Pos};
use crate::voxel::grid::Grid;
use crate::voxel::terrain::tree::TreeKind;

/// True if what stands here gives its full harvest; always true for what does not ripen.
#[must_use]
pub fn is_ripe(grid: &Grid, at: Pos) -> bool {
    match (ripe_stage(grid.block(at)), grid.stage(at)) {
        (Some(last), Some(stage)) => stage >= last,
        (None, _) | (_, None) => true,
    }
}

/// True if farmland here is kept wet by water.
#[must_use]
pub fn is_wet(grid: &Grid, at: Pos) -> bool {
    spread::is_wet(grid, at)
}

/// Hoes the ground; true if it did.
pub fn till(grid: &mut Grid, at: Pos) -> bool {
    let tilled = match grid.block(at) {
        blocks::GRASS_BLOCK | blocks::DIRT | blocks::GRASS_PATH => blocks::FARMLAND,
        blocks::COARSE_DIRT => blocks::DIRT,
        _ => return false,
    };
    let open = grid.block(at.up()) == blocks::AIR;
    if open {
        grid.set(at, tilled);
    }
    open
}

/// True if this plant can stand here; also true for whatever is no plant.
#[must_use]
pub fn can_stand(grid: &Grid, at: Pos, plant: BlockId) -> bool {
    let ground = grid.block(at.down());
    let earth = matches!(
        ground,
        blocks::GRASS_BLOCK
            | blocks::DIRT
            | blocks::COARSE_DIRT
            | blocks::PODZOL
            | blocks::FARMLAND
    );
    let sand = matches!(ground, blocks::SAND | blocks::RED_SAND);
    let beside = |is: fn(BlockId) -> bool, p: Pos| {
        Facing::FLAT
            .iter()
            .any(|side| is(grid.block(p.side(*side))))
    };
    match plant {
        blocks::WHEAT | blocks::CARROTS | blocks::POTATOES | blocks::BEETROOTS => {
            ground == blocks::FARMLAND
        }
        blocks::PUMPKIN_STEM | blocks::MELON_STEM => ground == blocks::FARMLAND,
        blocks::SUGAR_CANE => {
            let wet = |block| matches!(block, blocks::WATER | blocks::ICE);
            ground == plant || ((earth || sand) && beside(wet, at.down()))
        }
        blocks::CACTUS => (sand || ground == plant) && !beside(BlockId::is_solid, at),
        blocks::BAMBOO | blocks::BAMBOO_SAPLING => earth || sand || ground == blocks::BAMBOO,
        blocks::DEAD_BUSH => {
            sand || ground.name().ends_with("terracotta") || ground == blocks::DIRT
        }
        blocks::BROWN_MUSHROOM | blocks::RED_MUSHROOM => ground.is_opaque(),
        blocks::KELP => {
            let wet = matches!(grid.block(at), blocks::WATER | blocks::KELP);
            wet && (ground.is_solid() || ground == plant)
        }
        blocks::LILY_PAD => matches!(ground, blocks::WATER | blocks::ICE),
        blocks::COCOA => beside(|block| block == blocks::JUNGLE_LOG, at),
        blocks::VINE => beside(BlockId::is_solid, at) || grid.block(at.up()) == blocks::VINE,
        _ if saplings::is_sapling(plant) || is_flower(plant) => earth,
        _ => true,
    }
}

fn is_flower(block: BlockId) -> bool {
    let first = blocks::DANDELION.row()..=blocks::LILY_OF_THE_VALLEY.row();
    let tall = blocks::SUNFLOWER.row()..=blocks::LARGE_FERN.row();
    let row = block.row();
    let low = matches!(
        block,
        blocks::GRASS | blocks::FERN | blocks::SWEET_BERRY_BUSH
    );
    low || first.contains(&row) || tall.contains(&row)
}

/// Picks the berries of a bush; None if there are none yet.
pub fn pick_berries(grid: &mut Grid, at: Pos, rng: &mut Rng) -> Option<Stack> {
    if grid.block(at) != blocks::SWEET_BERRY_BUSH {
        return None;
    }
    let more = match grid.stage(at) {
        None | Some(3..) => 1,
        Some(2) => 0,
        Some(_) => return None,
    };
    // The bush waits for its turns again from the moment it is touched.
    grid.set_stage(at, Some(1));
    grid.touch(at);
    let count = rng.between(1, 2) as u32 + more;
    Some(Stack::new(ItemId::named("sweet_berries")?, count))
}

/// Uses bone meal on what stands here; true if it was of use (one piece is gone).
pub fn fertilise(grid: &mut Grid, at: Pos, rng: &mut Rng) -> bool {
    let block = grid.block(at);
    match block {
        blocks::GRASS_BLOCK => sow_grass(grid, at, rng),
        blocks::BROWN_MUSHROOM | blocks::RED_MUSHROOM => {
            let kind = if block == blocks::RED_MUSHROOM {
                TreeKind::RedMushroom
            } else {
                TreeKind::BrownMushroom
            };
            if rng.chance(0.4) {
                saplings::raise(grid, kind, at, block, rng);
            }
            true
        }
        _ if saplings::is_sapling(block) => {
            if rng.chance(0.45) {
                saplings::grow_on(grid, at, block, rng);
            }
            true
        }
        _ => ripen(grid, at, block, rng),
    }
}

fn ripen(grid: &mut Grid, at: Pos, block: BlockId, rng: &mut Rng) -> bool {
    let (Some(last), Some(stage)) = (ripe_stage(block), grid.stage(at)) else {
        return false;
    };
    if stage >= last {
        return false;
    }
    let steps = match block {
        blocks::SWEET_BERRY_BUSH | blocks::COCOA => 1,
        blocks::BEETROOTS => u8::from(rng.chance(0.75)),
        _ => rng.between(2, 5) as u8,
    };
    grid.set_stage(at, Some((stage + steps).min(last)));
    true
}

/// Grass and a few flowers on the grass around.
fn sow_grass(grid: &mut Grid, at: Pos, rng: &mut Rng) -> bool {
    if grid.block(at.up()) != blocks::AIR {
        return false;
    }
    for _ in 0..32 {
        let mut step = |far: i64| rng.between(-far, far) as i32;
        let ground = at.plus(step(3), step(1), step(3));
        if grid.block(ground) == blocks::GRASS_BLOCK && grid.block(ground.up()) == blocks::AIR {
            let plant = match rng.below(16) {
                0 => blocks::DANDELION,
                1 => blocks::POPPY,
                _ => blocks::GRASS,
            };
            grid.set(ground.up(), plant);
        }
    }
    true
}
