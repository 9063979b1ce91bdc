//! Infested blocks: a silverfish comes out of one that breaks.
//!
//! Invariant: silk touch takes the block whole, and none comes out.

use super::body::placing::drop_unsupported;
use super::sim::Simulation;
use super::yields::taken_whole;
use crate::block::{self as blocks, BlockId};
use crate::infested::host;
use crate::inventory::Stack;
use crate::mob::MobKind;
use crate::space::Pos;

/// Lets out what was in a block that broke.
pub(super) fn let_out(sim: &mut Simulation, at: Pos, block: BlockId, held: Option<Stack>) {
    if host(block).is_some() && taken_whole(block, held).is_none() {
        sim.mobs.add(MobKind::Silverfish, at.floor());
    }
}

/// One that was called breaks its block from within.
pub(super) fn break_out(sim: &mut Simulation, at: Pos) {
    let block = sim.grid.block(at);
    // Two may have called it in the same tick.
    if host(block).is_some() {
        sim.grid.set(at, blocks::AIR);
        let_out(sim, at, block, None);
        drop_unsupported(sim, at);
    }
}
