//! Looks: colour, pattern and shape of every block, from colours.json and from what names say.
//!
//! A block that is not listed is made of something that is: slabs of stone, doors of oak, wool of
//! a dye. Invariant: every block of the game has a look; no file is read at run time.

use super::picture::Rgb;
use super::shape::{self, Shape};
use crate::block::{self as blocks, BlockId};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::sync::LazyLock;

/// A colour with room for light, 0..=1 each.
pub(crate) type Tone = [f32; 3];

/// How the texels of a face are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Pattern {
    Bars,
    Bench,
    Blades,
    Brick,
    Bush,
    Cactus,
    Cane,
    Chest,
    Cobble,
    Crop,
    Earth,
    Flame,
    Flower,
    Furnace,
    Furrows,
    Glass,
    Grain,
    Gravel,
    Ice,
    Lava,
    Leaves,
    Log,
    Metal,
    Ore,
    Pad,
    Planks,
    Ribs,
    Rock,
    Rungs,
    Shelf,
    Snow,
    Strata,
    Tnt,
    Toadstool,
    Torch,
    Turf,
    Twigs,
    Vine,
    Water,
    Web,
    Wool,
}

/// How a block looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockAppearance {
    pub(crate) colour: Tone,
    /// Second colour: ore in rock, the side of turf, the rings of a log.
    pub(crate) accent: Tone,
    pub(crate) pattern: Pattern,
    pub(crate) shape: Shape,
    /// It shines by itself.
    pub(crate) glows: bool,
}

#[derive(Deserialize)]
struct ColourTable {
    dyes: FxHashMap<String, String>,
    woods: FxHashMap<String, Wood>,
    blocks: FxHashMap<String, Material>,
}

#[derive(Deserialize)]
struct Wood {
    planks: String,
    bark: String,
    rings: String,
    leaves: String,
}

/// A row of the table: colour, pattern and perhaps accent.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Material {
    Plain(String, Pattern),
    Accented(String, Pattern, String),
}

/// What is left of a block's name shows what it is made of.
const FORMS: [&str; 14] = [
    "_slab",
    "_stairs",
    "_wall_sign",
    "_wall",
    "_fence_gate",
    "_fence",
    "_trapdoor",
    "_door",
    "_button",
    "_pressure_plate",
    "_sign",
    "_pane",
    "_wall_banner",
    "_wood",
];
/// Endings that a material has and its forms drop: brick_slab is of bricks, oak_door of oak_planks.
const ENDINGS: [&str; 5] = ["", "s", "_planks", "_block", "_log"];

static LOOKS: LazyLock<Vec<BlockAppearance>> = LazyLock::new(|| {
    let table: ColourTable = serde_json::from_str(include_str!("colours.json"))
        .expect("colours.json reads; a test asks for every look");
    BlockId::all().map(|block| look(&table, block)).collect()
});

/// The looks of all blocks, by row.
pub(crate) fn all() -> &'static [BlockAppearance] {
    &LOOKS
}

impl BlockAppearance {
    pub(crate) fn of_block(block: BlockId) -> &'static Self {
        &LOOKS[usize::from(block.row())]
    }

    /// The colour of the block on a map.
    pub(crate) fn on_map(&self) -> Tone {
        match self.pattern {
            Pattern::Log | Pattern::Flower | Pattern::Toadstool => self.accent,
            Pattern::Ore => blend(self.colour, self.accent, 0.5),
            Pattern::Leaves => scaled(self.colour, 0.8),
            _ => self.colour,
        }
    }
}

fn look(table: &ColourTable, block: BlockId) -> BlockAppearance {
    let name = block.name();
    let (colour, pattern, accent) = material(table, name).unwrap_or_else(unknown).parts();
    BlockAppearance {
        colour,
        accent,
        pattern,
        shape: shape::shape_of(block),
        glows: block.facts().luminance >= 6 && block != blocks::FURNACE,
    }
}

fn unknown() -> Material {
    Material::Plain("#8a8a8a".to_owned(), Pattern::Wool)
}

fn material(table: &ColourTable, name: &str) -> Option<Material> {
    let name = name.strip_prefix("infested_").unwrap_or(name);
    if name.starts_with("potted_") {
        return table.blocks.get("potted").cloned();
    }
    let made_of = |base: &str| {
        table
            .blocks
            .get(base)
            .cloned()
            .or_else(|| wooden(table, base))
            .or_else(|| dyed(table, base))
    };
    made_of(name).or_else(|| {
        let base = FORMS.iter().find_map(|form| name.strip_suffix(form))?;
        ENDINGS
            .iter()
            .find_map(|ending| made_of(&format!("{base}{ending}")))
    })
}

fn wooden(table: &ColourTable, name: &str) -> Option<Material> {
    let bare = name
        .strip_prefix("stripped_")
        .or_else(|| name.strip_prefix("petrified_"));
    let plain = bare.unwrap_or(name);
    // dark_oak before oak: the longest kind that fits.
    let (kind, wood) = table
        .woods
        .iter()
        .filter(|(kind, _)| plain.starts_with(kind.as_str()))
        .max_by_key(|(kind, _)| kind.len())?;
    let bark = if bare.is_some() {
        &wood.rings
    } else {
        &wood.bark
    };
    let row = |colour: &String, pattern| Some(Material::Plain(colour.clone(), pattern));
    match plain.strip_prefix(kind.as_str())? {
        "_planks" | "_slab" => row(&wood.planks, Pattern::Planks),
        "_leaves" => row(&wood.leaves, Pattern::Leaves),
        "_sapling" => Some(Material::Accented(
            wood.leaves.clone(),
            Pattern::Bush,
            wood.bark.clone(),
        )),
        "_log" | "_wood" | "_stem" | "_hyphae" => Some(Material::Accented(
            bark.clone(),
            Pattern::Log,
            wood.rings.clone(),
        )),
        _ => None,
    }
}

fn dyed(table: &ColourTable, name: &str) -> Option<Material> {
    let (dye, colour) = table
        .dyes
        .iter()
        .filter(|(dye, _)| name.starts_with(dye.as_str()))
        .max_by_key(|(dye, _)| dye.len())?;
    let pattern = match name.strip_prefix(dye.as_str())? {
        "_wool" | "_carpet" | "_bed" | "_banner" | "_wall_banner" | "_terracotta" => Pattern::Wool,
        "_concrete" | "_shulker_box" => Pattern::Metal,
        "_concrete_powder" => Pattern::Grain,
        "_glazed_terracotta" => Pattern::Cobble,
        "_stained_glass" | "_stained_glass_pane" => Pattern::Glass,
        _ => return None,
    };
    Some(Material::Plain(colour.clone(), pattern))
}

impl Material {
    fn parts(self) -> (Tone, Pattern, Tone) {
        match self {
            Self::Plain(colour, pattern) => {
                let colour = tone(&colour);
                (colour, pattern, colour.map(|c| c * 0.7))
            }
            Self::Accented(colour, pattern, accent) => (tone(&colour), pattern, tone(&accent)),
        }
    }
}

/// The colour of a `#rrggbb`; grey if it is none.
fn tone(hex: &str) -> Tone {
    let value = u32::from_str_radix(hex.trim_start_matches('#'), 16).unwrap_or(0x0080_8080);
    [16, 8, 0].map(|shift| ((value >> shift) & 0xFF) as f32 / 255.0)
}

/// The nearest colour of a screen.
#[inline]
pub(crate) fn to_rgb(tone: Tone) -> Rgb {
    tone.map(|c| (c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8)
}

/// Between two colours: all `from` at 0, all `to` at 1.
#[inline]
pub(crate) fn blend(from: Tone, to: Tone, share: f32) -> Tone {
    [0, 1, 2].map(|i| from[i] + (to[i] - from[i]) * share)
}

/// A colour made darker or brighter.
#[inline]
pub(crate) fn scaled(tone: Tone, by: f32) -> Tone {
    tone.map(|c| c * by)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_is_made_of_something() {
        let table: ColourTable = serde_json::from_str(include_str!("colours.json")).unwrap();
        let without: Vec<&str> = BlockId::all()
            .map(BlockId::name)
            .filter(|name| !name.contains("air") && material(&table, name).is_none())
            .collect();
        assert_eq!(without, ["barrier", "structure_void"]);
    }

    #[test]
    fn forms_have_the_colour_of_what_they_are_made_of() {
        let colour = |name: &str| BlockAppearance::of_block(BlockId::named(name).unwrap()).colour;
        assert_eq!(colour("dark_oak_fence"), colour("dark_oak_planks"));
        assert_eq!(colour("brick_stairs"), colour("bricks"));
        assert_ne!(colour("oak_planks"), colour("dark_oak_planks"));
        assert_eq!(colour("light_blue_wool"), colour("light_blue_carpet"));
        assert!(
            BlockAppearance::of_block(blocks::LAVA).glows
                && !BlockAppearance::of_block(blocks::STONE).glows
        );
    }
}
