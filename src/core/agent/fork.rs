//! Fork: the first events of a run that begins with the past of another run.
//!
//! Invariant: a plan replaces the one in force only between two attempts, and only if it passes the verifier.

use super::plan_ids;
use super::state::{Phase, State};
use super::transitions::adoption;
use super::turn::Turn;
use crate::domain::plan::Plan;
use crate::domain::run::decision::{By, Question, Verdict};
use crate::domain::run::event::Event;
use crate::domain::run::fork::{Fork, Kept};
use pithead_world::clock::Millis;
use pithead_world::ids::Revision;

/// Whether another plan may be put in force here: the next subgoal is to be chosen.
/// At any other moment an attempt or a question refers to the plan in force.
#[must_use]
pub fn takes_plan(state: &State) -> bool {
    matches!(state.phase, Phase::Choosing) && state.plan.is_some()
}

/// The first events of the forked run, or why its plan does not pass.
pub fn begin(
    state: &State,
    now: Millis,
    fork: Fork,
    plan: Option<Plan>,
) -> Result<Vec<Event>, String> {
    let mut turn = Turn::new(state, now);
    turn.say(Event::RunForked {
        fork: Box::new(fork),
    });
    if let Some(plan) = plan {
        // Steps that are the same keep their ids, so what was done stays done.
        let plan = plan_ids::keep_ids(turn.state(), plan);
        let notes = adoption::verifier_notes(turn.state(), &plan);
        if let Some(note) = adoption::first_error(&notes) {
            return Err(format!("the verifier rejects the plan: {}", note.text));
        }
        adoption::propose_plan(&mut turn, plan, None, notes);
        // No gate: whoever forks the run has chosen the plan.
        let revision = Revision(turn.state().counters.revisions);
        turn.say(Event::PlanAdopted { revision });
    }
    Ok(turn.events)
}

/// An operator's answer, kept for the same question in a fork; none if a policy or a time-out answered.
#[must_use]
pub fn kept(state: &State, question: &Question, verdict: &Verdict, by: &By) -> Option<Kept> {
    let By::Operator(name) = by else {
        return None;
    };
    Some(Kept {
        kind: question.kind,
        about: state.content(question),
        verdict: verdict.clone(),
        by: name.clone(),
    })
}
