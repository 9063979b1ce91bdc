//! Out of reach: the blocks that have to do with a thing and do not give it to the planner, and why each does not.
//!
//! It belongs to the beliefs: the game's tables are asked here and nothing is remembered wrongly.

use super::beliefs::Beliefs;
use pithead_world::block::BlockId;
use pithead_world::drops::{blocks_dropping, drops_of, silk_touch_drop};
use pithead_world::family::ItemSpec;
use pithead_world::item::{ItemId, Tier, ToolKind};
use pithead_world::natural::lie;
use pithead_world::uses::turned_into;

/// Blocks that stand in some relation to a thing.
#[derive(Debug)]
pub(super) struct OutOfReach {
    /// They drop it and lie nowhere by themselves.
    pub(super) unnatural: Vec<BlockId>,
    /// A tool with silk touch takes it from them.
    pub(super) silk: Vec<BlockId>,
    /// A tool that is used on the block makes a block of it.
    pub(super) turned: Vec<(ToolKind, BlockId)>,
    /// It is itself such a block, and breaking that never gives it.
    pub(super) lost: Option<BlockId>,
}

impl Beliefs {
    /// The blocks by which a thing is out of reach.
    #[must_use]
    pub(super) fn out_of_reach(&self, wanted: ItemSpec) -> OutOfReach {
        let dropping: Vec<BlockId> = blocks_dropping(wanted)
            .iter()
            .map(|source| source.block)
            .collect();
        let takes_silk = |block: &BlockId| {
            let drop = silk_touch_drop(*block);
            drop.is_some_and(|drop| wanted.matches(drop))
        };
        let itself = wanted.single().and_then(|item| item.facts().places);
        let is_taken = |block: &BlockId| dropping.contains(block) || takes_silk(block);
        let is_wild = |block: &BlockId| lie(*block).is_some();
        OutOfReach {
            silk: BlockId::all()
                .filter(|block| is_wild(block) && takes_silk(block))
                .collect(),
            turned: itself
                .filter(is_taken)
                .map_or_else(Vec::new, |block| turned_into(block).collect()),
            lost: itself.filter(|block| !is_taken(block)),
            unnatural: dropping.iter().copied().filter(|b| !is_wild(b)).collect(),
        }
    }
}

/// What comes of breaking a block that never gives itself.
pub(super) fn loss_of(block: BlockId) -> String {
    if block.facts().hardness < 0.0 {
        return format!("{block} cannot be broken");
    }
    let tool = block.facts().harvest;
    let tool = tool.and_then(|harvest| ItemId::of_tool(harvest.kind, harvest.tier));
    match drops_of(block, tool) {
        [] => format!("{block} leaves nothing when it is broken"),
        [first, ..] => format!("{block} leaves {} when it is broken", first.item),
    }
}

/// How the tool makes it of the block.
pub(super) fn use_of((kind, block): (ToolKind, BlockId)) -> String {
    let tool = ItemId::of_tool(kind, Tier::Wood).map_or(kind.word(), ItemId::name);
    format!("only {tool} or better makes it, used on {block}, and no step does that")
}
