//! Mobs: what lives in the world, how strong it is and what it leaves behind.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::answers::Answers;
use crate::drops::{Drop, blocks_dropping};
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::mob_drop::MobDrop;
use crate::naming::{self, UnknownName, table};
use crate::natural::lie;

/// Of those that carry blocks so many are taken to carry the one that is wanted.
const CARRIED: f32 = 0.25;

/// The table is sorted by this order, and `facts` indexes it with the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MobKind {
    Cow,
    Mooshroom,
    Pig,
    Sheep,
    Chicken,
    Rabbit,
    Horse,
    Llama,
    Squid,
    Cod,
    Salmon,
    Zombie,
    Husk,
    Skeleton,
    Stray,
    Spider,
    CaveSpider,
    Creeper,
    Enderman,
    Slime,
    Witch,
    Drowned,
    Villager,
    Silverfish,
}

/// Which of the world's spawning rules brings a mob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpawnGroup {
    /// On grass in the light, when land is made.
    Animal,
    /// In the dark.
    Monster,
    Water,
    /// With a village.
    Villager,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct MobFacts {
    pub kind: MobKind,
    /// Half hearts.
    pub health: f32,
    /// Blocks per second at a plain walk.
    pub speed: f32,
    /// How many times as fast it runs after a hit.
    #[serde(default = "brisk")]
    pub panic: f32,
    /// Blocks; the box is square.
    pub width: f32,
    pub height: f32,
    /// Of its eyes above its feet.
    #[serde(default = "upright")]
    pub eyes: f32,
    pub group: SpawnGroup,
    pub hostile: bool,
    /// One hit on Normal difficulty, in half hearts; of a creeper the blast at contact.
    pub damage: f32,
    /// Left by an adult; `min` 0 means it may be none.
    pub drops: Vec<MobDrop>,
    /// So many of the rows of `drops`, least and most, are drawn by the weight of their chances, which add up to the mean
    /// of these numbers. None: each row falls by its own chance.
    pub rolls: Option<(u32, u32)>,
    /// What shears take from it alive.
    #[serde(default)]
    pub sheared: Vec<Drop>,
    /// Met once in many days or nights.
    /// The planner puts a high price on it.
    #[serde(default)]
    pub seldom: bool,
    /// What it leaves behind by itself every 5 to 10 minutes.
    #[serde(default)]
    pub lays: Vec<Drop>,
    /// Blocks that it takes up where they lie, and drops when it dies.
    #[serde(default)]
    pub carries: Vec<ItemId>,
}

impl MobFacts {
    /// It takes up blocks that will do.
    #[must_use]
    pub fn may_carry(&self, wanted: ItemSpec) -> bool {
        self.carries.iter().any(|item| wanted.matches(*item))
    }

    /// What it drops if it carries this when it dies. It takes up only what lies about.
    fn carried(&self, wanted: ItemSpec) -> Option<Drop> {
        let lies = |item: &ItemId| item.facts().places.and_then(lie).is_some();
        let mut blocks = self.carries.iter().copied();
        let item = blocks.find(|item| wanted.matches(*item) && lies(item))?;
        Some(Drop {
            chance: CARRIED,
            ..Drop::certain_one(item)
        })
    }
}

/// Of those whose haste is not known better.
fn brisk() -> f32 {
    1.44
}

/// Good enough for all that cannot stand in a hole of one block.
fn upright() -> f32 {
    1.5
}

#[derive(Deserialize)]
struct MobTable {
    mobs: Vec<MobFacts>,
}

static MOBS: LazyLock<Vec<MobFacts>> = LazyLock::new(|| {
    let read: MobTable = table("mobs.json", include_str!("data/mobs.json"));
    let mut mobs = read.mobs;
    // `facts` indexes by kind.
    mobs.sort_by_key(|facts| facts.kind);
    mobs
});

impl MobKind {
    pub const ALL: [Self; 24] = [
        Self::Cow,
        Self::Mooshroom,
        Self::Pig,
        Self::Sheep,
        Self::Chicken,
        Self::Rabbit,
        Self::Horse,
        Self::Llama,
        Self::Squid,
        Self::Cod,
        Self::Salmon,
        Self::Zombie,
        Self::Husk,
        Self::Skeleton,
        Self::Stray,
        Self::Spider,
        Self::CaveSpider,
        Self::Creeper,
        Self::Enderman,
        Self::Slime,
        Self::Witch,
        Self::Drowned,
        Self::Villager,
        Self::Silverfish,
    ];

    #[must_use]
    pub fn facts(self) -> &'static MobFacts {
        // The table is sorted by kind and a test holds that every kind has its row.
        &MOBS[self as usize]
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cow => "cow",
            Self::Mooshroom => "mooshroom",
            Self::Pig => "pig",
            Self::Sheep => "sheep",
            Self::Chicken => "chicken",
            Self::Rabbit => "rabbit",
            Self::Horse => "horse",
            Self::Llama => "llama",
            Self::Squid => "squid",
            Self::Cod => "cod",
            Self::Salmon => "salmon",
            Self::Zombie => "zombie",
            Self::Husk => "husk",
            Self::Skeleton => "skeleton",
            Self::Stray => "stray",
            Self::Spider => "spider",
            Self::CaveSpider => "cave_spider",
            Self::Creeper => "creeper",
            Self::Enderman => "enderman",
            Self::Slime => "slime",
            Self::Witch => "witch",
            Self::Drowned => "drowned",
            Self::Villager => "villager",
            Self::Silverfish => "silverfish",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name = naming::without_namespace(name);
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Names that may have been meant by `name`, best first.
    #[must_use]
    pub fn nearest(name: &str) -> Vec<&'static str> {
        naming::nearest(name, Self::ALL.into_iter().map(Self::name))
    }
}

impl std::fmt::Display for MobKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for MobKind {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Self::named(text).ok_or_else(|| UnknownName {
            what: "mob",
            given: text.to_owned(),
            nearest: Self::nearest(text),
        })
    }
}

/// The mobs whose drops contain what `wanted` asks for, the most generous first; at equal yield the harmless first. What
/// no block drops is also taken from those that carry the block.
#[must_use]
pub fn mobs_dropping(wanted: ItemSpec) -> &'static [(MobKind, Drop)] {
    static KNOWN: LazyLock<Answers<(MobKind, Drop)>> =
        LazyLock::new(|| Answers::new(those_that_drop));
    KNOWN.about(wanted)
}

fn those_that_drop(wanted: ItemSpec) -> Vec<(MobKind, Drop)> {
    let mut found: Vec<(MobKind, Drop)> = MobKind::ALL
        .into_iter()
        .filter_map(|kind| {
            let row = kind
                .facts()
                .drops
                .iter()
                .find(|row| wanted.matches(row.drop.item))?;
            Some((kind, row.drop))
        })
        .collect();
    if found.is_empty() {
        found = mobs_carrying(wanted);
    }
    found.sort_by(|(a, left), (b, right)| {
        let by_yield = right.expected().total_cmp(&left.expected());
        // Harmless first.
        by_yield.then_with(|| a.facts().hostile.cmp(&b.facts().hostile))
    });
    found
}

/// The mobs that carry a block which nobody gets by breaking it.
fn mobs_carrying(wanted: ItemSpec) -> Vec<(MobKind, Drop)> {
    let carriers = MobKind::ALL.into_iter().filter_map(|kind| {
        let carried = kind.facts().carried(wanted)?;
        Some((kind, carried))
    });
    let carriers: Vec<_> = carriers.collect();
    if carriers.is_empty() || !blocks_dropping(wanted).is_empty() {
        return Vec::new();
    }
    carriers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_row_and_its_name() {
        assert_eq!(MOBS.len(), MobKind::ALL.len());
        for kind in MobKind::ALL {
            assert_eq!(kind.facts().kind, kind);
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }

    #[test]
    fn drops_are_found_by_what_is_wanted() {
        let kinds = |wanted: &str| -> Vec<MobKind> {
            mobs_dropping(wanted.parse().unwrap())
                .iter()
                .map(|(kind, _)| *kind)
                .collect()
        };
        assert_eq!(kinds("beef"), [MobKind::Cow, MobKind::Mooshroom]);
        assert_eq!(kinds("#wool"), [MobKind::Sheep]);
        assert_eq!(kinds("gunpowder")[0], MobKind::Creeper);
        assert!(kinds("stone").is_empty());
        // Sand is dug; the grass on the ground falls to nobody's shovel.
        assert!(kinds("sand").is_empty());
        assert_eq!(kinds("grass_block"), [MobKind::Enderman]);
    }

    #[test]
    fn rows_that_are_rolled_add_up_to_the_mean_number_of_rolls() {
        let rolling = MOBS.iter().filter_map(|facts| Some((facts, facts.rolls?)));
        for (facts, (few, many)) in rolling {
            let sum: f32 = facts.drops.iter().map(|row| row.drop.chance).sum();
            assert_eq!(sum * 2.0, (few + many) as f32, "{}", facts.kind);
        }
        assert_eq!(MobKind::Witch.facts().rolls, Some((1, 3)));
    }

    #[test]
    fn strength_is_that_of_normal_difficulty() {
        let zombie = MobKind::Zombie.facts();
        assert_eq!(
            (zombie.health, zombie.damage, zombie.hostile),
            (20.0, 3.0, true)
        );
        assert!(!MobKind::Cow.facts().hostile);
        assert_eq!(MobKind::Sheep.facts().sheared[0].max, 3);
    }
}
