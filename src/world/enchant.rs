//! Enchantments: what they are, what they fit, and small sets of them.
//!
//! How tables draw them is `enchanting`. Invariant: a set holds each enchantment once, in the order of the table, at a
//! level of at least 1, and at most seven of them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::family::ItemSpec;
use crate::item::{ItemId, ToolKind};
use crate::naming::{self, named_id, table};

/// The row of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Enchantment(u8);

named_id!(Enchantment, "enchantment");

/// Kinds of things that enchantments ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Thing {
    Armor,
    Helmet,
    Chestplate,
    Boots,
    Sword,
    Axe,
    /// Pickaxe, axe, shovel, hoe.
    Digger,
    Shears,
    Bow,
    Crossbow,
    Trident,
    FishingRod,
    /// Whatever wears out.
    WornOut,
}

#[derive(Debug, Deserialize)]
pub struct EnchantmentFacts {
    name: String,
    /// Highest level.
    pub max: u8,
    fits: Vec<Thing>,
    #[serde(default)]
    late: Vec<Thing>,
    /// Chance against the others at one table.
    pub weight: u32,
    /// Power of level 1, and what each further level adds.
    lowest: [u32; 2],
    #[serde(default)]
    width: u32,
    /// Some end at a fixed power, most `width` above their beginning.
    to: Option<[u32; 2]>,
    #[serde(default)]
    clash: Vec<String>,
    #[serde(default)]
    pub treasure: bool,
    #[serde(default)]
    pub curse: bool,
}

impl Enchantment {
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        TABLE.by_name.get(naming::without_namespace(name)).copied()
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        &self.facts().name
    }

    #[must_use]
    pub fn facts(self) -> &'static EnchantmentFacts {
        &TABLE.enchantments[usize::from(self.0)]
    }

    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.enchantments.len() as u8).map(Self)
    }

    #[must_use]
    pub fn nearest(name: &str) -> Vec<&'static str> {
        naming::nearest(name, Self::all().map(Self::name))
    }

    /// The enchanting powers at which a level is drawn.
    #[must_use]
    pub fn window(self, level: u8) -> std::ops::RangeInclusive<u32> {
        let facts = self.facts();
        let steps = u32::from(level.max(1)) - 1;
        let from = facts.lowest[0] + facts.lowest[1] * steps;
        let to = facts
            .to
            .map_or(from + facts.width, |[first, step]| first + step * steps);
        from..=to
    }

    /// What a table may put on the thing itself.
    #[must_use]
    pub fn fits(self, item: ItemId) -> bool {
        self.facts().fits.iter().any(|thing| thing.is(item))
    }

    /// What an anvil may put on the thing.
    #[must_use]
    pub fn fits_from_a_book(self, item: ItemId) -> bool {
        self.fits(item) || self.facts().late.iter().any(|thing| thing.is(item))
    }

    #[must_use]
    pub fn clashes(self, other: Self) -> bool {
        self != other && self.facts().clash.iter().any(|name| name == other.name())
    }

    /// Levels that an anvil asks for each level of it.
    #[must_use]
    pub fn anvil_cost(self, from_book: bool) -> u32 {
        // Rare ones cost more, as in the game; a book halves it.
        let whole = match self.facts().weight {
            10.. => 1,
            5.. => 2,
            2.. => 4,
            _ => 8,
        };
        if from_book { (whole / 2).max(1) } else { whole }
    }
}

impl Thing {
    fn is(self, item: ItemId) -> bool {
        let (name, tool) = (item.name(), item.facts().tool.map(|tool| tool.kind));
        let armor = armor_part(name);
        match self {
            Self::Armor => armor.is_some(),
            Self::Helmet => armor == Some("helmet"),
            Self::Chestplate => armor == Some("chestplate"),
            Self::Boots => armor == Some("boots"),
            Self::Sword => tool == Some(ToolKind::Sword),
            Self::Axe => tool == Some(ToolKind::Axe),
            Self::Digger => matches!(
                tool,
                Some(ToolKind::Pickaxe | ToolKind::Axe | ToolKind::Shovel | ToolKind::Hoe)
            ),
            Self::Shears => tool == Some(ToolKind::Shears),
            Self::Bow => name == "bow",
            Self::Crossbow => name == "crossbow",
            Self::Trident => name == "trident",
            Self::FishingRod => name == "fishing_rod",
            Self::WornOut => item.facts().durability.is_some(),
        }
    }
}

/// Which part of the body a piece of armour covers, by the end of its name.
fn armor_part(name: &str) -> Option<&str> {
    let (_, part) = name.rsplit_once('_')?;
    matches!(part, "helmet" | "chestplate" | "leggings" | "boots").then_some(part)
}

/// How readily a thing takes enchantments at a table; None: not at all.
#[must_use]
pub fn enchantability(item: ItemId) -> Option<u32> {
    let name = item.name();
    if let Some(found) = TABLE.enchantability_other.get(name) {
        return Some(*found);
    }
    let (material, _) = name.rsplit_once('_')?;
    if armor_part(name).is_some() {
        return TABLE.enchantability_armor.get(material).copied();
    }
    item.facts().tool?;
    TABLE.enchantability.get(material).copied()
}

/// What an anvil mends a thing with.
#[must_use]
pub fn mended_with(item: ItemId) -> Option<ItemSpec> {
    item.facts().durability?;
    let name = item.name();
    let material = name.rsplit_once('_').map_or(name, |(material, _)| material);
    let named = TABLE.mended_with.get(name);
    let made = || item.facts().tool.is_some() || armor_part(name).is_some();
    named
        .or_else(|| made().then(|| TABLE.mended_with.get(material)).flatten())
        .copied()
}

struct Table {
    enchantments: Vec<EnchantmentFacts>,
    by_name: FxHashMap<&'static str, Enchantment>,
    enchantability: BTreeMap<String, u32>,
    enchantability_armor: BTreeMap<String, u32>,
    enchantability_other: BTreeMap<String, u32>,
    mended_with: BTreeMap<String, ItemSpec>,
}

#[derive(Deserialize)]
struct Read {
    enchantments: Vec<EnchantmentFacts>,
    enchantability: BTreeMap<String, u32>,
    enchantability_armor: BTreeMap<String, u32>,
    enchantability_other: BTreeMap<String, u32>,
    mended_with: BTreeMap<String, ItemSpec>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let read: Read = table("enchantments.json", include_str!("data/enchantments.json"));
    let names = read
        .enchantments
        .iter()
        .map(|row| &*row.name.clone().leak());
    let by_name = names.zip((0..).map(Enchantment)).collect();
    Table {
        by_name,
        enchantments: read.enchantments,
        enchantability: read.enchantability,
        enchantability_armor: read.enchantability_armor,
        enchantability_other: read.enchantability_other,
        mended_with: read.mended_with,
    }
});

/// Bits of one entry of a set: six for the enchantment, counted from 1, three for its level.
/// Seven entries of nine bits fit into 64.
const ENTRY: u32 = 9;
const ENTRIES_MAX: u32 = 7;
const LEVEL: u64 = 7;

/// The enchantments of one thing.
/// `Copy` and no allocation: every stack of every slot carries one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Enchants(u64);

impl Enchants {
    // By reference, for serde asks so.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub fn bits(self) -> u64 {
        self.0
    }

    pub fn iter(self) -> impl Iterator<Item = (Enchantment, u8)> {
        // 0x1FF masks nine bits.
        let entries = (0..ENTRIES_MAX).map(move |i| self.0 >> (i * ENTRY) & 0x1FF);
        entries
            .take_while(|entry| *entry != 0)
            // Counted from 1, so that 0 ends the list.
            .map(|entry| (Enchantment((entry >> 3) as u8 - 1), (entry & LEVEL) as u8))
    }

    /// The level of an enchantment, 0 for none.
    #[must_use]
    pub fn level(self, wanted: Enchantment) -> u8 {
        self.iter()
            .find(|(found, _)| *found == wanted)
            .map_or(0, |(_, level)| level)
    }

    /// The level of the enchantment of that name, 0 for none; the plain thing costs one comparison.
    #[must_use]
    pub fn named(self, name: &str) -> u8 {
        if self.0 == 0 {
            return 0;
        }
        Enchantment::named(name).map_or(0, |wanted| self.level(wanted))
    }

    /// The set with this enchantment at this level (0: without it); unchanged when it is full.
    #[must_use]
    pub fn with(self, enchantment: Enchantment, level: u8) -> Self {
        let mut all: Vec<(Enchantment, u8)> = self
            .iter()
            .filter(|(found, _)| *found != enchantment)
            .collect();
        if level > 0 {
            all.push((enchantment, level.min(LEVEL as u8)));
        }
        if all.len() > ENTRIES_MAX as usize {
            return self;
        }
        // Sorted: equal sets have equal bits, whatever the order in which they were made.
        all.sort_unstable();
        let entry = |(enchantment, level): &(Enchantment, u8)| {
            (u64::from(enchantment.0) + 1) << 3 | u64::from(*level)
        };
        Self(
            all.iter()
                .rev()
                .fold(0, |bits, one| bits << ENTRY | entry(one)),
        )
    }

    /// Only those that cannot be taken off.
    #[must_use]
    pub fn curses(self) -> Self {
        self.iter()
            .filter(|(enchantment, _)| enchantment.facts().curse)
            .fold(Self::default(), |set, (one, level)| set.with(one, level))
    }
}

impl std::fmt::Debug for Enchants {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl Serialize for Enchants {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Enchants {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = BTreeMap::<Enchantment, u8>::deserialize(deserializer)?;
        let entries = read.into_iter();
        Ok(entries.fold(Self::default(), |set, (one, level)| set.with(one, level)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Enchantment {
        name.parse().unwrap()
    }

    #[test]
    fn the_table_reads_and_every_clash_is_mutual() {
        assert!((30..64).contains(&Enchantment::all().count()));
        for one in Enchantment::all() {
            assert!((1..=5).contains(&one.facts().max), "{one}");
            for name in &one.facts().clash {
                assert!(of(name).clashes(one), "{one} and {name}");
            }
        }
    }

    #[test]
    fn a_set_keeps_each_once_and_survives_storage() {
        let set = Enchants::default()
            .with(of("unbreaking"), 2)
            .with(of("efficiency"), 4)
            .with(of("unbreaking"), 3);
        assert_eq!(set.level(of("unbreaking")), 3);
        assert_eq!(set.iter().count(), 2);
        let text = serde_json::to_string(&set).unwrap();
        assert_eq!(text, r#"{"efficiency":4,"unbreaking":3}"#);
        assert_eq!(serde_json::from_str::<Enchants>(&text).unwrap(), set);
        assert!(
            set.with(of("efficiency"), 0)
                .with(of("unbreaking"), 0)
                .is_empty()
        );
    }

    #[test]
    fn things_take_what_they_take_in_the_game() {
        let fits = |name: &str, item: &str| of(name).fits(item.parse().unwrap());
        assert!(fits("efficiency", "iron_hoe") && !fits("efficiency", "shears"));
        assert!(of("efficiency").fits_from_a_book("shears".parse().unwrap()));
        assert!(fits("feather_falling", "iron_boots") && !fits("feather_falling", "iron_helmet"));
        assert!(fits("unbreaking", "bow") && !fits("unbreaking", "stick"));
        let ease = |item: &str| enchantability(item.parse().unwrap());
        assert_eq!(
            ["golden_axe", "iron_helmet", "book", "shears", "stick"].map(ease),
            [Some(22), Some(9), Some(1), None, None]
        );
        let mend = |item: &str| mended_with(item.parse().unwrap()).map(|spec| spec.to_string());
        assert_eq!(mend("iron_pickaxe").as_deref(), Some("iron_ingot"));
        assert_eq!(mend("wooden_axe").as_deref(), Some("#planks"));
        assert_eq!(mend("stick"), None);
    }

    #[test]
    fn windows_are_those_of_the_game() {
        assert_eq!(of("sharpness").window(1), 1..=21);
        assert_eq!(of("silk_touch").window(1), 15..=61);
        assert_eq!(of("efficiency").window(5), 41..=101);
        assert_eq!(of("protection").window(4), 34..=45);
    }
}
