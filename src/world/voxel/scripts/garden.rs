//! Gardens: where something can be planted, and the planting itself.
//!
//! Waiting and harvesting are in `grow`. Invariant: ground is chosen only among what is known, and
//! never under what was planted before.

use super::super::primitives::handling;
use super::super::senses::{BodyHandle, Senses};
use super::use_on::approach_block;
use crate::action::ActionFailure;
use crate::block::{self as blocks, BlockId};
use crate::farming::{Crop, GrowthHabit};
use crate::item::{ItemId, ToolKind};
use crate::space::{Facing, Pos};

/// Ground is looked for within this distance.
const RANGE: f64 = 40.0;
const CANDIDATES: usize = 768;
/// Water this near keeps a field wet.
const WET_WITHIN: i32 = 4;
/// Air that a sapling wants above it, and its distance from the next.
const TREE_HIGH: i32 = 6;
const TREE_APART: i32 = 4;

/// Where a plant is to stand: the cell, and what it is put against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bed {
    pub(super) at: Pos,
    pub(super) against: Pos,
    pub(super) side: Facing,
}

/// The nearest place for the crop; fields by water first.
pub(super) fn find(s: &mut Senses, crop: &Crop, plots: &[Pos]) -> Option<Bed> {
    if crop.manner == GrowthHabit::Pod {
        return find_trunk(s, plots);
    }
    let near = s
        .seen
        .nearest(s.feet(), RANGE, CANDIDATES, |block| bears(crop, block));
    let free = |at: &Pos| {
        let above = s.seen.nature(at.up());
        let is_plant = s.seen.block(at.up()).is_some_and(BlockId::is_replaceable);
        let open = above.is_air() || (is_plant && !above.is_water());
        open && !plots.contains(&at.up()) && fits(s, crop, *at, plots)
    };
    let grounds: Vec<Pos> = near.iter().map(|(at, _)| *at).filter(free).collect();
    let wet = |at: &&Pos| !crop.wants_farmland() || is_by_water(s, **at);
    let ground = grounds.iter().find(wet).or_else(|| {
        // With no water known near by a dry field has to do.
        grounds.first()
    })?;
    Some(Bed {
        at: ground.up(),
        against: *ground,
        side: Facing::Up,
    })
}

/// True if there is a wet place for a field among what is known.
pub(super) fn knows_wet_ground(s: &mut Senses, crop: &Crop) -> bool {
    find(s, crop, &[]).is_some_and(|bed| is_by_water(s, bed.against))
}

fn bears(crop: &Crop, block: BlockId) -> bool {
    let earth = matches!(
        block,
        blocks::GRASS_BLOCK | blocks::DIRT | blocks::FARMLAND | blocks::GRASS_PATH
    );
    let sand = matches!(block, blocks::SAND | blocks::RED_SAND);
    match crop.manner {
        GrowthHabit::Field | GrowthHabit::Stem { .. } => earth,
        GrowthHabit::Tree { .. } | GrowthHabit::Bush => {
            matches!(block, blocks::GRASS_BLOCK | blocks::DIRT | blocks::PODZOL)
        }
        GrowthHabit::Stalk if crop.plant == blocks::CACTUS => sand,
        GrowthHabit::Stalk => matches!(block, blocks::GRASS_BLOCK | blocks::DIRT) || sand,
        GrowthHabit::Spread => block.is_opaque() && (earth || block == blocks::STONE),
        GrowthHabit::Pod => false,
    }
}

/// What a crop wants beyond its ground.
fn fits(s: &Senses, crop: &Crop, ground: Pos, plots: &[Pos]) -> bool {
    let at = ground.up();
    let beside = |p: Pos| Facing::FLAT.into_iter().map(move |side| p.side(side));
    match crop.manner {
        // In rows: a field crowded on all sides grows half as fast.
        GrowthHabit::Field => plots.first().is_none_or(|first| (at.z - first.z) % 2 == 0),
        GrowthHabit::Stem { .. } => beside(at).any(|p| {
            let ground = s.seen.block(p.down());
            let earth = matches!(ground, Some(blocks::GRASS_BLOCK | blocks::DIRT));
            s.seen.nature(p).is_air() && earth && !plots.contains(&p)
        }),
        GrowthHabit::Stalk if crop.plant == blocks::SUGAR_CANE => {
            beside(ground).any(|p| s.seen.block(p) == Some(blocks::WATER))
        }
        GrowthHabit::Stalk if crop.plant == blocks::CACTUS => {
            beside(at).all(|p| s.seen.nature(p).is_air() && !plots.contains(&p))
        }
        GrowthHabit::Tree { .. } => {
            let high = (1..=TREE_HIGH).all(|up| !s.seen.nature(at.plus(0, up, 0)).is_solid());
            let apart = |plot: &Pos| plot.manhattan(at) >= TREE_APART;
            high && plots.iter().all(apart) && at != s.feet()
        }
        GrowthHabit::Stalk | GrowthHabit::Bush | GrowthHabit::Spread | GrowthHabit::Pod => true,
    }
}

fn is_by_water(s: &Senses, ground: Pos) -> bool {
    let side = || -WET_WITHIN..=WET_WITHIN;
    (0..=1).any(|y| {
        side().any(|z| side().any(|x| s.seen.block(ground.plus(x, y, z)) == Some(blocks::WATER)))
    })
}

/// A free side of a jungle log.
fn find_trunk(s: &mut Senses, plots: &[Pos]) -> Option<Bed> {
    let logs = s
        .seen
        .nearest(s.feet(), RANGE, 64, |block| block == blocks::JUNGLE_LOG);
    let beds = logs.iter().flat_map(|(log, _)| {
        Facing::FLAT.into_iter().map(|side| Bed {
            at: log.side(side),
            against: *log,
            side,
        })
    });
    beds.filter(|bed| s.seen.nature(bed.at).is_air() && !plots.contains(&bed.at))
        .find(|bed| (bed.at.y - s.feet().y).abs() <= 3)
}

/// Clears, tills and plants; false if the place will not do.
pub(super) async fn plant(body: &BodyHandle, crop: &Crop, bed: Bed) -> Result<bool, ActionFailure> {
    if body.with(|s| !s.seen.nature(bed.at).is_air()) {
        if !approach_block(body, bed.at).await? {
            return Ok(false);
        }
        handling::dig(body, bed.at).await?;
    }
    if !approach_block(body, bed.against).await? {
        return Ok(false);
    }
    if crop.wants_farmland() && !till(body, bed.against).await? {
        return Ok(false);
    }
    handling::hold(body, crop.seed).await?;
    if !handling::plant(body, bed.against, bed.side).await {
        return Ok(false);
    }
    if crop.manner == GrowthHabit::Field {
        till_around(body, bed.against).await?;
    }
    Ok(true)
}

/// Hoes the ground unless it is tilled already.
async fn till(body: &BodyHandle, at: Pos) -> Result<bool, ActionFailure> {
    let block = body.with(|s| s.seen.block(at));
    if block == Some(blocks::FARMLAND) {
        return Ok(true);
    }
    let Some(hoe) = body.with(|s| hoe(s)) else {
        return Err(no_hoe());
    };
    handling::hold(body, hoe).await?;
    Ok(handling::click(body, at).await)
}

/// Tilled ground around a crop feeds it too; what cannot be reached from here is left.
async fn till_around(body: &BodyHandle, at: Pos) -> Result<(), ActionFailure> {
    let Some(hoe) = body.with(|s| hoe(s)) else {
        return Ok(());
    };
    for (x, z) in [
        (0, 1),
        (0, -1),
        (1, 1),
        (1, -1),
        (-1, 1),
        (-1, -1),
        (1, 0),
        (-1, 0),
    ] {
        let cell = at.plus(x, 0, z);
        let is_earth = body.with(|s| {
            let earth = matches!(s.seen.block(cell), Some(blocks::GRASS_BLOCK | blocks::DIRT));
            earth && s.seen.nature(cell.up()).is_air() && s.slots.count(hoe) > 0
        });
        if is_earth {
            handling::hold(body, hoe).await?;
            handling::click(body, cell).await;
        }
    }
    Ok(())
}

/// The carried hoe that is worth least.
pub(super) fn hoe(s: &Senses) -> Option<ItemId> {
    let carried = s.slots.stacks.iter().flatten().map(|stack| stack.item);
    let tier = |item: ItemId| {
        let tool = item.facts().tool;
        tool.filter(|tool| tool.kind == ToolKind::Hoe)
            .map(|tool| tool.tier)
    };
    carried
        .filter(|item| tier(*item).is_some())
        .min_by_key(|item| (tier(*item), *item))
}

/// No hoe is carried; a wooden one would do.
pub(super) fn no_hoe() -> ActionFailure {
    match ItemId::named("wooden_hoe") {
        Some(hoe) => ActionFailure::NotHeld { item: hoe.into() },
        None => ActionFailure::Invalid {
            because: "there are no hoes".to_owned(),
        },
    }
}
