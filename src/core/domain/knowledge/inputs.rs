//! What a step took and gave, summed over all that was seen of it.
//!
//! What went in differs from sighting to sighting: one burns coal, another planks. Sightings with the same
//! inputs are summed, so rates come from all of the evidence and never from a lucky least; other inputs are
//! an alternative. Invariant: merging is the same in any order, and no game table is read.

use crate::domain::check::{Check, Place};
use crate::domain::condition::{Condition, Predicate};
use pithead_world::action::Target;
use pithead_world::block::BlockId;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::item::Tool;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Sets of inputs that are kept for one step; the rarest gives way.
const ALTERNATIVES_MAX: usize = 8;
/// Blocks within which a station can be used without walking.
const STATION_RANGE: u32 = 4;

/// One step: its alternatives, and what had to be there and stayed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Flow {
    /// By their inputs, in the order of these.
    pub inputs: Vec<Inputs>,
    /// Stations and tools that every sighting had. A tool stands for itself and the better ones of its kind.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub held: BTreeSet<ItemSpec>,
    /// What came along besides in every sighting, the least of it: cobblestone on the way down.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_products: BTreeMap<ItemSpec, u64>,
}

/// What went in and came out, summed over the sightings with these inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    pub used: BTreeMap<ItemSpec, u64>,
    /// Pieces of what the step is for.
    pub made: u64,
    pub times: u64,
}

impl Inputs {
    /// One sighting. Things are counted by their family where they have one: the kind of wood was chance.
    #[must_use]
    pub fn seen_once(used: &Counts, made: u64) -> Self {
        let mut kinds: BTreeMap<ItemSpec, u64> = BTreeMap::new();
        for (item, n) in used.iter() {
            *kinds.entry(ItemSpec::Item(item).kind()).or_default() += u64::from(n);
        }
        Self {
            used: kinds,
            made,
            times: 1,
        }
    }

    /// What so many pieces take of each input; begun pieces in full.
    pub fn taken_for(&self, pieces: u32) -> impl Iterator<Item = (ItemSpec, u32)> + '_ {
        let made = self.made.max(1);
        self.used.iter().map(move |(item, used)| {
            let taken = used.saturating_mul(u64::from(pieces)).div_ceil(made);
            (*item, u32::try_from(taken).unwrap_or(u32::MAX))
        })
    }

    fn has_same_inputs(&self, other: &Self) -> bool {
        self.used.keys().eq(other.used.keys())
    }
}

impl Flow {
    /// Adds what another sighting, or the sum of several, has shown.
    pub fn add(&mut self, other: &Self) {
        if self.inputs.is_empty() {
            self.clone_from(other);
            return;
        }
        let both = self
            .held
            .iter()
            .filter_map(|one| in_both(*one, &other.held));
        self.held = both.collect();
        self.by_products.retain(|item, n| {
            *n = (*n).min(other.by_products.get(item).copied().unwrap_or(0));
            *n > 0
        });
        for theirs in &other.inputs {
            match self.inputs.iter_mut().find(|i| i.has_same_inputs(theirs)) {
                Some(ours) => {
                    for (item, n) in &theirs.used {
                        let sum = ours.used.entry(*item).or_default();
                        *sum = sum.saturating_add(*n);
                    }
                    ours.made = ours.made.saturating_add(theirs.made);
                    ours.times = ours.times.saturating_add(theirs.times);
                }
                None => self.inputs.push(theirs.clone()),
            }
        }
        // The rarest goes first; by content among equals, so that the order of merging does not matter.
        self.inputs
            .sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.used.cmp(&b.used)));
        self.inputs.truncate(ALTERNATIVES_MAX);
        self.inputs.sort_by(|a, b| a.used.cmp(&b.used));
    }

    /// What went in whenever it was seen, with the sums over all sightings.
    #[must_use]
    pub fn common(&self) -> Inputs {
        let everywhere = |item: &&ItemSpec| self.inputs.iter().all(|i| i.used.contains_key(item));
        let first = self.inputs.first();
        let items = first.into_iter().flat_map(|first| first.used.keys());
        let sum =
            |of: &dyn Fn(&Inputs) -> u64| self.inputs.iter().map(of).fold(0, u64::saturating_add);
        Inputs {
            used: items
                .filter(everywhere)
                .map(|item| (*item, sum(&|inputs| inputs.used[item])))
                .collect(),
            made: sum(&|inputs| inputs.made),
            times: sum(&|inputs| inputs.times),
        }
    }

    /// What went in besides, in one sighting or another: any of these will do. The most frequent first.
    #[must_use]
    pub fn alternatives(&self) -> Vec<Inputs> {
        let common = self.common();
        let beside = |inputs: &Inputs| Inputs {
            used: inputs
                .used
                .iter()
                .filter(|(item, _)| !common.used.contains_key(item))
                .map(|(item, n)| (*item, *n))
                .collect(),
            ..inputs.clone()
        };
        let mut found: Vec<Inputs> = self.inputs.iter().map(beside).collect();
        if found.iter().any(|inputs| inputs.used.is_empty()) {
            // Seen without any of them, so none is needed.
            return Vec::new();
        }
        found.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.used.cmp(&b.used)));
        found
    }

    /// What has to be at hand for so many pieces.
    #[must_use]
    pub fn requirements(&self, pieces: u32) -> Vec<Condition> {
        let all_of = |inputs: &Inputs| -> Vec<Condition> {
            let taken = inputs.taken_for(pieces);
            taken.map(|(item, count)| holding(item, count)).collect()
        };
        let mut parts = all_of(&self.common());
        let mut others: Vec<Condition> = self
            .alternatives()
            .iter()
            .map(|inputs| all_together(all_of(inputs)))
            .collect();
        if let [only] = &mut others[..] {
            parts.push(std::mem::replace(only, Condition::always()));
        } else if !others.is_empty() {
            parts.push(Condition::Any(others));
        }
        parts.extend(self.held.iter().map(|held| at_hand(*held)));
        parts
    }

    /// What so many pieces change, as far as all sightings show it.
    #[must_use]
    pub fn effects(&self, goal: ItemSpec, pieces: u32) -> BTreeMap<ItemSpec, i64> {
        let mut effects = BTreeMap::from([(goal, i64::from(pieces))]);
        let most_seen = self.alternatives().into_iter().next();
        for inputs in [Some(self.common()), most_seen].into_iter().flatten() {
            for (item, n) in inputs.taken_for(pieces) {
                *effects.entry(item).or_default() -= i64::from(n);
            }
        }
        effects
    }
}

/// What both sightings had: the station itself, of tools of one kind the lower.
fn in_both(one: ItemSpec, others: &BTreeSet<ItemSpec>) -> Option<ItemSpec> {
    let Some(tool) = tool_of(one) else {
        return others.contains(&one).then_some(one);
    };
    let tools = others
        .iter()
        .filter_map(|other| Some((*other, tool_of(*other)?)));
    let (theirs, lowest) = tools
        .filter(|(_, other)| other.kind == tool.kind)
        .min_by_key(|(item, other)| (other.tier.level(), *item))?;
    let is_ours = (tool.tier.level(), one) <= (lowest.tier.level(), theirs);
    Some(if is_ours { one } else { theirs })
}

/// If it is a tool, which.
#[must_use]
pub fn tool_of(item: ItemSpec) -> Option<Tool> {
    item.single()?.facts().tool
}

/// Carried, or standing near if it is a block; of a tool any that is as good.
#[must_use]
pub fn at_hand(item: ItemSpec) -> Condition {
    if let Some(Tool { kind, tier, .. }) = tool_of(item) {
        return Condition::from(Predicate::ToolGe { kind, tier });
    }
    let block = item.single().and_then(|item| item.name().parse().ok());
    let carried = holding(item, 1);
    match block {
        Some(block) => Condition::Any(vec![standing_near(block), carried]),
        None => carried,
    }
}

/// Carried.
#[must_use]
pub fn holding(item: ItemSpec, count: u32) -> Condition {
    Condition::Is(Predicate::Check(Check::InvGe { item, count }))
}

/// Within reach.
#[must_use]
pub fn standing_near(block: BlockId) -> Condition {
    Condition::Is(Predicate::Check(Check::Near {
        place: Place::Thing(Target::Block(block)),
        range: STATION_RANGE,
    }))
}

/// All of them; one alone needs nothing around it.
#[must_use]
pub fn all_together(mut parts: Vec<Condition>) -> Condition {
    match parts.len() {
        1 => parts.remove(0),
        _ => Condition::All(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::item::{Tier, ToolKind};

    #[test]
    fn absurd_numbers_of_an_import_add_up_to_no_panic() {
        let absurd = Flow {
            inputs: vec![Inputs {
                used: BTreeMap::from([("oak_log".parse().unwrap(), u64::MAX)]),
                made: u64::MAX,
                times: u64::MAX,
            }],
            ..Flow::default()
        };
        let mut twice = absurd.clone();
        twice.add(&absurd);
        assert_eq!(twice.common().made, u64::MAX);
        assert_eq!(words(&twice.common(), u32::MAX), "1 oak_log");
    }

    fn flow(sightings: &[(&str, u64)]) -> Flow {
        let mut flow = Flow::default();
        for (used, made) in sightings {
            flow.add(&Flow {
                inputs: vec![Inputs::seen_once(&used.parse().unwrap(), *made)],
                ..Flow::default()
            });
        }
        flow
    }

    fn words(inputs: &Inputs, pieces: u32) -> String {
        let words: Vec<String> = inputs
            .taken_for(pieces)
            .map(|(item, n)| format!("{n} {item}"))
            .collect();
        words.join(", ")
    }

    #[test]
    fn rates_come_from_the_sum_and_inputs_that_vary_are_alternatives() {
        let smelted = flow(&[
            ("iron_ore=8, coal=1", 8),
            ("iron_ore=1, coal=1", 1),
            ("iron_ore=2, oak_planks=2", 2),
        ]);
        assert_eq!(words(&smelted.common(), 3), "3 iron_ore");
        let fuels: Vec<String> = smelted.alternatives().iter().map(|i| words(i, 9)).collect();
        assert_eq!(fuels, ["2 #coals", "9 #planks"]);
    }

    #[test]
    fn what_one_sighting_did_without_is_not_needed() {
        let made = flow(&[("oak_log=1", 4), ("oak_log=1, dirt=3", 4)]);
        assert_eq!(words(&made.common(), 4), "1 #logs");
        assert_eq!(made.alternatives(), []);
    }

    #[test]
    fn of_tools_the_lowest_that_did_it_is_asked_for() {
        let with = |held: &str| Flow {
            held: held
                .split_whitespace()
                .map(|item| item.parse().unwrap())
                .collect(),
            ..flow(&[("", 1)])
        };
        let sum = |flows: &[&str]| {
            let mut sum = Flow::default();
            flows.iter().for_each(|held| sum.add(&with(held)));
            let held: Vec<&str> = sum.held.iter().map(|item| item.name()).collect();
            held.join(" ")
        };
        let (stone, iron) = ("stone_pickaxe", "iron_pickaxe");
        assert_eq!(sum(&[iron, stone, iron]), stone);
        assert_eq!(sum(&[stone, iron, iron]), stone);
        assert_eq!(sum(&[stone, iron, ""]), "", "the hand did it too");
        assert_eq!(sum(&[stone, "iron_axe"]), "");
        assert_eq!(sum(&["furnace iron_pickaxe", "furnace"]), "furnace");
        let needs = with(stone).requirements(1);
        assert_eq!(
            needs,
            [Condition::from(Predicate::ToolGe {
                kind: ToolKind::Pickaxe,
                tier: Tier::Stone
            })]
        );
    }

    #[test]
    fn the_order_of_sightings_does_not_matter() {
        let seen = [
            ("iron_ore=2, coal=1", 2),
            ("iron_ore=2, oak_planks=2", 2),
            ("iron_ore=1, coal=1", 1),
        ];
        let backwards: Vec<_> = seen.iter().rev().copied().collect();
        assert_eq!(flow(&seen), flow(&backwards));
    }
}
