//! What the benchmarks share: a real run played without a journal, and a place on the disk.
//!
//! The run is the real loop: agent core, embedded world and builtin mind. Invariant: same task and
//! seed, same events.
#![allow(dead_code)] // every benchmark is a program of its own and uses a part of this

pub(crate) mod orders;

use pithead::config;
use pithead_core::agent::{State, decide};
use pithead_core::domain::experience::Experience;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_core::domain::run::input::Input;
use pithead_core::systems;
use pithead_engine::runtime;
use pithead_world::aids::SenseLevel;
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, ExperienceId, RunId, Seq};
use pithead_world::port::{World, WorldSpec};
use pithead_world::reports::Reports;
use std::collections::VecDeque;
use std::path::PathBuf;

pub(crate) const DIAMOND: &str = "obtain a diamond";
/// The budget of the paper's hardest group.
pub(crate) const BUDGET_TICKS: u64 = 12_000;
const RUN: RunId = RunId(1);

/// A run as `pithead run TASK --headless --budget 12000` would start it.
pub(crate) fn run_config(task: &str, seed: u64) -> RunConfig {
    let task = Task::parse(task).expect("the task is known");
    let profile = systems::named(systems::DEFAULT).expect("the default system is there");
    let mut config = config::run_config(task, seed, config::MIND, profile);
    config.run = RUN;
    config.budget.ticks = BUDGET_TICKS;
    config
}

pub(crate) fn world_spec(seed: u64) -> WorldSpec {
    WorldSpec::embedded(seed, pithead_world::aids::WorldAids::default())
}

/// A folder on the disk that holds the project; the usual temporary folder may be in memory.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(PathBuf::from(env!("CARGO_TARGET_TMPDIR"))).expect("a folder is made")
}

/// All events of a run.
pub(crate) fn record(task: &str, seed: u64) -> Vec<Recorded> {
    let mut recorded = Vec::new();
    play(task, seed, |fact| recorded.push(fact.clone()));
    recorded
}

/// Plays a run to its end without a journal; the ticks it took.
pub(crate) fn play(task: &str, seed: u64, see: impl FnMut(&Recorded)) -> u64 {
    play_run(run_config(task, seed), see)
}

/// The same with a player's eyes.
pub(crate) fn play_as_player(task: &str, seed: u64) -> u64 {
    let mut config = run_config(task, seed);
    config.world.aids.senses = SenseLevel::Player;
    play_run(config, |_| ())
}

fn play_run(config: RunConfig, mut see: impl FnMut(&Recorded)) -> u64 {
    let (world, mind) = config::world_and_mind(&config).expect("the embedded world is there");
    let mut stage = Stage {
        world,
        mind,
        known: Vec::new(),
        inputs: VecDeque::from([Input::Started {
            times_realtime: 0.0,
            operator: "bench".to_owned(),
        }]),
    };
    let mut state = State::new();
    let mut events = vec![Event::RunStarted {
        config: Box::new(config),
    }];
    let mut seq = Seq(0);
    loop {
        for event in std::mem::take(&mut events) {
            seq = seq.next();
            let fact = Recorded {
                run: RUN,
                seq,
                at: Millis(seq.0),
                event,
            };
            state.apply(&fact);
            see(&fact);
            stage.perform(&fact.event, &state);
        }
        if state.is_over() {
            return state.last_tick();
        }
        let input = stage.next();
        events = decide(&state, Millis(seq.0), input);
    }
}

/// What stands around the core: the driver's part, without a disk.
struct Stage {
    world: Box<dyn World>,
    mind: Box<dyn pithead_engine::mind::Mind>,
    known: Vec<Entry>,
    inputs: VecDeque<Input>,
}

impl Stage {
    fn next(&mut self) -> Input {
        while self.inputs.is_empty() {
            let notices = self.world.poll(pithead_world::port::FRAME_TICKS);
            self.inputs.extend(
                notices
                    .into_iter()
                    .map(|notice| runtime::input(notice, Reports::Typed)),
            );
        }
        self.inputs.pop_front().expect("it is not empty")
    }

    fn perform(&mut self, event: &Event, state: &State) {
        for request in runtime::requests(event, state) {
            self.world.request(request);
        }
        match event {
            Event::MindAsked { call, ask } => {
                let input = match self.mind.answer(ask) {
                    Ok(text) => Input::Answered {
                        call: *call,
                        text,
                        ms: 0,
                    },
                    Err(because) => Input::Unanswered {
                        call: *call,
                        because,
                    },
                };
                self.inputs.push_back(input);
            }
            Event::RecallAsked { .. } => self.inputs.push_back(Input::Recalled {
                options: pithead_core::domain::experience::option::TriedOptions::default(),
                hits: Vec::new(),
                knowledge: self.known.clone(),
            }),
            Event::SimilarFailuresAsked { subgoal, .. } => {
                self.inputs.push_back(Input::SimilarFailuresFound {
                    subgoal: *subgoal,
                    earlier: Vec::new(),
                });
            }
            Event::LookupAsked { drafts, .. } => {
                let found = drafts.iter().map(|draft| self.like(draft)).collect();
                self.inputs.push_back(Input::LookedUp {
                    found,
                    sequences: Vec::new(),
                    blocked: Vec::new(),
                });
            }
            Event::KnowledgeProposed { entry } => self.known.push(Entry {
                status: Status::Active,
                ..(**entry).clone()
            }),
            // The others ask for nothing.
            _ => (),
        }
    }

    fn like(&self, draft: &Entry) -> Option<(pithead_world::ids::KnowledgeId, Status)> {
        let wanted = draft.body.signature();
        let found = self
            .known
            .iter()
            .find(|entry| entry.body.signature() == wanted);
        found.map(|entry| (entry.id, entry.status))
    }
}

/// Every attempt of a real run.
pub(crate) fn experiences() -> Vec<Experience> {
    let facts = record(DIAMOND, 7).into_iter();
    facts
        .filter_map(|fact| match fact.event {
            Event::AttemptEnded { experience, .. } => Some(*experience),
            _ => None,
        })
        .collect()
}

/// The same attempt under another number.
pub(crate) fn ended(experience: &Experience, run: RunId, n: u64) -> Event {
    Event::AttemptEnded {
        attempt: AttemptId(n),
        experience: Box::new(Experience {
            id: ExperienceId { run, n },
            ..experience.clone()
        }),
    }
}
