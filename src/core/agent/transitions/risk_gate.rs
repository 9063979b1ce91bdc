//! The gate of risks: the operator's policy file and the risk of a step, before the step begins.
//!
//! The file goes before the gate. Invariant: what it decides by itself is in the journal like any decision, by
//! `policy`; an act of the operator's own passes neither.

use super::operator_question::{ask_by_policy, ask_operator};
use crate::agent::risk;
use crate::agent::turn::Turn;
use crate::domain::condition::situation::Situation;
use crate::domain::plan::Subgoal;
use crate::domain::run::decision::{By, GateKind, Policy, Subject, Verdict};
use crate::domain::run::event::Event;
use crate::domain::run::rulebook::{Judged, PolicyRuling};

/// Whether a question or a veto holds the step back; it has been stated then.
pub(in crate::agent) fn holds_back(turn: &mut Turn<'_>, subgoal: &Subgoal) -> bool {
    let state = turn.state();
    let Some(frame) = state.frame.as_deref() else {
        return false;
    };
    // Allowed once, allowed for the run: retries do not ask again.
    if state.allowed.contains(&subgoal.id) {
        return false;
    }
    let risk = risk::risk_of(subgoal, frame);
    let rulebook = &turn.config().rulebook;
    match rulebook.on_action(subgoal, &Situation::of_run(frame)) {
        Some(judged) => follow_rule(turn, subgoal, risk, &judged),
        None => risk.is_some_and(|risk| {
            let subgoal = subgoal.id;
            ask_operator(turn, GateKind::RiskyAction, Subject::Risk { subgoal, risk })
        }),
    }
}

/// A rule has decided about the step.
fn follow_rule(
    turn: &mut Turn<'_>,
    subgoal: &Subgoal,
    risk: Option<String>,
    judged: &Judged,
) -> bool {
    let kind = GateKind::RiskyAction;
    // Only where the gate would have asked is the file's approval worth a decision in the
    // journal.
    let would_ask = risk.is_some() && turn.state().gates.of(kind) != Policy::Auto;
    // The rule's words first, then the risk, as the operator reads them.
    let words = std::iter::once(judged.words.clone()).chain(risk);
    let subject = Subject::Risk {
        subgoal: subgoal.id,
        risk: words.collect::<Vec<_>>().join("; "),
    };
    let (policy, verdict) = match judged.then {
        PolicyRuling::Approve if !would_ask => return false,
        PolicyRuling::Approve => (Policy::Auto, Some(Verdict::Approve)),
        PolicyRuling::Ask(policy) => (policy, None),
        PolicyRuling::Veto => {
            let reason = veto_reason(subgoal, judged);
            (Policy::Auto, Some(Verdict::Veto { reason }))
        }
    };
    let decision = ask_by_policy(turn, kind, subject, policy);
    if let Some(verdict) = verdict {
        // Nothing else to state: `apply` allows the step, or turns to the planner with the reason.
        turn.say(Event::DecisionMade {
            decision,
            verdict,
            by: By::Policy,
        });
    }
    true
}

/// The reason for the mind: the forbidden step and the operator's own words. The patterns of the rule are left
/// out, because a mind may take an item that is named for one that is wanted.
fn veto_reason(subgoal: &Subgoal, judged: &Judged) -> String {
    let because = judged
        .because
        .as_deref()
        .unwrap_or("the operator forbids it");
    format!(
        "do not {}: policy rule {}, {because}",
        subgoal.label(),
        judged.rule
    )
}
