//! Gloom: which sections are dark in every cell and which are open to the sky, so that their cells need not be asked.
//!
//! It only answers for eyes; what grows asks `time`. Invariant: where it says that all is dark, the light at every cell
//! is none at any hour; where it says that all is open, the sky shines on every cell.

use super::chunk::{SIDE, Y_MAX};
use super::gaze;
use super::grid::Grid;
use super::section::{cell, section_at};
use super::time;
use crate::space::Pos;

/// Answers that are kept; more sections than rays pass in a tick.
const SLOTS: usize = 256;

/// What light there is in a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SectionLight {
    Dark,
    /// That of the open sky.
    Open,
    /// It differs from cell to cell.
    Mixed,
}

/// Cells whose lamps are kept; they share a slot with others sixteen blocks away.
const LIT: usize = 4096;

/// What is known of the sections around the eyes.
#[derive(Debug, Clone)]
pub(crate) struct Gloom {
    /// Cells, and whether they are light enough by lamps.
    lit: Vec<Option<(Pos, bool)>>,
    /// Edits of lamps and chunks when these answers were given.
    lit_as_of: (u64, usize),
    /// The section, by its three numbers, and its light.
    slots: Vec<Option<(Pos, SectionLight)>>,
    /// Edits and chunks when these answers were given.
    as_of: (u64, usize),
}

impl Default for Gloom {
    fn default() -> Self {
        Self {
            lit: vec![None; LIT],
            lit_as_of: (0, 0),
            slots: vec![None; SLOTS],
            as_of: (0, 0),
        }
    }
}

impl Gloom {
    /// Forgets what may have changed since.
    pub(crate) fn refresh(&mut self, grid: &Grid) {
        let as_of = (grid.edits(), grid.chunks_loaded());
        if self.as_of != as_of {
            self.as_of = as_of;
            self.slots.fill(None);
        }
        let as_of = (grid.lamp_edits(), grid.chunks_loaded());
        if self.lit_as_of != as_of {
            self.lit_as_of = as_of;
            self.lit.fill(None);
        }
    }

    /// Whether a cell is light enough for eyes by a lamp. The land must be as it was at `refresh`.
    pub(crate) fn is_lit(&mut self, grid: &Grid, p: Pos) -> bool {
        let slot = &mut self.lit[cell(p.x, p.y, p.z)];
        match *slot {
            Some((known, is_lit)) if known == p => is_lit,
            _ => {
                let is_lit = time::is_lit_by_lamp(grid, p, gaze::LIGHT_LEAST);
                *slot = Some((p, is_lit));
                is_lit
            }
        }
    }

    /// The light of the section that holds a place. The land must be as it was at `refresh`.
    pub(crate) fn around(&mut self, grid: &Grid, p: Pos) -> SectionLight {
        let at = section_at(p);
        let slot = ((at.z & 7) << 5 | (at.x & 7) << 2 | at.y & 3) as usize;
        match self.slots[slot] {
            Some((known, light)) if known == at => light,
            _ => {
                let light = light_of(grid, at);
                self.slots[slot] = Some((at, light));
                light
            }
        }
    }
}

fn light_of(grid: &Grid, at: Pos) -> SectionLight {
    let chunk = grid.chunk(at.x, at.z);
    if chunk.is_some_and(|chunk| chunk.roofs().1 < at.y * SIDE) {
        SectionLight::Open
    } else if is_dark(grid, at) {
        SectionLight::Dark
    } else {
        SectionLight::Mixed
    }
}

/// Whether light gets into no cell of a section: in it and in all that touch it there is no lamp, and the roofs of their
/// chunks are above it. That is farther than the light of a lamp reaches, and farther than that of an opening.
fn is_dark(grid: &Grid, at: Pos) -> bool {
    let top = at.y * SIDE + SIDE - 1;
    let heights = (at.y - 1).max(0)..=(at.y + 1).min(Y_MAX / SIDE);
    let mut chunks = (at.z - 1..=at.z + 1).flat_map(|z| (at.x - 1..=at.x + 1).map(move |x| (x, z)));
    chunks.all(|(x, z)| {
        let Some(chunk) = grid.chunk(x, z) else {
            return true;
        };
        chunk.roofs().0 >= top && !heights.clone().any(|y| chunk.has_lamps(y * SIDE))
    })
}

#[cfg(test)]
mod tests {
    use super::super::time::light_for_eyes;
    use super::*;
    use crate::block as blocks;
    use crate::rng::Rng;

    #[test]
    fn what_it_says_of_a_section_holds_for_its_cells_at_any_hour() {
        let mut grid = Grid::new(11);
        grid.ensure_around(Pos::default(), 4);
        let (mut gloom, mut rng, mut told) = (Gloom::default(), Rng::new(5), [0; 2]);
        for n in 0..3000 {
            let mut draw = |low: i32, high: i32| rng.between(low.into(), high.into()) as i32;
            let p = Pos::new(draw(-70, 70), draw(-5, 100), draw(-70, 70));
            if n % 50 == 0 {
                let block = [blocks::TORCH, blocks::AIR][n / 50 % 2];
                grid.set(p.plus(0, -p.y / 2, 0), block);
            }
            gloom.refresh(&grid);
            let expected = match gloom.around(&grid, p) {
                SectionLight::Dark => [0, 0],
                SectionLight::Open => [1, 15],
                SectionLight::Mixed => continue,
            };
            told[expected[0]] += 1;
            let light = light_for_eyes(&grid, p, 6000);
            assert_eq!(usize::from(light), expected[1], "at {p}");
        }
        assert!(told.into_iter().all(|count| count > 20), "{told:?}");
    }
}
