//! The switches of a profile: each of the three points where a guardrail acts, and experience, by itself.

use super::state::Phase;
use super::{State, decide};
use crate::domain::condition::Condition;
use crate::domain::experience::option::{TriedOptions, Try};
use crate::domain::knowledge::{Body, Entry, Status};
use crate::domain::mind::ask::Ask;
use crate::domain::plan::Plan;
use crate::domain::plan::note::About;
use crate::domain::run::event::{Event, Recorded, RunConfig};
use crate::domain::run::input::Input;
use crate::domain::samples;
use crate::systems;
use pithead_world::clock::Millis;
use pithead_world::ids::Seq;

/// What a run of the system did with one guardrail that forbids the only step of the first plan.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    shown: bool,
    refused: bool,
    blocked: bool,
    hits: usize,
    options: usize,
}

fn guardrail() -> Entry {
    let mut entry = samples::entry(7, 1, "oak_log");
    entry.status = Status::Active;
    if let Body::Guardrail(guardrail) = &mut entry.body {
        guardrail.trigger = Condition::always();
    }
    entry
}

/// Something else was tried once.
fn tried() -> TriedOptions {
    let mut options = TriedOptions::default();
    options.add(&Try::of_attempt(&samples::experience(7, 2, "coal", false)).unwrap());
    options
}

fn events_with(system: &str) -> Vec<Event> {
    let config = RunConfig {
        profile: systems::named(system).unwrap(),
        gates: crate::domain::run::decision::Gates::headless(),
        ..samples::config()
    };
    let mut state = State::new();
    let mut events = Vec::new();
    let mut take = |state: &mut State, event: Event| {
        state.apply(&Recorded {
            run: config.run,
            seq: Seq(state.seq.0 + 1),
            at: Millis(1),
            event: event.clone(),
        });
        events.push(event);
    };
    let started = Event::RunStarted {
        config: Box::new(config.clone()),
    };
    take(&mut state, started);
    let hit = samples::hit(7, 1, false);
    let inputs = [
        Input::Started {
            times_realtime: 0.0,
            operator: "ann".to_owned(),
        },
        Input::Ready(samples::frame(0, 1)),
        Input::Recalled {
            hits: vec![hit],
            knowledge: vec![guardrail()],
            options: tried(),
        },
    ];
    for input in inputs {
        for event in decide(&state, Millis(1), input) {
            take(&mut state, event);
        }
    }
    let plan = Plan {
        subgoals: vec![samples::subgoal(1, "oak_log")],
        ..Plan::default()
    };
    let plan = serde_json::to_string(&plan).unwrap();
    // A capsule, two plans and what they need at most; what comes later is another question.
    for _ in 0..8 {
        let input = match (state.open_call(), &state.phase) {
            (Some(call), _) => Input::Answered {
                call,
                text: plan.clone(),
                ms: 1,
            },
            (None, Phase::RecallingNeeds { .. }) => Input::Recalled {
                hits: Vec::new(),
                knowledge: Vec::new(),
                options: TriedOptions::default(),
            },
            _ => break,
        };
        for event in decide(&state, Millis(1), input) {
            take(&mut state, event);
        }
    }
    events
}

fn seen(system: &str) -> Seen {
    let events = events_with(system);
    let id = guardrail().id;
    let first_plan = events.iter().find_map(|event| match event {
        Event::MindAsked { ask, .. } => match &**ask {
            Ask::Plan(ask) => Some(ask),
            _ => None,
        },
        _ => None,
    });
    let notes = events.iter().filter_map(|event| match event {
        Event::PlanVerified { notes, .. } => Some(notes),
        _ => None,
    });
    Seen {
        shown: !first_plan.unwrap().knowledge.is_empty(),
        options: first_plan.unwrap().options.iter().count(),
        refused: notes
            .flatten()
            .any(|n| n.about == About::Forbidden { by: id }),
        blocked: events.iter().any(|event| match event {
            Event::ReplanStarted { because, .. } => because.contains("is forbidden by k7.1"),
            _ => false,
        }),
        hits: events
            .iter()
            .find_map(|event| match event {
                Event::Recalled { hits, .. } => Some(hits.len()),
                _ => None,
            })
            .unwrap(),
    }
}

#[test]
fn each_switch_takes_one_point_away() {
    for (system, shown, refused, blocked, hits, options) in [
        ("steve-evolving", true, true, true, 1, 1),
        ("no-guardrails-shown", false, true, true, 1, 1),
        ("no-guardrails-refusing", true, false, true, 1, 1),
        ("no-guardrails-blocking", true, true, false, 1, 1),
        ("no-visibility", false, true, true, 1, 0),
        ("no-knowledge-use", false, false, false, 1, 0),
        ("no-options", true, true, true, 1, 0),
        ("no-recall", true, true, true, 0, 1),
    ] {
        let expected = Seen {
            shown,
            refused,
            blocked,
            hits,
            options,
        };
        assert_eq!(seen(system), expected, "{system}");
    }
}
