//! Repair: the steps that made what was lost are put before the step that lacks it, and the rest of the plan stays.
//!
//! Invariant: a repaired plan holds only steps that this run has done before, for amounts that it knows to be lacking.

use super::state::State;
use super::transitions::adoption::step_uses;
use crate::domain::check::Check;
use crate::domain::knowledge::Remedy;
use crate::domain::knowledge::pattern::overlaps;
use crate::domain::plan::{Plan, Subgoal, label};
use crate::knowledge::uses::StepUses;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::ids::SubgoalId;

/// Steps that one repair may add; where it takes more, the rest is planned anew.
const ADDED_MAX: usize = 12;

/// The plan with what was lost got again before this step; none if no done step shows how.
pub(super) fn repaired(state: &State, step: &Subgoal, missing: &[Remedy]) -> Option<Plan> {
    let (plan, frame) = (state.plan.as_ref()?, state.frame.as_deref()?);
    let mut repair = Repair {
        state,
        uses: step_uses(state),
        held: frame.inventory.clone(),
        added: Vec::new(),
    };
    for remedy in missing {
        let (item, count) = wanted(state, remedy)?;
        repair.get(item, count)?;
    }
    let is_open = |other: &&Subgoal| !state.nodes.get(&other.id).is_some_and(|node| node.done);
    let mut steps: Vec<Subgoal> = plan.subgoals.iter().filter(is_open).cloned().collect();
    let at = steps.iter().position(|other| other.id == step.id)?;
    let last = repair.added.last()?.id;
    steps[at].needs.push(last);
    steps.splice(at..at, repair.added);
    // Needs for what is done are met, and the plan does not hold those steps any more.
    let ids: Vec<SubgoalId> = steps.iter().map(|step| step.id).collect();
    for step in &mut steps {
        step.needs.retain(|need| ids.contains(need));
    }
    Some(Plan {
        subgoals: steps,
        ..plan.clone()
    })
}

/// What is to be held; of a tool the one that the run has made.
fn wanted(state: &State, remedy: &Remedy) -> Option<(ItemSpec, u32)> {
    match remedy {
        Remedy::Have { item, count } => Some((*item, *count)),
        Remedy::Station { block } => Some((block.item()?.into(), 1)),
        Remedy::Tool { kind, tier } => {
            let made = state.done.iter().rev().filter_map(|done| done.goal.object);
            let will_do = |item: &ItemSpec| {
                let tool = item.single().and_then(|item| item.facts().tool);
                tool.is_some_and(|tool| tool.will_do(*kind, *tier))
            };
            made.into_iter().find(will_do).map(|item| (item, 1))
        }
        Remedy::GoBelow { .. }
        | Remedy::GoAbove { .. }
        | Remedy::MoveAway { .. }
        | Remedy::Advice { .. } => None,
    }
}

struct Repair<'a> {
    state: &'a State,
    uses: StepUses,
    held: Counts,
    added: Vec<Subgoal>,
}

impl Repair<'_> {
    /// Adds the steps by which so much is held; none if that is not known.
    fn get(&mut self, item: ItemSpec, count: u32) -> Option<()> {
        let held = self.held.count(item);
        if held >= count {
            return Some(());
        }
        let makes = |done: &&Subgoal| done.goal.object.is_some_and(|o| overlaps(o, item));
        let mut again = self.state.done.iter().rev().find(makes)?.clone();
        again.goal.count = count - held;
        let uses = self.uses.taken_by(&again, again.goal.count);
        for (input, n) in uses {
            self.get(input, n)?;
            self.held.remove(input, n);
        }
        if self.added.len() >= ADDED_MAX {
            return None;
        }
        let object = again.goal.object?;
        let before = self.added.last().map(|step| step.id);
        let next = self.state.counters.subgoals + self.added.len() as u64 + 1;
        again.id = SubgoalId(next);
        again.needs = before.into_iter().collect();
        again.condition = label(again.executor_hint, &again.goal, &[]);
        again.checks = vec![Check::InvGe {
            item: object,
            count,
        }];
        again.rationale = Some("done again: what it had got is gone".to_owned());
        if let Some(member) = object.members().first() {
            self.held.add(*member, count - held);
        }
        self.added.push(again);
        Some(())
    }
}
