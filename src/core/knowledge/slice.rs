//! Slices: the steps of a run that something it achieved rests on, found from the end backwards.
//!
//! A step belongs to the slice if it made what a later one used up, or a tool or station that one had. What
//! the run held from its start becomes a requirement. Detours, by contrast, fall out. Invariant: nothing is
//! claimed that was not seen, and no table of the game is read.

use crate::domain::check::{Check, Place};
use crate::domain::condition::Condition;
use crate::domain::experience::Experience;
use crate::domain::knowledge::inputs::{Flow, Inputs, at_hand, holding, standing_near, tool_of};
use crate::domain::plan::{Subgoal, TaskKind};
use pithead_world::block::BlockId;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use pithead_world::observation::Gui;
use std::collections::{BTreeMap, BTreeSet};

/// What comes along is counted on where so many times of it came as were needed: stone on the way down, and not
/// the coal that lay there by chance.
const BY_PRODUCT_SURPLUS: u64 = 4;

/// The steps that led to something, in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Slice<'a> {
    pub(super) steps: Vec<SliceStep<'a>>,
    /// What had to be there before the first of them.
    pub(super) requires: Vec<Condition>,
}

/// One step, and how much of what it is for the later ones needed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SliceStep<'a> {
    pub(super) experience: &'a Experience,
    pub(super) count: u32,
    pub(super) flow: Flow,
}

/// What is still to be accounted for, on the way back to the start.
#[derive(Default)]
struct Open {
    needs: BTreeMap<ItemSpec, u64>,
    held: BTreeSet<ItemSpec>,
    /// A later step had to be done where an earlier one led.
    place_matters: bool,
}

/// The steps to so many pieces; none if the run did not get them in these successes.
pub(super) fn slice(wanted: ItemSpec, count: u32, successes: &[Experience]) -> Option<Slice<'_>> {
    let mut open = Open::default();
    open.needs.insert(wanted.kind(), u64::from(count));
    let mut steps: Vec<SliceStep<'_>> = Vec::new();
    for experience in successes.iter().rev() {
        if let Some(step) = open.take_in(experience) {
            steps.push(step);
        }
    }
    steps.reverse();
    let last = steps.last()?;
    if !gains(last.experience).any(|(item, _)| item == wanted.kind()) {
        return None;
    }
    let requires = open.settle(successes.first()?, &mut steps)?;
    Some(Slice { steps, requires })
}

impl Open {
    /// The step, if something open rests on it.
    fn take_in<'a>(&mut self, experience: &'a Experience) -> Option<SliceStep<'a>> {
        let action = &experience.action;
        if action.checks.iter().any(names_a_place) {
            return None;
        }
        let object = action.goal.object.map(ItemSpec::kind);
        let is_made = |item: ItemSpec| object == Some(item);
        let mut served = 0;
        let mut by_products = BTreeMap::new();
        let mut contributes = false;
        for (item, n) in gains(experience) {
            let need = self.needs.get(&item).copied().unwrap_or_default();
            let taken = need.min(n);
            let is_sure = is_made(item) || n >= taken * BY_PRODUCT_SURPLUS;
            if taken > 0 && is_sure {
                self.needs.insert(item, need - taken);
                contributes = true;
                if is_made(item) {
                    served += taken;
                } else {
                    by_products.insert(item, taken);
                }
            }
            contributes |= self.held.remove(&item);
        }
        let leads = action.task_kind == TaskKind::Move && self.place_matters;
        if !contributes && !leads {
            return None;
        }
        self.needs.retain(|_, n| *n > 0);
        // What led to the place of a later step has done so; what comes before led elsewhere.
        self.place_matters = matches!(
            action.task_kind,
            TaskKind::Mine | TaskKind::Combat | TaskKind::Use
        );
        let flow = flow_of(experience, by_products);
        for (item, n) in flow.common().used {
            *self.needs.entry(item).or_default() += n;
        }
        self.held.extend(&flow.held);
        let made = made(experience);
        // What is gathered can be had piece by piece; what is made comes in whole batches.
        let count = match action.task_kind {
            TaskKind::Craft | TaskKind::Smelt => made,
            _ => served.max(1),
        };
        Some(SliceStep {
            experience,
            count: u32::try_from(count).unwrap_or(u32::MAX),
            flow,
        })
    }

    /// What is left was there at the start, or came from attempts that failed half-way: then more of it is
    /// gathered where it was gathered. None if neither explains it.
    fn settle(self, first: &Experience, steps: &mut [SliceStep<'_>]) -> Option<Vec<Condition>> {
        let had = &first.pre.inventory;
        let mut requires = Vec::new();
        for (item, n) in self.needs {
            let count = u32::try_from(n).ok()?;
            if had.count(item) >= count {
                requires.push(holding(item, count));
            } else {
                let gathers = |step: &&mut SliceStep<'_>| {
                    let action = &step.experience.action;
                    action.task_kind == TaskKind::Mine
                        && action.goal.object.map(ItemSpec::kind) == Some(item)
                };
                steps.iter_mut().find(gathers)?.count += count;
            }
        }
        for item in self.held {
            if had.count(item) > 0 {
                requires.push(at_hand(item));
            } else {
                let block = item.single().and_then(station_block)?;
                let seen = first.pre.notable.iter().any(|sight| sight.block == block);
                requires.push(seen.then(|| standing_near(block))?);
            }
        }
        Some(requires)
    }
}

/// What one success took, gave and had.
pub(super) fn flow_of(experience: &Experience, by_products: BTreeMap<ItemSpec, u64>) -> Flow {
    let delta = &experience.diagnosis.delta;
    let mut held: BTreeSet<ItemSpec> = delta
        .windows
        .iter()
        .filter_map(|window| station_item(*window))
        .map(ItemSpec::Item)
        .collect();
    held.extend(tool_used(experience));
    let inputs = Inputs::seen_once(&delta.used, made(experience));
    Flow {
        inputs: vec![inputs],
        held,
        by_products,
    }
}

/// The tool that it was done with. What is in the hand in the end says little by itself: the tool may have broken, or
/// given way to a torch.
fn tool_used(experience: &Experience) -> Option<ItemSpec> {
    let action = &experience.action;
    if !matches!(action.task_kind, TaskKind::Mine | TaskKind::Combat) {
        return None;
    }
    let carried = |tool: &ItemSpec| experience.pre.inventory.count(*tool) > 0;
    let planned = action
        .goal
        .tool
        .filter(|tool| tool_of(*tool).is_some() && carried(tool));
    // Anything but a tool is in the hand by chance.
    let in_hand = experience.post.held.map(ItemSpec::Item);
    planned.or(in_hand.filter(|item| tool_of(*item).is_some()))
}

/// What a success took and had, as evidence for later attempts at the same.
#[must_use]
pub fn flow_of_success(experience: &Experience) -> Flow {
    flow_of(experience, BTreeMap::new())
}

/// Pieces of what the step is for.
pub(super) fn made(experience: &Experience) -> u64 {
    let object = experience.action.goal.object.map(ItemSpec::kind);
    let own = gains(experience).filter(|(item, _)| Some(*item) == object);
    own.map(|(_, n)| n).sum()
}

/// What was there more of in the end, by family, and what it made of its own kind and used up again. A station that it
/// worked at and took along was there before it.
fn gains(experience: &Experience) -> impl Iterator<Item = (ItemSpec, u64)> {
    let mut sums: BTreeMap<ItemSpec, i64> = BTreeMap::new();
    let mut exact = Vec::new();
    let delta = &experience.diagnosis.delta;
    let object = experience.action.goal.object;
    let worked_at = |item: ItemId| {
        let mut stations = delta
            .windows
            .iter()
            .filter_map(|window| station_item(*window));
        stations.any(|station| station == item) && object != Some(ItemSpec::Item(item))
    };
    for (item, n) in delta
        .inventory
        .iter()
        .filter(|(item, _)| !worked_at(**item))
    {
        let item = ItemSpec::Item(*item);
        *sums.entry(item.kind()).or_default() += n;
        if item.kind() != item {
            // A tool is needed as itself, whatever its family.
            exact.push((item, *n));
        }
    }
    let all = sums.into_iter().chain(exact);
    let gained =
        all.filter_map(|(item, n)| Some((item, u64::try_from(n).ok().filter(|n| *n > 0)?)));
    gained.collect::<Vec<_>>().into_iter()
}

/// A condition that holds at one place of one world only.
fn names_a_place(check: &Check) -> bool {
    matches!(
        check,
        Check::Near {
            place: Place::At(_),
            ..
        }
    )
}

/// The block whose window this is goes by the window's name.
fn station_item(window: Gui) -> Option<ItemId> {
    ItemId::named(window.name())
}

fn station_block(item: ItemId) -> Option<BlockId> {
    item.name().parse().ok()
}

/// The step without what belongs to its own run, for so many pieces.
pub(super) fn for_pieces(action: &Subgoal, count: u32) -> Subgoal {
    let mut step = super::skills::bare(action);
    let Some(object) = action.goal.object else {
        return step;
    };
    step.goal.count = count;
    step.condition = crate::domain::plan::label(step.executor_hint, &step.goal, &step.checks);
    for check in &mut step.checks {
        match check {
            Check::InvGe { item, count: n }
            | Check::InvDeltaGe { item, count: n }
            | Check::CraftedGe { item, count: n }
                // Only the amount of the product changes; a check on a station stays.
                if *item == object =>
            {
                *n = count;
            }
            _ => (), // it asks for something else
        }
    }
    step
}
