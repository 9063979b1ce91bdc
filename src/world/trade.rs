//! Trade: what villagers give for what, by profession and rank.
//!
//! Facts only; which of the rows a villager offers and how often it was used is the world's business.
//! Invariant: every price is in items that can be carried in two stacks.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::block::BlockId;
use crate::enchanting::{enchanted_with, random_book};
use crate::extra::Colour;
use crate::family::ItemSpec;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::naming::table;
use crate::rng::Rng;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profession {
    Farmer,
    Fisherman,
    Shepherd,
    Fletcher,
    Librarian,
    Cartographer,
    Cleric,
    Armorer,
    Weaponsmith,
    Toolsmith,
    Butcher,
    Leatherworker,
    Mason,
}

impl Profession {
    pub const ALL: [Self; 13] = [
        Self::Farmer,
        Self::Fisherman,
        Self::Shepherd,
        Self::Fletcher,
        Self::Librarian,
        Self::Cartographer,
        Self::Cleric,
        Self::Armorer,
        Self::Weaponsmith,
        Self::Toolsmith,
        Self::Butcher,
        Self::Leatherworker,
        Self::Mason,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Farmer => "farmer",
            Self::Fisherman => "fisherman",
            Self::Shepherd => "shepherd",
            Self::Fletcher => "fletcher",
            Self::Librarian => "librarian",
            Self::Cartographer => "cartographer",
            Self::Cleric => "cleric",
            Self::Armorer => "armorer",
            Self::Weaponsmith => "weaponsmith",
            Self::Toolsmith => "toolsmith",
            Self::Butcher => "butcher",
            Self::Leatherworker => "leatherworker",
            Self::Mason => "mason",
        }
    }

    /// The block it works at.
    #[must_use]
    pub fn site(self) -> BlockId {
        TABLE.sites[&self]
    }

    /// What such a villager may trade at any rank.
    #[must_use]
    pub fn trades(self) -> &'static [Trade] {
        TABLE.trades.get(&self).map_or(&[], Vec::as_slice)
    }
}

impl std::fmt::Display for Profession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// Ranks of a villager, and what it must have learnt for each.
pub const RANK_MAX: u32 = 5;
pub const LEARNT_FOR: [u32; RANK_MAX as usize] = [0, 10, 70, 150, 250];
/// New offers at each rank.
pub const OFFERS_PER_RANK: usize = 2;
/// The most that a price can be.
const PRICE_MAX: u32 = 64;

/// What enchanted things and books are dearer by, in the middle.
const ENCHANTED_DEARER: u32 = 12;
const BOOK_DEARER: u32 = 20;

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Trade {
    pub level: u32,
    pub pay: Vec<(ItemId, u32)>,
    pub get: (ItemId, u32),
    pub uses: u32,
    pub xp: u32,
    #[serde(default = "usual_swing")]
    pub swing: u32,
    #[serde(default)]
    pub enchanted: bool,
    #[serde(default)]
    pub book: bool,
    #[serde(default)]
    pub dyed: bool,
}

fn usual_swing() -> u32 {
    5
}

/// An offer as one villager makes it: what was left to chance is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// One or two kinds of things, and how many of each.
    pub pay: [Option<(ItemId, u32)>; 2],
    pub get: Stack,
    pub uses: u32,
    pub xp: u32,
    pub swing: u32,
}

impl Trade {
    /// What is paid in the middle of what chance makes of the row.
    #[must_use]
    pub fn usual_price(&self) -> Vec<(ItemId, u32)> {
        let dearer = match (self.enchanted, self.book) {
            (true, _) => ENCHANTED_DEARER,
            (false, true) => BOOK_DEARER,
            (false, false) => 0,
        };
        let extra = |at: usize| if at == 0 { dearer } else { 0 };
        let row = self.pay.iter().enumerate();
        row.map(|(at, (item, count))| (*item, (count + extra(at)).clamp(1, PRICE_MAX)))
            .collect()
    }

    /// Settles what the row leaves to chance.
    #[must_use]
    pub fn terms(&self, rng: &mut Rng) -> Terms {
        let mut get = Stack::new(self.get.0, self.get.1);
        let mut dearer = 0;
        if self.enchanted {
            let levels = 5 + rng.below(15) as u32;
            get = enchanted_with(get, levels, false, rng);
            dearer = levels;
        } else if self.book {
            (get, dearer) = book(rng).unwrap_or((get, 1));
        } else if self.dyed {
            get.extra.colour = dye(rng);
        }
        let mut pay = self.pay.iter().copied();
        let first = pay
            .next()
            .map(|(item, count)| (item, (count + dearer).clamp(1, PRICE_MAX)));
        Terms {
            pay: [first, pay.next()],
            get,
            uses: self.uses,
            xp: self.xp,
            swing: self.swing,
        }
    }
}

/// A book with an enchantment at a level of chance, and its price.
fn book(rng: &mut Rng) -> Option<(Stack, u32)> {
    let book = random_book(rng)?;
    let (one, level) = book.extra.enchants.iter().next()?;
    let steps = u32::from(level);
    let price = 2 + rng.below(u64::from(5 + steps * 10)) as u32 + 3 * steps;
    let price = if one.facts().treasure {
        price * 2
    } else {
        price
    };
    Some((book, price.min(PRICE_MAX)))
}

fn dye(rng: &mut Rng) -> Option<Colour> {
    let dyes: Vec<Colour> = ItemId::all().filter_map(Colour::of_dye).collect();
    dyes.get(rng.below(dyes.len().max(1) as u64) as usize)
        .copied()
}

/// The rows that give what is wanted, with who has them, the lowest ranks first.
#[must_use]
pub fn offers_for(wanted: ItemSpec) -> Vec<(Profession, &'static Trade)> {
    let mut found: Vec<(Profession, &'static Trade)> = Profession::ALL
        .into_iter()
        .flat_map(|who| who.trades().iter().map(move |trade| (who, trade)))
        .filter(|(_, trade)| wanted.matches(trade.get.0))
        .collect();
    found.sort_by_key(|(_, trade)| trade.level);
    found
}

/// What villagers give to one who has these things, whatever it takes.
pub fn bought(have: &BTreeSet<ItemId>) -> impl Iterator<Item = ItemId> + '_ {
    let all = Profession::ALL.into_iter().flat_map(Profession::trades);
    all.filter(|trade| trade.pay.iter().all(|(item, _)| have.contains(item)))
        .map(|trade| trade.get.0)
}

struct Table {
    sites: FxHashMap<Profession, BlockId>,
    trades: FxHashMap<Profession, Vec<Trade>>,
}

#[derive(Deserialize)]
struct Read {
    sites: FxHashMap<Profession, BlockId>,
    trades: FxHashMap<Profession, Vec<Trade>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let Read { sites, trades } = table("trades.json", include_str!("data/trades.json"));
    Table { sites, trades }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profession_has_its_site_and_something_at_every_rank() {
        for who in Profession::ALL {
            assert!(who.site().item().is_some(), "{who}");
            assert_eq!(serde_json::to_string(&who).unwrap(), format!("\"{who}\""));
            for rank in 1..=RANK_MAX {
                assert!(who.trades().iter().any(|t| t.level == rank), "{who} {rank}");
            }
            for trade in who.trades() {
                assert!((1..=2).contains(&trade.pay.len()) && trade.uses > 0 && trade.xp > 0);
                let emerald = trade.get.0.name() == "emerald";
                assert!(emerald || trade.pay.iter().any(|(item, _)| item.name() == "emerald"));
            }
        }
    }

    #[test]
    fn terms_settle_chance_and_follow_from_the_stream() {
        for seed in 0..200 {
            for trade in Profession::Librarian.trades() {
                let terms = trade.terms(&mut Rng::new(seed));
                assert_eq!(terms, trade.terms(&mut Rng::new(seed)));
                assert_eq!(!terms.get.extra.enchants.is_empty(), trade.book);
                let prices = terms.pay.iter().flatten();
                assert!(prices.map(|(_, n)| n).all(|n| (1..=64).contains(n)));
            }
        }
    }

    #[test]
    fn who_sells_what_is_known_by_the_table() {
        let of = |name: &str| offers_for(name.parse().unwrap());
        assert_eq!(of("bread")[0].0, Profession::Farmer);
        assert_eq!(of("ender_pearl")[0].0, Profession::Cleric);
        assert!(of("iron_ingot").is_empty(), "no villager sells iron");
    }
}
