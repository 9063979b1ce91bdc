//! Closure: a skill is played on paper, from exactly what it requires, step by step.
//!
//! Each step takes what its sightings took and gives what it is for; stations and tools have to be there.
//! A skill whose success does not come out that way is no skill: some step lives on what only its run had.
//! Invariant: only the skill itself is looked at, no table of the game.

use super::Skill;
use super::inputs::{Flow, Inputs, tool_of};
use super::pattern::within;
use crate::domain::check::Check;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::plan::Subgoal;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use std::collections::BTreeMap;

/// Why a skill does not lead to its success.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Gap {
    #[error("step {} (\"{words}\") lacks {count} {item}", .step + 1)]
    Lacks {
        /// From 0.
        step: usize,
        words: String,
        item: ItemSpec,
        count: u32,
    },
    #[error("in the end {count} {item} are missing")]
    NotReached { item: ItemSpec, count: u32 },
}

/// Whether it is known of each step what it took and gave.
#[must_use]
pub fn is_seen(skill: &Skill) -> bool {
    skill.flows.len() == skill.steps.len()
}

/// What is at hand, on paper, where this holds.
#[must_use]
pub fn at_hand(requires: &Condition) -> BTreeMap<ItemSpec, u32> {
    Stock::required_by(requires).0
}

/// Plays the skill on paper. A skill of which nothing was seen passes: there is nothing to play.
pub fn replay(skill: &Skill) -> Result<(), Gap> {
    if !is_seen(skill) {
        return Ok(());
    }
    let stock = play_all(skill)?;
    for check in &skill.success {
        if let Check::InvGe { item, count }
        | Check::InvDeltaGe { item, count }
        | Check::CraftedGe { item, count } = check
        {
            let missing = count.saturating_sub(stock.held(*item));
            if missing > 0 {
                let (item, count) = (*item, missing);
                return Err(Gap::NotReached { item, count });
            }
        }
    }
    Ok(())
}

/// The net change of the inventory on paper. A station that later steps worked at may stand anywhere in the end, so
/// that it is not counted on.
pub fn effects(skill: &Skill) -> Result<BTreeMap<ItemSpec, i64>, Gap> {
    let mut change: BTreeMap<ItemSpec, i64> = BTreeMap::new();
    for (item, n) in play_all(skill)?.0 {
        *change.entry(item).or_default() += i64::from(n);
    }
    for (item, n) in at_hand(&skill.requires) {
        *change.entry(item).or_default() -= i64::from(n);
    }
    let is_station = |item: ItemSpec| {
        let mut held = skill.flows.iter().flat_map(|flow| &flow.held);
        tool_of(item).is_none() && held.any(|held| *held == item)
    };
    change.retain(|item, n| *n != 0 && !(*n > 0 && is_station(*item)));
    Ok(change)
}

fn play_all(skill: &Skill) -> Result<Stock, Gap> {
    let mut stock = Stock::required_by(&skill.requires);
    for (at, (step, flow)) in skill.steps.iter().zip(&skill.flows).enumerate() {
        stock.play(step, flow).map_err(|(item, count)| Gap::Lacks {
            step: at,
            words: step.condition.clone(),
            item,
            count,
        })?;
    }
    Ok(stock)
}

/// What is at hand on paper.
#[derive(Default)]
struct Stock(BTreeMap<ItemSpec, u32>);

impl Stock {
    fn required_by(requires: &Condition) -> Self {
        let mut stock = Self::default();
        stock.take_in(requires);
        stock
    }

    fn take_in(&mut self, requires: &Condition) {
        match requires {
            Condition::All(parts) => parts.iter().for_each(|part| self.take_in(part)),
            // Whichever of them holds will do; on paper all of them are there, and one is taken.
            Condition::Any(parts) => parts.iter().for_each(|part| self.take_in(part)),
            Condition::Is(Predicate::Check(Check::InvGe { item, count })) => {
                self.add(*item, *count);
            }
            Condition::Is(Predicate::Check(Check::Near {
                place:
                    crate::domain::check::Place::Thing(pithead_world::action::Target::Block(block)),
                ..
            })) => {
                if let Some(item) = block.item() {
                    self.0.entry(item.into()).or_insert(1);
                }
            }
            Condition::Is(Predicate::ToolGe { kind, tier }) => {
                if let Some(tool) = ItemId::of_tool(*kind, *tier) {
                    self.0.entry(tool.into()).or_insert(1);
                }
            }
            Condition::Is(_) | Condition::Not(_) => (),
        }
    }

    /// Whether the station is there, or a tool that is as good.
    fn has(&self, wanted: ItemSpec) -> bool {
        let is_as_good = |item: &ItemSpec| match (tool_of(*item), tool_of(wanted)) {
            (Some(tool), Some(asked)) => tool.will_do(asked.kind, asked.tier),
            _ => is_like(*item, wanted),
        };
        self.0.iter().any(|(item, n)| *n > 0 && is_as_good(item))
    }

    fn held(&self, wanted: ItemSpec) -> u32 {
        let like = self.0.iter().filter(|(item, _)| is_like(**item, wanted));
        like.fold(0, |sum: u32, (_, n)| sum.saturating_add(*n))
    }

    fn add(&mut self, item: ItemSpec, count: u32) {
        let held = self.0.entry(item).or_default();
        *held = held.saturating_add(count);
    }

    /// The step, or the first thing that it lacks.
    fn play(&mut self, step: &Subgoal, flow: &Flow) -> Result<(), (ItemSpec, u32)> {
        for held in &flow.held {
            if !self.has(*held) {
                return Err((*held, 1));
            }
        }
        let pieces = step.goal.count.max(1);
        self.take(&flow.common(), pieces)?;
        let alternatives = flow.alternatives();
        let enough = |inputs: &&Inputs| self.lack(inputs, pieces).is_none();
        match alternatives.iter().find(enough) {
            Some(inputs) => self.take(inputs, pieces)?,
            None => {
                if let Some(lack) = alternatives.first().and_then(|i| self.lack(i, pieces)) {
                    return Err(lack);
                }
            }
        }
        if let Some(object) = step.goal.object {
            self.add(object, pieces);
        }
        for (item, n) in &flow.by_products {
            self.add(*item, u32::try_from(*n).unwrap_or(u32::MAX));
        }
        Ok(())
    }

    fn lack(&self, inputs: &Inputs, pieces: u32) -> Option<(ItemSpec, u32)> {
        inputs.taken_for(pieces).find_map(|(item, count)| {
            let missing = count.saturating_sub(self.held(item));
            (missing > 0).then_some((item, missing))
        })
    }

    fn take(&mut self, inputs: &Inputs, pieces: u32) -> Result<(), (ItemSpec, u32)> {
        if let Some(lack) = self.lack(inputs, pieces) {
            return Err(lack);
        }
        for (wanted, count) in inputs.taken_for(pieces) {
            let mut left = count;
            for (item, held) in &mut self.0 {
                if is_like(*item, wanted) {
                    let taken = left.min(*held);
                    (*held, left) = (*held - taken, left - taken);
                }
            }
        }
        Ok(())
    }
}

/// On paper the member and its family are the same: which wood it is was chance.
fn is_like(item: ItemSpec, wanted: ItemSpec) -> bool {
    within(item, wanted) || within(wanted, item)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::seen_skill;

    #[test]
    fn a_skill_is_played_from_exactly_what_it_requires() {
        let whole = seen_skill(
            "iron_pickaxe",
            "always",
            &[
                ("mine 3 #logs", "", ""),
                ("craft 12 #planks", "#logs 3", ""),
                ("craft 4 stick", "#planks 2", ""),
                ("craft 1 crafting_table", "#planks 4", ""),
                ("mine 3 iron_ore", "", ""),
                ("smelt 3 iron_ingot", "iron_ore 3, #planks 3", "furnace"),
                (
                    "craft 1 iron_pickaxe",
                    "iron_ingot 3, stick 2",
                    "crafting_table",
                ),
            ],
        );
        let gap = replay(&whole).unwrap_err();
        assert_eq!(
            gap.to_string(),
            "step 6 (\"smelt 3 iron_ingot\") lacks 1 furnace"
        );
        let mut with = whole.clone();
        with.requires = "inv furnace >= 1".parse().unwrap();
        assert_eq!(replay(&with), Ok(()));
        with.steps.remove(1);
        with.flows.remove(1);
        let gap = replay(&with).unwrap_err();
        assert_eq!(
            gap.to_string(),
            "step 2 (\"craft 4 stick\") lacks 2 #planks"
        );
        let mut short = whole;
        short.steps.truncate(4);
        short.flows.truncate(4);
        let gap = replay(&short).unwrap_err();
        assert_eq!(gap.to_string(), "in the end 1 iron_pickaxe are missing");
    }

    #[test]
    fn a_station_that_was_worked_at_is_not_counted_on() {
        let pickaxe = seen_skill(
            "wooden_pickaxe",
            "always",
            &[
                ("mine 3 #logs", "", ""),
                ("craft 12 #planks", "#logs 3", ""),
                ("craft 4 stick", "#planks 2", ""),
                ("craft 1 crafting_table", "#planks 4", ""),
                (
                    "craft 1 wooden_pickaxe",
                    "#planks 3, stick 2",
                    "crafting_table",
                ),
            ],
        );
        let told = |skill: &Skill| {
            let effects = effects(skill).unwrap().into_iter();
            let each = effects.map(|(item, n)| format!("{n:+} {item}"));
            each.collect::<Vec<String>>().join(", ")
        };
        assert_eq!(told(&pickaxe), "+1 wooden_pickaxe, +2 stick, +3 #planks");
        let mut table = pickaxe;
        table.goal = "crafting_table".parse().unwrap();
        table.steps.truncate(4);
        table.flows.truncate(4);
        assert!(told(&table).contains("+1 crafting_table"));
    }
}
