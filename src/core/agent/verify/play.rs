//! Playing a plan forward: the inventory and the place of the body, if every step does what it declares.
//!
//! Optimistic: checks come true, and only what a step was seen to use up is gone after it; a plan does not say it.

use crate::domain::check::{Check, Place, Truth};
use crate::domain::condition::situation::{Baseline, Situation};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::knowledge::pattern::overlaps;
use crate::domain::plan::task::Task;
use crate::domain::plan::{Executor, Mode, Subgoal};
use crate::knowledge::uses::StepUses;
use pithead_world::action::Target;
use pithead_world::block::BlockId;
use pithead_world::blueprint::{Blueprint, BuildSight};
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::item::{ItemId, Tier, ToolKind};
use pithead_world::space::Point;

/// The state so far.
#[derive(Debug)]
pub(super) struct Play<'a> {
    state: &'a StateSummary,
    baseline: Baseline,
    inventory: Counts,
    crafted: Counts,
    held: Option<ItemId>,
    y: i32,
    /// Lowest and highest so far: some guardrails ask whether the plan goes there at all.
    heights: (i32, i32),
    /// The body has moved to an unknown place.
    /// Set by a move without a known end.
    strayed: bool,
    uses: &'a StepUses,
    task: &'a Task,
    builds: Vec<BuildSight>,
}

impl<'a> Play<'a> {
    pub(super) fn new(state: &'a StateSummary, uses: &'a StepUses, task: &'a Task) -> Self {
        let inventory = state.inventory.clone();
        let y = state.position.y;
        Self {
            state,
            baseline: Baseline {
                // The moment of verification is the start for `gained` and `crafted`.
                tick: state.tick,
                inventory: inventory.clone(),
                crafted: Counts::default(),
            },
            inventory,
            crafted: Counts::default(),
            held: state.held,
            y,
            heights: (y, y),
            strayed: false,
            uses,
            task,
            builds: state.builds.clone(),
        }
    }

    /// Asks a question about the state so far. Where the body stands is known as long as it has
    /// not strayed; its height always.
    pub(super) fn ask(&self, question: impl Fn(&Situation<'_>) -> Truth) -> Truth {
        let at = self.state.position;
        let position = Point::new(
            f64::from(at.x) + 0.5,
            f64::from(self.y),
            f64::from(at.z) + 0.5,
        );
        let here = Situation {
            inventory: Some(&self.inventory),
            crafted: Some(&self.crafted),
            held: Some(self.held),
            position: Some(position),
            notable: Some(&self.state.notable),
            builds: Some(&self.builds),
            baseline: Some(&self.baseline),
            ..Situation::default()
        };
        // Known exactly until the body strays.
        if !self.strayed {
            return question(&here);
        }
        // Anywhere else the answer may differ; what holds here and far off holds.
        let far = Point::new(position.x + FAR, position.y, position.z + FAR);
        let elsewhere = Situation {
            position: Some(far),
            ..here
        };
        // Equal here and far away means that the place does not matter.
        match (question(&here), question(&elsewhere)) {
            (a, b) if a == b => a,
            _ => Truth::Unknown,
        }
    }

    /// What the step was seen to use up, for the pieces that it has yet to make.
    pub(super) fn taken_by(&self, subgoal: &Subgoal) -> Vec<(ItemSpec, u32)> {
        let Some(object) = subgoal.goal.object else {
            return Vec::new();
        };
        let made = |check: &Check| match check {
            // A total: what is held is not made again.
            Check::InvGe { item, count } if overlaps(*item, object) => {
                Some(count.saturating_sub(self.inventory.count(*item)))
            }
            Check::InvDeltaGe { item, count } | Check::CraftedGe { item, count }
                if overlaps(*item, object) =>
            {
                Some(*count)
            }
            _ => None, // says nothing of how many are made
        };
        let pieces = subgoal.checks.iter().filter_map(made).max();
        let pieces = pieces.unwrap_or(subgoal.goal.count.max(1));
        self.uses.taken_by(subgoal, pieces)
    }

    /// What the step puts down by its blueprint: all of it, or what is missing of a building that was begun.
    pub(super) fn put_down_by(&self, subgoal: &Subgoal) -> Vec<(ItemSpec, u32)> {
        let Some(name) = subgoal.blueprint() else {
            return Vec::new();
        };
        if let Some(begun) = BuildSight::of_name(&self.builds, name) {
            return begun.lacks.clone();
        }
        let known = self.task.blueprint(name);
        known.map_or(Vec::new(), Blueprint::material)
    }

    /// Takes the subgoal's checks as done.
    pub(super) fn declare(&mut self, subgoal: &Subgoal) {
        for (item, count) in self.put_down_by(subgoal) {
            let held = self.inventory.count(item);
            self.inventory.remove(item, count.min(held));
        }
        for (item, count) in self.taken_by(subgoal) {
            let held = self.inventory.count(item);
            self.inventory.remove(item, count.min(held));
        }
        for check in &subgoal.checks {
            self.come_true(check);
        }
        // These two end at a known height, and in the same column.
        if matches!(subgoal.executor_hint, Executor::DigDown | Executor::GoUp)
            && let Some(y) = subgoal.goal.amount.and_then(|y| i32::try_from(y).ok())
        {
            self.stand_at(y);
        }
        let settled = matches!(subgoal.executor_hint, Executor::DigDown | Executor::GoUp);
        self.strayed |= subgoal.mode == Mode::Move && !settled;
    }

    fn come_true(&mut self, check: &Check) {
        match check {
            Check::InvGe { item, count } => {
                let have = self.inventory.count(*item);
                // Only what is missing: what is held already counts.
                self.gain(*item, count.saturating_sub(have));
            }
            Check::InvLt { item, count } => {
                let over = self
                    .inventory
                    .count(*item)
                    .saturating_sub(count.saturating_sub(1));
                // One less than the limit stays.
                self.inventory.remove(*item, over);
            }
            Check::InvDeltaGe { item, count } => self.gain(*item, *count),
            Check::CraftedGe { item, count } => {
                self.gain(*item, *count);
                if let Some(member) = item.members().first() {
                    self.crafted.add(*member, *count);
                }
            }
            Check::Equipped { item } => {
                let carried = item
                    .members()
                    .iter()
                    .find(|i| self.inventory.count(**i) > 0);
                self.held = carried.or(item.members().first()).copied();
            }
            // Never in the wrong direction: a lower place satisfies "at or below" already.
            Check::YposLe { y } => self.stand_at(self.y.min(*y)),
            Check::YposGe { y } => self.stand_at(self.y.max(*y)),
            Check::Near {
                place: Place::At(at),
                ..
            } => self.stand_at(at.y),
            Check::Built { blueprint } => self.builds.push(BuildSight {
                blueprint: blueprint.clone(),
                at: self.state.position,
                stands: 1,
                of: 1,
                filled: 0,
                lacks: Vec::new(),
            }),
            _ => {} // no other check leaves something that a later step could rely on
        }
    }

    fn gain(&mut self, item: ItemSpec, count: u32) {
        // A count of a family goes to the member that is held already.
        let members = item.members();
        let held = members
            .iter()
            .find(|member| self.inventory.count(**member) > 0);
        if let Some(member) = held.or(members.first()) {
            self.inventory.add(*member, count);
        }
    }

    fn stand_at(&mut self, y: i32) {
        self.y = y;
        self.heights = (self.heights.0.min(y), self.heights.1.max(y));
    }

    /// What is left of it in the end.
    pub(super) fn most_held(&self, item: ItemSpec) -> u32 {
        self.inventory.count(item)
    }

    pub(super) fn inventory(&self) -> &Counts {
        &self.inventory
    }

    /// The height of the feet.
    pub(super) fn height(&self) -> i32 {
        self.y
    }

    pub(super) fn has_station(&self, block: BlockId) -> bool {
        let carried = block
            .item()
            .is_some_and(|item| self.inventory.count(item) > 0);
        let near = Check::Near {
            place: Place::Thing(Target::Block(block)),
            range: STATION_NEAR,
        };
        carried || self.ask(|now| near.truth(now)) != Truth::False
    }

    pub(super) fn has_tool(&self, kind: ToolKind, tier: Tier) -> bool {
        let will_do = |item: ItemId| {
            item.facts()
                .tool
                .is_some_and(|t| t.kind == kind && t.tier.level() >= tier.level())
        };
        self.inventory.iter().any(|(item, _)| will_do(item))
    }

    pub(super) fn lowest(&self) -> i32 {
        self.heights.0
    }

    pub(super) fn highest(&self) -> i32 {
        self.heights.1
    }
}

const STATION_NEAR: u32 = 6;
/// Further than any region or range reaches.
/// In blocks.
const FAR: f64 = 10_000.0;
