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
    use crate::domain::mind::ask::Ask;
    use crate::domain::mind::sequences::Sequence;
    use crate::domain::run::event::Recorded;
    use crate::domain::run::input::Input;
    use crate::domain::run::outcome::Outcome;
    use crate::domain::samples;
    use pithead_world::clock::Millis;
    use pithead_world::ids::{ExperienceId, RunId, Seq};

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

    /// Five runs that made a table of planks, told to a run that has just ended, and the mind's answers on them.
    fn events_after(answers: &[&str]) -> Vec<Event> {
        let mut config = samples::config();
        config.gates = crate::domain::run::decision::Gates::headless();
        config.profile.reference_plans = true;
        let steps = [
            ("mine 1 oak_log", "", ""),
            ("craft 4 #planks", "oak_log 1", ""),
            ("craft 1 crafting_table", "#planks 4", ""),
        ];
        let seen = (1..=5).map(|run| Sequence {
            run: RunId(run),
            way: samples::seen_skill("crafting_table", "always", &steps),
            experiences: vec![ExperienceId {
                run: RunId(run),
                n: 1,
            }],
        });
        let then = Then::End {
            outcome: Outcome::Success,
            because: "done".to_owned(),
        };
        let mut state = State::new();
        let mut events: Vec<Event> = Vec::new();
        let mut take = |state: &mut State, new: Vec<Event>| {
            for event in new {
                let fact = Recorded {
                    run: samples::config().run,
                    seq: Seq(state.seq.0 + 1),
                    at: Millis(1),
                    event,
                };
                state.apply(&fact);
                events.push(fact.event);
            }
        };
        let config = Box::new(config);
        let drafts = Vec::new();
        let began = vec![
            Event::RunStarted { config },
            Event::LookupAsked { drafts, then },
        ];
        take(&mut state, began);
        let input = Input::LookedUp {
            found: Vec::new(),
            blocked: Vec::new(),
            sequences: Sequences::of_goal(seen.collect()).into_iter().collect(),
        };
        let said = decide(&state, Millis(1), input);
        take(&mut state, said);
        for answer in answers {
            let call = state.open_call().expect("the mind is asked");
            let text = (*answer).to_owned();
            let said = decide(&state, Millis(1), Input::Answered { call, text, ms: 1 });
            take(&mut state, said);
        }
        events
    }

    fn settled(events: &[Event]) -> Option<(bool, &str)> {
        events.iter().find_map(|event| match event {
            Event::StudySettled { studied } => Some((studied.by_mind, studied.because.as_str())),
            _ => None, // the others settle nothing
        })
    }

    #[test]
    fn a_summary_of_five_runs_that_plays_through_is_looked_up_with_the_evidence_of_all_five() {
        let answer = r##"{"steps":[{"do":"mine","object":"#logs","count":1},{"do":"craft","object":"#planks","count":4},
            {"do":"craft","object":"crafting_table","count":1}],"because":"so they did"}"##;
        let events = events_after(&[answer]);
        let told = "a plan of 3 steps for crafting_table from runs 1, 2, 3, 4, 5";
        assert_eq!(settled(&events), Some((true, told)));
        let Some(Event::LookupAsked { drafts, .. }) = events.last() else {
            panic!("{events:?}");
        };
        assert_eq!(drafts[0].provenance.experiences.len(), 5);
        let Body::ReferencePlan(plan) = &drafts[0].body else {
            panic!("{drafts:?}");
        };
        assert_eq!((plan.from_successes, plan.runs.len()), (5, 5));
    }

    #[test]
    fn a_summary_that_does_not_come_out_goes_back_and_in_the_end_leaves_nothing() {
        let answer =
            r#"{"steps":[{"do":"craft","object":"crafting_table","count":1}],"because":"so"}"#;
        let events = events_after(&[answer]);
        let is_refused = |event: &Event| matches!(event, Event::AnswerRejected { .. });
        assert!(events.iter().any(is_refused) && settled(&events).is_none());
        let faults = events.iter().rev().find_map(|event| match event {
            Event::MindAsked { ask, .. } => match &**ask {
                Ask::Reference(ask) => Some(ask.faults.clone()),
                _ => None, // no other question is asked here
            },
            _ => None, // no question
        });
        let faults = faults.expect("it is asked again");
        assert!(faults[0].contains("lacks 4 #planks"), "{faults:?}");
        let events = events_after(&[r#"{"steps":[],"because":"no two are alike"}"#]);
        let told = "no plan for crafting_table: no two are alike";
        assert_eq!(settled(&events), Some((true, told)));
        let Some(Event::LookupAsked { drafts, .. }) = events.last() else {
            panic!("{events:?}");
        };
        assert_eq!(drafts, &[]);
    }
}
