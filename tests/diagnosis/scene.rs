//! Scenes: a set place in the embedded world, a body that is able or is not, and one subgoal to try.
//!
//! The whole loop plays it: plan, execution, stall detection, diagnosis. Only the plan is given.

use pithead::config;
use pithead_core::domain::experience::diagnosis::Diagnosis;
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::event::{Event, RunConfig};
use pithead_core::systems;
use pithead_engine::journal::Journal;
use pithead_engine::memory::Hashed;
use pithead_engine::mind::Mind;
use pithead_engine::runtime::{self, Keep, Pace, Parts};
use pithead_world::action::{Action, ActionFailure, ActionReport};
use pithead_world::block::BlockId;
use pithead_world::clock::Clock;
use pithead_world::counts::Counts;
use pithead_world::ids::{ActionId, RunId};
use pithead_world::keys::KeyPresses;
use pithead_world::mob::MobKind;
use pithead_world::observation::Frame;
use pithead_world::port::{Notice, Request, World};
use pithead_world::reports::Reports;
use pithead_world::space::{Point, Pos};
use pithead_world::voxel::grid::Grid;
use pithead_world::voxel::sim::Simulation;
use pithead_world::voxel::world::VoxelWorld;
use std::sync::atomic::AtomicBool;

/// Where the body starts: on an endless plain of grass.
const FEET: Pos = Pos::new(8, 41, 8);
/// The world of generated scenes.
const NIGHT: u32 = 14_000;

/// KeyPresses for each tick, by the tick.
type Keyboard = fn(u32) -> KeyPresses;

/// How orders are carried out.
#[derive(Debug, Clone)]
enum Body {
    /// By the scripts of the embedded world.
    Able,
    /// A controller that presses these keys instead, whatever the order is.
    KeyPresses(Keyboard),
    /// The order goes well so far, and then this comes of it.
    Ends { after: u64, how: How },
}

#[derive(Debug, Clone)]
enum How {
    Report(ActionFailure),
    Lost(String),
}

/// A place, a body and a clock.
#[derive(Debug)]
pub(crate) struct Scene {
    sim: Simulation,
    body: Body,
    budget: u64,
    reports: Reports,
}

/// Flat land with these things in the pockets.
pub(crate) fn flat(carried: &str) -> Scene {
    Scene::of(
        Simulation::with_grid(Grid::flat(FEET.y - 1), FEET.floor()),
        carried,
    )
}

/// Generated land.
pub(crate) fn land(seed: u64, carried: &str) -> Scene {
    Scene::of(Simulation::new(seed), carried)
}

impl Scene {
    fn of(mut sim: Simulation, carried: &str) -> Self {
        let carried: Counts = carried.parse().expect("counts");
        for (item, count) in carried.iter() {
            assert_eq!(sim.give(item, count), 0, "{item} does not fit");
        }
        Self {
            sim,
            body: Body::Able,
            budget: 24_000,
            reports: Reports::Typed,
        }
    }

    /// A block, counted from the body's feet.
    pub(crate) fn block(mut self, name: &str, at: [i32; 3]) -> Self {
        self.put(name, at);
        self
    }

    fn put(&mut self, name: &str, [x, y, z]: [i32; 3]) {
        let block = BlockId::named(name).expect("a block");
        self.sim.grid_mut().set(FEET.plus(x, y, z), block);
    }

    /// All blocks between two corners.
    pub(crate) fn filled(mut self, name: &str, from: [i32; 3], to: [i32; 3]) -> Self {
        for x in from[0]..=to[0] {
            for y in from[1]..=to[1] {
                for z in from[2]..=to[2] {
                    self.put(name, [x, y, z]);
                }
            }
        }
        self
    }

    /// A closed box of bedrock around a place, so many blocks away from it.
    pub(crate) fn boxed(self, [x, y, z]: [i32; 3], away: i32) -> Self {
        let (low, high) = ([x - away, y - 1, z - away], [x + away, y + 3, z + away]);
        let inside = [x - away + 1, y, z - away + 1];
        self.filled("bedrock", low, high)
            .filled("air", inside, [x + away - 1, y + 2, z + away - 1])
    }

    /// A wall of bedrock around the body, open to the sky.
    pub(crate) fn walled(self, away: i32) -> Self {
        let inside = away - 1;
        self.filled("bedrock", [-away, 0, -away], [away, 6, away])
            .filled("air", [-inside, 0, -inside], [inside, 6, inside])
    }

    pub(crate) fn tree(self, x: i32, z: i32) -> Self {
        self.filled("oak_log", [x, 0, z], [x, 3, z]).filled(
            "oak_leaves",
            [x - 1, 4, z - 1],
            [x + 1, 4, z + 1],
        )
    }

    pub(crate) fn mob(mut self, name: &str, x: i32, z: i32) -> Self {
        let at = FEET.plus(x, 0, z).floor();
        let kind = MobKind::named(name).expect("a mob");
        self.sim.mobs_mut().add(kind, Point::new(at.x, at.y, at.z));
        self
    }

    pub(crate) fn health(mut self, half_hearts: f32) -> Self {
        let vitals = &mut self.sim.body_mut().vitals;
        // Too hungry to heal on the way.
        (vitals.health, vitals.hunger) = (half_hearts, 10);
        self
    }

    /// The body begins so many blocks above its place.
    pub(crate) fn above(mut self, blocks: i32) -> Self {
        self.sim.body_mut().at = FEET.plus(0, blocks, 0).floor();
        self
    }

    /// The item held at the start.
    pub(crate) fn hand(mut self, item: &str) -> Self {
        let slots = &mut self.sim.body_mut().slots;
        let item = item
            .parse::<pithead_world::family::ItemSpec>()
            .expect("an item");
        slots.selected = slots.find(item).expect("it is carried");
        self
    }

    pub(crate) fn at_night(mut self) -> Self {
        self.sim.pass_hours(NIGHT);
        self
    }

    pub(crate) fn budget(mut self, ticks: u64) -> Self {
        self.budget = ticks;
        self
    }

    pub(crate) fn keys(mut self, keyboard: Keyboard) -> Self {
        self.body = Body::KeyPresses(keyboard);
        self
    }

    /// The body reports this after so many ticks.
    pub(crate) fn reports(mut self, after: u64, failure: ActionFailure) -> Self {
        let how = How::Report(failure);
        self.body = Body::Ends { after, how };
        self
    }

    /// The world goes away after so many ticks.
    pub(crate) fn goes_away(mut self, after: u64, because: &str) -> Self {
        let how = How::Lost(because.to_owned());
        self.body = Body::Ends { after, how };
        self
    }

    /// How much the body tells of its failures.
    pub(crate) fn told(mut self, reports: Reports) -> Self {
        self.reports = reports;
        self
    }

    /// Plays one attempt at the subgoal to its end.
    pub(crate) fn attempt(self, subgoal: &str) -> Result<Diagnosis, String> {
        let mut config = run_config();
        config.budget.ticks = self.budget;
        config.world.aids.reports = self.reports;
        let mind = Given {
            plan: format!(r#"{{"subgoals":[{subgoal}]}}"#),
        };
        let stage = Stage {
            world: VoxelWorld::from_simulation(self.sim, config.world.frame_ticks),
            body: self.body,
            running: None,
        };
        let parts = Parts {
            journal: Journal::in_memory().expect("a journal in memory"),
            world: Box::new(stage),
            mind: Box::new(mind),
            embedder: Box::new(Hashed),
            clock: Clock::System,
            pace: Pace::Max,
            operator: "test".to_owned(),
        };
        let played = runtime::play_unattended(
            RunId(1),
            config,
            parts,
            Keep::Attempts,
            &AtomicBool::new(false),
        );
        let facts = played
            .expect("it plays")
            .ended()
            .expect("nobody interrupts")
            .facts;
        let ended = facts.into_iter().find_map(|fact| match fact.event {
            Event::AttemptEnded { experience, .. } => Some(Ok(experience.diagnosis)),
            Event::AnswerRejected { fault, .. } => Some(Err(fault)),
            Event::RunEnded { because, .. } => Some(Err(because)),
            _ => None, // the rest of the run is not looked at
        });
        ended.expect("a run has an end")
    }
}

/// One attempt and no second: neither verifier nor replans.
fn run_config() -> RunConfig {
    let mut profile = systems::named("planning-only").expect("it is there");
    profile.verify = false;
    // Nothing of it is in any scene, so that the run does not end by luck.
    let task = Task::parse("get 64 nether_star").expect("a task");
    config::run_config(task, 1, "given", profile)
}

/// A mind with one plan.
#[derive(Debug)]
struct Given {
    plan: String,
}

impl Mind for Given {
    fn name(&self) -> String {
        "given".to_owned()
    }

    fn answer(&mut self, ask: &Ask) -> Result<String, String> {
        match ask {
            Ask::Plan(_) => Ok(self.plan.clone()),
            _ => Err("there is nothing to say".to_owned()),
        }
    }
}

/// The scene as a world that is made already, with its body.
struct Stage {
    world: VoxelWorld,
    body: Body,
    running: Option<(ActionId, u64)>,
}

impl Stage {
    /// What the body's own end of the action makes of it, once it is time.
    fn cut(&mut self, notice: &Notice) -> Option<Notice> {
        let (Body::Ends { after, how }, Some((id, since))) = (&self.body, self.running) else {
            return None;
        };
        let Notice::Frame(frame) = notice else {
            return None;
        };
        if frame.tick < since + after {
            return None;
        }
        self.running = None;
        Some(match how {
            How::Lost(because) => Notice::Lost {
                because: because.clone(),
            },
            How::Report(failure) => Notice::Acted {
                id,
                report: report(failure.clone(), frame.tick - since),
                frame: frame.clone(),
            },
        })
    }
}

fn report(failure: ActionFailure, ticks: u64) -> ActionReport {
    ActionReport {
        failure: Some(failure),
        ticks,
        broken: Vec::new(),
        gained: Counts::default(),
        used: Counts::default(),
        windows: Vec::new(),
    }
}

/// Ticks of keys that are pressed; every attempt is over before.
const KEYS_TICKS: u32 = 4_000;

impl World for Stage {
    fn request(&mut self, request: Request) {
        let request = match (request, &self.body) {
            // It stands already; its first frame says so.
            (Request::Reset(_), _) => Request::Observe,
            (Request::Act { id, .. }, Body::KeyPresses(keyboard)) => Request::Act {
                id,
                action: Action::Raw {
                    keys: (0..KEYS_TICKS).map(keyboard).collect(),
                },
            },
            (other, _) => other,
        };
        if let Request::Act { id, .. } = &request {
            self.running = Some((*id, self.world.tick()));
        }
        self.world.request(request);
    }

    fn poll(&mut self, ticks_max: u32) -> Vec<Notice> {
        let notices = self.world.poll(ticks_max);
        let first = self.running.is_none();
        notices
            .into_iter()
            .map(|notice| match notice {
                Notice::Frame(frame) if first && is_first(&frame) => Notice::Ready(frame),
                notice => self.cut(&notice).unwrap_or(notice),
            })
            .collect()
    }

    fn tick(&self) -> u64 {
        self.world.tick()
    }
}

fn is_first(frame: &Frame) -> bool {
    frame.tick == 0
}
