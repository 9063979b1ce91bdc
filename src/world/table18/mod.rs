//! Table 18: the embedded world with a body that fails and is slow as often as a learned controller.
//!
//! A seeded draw decides for each listed skill whether it succeeds, and when. Until then the body
//! wanders and waits; then the script does the work, or the action ends with `OutOfTime`.
//! Invariant: the body never receives an item that a script did not obtain; the same seed and the
//! same orders give the same course.

pub mod skill;
#[cfg(test)]
mod tests;

use super::filmed::Eyes;
use super::voxel::sim::Simulation;
use super::voxel::world::VoxelWorld;
use crate::action::{Action, ActionFailure, ActionReport};
use crate::block::BlockId;
use crate::counts::Counts;
use crate::family::ItemSpec;
use crate::ids::ActionId;
use crate::observation::{Frame, Pause};
use crate::port::{Notice, Pixels, Request, World, WorldSpec};
use crate::rng::{Rng, Streams};
use crate::space::Pos;
use skill::{SkillRate, skill_of};
use std::collections::BTreeMap;

/// The number of our own orders to the body; the agent counts from 1 and never gets there.
const DAWDLE: ActionId = ActionId(u64::MAX);
/// Blocks that the body strays from where it was told to work: wide enough to be a search, so that
/// it is not taken for standing still.
const STRAY: i64 = 28;
/// Ticks of standing about between two strolls.
const PAUSE: u32 = 20;
/// Ticks between two blocks broken underground: few enough blocks to spare the tool, often enough
/// not to be taken for standing still.
const LULL: u32 = 200;

/// The embedded world behind the simulated controller.
#[derive(Debug)]
pub struct Table18World {
    world: VoxelWorld,
    chance: Rng,
    /// What the body is to do in the end: each task has draws of its own.
    task: String,
    course: Option<Course>,
    /// What the last frame said.
    known: Known,
    /// Notices that came while an order was given.
    waiting: Vec<Notice>,
}

#[derive(Debug, Default)]
struct Known {
    feet: Pos,
    underground: bool,
    inventory: Counts,
}

/// A listed skill under way.
#[derive(Debug)]
struct Course {
    id: ActionId,
    action: Action,
    skill: SkillRate,
    started_at: u64,
    dawdle_until: u64,
    then: Then,
    home: Pos,
    before: Counts,
    broken: BTreeMap<BlockId, u32>,
    rests: bool,
}

/// What follows the dawdling.
#[derive(Debug, Clone, PartialEq)]
enum Then {
    Work,
    /// The script is at it.
    Working,
    Fail(ActionFailure),
}

impl Default for Table18World {
    fn default() -> Self {
        Self::new()
    }
}

impl Table18World {
    /// A world that waits for its `Reset`.
    #[must_use]
    pub fn new() -> Self {
        Self {
            world: VoxelWorld::new(),
            chance: Rng::new(0),
            task: String::new(),
            course: None,
            known: Known::default(),
            waiting: Vec::new(),
        }
    }

    /// As `new`, with draws that belong to this task: tasks of one seed do not all fail together.
    #[must_use]
    pub fn for_task(task: &str) -> Self {
        Self {
            task: task.to_owned(),
            ..Self::new()
        }
    }

    /// A controller over this world, its draws from this seed; for set scenes.
    #[must_use]
    pub fn from_world(world: VoxelWorld, seed: u64) -> Self {
        Self {
            world,
            chance: Streams(seed).get("table18"),
            ..Self::new()
        }
    }

    fn reset(&mut self, spec: WorldSpec) {
        let own = Streams(spec.seed).salt("table18");
        self.chance = match self.task.as_str() {
            "" => Rng::new(own),
            task => Streams(own).get(task),
        };
        self.course = None;
        self.known = Known::default();
        self.waiting.clear();
        self.world.request(Request::Reset(spec));
    }

    fn start(&mut self, id: ActionId, action: Action) {
        self.call_off();
        let Some(skill) = skill_of(&action) else {
            return self.world.request(Request::Act { id, action });
        };
        let now = self.world.tick();
        let (wait, then) = match skill.draw(&mut self.chance) {
            Some(at) => (at, Then::Work),
            None => {
                let ticks = skill.ticks;
                (ticks, Then::Fail(ActionFailure::OutOfTime { ticks }))
            }
        };
        self.course = Some(Course {
            id,
            action,
            skill,
            started_at: now,
            dawdle_until: now + wait,
            then,
            home: self.known.feet,
            before: self.known.inventory.clone(),
            broken: BTreeMap::new(),
            rests: true,
        });
        self.go_on();
    }

    /// Ends the course under way, if any: one body does one action.
    fn call_off(&mut self) {
        if let Some(id) = self.course.as_ref().map(|course| course.id) {
            self.cancel(id);
            let ended = self.poll_world(1);
            self.waiting.extend(ended);
        }
    }

    /// Lets time pass in the world behind; what the agent gets to see of it.
    fn poll_world(&mut self, ticks_max: u32) -> Vec<Notice> {
        let notices = self.world.poll(ticks_max);
        let passed = notices.into_iter().filter_map(|notice| self.pass(notice));
        passed.collect()
    }

    /// Starts what the course does next: more dawdling, or the work itself.
    fn go_on(&mut self) {
        let Some(course) = &mut self.course else {
            return;
        };
        let left = course.dawdle_until.saturating_sub(self.world.tick());
        if left == 0 && course.then == Then::Work {
            course.then = Then::Working;
            let (id, action) = (course.id, course.action.clone());
            return self.world.request(Request::Act { id, action });
        }
        let rest = u32::try_from(left).unwrap_or(u32::MAX);
        course.rests = !course.rests;
        let action = if course.skill.on_the_spot || self.known.underground && course.digs_stone() {
            Action::Wait { ticks: rest }
        } else if course.rests {
            let pause = if self.known.underground { LULL } else { PAUSE };
            Action::Wait {
                ticks: rest.min(pause),
            }
        } else if self.known.underground {
            Action::Mine {
                item: stone(),
                count: 1,
            }
        } else {
            let mut stray = || self.chance.between(-STRAY, STRAY) as i32;
            let (x, z) = (course.home.x + stray(), course.home.z + stray());
            return self.world.stroll(DAWDLE, Pos::new(x, course.home.y, z));
        };
        self.world.request(Request::Act { id: DAWDLE, action });
    }

    fn cancel(&mut self, id: ActionId) {
        match &mut self.course {
            Some(course) if course.id == id && course.then != Then::Working => {
                course.then = Then::Fail(ActionFailure::Cancelled);
                course.dawdle_until = 0;
                self.world.request(Request::Cancel { id: DAWDLE });
            }
            _ => self.world.request(Request::Cancel { id }),
        }
    }

    /// What the agent gets to see of a notice.
    fn pass(&mut self, notice: Notice) -> Option<Notice> {
        match notice {
            Notice::Ready(frame) => {
                self.know(&frame);
                Some(Notice::Ready(frame))
            }
            Notice::Frame(mut frame) => {
                self.know(&frame);
                if self.dawdling_left().is_some_and(|left| left > 0) {
                    frame.pause = frame.pause.or(Some(Pause::Controller));
                }
                Some(Notice::Frame(frame))
            }
            Notice::Acted { id, report, frame } => {
                self.know(&frame);
                if id == DAWDLE {
                    return self.dawdled(report, frame);
                }
                let report = match self.course.take_if(|course| course.id == id) {
                    Some(course) => course.report(report, &frame),
                    None => report,
                };
                Some(Notice::Acted { id, report, frame })
            }
            lost_or_reacted @ (Notice::Lost { .. } | Notice::Reacted(_)) => Some(lost_or_reacted),
        }
    }

    /// A stroll or a pause is over: the next one, the work, or the end.
    fn dawdled(&mut self, mut report: ActionReport, frame: Box<Frame>) -> Option<Notice> {
        let mut course = self.course.take()?;
        for (block, count) in &report.broken {
            *course.broken.entry(*block).or_default() += count;
        }
        let died = matches!(report.failure, Some(ActionFailure::Died { .. }));
        if !died {
            report.failure = match &course.then {
                Then::Fail(failure) if frame.tick >= course.dawdle_until => Some(failure.clone()),
                _ => {
                    self.course = Some(course);
                    self.go_on();
                    return None;
                }
            };
        }
        report.broken.clear();
        let id = course.id;
        let report = course.report(report, &frame);
        Some(Notice::Acted { id, report, frame })
    }

    /// Ticks until the dawdling is over; none if nothing dawdles.
    fn dawdling_left(&self) -> Option<u64> {
        let course = self.course.as_ref()?;
        let dawdles = course.then != Then::Working;
        dawdles.then(|| course.dawdle_until.saturating_sub(self.world.tick()))
    }

    fn know(&mut self, frame: &Frame) {
        self.known = Known {
            feet: frame.position.block(),
            underground: frame.underground,
            inventory: frame.inventory.clone(),
        };
    }
}

/// What a body that gets nowhere in the rock breaks meanwhile.
fn stone() -> ItemSpec {
    "cobblestone".parse().expect("the game has cobblestone")
}

impl Course {
    /// Breaking stone would be the work itself.
    fn digs_stone(&self) -> bool {
        matches!(&self.action, Action::Mine { item, .. }
            if stone().members().iter().any(|member| item.matches(*member)))
    }

    /// The report over the whole course, from that of its last part.
    fn report(mut self, last: ActionReport, frame: &Frame) -> ActionReport {
        for (block, count) in last.broken {
            *self.broken.entry(block).or_default() += count;
        }
        let gained = frame.inventory.delta(&self.before).into_iter();
        ActionReport {
            failure: last.failure,
            ticks: frame.tick.saturating_sub(self.started_at),
            broken: self.broken.into_iter().collect(),
            gained: gained
                .filter_map(|(item, by)| Some((item, u32::try_from(by).ok()?)))
                .collect(),
            used: last.used,
            windows: last.windows,
        }
    }
}

impl World for Table18World {
    fn picture(&self) -> Option<Vec<u8>> {
        self.world.picture()
    }

    fn view(&self, width: u32, height: u32) -> Option<Pixels> {
        self.world.view(width, height)
    }

    fn request(&mut self, request: Request) {
        match request {
            Request::Reset(spec) => self.reset(spec),
            passed @ (Request::Rejoin { .. } | Request::Keep(_) | Request::Say { .. }) => {
                self.world.request(passed);
            }
            Request::Act { id, action } => self.start(id, action),
            Request::Cancel { id } => self.cancel(id),
            Request::Observe => self.world.request(Request::Observe),
        }
    }

    fn poll(&mut self, ticks_max: u32) -> Vec<Notice> {
        let mut passed = std::mem::take(&mut self.waiting);
        if !passed.is_empty() {
            return passed;
        }
        // The dawdling ends on its tick, not at the next frame.
        let left = self.dawdling_left();
        let slice = left.and_then(|left| u32::try_from(left).ok());
        passed.extend(self.poll_world(slice.map_or(ticks_max, |left| left.clamp(1, ticks_max))));
        if self.dawdling_left() == Some(0) {
            // A stroll does not know that its time is up.
            self.world.request(Request::Cancel { id: DAWDLE });
            let ended = self.poll_world(1);
            passed.extend(ended);
        }
        passed
    }

    fn tick(&self) -> u64 {
        self.world.tick()
    }
}

impl Eyes for Table18World {
    fn simulation(&self) -> Option<&Simulation> {
        self.world.simulation()
    }
}
