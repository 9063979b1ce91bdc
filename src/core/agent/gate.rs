//! Gates: where the operator is asked, and what follows from the answer.
//!
//! Invariant: a question is answered exactly once; an answer to a closed question is refused by
//! `operator` before it gets here.

use super::state::{Phase, State};
use super::turn::Turn;
use super::{distil, finish, planning, tree};
use crate::domain::plan::Plan;
use crate::domain::run::decision::{By, Fallback, GateKind, Policy, Question, Subject, Verdict};
use crate::domain::run::event::{Event, Outcome};
use pithead_world::ids::{DecisionId, Revision};

/// Asks the operator, or says that nobody needs to be asked.
pub(super) fn ask(turn: &mut Turn<'_>, kind: GateKind, subject: Subject) -> bool {
    let policy = turn.state().gates.of(kind);
    if policy == Policy::Auto {
        return false;
    }
    put(turn, kind, subject, policy);
    true
}

/// Asks by this policy, whatever the gate's own is.
pub(super) fn put(
    turn: &mut Turn<'_>,
    kind: GateKind,
    subject: Subject,
    policy: Policy,
) -> Question {
    let id = DecisionId(turn.state().counters.decisions + 1);
    let question = Question {
        id,
        kind,
        subject,
        policy,
        asked: turn.now,
        deadline: policy.deadline(turn.now),
        held: None,
    };
    turn.say(Event::DecisionAsked {
        question: question.clone(),
    });
    question
}

/// The proposal at its gate: adopt it at once, or ask.
pub(super) fn plan(turn: &mut Turn<'_>) {
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
    if !ask(turn, kind, Subject::Plan(revision)) {
        adopt(turn);
    }
}

/// The proposal comes into force, and with it the constraint it was made under.
fn adopt(turn: &mut Turn<'_>) {
    let Some(revision) = turn.state().proposal.as_ref().map(|p| p.revision) else {
        return;
    };
    turn.say(Event::PlanAdopted { revision });
    let constraint = turn
        .state()
        .pending_lesson
        .as_ref()
        .and_then(|l| l.constraint.clone());
    if let Some(constraint) = constraint {
        turn.say(Event::ConstraintBound { constraint });
    }
}

/// The clock of an open question starts anew.
pub(super) fn release(turn: &mut Turn<'_>, decision: DecisionId, by: &str) {
    let question = turn.state().questions.iter().find(|q| q.id == decision);
    if let Some(deadline) = question.and_then(|q| q.policy.deadline(turn.now)) {
        turn.say(Event::DecisionReleased {
            decision,
            deadline,
            by: by.to_owned(),
        });
    }
}

/// Policies whose time has come answer by themselves.
pub(super) fn on_time(turn: &mut Turn<'_>) {
    let due: Vec<Question> = due(turn.state(), turn.now);
    for question in due {
        let verdict = match question.policy {
            Policy::AskFor {
                then: Fallback::Veto,
                ..
            } => Verdict::Veto {
                reason: "nobody answered in time".to_owned(),
            },
            Policy::AskFor {
                then: Fallback::Approve,
                ..
            }
            | Policy::Ask
            | Policy::Auto => Verdict::Approve,
        };
        answer(turn, &question, verdict, By::Timeout);
    }
}

fn due(state: &State, now: pithead_world::clock::Millis) -> Vec<Question> {
    state
        .questions
        .iter()
        .filter(|q| q.deadline.is_some_and(|d| d <= now))
        .cloned()
        .collect()
}

/// An answer that fits its question takes effect.
pub(super) fn answer(turn: &mut Turn<'_>, question: &Question, verdict: Verdict, by: By) {
    turn.say(Event::DecisionMade {
        decision: question.id,
        verdict: verdict.clone(),
        by: by.clone(),
    });
    match (&question.subject, verdict) {
        (Subject::Plan(_), Verdict::Approve) => adopt(turn),
        (Subject::Plan(_), Verdict::EditPlan(plan)) => adopt_edited(turn, plan),
        (Subject::Knowledge(id), verdict) => distil::on_verdict(turn, *id, verdict, by),
        (Subject::End { outcome, because }, Verdict::Approve) => {
            finish::ended(turn, *outcome, because.clone());
        }
        (Subject::Budget { because }, Verdict::Veto { .. }) => {
            finish::ended(turn, Outcome::Failure, because.clone());
        }
        // A veto of plan, risk or end carries its reason to the planner: `apply` has put it there.
        // A risk or a budget that was approved is remembered there too.
        (Subject::Plan(_) | Subject::End { .. }, _)
        | (Subject::Risk { .. } | Subject::Budget { .. }, _) => (),
    }
}

fn adopt_edited(turn: &mut Turn<'_>, plan: Plan) {
    let plan = tree::settle(turn.state(), plan);
    let notes = planning::judge(turn.state(), &plan);
    let revision = Revision(turn.state().counters.revisions + 1);
    let replaces = match &turn.state().phase {
        Phase::ToPlan(planning) => planning.replaces,
        _ => None,
    };
    turn.say(Event::PlanProposed {
        revision,
        plan,
        replaces,
    });
    turn.say(Event::PlanVerified { revision, notes });
    adopt(turn);
}
