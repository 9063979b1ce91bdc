//! The operator's policy file and the gate of risks, before a step begins or an entry becomes active.
//!
//! The file goes before the gates. Invariant: what it decides by itself is in the journal like any
//! decision, by `policy`; an act of the operator's own passes neither.

use super::turn::Turn;
use super::{gate, risk};
use crate::domain::condition::situation::Situation;
use crate::domain::knowledge::Entry;
use crate::domain::plan::Subgoal;
use crate::domain::run::decision::{By, GateKind, Policy, Subject, Verdict};
use crate::domain::run::event::Event;
use crate::domain::run::rulebook::{Judged, Ruling};

/// Whether something stands before the step, which has been said then.
pub(super) fn holds(turn: &mut Turn<'_>, subgoal: &Subgoal) -> bool {
    let state = turn.state();
    let Some(frame) = state.frame.as_deref() else {
        return false;
    };
    if state.allowed.contains(&subgoal.id) {
        return false;
    }
    let risk = risk::of(subgoal, frame);
    let rulebook = &turn.config().rulebook;
    match rulebook.on_action(subgoal, &Situation::of_run(frame)) {
        Some(judged) => ruled(turn, subgoal, risk, &judged),
        None => risk.is_some_and(|risk| {
            let subgoal = subgoal.id;
            gate::ask(turn, GateKind::RiskyAction, Subject::Risk { subgoal, risk })
        }),
    }
}

/// A rule has decided about the step.
fn ruled(turn: &mut Turn<'_>, subgoal: &Subgoal, risk: Option<String>, judged: &Judged) -> bool {
    let kind = GateKind::RiskyAction;
    let would_ask = risk.is_some() && turn.state().gates.of(kind) != Policy::Auto;
    let words = std::iter::once(judged.words.clone()).chain(risk);
    let subject = Subject::Risk {
        subgoal: subgoal.id,
        risk: words.collect::<Vec<_>>().join("; "),
    };
    let (policy, verdict) = match judged.then {
        Ruling::Approve if !would_ask => return false,
        Ruling::Approve => (Policy::Auto, Some(Verdict::Approve)),
        Ruling::Ask(policy) => (policy, None),
        Ruling::Veto => {
            let reason = forbidden(subgoal, judged);
            (Policy::Auto, Some(Verdict::Veto { reason }))
        }
    };
    let question = gate::put(turn, kind, subject, policy);
    if let Some(verdict) = verdict {
        gate::answer(turn, &question, verdict, By::Policy);
    }
    true
}

/// What the mind is told: the step that is not to be, and the operator's own words. The rule's patterns
/// are left out, for a mind may take what is named for what is wanted.
fn forbidden(subgoal: &Subgoal, judged: &Judged) -> String {
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

/// What becomes of an entry that was just proposed.
pub(super) fn admit(turn: &mut Turn<'_>, entry: &Entry, kind: GateKind) {
    let (id, by) = (entry.id, Some(By::Policy));
    let judged = turn.config().rulebook.on_entry(entry);
    let is_asked = match &judged {
        None => gate::ask(turn, kind, Subject::Knowledge(id)),
        Some(Judged {
            then: Ruling::Ask(policy),
            ..
        }) => {
            gate::put(turn, kind, Subject::Knowledge(id), *policy);
            true
        }
        Some(judged) if judged.then == Ruling::Veto => {
            let reason = judged.words.clone();
            turn.say(Event::KnowledgeVetoed { id, reason, by });
            return;
        }
        Some(_) => false,
    };
    if !is_asked {
        turn.say(Event::KnowledgeActivated { id, by });
    }
}
