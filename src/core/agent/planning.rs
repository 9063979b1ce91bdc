//! Planning: ask for a plan, read it, have it verified, send it back with notes or on to its gate.

use super::state::{Phase, Planning, State};
use super::turn::Turn;
use super::{
    attribute, decompose, explain, finish, gate, reading, recount, reflect, spending, study, tree,
    verify,
};
use crate::domain::experience::state_card::StateCard;
use crate::domain::knowledge::{Guardrail, Use};
use crate::domain::mind::ask::{Ask, Guide, PlanAsk};
use crate::domain::mind::spending::Spent;
use crate::domain::plan::Plan;
use crate::domain::plan::note::{About, Note, Severity};
use crate::domain::run::event::{Event, Outcome};
use pithead_world::ids::{CallId, Revision};

/// The next call's id.
pub(super) fn next_call(state: &State) -> CallId {
    CallId(state.counters.calls + 1)
}

/// Constraints of this run, the one still waiting for its replan's approval included.
pub(super) fn lessons(state: &State) -> Vec<Guardrail> {
    let pending = state
        .pending_lesson
        .iter()
        .filter_map(|lesson| lesson.constraint.clone());
    state.lessons.iter().cloned().chain(pending).collect()
}

/// Asks the planner, or ends the run if a bound is reached.
pub(super) fn ask(turn: &mut Turn<'_>) {
    let Phase::ToPlan(planning) = &turn.state().phase else {
        return;
    };
    let limits = turn.config().limits;
    let spent = if planning.faults.len() > limits.mind_retries_max as usize {
        Some(format!(
            "the mind's answers stay unreadable: {}",
            reading::told(&planning.faults)
        ))
    } else if turn.state().counters.vetoes >= limits.vetoes_max {
        Some(format!(
            "vetoed {} times in a row: {}",
            limits.vetoes_max,
            planning.vetoes.join("; ")
        ))
    } else {
        None
    };
    if let Some(because) = spent {
        finish::now(turn, Outcome::Failure, because);
        return;
    }
    if let Some(because) = turn.state().is_spent() {
        spending::reached(turn, because);
        return;
    }
    if decompose::ask(turn) {
        return;
    }
    let Phase::ToPlan(planning) = &turn.state().phase else {
        return;
    };
    if let Some(ask) = plan_ask(turn.state(), planning) {
        let call = next_call(turn.state());
        turn.say(Event::MindAsked {
            call,
            ask: Box::new(Ask::Plan(Box::new(ask))),
        });
    }
}

fn plan_ask(state: &State, planning: &Planning) -> Option<PlanAsk> {
    Some(PlanAsk {
        task: state.config()?.task.clone(),
        state: StateCard::of(state.frame.as_deref()?),
        capsule: state.capsule.clone(),
        knowledge: state.visible().cloned().collect(),
        lessons: lessons(state),
        rejected: planning.rejected.clone(),
        vetoes: planning.vetoes.clone(),
        faults: planning.faults.clone(),
        done: state.done.clone(),
        guide: Guide {
            goals: decompose::order(state),
            explained: state.explained.clone(),
        },
        nonce: state.counters.calls,
    })
}

/// The mind answered; only the call that is open counts.
pub(super) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str, ms: u64) {
    if turn.state().open_call() != Some(call) {
        return;
    }
    turn.say(Event::MindAnswered {
        call,
        text: text.to_owned(),
        ms,
    });
    match &turn.state().phase {
        Phase::Condensing { .. } => {
            if let Some(capsule) = reading::capsule(turn, call, text) {
                turn.say(Event::CapsuleMade { capsule });
            }
        }
        Phase::Planning { .. } => on_plan(turn, call, text),
        Phase::Attributing { .. } => attribute::on_lesson(turn, call, text),
        Phase::Decomposing { .. } => decompose::on_answer(turn, call, text),
        Phase::Explaining { .. } => explain::on_answer(turn, call, text),
        Phase::Reflecting { .. } => reflect::on_answer(turn, call, text),
        Phase::Studying(_) => study::on_answer(turn, call, text),
        Phase::Recounting { .. } => recount::on_answer(turn, call, text),
        _ => (), // no other phase has an open call
    }
}

/// The mind could not answer.
pub(super) fn on_silence(turn: &mut Turn<'_>, call: CallId, because: String) {
    if turn.state().open_call() == Some(call) {
        turn.say(Event::MindFailed { call, because });
    }
}

/// The answer under way has cost something, whatever becomes of it.
pub(super) fn on_charged(turn: &mut Turn<'_>, call: CallId, spent: Box<Spent>) {
    if turn.state().open_call() == Some(call) {
        turn.say(Event::MindCharged { call, spent });
    }
}

fn on_plan(turn: &mut Turn<'_>, call: CallId, text: &str) {
    let Some((plan, unknown)) = reading::plan(turn, call, text) else {
        return;
    };
    let replaces = match &turn.state().phase {
        Phase::Planning { planning, .. } => planning.replaces,
        _ => None,
    };
    let plan = tree::settle(turn.state(), plan);
    let revision = Revision(turn.state().counters.revisions + 1);
    turn.say(Event::PlanProposed {
        revision,
        plan: plan.clone(),
        replaces,
    });
    let mut notes = unknown;
    if turn.config().profile.verify {
        notes.extend(judge(turn.state(), &plan));
    }
    report_refusals(turn, &notes);
    let (empty, errors) = (plan.subgoals.is_empty(), has_errors(&notes));
    turn.say(Event::PlanVerified { revision, notes });
    send_on(turn, empty, errors);
}

/// Back to the planner while that may help, else on to the gate.
fn send_on(turn: &mut Turn<'_>, empty: bool, errors: bool) {
    let Phase::ToPlan(planning) = &turn.state().phase else {
        return;
    };
    let rounds_left = planning.round < turn.config().limits.verify_rounds_max;
    if (empty || errors) && rounds_left && turn.config().profile.verify {
        return; // `advance` asks again, with the notes
    }
    if empty {
        let because = match &planning.rejected {
            Some(rejected) => said(&rejected.notes),
            None => String::new(),
        };
        finish::now(
            turn,
            Outcome::Failure,
            format!("the mind has no plan for this task{because}"),
        );
        return;
    }
    gate::plan(turn);
}

fn said(notes: &[Note]) -> String {
    notes
        .iter()
        .find(|n| n.severity == Severity::Error)
        .map_or(String::new(), |n| format!(": {}", n.text))
}

/// The verifier's word, with everything that binds this run.
pub(super) fn judge(state: &State, plan: &Plan) -> Vec<Note> {
    let (Some(config), Some(frame)) = (state.config(), state.frame.as_deref()) else {
        return Vec::new();
    };
    let knowledge: Vec<_> = state.visible().cloned().collect();
    let card = StateCard::of(frame);
    verify::verify(
        plan,
        &config.task,
        &card,
        &knowledge,
        &lessons(state),
        &config.limits,
    )
}

pub(super) fn has_errors(notes: &[Note]) -> bool {
    notes.iter().any(|note| note.severity == Severity::Error)
}

/// Counts what guardrails refused.
fn report_refusals(turn: &mut Turn<'_>, notes: &[Note]) {
    for note in notes {
        if let About::Forbidden { by } | About::RuleViolated { by } = note.about {
            turn.say(Event::KnowledgeUsed {
                id: by,
                how: Use::Blocked,
                subgoal: note.subgoal,
            });
        }
    }
}
