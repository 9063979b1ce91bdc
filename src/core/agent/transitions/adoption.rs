//! Adoption: a plan on its way from the proposal, past verifier and gate, into force.
//!
//! Invariant: no plan comes into force that was not proposed and verified in the same run.

use super::operator_question::ask_operator;
use super::{ending, giving_up, judging};
use crate::agent::state::{Phase, State};
use crate::agent::turn::Turn;
use crate::agent::verify::{self, KnownInRun};
use crate::agent::{executor, plan_ids};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::knowledge::{EntryUse, Guardrail};
use crate::domain::plan::note::{About, Note, Severity};
use crate::domain::plan::task::Task;
use crate::domain::plan::{Plan, Subgoal};
use crate::domain::run::decision::{GateKind, Subject};
use crate::domain::run::event::Event;
use crate::domain::run::outcome::Outcome;
use crate::knowledge::uses::StepUses;
use pithead_world::abilities::impossible_on_server;
use pithead_world::ids::{Revision, SubgoalId};
use pithead_world::observation::Frame;

/// Constraints of this run, including the one whose replan is not approved yet: the new plan must keep it.
// A lesson binds only once its plan is adopted, but the plan has to satisfy it already.
pub(in crate::agent) fn constraints_in_force(state: &State) -> Vec<Guardrail> {
    let pending = state
        .pending_lesson
        .iter()
        .filter_map(|lesson| lesson.constraint.clone());
    state.lessons.iter().cloned().chain(pending).collect()
}

/// The verifier's notes, on everything that binds this run.
pub(in crate::agent) fn verifier_notes(state: &State, plan: &Plan) -> Vec<Note> {
    // Before the first frame there is nothing to verify against.
    let (Some(config), Some(frame)) = (state.config(), state.frame.as_deref()) else {
        return Vec::new();
    };
    let entries = state.not_passed_over();
    let known = KnownInRun::new(config, entries, &seen(state), state.done.len());
    let card = StateSummary::from_frame(frame);
    let mut notes = verify::verify(plan, &known.at(config, &card, &constraints_in_force(state)));
    if config.world.goes_on_by_itself() {
        let steps = plan.subgoals.iter();
        notes.extend(steps.filter_map(|step| impossible_note(step, frame, &config.task)));
    }
    notes
}

/// What steps were seen to use up, for runs that play plans with it. The others believe what plans declare.
pub(in crate::agent) fn step_uses(state: &State) -> StepUses {
    let plays = state.config().is_some_and(verify::plays_what_is_used_up);
    match plays {
        true => seen(state).with_skills(&state.knowledge),
        false => StepUses::default(),
    }
}

fn seen(state: &State) -> StepUses {
    StepUses::seen(&state.successes, &[])
}

/// What no body on a server can carry out is refused here, and never tried.
fn impossible_note(step: &Subgoal, frame: &Frame, task: &Task) -> Option<Note> {
    let order = executor::order_for(step, frame, task).ok()?;
    let because = impossible_on_server(&order)?;
    Some(Note {
        severity: Severity::Error,
        subgoal: Some(step.id),
        about: About::UnknownField {
            field: "executor_hint".to_owned(),
        },
        text: format!("\"{}\": {because}", step.condition),
    })
}

/// The first note that keeps a plan from passing.
pub(in crate::agent) fn first_error(notes: &[Note]) -> Option<&Note> {
    notes.iter().find(|note| note.severity == Severity::Error)
}

/// States a plan with the notes on it, and counts what guardrails and rules refused.
pub(in crate::agent) fn propose_plan(
    turn: &mut Turn<'_>,
    plan: Plan,
    replaces: Option<SubgoalId>,
    notes: Vec<Note>,
) {
    let revision = Revision(turn.state().counters.revisions + 1);
    turn.say(Event::PlanProposed {
        revision,
        plan,
        replaces,
    });
    // Blocked by a note is blocked as well as at the step: both count in the entry's
    // record.
    for note in &notes {
        if let About::Forbidden { by } | About::RuleViolated { by } = note.about {
            turn.say(Event::KnowledgeUsed {
                id: by,
                how: EntryUse::Blocked,
                subgoal: note.subgoal,
            });
        }
    }
    turn.say(Event::PlanVerified { revision, notes });
}

/// The proposal goes back to the planner, on to its gate, or shows that there is no plan.
pub(in crate::agent) fn weigh_proposal(turn: &mut Turn<'_>) {
    let Phase::ToPlan(planning) = &turn.state().phase else {
        return;
    };
    let Some(proposal) = &turn.state().proposal else {
        return;
    };
    let is_empty = proposal.plan.subgoals.is_empty();
    let has_passed = !is_empty && first_error(&proposal.notes).is_none();
    // A plan that goes back anyway is not worth a judgement; one that runs always is.
    let runs = has_passed || !giving_up::may_revise(turn, planning);
    if runs && !is_empty && judging::asks_for_judgement(turn) {
        return;
    }
    let (Phase::ToPlan(planning), Some(proposal)) = (&turn.state().phase, &turn.state().proposal)
    else {
        return;
    };
    let passes = !is_empty && first_error(&proposal.notes).is_none();
    if !passes && giving_up::may_revise(turn, planning) {
        return; // `advance` asks again, with the notes
    }
    let repeats = proposal.notes.iter().any(|n| n.about == About::Repeated);
    if is_empty || repeats {
        end_without_plan(turn);
    } else {
        offer_plan(turn);
    }
}

fn end_without_plan(turn: &mut Turn<'_>) {
    let proposal = turn.state().proposal.as_ref();
    let error = proposal.and_then(|proposal| first_error(&proposal.notes));
    let why = error.map_or(String::new(), |note| format!(": {}", note.text));
    let is_empty = proposal.is_none_or(|proposal| proposal.plan.subgoals.is_empty());
    let plan = if is_empty { "plan" } else { "other plan" };
    let because = format!("the mind has no {plan} for this task{why}");
    ending::end_run(turn, Outcome::Failure, because);
}

/// The proposal at its gate: adopt it at once, or ask.
pub(in crate::agent) fn offer_plan(turn: &mut Turn<'_>) {
    let Phase::ToPlan(planning) = &turn.state().phase else {
        return;
    };
    let kind = if planning.replaces.is_some() {
        GateKind::Replan
    } else {
        GateKind::Plan
    };
    let Some(revision) = turn.state().proposal.as_ref().map(|p| p.revision) else {
        return;
    };
    // False from the gate means: nobody is asked.
    if !ask_operator(turn, kind, Subject::Plan(revision)) {
        adopt_plan(turn);
    }
}

/// The proposal comes into force, and with it the constraint it was made under.
pub(in crate::agent) fn adopt_plan(turn: &mut Turn<'_>) {
    let Some(revision) = turn.state().proposal.as_ref().map(|p| p.revision) else {
        return;
    };
    turn.say(Event::PlanAdopted { revision });
    // In this order: the constraint refers to the revision that was made under it.
    let lesson = turn.state().pending_lesson.as_ref();
    if let Some(constraint) = lesson.and_then(|lesson| lesson.constraint.clone()) {
        turn.say(Event::ConstraintBound { constraint });
    }
}

/// The operator's version of the proposal comes into force; `commands` has seen that it passes.
pub(in crate::agent) fn adopt_edited_plan(turn: &mut Turn<'_>, plan: Plan) {
    // An edited plan may come without ids.
    let plan = plan_ids::keep_ids(turn.state(), plan);
    let notes = verifier_notes(turn.state(), &plan);
    let replaces = match &turn.state().phase {
        Phase::ToPlan(planning) => planning.replaces,
        _ => None, // not met: an answer at a plan's gate leads back to planning
    };
    propose_plan(turn, plan, replaces, notes);
    adopt_plan(turn);
}
