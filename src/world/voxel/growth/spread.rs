//! Spread: grass over dirt, mushrooms in the dark, farmland that dries.

use super::turn::{Next, Turn};
use crate::block::{self as blocks, BlockId};
use crate::observation::Weather;
use crate::space::Pos;
use crate::voxel::grid::Grid;
use crate::voxel::time;
use crate::voxel::weather;

/// Mushrooms bear less light than this, and at most so many of a kind near each other.
const MUSHROOM_LIGHT: u8 = 12;
const MUSHROOMS_MAX: usize = 5;
/// Water keeps farmland wet so far away.
const WET_WITHIN: i32 = 4;

/// True if water near by keeps this farmland wet.
pub(super) fn is_wet(grid: &Grid, at: Pos) -> bool {
    let around = || -WET_WITHIN..=WET_WITHIN;
    (0..=1).any(|dy| {
        around().any(|dz| around().any(|dx| grid.block(at.plus(dx, dy, dz)) == blocks::WATER))
    })
}

/// As `is_wet`, or rained on.
pub(super) fn is_watered(grid: &Grid, weather: Weather, at: Pos) -> bool {
    weather::rains_on(grid, weather, at.up()) || is_wet(grid, at)
}

/// Dry farmland without a plant turns to dirt; under a block it does so at once.
pub(super) fn farmland(turn: &mut Turn<'_>) -> Next {
    let above = turn.grid.block(turn.at.up());
    let is_wet = is_watered(turn.grid, turn.weather, turn.at);
    let bare = above == blocks::AIR && !is_wet;
    if bare || above.is_opaque() {
        turn.grid.set(turn.at, blocks::DIRT);
        return Next::Done;
    }
    Next::Again
}

/// Dirt in the light takes grass from near by.
pub(super) fn grass_onto(turn: &mut Turn<'_>) -> Next {
    let up = turn.at.up();
    if turn.grid.block(up).is_opaque() || turn.grid.block(up).is_fluid() {
        return Next::Done;
    }
    let lit = {
        turn.at = up;
        let lit = turn.is_lit();
        turn.at = up.down();
        lit
    };
    if !lit {
        // By night it waits for the day; in a cave there is nothing to wait for.
        return if turn.grid.sky_lit(up) {
            Next::Again
        } else {
            Next::Done
        };
    }
    let near = |dy: i32| (-1..=1).flat_map(move |dz| (-1..=1).map(move |dx| (dx, dy, dz)));
    let grass = (-1..=3)
        .flat_map(near)
        .map(|(dx, dy, dz)| turn.grid.block(turn.at.plus(dx, dy, dz)))
        .find(|block| matches!(*block, blocks::GRASS_BLOCK | blocks::MYCELIUM));
    match grass {
        Some(grass) => {
            turn.grid.set(turn.at, grass);
            Next::Done
        }
        None => Next::Again,
    }
}

/// Grass under an opaque block dies.
pub(super) fn smothered(turn: &mut Turn<'_>) -> Next {
    if turn.grid.block(turn.at.up()).is_opaque() {
        turn.grid.set(turn.at, blocks::DIRT);
    }
    Next::Done
}

/// One more mushroom near by, if there are few.
pub(super) fn mushroom(turn: &mut Turn<'_>, block: BlockId) -> Next {
    if turn.rng.below(25) != 0 {
        return Next::Again;
    }
    let cells =
        (-1..=1).flat_map(|dy| (-4..=4).flat_map(move |dz| (-4..=4).map(move |dx| (dx, dy, dz))));
    let same =
        |(dx, dy, dz): &(i32, i32, i32)| turn.grid.block(turn.at.plus(*dx, *dy, *dz)) == block;
    if cells.filter(same).count() >= MUSHROOMS_MAX {
        return Next::Again;
    }
    let rng = &mut turn.rng;
    let mut step = || rng.between(-2, 2) as i32;
    let to = turn.at.plus(step(), 0, step());
    let dark = time::light_at(turn.grid, to, turn.day_time) <= MUSHROOM_LIGHT;
    if dark && turn.grid.block(to) == blocks::AIR && turn.grid.block(to.down()).is_opaque() {
        turn.grid.set(to, block);
    }
    Next::Again
}
