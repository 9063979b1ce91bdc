//! How to get an item: every way the game's tables know, with tools, chances and places.
//!
//! For people who ask and for tests; planners have their own beliefs. Invariant: ways come in the order mined,
//! living things, used, grown, fished, furnace, crafted, traded, looted, enchanted.

pub mod absent;
mod handled;
mod words;

use serde::Serialize;

use crate::block::{BlockId, Harvest};
use crate::drops::{self, Drop};
use crate::family::ItemSpec;
use crate::fishing::Pool;
use crate::item::{ItemId, Tier, ToolKind};
use crate::loot;
use crate::mob::MobKind;
use crate::ore;
use crate::recipe::{Recipe, recipes_for};
use crate::smelting::{self, COOK_TICKS};
use crate::trade::{self, Profession};

/// One way to get an item.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "way", rename_all = "snake_case")]
pub enum Way {
    /// A block is broken.
    Mined {
        block: BlockId,
        /// What has to be in the hand; None: nothing.
        needs: Option<Needs>,
        /// The kind of tool that is quick on it.
        quick_with: Option<ToolKind>,
        #[serde(flatten)]
        amount: Amount,
        /// Where the block lies in the rock.
        veins: Vec<Vein>,
    },
    /// A plant is broken before it is ripe.
    Unripe { block: BlockId },
    /// A block is broken with an enchanted tool and stays what it is.
    SilkTouch {
        block: BlockId,
        needs: Option<Needs>,
    },
    /// A living thing is killed.
    Killed {
        mob: MobKind,
        hostile: bool,
        #[serde(flatten)]
        amount: Amount,
    },
    /// A living thing that carries it is killed.
    Carried { mob: MobKind, hostile: bool },
    /// A living thing is shorn.
    Sheared {
        mob: MobKind,
        #[serde(flatten)]
        amount: Amount,
    },
    /// A living thing leaves it lying by itself.
    Laid {
        mob: MobKind,
        #[serde(flatten)]
        amount: Amount,
    },
    /// Something in the hand is used on something.
    Used {
        held: ItemId,
        on: &'static str,
        count: u32,
    },
    /// A tool makes another block of one, which is then broken.
    Turned { tool: ToolKind, block: BlockId },
    /// A bush is picked with the bare hand.
    Picked {
        block: BlockId,
        #[serde(flatten)]
        amount: Amount,
    },
    /// A sheep is dyed and then shorn.
    Dyed {
        mob: MobKind,
        dye: ItemId,
        #[serde(flatten)]
        amount: Amount,
    },
    /// It is planted, or what bears it is.
    Grown { seed: ItemId, plant: BlockId },
    /// A rod brings it up; the share of all catches in open water.
    Fished { pool: Pool, share: f64 },
    /// A furnace makes it.
    Smelted { input: ItemId, ticks: u32, xp: f32 },
    /// A villager gives it.
    Traded {
        profession: Profession,
        /// 1 novice to 5 master.
        rank: u32,
        pay: Vec<(ItemId, u32)>,
        gives: u32,
    },
    /// It may lie in chests of dungeons and villages.
    Looted { place: &'static str, chance: f32 },
    /// An enchanting table makes it of a plain thing, for levels and lapis lazuli.
    Enchanted { from: ItemId },
    /// It is crafted.
    Crafted {
        makes: u32,
        from: Vec<(ItemSpec, u32)>,
        station: Station,
        /// What stays behind, such as buckets.
        returns: Vec<(ItemId, u32)>,
        /// It only takes apart what was made of the item before.
        unpacks: bool,
    },
}

/// What has to be in the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Needs {
    pub tool: ToolKind,
    /// The least that will do.
    pub tier: Tier,
}

/// Pieces gained at once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Amount {
    /// Probability that there is any.
    pub chance: f32,
    pub min: u32,
    pub max: u32,
}

/// Where blobs of a block lie.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Vein {
    pub y_min: i32,
    pub y_max: i32,
    pub per_chunk: u32,
    /// Blocks in a blob, at most.
    pub size: u32,
    /// None: in every biome.
    pub biome: Option<String>,
}

/// Where one crafts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Station {
    Inventory,
    CraftingTable,
}

impl From<Harvest> for Needs {
    fn from(harvest: Harvest) -> Self {
        Self {
            tool: harvest.kind,
            tier: harvest.tier,
        }
    }
}

impl From<Drop> for Amount {
    fn from(drop: Drop) -> Self {
        Self {
            chance: drop.chance,
            min: drop.min,
            max: drop.max,
        }
    }
}

impl From<&Recipe> for Way {
    fn from(recipe: &Recipe) -> Self {
        let station = if recipe.needs_table {
            Station::CraftingTable
        } else {
            Station::Inventory
        };
        Self::Crafted {
            makes: recipe.count,
            from: recipe.ingredients.clone(),
            station,
            returns: recipe.returns.clone(),
            unpacks: recipe.reversible,
        }
    }
}

/// Every way to get `item`; empty if the game's tables know none.
#[must_use]
pub fn how(item: ItemId) -> Vec<Way> {
    let mut ways = mined(item);
    ways.extend(from_the_living(item));
    ways.extend(handled::ways(item));
    ways.extend(smelted(item));
    ways.extend(recipes_for(item).iter().map(Way::from));
    ways.extend(traded(item));
    ways.extend(looted(item));
    ways.extend(enchanted(item));
    ways
}

fn traded(item: ItemId) -> impl Iterator<Item = Way> {
    let offers = trade::offers_for(item.into()).into_iter();
    offers.map(|(profession, trade)| Way::Traded {
        profession,
        rank: trade.level,
        pay: trade.pay.clone(),
        gives: trade.get.1,
    })
}

fn looted(item: ItemId) -> impl Iterator<Item = Way> {
    let found = loot::places_with(item.into()).into_iter();
    found.map(|found| Way::Looted {
        place: found.place,
        chance: found.chance,
    })
}

/// Only books become another item by it.
fn enchanted(item: ItemId) -> Option<Way> {
    let from = ItemId::named("book").filter(|_| item.name() == "enchanted_book")?;
    Some(Way::Enchanted { from })
}

/// Breaking blocks; a block that stands only where someone placed this very item is no way to get it.
fn mined(item: ItemId) -> Vec<Way> {
    // Unpacking makes nothing new.
    let crafted = recipes_for(item).iter().any(|recipe| !recipe.reversible);
    let made = crafted || !smelting::smelt_inputs(item.into()).is_empty();
    let placed = |block: BlockId| item.facts().places == Some(block) || block.item().is_none();
    // Such blocks lie nowhere by themselves.
    let only_placed = |block: BlockId| made && placed(block) && veins(block).is_empty();
    let broken = drops::blocks_dropping(item.into())
        .iter()
        .filter(|source| !only_placed(source.block))
        .map(|source| Way::Mined {
            block: source.block,
            needs: source.harvest.map(Needs::from),
            quick_with: source.block.facts().tool,
            amount: source.drop.into(),
            veins: veins(source.block),
        });
    let unripe = BlockId::all()
        .filter(|block| drops::unripe_drop(*block) == Some(item))
        .map(|block| Way::Unripe { block });
    let silk = BlockId::all()
        .filter(|block| drops::silk_touch_drop(*block) == Some(item))
        .map(|block| Way::SilkTouch {
            block,
            needs: block.facts().harvest.map(Needs::from),
        });
    broken.chain(unripe).chain(silk).collect()
}

fn veins(block: BlockId) -> Vec<Vein> {
    let of_block = ore::ores().iter().filter(|ore| ore.block == block);
    of_block
        .map(|ore| Vein {
            y_min: ore.y_min,
            y_max: ore.y_max,
            per_chunk: ore.per_chunk,
            size: ore.size,
            biome: ore.biome.clone(),
        })
        .collect()
}

fn from_the_living(item: ItemId) -> Vec<Way> {
    let mut ways = Vec::new();
    // By kind, so that ways of one animal stand together.
    for mob in MobKind::ALL {
        let facts = mob.facts();
        let amounts = |drops: &[Drop]| -> Vec<Amount> {
            drops
                .iter()
                .filter(|drop| drop.item == item)
                .map(|drop| (*drop).into())
                .collect()
        };
        let hostile = facts.hostile;
        let left: Vec<Drop> = facts.drops.iter().map(|row| row.drop).collect();
        ways.extend(amounts(&left).into_iter().map(|amount| Way::Killed {
            mob,
            hostile,
            amount,
        }));
        let carried = facts.carries.iter().filter(|carried| **carried == item);
        ways.extend(carried.map(|_| Way::Carried { mob, hostile }));
        ways.extend(
            amounts(&facts.sheared)
                .into_iter()
                .map(|amount| Way::Sheared { mob, amount }),
        );
        ways.extend(
            amounts(&facts.lays)
                .into_iter()
                .map(|amount| Way::Laid { mob, amount }),
        );
    }
    ways
}

fn smelted(item: ItemId) -> impl Iterator<Item = Way> {
    let inputs = smelting::smelt_inputs(item.into()).into_iter();
    inputs.map(|input| Way::Smelted {
        input,
        // The same for every item.
        ticks: COOK_TICKS,
        xp: smelting::smelting_xp(input),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(item: &str, expected: &[&str]) {
        let ways: Vec<String> = how(item.parse().unwrap())
            .iter()
            .map(Way::to_string)
            .collect();
        assert_eq!(ways, expected, "{item}");
    }

    #[test]
    fn known_items_come_from_where_they_do_in_the_game() {
        check(
            "wooden_pickaxe",
            &["craft from 3 #planks + 2 stick at a crafting table: 1"],
        );
        check(
            "bell",
            &[
                "mine bell with any pickaxe: 1",
                "buy from armorer (apprentice) for 36 emerald: 1",
                "buy from weaponsmith (apprentice) for 36 emerald: 1",
                "buy from toolsmith (apprentice) for 36 emerald: 1",
            ],
        );
        check(
            "iron_ore",
            &[
                "mine iron_ore with a stone pickaxe or better: 1; y 0 to 63, 20 blobs of 9 per chunk",
            ],
        );
        check(
            "leather",
            &[
                "kill a cow: 0 to 2",
                "kill a mooshroom: 0 to 2",
                "kill a horse: 0 to 2",
                "kill a llama: 0 to 2",
                "fish it (junk): 1.0 % of catches",
                "craft from 4 rabbit_hide by hand: 1",
                "look in a chest of a leatherworker: 17.3 %",
            ],
        );
        check(
            "torch",
            &[
                "craft from 1 #coals + 1 stick by hand: 4",
                "look in a chest of a savanna_house: 11.3 %",
            ],
        );
        check(
            "milk_bucket",
            &["use bucket on cow: 1", "use bucket on mooshroom: 1"],
        );
        check(
            "stripped_oak_log",
            &[
                "mine stripped_oak_log with the bare hand (quicker: axe): 1",
                "use any axe on oak_log and break what it becomes: 1",
            ],
        );
        check(
            "cod",
            &[
                "kill a cod: 1",
                "fish it (fish): 51.0 % of catches",
                "look in a chest of a fisherman: 43.0 %",
            ],
        );
        check(
            "egg",
            &[
                "wait near a chicken every 5 to 10 minutes: 1",
                "look in a chest of a fletcher: 23.3 %",
            ],
        );
    }

    #[test]
    fn names_have_their_article_and_one_blob_is_one() {
        let way = how("diamond".parse().unwrap())[0].to_string();
        assert_eq!(
            way,
            "mine diamond_ore with an iron pickaxe or better: 1; y 0 to 15, 1 blob of 8 per chunk"
        );
    }

    #[test]
    fn grass_is_taken_by_silk_touch_or_from_who_carries_it() {
        check(
            "grass_block",
            &[
                "mine grass_block with silk touch on any tool: 1",
                "kill an enderman (hostile) that carries it: 1",
            ],
        );
    }

    #[test]
    fn every_kind_of_way_occurs() {
        let some = |item: &str, fits: fn(&Way) -> bool| how(item.parse().unwrap()).iter().any(fits);
        assert!(some(
            "flint",
            |way| matches!(way, Way::Mined { amount, .. } if amount.chance == 0.1)
        ));
        assert!(some("grass_block", |way| matches!(
            way,
            Way::SilkTouch { .. }
        )));
        assert!(some("wheat_seeds", |way| matches!(way, Way::Unripe { .. })));
        assert!(some("white_wool", |way| matches!(
            way,
            Way::Sheared {
                mob: MobKind::Sheep,
                ..
            }
        )));
        assert!(some(
            "iron_ingot",
            |way| matches!(way, Way::Smelted { input, .. } if input.name() == "iron_ore")
        ));
        assert!(some("iron_ingot", |way| matches!(
            way,
            Way::Crafted { unpacks: true, .. }
        )));
        assert!(some(
            "vine",
            |way| matches!(way, Way::Mined { needs: Some(n), .. } if n.tool == ToolKind::Shears)
        ));
        assert!(
            how("bedrock".parse().unwrap())
                .iter()
                .all(|way| matches!(way, Way::Mined { .. }))
        );
    }
}
