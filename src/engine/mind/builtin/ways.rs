//! Ways: for each thing needed, the one way to get it that the planner would take.
//!
//! Costs are those of getting the first piece and always exceed the cost of every part, tools and
//! stations included; so the ways chosen never lead in a circle.

use super::beliefs::{Beliefs, BelievedRecipe};
use super::cost::{Candidate, Cost};
use super::learnt::Learnt;
use super::other_ways::OtherWay;
use super::price::RARITY;
use super::requests::Requests;
use super::supplies::bed;
use pithead_core::domain::experience::option::TriedOptions;
use pithead_core::domain::plan::{Executor, TaskKind};
use pithead_world::block;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::item::{ItemId, Tier, ToolKind};
use pithead_world::mob::MobKind;
use pithead_world::natural::Lie;
use pithead_world::observation::BlockSight;
use pithead_world::space::Pos;
use std::collections::{BTreeMap, VecDeque};

/// All that the planner goes by while it thinks.
#[derive(Debug)]
pub(super) struct Knowing<'a> {
    pub(super) beliefs: &'a Beliefs,
    pub(super) learnt: Learnt,
    pub(super) requests: Requests,
    /// Only what the ask holds: the planner does not see the world.
    pub(super) stock: &'a Counts,
    pub(super) options: &'a TriedOptions,
    pub(super) notable: &'a [BlockSight],
    pub(super) here: Pos,
}

/// One way to get something.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Way {
    Mine {
        tool: Option<ItemId>,
        lie: Lie,
        // Price and amounts come from the table of its kind.
        depth: Option<i32>,
        /// It is met on any walk.
        common: bool,
    },
    Attack {
        mob: MobKind,
    },
    Craft(BelievedRecipe),
    Smelt {
        input: ItemSpec,
        furnace: bool,
        fuel: Option<ItemSpec>,
    },
    /// What none of these gives: shears, buckets, fields and rods do.
    OtherWay(OtherWay),
    /// Any member will do: take this one.
    Pick(ItemId),
}

/// What a way asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) item: ItemSpec,
    pub(super) amount: Amount,
}

impl Part {
    /// What has to be there and stays.
    pub(super) fn held(item: ItemSpec, count: u32) -> Self {
        Self {
            item,
            amount: Amount::Held(count),
        }
    }
}

/// How much of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Amount {
    /// Used up by each crafting.
    /// In the sense of the recipe: one crafting may give several pieces.
    PerBatch(u32),
    /// Used up: `count` for every `pieces` made, begun ones in full.
    PerPieces { count: u32, pieces: u32 },
    /// Fuel: one piece burns so many ticks.
    Burning(u32),
    /// Has to be there and stays.
    Held(u32),
}

/// Ticks that cooking one piece takes.
pub(super) const COOKING: u32 = 200;

/// The way chosen for each thing that may be needed.
pub(super) type Ways = BTreeMap<ItemSpec, Way>;

impl Knowing<'_> {
    /// The cheapest ways to everything that getting `goals` may take; a thing without a way is
    /// absent.
    #[must_use]
    pub(super) fn ways(&self, goals: &[ItemSpec]) -> Ways {
        let options = self.options(goals);
        let mut costs: BTreeMap<ItemSpec, (Cost, usize)> = BTreeMap::new();
        // Relaxation as in Bellman and Ford: costs only go down, so the loop ends.
        loop {
            let mut changed = false;
            for (item, ways) in &options {
                for (at, option) in ways.iter().enumerate() {
                    let Some(cost) = option.cost(&costs) else {
                        continue;
                    };
                    // Strictly less: of equals the first found stays, and the result is the
                    // same each time.
                    let is_less = |(known, _): &(Cost, usize)| cost.total() < known.total();
                    if costs.get(item).is_none_or(is_less) {
                        costs.insert(*item, (cost, at));
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let chosen =
            |(item, (_, at)): (&ItemSpec, &(Cost, usize))| (*item, options[item][*at].way.clone());
        costs.iter().map(chosen).collect()
    }

    fn options(&self, goals: &[ItemSpec]) -> BTreeMap<ItemSpec, Vec<Candidate>> {
        // Breadth first from the goals; only what can be needed is looked at.
        let mut open: VecDeque<ItemSpec> = goals.iter().copied().collect();
        let mut found = BTreeMap::new();
        while let Some(item) = open.pop_front() {
            if found.contains_key(&item) {
                continue;
            }
            let ways: Vec<Candidate> = self
                .options_of(item)
                .into_iter()
                .map(|way| self.candidate(item, way))
                .collect();
            open.extend(ways.iter().flat_map(|c| &c.parts).map(|part| part.item));
            found.insert(item, ways);
        }
        found
    }

    fn options_of(&self, item: ItemSpec) -> Vec<Way> {
        let crafted = self.beliefs.recipes(item).into_iter().map(|recipe| {
            // A table that was learnt to be needed is added to a recipe that is believed to
            // do without.
            let learnt = self
                .learnt
                .station(TaskKind::Craft, item, block::CRAFTING_TABLE);
            Way::Craft(BelievedRecipe {
                table: recipe.table || learnt,
                ..recipe
            })
        });
        let smelted = self
            .beliefs
            .smelted_from(item)
            .into_iter()
            .map(|input| self.smelt(item, input));
        let mut ways: Vec<Way> = crafted.chain(smelted).collect();
        // Which tree comes first is the body's business; of what only one member lies about, that
        // member is picked below.
        let found = self.beliefs.gatherings(item);
        let several = found.iter().any(|other| other.item != found[0].item);
        if several || (item.single().is_some() && !found.is_empty()) {
            ways.push(self.mine(item));
        }
        ways.extend(
            self.beliefs
                .hunted(item)
                .into_iter()
                .map(|(mob, _)| Way::Attack { mob }),
        );
        // What others have made or put away lies far off, behind at least one night in the open: it is
        // for what cannot be had otherwise, whatever the requests say of the other ways.
        let (far, near): (Vec<OtherWay>, Vec<OtherWay>) = self
            .beliefs
            .other_ways(item)
            .into_iter()
            .partition(|other| matches!(other.executor, Executor::Trade | Executor::Take));
        ways.extend(near.into_iter().map(Way::OtherWay));
        let is_rare =
            |way: &Way| matches!(way, Way::Attack { mob } if self.is_rarely_left(item, *mob));
        if ways.iter().all(is_rare) {
            ways.extend(far.into_iter().map(Way::OtherWay));
        }
        if let ItemSpec::Family(family) = item {
            let mut members = family.members().to_vec();
            // Most held first: of equal ways the one that needs least work.
            members.sort_by_key(|member| std::cmp::Reverse(self.stock.count(*member)));
            ways.extend(members.into_iter().map(Way::Pick));
        }
        ways
    }

    fn mine(&self, item: ItemSpec) -> Way {
        let sources = self.beliefs.gatherings(item);
        let easiest = sources.iter().min_by_key(|s| {
            (
                // Fewest breaks, then the lowest tool.
                s.breaks_x10 * if s.common { 1 } else { RARITY },
                s.tool.map(|(_, tier)| tier.level()),
            )
        });
        let Some(source) = easiest else {
            return Way::Mine {
                tool: None,
                lie: Lie::Rock,
                depth: None,
                common: true,
            };
        };
        let learnt = self.learnt.tool(TaskKind::Mine, item);
        let seen = |sight: &BlockSight| sources.iter().any(|s| s.block == sight.block);
        // Seen already: it need not be gone down for.
        let believed = source.depth.filter(|_| !self.notable.iter().any(seen));
        let depth = match (believed, self.learnt.below(TaskKind::Mine, item)) {
            // The deeper of belief and lesson.
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let depth = depth.map(|y| self.depth_by_evidence(item, y));
        let tool =
            better(source.tool, learnt).and_then(|(kind, tier)| self.tool_at_hand(kind, tier));
        Way::Mine {
            tool,
            lie: source.lie,
            depth,
            common: source.common,
        }
    }

    /// The tool to use: a carried one that is good enough, or the plain one to make.
    pub(super) fn tool_at_hand(&self, kind: ToolKind, tier: Tier) -> Option<ItemId> {
        let will_do = |item: &ItemId| item.facts().tool.is_some_and(|t| t.will_do(kind, tier));
        let carried = self.stock.iter().map(|(item, _)| item).find(will_do);
        // The first that will do; the order of the inventory is fixed.
        carried.or_else(|| ItemId::of_tool(kind, tier))
    }

    fn smelt(&self, output: ItemSpec, input: ItemSpec) -> Way {
        let furnace = self.beliefs.needs_furnace(output)
            || self.learnt.station(TaskKind::Smelt, output, block::FURNACE);
        let floors = self.learnt.floors(TaskKind::Smelt, output);
        let learnt = floors
            .iter()
            .map(|f| f.item)
            .find(|item| *item != input && self.beliefs.burns(*item).is_some());
        let believed = self
            .beliefs
            .needs_fuel(output)
            .then(|| self.fuel())
            .flatten();
        Way::Smelt {
            input,
            furnace,
            // What was burnt when it was seen says that something has to burn: whatever is at hand will do.
            fuel: believed.or(learnt.and_then(|_| self.fuel())).or(learnt),
        }
    }

    /// The thing at the bottom of why `item` has no way.
    #[must_use]
    pub(super) fn obstacle(&self, item: ItemSpec) -> ItemSpec {
        let ways = self.ways(&[item]);
        // Followed down part by part until a thing lacks nothing but a way.
        let mut path = vec![item];
        while let Some(last) = path.last().copied() {
            let options = self.options_of(last);
            let parts = options
                .iter()
                .flat_map(|way| self.parts(last, way))
                .map(|part| part.item);
            let lacking = parts
                .into_iter()
                .find(|p| !ways.contains_key(p) && !path.contains(p));
            match lacking {
                Some(part) => path.push(part),
                None => return last,
            }
        }
        item
    }

    /// What the planner would burn: coal if it has some, else wood, which is never far.
    #[must_use]
    pub(super) fn fuel(&self) -> Option<ItemSpec> {
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
    pub(super) fn parts(&self, item: ItemSpec, way: &Way) -> Vec<Part> {
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
                let arms = self.arms(*mob).or_else(|| self.arms_by_evidence(item));
                arms.into_iter().collect()
            }
            Way::OtherWay(other) if matches!(other.executor, Executor::Trade | Executor::Take) => {
                other.parts.iter().copied().chain(bed()).collect()
            }
            Way::OtherWay(other) => other.parts.clone(),
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
        self.raise(item, way, &mut parts);
        // What is carried and stays is no errand.
        let carried = |part: &Part| matches!(part.amount, Amount::Held(count) if self.stock.count(part.item) >= count);
        // What stays and is carried costs nothing.
        parts.retain(|part| !carried(part));
        parts
    }

    /// Raises the parts to what was learnt.
    fn raise(&self, item: ItemSpec, way: &Way, parts: &mut Vec<Part>) {
        for floor in self.learnt.floors(way.kind(), item) {
            // Something has to burn, and any fuel will do: what was learnt of another one is not asked for.
            let is_other_fuel = matches!(way, Way::Smelt { input, fuel: Some(fuel), .. }
                if *input != floor.item && !pithead_core::domain::knowledge::pattern::overlaps(*fuel, floor.item))
                && self.beliefs.burns(floor.item).is_some();
            if is_other_fuel {
                continue;
            }
            // A lesson about a thing cannot demand the thing itself.
            if pithead_core::domain::knowledge::pattern::overlaps(floor.item, item) {
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
            let same = |part: &&mut Part| {
                pithead_core::domain::knowledge::pattern::overlaps(part.item, floor.item)
            };
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

fn better(a: Option<(ToolKind, Tier)>, b: Option<(ToolKind, Tier)>) -> Option<(ToolKind, Tier)> {
    // The higher tier of the two; of equals the believed one.
    match (a, b) {
        (Some(a), Some(b)) if b.1.level() > a.1.level() => Some(b),
        (Some(a), _) => Some(a),
        (None, b) => b,
    }
}

impl Way {
    /// The kind of the subgoal that takes this way.
    #[must_use]
    pub(super) fn kind(&self) -> TaskKind {
        match self {
            Self::Mine { .. } | Self::Pick(_) => TaskKind::Mine,
            Self::Attack { .. } => TaskKind::Combat,
            Self::Craft(_) => TaskKind::Craft,
            Self::Smelt { .. } => TaskKind::Smelt,
            Self::OtherWay(_) => TaskKind::Use,
        }
    }
}
