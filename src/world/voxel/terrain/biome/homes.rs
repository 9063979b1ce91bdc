//! Homes: the biomes in which one looks for a block, an animal or a monster.
//!
//! Common knowledge of any player, told by the same table that the land is made from. Invariant: nothing is said of
//! what no biome bears more of than others, or what is found in most of them.

use super::{Biome, BiomeFacts, FACTS};
use crate::block::{self as blocks, BlockId};
use crate::mob::MobKind;
use crate::ore::ores;
use crate::voxel::terrain::tree::TreeKind;

/// A biome that bears less than this share of what the richest bears is no home.
const POOR: u32 = 4;
/// What more biomes bear than this is found everywhere.
const MANY: u32 = 12;
/// Columns of ground of one kind, in the unit of plants: 1/10,000.
const ALL_COLUMNS: u32 = 10_000;
/// A tree stands for its wood, several blocks of it, in 1/1000 of 4×4 columns: so many in the unit of plants.
const PER_TREE: u32 = 2;

/// A set of biomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Biomes(u32);

impl Biomes {
    pub(crate) fn holds(self, biome: Biome) -> bool {
        self.0 & (1 << biome as u32) != 0
    }

    /// How much colder or warmer than all of these a place is.
    pub(crate) fn out_of_climate(self, warmth: i32) -> i32 {
        let homes = FACTS.iter().map(|facts| facts.biome);
        let homes = homes.filter(|biome| self.holds(*biome));
        // What there is in every climate is at home in this one too.
        let gaps = homes.map(|biome| biome.warmth().map_or(0, |home| (home - warmth).abs()));
        gaps.min().unwrap_or(0)
    }

    fn is_telling(self) -> bool {
        self.0 != 0 && self.0.count_ones() <= MANY
    }

    fn rich(share: impl Fn(&BiomeFacts) -> u32) -> Self {
        let shares = FACTS.each_ref().map(share);
        let most = shares.into_iter().max().unwrap_or(0);
        let homes = FACTS.iter().zip(shares);
        let homes = homes.filter(|(_, share)| *share > 0 && share * POOR >= most);
        Self(homes.fold(0, |all, (facts, _)| all | 1 << facts.biome as u32))
    }
}

/// Where to look for any of these; None if that is nowhere in particular.
pub(crate) fn homes(blocks: &[BlockId], mobs: &[MobKind]) -> Option<Biomes> {
    let of_blocks = blocks
        .iter()
        .map(|block| Biomes::rich(|facts| bears(facts, *block)));
    let of_mobs = mobs
        .iter()
        .map(|mob| Biomes::rich(|facts| houses(facts, *mob)));
    let all = of_blocks.chain(of_mobs).fold(0, |all, one| all | one.0);
    Some(Biomes(all)).filter(|homes| homes.is_telling())
}

/// How much of a block there is in a biome.
fn bears(facts: &BiomeFacts, block: BlockId) -> u32 {
    let ground = [facts.top, facts.under, facts.below].contains(&block);
    let mut veins = ores().iter().filter(|ore| ore.block == block);
    let ore = veins.any(|ore| ore.biome.as_deref() == Some(facts.name));
    let banded = facts.biome == Biome::Badlands && block == blocks::TERRACOTTA;
    let cold = facts.snowy && [blocks::SNOW, blocks::ICE].contains(&block);
    let plants = facts.plants.iter().copied().flatten();
    let plants: u32 = plants
        .filter(|(plant, _)| *plant == block)
        .map(|(_, share)| share)
        .sum();
    let trees = facts.trees.iter();
    let is_of = |tree: &TreeKind| {
        let parts = [tree.log(), tree.leaves()];
        parts.contains(&block) || (block == blocks::VINE && tree.has_vines())
    };
    let of_it = trees.filter(|(tree, _)| is_of(tree));
    let trees: u32 = of_it.map(|(_, share)| share).sum();
    u32::from(ground || ore || banded || cold) * ALL_COLUMNS
        + plants
        + trees * facts.tree_density * PER_TREE / 100
}

/// How often a creature comes there.
fn houses(facts: &BiomeFacts, mob: MobKind) -> u32 {
    let herds = facts.animals.iter().chain(facts.swimmers);
    let herds: u32 = herds.filter(|herd| herd.0 == mob).map(|herd| herd.1).sum();
    let monsters = facts.monsters.iter().filter(|(kind, _)| *kind == mob);
    // Above ground slimes live in swamps only.
    let lives = mob != MobKind::Slime || facts.biome == Biome::Swamp;
    herds + monsters.map(|(_, weight)| weight).sum::<u32>() * u32::from(lives)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natural::{Lie, is_local, lie};

    const LOCAL_MAX: usize = 2;

    #[track_caller]
    fn check(blocks: &[BlockId], mobs: &[MobKind], expected: &[Biome]) {
        let Some(homes) = homes(blocks, mobs) else {
            assert!(
                expected.is_empty(),
                "{blocks:?} {mobs:?}: nowhere in particular"
            );
            return;
        };
        let named = FACTS.iter().map(|facts| facts.biome);
        let named: Vec<Biome> = named.filter(|biome| homes.holds(*biome)).collect();
        assert_eq!(named, expected, "{blocks:?} {mobs:?}");
    }

    #[test]
    fn each_thing_is_looked_for_where_players_look() {
        check(&[blocks::ACACIA_LOG], &[], &[Biome::Savanna]);
        check(&[blocks::RED_SANDSTONE], &[], &[Biome::Badlands]);
        check(&[blocks::TERRACOTTA], &[], &[Biome::Badlands]);
        check(&[blocks::CACTUS], &[], &[Biome::Desert, Biome::Badlands]);
        check(&[blocks::LILY_PAD], &[], &[Biome::Swamp]);
        check(&[blocks::EMERALD_ORE], &[], &[Biome::Mountains]);
        check(&[blocks::MELON], &[], &[Biome::Jungle]);
        check(&[blocks::MYCELIUM], &[], &[Biome::MushroomFields]);
        check(&[], &[MobKind::Slime], &[Biome::Swamp]);
        check(&[], &[MobKind::Husk], &[Biome::Desert]);
    }

    #[test]
    fn what_few_biomes_bear_is_known_to_be_local() {
        let bearers = |block| FACTS.iter().filter(|facts| bears(facts, block) > 0).count();
        let few = |block: &BlockId| {
            (1..=LOCAL_MAX).contains(&bearers(*block)) && lie(*block) == Some(Lie::Surface)
        };
        let expected: Vec<&str> = BlockId::all().filter(few).map(BlockId::name).collect();
        let told = BlockId::all().filter(|block| is_local(*block));
        assert_eq!(told.map(BlockId::name).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn of_what_is_everywhere_or_nowhere_nothing_is_said() {
        check(&[], &[MobKind::Zombie], &[]);
        check(&[blocks::DIRT], &[], &[]);
        check(&[blocks::CARROTS], &[], &[]);
        check(&[], &[], &[]);
    }
}
