//! Buildings: what the body means to stand where, and how much of it stands as far as it has seen.

use super::seen::Seen;
use crate::blueprint::{self, BlueprintName, BuildSight};
use crate::family::ItemSpec;
use crate::space::Pos;

/// Buildings of one body that are remembered; the oldest are forgotten.
pub(crate) const BUILDINGS_MAX: usize = 8;

/// Blocks at their places.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Building {
    /// None for blocks that were ordered without a name.
    pub(crate) blueprint: Option<BlueprintName>,
    pub(crate) at: Pos,
    pub(crate) blocks: Vec<(ItemSpec, Pos)>,
    /// Cells that must be free in the end.
    pub(crate) clear: Vec<Pos>,
    /// Tries in a row that brought nothing.
    pub(crate) vain: u32,
}

impl Building {
    /// The block is there, as far as was seen.
    pub(crate) fn stands(seen: &Seen, item: ItemSpec, at: Pos) -> bool {
        let block = seen.block(at);
        block.is_some_and(|block| blueprint::is_as_asked(item, block))
    }

    pub(crate) fn is_free(seen: &Seen, at: Pos) -> bool {
        let nature = seen.nature(at);
        nature.is_open() && !nature.is_water()
    }

    /// The blocks that are still to be put down.
    pub(crate) fn missing(&self, seen: &Seen) -> Vec<(ItemSpec, Pos)> {
        let blocks = self.blocks.iter().copied();
        blocks
            .filter(|(item, at)| !Self::stands(seen, *item, *at))
            .collect()
    }

    /// The cells that something is in.
    pub(crate) fn filled(&self, seen: &Seen) -> Vec<Pos> {
        let cells = self.clear.iter().copied();
        cells.filter(|at| !Self::is_free(seen, *at)).collect()
    }

    pub(crate) fn is_whole(&self, seen: &Seen) -> bool {
        self.missing(seen).is_empty() && self.filled(seen).is_empty()
    }

    /// Blocks that stand, and how many there are.
    pub(crate) fn progress(&self, seen: &Seen) -> (u32, u32) {
        let of = self.blocks.len();
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (count(of - self.missing(seen).len()), count(of))
    }

    /// What a frame tells of it; nothing of blocks without a name.
    pub(crate) fn sight(&self, seen: &Seen) -> Option<BuildSight> {
        let missing = self.missing(seen);
        let (stands, of) = self.progress(seen);
        Some(BuildSight {
            blueprint: self.blueprint.clone()?,
            at: self.at,
            stands,
            of,
            filled: u32::try_from(self.filled(seen).len()).unwrap_or(u32::MAX),
            lacks: blueprint::material(missing.into_iter().map(|(item, _)| item)),
        })
    }
}
