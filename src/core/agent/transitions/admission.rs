//! Admission: a drafted entry on its way past the policy file, its gate and the operator.
//!
//! Invariant: nothing is active without a policy or an operator having said so, and nothing with an error of
//! lint, or against its backtest, without an operator.

use super::operator_question::{ask_by_policy, ask_operator};
use crate::agent::turn::Turn;
use crate::domain::knowledge::hindsight::Blocked;
use crate::domain::knowledge::{Author, Body, Entry, Status};
use crate::domain::run::decision::{By, GateKind, Subject, Verdict};
use crate::domain::run::event::Event;
use crate::domain::run::rulebook::{Judged, PolicyRuling};
use crate::knowledge::lint::{has_errors, lint};
use crate::text::numbers::count_with_noun;
use pithead_world::ids::KnowledgeId;

/// Proposes an entry, and activates or vetoes it at once where nobody is asked.
pub(in crate::agent) fn propose_entry(turn: &mut Turn<'_>, entry: &Entry, blocked: Blocked) {
    // Proposed first in every case: each entry's history begins the same way.
    turn.say(Event::KnowledgeProposed {
        entry: Box::new(entry.clone()),
    });
    // What the record does not bear out yet waits for more of it, and nobody is asked.
    let waits = matches!(&entry.body, Body::Rule(rule) if !rule.is_admitted());
    if !waits {
        pass_gate(turn, entry, blocked);
    }
}

/// The policy file, then the gate; whatever neither holds back is active.
fn pass_gate(turn: &mut Turn<'_>, entry: &Entry, blocked: Blocked) {
    let kind = gate_of(&entry.body);
    let (id, by) = (entry.id, Some(By::Policy));
    // The policy file before the gate; it may approve, veto or ask by a policy of its own.
    let judged = turn.config().rulebook.on_entry(entry);
    let is_asked = match &judged {
        None => ask_operator(turn, kind, Subject::Knowledge(id)),
        Some(Judged {
            then: PolicyRuling::Ask(policy),
            ..
        }) => {
            ask_by_policy(turn, kind, Subject::Knowledge(id), *policy);
            true
        }
        Some(judged) if judged.then == PolicyRuling::Veto => {
            let reason = judged.words.clone();
            turn.say(Event::KnowledgeVetoed { id, reason, by });
            return;
        }
        // Approved by the file.
        Some(_) => false,
    };
    // What cannot be meant, or forbids what mostly went well, does not act by default: it waits for someone who
    // looks at it.
    let is_doubtful = blocked.speaks_against()
        || has_errors(&lint(&entry.body, Some(id), &turn.state().knowledge));
    if !is_asked && !is_doubtful {
        turn.say(Event::KnowledgeActivated { id, by });
    }
}

/// A known rule was counted anew: one that the record now bears out goes to its gate, one that it refutes is retired.
/// `entry` is the draft under the id of what is known.
pub(in crate::agent) fn follow_the_record(turn: &mut Turn<'_>, entry: &Entry, status: Status) {
    let Body::Rule(rule) = &entry.body else {
        return;
    };
    let (hits, misses) = (rule.record.hits(), rule.record.misses());
    match (status, rule.is_admitted()) {
        (Status::Proposed, true) => pass_gate(turn, entry, Blocked::default()),
        (Status::Active, false) => turn.say(Event::KnowledgeMoved {
            id: entry.id,
            to: Status::Retired,
            reason: format!(
                "{} went well without it, {} for it",
                count_with_noun(misses, "attempt", "attempts"),
                count_with_noun(hits, "speaks", "speak")
            ),
            by: Author::Mind(turn.config().mind.clone()),
            other: None,
        }),
        _ => (), // nothing follows from the rest
    }
}

fn gate_of(body: &Body) -> GateKind {
    match body {
        Body::Skill(_) => GateKind::Skill,
        Body::Guardrail(_) | Body::TaskGuardrail(_) => GateKind::Guardrail,
        Body::Rule(_) => GateKind::Rule,
        // Notes are never distilled; the gate of reference plans is the one for entries that only advise.
        Body::ReferencePlan(_) | Body::Note(_) => GateKind::ReferencePlan,
    }
}

/// The verdict on an entry takes effect.
pub(in crate::agent) fn on_verdict(turn: &mut Turn<'_>, id: KnowledgeId, verdict: Verdict, by: By) {
    let by = Some(by);
    match verdict {
        // An edited plan cannot be the answer about an entry; it counts as approval.
        Verdict::Approve | Verdict::EditPlan(_) => turn.say(Event::KnowledgeActivated { id, by }),
        // First the new content, then the status: what becomes active is what the operator
        // wrote.
        Verdict::EditKnowledge(body) => {
            let reason = "edited at its gate".to_owned();
            turn.say(Event::KnowledgeEdited {
                id,
                body,
                reason,
                by: by.clone(),
            });
            turn.say(Event::KnowledgeActivated { id, by });
        }
        Verdict::Veto { reason } => turn.say(Event::KnowledgeVetoed { id, reason, by }),
    }
}
