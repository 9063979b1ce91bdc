//! Villagers: what each of them trades, has learnt and has left until it works again.
//!
//! Where they walk is the mobs' business. Invariant: what a villager offers follows from the seed and its home; an offer
//! is used at most so often between two working hours.

use crate::item::ItemId;
use crate::rng::{Rng, Streams, hash3, mix};
use crate::space::Pos;
use crate::trade::{LEARNT_FOR, OFFERS_PER_RANK, Profession, RANK_MAX, Terms};
use std::collections::BTreeMap;

/// From this hour of the day until sunrise they rest, and trade with nobody.
/// Dusk; they rest until the day turns over.
const REST_FROM: u32 = 12_000;
/// No price rises above a stack.
const PRICE_MAX: u32 = 64;

/// Whether villagers are asleep at this hour.
pub(super) fn is_rest(hour: u32) -> bool {
    hour >= REST_FROM
}

/// An offer and how often it was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deal {
    pub terms: Terms,
    pub uses: u32,
    /// How sought after it has been; raises the price.
    /// Goes up when an offer was used up, down when it was not.
    demand: i32,
}

impl Deal {
    /// What one exchange costs now.
    pub fn price(&self) -> impl Iterator<Item = (ItemId, u32)> + use<> {
        // Only the first part of a price rises, as in the game.
        let [first, second] = self.terms.pay;
        let raised = |(item, count): (ItemId, u32)| {
            // `swing` is in hundredths.
            let more = count * self.demand.max(0).unsigned_abs() * self.terms.swing / 100;
            (item, (count + more).min(PRICE_MAX))
        };
        [first.map(raised), second].into_iter().flatten()
    }

    /// Exchanges left until the villager works again.
    #[must_use]
    pub fn left(&self) -> u32 {
        self.terms.uses.saturating_sub(self.uses)
    }
}

/// A villager as a trader.
#[derive(Debug, Clone, PartialEq)]
pub struct Villager {
    pub profession: Profession,
    pub home: Pos,
    /// 1 novice to 5 master.
    pub rank: u32,
    /// Experience of the villager, which raises its rank.
    learnt: u32,
    deals: Vec<Deal>,
}

impl Villager {
    #[must_use]
    pub fn deals(&self) -> &[Deal] {
        &self.deals
    }

    /// Draws the offers of a rank out of those that the profession has.
    fn rise(&mut self, salt: u64) {
        // From home and rank only: who trades with it first has no influence.
        let home = hash3(salt, self.home.x, self.home.y, self.home.z);
        let mut rng = Rng::new(mix(home ^ u64::from(self.rank)));
        let rank = self.rank;
        let mut rows: Vec<_> = self
            .profession
            .trades()
            .iter()
            .filter(|trade| trade.level == rank)
            .collect();
        for _ in 0..OFFERS_PER_RANK.min(rows.len()) {
            let row = rows.remove(rng.below(rows.len() as u64) as usize);
            self.deals.push(Deal {
                terms: row.terms(&mut rng),
                uses: 0,
                demand: 0,
            });
        }
    }

    pub(super) fn restock(&mut self) {
        for deal in &mut self.deals {
            let (uses, left) = (deal.uses as i32, deal.left() as i32);
            // As in the game: demand + uses - what was left, never below zero here.
            deal.demand = (deal.demand + uses - left).clamp(0, 1_000);
            deal.uses = 0;
        }
    }
}

/// All villagers that have been met with, by the number of the mob.
#[derive(Debug, Clone)]
pub struct Villagers {
    salt: u64,
    pub(super) all: BTreeMap<u64, Villager>,
}

impl Villagers {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            salt: Streams(seed).salt("villagers"),
            all: BTreeMap::new(),
        }
    }

    #[must_use]
    pub fn get(&self, mob: u64) -> Option<&Villager> {
        self.all.get(&mob)
    }

    pub fn iter(&self) -> impl Iterator<Item = (u64, &Villager)> {
        self.all.iter().map(|(mob, villager)| (*mob, villager))
    }

    /// Makes a mob a trader.
    pub(super) fn add(&mut self, mob: u64, profession: Profession, home: Pos) {
        let mut villager = Villager {
            profession,
            home,
            rank: 1,
            learnt: 0,
            deals: Vec::new(),
        };
        villager.rise(self.salt);
        self.all.insert(mob, villager);
    }

    /// Counts one use of an offer; true if the villager rose in rank by it.
    pub(super) fn used(&mut self, mob: u64, offer: usize) -> bool {
        let salt = self.salt;
        let Some(villager) = self.all.get_mut(&mob) else {
            return false;
        };
        let Some(deal) = villager.deals.get_mut(offer) else {
            return false;
        };
        deal.uses += 1;
        villager.learnt += deal.terms.xp;
        let is_due =
            // By the table of 1.16; a master rises no further.
            villager.rank < RANK_MAX && villager.learnt >= LEARNT_FOR[villager.rank as usize];
        if is_due {
            villager.rank += 1;
            villager.rise(salt);
        }
        is_due
    }

    /// Stands for what they have learnt and sold.
    pub(super) fn checksum(&self) -> u64 {
        self.all.iter().fold(self.salt, |sum, (mob, villager)| {
            let Villager {
                profession,
                home,
                rank,
                learnt,
                deals,
            } = villager;
            let who = hash3(*mob ^ *profession as u64, home.x, home.y, home.z);
            let begun = mix(sum ^ who ^ u64::from(*rank) << 32 ^ u64::from(*learnt));
            deals.iter().fold(begun, |sum, deal| {
                mix(sum ^ u64::from(deal.uses) << 32 ^ u64::from(deal.demand.cast_unsigned()))
            })
        })
    }
}
