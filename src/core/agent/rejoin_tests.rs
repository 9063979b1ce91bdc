//! A run that returns to a world which went on without it does nothing before its body stands there again.

use super::state::Phase;
use super::{State, decide, fork};
use crate::domain::experience::option::TriedOptions;
use crate::domain::plan::Plan;
use crate::domain::run::command::Command;
use crate::domain::run::decision::{By, GateKind, Gates, Policy, Verdict};
use crate::domain::run::event::{Event, Recorded, RunConfig};
use crate::domain::run::fork::Fork;
use crate::domain::run::input::Input;
use crate::domain::run::outcome::Outcome;
use crate::domain::samples;
use pithead_world::aids::WorldAids;
use pithead_world::clock::Millis;
use pithead_world::ids::{RunId, Seq};
use pithead_world::observation::Frame;
use pithead_world::port::{Account, ServerSpec, WorldSpec};

/// A run on a server, and what it says since the last look.
struct Run {
    state: State,
    said: Vec<Event>,
}

impl Run {
    /// A run that has made a plan of one step, under these gates.
    fn start(gates: Gates) -> Self {
        let server = ServerSpec {
            host: "127.0.0.1".to_owned(),
            port: 1,
            player: "Guest".to_owned(),
            version: None,
            place: None,
            account: Account::Offline,
        };
        let config = RunConfig {
            world: WorldSpec::on_server(server, 7, WorldAids::default()),
            gates,
            ..samples::config()
        };
        let mut run = Self {
            state: State::new(),
            said: Vec::new(),
        };
        run.take(Event::RunStarted {
            config: Box::new(config),
        });
        run.started();
        run.put(Input::Ready(samples::frame(0, 1)));
        let plan = Plan {
            subgoals: vec![samples::subgoal(1, "oak_log")],
            ..Plan::default()
        };
        let plan = serde_json::to_string(&plan).unwrap();
        for _ in 0..8 {
            let input = match (run.state.open_call(), &run.state.phase) {
                (Some(call), _) => Input::Answered {
                    call,
                    text: plan.clone(),
                    ms: 1,
                },
                (None, Phase::Recalling | Phase::RecallingNeeds { .. }) => Input::Recalled {
                    hits: Vec::new(),
                    knowledge: Vec::new(),
                    options: TriedOptions::default(),
                },
                _ => break,
            };
            run.put(input);
        }
        run
    }

    fn take(&mut self, event: Event) {
        let seq = Seq(self.state.seq.0 + 1);
        let run = RunId(1);
        let at = Millis(1);
        self.said.push(event.clone());
        self.state.apply(&Recorded {
            run,
            seq,
            at,
            event,
        });
    }

    /// The events of one turn.
    fn put(&mut self, input: Input) -> Vec<Event> {
        let events = decide(&self.state, Millis(1), input);
        events.iter().cloned().for_each(|event| self.take(event));
        events
    }

    /// A driver takes the run up.
    fn started(&mut self) -> Vec<Event> {
        self.put(Input::Started {
            times_realtime: 0.0,
            operator: "ann".to_owned(),
        })
    }

    fn command(&mut self, command: Command) -> Vec<Event> {
        let operator = "ann".to_owned();
        self.put(Input::Commanded { command, operator })
    }

    /// The run as a fork has it: the past of the other one, and nothing under way.
    fn forked(mut self) -> Self {
        let fork = Fork {
            from: RunId(1),
            at: self.state.seq,
            by: "ann".to_owned(),
            without: Vec::new(),
            thresholds: None,
            kept: Vec::new(),
            policies: Vec::new(),
        };
        let events = fork::begin(&self.state, Millis(1), fork, None).unwrap();
        events.into_iter().for_each(|event| self.take(event));
        self
    }
}

fn begins(events: &[Event]) -> bool {
    let is_act = |event: &Event| {
        matches!(
            event,
            Event::AttemptStarted { .. } | Event::ActionIssued { .. } | Event::MindAsked { .. }
        )
    };
    events.iter().any(is_act)
}

fn has(events: &[Event], wanted: impl Fn(&Event) -> bool) -> bool {
    events.iter().any(wanted)
}

#[test]
fn a_fork_between_attempts_plans_after_it_has_joined_and_not_before() {
    // The gate of the plan has just been passed: the next thing would be an attempt.
    let mut gates = Gates::headless();
    gates.0.insert(GateKind::Plan, Policy::Ask);
    let mut run = Run::start(gates);
    let decision = run.state.questions[0].id;
    let adopted = Event::DecisionMade {
        decision,
        verdict: Verdict::Approve,
        by: By::Operator("ann".to_owned()),
    };
    run.take(adopted);
    let revision = run.state.proposal.as_ref().unwrap().revision;
    run.take(Event::PlanAdopted { revision });
    let mut fork = run.forked();
    assert_eq!(fork.state.phase, Phase::Choosing);

    let events = fork.started();
    assert!(has(&events, |e| matches!(e, Event::WorldLost { .. })));
    assert!(!begins(&events), "{events:?}");
    // Neither does a command of the operator let it begin.
    let words = "mine oak_log".to_owned();
    for command in [Command::Pause, Command::Resume, Command::Act { words }] {
        let events = fork.command(command);
        assert!(!begins(&events), "{events:?}");
    }
    assert!(!begins(&fork.put(Input::Woken)));

    let events = fork.put(Input::Ready(samples::frame(40, 1)));
    assert!(has(&events, |e| matches!(e, Event::WorldRejoined { .. })));
    let replans = has(&events, |e| matches!(e, Event::ReplanStarted { .. }));
    assert!(replans, "{events:?}");
}

#[test]
fn a_task_that_is_done_when_a_run_returns_ends_it() {
    let mut run = Run::start(Gates::headless());
    run.started();
    let frame = Frame {
        inventory: "oak_log=1".parse().unwrap(),
        ..*samples::frame(40, 1)
    };
    let events = run.put(Input::Ready(Box::new(frame)));
    assert!(!begins(&events), "{events:?}");
    let replans = has(&events, |e| matches!(e, Event::ReplanStarted { .. }));
    assert!(!replans, "{events:?}");
    let ends = |event: &Event| {
        matches!(event, Event::RunEnded { outcome, .. } if *outcome == Outcome::Success)
            || matches!(event, Event::LookupAsked { .. })
    };
    assert!(has(&events, ends), "{events:?}");
}

#[test]
fn an_attempt_that_a_run_was_left_in_ends_before_the_run_joins_again() {
    for is_fork in [false, true] {
        // A run that was killed says nothing of it; a fork within an attempt finds it under way.
        let mut run = Run::start(Gates::headless());
        assert!(matches!(run.state.phase, Phase::Acting(_)));
        if is_fork {
            run = run.forked();
        }
        let events = run.started();
        assert!(has(&events, |e| matches!(e, Event::AttemptEnded { .. })));
        assert!(!begins(&events), "{events:?}");
        // Taken up once more without having joined: it is left already, and nothing is said twice.
        assert!(!has(&run.started(), |e| matches!(
            e,
            Event::WorldLost { .. }
        )));
        let events = run.put(Input::Ready(samples::frame(40, 1)));
        let lost = |e: &Event| matches!(e, Event::WorldLost { .. });
        assert!(!has(&events, lost), "it is said once: {events:?}");
        assert!(has(&events, |e| matches!(e, Event::WorldRejoined { .. })));
        assert_eq!(run.said.iter().filter(|event| lost(event)).count(), 1);
        assert!(!run.state.is_away && !run.state.is_over());
    }
}

#[test]
fn a_server_that_is_still_gone_is_said_and_waited_for() {
    let mut run = Run::start(Gates::headless());
    run.started();
    let because = "no server listens there".to_owned();
    let events = run.put(Input::Lost { because });
    assert!(has(&events, |e| matches!(e, Event::WorldLost { .. })));
    assert!(!begins(&events) && run.state.is_away && !run.state.is_over());
}
