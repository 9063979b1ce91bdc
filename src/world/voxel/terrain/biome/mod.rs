//! Biomes: what each kind of land is made of and what grows and lives there, as rows of a table.
//!
//! A new biome is a variant, a row of `rows::FACTS` and a row of `climate`, not code. Heights are
//! made in `shape`. Names are those of 1.16.

pub(crate) mod climate;
mod flora;
pub(crate) mod homes;
mod rows;

use super::tree::TreeKind;
use crate::block::BlockId;
use crate::mob::MobKind;
pub use rows::FACTS;

/// A kind of land.
/// The order of the variants is the order of `FACTS`: `facts` indexes the table with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Biome {
    Ocean,
    WarmOcean,
    ColdOcean,
    FrozenOcean,
    River,
    FrozenRiver,
    Beach,
    SnowyBeach,
    Mountains,
    MushroomFields,
    Plains,
    SunflowerPlains,
    Forest,
    FlowerForest,
    BirchForest,
    DarkForest,
    Taiga,
    SnowyTundra,
    SnowyTaiga,
    Jungle,
    Savanna,
    Desert,
    Badlands,
    Swamp,
}

/// What comes from the clouds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Falls {
    Rain,
    Snow,
    Nothing,
}

/// A herd that may live in a biome: kind, weight, smallest and largest group.
pub(crate) type Herd = (MobKind, u32, u32, u32);

/// What a biome is made of.
#[derive(Debug)]
pub struct BiomeFacts {
    pub biome: Biome,
    pub name: &'static str,
    /// The uppermost block, above water.
    /// Grass or sand, mostly; it also decides which trees and plants can stand.
    pub top: BlockId,
    /// The three or four blocks below it.
    pub under: BlockId,
    /// What follows below `under`, four blocks of it.
    pub below: BlockId,
    /// The ground under shallow water.
    pub bed: BlockId,
    /// Kinds of tree with their share in 100.
    pub trees: &'static [(TreeKind, u32)],
    /// Trees per 4×4 columns, in 1/1000.
    pub tree_density: u32,
    /// Plants that stand on the ground, in 1/10,000 of columns.
    pub plants: &'static [&'static [(BlockId, u32)]],
    /// Herds that come with their chunk, on land.
    pub animals: &'static [Herd],
    /// What swims in its water.
    pub swimmers: &'static [Herd],
    /// What comes in the dark, with weights.
    pub monsters: &'static [(MobKind, u32)],
    /// Snow lies here and still water is frozen.
    pub snowy: bool,
    /// How hills here differ from the common ones; `COMMON` for most.
    pub relief: Relief,
    /// Fit for a player to begin in.
    pub spawn: bool,
}

/// How the land of a biome differs from the common hills; fades out towards its borders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relief {
    /// Hills are so many times as high.
    /// 1.0 leaves them as they are, 0.0 makes the land flat.
    pub hills: f32,
    /// The ground is drawn towards this height, by the share that follows.
    /// `pull` 0.0 leaves the ground, 1.0 puts it at `level`.
    pub level: f32,
    pub pull: f32,
    /// Table mountains stand up to so high above the rest.
    pub mesas: f32,
}

/// Land without a shape of its own.
pub(crate) const COMMON: Relief = Relief {
    hills: 1.0,
    level: 0.0,
    pull: 0.0,
    mesas: 0.0,
};

impl Biome {
    #[inline]
    #[must_use]
    pub fn facts(self) -> &'static BiomeFacts {
        &FACTS[self as usize]
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The biome of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        FACTS
            .iter()
            .find(|row| row.name == name)
            .map(|row| row.biome)
    }

    /// What comes down here when it rains elsewhere.
    /// Deserts, savannas and badlands stay dry in a storm, as in the game.
    #[must_use]
    pub fn falls(self) -> Falls {
        match self {
            Self::Desert | Self::Savanna | Self::Badlands => Falls::Nothing,
            _ if self.facts().snowy => Falls::Snow,
            _ => Falls::Rain,
        }
    }

    /// How warm the land is, from snow, -2, to desert, 2; None for what there is in every climate.
    #[must_use]
    pub(crate) fn warmth(self) -> Option<i32> {
        match self {
            Self::Desert | Self::Badlands | Self::Savanna | Self::Jungle => Some(2),
            Self::WarmOcean => Some(1),
            Self::Taiga | Self::ColdOcean => Some(-1),
            Self::Mountains | Self::MushroomFields | Self::River | Self::Beach => None,
            _ if self.facts().snowy => Some(-2),
            _ => Some(0),
        }
    }

    /// True for seas of every warmth.
    #[must_use]
    pub fn is_ocean(self) -> bool {
        matches!(
            self,
            Self::Ocean | Self::WarmOcean | Self::ColdOcean | Self::FrozenOcean
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_biome_finds_its_own_row() {
        for (i, facts) in FACTS.iter().enumerate() {
            assert_eq!(facts.biome as usize, i, "{}", facts.name);
            assert_eq!(facts.trees.iter().map(|(_, share)| share).sum::<u32>(), 100);
            assert_eq!(Biome::named(facts.name), Some(facts.biome));
            let plants = facts.plants.iter().copied().flatten();
            assert!(
                plants.map(|(_, share)| share).sum::<u32>() <= 10_000,
                "{}",
                facts.name
            );
        }
    }
}
