//! Costs: what getting the first piece of something by one way costs, with all its parts.
//!
//! Invariant: a way costs more than each of its parts, so ways that are chosen by cost never lead in a circle.

use super::price::SMELTING;
use super::ways::{Amount, Knowing, Part, Way};
use pithead_world::family::ItemSpec;
use std::collections::BTreeMap;

/// A way that could be taken, and what it costs besides its parts.
pub(super) struct Candidate {
    pub(super) way: Way,
    /// In the unit of `price`.
    own: u64,
    pub(super) parts: Vec<Part>,
}

/// What getting the first piece of something costs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Cost {
    /// What each further piece costs as well.
    piece: u64,
    /// Tools and stations on the way, by price: however many pieces, each is got once.
    lasting: BTreeMap<ItemSpec, u64>,
}

impl Cost {
    pub(super) fn total(&self) -> u64 {
        let prices = self.lasting.values();
        prices.fold(self.piece, |sum, price| sum.saturating_add(*price))
    }

    fn take_lasting(&mut self, other: &Self) {
        for (item, price) in &other.lasting {
            let known = self.lasting.entry(*item).or_default();
            *known = (*known).max(*price);
        }
    }
}

impl Candidate {
    /// None while some part has no cost yet: it cannot be had, or is not known to be.
    pub(super) fn cost(&self, costs: &BTreeMap<ItemSpec, (Cost, usize)>) -> Option<Cost> {
        let mut used: BTreeMap<ItemSpec, u64> = BTreeMap::new();
        let mut cost = Cost::default();
        for part in &self.parts {
            // Costs of all parts are known before the way has one, which is what keeps ways
            // out of circles.
            let one = &costs.get(&part.item)?.0;
            cost.take_lasting(one);
            // Learnt of many pieces at once; what one of them takes is its share, or the prices of
            // what was learnt would multiply from step to step. One piece is needed all the same.
            let (count, pieces) = match part.amount {
                Amount::PerBatch(count) => (count.max(1), 1),
                Amount::PerPieces { count, pieces } => (count.max(1), pieces.max(1)),
                Amount::Burning(_) => (1, 1),
                Amount::Held(count) => {
                    let price = one.piece.saturating_mul(u64::from(count.max(1)));
                    let known = cost.lasting.entry(part.item).or_default();
                    *known = price.max(*known);
                    continue;
                }
            };
            let share = one
                .piece
                .saturating_mul(u64::from(count))
                .div_ceil(u64::from(pieces));
            // Several bounds on one thing, as several skills show them, are one part.
            let price = used.entry(part.item).or_default();
            *price = share.max(one.piece).max(*price);
        }
        cost.piece = used
            .values()
            .fold(self.own, |sum, price| sum.saturating_add(*price));
        Some(cost)
    }
}

impl Knowing<'_> {
    /// The way with its price and parts.
    pub(super) fn candidate(&self, item: ItemSpec, way: Way) -> Candidate {
        let set = match &way {
            // Numbers of one scale with `price`; crafting is cheap, smelting waits as long as some blocks take.
            Way::Craft(_) => 10,
            Way::Smelt { .. } => SMELTING,
            Way::OtherWay(other) => other.price,
            Way::Pick(_) => 1,
            Way::Attack { mob } => self.hunting(item, *mob),
            Way::Mine { lie, .. } => self.mining(item, *lie),
        };
        let price = match way.searched_by() {
            Some(executor) => self.price_by_evidence(item, executor, set),
            None => set,
        };
        // What the operator said stands, whatever the evidence.
        let against = match &way {
            Way::Pick(member) => self.against((*member).into()),
            Way::Attack { mob } => self.against(item) + self.against_mob(*mob),
            _ => self.against(item),
        };
        let own = price.saturating_add(against);
        Candidate {
            own,
            parts: self.parts(item, &way),
            way,
        }
    }
}
