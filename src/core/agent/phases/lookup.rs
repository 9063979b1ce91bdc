//! Lookup: the knowledge base has reported which drafts it holds already; the new ones are proposed.
//!
//! Invariant: a draft that equals a tombstone goes nowhere.

use crate::agent::state::Phase;
use crate::agent::transitions::admission::{self, propose_entry};
use crate::agent::transitions::ending::end_past_gate;
use crate::agent::transitions::study_start;
use crate::agent::turn::Turn;
use crate::domain::knowledge::hindsight::Blocked;
use crate::domain::knowledge::{Body, Entry, Status};
use crate::domain::mind::sequences::Sequences;
use crate::domain::run::event::{Event, Then};
use crate::knowledge::rule_scores;
use crate::text::signature::Signature;
use pithead_world::ids::KnowledgeId;

/// The knowledge base has answered: propose what is new, add evidence to what is not.
pub(in crate::agent) fn on_looked_up(
    turn: &mut Turn<'_>,
    found: Vec<Option<(KnowledgeId, Status)>>,
    blocked: Vec<Blocked>,
    sequences: Vec<Sequences>,
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
        blocked: blocked.clone(),
        sequences,
    });
    // Two equal drafts of one run become one entry with the evidence of both: the knowledge base knew of
    // neither, so it could not report the second as known.
    let mut new: Vec<(Signature, KnowledgeId)> = Vec::new();
    // Nothing is known of the past where the store did not look.
    let blocked = blocked
        .into_iter()
        .chain(std::iter::repeat(Blocked::default()));
    for ((mut draft, found), blocked) in drafts.into_iter().zip(found).zip(blocked) {
        if let Body::Rule(rule) = &mut draft.body {
            *rule = rule_scores::scored_on(rule, blocked);
        }
        let signature = draft.body.signature();
        let twin = new.iter().find(|(known, _)| *known == signature);
        // A draft equal to an earlier one of the same answer is merged into that.
        let found = found.or(twin.map(|(_, id)| (*id, Status::Proposed)));
        match found {
            Some((by, Status::Vetoed)) => turn.say(Event::KnowledgeSuppressed { by }),
            Some((into, status)) => {
                turn.say(Event::KnowledgeMerged {
                    into,
                    draft: Box::new(draft.clone()),
                });
                let known = Entry { id: into, ..draft };
                admission::follow_the_record(turn, &known, status);
            }
            None => {
                new.push((signature, draft.id));
                propose_entry(turn, &draft, blocked);
            }
        }
    }
    // Only at the end of a run; after a replan `advance` goes on by itself.
    if let Then::End { outcome, because } = then.clone() {
        // What several runs have in common is drafted last, and looked up by itself.
        if !study_start::begin_summaries(turn, then) {
            end_past_gate(turn, outcome, because);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{State, decide};
    use crate::domain::run::event::Recorded;
    use crate::domain::run::input::Input;
    use crate::domain::run::outcome::Outcome;
    use crate::domain::samples;
    use pithead_world::clock::Millis;
    use pithead_world::ids::Seq;

    /// Whether a drafted guardrail is active after the store has said what it would have blocked.
    fn is_activated(blocked: Vec<Blocked>) -> bool {
        let mut config = samples::config();
        config.gates = crate::domain::run::decision::Gates::headless();
        let events = [
            Event::RunStarted {
                config: Box::new(config),
            },
            Event::LookupAsked {
                drafts: vec![samples::entry(7, 1, "oak_log")],
                then: Then::End {
                    outcome: Outcome::Failure,
                    because: "it died".to_owned(),
                },
            },
        ];
        let mut state = State::new();
        for event in events {
            state.apply(&Recorded {
                run: samples::config().run,
                seq: Seq(state.seq.0 + 1),
                at: Millis(1),
                event,
            });
        }
        let input = Input::LookedUp {
            found: vec![None],
            blocked,
            sequences: Vec::new(),
        };
        let events = decide(&state, Millis(1), input);
        let is_proposed = |event: &Event| matches!(event, Event::KnowledgeProposed { .. });
        assert!(events.iter().any(is_proposed), "{events:?}");
        let is_active = |event: &Event| matches!(event, Event::KnowledgeActivated { .. });
        events.iter().any(is_active)
    }

    #[test]
    fn a_guardrail_against_what_mostly_went_well_waits_for_an_operator() {
        let blocked = |failures, successes| {
            vec![Blocked {
                failures,
                successes,
                ..Blocked::default()
            }]
        };
        assert!(is_activated(blocked(3, 3)));
        assert!(!is_activated(blocked(3, 4)));
        assert!(is_activated(Vec::new()), "nothing is known of the past");
    }
}
