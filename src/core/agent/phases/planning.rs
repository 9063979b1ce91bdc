//! Planning: ask for a plan, read it, have it verified, send it back with notes or on to its gate.
//!
//! Invariant: a plan with errors reaches its gate only when the rounds with the verifier are used up.

use super::recall;
use crate::agent::state::{Phase, Planning, State};
use crate::agent::transitions::mind_question::ask_mind;
use crate::agent::transitions::{adoption, ending, giving_up};
use crate::agent::turn::Turn;
use crate::agent::{goal_tree, plan_ids, reading};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::mind::ask::{Ask, Guide, PlanAsk};
use crate::domain::run::outcome::Outcome;
use pithead_world::ids::CallId;

/// Asks the planner, or ends the run if a bound is reached.
pub(in crate::agent) fn ask_for_plan(turn: &mut Turn<'_>) {
    if giving_up::ends_planning(turn) {
        return;
    }
    let Phase::ToPlan(planning) = &turn.state().phase else {
        return;
    };
    if let Some(ask) = plan_ask(turn.state(), planning) {
        ask_mind(turn, Ask::Plan(Box::new(ask)));
    }
}

fn plan_ask(state: &State, planning: &Planning) -> Option<PlanAsk> {
    Some(PlanAsk {
        task: state.config()?.task.clone(),
        state: StateSummary::from_frame(state.frame.as_deref()?),
        capsule: state.capsule.clone(),
        knowledge: state.visible().cloned().collect(),
        options: (*state.options).clone(),
        hits: state.hits.clone(),
        lessons: adoption::constraints_in_force(state),
        rejected: planning.rejected.clone(),
        vetoes: planning.vetoes.clone(),
        faults: planning.faults.clone(),
        done: state.done.clone(),
        guide: Guide {
            goals: goal_tree::goals_in_order(state),
            explained: state.explained.clone(),
        },
        nonce: state.counters.calls,
    })
}

/// The plan came: it is verified, and goes back to the planner while rounds are left, else on to its gate.
pub(in crate::agent) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    let Some((plan, unknown)) = reading::plan_from_answer(turn, call, text) else {
        return;
    };
    let replaces = match &turn.state().phase {
        Phase::Planning { planning, .. } => planning.replaces,
        _ => None, // an answer is read in the phase that asked
    };
    let plan = plan_ids::keep_ids(turn.state(), plan);
    let mut notes = unknown;
    if turn.config().profile.verify {
        notes.extend(adoption::verifier_notes(turn.state(), &plan));
    }
    adoption::propose_plan(turn, plan, replaces, notes);
    if !recall::asks_about_needs(turn) {
        weigh_proposal(turn);
    }
}

/// Memory has said what it knows of a plan's needs. With a draft standing nothing new was said about it; without one
/// `advance` asks for a plan.
pub(super) fn on_needs_recalled(turn: &mut Turn<'_>) {
    if turn.state().proposal.is_some() {
        weigh_proposal(turn);
    }
}

/// The proposal goes back to the planner, on to its gate, or shows that there is no plan.
fn weigh_proposal(turn: &mut Turn<'_>) {
    let Phase::ToPlan(planning) = &turn.state().phase else {
        return;
    };
    let Some(proposal) = &turn.state().proposal else {
        return;
    };
    let is_empty = proposal.plan.subgoals.is_empty();
    let passes = !is_empty && adoption::first_error(&proposal.notes).is_none();
    if !passes && giving_up::may_revise(turn, planning) {
        return; // `advance` asks again, with the notes
    }
    if is_empty {
        end_without_plan(turn);
    } else {
        adoption::offer_plan(turn);
    }
}

fn end_without_plan(turn: &mut Turn<'_>) {
    let proposal = turn.state().proposal.as_ref();
    let error = proposal.and_then(|proposal| adoption::first_error(&proposal.notes));
    let why = error.map_or(String::new(), |note| format!(": {}", note.text));
    let because = format!("the mind has no plan for this task{why}");
    ending::end_run(turn, Outcome::Failure, because);
}
