//! What the hands are at: the block under work, the arm, the mouthful.
//!
//! `hands` changes it, once per tick.

use crate::block::BlockId;
use crate::item::ItemId;
use crate::powers::Powers;
use crate::space::Pos;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct HandState {
    pub digging: Option<Digging>,
    /// Ticks until the next block can be begun.
    /// See `REST_TICKS`; one blow blocks have none.
    pub rest: u8,
    /// Ticks since the last blow or change of what is held.
    /// How strong the next blow is depends on it.
    pub since_blow: u32,
    /// Ticks of chewing so far.
    /// A meal is 32.
    pub eating: u32,
    /// How fast they break and how hard they strike; a declared aid.
    pub powers: Powers,
}

/// Work on one block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Digging {
    pub at: Pos,
    pub block: BlockId,
    /// 0 to 1.
    pub progress: f64,
    // These three conditions decide the rate; if one changes, the rate is computed anew and
    // the progress stays.
    pub(in crate::voxel) held: Option<ItemId>,
    pub(in crate::voxel) wet: bool,
    pub(in crate::voxel) grounded: bool,
    /// Progress per tick under the conditions above.
    pub(in crate::voxel) rate: f64,
}
