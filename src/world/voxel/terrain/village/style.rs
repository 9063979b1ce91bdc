//! Styles: what villages of each land are built of.

use super::super::biome::Biome;
use crate::block::BlockId;
use std::sync::LazyLock;

/// The blocks of a village.
#[derive(Debug)]
pub(super) struct Style {
    pub(super) biomes: &'static [Biome],
    pub(super) floor: BlockId,
    pub(super) wall: BlockId,
    pub(super) corner: BlockId,
    pub(super) roof: BlockId,
    pub(super) path: BlockId,
    pub(super) bed: BlockId,
    /// The loot of houses whose trade has none of its own.
    pub(super) loot: &'static str,
}

/// Land, then floor, wall, corner, roof, path and bed.
/// Names, not ids, because block ids are not constants for all of these blocks.
type Row = (&'static [Biome], [&'static str; 6], &'static str);

const ROWS: [Row; 5] = [
    (
        &[Biome::Plains, Biome::SunflowerPlains],
        [
            "cobblestone",
            "oak_planks",
            "oak_log",
            "oak_planks",
            "grass_path",
            "white_bed",
        ],
        "plains_house",
    ),
    (
        &[Biome::Desert],
        [
            "smooth_sandstone",
            "sandstone",
            "cut_sandstone",
            "smooth_sandstone",
            "smooth_sandstone",
            "cyan_bed",
        ],
        "desert_house",
    ),
    (
        &[Biome::Savanna],
        [
            "acacia_planks",
            "yellow_terracotta",
            "acacia_log",
            "acacia_planks",
            "grass_path",
            "orange_bed",
        ],
        "savanna_house",
    ),
    (
        &[Biome::Taiga],
        [
            "cobblestone",
            "spruce_planks",
            "spruce_log",
            "spruce_planks",
            "grass_path",
            "blue_bed",
        ],
        "taiga_house",
    ),
    (
        &[Biome::SnowyTundra],
        [
            "spruce_planks",
            "diorite",
            "stripped_spruce_log",
            "spruce_planks",
            "grass_path",
            "red_bed",
        ],
        "snowy_house",
    ),
];

static STYLES: LazyLock<Vec<Style>> = LazyLock::new(|| {
    let block = |name: &str| BlockId::named(name).expect("a test builds with every style");
    let style = |(biomes, names, loot): Row| {
        let [floor, wall, corner, roof, path, bed] = names.map(block);
        Style {
            biomes,
            floor,
            wall,
            corner,
            roof,
            path,
            bed,
            loot,
        }
    };
    ROWS.map(style).into()
});

/// How villages look in a biome; None where there are none.
pub(super) fn style_of(biome: Biome) -> Option<&'static Style> {
    STYLES.iter().find(|style| style.biomes.contains(&biome))
}
