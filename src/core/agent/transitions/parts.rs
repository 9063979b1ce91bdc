//! Parts of plans: the next step, and what mends an assertion, for systems that do not ask for whole plans.
//!
//! Invariant: a step is asked for as often as the longest plan has steps, and an assertion is mended once.

use super::{ending, goals};
use crate::agent::state::{Planning, State};
use crate::agent::turn::Turn;
use crate::domain::check::{Check, Place};
use crate::domain::condition::situation::{Baseline, Situation};
use crate::domain::mind::plan_part::{LastStep, PlanPart};
use crate::domain::plan::form::PlanForm;
use crate::domain::plan::{Plan, Subgoal};
use crate::domain::run::event::Event;
use crate::domain::run::outcome::Outcome;
use pithead_world::action::Target;
use pithead_world::block::{BlockId, CRAFTING_TABLE, FURNACE};
use pithead_world::family::ItemSpec;
use pithead_world::ids::SubgoalId;

/// How much the planner of this run is asked for at a time.
pub(in crate::agent) fn form(state: &State) -> PlanForm {
    state
        .config()
        .map_or(PlanForm::Whole, |config| config.profile.form)
}

/// No step is left and the task is not done: the next part is due in systems that plan in parts. False in the others.
pub(in crate::agent) fn continues_plan(turn: &mut Turn<'_>) -> bool {
    let replans = turn.config().profile.k_tol > 0;
    if let Some(part) = goals::goal_part(turn.state()).filter(|_| replans) {
        turn.say(Event::PlanContinued { part });
        return true;
    }
    let state = turn.state();
    let Some(last) = state
        .done
        .last()
        .filter(|_| form(state) == PlanForm::NextStep)
    else {
        return false;
    };
    let steps_max = turn.config().limits.plan_subgoals_max;
    if state.done.len() >= steps_max {
        let because = format!("{steps_max} steps are done, but the task is not");
        ending::end_run(turn, Outcome::Failure, because);
        return true;
    }
    let last = LastStep {
        step: last.condition.clone(),
        success: true,
    };
    let part = Box::new(PlanPart::NextStep { last });
    turn.say(Event::PlanContinued { part });
    true
}

/// A goal is held and another one follows: its plan is due. False if not.
pub(in crate::agent) fn goes_to_next_goal(turn: &mut Turn<'_>) -> bool {
    let passes = goals::passes_goals(turn);
    match goals::goal_part(turn.state()).filter(|_| passes) {
        Some(part) => {
            turn.say(Event::PlanContinued { part });
            true
        }
        None => false,
    }
}

/// What of the plan the next question asks for.
pub(in crate::agent) fn part_due(state: &State, planning: &Planning) -> Option<Box<PlanPart>> {
    let failed = || {
        let step = state.planned(planning.replaces?)?;
        let last = LastStep {
            step: step.condition.clone(),
            success: false,
        };
        Some(Box::new(PlanPart::NextStep { last }))
    };
    match &planning.part {
        // As things stand now: the same goal may have been asked about in between.
        Some(part) if matches!(**part, PlanPart::Goal(_)) => goals::goal_part(state),
        Some(part) => Some(part.clone()),
        None if form(state) == PlanForm::EachGoal => goals::goal_part(state),
        None if form(state) == PlanForm::NextStep => failed(),
        None => None,
    }
}

/// The plan as the system uses it: of several steps the first where one was asked for, and what mends an assertion
/// put before the step that asserts it. None if the answer is a plan as it is.
pub(in crate::agent) fn fitted(
    state: &State,
    part: Option<&PlanPart>,
    answer: &Plan,
) -> Option<Plan> {
    let first = answer.subgoals.first()?;
    let alone = Subgoal {
        needs: Vec::new(),
        ..first.clone()
    };
    match part {
        Some(PlanPart::Mending { step, .. }) => Some(mended(state, step.id, alone)),
        _ if form(state) == PlanForm::NextStep => Some(Plan {
            subgoals: vec![alone],
            ..answer.clone()
        }),
        _ => None,
    }
}

/// What is left of the plan in force, with this step before the one that asserts.
fn mended(state: &State, asserting: SubgoalId, mut mending: Subgoal) -> Plan {
    mending.id = SubgoalId(state.counters.subgoals).next();
    // It is carried out as it is: what it needs was not planned for.
    mending.asserts.clear();
    let plan = state.plan.clone().unwrap_or_default();
    let mut subgoals = Vec::new();
    for step in plan.subgoals.iter().filter(|s| !state.is_done(s.id)) {
        let mut step = step.clone();
        step.needs.retain(|need| !state.is_done(*need));
        if step.id == asserting {
            step.needs.push(mending.id);
            subgoals.push(mending.clone());
        }
        subgoals.push(step);
    }
    Plan { subgoals, ..plan }
}

/// Checks what the step asserts. If something does not hold, it is mended once where the system mends, and ends the
/// run otherwise; true if the step is not begun now.
pub(in crate::agent) fn stops_at_assertion(turn: &mut Turn<'_>, step: &Subgoal) -> bool {
    let state = turn.state();
    let Some(assertion) = unmet(state, step) else {
        return false;
    };
    let what = assertion.describe();
    let is_mended = state.mended.contains(&(step.id, assertion.clone()));
    if form(state) == PlanForm::Asserted && !is_mended {
        let step = Box::new(step.clone());
        let part = Box::new(PlanPart::Mending { step, assertion });
        turn.say(Event::PlanContinued { part });
        return true;
    }
    let again = if is_mended { ", mended once" } else { "" };
    let step = &step.condition;
    let because = format!("the assertion \"{what}\" before {step} does not hold{again}");
    ending::end_run(turn, Outcome::Failure, because);
    true
}

/// Blocks within which a station serves.
const STATION_NEAR: u32 = 6;

/// A station that stands near serves as one that is carried.
fn stands_near(check: &Check, now: &Situation<'_>) -> bool {
    let Check::InvGe { item, count: 1 } = check else {
        return false;
    };
    let is_it = |block: &BlockId| block.item().map(ItemSpec::Item) == Some(*item);
    let station = [CRAFTING_TABLE, FURNACE].into_iter().find(is_it);
    station.is_some_and(|block| {
        let near = Check::Near {
            place: Place::Thing(Target::Block(block)),
            range: STATION_NEAR,
        };
        near.truth(now).is_true()
    })
}

/// The first assertion that is not known to hold.
fn unmet(state: &State, step: &Subgoal) -> Option<Check> {
    let frame = state.frame.as_deref().filter(|_| form(state).asserts())?;
    let baseline = Baseline::of(frame);
    let now = Situation::of(frame).since(&baseline).pursuing(step);
    let mut asserted = step.asserts.iter();
    let holds = |check: &Check| check.truth(&now).is_true() || stands_near(check, &now);
    asserted.find(|check| !holds(check)).cloned()
}

/// No other plan is asked for in a system that does not plan anew.
pub(in crate::agent) fn ends_with_its_plan(turn: &mut Turn<'_>) -> bool {
    if turn.config().profile.k_tol > 0 {
        return false;
    }
    let because = "all steps are done, but the task is not, and this system does not replan";
    ending::end_run(turn, Outcome::Failure, because.to_owned());
    true
}
