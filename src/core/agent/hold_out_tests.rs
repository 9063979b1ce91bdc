//! Hold-out: the draw, what a withheld entry does not do, and what the end of a run says of it.

use super::hold_out::{measured, withhold};
use super::{State, decide};
use crate::domain::knowledge::effect::RunResult;
use crate::domain::knowledge::{Entry, Status};
use crate::domain::run::event::{Event, Recorded, RunConfig};
use crate::domain::run::fork::Fork;
use crate::domain::run::input::Input;
use crate::domain::run::outcome::Outcome;
use crate::domain::samples;
use crate::systems;
use pithead_world::clock::Millis;
use pithead_world::ids::{KnowledgeId, RunId, Seq};

fn config(run: u64, hold_out: u8) -> RunConfig {
    RunConfig {
        run: RunId(run),
        profile: systems::named(systems::DEFAULT).unwrap(),
        hold_out,
        ..samples::config()
    }
}

fn entries(count: u64) -> Vec<Entry> {
    let entry = |n| Entry {
        status: Status::Active,
        ..samples::entry(7, n, "oak_log")
    };
    (1..=count).map(entry).collect()
}

fn withheld(config: &RunConfig, mut entries: Vec<Entry>) -> Vec<KnowledgeId> {
    withhold(config, &mut entries)
}

#[test]
fn the_draw_is_seeded_and_has_its_share() {
    let all: Vec<Vec<KnowledgeId>> = (1..=400)
        .map(|run| withheld(&config(run, 10), entries(25)))
        .collect();
    // 10,000 draws at 10 %: the standard deviation is 30.
    let sum: usize = all.iter().map(Vec::len).sum();
    assert!((880..=1_120).contains(&sum), "{sum}");
    assert_eq!(withheld(&config(3, 10), entries(25)), all[2]);
    // One more entry, or another order, moves no draw.
    let mut more = entries(26);
    more.reverse();
    let mut again = withheld(&config(3, 10), more);
    again.retain(|id| id.n <= 25);
    again.sort();
    assert_eq!(again, all[2]);
    let mut other = config(3, 10);
    other.world.seed += 1;
    assert_ne!(
        withheld(&other, entries(200)),
        withheld(&config(3, 10), entries(200))
    );
    assert_eq!(withheld(&config(3, 0), entries(200)), []);
}

#[test]
fn what_the_profile_does_not_use_is_not_drawn_for() {
    let blind = RunConfig {
        profile: systems::named("no-knowledge-use").unwrap(),
        ..config(1, 50)
    };
    assert_eq!(withheld(&blind, entries(50)), []);
}

/// The state after recall has come back with these entries, and the events so far.
fn recalled(config: &RunConfig, knowledge: Vec<Entry>) -> (State, Vec<Event>) {
    let mut state = State::new();
    let mut events = Vec::new();
    fold(
        &mut state,
        &mut events,
        Event::RunStarted {
            config: Box::new(config.clone()),
        },
    );
    for input in [
        Input::Started {
            times_realtime: 0.0,
            operator: "ann".to_owned(),
        },
        Input::Ready(samples::frame(0, 1)),
        Input::Recalled {
            hits: Vec::new(),
            knowledge,
            options: crate::domain::experience::option::TriedOptions::default(),
        },
    ] {
        for event in decide(&state, Millis(1), input) {
            fold(&mut state, &mut events, event);
        }
    }
    (state, events)
}

fn fold(state: &mut State, events: &mut Vec<Event>, event: Event) {
    state.apply(&Recorded {
        run: RunId(1),
        seq: Seq(state.seq.0 + 1),
        at: Millis(1),
        event: event.clone(),
    });
    events.push(event);
}

#[test]
fn a_withheld_entry_is_neither_given_nor_shown_and_does_not_act() {
    let config = config(1, 50);
    let out = withheld(&config, entries(12));
    assert!(!out.is_empty() && out.len() < 12, "{out:?}");
    let (state, events) = recalled(&config, entries(12));
    let said = events.iter().find_map(|event| match event {
        Event::KnowledgeWithheld { ids } => Some(ids.clone()),
        _ => None,
    });
    assert_eq!(said.as_ref(), Some(&out));
    let is_out = |id: &KnowledgeId| out.contains(id);
    for event in &events {
        match event {
            Event::KnowledgeUsed { id, .. } => assert!(!is_out(id), "{id} was used"),
            Event::Recalled { knowledge, .. } => {
                assert!(!knowledge.iter().any(|entry| is_out(&entry.id)));
            }
            // A prompt of any kind would hold the entry's id.
            Event::MindAsked { ask, .. } => {
                let text = serde_json::to_string(ask).unwrap();
                let id = |id: &KnowledgeId| serde_json::to_string(id).unwrap();
                assert!(!out.iter().any(|out| text.contains(&id(out))), "{text}");
            }
            _ => (),
        }
    }
    for acting in [state.in_use().count(), state.blocking().count()] {
        assert_eq!(acting, 12 - out.len());
    }
}

#[test]
fn the_end_counts_a_run_for_the_side_it_was_drawn_to() {
    let config = config(1, 50);
    let (mut state, mut events) = recalled(&config, entries(12));
    let out = withheld(&config, entries(12));
    let given: Vec<KnowledgeId> = state.given.iter().copied().collect();
    // Vetoed in the middle of the run: it was given all the same.
    let vetoed = Event::KnowledgeVetoed {
        id: given[0],
        reason: "no".to_owned(),
        by: None,
    };
    fold(&mut state, &mut events, vetoed);
    let said = measured(&state, Outcome::Failure);
    assert_eq!(
        said,
        Some(Event::KnowledgeMeasured {
            given,
            withheld: out,
            result: RunResult {
                success: false,
                failed_attempts: 0,
                ticks: state.last_tick(),
            },
        })
    );
    assert_eq!(measured(&state, Outcome::Aborted), None);
    let fork = Fork {
        from: RunId(1),
        at: Seq(3),
        without: Vec::new(),
        thresholds: None,
        kept: Vec::new(),
        policies: Vec::new(),
        by: "ann".to_owned(),
    };
    let fork = Event::RunForked {
        fork: Box::new(fork),
    };
    fold(&mut state, &mut events, fork);
    assert_eq!(measured(&state, Outcome::Success), None);
}

#[test]
fn a_run_without_hold_out_is_recorded_as_before() {
    let config = config(1, 0);
    let (state, events) = recalled(&config, entries(12));
    let is_new = |e: &Event| matches!(e, Event::KnowledgeWithheld { .. });
    assert!(!events.iter().any(is_new));
    assert_eq!(measured(&state, Outcome::Success), None);
    assert!(!serde_json::to_string(&config).unwrap().contains("hold_out"));
    let old = serde_json::to_string(&entries(1)[0].outcomes).unwrap();
    assert!(!old.contains("given") && !old.contains("withheld"), "{old}");
}
