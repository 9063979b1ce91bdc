//! The stage: a core whose inputs come from the lines of a script.

use crate::scenarios::script;
use pithead::config;
use pithead_core::agent::state::Phase;
use pithead_core::agent::{State, decide};
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::decision::{GateKind, Gates};
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_core::domain::run::input::Input;
use pithead_core::domain::run::rulebook;
use pithead_core::systems;
use pithead_world::action::{ActionFailure, ActionReport};
use pithead_world::block::BlockId;
use pithead_world::clock::Millis;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{KnowledgeId, RunId};
use pithead_world::observation::Frame;
use std::collections::VecDeque;

#[track_caller]
pub(crate) fn check(script: &str, expected: &str) {
    assert_eq!(
        Stage::new(script).play(),
        expected.trim(),
        "script:{script}"
    );
}

/// A core, and the script that plays world, mind and operator.
pub(crate) struct Stage {
    pub(crate) state: State,
    now: u64,
    tick: u64,
    inventory: Counts,
    lines: VecDeque<String>,
    tombstone: bool,
    seq: u64,
    pub(crate) said: Vec<String>,
    /// Time limit of the running attempt in seconds, after each input during one.
    pub(crate) timeouts: Vec<u32>,
}

impl Stage {
    fn new(script: &str) -> Self {
        let mut lines: VecDeque<String> = script
            .lines()
            .map(|line| line.trim().to_owned())
            .filter(|l| !l.is_empty())
            .collect();
        let task = lines.pop_front().expect("the first line is the task");
        let task = Task::parse(task.strip_prefix("task ").expect("it says so")).expect("it parses");
        let mut stage = Self {
            state: State::new(),
            now: 0,
            tick: 0,
            inventory: Counts::default(),
            lines,
            tombstone: false,
            seq: 0,
            said: Vec::new(),
            timeouts: Vec::new(),
        };
        let (mut gates, mut policy) = (Gates::headless(), String::new());
        while let Some((word, rest)) = stage.peek() {
            match word.as_str() {
                "have" => stage.inventory = rest.parse().expect("counts"),
                "tombstone" => stage.tombstone = true,
                "rule" => policy += &format!("[[rule]]\n{}\n", rest.replace("; ", "\n")),
                "gate" => {
                    let (kind, policy) = rest.split_once('=').expect("kind=policy");
                    let kind = GateKind::ALL.into_iter().find(|k| k.name() == kind);
                    gates
                        .0
                        .insert(kind.expect("a gate"), policy.parse().expect("a policy"));
                }
                _ => break,
            }
            stage.lines.pop_front();
        }
        stage.fold(vec![Event::RunStarted {
            config: Box::new(config(task, gates, &policy)),
        }]);
        stage
    }

    fn peek(&self) -> Option<(String, String)> {
        let line = self.lines.front()?;
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Some((word.to_owned(), rest.to_owned()))
    }

    fn take(&mut self, word: &str) -> String {
        let (found, rest) = self
            .peek()
            .unwrap_or_else(|| panic!("the script needs a `{word}` line"));
        assert_eq!(found, word, "after {:?}", self.said);
        self.lines.pop_front();
        rest
    }

    fn play(self) -> String {
        self.through().said.join(" · ")
    }

    /// The stage after the script.
    #[track_caller]
    pub(crate) fn played(script: &str) -> Self {
        Self::new(script).through()
    }

    fn through(mut self) -> Self {
        self.feed(opened());
        while self.peek().is_some() {
            match self.take_outside() {
                Some(input) => self.feed(input),
                None => break,
            }
        }
        assert!(
            self.lines.is_empty(),
            "left over: {:?} after {:?}",
            self.lines,
            self.said
        );
        self
    }

    /// A line that is an input of its own, not an answer to an event.
    fn take_outside(&mut self) -> Option<Input> {
        let (word, rest) = self.peek()?;
        let input = match word.as_str() {
            "at" => {
                self.now = rest.parse().expect("milliseconds");
                Input::Woken
            }
            "say" => Input::Commanded {
                command: script::command(&rest),
                operator: "tester".to_owned(),
            },
            "acts" => self.acted(&rest),
            "opened" => {
                let at = rest.strip_prefix("at ").expect("opened at MILLISECONDS");
                self.now = at.parse().expect("milliseconds");
                opened()
            }
            _ => return None,
        };
        self.lines.pop_front();
        Some(input)
    }

    fn feed(&mut self, input: Input) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let events = decide(&self.state, Millis(self.now), input);
            let answers: Vec<Input> = self.fold(events);
            inputs.extend(answers);
        }
        if let Phase::Acting(attempt) = &self.state.phase {
            self.timeouts.push(attempt.subgoal.timeout_s);
        }
    }

    /// Applies and logs an event, and performs what the script's world and mind do at once.
    fn fold(&mut self, events: Vec<Event>) -> Vec<Input> {
        let mut answers = Vec::new();
        for event in events {
            self.seq += 1;
            self.said.extend(self.words(&event));
            let recorded = Recorded {
                run: RunId(1),
                seq: pithead_world::ids::Seq(self.seq),
                at: Millis(self.now),
                event: event.clone(),
            };
            self.state.apply(&recorded);
            answers.extend(self.perform(&event));
        }
        answers
    }

    fn perform(&mut self, event: &Event) -> Option<Input> {
        match event {
            Event::WorldAsked => Some(Input::Ready(Box::new(self.frame(true)))),
            Event::RecallAsked { .. } => Some(Input::Recalled {
                options: pithead_core::domain::experience::option::TriedOptions::default(),
                hits: Vec::new(),
                knowledge: Vec::new(),
            }),
            Event::SimilarFailuresAsked { subgoal, .. } => Some(Input::SimilarFailuresFound {
                subgoal: *subgoal,
                earlier: Vec::new(),
            }),
            Event::LookupAsked { drafts, .. } => {
                let id = KnowledgeId {
                    run: RunId(0),
                    n: 1,
                };
                let found = self.tombstone.then_some((id, Status::Vetoed));
                Some(Input::LookedUp {
                    found: vec![found; drafts.len()],
                    sequences: Vec::new(),
                    blocked: Vec::new(),
                })
            }
            Event::MindAsked { call, ask } => {
                let text = match (&**ask, self.peek()?.0.as_str()) {
                    (_, "answer") => self.take("answer"),
                    (Ask::Plan(_), _) => script::plan(&self.take("plan")),
                    (Ask::Diagnose(_), _) => script::lesson(&self.take("lesson")),
                    (_, _) => "{}".to_owned(), // no script answers the other roles
                };
                Some(Input::Answered {
                    call: *call,
                    text,
                    ms: 1,
                })
            }
            _ => None,
        }
    }

    fn acted(&mut self, rest: &str) -> Input {
        self.tick += 20;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (failure, alive) = match words[..] {
            ["no_station", item, station] => {
                let item: ItemSpec = item.parse().expect("an item");
                let station = BlockId::named(station).expect("a block");
                (Some(ActionFailure::NoStation { item, station }), true)
            }
            ["dies", "of", what] => (
                Some(ActionFailure::Died {
                    of: what.to_owned(),
                }),
                false,
            ),
            _ => {
                self.inventory = rest.parse().expect("the counts held afterwards");
                (None, true)
            }
        };
        let action = pithead_world::ids::ActionId(self.state.counters.actions);
        let report = ActionReport {
            failure,
            ticks: 20,
            broken: Vec::new(),
            gained: Counts::default(),
            used: Counts::default(),
            windows: Vec::new(),
        };
        Input::Acted {
            action,
            report,
            frame: Box::new(self.frame(alive)),
        }
    }

    fn frame(&self, alive: bool) -> Frame {
        Frame {
            tick: self.tick,
            inventory: self.inventory.clone(),
            alive,
            ..Frame::standing()
        }
    }
}

fn opened() -> Input {
    Input::Started {
        times_realtime: 0.0,
        operator: "tester".to_owned(),
    }
}

fn config(task: Task, gates: Gates, policy: &str) -> RunConfig {
    let profile = systems::named(systems::DEFAULT).expect("the default system is there");
    let rulebook =
        (!policy.is_empty()).then(|| rulebook::parse_rulebook(policy).expect("a policy"));
    RunConfig {
        gates,
        rulebook: rulebook.unwrap_or_default(),
        run: RunId(1),
        ..config::run_config(task, 7, "script", profile)
    }
}
