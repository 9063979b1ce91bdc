//! Where blobs of ore, dirt and other rock lie in the stone of 1.16.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::block::BlockId;
use crate::naming::table;

/// One kind of blob; the order of the table is the order in which the game places them.
/// Blocks of the table are laid in this order, and later ones may replace earlier rock.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Ore {
    pub block: BlockId,
    /// Blocks in a blob, at most.
    pub size: u32,
    /// Blobs tried in each chunk of 16x16 columns.
    pub per_chunk: u32,
    /// Heights are inclusive.
    pub y_min: i32,
    pub y_max: i32,
    #[serde(default)]
    pub shape: Spread,
    /// Only in this biome; None: everywhere.
    pub biome: Option<String>,
}

/// How the middle of a blob is drawn between the heights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spread {
    #[default]
    Even,
    /// Most likely in the middle.
    Triangle,
}

#[derive(Deserialize)]
struct OreTable {
    ores: Vec<Ore>,
}

static ORES: LazyLock<Vec<Ore>> = LazyLock::new(|| {
    let read: OreTable = table("ores.json", include_str!("data/ores.json"));
    read.ores
});

#[must_use]
pub fn ores() -> &'static [Ore] {
    &ORES
}

/// The height at which most of `block` lies, for a digger; None if it does not lie in blobs.
#[must_use]
pub fn best_height(block: BlockId) -> Option<i32> {
    let ore = ORES.iter().find(|ore| ore.block == block)?;
    // Levels 1 to 4 are bedrock in part, and the first lava lakes stand at 10: just above is where miners go.
    Some(
        // The middle, but above the lava and not above the top.
        i32::midpoint(ore.y_min, ore.y_max)
            .max(LAVA_LEVEL + 1)
            .min(ore.y_max),
    )
}

/// True if only some kinds of land have it under them.
#[must_use]
pub fn is_bound_to_land(block: BlockId) -> bool {
    let mut rows = ORES.iter().filter(|ore| ore.block == block).peekable();
    rows.peek().is_some() && rows.all(|ore| ore.biome.is_some())
}

/// Caves are full of lava up to this height.
pub(crate) const LAVA_LEVEL: i32 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emeralds_and_infested_stone_are_bound_to_land() {
        let bound = BlockId::all().filter(|block| is_bound_to_land(*block));
        assert_eq!(
            bound.map(BlockId::name).collect::<Vec<_>>(),
            ["infested_stone", "emerald_ore"]
        );
    }

    #[test]
    fn diamonds_lie_deep() {
        let diamond = BlockId::named("diamond_ore").unwrap();
        let ore = ores().iter().find(|ore| ore.block == diamond).unwrap();
        assert_eq!(
            (ore.size, ore.per_chunk, ore.y_min, ore.y_max),
            (8, 1, 0, 15)
        );
        assert_eq!(best_height(diamond), Some(11));
        assert_eq!(best_height(BlockId::named("oak_log").unwrap()), None);
        assert!(
            ores()
                .iter()
                .all(|ore| ore.y_min <= ore.y_max && ore.size > 0)
        );
    }
}
