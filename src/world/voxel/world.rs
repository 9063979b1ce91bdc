//! The embedded world behind the World port: it carries out actions with a `SensingBody`.
//!
//! It runs one script at a time and counts its ticks. Invariant: every action ends with exactly
//! one `Acted`, and none leaves a window open.

use super::controls::{Controls, HandAction};
use super::primitives::handling;
use super::scripts::{self, REFLEXES};
use super::self_view::picture_from_body;
use super::senses::{BodyHandle, End, Script};
use super::sensing_body::SensingBody;
use super::sim::Simulation;
use super::terrain::biome::Biome;
use super::terrain::spawn::SEARCHED;
use super::view::picture::Size;
use crate::action::{Action, ActionFailure, ActionReport, GuiFault};
use crate::aids::SenseLevel;
use crate::block::BlockId;
use crate::counts::Counts;
use crate::ids::ActionId;
use crate::observation::Gui;
use crate::port::{Notice, Pixels, Request, World, WorldSpec};
use crate::space::Pos;
use crate::start::check_room;
use std::collections::BTreeMap;
use std::task::{Context, Poll, Waker};

/// Ticks of one action: more than any script takes by its own limits, of which that of growing cane is
/// the longest. Whoever gives the order usually gives up earlier.
const ACTION_TICKS_MAX: u64 = 110_000;
/// Ticks to close a window after an action that was cancelled.
const CLOSE_TICKS_MAX: u32 = 20;
/// Notices that may wait to be polled.
const NOTICES_MAX: usize = 1_024;

/// The embedded world.
#[derive(Debug, Default)]
pub struct VoxelWorld {
    sensing: Option<SensingBody>,
    running: Option<Running>,
    frame_ticks: u64,
    framed_at: u64,
    notices: Vec<Notice>,
}

/// An action under way.
struct Running {
    id: ActionId,
    /// `None` once it was cancelled.
    script: Option<Script>,
    started_at: u64,
    limit: u64,
    before: Counts,
    /// What had gone into grids and furnaces by then.
    used_before: Counts,
    broken: BTreeMap<BlockId, u32>,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running")
            .field("id", &self.id)
            .field("started_at", &self.started_at)
            .finish_non_exhaustive()
    }
}

impl VoxelWorld {
    /// A world that waits for its `Reset`.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A world that is this simulation, for test scenes; a `Reset` would replace it.
    #[must_use]
    pub fn from_simulation(sim: Simulation, frame_ticks: u32) -> Self {
        Self::sensed(sim, frame_ticks, SenseLevel::Scout)
    }

    /// As `from_simulation`, with these senses.
    pub(crate) fn sensed(sim: Simulation, frame_ticks: u32, senses: SenseLevel) -> Self {
        Self {
            sensing: Some(SensingBody::new(sim, 0, REFLEXES, senses)),
            frame_ticks: u64::from(frame_ticks.max(1)),
            ..Self::default()
        }
    }

    /// The whole truth, for tests and declared aids; no script sees it.
    #[must_use]
    pub fn simulation(&self) -> Option<&Simulation> {
        self.sensing.as_ref().map(|sensing| &sensing.sim)
    }

    /// As `simulation`, to set up scenes.
    pub fn simulation_mut(&mut self) -> Option<&mut Simulation> {
        self.sensing.as_mut().map(|sensing| &mut sensing.sim)
    }

    fn reset(&mut self, spec: &WorldSpec) {
        (self.sensing, self.running) = (None, None);
        self.notices.clear();
        self.frame_ticks = u64::from(spec.frame_ticks.max(1));
        self.framed_at = 0;
        let mut sim = match simulation_from_spec(spec) {
            Ok(sim) => sim,
            Err(because) => return self.note(Notice::Lost { because }),
        };
        for (item, count) in spec.aids.given.iter() {
            // All of it fits, see `simulation_from_spec`.
            sim.give(item, count);
        }
        sim.empower(spec.aids.powers);
        let mut sensing = SensingBody::new(sim, spec.seed, REFLEXES, spec.aids.senses);
        let frame = Box::new(sensing.frame());
        self.sensing = Some(sensing);
        self.note(Notice::Ready(frame));
    }

    fn note(&mut self, notice: Notice) {
        if self.notices.len() < NOTICES_MAX {
            self.notices.push(notice);
        }
    }

    fn start(&mut self, id: ActionId, action: Action) {
        let limit = match &action {
            Action::Wait { ticks } => u64::from(*ticks) + 1,
            _ => ACTION_TICKS_MAX,
        };
        self.run_script(id, limit, |handle| scripts::script(handle, action));
    }

    /// A walk to a place that leaves the land as it is; no action of the agent's, for a simulated
    /// controller that gets nothing done.
    pub(crate) fn stroll(&mut self, id: ActionId, at: Pos) {
        self.run_script(id, ACTION_TICKS_MAX, |handle| scripts::stroll(handle, at));
    }

    fn run_script(&mut self, id: ActionId, limit: u64, script: impl FnOnce(BodyHandle) -> Script) {
        self.call_off();
        self.finish_called_off();
        let Some(sensing) = &mut self.sensing else {
            return;
        };
        let now = sensing.sim.tick();
        sensing.sim.windows.clear();
        self.running = Some(Running {
            id,
            script: Some(script(sensing.handle.clone())),
            started_at: now,
            limit,
            before: sensing.sim.body().counts(),
            used_before: sensing.sim.used().clone(),
            broken: BTreeMap::new(),
        });
    }

    /// Stops the script where it is; what it left is tidied up at the next poll.
    fn call_off(&mut self) {
        if let Some(running) = &mut self.running {
            running.script = None;
        }
    }

    fn finish_called_off(&mut self) {
        if self
            .running
            .as_ref()
            .is_some_and(|running| running.script.is_none())
        {
            self.finish(Err(ActionFailure::Cancelled));
        }
    }

    /// One poll of the script and one tick; true when the action has ended.
    fn tick(&mut self) -> bool {
        let (Some(sensing), Some(running)) = (&mut self.sensing, &mut self.running) else {
            return true;
        };
        let end = match &mut running.script {
            None => Some(Err(ActionFailure::Cancelled)),
            Some(_) if !sensing.sim.body().alive() => {
                let of = sensing
                    .sim
                    .body()
                    .death
                    .map_or("?", |cause| cause.name())
                    .to_owned();
                Some(Err(ActionFailure::Died { of }))
            }
            Some(_) if sensing.sim.tick() - running.started_at > running.limit => {
                Some(Err(ActionFailure::Stuck {
                    at: sensing.sim.body().feet(),
                }))
            }
            Some(script) => match script
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
            {
                Poll::Ready(end) => Some(end),
                Poll::Pending => None,
            },
        };
        if let Some(end) = end {
            self.finish(end);
            return true;
        }
        let keys = sensing.keys();
        if let Some((_, block)) = sensing.step(&keys) {
            *running.broken.entry(block).or_default() += 1;
        }
        false
    }

    /// Ends the action: closes what is open, and reports.
    fn finish(&mut self, end: End) {
        let (Some(sensing), Some(running)) = (&mut self.sensing, self.running.take()) else {
            return;
        };
        drop(running.script);
        sensing.handle.with(|s| s.pause = None);
        let mut end = end;
        for _ in 0..CLOSE_TICKS_MAX {
            if sensing.sim.window().gui == Gui::Closed || !sensing.sim.body().alive() {
                break;
            }
            sensing.step(&Controls {
                action: Some(HandAction::CloseGui),
                ..Controls::default()
            });
        }
        if end.is_ok() && sensing.sim.window().gui != Gui::Closed {
            let gui = sensing.sim.window().gui;
            end = Err(handling::blocked(gui, GuiFault::StaysOpen));
        }
        let now = sensing.sim.tick();
        let delta = sensing.sim.body().counts().delta(&running.before);
        let gained = delta
            .into_iter()
            .filter_map(|(item, by)| Some((item, u32::try_from(by).ok()?)))
            .collect();
        let used = sensing.sim.used().delta(&running.used_before).into_iter();
        let report = ActionReport {
            failure: end.err(),
            ticks: now - running.started_at,
            broken: running.broken.into_iter().collect(),
            gained,
            used: used
                .filter_map(|(item, by)| Some((item, u32::try_from(by).ok()?)))
                .collect(),
            windows: sensing.sim.windows.clone(),
        };
        let frame = Box::new(sensing.frame());
        self.framed_at = now;
        self.note(Notice::Acted {
            id: running.id,
            report,
            frame,
        });
    }

    fn frame(&mut self) {
        if let Some(sensing) = &mut self.sensing {
            self.framed_at = sensing.sim.tick();
            let frame = Box::new(sensing.frame());
            self.note(Notice::Frame(frame));
        }
    }

    fn run(&mut self, ticks_max: u32) {
        for _ in 0..ticks_max {
            if self.tick() {
                return;
            }
            if World::tick(self) >= self.framed_at + self.frame_ticks {
                return self.frame();
            }
        }
        // A call to end what was cancelled needs no time.
        self.finish_called_off();
    }

    fn idle(&mut self, ticks_max: u32) {
        if let Some(sensing) = &mut self.sensing {
            for _ in 0..ticks_max {
                sensing.step(&Controls::default());
            }
            self.frame();
        }
    }
}

/// The world of this description, or why there is none.
fn simulation_from_spec(spec: &WorldSpec) -> Result<Simulation, String> {
    check_room(&spec.aids.given).map_err(|error| error.to_string())?;
    let Some(name) = &spec.aids.biome else {
        return Ok(Simulation::new(spec.seed));
    };
    let biome = Biome::named(name).ok_or_else(|| format!("there is no biome `{name}`"))?;
    Simulation::new_in(spec.seed, biome).ok_or_else(|| {
        format!(
            "seed {} has no place to begin in {name} within {SEARCHED} blocks of 0,0",
            spec.seed
        )
    })
}

/// Said to who would join a world that has gone nowhere.
const REBUILT: &str = "the embedded world is built again from its record and not joined";

impl World for VoxelWorld {
    fn request(&mut self, request: Request) {
        match request {
            Request::Reset(spec) => self.reset(&spec),
            Request::Rejoin { .. } => self.note(Notice::Lost {
                because: REBUILT.to_owned(),
            }),
            Request::Keep(kept) => {
                if let Some(sensing) = &self.sensing {
                    sensing.handle.with(|s| s.kept = kept);
                }
            }
            // Nobody else is here to hear it.
            Request::Say { .. } => (),
            Request::Act { id, action } => self.start(id, action),
            Request::Cancel { id } => {
                if self
                    .running
                    .as_ref()
                    .is_some_and(|running| running.id == id)
                {
                    self.call_off();
                }
            }
            Request::Observe => self.frame(),
        }
    }

    fn picture(&self) -> Option<Vec<u8>> {
        let picture = picture_from_body(self.simulation()?, Size::MIND);
        picture.to_png().ok()
    }

    fn view(&self, width: u32, height: u32) -> Option<Pixels> {
        let seen = picture_from_body(self.simulation()?, Size::new(width, height));
        let rgb = seen.pixels().to_vec();
        Some(Pixels { width, height, rgb })
    }

    fn poll(&mut self, ticks_max: u32) -> Vec<Notice> {
        if self.notices.is_empty() {
            match self.running {
                Some(_) => self.run(ticks_max),
                None => self.idle(ticks_max),
            }
        }
        std::mem::take(&mut self.notices)
    }

    fn tick(&self) -> u64 {
        self.sensing
            .as_ref()
            .map_or(0, |sensing| sensing.sim.tick())
    }
}
