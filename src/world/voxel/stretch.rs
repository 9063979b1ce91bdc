//! Stretch: the section that a ray is in, so that most of its cells are asked without a look-up.
//!
//! It knows nothing of eyes. Invariant: its blocks are those of the grid.

use super::chunk::Y_MAX;
use super::gloom::SectionLight;
use super::grid::Grid;
use super::ray::Ray;
use super::section::{cell, section_at};
use crate::block::{self as blocks, BlockId};
use crate::space::{Point, Pos};

/// The section that a ray is in: most cells are in that of the cell before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch<'a> {
    /// The section, by its three numbers.
    at: Pos,
    is_loaded: bool,
    /// None where all is of one kind: air, or below the world.
    blocks: Option<&'a [BlockId; 4096]>,
    kind: BlockId,
    /// Once it was asked for.
    pub(super) light: Option<SectionLight>,
}

impl<'a> Stretch<'a> {
    /// The section that holds a place.
    pub(super) fn around(grid: &'a Grid, p: Pos) -> Self {
        let chunk = grid.chunk(p.x >> 4, p.z >> 4);
        let within = chunk.filter(|_| (0..=Y_MAX).contains(&p.y));
        let is_below = p.y < 0;
        Self {
            at: section_at(p),
            is_loaded: chunk.is_some(),
            blocks: within.and_then(|chunk| chunk.section(p.y)),
            kind: if is_below {
                blocks::BEDROCK
            } else {
                blocks::AIR
            },
            light: None,
        }
    }

    #[inline]
    pub(super) fn holds(&self, p: Pos) -> bool {
        self.at == section_at(p)
    }

    /// The block at a place of it, None where the column is not loaded.
    #[inline]
    pub(super) fn block(&self, p: Pos) -> Option<BlockId> {
        self.is_loaded.then(|| match self.blocks {
            Some(blocks) => blocks[cell(p.x, p.y, p.z)],
            None => self.kind,
        })
    }
}

/// True if no block that ends a ray so many blocks from its start lies between two points. Stepped by cells: a ray that
/// passes through the goal's cell counts as arriving. Nobody sees through land that is not there.
pub(super) fn reaches(
    grid: &Grid,
    from: Point,
    to: Point,
    ends: impl Fn(BlockId, f64) -> bool,
) -> bool {
    let goal = to.block();
    let far = from.distance(to);
    if from.block() == goal {
        return true;
    }
    let mut ray = Ray::towards(from, to);
    let mut here = Stretch::around(grid, ray.at());
    loop {
        let (at, distance) = ray.pass();
        if at == goal || distance > far {
            return true;
        }
        if !here.holds(at) {
            here = Stretch::around(grid, at);
        }
        if here.block(at).is_none_or(|block| ends(block, distance)) {
            return false;
        }
    }
}
