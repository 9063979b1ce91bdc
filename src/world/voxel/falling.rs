//! Falling blocks: sand and gravel on their way down, from the tick they lose their hold until they lie or break.
//!
//! The figures are those of 1.16. What lies is a block of the grid again. Invariant: none passes through a solid block,
//! and none is lost: what finds no room drops as an item.

use super::body::collide::{self, BoundingBox};
use super::grid::Grid;
use crate::block::{self as blocks, BlockId};
use crate::space::{Point, Pos};

/// Speed gained downwards in a tick, in blocks, and the share of it that is kept.
const GRAVITY: f64 = 0.04;
const DRAG: f64 = 0.98;
/// A hair narrower than a cell, so that it does not rub against the walls of its shaft.
const SIZE: f64 = 0.98;
/// What has not come to rest by then drops as an item: half a minute, as in the game.
const LIFE_TICKS: u32 = 600;
/// Lands in the cell above the ground also if rounding left it a hair below.
const HAIR: f64 = 1e-3;

/// A block in the air.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FallingBlock {
    pub block: BlockId,
    /// The middle of its underside.
    pub at: Point,
    /// Blocks per tick downwards.
    pub speed: f64,
    age: u32,
}

/// All blocks that fall, oldest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FallingBlocks(Vec<FallingBlock>);

/// True if what falls goes into this cell instead of lying on it.
#[must_use]
pub(super) fn gives_way(block: BlockId) -> bool {
    let is_empty = block == blocks::AIR || block == blocks::FIRE || block.is_fluid();
    (is_empty || block.is_replaceable()) && !block.is_solid()
}

impl FallingBlocks {
    pub fn iter(&self) -> impl Iterator<Item = &FallingBlock> {
        self.0.iter()
    }

    /// Lets go of a block, which is no longer part of the grid.
    pub(super) fn release(&mut self, from: Pos, block: BlockId) {
        self.0.push(FallingBlock {
            block,
            at: from.floor(),
            speed: 0.0,
            age: 0,
        });
    }

    /// One tick of the fall; what broke instead of lying, and where.
    pub(super) fn step(&mut self, grid: &mut Grid) -> Vec<(Pos, BlockId)> {
        let mut broken = Vec::new();
        self.0.retain_mut(|one| {
            let at = one.at.block();
            if !grid.is_loaded(at) {
                return true;
            }
            one.age += 1;
            let is_down = !fall(one, grid);
            let cell = one.at.plus(0.0, HAIR, 0.0).block();
            if is_down && gives_way(grid.block(cell)) {
                grid.set(cell, one.block);
            } else if is_down || one.age >= LIFE_TICKS {
                broken.push((cell, one.block));
            } else {
                return true;
            }
            false
        });
        broken
    }
}

/// False once something holds it.
fn fall(one: &mut FallingBlock, grid: &Grid) -> bool {
    one.speed += GRAVITY;
    let bounds = BoundingBox::standing(one.at, SIZE, SIZE);
    let [_, got, _] = collide::slide(grid, bounds, [0.0, -one.speed, 0.0]);
    one.at.y += got;
    let falls = got == -one.speed;
    one.speed *= DRAG;
    falls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::fluids::Fluids;

    const FLOOR: i32 = 10;

    fn scene() -> (Grid, Fluids, FallingBlocks) {
        let mut grid = Grid::flat(FLOOR);
        grid.ensure_around(Pos::default(), 2);
        (grid, Fluids::new(), FallingBlocks::default())
    }

    /// Runs until nothing moves; ticks, and what broke.
    fn run(scene: &mut (Grid, Fluids, FallingBlocks)) -> (u32, Vec<(Pos, BlockId)>) {
        let (grid, fluids, falling) = scene;
        let mut broken = Vec::new();
        for tick in 1..=1_000 {
            for (from, block) in fluids.step(grid) {
                falling.release(from, block);
            }
            broken.extend(falling.step(grid));
            if tick > 5 && falling.iter().next().is_none() && fluids.is_idle() {
                return (tick, broken);
            }
        }
        panic!("it never came to rest");
    }

    #[test]
    fn sand_takes_its_time_down_and_pulls_what_is_above_after_it() {
        let mut scene = scene();
        for up in 8..11 {
            scene.0.set(Pos::new(0, FLOOR + up, 0), blocks::SAND);
        }
        scene.0.set(Pos::new(0, FLOOR + 11, 0), blocks::GRAVEL);
        let (ticks, broken) = run(&mut scene);
        // Seven blocks take 20 ticks by the game's formula; the last begins six later.
        assert!((22..40).contains(&ticks), "{ticks}");
        assert_eq!(broken, []);
        let at = |up| scene.0.block(Pos::new(0, FLOOR + up, 0));
        assert_eq!(
            [1, 2, 3, 4, 5].map(at),
            [
                blocks::SAND,
                blocks::SAND,
                blocks::SAND,
                blocks::GRAVEL,
                blocks::AIR
            ]
        );
    }

    #[test]
    fn sand_that_comes_down_on_a_torch_breaks_and_falls_through_water() {
        let mut scene = scene();
        scene.0.set(Pos::new(0, FLOOR + 1, 0), blocks::TORCH);
        scene.0.set(Pos::new(0, FLOOR + 6, 0), blocks::SAND);
        let (_, broken) = run(&mut scene);
        assert_eq!(broken, [(Pos::new(0, FLOOR + 1, 0), blocks::SAND)]);
        for side in 0..9 {
            let at = Pos::new(4 + side % 3, FLOOR, side / 3);
            scene.0.set(at, blocks::STONE);
        }
        scene.0.set(Pos::new(5, FLOOR, 1), blocks::WATER);
        scene.0.set(Pos::new(5, FLOOR + 4, 1), blocks::SAND);
        assert_eq!(run(&mut scene).1, []);
        assert_eq!(scene.0.block(Pos::new(5, FLOOR, 1)), blocks::SAND);
    }
}
