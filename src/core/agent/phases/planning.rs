//! Planning: ask for a plan, read it, have it verified, send it back with notes or on to its gate.
//!
//! Invariant: a plan with errors reaches its gate only when the rounds with the verifier are used up.

use crate::agent::state::{Phase, Planning, State};
use crate::agent::transitions::mind_question::ask_mind;
use crate::agent::transitions::{adoption, ending, giving_up, goals, needs, parts};
use crate::agent::turn::Turn;
use crate::agent::{goal_tree, plan_ids, reading, repair, repeated_plan};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::mind::ask::{Ask, Guide, PlanAsk};
use crate::domain::mind::evidence::FailedPlan;
use crate::domain::mind::plan_part::PlanPart;
use crate::domain::plan::Plan;
use crate::domain::plan::form::PlanForm;
use crate::domain::run::outcome::Outcome;
use pithead_world::ids::{CallId, SubgoalId};

/// Asks the planner, or ends the run if a bound is reached.
pub(in crate::agent) fn ask_for_plan(turn: &mut Turn<'_>) {
    goals::passes_goals(turn);
    if giving_up::ends_planning(turn) || goals::is_asked_out(turn) {
        return;
    }
    let Phase::ToPlan(planning) = &turn.state().phase else {
        return;
    };
    if let (Some(plan), replaces) = (repaired_plan(turn.state(), planning), planning.replaces) {
        let notes = adoption::verifier_notes(turn.state(), &plan);
        adoption::propose_plan(turn, plan, replaces, notes);
        adoption::weigh_proposal(turn);
        return;
    }
    if let Some(ask) = plan_ask(turn.state(), planning) {
        ask_mind(turn, Ask::Plan(Box::new(ask)));
    }
}

/// The plan that needs no question: one that fails for want of something has one obvious repair.
fn repaired_plan(state: &State, planning: &Planning) -> Option<Plan> {
    let is_whole = parts::form(state) == PlanForm::Whole && planning.part.is_none();
    (state.asks_models() && is_whole)
        .then(|| repair::by_lesson(state, planning))
        .flatten()
}

fn plan_ask(state: &State, planning: &Planning) -> Option<PlanAsk> {
    Some(PlanAsk {
        task: state.config()?.task.clone(),
        state: StateSummary::from_frame(state.frame.as_deref()?),
        ticks_left: state.ticks_left(),
        capsule: state.capsule.clone(),
        knowledge: state.visible().cloned().collect(),
        options: (*state.options).clone(),
        hits: state.hits.clone(),
        lessons: adoption::constraints_in_force(state),
        rejected: planning.rejected.clone(),
        vetoes: planning.vetoes.clone(),
        faults: planning.faults.clone(),
        done: state.done.clone(),
        failed: planning.replaces.and_then(|step| failed_plan(state, step)),
        around: state.surroundings(),
        guide: Guide {
            goals: goal_tree::goals_in_order(state),
            explained: state.explained.clone(),
        },
        track: state.config()?.profile.track,
        form: parts::form(state),
        part: parts::part_due(state, planning),
        nonce: state.counters.calls,
    })
}

/// The plan that failed at this step; for models, which are told nothing of it otherwise.
fn failed_plan(state: &State, step: SubgoalId) -> Option<Box<FailedPlan>> {
    // Who is asked step by step is told whether the last one went well, and no more.
    if !state.asks_models() || parts::form(state) == PlanForm::NextStep {
        return None;
    }
    let plan = state.plan.as_ref()?;
    let node = state.nodes.get(&step)?;
    let at = plan.subgoals.iter().position(|other| other.id == step)?;
    let later = plan.subgoals[at..]
        .iter()
        .filter(|other| !state.is_done(other.id));
    let cause = state.pending_lesson.as_ref();
    Some(Box::new(FailedPlan {
        step: plan.subgoals[at].clone(),
        attempts: node.failures.clone(),
        cause: cause.map_or(String::new(), |lesson| lesson.root_cause.clone()),
        left: later.cloned().collect(),
    }))
}

/// The plan came: it is verified, and goes back to the planner while rounds are left, else on to its gate.
/// That there is none, with the reason, is an answer too: asked again, the planner knows no more.
pub(in crate::agent) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    if let Some(because) = reading::read_refusal(text) {
        let because = format!("the mind has no plan for this task: {because}");
        ending::end_run(turn, Outcome::Failure, because);
        return;
    }
    let Some((plan, unknown)) = reading::plan_from_answer(turn, call, text) else {
        return;
    };
    let (replaces, part) = match &turn.state().phase {
        Phase::Planning { planning, .. } => (planning.replaces, planning.part.clone()),
        _ => (None, None), // an answer is read in the phase that asked
    };
    let fitted = parts::fitted(turn.state(), part.as_deref(), &plan);
    let plan = match (part.as_deref(), fitted) {
        // The steps of the plan in force have their ids.
        (Some(PlanPart::Mending { .. }), Some(mended)) => mended,
        (_, fitted) => plan_ids::keep_ids(turn.state(), fitted.unwrap_or(plan)),
    };
    let mut notes = unknown;
    if turn.config().profile.verify {
        notes.extend(adoption::verifier_notes(turn.state(), &plan));
        notes.extend(repeated_plan::note_on(turn.state(), &plan, replaces));
    }
    adoption::propose_plan(turn, plan, replaces, notes);
    if !needs::asks_about_needs(turn) {
        adoption::weigh_proposal(turn);
    }
}
