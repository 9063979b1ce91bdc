//! Parts: what a way asks for: what is used up, what burns, what has to be there.
//!
//! As believed, raised to what was learnt. Invariant: a lesson about a thing never asks for the thing itself.

use super::beliefs::BelievedRecipe;
use super::graph::Candidate;
use super::price::{BURNING_OTHERS, BURNING_TOOLS, SMELTING};
use super::ways::{Amount, Knowing, Part, Way};
use pithead_core::domain::knowledge::pattern::{overlaps, within};
use pithead_core::domain::plan::Executor;
use pithead_world::block;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;

impl Knowing<'_> {
    /// The way with its price and parts.
    pub(super) fn candidate(&self, item: ItemSpec, way: Way) -> Candidate {
        let set = match &way {
            // Numbers of one scale with `price`; crafting is cheap, smelting waits as long as some blocks take.
            Way::Craft(_) => 10,
            Way::Smelt { fuel, .. } => SMELTING + fuel.map_or(0, |fuel| self.burning(fuel)),
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
        // What is carried and stays is no errand.
        let is_carried = |part: &Part| {
            let held = part.held_count();
            held.is_some_and(|(item, count)| self.stock.count(item) >= count)
        };
        let stands = |part: &Part| part.held_count().is_some_and(|(item, _)| self.stands(item));
        let parts = self.parts(item, &way);
        let (at_hand, parts): (Vec<Part>, Vec<Part>) = parts
            .into_iter()
            .partition(|part| is_carried(part) || stands(part));
        Candidate {
            own: price.saturating_add(against),
            parts,
            keeps: at_hand.into_iter().filter(is_carried).collect(),
            way,
        }
    }

    /// A station that stands near: it can be used and not be used up.
    fn stands(&self, item: ItemSpec) -> bool {
        item.single()
            .is_some_and(|item| self.stations.contains(&item))
    }

    /// Everything that the planner might burn: what it would choose of all, wood, whatever it holds, and what it could
    /// make of things it holds that do not burn.
    pub(super) fn fuels(&self) -> &[ItemSpec] {
        self.fuels.get_or_init(|| {
            let mut fuels: Vec<ItemSpec> = self.fuel().into_iter().collect();
            if self.requests.is_empty() {
                fuels.extend("#planks".parse::<ItemSpec>());
                fuels.extend(self.stock.iter().map(|(item, _)| ItemSpec::Item(item)));
                fuels.extend(self.beliefs.fuels_from(self.stock));
            }
            let mut apart: Vec<ItemSpec> = Vec::new();
            for fuel in fuels {
                let fuel = self.beliefs.fuel_with(fuel, self.stock);
                let is_new = !apart.iter().any(|known| within(fuel, *known));
                if is_new && self.beliefs.burns(fuel).is_some() {
                    apart.push(fuel);
                }
            }
            apart
        })
    }

    /// What burning it costs for each piece smelted: coal and wood are for that, tools and stations are not.
    fn burning(&self, fuel: ItemSpec) -> u64 {
        let Some(item) = fuel.single().filter(|item| self.stock.count(*item) > 0) else {
            return 0;
        };
        let stations = [block::CRAFTING_TABLE, block::FURNACE, block::CHEST];
        let facts = item.facts();
        let is_of_use =
            facts.durability.is_some() || facts.places.is_some_and(|b| stations.contains(&b));
        if is_of_use {
            BURNING_TOOLS
        } else {
            BURNING_OTHERS
        }
    }

    /// What the planner would burn: coal if it has some, else wood, which is never far.
    #[must_use]
    fn fuel(&self) -> Option<ItemSpec> {
        let named = |name: &str| name.parse::<ItemSpec>().ok();
        // Ranked: coal at hand, planks, coal to be got, logs.
        let [coals, planks, logs] = ["#coals", "#planks", "#logs"].map(named);
        let held = coals.filter(|coals| self.stock.count(*coals) > 0);
        let ranked = [held, planks, coals, logs];
        let wanted = ranked
            .into_iter()
            .flatten()
            .find(|fuel| self.requests.wanted(*fuel));
        let fine = ranked
            .into_iter()
            .flatten()
            .find(|fuel| !self.requests.unwanted(*fuel));
        wanted.or(fine).or(planks)
    }

    /// What the way asks for, with what has been learnt about it.
    #[must_use]
    fn parts(&self, item: ItemSpec, way: &Way) -> Vec<Part> {
        let held = |name: ItemId| Part {
            item: name.into(),
            amount: Amount::Held(1),
        };
        let station = |block: block::BlockId| block.item().map(held);
        let mut parts: Vec<Part> = match way {
            Way::Pick(member) => {
                return vec![Part {
                    // One member, picked: no more parts.
                    item: (*member).into(),
                    amount: Amount::PerBatch(1),
                }];
            }
            Way::Mine { tool, depth, .. } => self.mining_kit(item, *tool, *depth),
            Way::Attack { mob } => {
                let arms = self.arms(*mob);
                match arms.is_empty() {
                    true => self.arms_by_evidence(item).into_iter().collect(),
                    false => arms,
                }
            }
            Way::OtherWay(other) if matches!(other.executor, Executor::Trade | Executor::Take) => {
                other.parts.iter().copied().chain(self.bed()).collect()
            }
            Way::OtherWay(other) => {
                let kit = other.depth.and_then(|_| self.plain_pickaxes());
                other.parts.iter().copied().chain(kit).collect()
            }
            Way::Craft(recipe) => {
                let used = recipe.ingredients.iter().map(|(item, count)| Part {
                    item: *item,
                    amount: Amount::PerBatch(*count),
                });
                used.chain(
                    recipe
                        .table
                        .then(|| station(block::CRAFTING_TABLE))
                        .flatten(),
                )
                .collect()
            }
            Way::Smelt {
                input,
                furnace,
                fuel,
            } => {
                let burning = fuel.and_then(|fuel| {
                    Some(Part {
                        item: fuel,
                        amount: Amount::Burning(self.beliefs.burns(fuel)?),
                    })
                });
                let input = Part {
                    item: *input,
                    amount: Amount::PerBatch(1),
                };
                let furnace = furnace.then(|| station(block::FURNACE)).flatten();
                [Some(input), burning, furnace]
                    .into_iter()
                    .flatten()
                    .collect()
            }
        };
        parts.extend(self.provisions(item, way));
        self.raise(item, way, &mut parts);
        parts
    }

    /// Whether the part is what another recipe makes the thing of, and not this one: what was learnt of sugar cane is not
    /// asked for where sugar is made of honey.
    fn is_of_another_way(&self, item: ItemSpec, way: &Way, part: ItemSpec) -> bool {
        let among = |parts: &[ItemSpec]| parts.iter().any(|known| overlaps(*known, part));
        let of_recipe = |recipe: &BelievedRecipe| -> Vec<ItemSpec> {
            recipe.ingredients.iter().map(|(item, _)| *item).collect()
        };
        match way {
            Way::Craft(recipe) => {
                let others = self.beliefs.recipes(item);
                !among(&of_recipe(recipe)) && others.iter().any(|other| among(&of_recipe(other)))
            }
            Way::Smelt { input, .. } => !among(&[*input]) && among(self.beliefs.smelted_from(item)),
            Way::Mine { .. } | Way::Attack { .. } | Way::OtherWay(_) | Way::Pick(_) => false,
        }
    }

    /// Raises the parts to what was learnt.
    fn raise(&self, item: ItemSpec, way: &Way, parts: &mut Vec<Part>) {
        let floors = self.learnt.floors(way.kind(), item).into_iter();
        for floor in floors.filter_map(|floor| self.beside_better_tools(floor)) {
            // Something has to burn, and any fuel will do: what was learnt of another one is not asked for.
            let is_other_fuel = matches!(way, Way::Smelt { input, fuel: Some(fuel), .. }
                if *input != floor.item && !overlaps(*fuel, floor.item))
                && self.beliefs.burns(floor.item).is_some();
            if is_other_fuel || self.is_of_another_way(item, way, floor.item) {
                continue;
            }
            // A lesson about a thing cannot demand the thing itself.
            if overlaps(floor.item, item) {
                continue;
            }
            let lasting = floor
                // Tools last; they are needed once, whatever the number of pieces.
                .item
                .single()
                .is_some_and(|i| i.facts().durability.is_some());
            let amount = match (way, floor.pieces) {
                (Way::Mine { .. } | Way::Attack { .. } | Way::OtherWay(_) | Way::Pick(_), _) => {
                    Amount::Held(floor.count)
                }
                _ if lasting => Amount::Held(floor.count),
                (_, Some(pieces)) => Amount::PerPieces {
                    count: floor.count,
                    pieces,
                },
                (_, None) => Amount::PerBatch(floor.count),
            };
            let same = |part: &&mut Part| overlaps(part.item, floor.item);
            // The same thing under another name is one part, not two.
            match (parts.iter_mut().find(same), amount) {
                (None, amount) => parts.push(Part {
                    item: floor.item,
                    amount,
                }),
                (Some(part), Amount::PerBatch(count)) => {
                    if let Amount::PerBatch(known) = part.amount {
                        part.amount = Amount::PerBatch(known.max(count));
                    }
                }
                // Both bounds stand; the greater is taken when the number of pieces is known.
                (Some(part), amount) => {
                    let item = part.item;
                    parts.push(Part { item, amount });
                }
            }
        }
    }
}
