//! Room: grass, leaves and soft ground in the way of a building are taken away first.

use super::super::super::building::Building;
use super::super::super::path::goal::PathGoal;
use super::super::super::primitives::handling;
use super::super::super::primitives::travel::{self, TravelMode};
use super::super::super::seen::Seen;
use super::super::super::senses::{BodyHandle, Senses};
use super::super::End;
use super::shape::Shape;
use crate::block::{self as blocks, BlockId};
use crate::space::Pos;

/// Ground that bare hands dig away.
const SOFT: [BlockId; 9] = [
    blocks::DIRT,
    blocks::GRASS_BLOCK,
    blocks::COARSE_DIRT,
    blocks::PODZOL,
    blocks::SAND,
    blocks::RED_SAND,
    blocks::GRAVEL,
    blocks::SNOW_BLOCK,
    blocks::CLAY,
];

/// What grows higher than this over the ground is not reached from it.
pub(super) const PLUCKED_UP_TO: i32 = 2;

/// What a cell costs to be made free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    Nothing,
    /// A plant, or leaves.
    Plant,
    /// Soft ground.
    Ground,
}

/// What it costs to make the cell free; none if it is not known, wet, or not to be taken away.
pub(super) fn cost(seen: &Seen, at: Pos) -> Option<Cost> {
    let (block, nature) = (seen.block(at)?, seen.nature(at));
    if nature.is_harmful() || nature.is_water() || block.is_fluid() {
        return None;
    }
    if nature.is_air() {
        return Some(Cost::Nothing);
    }
    let is_leaves = block.name().ends_with("_leaves");
    if is_leaves || nature.is_open() {
        return Some(Cost::Plant);
    }
    SOFT.contains(&block).then_some(Cost::Ground)
}

/// Frees the cells of the building from above, as far as they can be reached.
pub(super) async fn clear(body: &BodyHandle, building: &Building, shape: &Shape) -> End {
    let cells = body.with(|s| cells_in_the_way(s, building, shape));
    for at in cells {
        let goal = PathGoal::Reach { at };
        if travel::went(travel::travel(body, &goal, TravelMode::Walk).await)? {
            handling::dig(body, at).await?;
        }
    }
    Ok(())
}

/// What is in cells that have to be free or hold something else; plants also beside the building, where they would be
/// in the way of the hand, and of the head in a jump.
fn cells_in_the_way(s: &mut Senses, building: &Building, shape: &Shape) -> Vec<Pos> {
    let mut cells: Vec<Pos> = Vec::new();
    let is_in_way = |at: Pos| matches!(cost(&s.seen, at), Some(Cost::Plant | Cost::Ground));
    let missing = building.missing(&s.seen);
    if missing.is_empty() && building.filled(&s.seen).is_empty() {
        return cells;
    }
    cells.extend(
        missing
            .iter()
            .map(|(_, at)| *at)
            .filter(|at| is_in_way(*at)),
    );
    cells.extend(building.clear.iter().copied().filter(|at| is_in_way(*at)));
    for z in shape.low.z - 1..=shape.high.z + 1 {
        for x in shape.low.x - 1..=shape.high.x + 1 {
            for y in shape.low.y..=(shape.high.y + 1).min(shape.low.y + PLUCKED_UP_TO + 1) {
                let at = Pos::new(x, y, z);
                let is_plant = cost(&s.seen, at) == Some(Cost::Plant);
                let is_ours = building.blocks.iter().any(|(_, block)| *block == at);
                if is_plant && !is_ours && !cells.contains(&at) {
                    cells.push(at);
                }
            }
        }
    }
    let feet = s.feet();
    cells.sort_by_key(|at| (std::cmp::Reverse(at.y), at.manhattan(feet), *at));
    cells
}
