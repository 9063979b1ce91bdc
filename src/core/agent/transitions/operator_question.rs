//! Questions to the operator: asked if a gate's policy or a rule of the policy file wants it.
//!
//! Invariant: every question states its policy and its deadline, so that a resumed run keeps them.

use crate::agent::turn::Turn;
use crate::domain::run::decision::{GateKind, Policy, Question, Subject};
use crate::domain::run::event::Event;
use pithead_world::ids::DecisionId;

/// Asks the operator; false if the gate's policy is to ask nobody.
pub(in crate::agent) fn ask_operator(
    turn: &mut Turn<'_>,
    kind: GateKind,
    subject: Subject,
) -> bool {
    let policy = turn.state().gates.of(kind);
    // `auto` is answered by not asking: no question appears in the journal.
    if policy == Policy::Auto {
        return false;
    }
    ask_by_policy(turn, kind, subject, policy);
    true
}

/// Asks by this policy, whatever the gate's own is.
pub(in crate::agent) fn ask_by_policy(
    turn: &mut Turn<'_>,
    kind: GateKind,
    subject: Subject,
    policy: Policy,
) -> DecisionId {
    let id = DecisionId(turn.state().counters.decisions + 1);
    turn.say(Event::DecisionAsked {
        question: Question {
            id,
            kind,
            subject,
            policy,
            asked: turn.now,
            // Absolute, so that a resumed run waits only for what is left.
            deadline: policy.deadline(turn.now),
            // Nobody looks at it yet.
            held: None,
        },
    });
    id
}
