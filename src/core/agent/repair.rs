//! Repair: the steps that get what is lacking are put before the step that lacks it, and the rest of the plan stays.
//!
//! Invariant: a repaired plan holds only steps that this run has done before or that its plan holds, for amounts that
//! it knows to be lacking.

use super::state::{Planning, State};
use super::transitions::adoption::{first_error, step_uses, verifier_notes};
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

/// Why an added step is in the plan.
const ADDED: &str = "done again: what it had got is gone";

/// The plan that the lesson just learnt leaves one reading of: what was lacking is got as the run or its plan gets it
/// elsewhere. None if that is not known, did not help before, or the verifier has something against it.
pub(super) fn by_lesson(state: &State, planning: &Planning) -> Option<Plan> {
    let lesson = state.pending_lesson.as_ref().filter(|l| !l.is_guess)?;
    let is_first_try =
        planning.round == 0 && planning.vetoes.is_empty() && planning.faults.is_empty();
    let step = state.planned(planning.replaces.filter(|_| is_first_try)?)?;
    let plan = state.plan.as_ref()?;
    let is_open = |other: &&Subgoal| !state.is_done(other.id) && other.id != step.id;
    let ways = state.done.iter().rev();
    let ways: Vec<&Subgoal> = ways.chain(plan.subgoals.iter().filter(is_open)).collect();
    let was_added = |(item, _): (ItemSpec, u32)| {
        let added = plan
            .subgoals
            .iter()
            .filter(|s| s.rationale.as_deref() == Some(ADDED));
        added
            .filter_map(|s| s.goal.object)
            .any(|object| overlaps(object, item))
    };
    let again = lesson
        .next_actions
        .iter()
        .filter_map(|remedy| wanted(state, remedy));
    if again.into_iter().any(was_added) {
        return None;
    }
    let plan = with_steps(state, step, &lesson.next_actions, ways)?;
    first_error(&verifier_notes(state, &plan))
        .is_none()
        .then_some(plan)
}

/// The plan with what was lost got again before this step; none if no done step shows how.
pub(super) fn repaired(state: &State, step: &Subgoal, missing: &[Remedy]) -> Option<Plan> {
    with_steps(state, step, missing, state.done.iter().rev().collect())
}

/// The plan with what is missing got before this step, in the first of these ways that gets it.
fn with_steps(
    state: &State,
    step: &Subgoal,
    missing: &[Remedy],
    ways: Vec<&Subgoal>,
) -> Option<Plan> {
    let (plan, frame) = (state.plan.as_ref()?, state.frame.as_deref()?);
    let mut repair = Repair {
        state,
        ways,
        uses: step_uses(state),
        held: frame.inventory.clone(),
        added: Vec::new(),
    };
    for remedy in missing {
        let (item, count) = wanted(state, remedy)?;
        repair.get(item, count)?;
    }
    let is_open = |other: &&Subgoal| !state.is_done(other.id);
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
    ways: Vec<&'a Subgoal>,
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
        let makes = |way: &&&Subgoal| way.goal.object.is_some_and(|o| overlaps(o, item));
        let mut again = (**self.ways.iter().find(makes)?).clone();
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
        again.rationale = Some(ADDED.to_owned());
        if let Some(member) = object.members().first() {
            self.held.add(*member, count - held);
        }
        self.added.push(again);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::mind::ask::Lesson;
    use crate::domain::mind::role::MindRole;
    use crate::domain::samples;

    /// A run of models that has felled a tree before; the second of its steps lacks logs.
    fn state() -> State {
        let mut state = State::new();
        let mut config = samples::config();
        config.distillers = vec![MindRole::Skill];
        state.config = Some(Box::new(config));
        state.frame = Some(samples::frame(400, 2));
        let logs = samples::subgoal(1, "oak_log");
        let node = state.nodes.entry(logs.id).or_default();
        node.done = true;
        state.done.push(logs.clone());
        state.counters.subgoals = 2;
        state.plan = Some(Plan {
            subgoals: vec![logs, samples::subgoal(2, "oak_planks")],
            ..Plan::default()
        });
        lacks(&mut state, "oak_log");
        state
    }

    fn lacks(state: &mut State, item: &str) {
        state.pending_lesson = Some(Lesson {
            root_cause: format!("oak_planks needs 1 {item}, only 0 held"),
            constraint: None,
            next_actions: vec![Remedy::Have {
                item: samples::item(item),
                count: 1,
            }],
            is_guess: false,
        });
    }

    fn replan() -> Planning {
        Planning {
            replaces: Some(SubgoalId(2)),
            ..Planning::default()
        }
    }

    #[test]
    fn what_was_got_before_is_got_again_without_a_question_and_only_once() {
        let mut state = state();
        let plan = by_lesson(&state, &replan()).unwrap();
        let steps: Vec<String> = plan.subgoals.iter().map(Subgoal::label).collect();
        assert_eq!(steps, ["mine oak_log", "mine oak_planks"]);
        assert_eq!(plan.subgoals[1].needs, [plan.subgoals[0].id]);
        state.plan = Some(plan);
        assert_eq!(by_lesson(&state, &replan()), None, "it did not help");
    }

    #[test]
    fn a_way_that_only_the_plan_shows_will_do_and_what_nothing_shows_is_asked() {
        let mut state = state();
        let held = &mut state.frame.as_mut().unwrap().inventory;
        held.add("oak_log".parse().unwrap(), 1);
        lacks(&mut state, "coal");
        assert_eq!(by_lesson(&state, &replan()), None);
        let plan = state.plan.as_mut().unwrap();
        plan.subgoals.push(samples::subgoal(3, "coal"));
        state.counters.subgoals = 3;
        assert_eq!(by_lesson(&state, &replan()).unwrap().subgoals.len(), 3);
        let mut refused = replan();
        refused.vetoes.push("not there".to_owned());
        assert_eq!(
            by_lesson(&state, &refused),
            None,
            "the operator wants another"
        );
    }
}
