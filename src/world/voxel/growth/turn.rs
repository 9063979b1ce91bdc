//! The turn of one cell that may grow: what it is given, and what becomes of it.

use crate::observation::Weather;
use crate::rng::Rng;
use crate::space::Pos;
use crate::voxel::grid::Grid;
use crate::voxel::time;

/// Plants want this much light.
const LIGHT_LEAST: u8 = 9;

/// What becomes of a cell after its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// It waits for another turn.
    Again,
    /// It has come to rest.
    Done,
    /// It is gone and leaves something.
    Withered,
}

/// What a cell is given for its turn.
pub(super) struct Turn<'a> {
    pub(super) grid: &'a mut Grid,
    pub(super) at: Pos,
    pub(super) day_time: u32,
    pub(super) weather: Weather,
    pub(super) rng: Rng,
}

impl Turn<'_> {
    pub(super) fn is_lit(&self) -> bool {
        time::light_at(self.grid, self.at, self.day_time) >= LIGHT_LEAST
    }
}
