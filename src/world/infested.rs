//! Infested: blocks with a silverfish in them, and the blocks that they pass for.
//!
//! Invariant: an infested block looks like its host; only who breaks it learns which it was.

use crate::block::{BlockId, INFESTED_CHISELED_STONE_BRICKS, INFESTED_STONE};

/// The block that an infested one passes for; None for all others.
#[inline]
#[must_use]
pub fn host(block: BlockId) -> Option<BlockId> {
    // Their rows stand together, so all others cost two comparisons.
    if !(INFESTED_STONE..=INFESTED_CHISELED_STONE_BRICKS).contains(&block) {
        return None;
    }
    BlockId::named(block.name().strip_prefix("infested_")?)
}

/// The block as it looks.
#[inline]
#[must_use]
pub fn as_seen(block: BlockId) -> BlockId {
    host(block).unwrap_or(block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::break_ticks;
    use crate::drops::{drops_of, silk_touch_drop};

    #[test]
    fn infested_blocks_pass_for_their_hosts_and_all_others_for_themselves() {
        for block in BlockId::all() {
            let host = block.name().strip_prefix("infested_");
            assert_eq!(as_seen(block).name(), host.unwrap_or(block.name()));
            assert_eq!(super::host(block).is_some(), host.is_some(), "{block}");
        }
    }

    #[test]
    fn an_infested_block_breaks_at_once_and_gives_its_host_to_silk_touch_only() {
        for block in BlockId::all().filter(|block| host(*block).is_some()) {
            assert_eq!(break_ticks(block, None, false, true), Some(0), "{block}");
            assert!(drops_of(block, None).is_empty(), "{block}");
            assert_eq!(silk_touch_drop(block), as_seen(block).item(), "{block}");
        }
    }
}
