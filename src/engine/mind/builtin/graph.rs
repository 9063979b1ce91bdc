//! The graph of ways: all that getting something may take, every way to each of it, and what a piece costs.
//!
//! Costs are for the quantity that is wanted and begin from what is held: what is held costs nothing, and only what
//! is short of the quantity is paid for. Invariant: a thing has a cost only if some way to it has all its parts.

use super::cost::Cost;
use super::search::Reach;
use super::ways::{Amount, COOKING, Knowing, Part, Way};
use pithead_world::family::ItemSpec;
use std::collections::{BTreeMap, VecDeque};

/// A way that could be taken.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) way: Way,
    /// What it costs besides its parts, in the unit of `price`: for one crafting, else for one piece.
    pub(super) own: u64,
    /// What has to be got for it.
    pub(super) parts: Vec<Part>,
    /// What is carried and has to stay.
    pub(super) keeps: Vec<Part>,
}

/// A way in the graph; things by their number.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) candidate: Candidate,
    /// Used up for what is wanted, and for the least that can be made.
    pub(super) batches: Vec<Batch>,
    /// Has to be there, whatever the quantity.
    pub(super) held: Vec<(usize, u32)>,
    /// Carried, and not to be used up by others.
    pub(super) kept: Vec<(usize, u32)>,
}

/// Pieces that are priced together, whole craftings, and what they use up.
#[derive(Debug)]
pub(super) struct Batch {
    pieces: u32,
    used: Vec<(usize, u32)>,
}

#[derive(Debug)]
pub(super) struct Thing {
    pub(super) item: ItemSpec,
    /// The most pieces that one step is known to take.
    pub(super) wanted: u32,
    pub(super) stock: u32,
    pub(super) links: Vec<Link>,
}

/// Everything that may be needed.
#[derive(Debug)]
pub(super) struct WayGraph {
    pub(super) things: Vec<Thing>,
    numbers: BTreeMap<ItemSpec, usize>,
}

impl WayGraph {
    /// All that getting so many pieces of the goals may take.
    pub(super) fn to(knowing: &Knowing<'_>, goals: &[(ItemSpec, u32)]) -> Self {
        let mut graph = Self {
            things: Vec::new(),
            numbers: BTreeMap::new(),
        };
        // Breadth first from the goals; only what can be needed is looked at.
        let mut open = VecDeque::new();
        for (item, count) in goals {
            graph.reach(knowing, &mut open, *item, *count);
        }
        while let Some(at) = open.pop_front() {
            let item = graph.things[at].item;
            for way in knowing.options_of(item) {
                let candidate = knowing.candidate(item, way);
                let numbered = |graph: &mut Self, open: &mut VecDeque<usize>, parts: &[Part]| {
                    let held = parts.iter().filter_map(Part::held_count);
                    held.map(|(part, n)| (graph.reach(knowing, open, part, n), n))
                        .collect::<Vec<_>>()
                };
                let held = numbered(&mut graph, &mut open, &candidate.parts);
                let kept = numbered(&mut graph, &mut open, &candidate.keeps);
                for part in candidate
                    .parts
                    .iter()
                    .filter(|part| part.held_count().is_none())
                {
                    graph.reach(knowing, &mut open, part.item, 1);
                }
                graph.things[at].links.push(Link {
                    candidate,
                    batches: Vec::new(),
                    held,
                    kept,
                });
            }
        }
        graph.count_uses();
        graph.want_families_as_members();
        graph.count_uses();
        graph
    }

    /// Passes on how much is wanted, from things to their parts.
    fn count_uses(&mut self) {
        for at in 0..self.things.len() {
            let wanted = self.things[at].wanted;
            let mut links = std::mem::take(&mut self.things[at].links);
            for link in &mut links {
                let all = self.batch(&link.candidate, wanted);
                let least = self.batch(&link.candidate, 1);
                for (part, count) in &all.used {
                    let part = &mut self.things[*part];
                    part.wanted = part.wanted.max(*count);
                }
                let is_more = least.pieces < all.pieces;
                link.batches = std::iter::once(all)
                    .chain(is_more.then_some(least))
                    .collect();
            }
            self.things[at].links = links;
        }
    }

    /// A family is priced for as many pieces as the most wanted of its members, or the larger number alone would make
    /// that member look cheaper than any of them.
    fn want_families_as_members(&mut self) {
        for at in 0..self.things.len() {
            let picks = self.things[at]
                .links
                .iter()
                .filter(|link| link.candidate.is_pick());
            let members = picks
                .flat_map(|link| &link.batches)
                .flat_map(|batch| &batch.used);
            let most = members.map(|(member, _)| self.things[*member].wanted).max();
            let thing = &mut self.things[at];
            thing.wanted = thing.wanted.max(most.unwrap_or_default());
        }
    }

    fn batch(&self, candidate: &Candidate, wanted: u32) -> Batch {
        let pieces = wanted.max(1);
        let uses = candidate.uses(pieces).into_iter();
        let used = uses
            .filter_map(|(part, count)| Some((self.number(part)?, count)))
            .collect();
        Batch { pieces, used }
    }

    /// The number of a thing of which so many pieces are needed at once.
    fn reach(
        &mut self,
        knowing: &Knowing<'_>,
        open: &mut VecDeque<usize>,
        item: ItemSpec,
        count: u32,
    ) -> usize {
        let next = self.things.len();
        let at = *self.numbers.entry(item).or_insert(next);
        if at == next {
            open.push_back(at);
            self.things.push(Thing {
                item,
                wanted: 1,
                stock: knowing.stock.count(item),
                links: Vec::new(),
            });
        }
        let thing = &mut self.things[at];
        thing.wanted = thing.wanted.max(count);
        at
    }

    pub(super) fn number(&self, item: ItemSpec) -> Option<usize> {
        self.numbers.get(&item).copied()
    }

    /// What each thing costs; none for what cannot be got.
    pub(super) fn costs(&self, reach: Reach) -> Vec<Option<Cost>> {
        let mut costs: Vec<Option<Cost>> = vec![None; self.things.len()];
        let held = |at: usize| self.things[at].stock;
        // Relaxation as in Bellman and Ford: costs only go down, so the loop ends.
        loop {
            let mut changed = false;
            for (at, thing) in self.things.iter().enumerate() {
                for link in &thing.links {
                    if !reach.has(&link.candidate.way) {
                        continue;
                    }
                    let Some(cost) = cheapest_batch(link, &costs, &held) else {
                        continue;
                    };
                    let is_less = |known: &Cost| cost.is_less(known, thing.wanted);
                    if costs[at].as_ref().is_none_or(is_less) {
                        costs[at] = Some(cost);
                        changed = true;
                    }
                }
            }
            if !changed {
                return costs;
            }
        }
    }

    /// What a piece costs once some of what was held is taken: only so many of each thing are still free. None if the
    /// costs say it already, because nothing that it is made of was taken.
    pub(super) fn cost_now(
        &self,
        thing: usize,
        (costs, reach): (&[Option<Cost>], Reach),
        free: &dyn Fn(usize) -> u32,
    ) -> Option<Cost> {
        let thing = &self.things[thing];
        let is_taken = |part: usize| free(part) < self.things[part].stock;
        let parts = thing.links.iter().flat_map(|link| &link.batches);
        let mut parts = parts.flat_map(|batch| &batch.used);
        if !parts.any(|(part, _)| is_taken(*part)) {
            return None;
        }
        let open = thing
            .links
            .iter()
            .filter(|link| reach.has(&link.candidate.way));
        let all = open.filter_map(|link| cheapest_batch(link, costs, free));
        all.reduce(|least, cost| match cost.is_less(&least, thing.wanted) {
            true => cost,
            false => least,
        })
    }

    /// Whether all of it is held, or it has a cost.
    pub(super) fn can_get(&self, item: ItemSpec, costs: &[Option<Cost>]) -> bool {
        self.number(item).is_some_and(|at| costs[at].is_some())
    }
}

/// What is held may suffice for some pieces where nothing gives more of it.
fn cheapest_batch(
    link: &Link,
    costs: &[Option<Cost>],
    free: &dyn Fn(usize) -> u32,
) -> Option<Cost> {
    let all = link.batches.first()?;
    cost_of_batch(link, all, costs, free).or_else(|| {
        let least = link.batches.get(1)?;
        Some(cost_of_batch(link, least, costs, free)?.of_some())
    })
}

/// None while some part has no cost yet: it cannot be had, or is not known to be.
fn cost_of_batch(
    link: &Link,
    batch: &Batch,
    costs: &[Option<Cost>],
    free: &dyn Fn(usize) -> u32,
) -> Option<Cost> {
    let mut cost = Cost::of(link.candidate.own_for(0, batch.pieces));
    for (part, count) in &batch.used {
        let short = count.saturating_sub(free(*part));
        if short > 0 {
            if link.candidate.undoes() {
                return None;
            }
            cost.add_used(costs[*part].as_ref()?, short);
        }
    }
    for (part, count) in &link.held {
        let short = count.saturating_sub(free(*part));
        if short > 0 {
            cost.add_lasting(*part, costs[*part].as_ref()?, short);
        }
    }
    Some(cost.a_piece_of(batch.pieces))
}

impl Candidate {
    /// What so many pieces use up, by thing.
    pub(super) fn uses(&self, make: u32) -> BTreeMap<ItemSpec, u32> {
        let batches = self.batches(make);
        let mut uses: BTreeMap<ItemSpec, u32> = BTreeMap::new();
        for part in &self.parts {
            let count = match part.amount {
                Amount::PerBatch(count) => count * batches,
                Amount::PerPieces { count, pieces } => {
                    let share = u64::from(make) * u64::from(count);
                    let whole = share.div_ceil(u64::from(pieces.max(1)));
                    u32::try_from(whole).unwrap_or(u32::MAX)
                }
                Amount::Burning(_) | Amount::Held(_) => continue,
            };
            // Two bounds on one thing: the greater holds.
            let known = uses.entry(part.item).or_default();
            *known = count.max(*known);
        }
        for part in &self.parts {
            if let Amount::Burning(ticks) = part.amount {
                let count = (make * COOKING).div_ceil(ticks.max(1));
                let known = uses.entry(part.item).or_default();
                // What is cooked cannot be burnt as well; a bound learnt for the fuel is for the fuel.
                let cooked = matches!(self.way, Way::Smelt { input, .. } if input == part.item);
                *known = if cooked {
                    *known + count
                } else {
                    count.max(*known)
                };
            }
        }
        uses
    }

    /// It takes apart what is held, and what is not held is not made for that.
    pub(super) fn undoes(&self) -> bool {
        matches!(&self.way, Way::Craft(recipe) if recipe.undoes)
    }

    pub(super) fn is_pick(&self) -> bool {
        matches!(self.way, Way::Pick(_))
    }

    /// Whole craftings: the surplus stays in the inventory.
    fn batches(&self, make: u32) -> u32 {
        match &self.way {
            Way::Craft(recipe) => make.div_ceil(recipe.yields.max(1)),
            _ => make,
        }
    }

    /// What more pieces cost besides parts, when some are made by it already.
    pub(super) fn own_for(&self, already: u32, more: u32) -> u64 {
        let batches = self.batches(already + more) - self.batches(already);
        self.own.saturating_mul(u64::from(batches))
    }

    /// How many pieces so many of a part suffice for.
    pub(super) fn pieces_from(&self, amount: Amount, parts: u32) -> u32 {
        let yields = match &self.way {
            Way::Craft(recipe) => recipe.yields.max(1),
            _ => 1,
        };
        match amount {
            Amount::PerBatch(count) => (parts / count.max(1)).saturating_mul(yields),
            Amount::PerPieces { count, pieces } => parts.saturating_mul(pieces) / count.max(1),
            Amount::Burning(ticks) => parts.saturating_mul(ticks) / COOKING,
            Amount::Held(_) => u32::MAX,
        }
    }
}
