//! March: follows a line through the loaded blocks and stops at what is not air.
//!
//! Sections of nothing but air are crossed in one stride, which is what makes pictures cheap. It
//! knows no colours. Invariant: the cells of a line come in order, the cell of the eye excluded.

use super::super::chunk::Y_MAX;
use super::super::grid::Grid;
use super::super::section::cell as index;
use crate::block::{self as blocks, BlockId};
use crate::space::Pos;

/// Sections of a chunk, from below.
const SECTIONS: i32 = 16;

/// The blocks around an eye, laid out for quick access.
#[derive(Debug)]
pub(crate) struct BlockWindow<'g> {
    /// The first chunk along x and z.
    chunk_x: i32,
    chunk_z: i32,
    /// Chunks along one side.
    side: i32,
    /// None: not loaded. Some(None): air.
    sections: Vec<Option<Option<&'g [BlockId; 4096]>>>,
}

impl<'g> BlockWindow<'g> {
    /// The blocks within a distance of the eye.
    pub(crate) fn new(grid: &'g Grid, eye: Pos, reach: i32) -> Self {
        let chunks = reach / 16 + 1;
        let (chunk_x, chunk_z) = ((eye.x >> 4) - chunks, (eye.z >> 4) - chunks);
        let side = chunks * 2 + 1;
        let mut sections = Vec::with_capacity((side * side * SECTIONS) as usize);
        for z in chunk_z..chunk_z + side {
            for x in chunk_x..chunk_x + side {
                let chunk = grid.chunk(x, z);
                sections.extend((0..SECTIONS).map(|s| chunk.map(|chunk| chunk.section(s * 16))));
            }
        }
        Self {
            chunk_x,
            chunk_z,
            side,
            sections,
        }
    }

    /// The number of a section that lies in the window; coordinates are those of sections.
    #[inline]
    pub(crate) fn number(&self, x: i32, y: i32, z: i32) -> Option<usize> {
        let (dx, dz) = (x - self.chunk_x, z - self.chunk_z);
        let inside = |v, end| (0..end).contains(&v);
        let all = inside(dx, self.side) && inside(dz, self.side) && inside(y, SECTIONS);
        all.then(|| ((dz * self.side + dx) * SECTIONS + y) as usize)
    }

    #[inline]
    pub(crate) fn section(&self, number: usize) -> Option<Option<&'g [BlockId; 4096]>> {
        self.sections[number]
    }

    /// Sections in the window.
    pub(crate) fn len(&self) -> usize {
        self.sections.len()
    }

    /// The block at a place; air where nothing is known.
    #[inline]
    pub(crate) fn block(&self, pos: Pos) -> BlockId {
        let number = self.number(pos.x >> 4, pos.y >> 4, pos.z >> 4);
        match number.and_then(|n| self.sections[n]).flatten() {
            Some(section) => section[index(pos.x, pos.y, pos.z)],
            None => blocks::AIR,
        }
    }
}

/// A cell that the line enters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MarchCell {
    pub(crate) pos: Pos,
    pub(crate) block: BlockId,
    /// Distance from the eye to where the line enters.
    pub(crate) at: f32,
    /// The axis across which it enters.
    pub(crate) axis: usize,
}

/// One line on its way.
#[derive(Debug)]
pub(crate) struct March<'w, 'g> {
    window: &'w BlockWindow<'g>,
    cell: [i32; 3],
    step: [i32; 3],
    /// Distance to the next border of each axis, and between two borders.
    next: [f32; 3],
    delta: [f32; 3],
    section: Option<&'g [BlockId; 4096]>,
}

impl<'w, 'g> March<'w, 'g> {
    /// A line from a point in cell `eye` (`inside` it, 0..1 each) along a direction of length one.
    pub(crate) fn new(
        window: &'w BlockWindow<'g>,
        eye: Pos,
        inside: [f32; 3],
        along: [f32; 3],
    ) -> Self {
        let mut march = Self {
            window,
            cell: [eye.x, eye.y, eye.z],
            step: [0; 3],
            next: [f32::INFINITY; 3],
            delta: [f32::INFINITY; 3],
            section: None,
        };
        for axis in 0..3 {
            if along[axis] > 1e-6 {
                march.step[axis] = 1;
                march.delta[axis] = 1.0 / along[axis];
                march.next[axis] = (1.0 - inside[axis]) * march.delta[axis];
            } else if along[axis] < -1e-6 {
                march.step[axis] = -1;
                march.delta[axis] = -1.0 / along[axis];
                march.next[axis] = inside[axis] * march.delta[axis];
            }
        }
        march.enter_section();
        march
    }

    /// False where the world is not known or ends; above the world there is air.
    #[inline]
    fn enter_section(&mut self) -> bool {
        let [x, y, z] = self.cell;
        self.section = None;
        if y > Y_MAX {
            return self.step[1] < 0;
        }
        let number = self.window.number(x >> 4, y >> 4, z >> 4);
        match number.and_then(|n| self.window.section(n)) {
            Some(section) => {
                self.section = section;
                true
            }
            None => false,
        }
    }

    /// The next cell within `limit` that is not air, or is air when `with_air` asks for it.
    #[inline]
    pub(crate) fn next(&mut self, limit: f32, with_air: bool) -> Option<MarchCell> {
        loop {
            if self.section.is_none() && !with_air {
                self.stride();
            }
            let (visit, leaves) = self.walk(limit, with_air)?;
            if leaves && !self.enter_section() {
                return None;
            }
            // What was read before a border was crossed is not this cell's.
            let block = if leaves { self.here() } else { visit.block };
            if block != blocks::AIR || with_air {
                return Some(MarchCell { block, ..visit });
            }
        }
    }

    #[inline]
    fn here(&self) -> BlockId {
        let [x, y, z] = self.cell;
        self.section
            .map_or(blocks::AIR, |section| section[index(x, y, z)])
    }

    /// Walks to the next cell that is not air or lies beyond the section (then true), within `limit`.
    ///
    /// The loop that pictures spend their time in: one scalar per axis, so that all stay in registers.
    #[inline]
    fn walk(&mut self, limit: f32, with_air: bool) -> Option<(MarchCell, bool)> {
        let [mut x, mut y, mut z] = self.cell;
        let [mut to_x, mut to_y, mut to_z] = self.next;
        let ([step_x, step_y, step_z], [by_x, by_y, by_z]) = (self.step, self.delta);
        let border = |step: i32| if step > 0 { 0 } else { 15 };
        let (edge_x, edge_y, edge_z) = (border(step_x), border(step_y), border(step_z));
        loop {
            let (at, axis, leaves);
            if to_x < to_y && to_x < to_z {
                (at, axis) = (to_x, 0);
                to_x += by_x;
                x += step_x;
                leaves = x & 15 == edge_x;
            } else if to_y < to_z {
                (at, axis) = (to_y, 1);
                to_y += by_y;
                y += step_y;
                leaves = y & 15 == edge_y;
            } else {
                (at, axis) = (to_z, 2);
                to_z += by_z;
                z += step_z;
                leaves = z & 15 == edge_z;
            }
            if at > limit {
                return None;
            }
            let block = match self.section {
                Some(section) if !leaves => section[index(x, y, z)],
                _ => blocks::AIR,
            };
            if leaves || with_air || block != blocks::AIR {
                (self.cell, self.next) = ([x, y, z], [to_x, to_y, to_z]);
                return Some((
                    MarchCell {
                        pos: Pos::new(x, y, z),
                        block,
                        at,
                        axis,
                    },
                    leaves,
                ));
            }
        }
    }

    /// Goes to the last cell of a section of air.
    #[inline]
    fn stride(&mut self) {
        // Borders that still lie inside the section along each axis, and where the line leaves it.
        let mut left = [0_i32; 3];
        let mut leave = f32::INFINITY;
        for (axis, left) in left.iter_mut().enumerate() {
            if self.step[axis] == 0 {
                continue;
            }
            let within = self.cell[axis] & 15;
            *left = if self.step[axis] > 0 {
                15 - within
            } else {
                within
            };
            leave = leave.min(self.next[axis] + *left as f32 * self.delta[axis]);
        }
        for (axis, left) in left.into_iter().enumerate() {
            if self.step[axis] != 0 && self.next[axis] < leave {
                let crossed =
                    (((leave - self.next[axis]) / self.delta[axis]).ceil() as i32).min(left);
                self.cell[axis] += crossed * self.step[axis];
                self.next[axis] += crossed as f32 * self.delta[axis];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_empty_sections_meets_what_a_slow_line_meets() {
        let mut grid = Grid::flat(40);
        grid.ensure_around(Pos::default(), 4);
        grid.set(Pos::new(20, 41, 11), blocks::OAK_LOG);
        let eye = Pos::new(3, 130, -7);
        let window = BlockWindow::new(&grid, eye, 60);
        for i in 0..400_i32 {
            let (a, b) = (
                f64::from(i % 20) * 0.05 - 0.5,
                f64::from(i / 20) * 0.05 - 0.5,
            );
            let length = (a * a + b * b + 1.0).sqrt();
            let along = [a / length, -1.0 / length, b / length].map(|v| v as f32);
            let quick = March::new(&window, eye, [0.3, 0.6, 0.2], along).next(300.0, false);
            let mut slow = March::new(&window, eye, [0.3, 0.6, 0.2], along);
            let slow =
                std::iter::from_fn(|| slow.next(300.0, true)).find(|v| v.block != blocks::AIR);
            let pos = |visit: Option<MarchCell>| visit.map(|v| (v.pos, v.axis));
            assert_eq!(pos(quick), pos(slow), "{along:?}");
        }
    }
}
