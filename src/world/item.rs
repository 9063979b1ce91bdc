//! Items: what can lie in a slot, and the facts about it.
//!
//! Invariant: an `ItemId` always names a row of the table.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::block::BlockId;
use crate::naming::{self, named_id, table};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemId(u16);

named_id!(ItemId, "item");

/// What a tool is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    Pickaxe,
    Axe,
    Shovel,
    Hoe,
    Sword,
    Shears,
}

/// What a tool is made of, ordered by what it can harvest; gold harvests no more than wood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    Wood,
    Gold,
    Stone,
    Iron,
    Diamond,
    Netherite,
}

impl Tier {
    /// The harvest level of the game: a block asks for a level, not for a material.
    #[must_use]
    pub fn level(self) -> u8 {
        match self {
            Self::Wood | Self::Gold => 0,
            Self::Stone => 1,
            Self::Iron => 2,
            Self::Diamond => 3,
            Self::Netherite => 4,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tool {
    pub kind: ToolKind,
    pub tier: Tier,
    /// Mining speed on blocks the tool is for; the bare hand has 1.
    pub speed: f32,
}

impl Tool {
    /// Whether it does what a tool of this kind and tier does.
    #[must_use]
    pub fn will_do(self, kind: ToolKind, tier: Tier) -> bool {
        self.kind == kind && self.tier.level() >= tier.level()
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Food {
    pub points: u32,
    pub saturation: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ItemFacts {
    pub name: &'static str,
    pub stack_max: u32,
    pub durability: Option<u32>,
    pub tool: Option<Tool>,
    /// Damage of one full swing in half hearts; the bare hand has 1.
    pub attack_damage: f32,
    /// Full swings per second.
    pub attack_rate: f32,
    pub food: Option<Food>,
    /// The block that appears when the item is used on a surface.
    pub places: Option<BlockId>,
}

/// The bare hand, and every item that is no weapon: half hearts per blow, and blows per second.
const HAND_DAMAGE: f32 = 1.0;
const HAND_RATE: f32 = 4.0;
/// Shears cut at their own speeds (see `block::break_ticks`); their tier only has to be some tier.
const SHEARS_SPEED: f32 = 1.0;

impl ItemId {
    /// The item of that name, with or without `minecraft:`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        ITEMS.by_name.get(naming::without_namespace(name)).copied()
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Its row in the game's table.
    #[must_use]
    pub(crate) fn row(self) -> u16 {
        self.0
    }

    #[must_use]
    pub fn facts(self) -> &'static ItemFacts {
        &ITEMS.rows[usize::from(self.0)]
    }

    /// The plain tool of this kind and tier; shears have no tiers.
    #[must_use]
    pub fn of_tool(kind: ToolKind, tier: Tier) -> Option<Self> {
        let is_it =
            |tool: Tool| tool.kind == kind && (kind == ToolKind::Shears || tool.tier == tier);
        Self::all().find(|item| item.facts().tool.is_some_and(is_it))
    }

    /// All items, in the order of the game's table.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        let count = u16::try_from(ITEMS.rows.len()).expect("the game has fewer than 65536 items");
        (0..count).map(Self)
    }

    /// Names that may have been meant by `name`, best first.
    #[must_use]
    pub fn nearest(name: &str) -> Vec<&'static str> {
        naming::nearest(name, ITEMS.rows.iter().map(|row| row.name))
    }
}

struct Items {
    rows: Vec<ItemFacts>,
    by_name: FxHashMap<&'static str, ItemId>,
}

static ITEMS: LazyLock<Items> = LazyLock::new(build);

#[derive(Deserialize)]
struct ItemRow {
    name: String,
    stack: u32,
    durability: Option<u32>,
}

#[derive(Deserialize)]
struct FoodTable {
    foods: BTreeMap<String, (u32, f32)>,
}

#[derive(Deserialize)]
struct ToolTable {
    tiers: Vec<Tier>,
    prefixes: Vec<String>,
    speed: Vec<f32>,
    kinds: BTreeMap<ToolKind, KindRow>,
}

#[derive(Deserialize)]
struct KindRow {
    damage: Vec<f32>,
    rate: Vec<f32>,
}

fn build() -> Items {
    let rows: Vec<ItemRow> = table("items.json", include_str!("data/items.json"));
    let foods: FoodTable = table("foods.json", include_str!("data/foods.json"));
    let tools: ToolTable = table("tools.json", include_str!("data/tools.json"));
    let rows: Vec<ItemFacts> = rows
        .into_iter()
        .map(|row| facts(row, &foods, &tools))
        .collect();
    let ids = (0_u16..).map(ItemId);
    let by_name = rows.iter().map(|row| row.name).zip(ids).collect();
    Items { rows, by_name }
}

fn facts(row: ItemRow, foods: &FoodTable, tools: &ToolTable) -> ItemFacts {
    // Table names live as long as the program; ids hand them out as &'static str.
    let name: &'static str = row.name.leak();
    let (tool, attack_damage, attack_rate) = tools.facts_of(name);
    ItemFacts {
        name,
        stack_max: row.stack,
        durability: row.durability,
        tool,
        attack_damage,
        attack_rate,
        food: foods
            .foods
            .get(name)
            .map(|&(points, saturation)| Food { points, saturation }),
        places: placed_by(name),
    }
}

impl ToolTable {
    fn facts_of(&self, name: &str) -> (Option<Tool>, f32, f32) {
        match name {
            "shears" => {
                let tool = Tool {
                    kind: ToolKind::Shears,
                    tier: Tier::Iron,
                    speed: SHEARS_SPEED,
                };
                return (Some(tool), HAND_DAMAGE, HAND_RATE);
            }
            "trident" => return (None, 9.0, 1.1),
            _ => {}
        }
        let made = name.rsplit_once('_').and_then(|(prefix, kind)| {
            let at = self.prefixes.iter().position(|known| known == prefix)?;
            let (kind, row) = self.kinds.iter().find(|(known, _)| known.word() == kind)?;
            let tool = Tool {
                kind: *kind,
                tier: self.tiers[at],
                speed: self.speed[at],
            };
            Some((Some(tool), row.damage[at], row.rate[at]))
        });
        made.unwrap_or((None, HAND_DAMAGE, HAND_RATE))
    }
}

impl ToolKind {
    /// The word that ends the names of such tools.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pickaxe => "pickaxe",
            Self::Axe => "axe",
            Self::Shovel => "shovel",
            Self::Hoe => "hoe",
            Self::Sword => "sword",
            Self::Shears => "shears",
        }
    }
}

/// Items that place a block of another name; buckets pour out what they hold.
const PLACES_OTHER: [(&str, &str); 13] = [
    ("redstone", "redstone_wire"),
    ("string", "tripwire"),
    ("wheat_seeds", "wheat"),
    ("carrot", "carrots"),
    ("potato", "potatoes"),
    ("beetroot_seeds", "beetroots"),
    ("pumpkin_seeds", "pumpkin_stem"),
    ("melon_seeds", "melon_stem"),
    ("cocoa_beans", "cocoa"),
    ("sweet_berries", "sweet_berry_bush"),
    ("water_bucket", "water"),
    ("lava_bucket", "lava"),
    ("flint_and_steel", "fire"),
];

fn placed_by(name: &str) -> Option<BlockId> {
    // The harvested wheat shares its name with the crop but does not plant it.
    if name == "wheat" {
        return None;
    }
    let other = PLACES_OTHER
        .iter()
        .find(|(item, _)| *item == name)
        .map(|(_, block)| *block);
    BlockId::named(other.unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str) -> ItemId {
        name.parse().unwrap()
    }

    #[test]
    fn names_read_with_and_without_namespace() {
        assert_eq!(ItemId::named("minecraft:oak_log"), ItemId::named("oak_log"));
        assert_eq!(item("oak_log").name(), "oak_log");
        assert_eq!(ItemId::named("no_such_thing"), None);
        assert_eq!(ItemId::all().count(), 975);
    }

    #[test]
    fn an_unknown_name_in_stored_data_is_named_with_a_suggestion() {
        let error = serde_json::from_str::<ItemId>("\"iron_pickax\"")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("unknown item 'iron_pickax'; did you mean iron_pickaxe"),
            "{error}"
        );
        assert_eq!(serde_json::to_string(&item("stick")).unwrap(), "\"stick\"");
    }

    #[test]
    fn tools_have_the_numbers_of_the_game() {
        let facts = item("iron_pickaxe").facts();
        let tool = facts.tool.unwrap();
        assert_eq!(
            (tool.kind, tool.tier, tool.speed),
            (ToolKind::Pickaxe, Tier::Iron, 6.0)
        );
        assert_eq!(
            (facts.durability, facts.attack_damage, facts.stack_max),
            (Some(250), 4.0, 1)
        );
        let durability = |name| item(name).facts().durability;
        assert_eq!(durability("wooden_pickaxe"), Some(59));
        assert_eq!(durability("golden_axe"), Some(32));
        assert_eq!(durability("stone_hoe"), Some(131));
        assert_eq!(durability("diamond_sword"), Some(1561));
        assert_eq!(durability("netherite_sword"), Some(2031));
        assert_eq!(item("stick").facts().attack_damage, 1.0);
    }

    #[test]
    fn food_and_placing() {
        assert_eq!(
            item("bread").facts().food,
            Some(Food {
                points: 5,
                saturation: 6.0
            })
        );
        assert_eq!(item("wheat_seeds").facts().places, BlockId::named("wheat"));
        assert_eq!(item("wheat").facts().places, None);
        assert_eq!(
            item("cobblestone").facts().places,
            BlockId::named("cobblestone")
        );
        let foods: FoodTable = table("foods.json", include_str!("data/foods.json"));
        foods
            .foods
            .keys()
            .for_each(|name| assert!(ItemId::named(name).is_some(), "{name}"));
    }
}
