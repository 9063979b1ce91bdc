//! Lookup: the knowledge base has reported which drafts it holds already; the new ones are proposed.
//!
//! Invariant: a draft that equals a tombstone goes nowhere.

use crate::agent::state::Phase;
use crate::agent::transitions::admission::propose_entry;
use crate::agent::transitions::ending::end_past_gate;
use crate::agent::turn::Turn;
use crate::domain::knowledge::Status;
use crate::domain::run::event::{Event, Then};
use crate::text::signature::Signature;
use pithead_world::ids::KnowledgeId;

/// The knowledge base has answered: propose what is new, add evidence to what is not.
pub(in crate::agent) fn on_looked_up(
    turn: &mut Turn<'_>,
    found: Vec<Option<(KnowledgeId, Status)>>,
) {
    let Phase::LookingUp { then } = turn.state().phase.clone() else {
        return;
    };
    let drafts = turn.state().drafts.clone();
    if drafts.len() != found.len() {
        return; // not the answer to this question
    }
    turn.say(Event::LookedUp {
        found: found.clone(),
    });
    // Two equal drafts of one run become one entry with the evidence of both: the knowledge base knew of
    // neither, so it could not report the second as known.
    let mut new: Vec<(Signature, KnowledgeId)> = Vec::new();
    for (draft, found) in drafts.into_iter().zip(found) {
        let signature = draft.body.signature();
        let twin = new.iter().find(|(known, _)| *known == signature);
        // A draft equal to an earlier one of the same answer is merged into that.
        let found = found.or(twin.map(|(_, id)| (*id, Status::Proposed)));
        match found {
            Some((by, Status::Vetoed)) => turn.say(Event::KnowledgeSuppressed { by }),
            Some((into, _)) => {
                turn.say(Event::KnowledgeMerged {
                    into,
                    draft: Box::new(draft),
                });
            }
            None => {
                new.push((signature, draft.id));
                propose_entry(turn, &draft);
            }
        }
    }
    // Only at the end of a run; after a replan `advance` goes on by itself.
    if let Then::End { outcome, because } = then {
        end_past_gate(turn, outcome, because);
    }
}
