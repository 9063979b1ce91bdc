//! Answers: what follows from a verdict on an open question, whoever gave it.
//!
//! Invariant: a question is answered exactly once; an answer to a closed question is refused by `commands`
//! before it gets here.

use crate::agent::state::State;
use crate::agent::transitions::{admission, adoption, ending};
use crate::agent::turn::Turn;
use crate::domain::run::decision::{By, Fallback, Policy, Question, Subject, Verdict};
use crate::domain::run::event::Event;
use crate::domain::run::outcome::Outcome;
use pithead_world::clock::Millis;
use pithead_world::ids::DecisionId;

/// The clock of an open question starts anew.
pub(super) fn restart_clock(turn: &mut Turn<'_>, decision: DecisionId, by: &str) {
    let question = turn.state().questions.iter().find(|q| q.id == decision);
    if let Some(deadline) = question.and_then(|q| q.policy.deadline(turn.now)) {
        turn.say(Event::DecisionReleased {
            decision,
            deadline,
            by: by.to_owned(),
        });
    }
}

/// Questions whose deadline has passed are answered by their policy.
// All that are due, in the order in which they were asked.
pub(in crate::agent) fn on_deadline(turn: &mut Turn<'_>) {
    let due: Vec<Question> = questions_due(turn.state(), turn.now);
    for question in due {
        let verdict = match question.policy {
            Policy::AskFor {
                then: Fallback::Veto,
                ..
            } => Verdict::Veto {
                reason: "nobody answered in time".to_owned(),
            },
            // Approval is the fallback: `Ask` and `Auto` have no deadline, so they are
            // never due.
            Policy::AskFor {
                then: Fallback::Approve,
                ..
            }
            | Policy::Ask
            | Policy::Auto => Verdict::Approve,
        };
        answer_question(turn, &question, verdict, By::Timeout);
    }
}

fn questions_due(state: &State, now: Millis) -> Vec<Question> {
    state
        .questions
        .iter()
        .filter(|q| q.deadline.is_some_and(|d| d <= now))
        // Copied, because answering changes the list.
        .cloned()
        .collect()
}

/// An answer that fits its question takes effect.
pub(super) fn answer_question(turn: &mut Turn<'_>, question: &Question, verdict: Verdict, by: By) {
    // First of all the answer itself: whatever it causes comes after it in the journal.
    turn.say(Event::DecisionMade {
        decision: question.id,
        verdict: verdict.clone(),
        by: by.clone(),
    });
    match (&question.subject, verdict) {
        (Subject::Plan(_), Verdict::Approve) => adoption::adopt_plan(turn),
        (Subject::Plan(_), Verdict::EditPlan(plan)) => adoption::adopt_edited_plan(turn, plan),
        (Subject::Knowledge(id), verdict) => admission::on_verdict(turn, *id, verdict, by),
        (Subject::End { outcome, because }, Verdict::Approve) => {
            ending::end_past_gate(turn, *outcome, because.clone());
        }
        (Subject::Budget { because }, Verdict::Veto { .. }) => {
            ending::end_past_gate(turn, Outcome::Failure, because.clone());
        }
        // A veto of plan, risk or end carries its reason to the planner: `apply` has put it there.
        // A risk or a budget that was approved is remembered there too.
        (Subject::Plan(_) | Subject::End { .. }, _)
        | (Subject::Risk { .. } | Subject::Budget { .. }, _) => (),
    }
}
