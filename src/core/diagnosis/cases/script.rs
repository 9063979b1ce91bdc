//! Scripts: attempts made by hand, a sample every ten ticks.

use crate::diagnosis::classify::diagnose;
use crate::diagnosis::stall::{Stall, watch};
use crate::domain::check::{Check, Place};
use crate::domain::condition::situation::{Baseline, Situation};
use crate::domain::experience::attempt::{Attempt, AttemptAction, Sample, Stop};
use crate::domain::experience::diagnosis::{Diagnosis, FailureReason};
use crate::domain::experience::earlier_try::EarlierTry;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::experience::step_knowledge::StepKnowledge;
use crate::domain::experience::thresholds::Thresholds;
use crate::domain::knowledge::inputs::{Flow, Inputs};
use crate::domain::plan::{Executor, Goal, Mode, Subgoal};
use pithead_world::action::{Action, ActionFailure, ActionReport, Target};
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{ActionId, AttemptId, SubgoalId};
use pithead_world::observation::{BlockSight, FurnaceView, Gui, Pause};
use pithead_world::space::{Point, Pos};

/// The distance of samples in a real run.
const STEP_TICKS: u64 = 10;

/// Built by chained calls: each adds samples or sets what the next samples hold.
#[derive(Debug, Clone)]
pub(super) struct Script {
    attempt: Attempt,
    now: Sample,
    notable: Vec<BlockSight>,
}

/// An attempt of the executor at the item (or height, or ticks).
pub(super) fn doing(executor: &str, about: &str) -> Script {
    let executor = Executor::ALL
        .into_iter()
        .find(|known| known.name() == executor)
        .unwrap();
    let amount: Option<i64> = about.parse().ok();
    let object = about.parse().ok();
    let check = check_of(executor, object, amount);
    let check = check.or_else(|| object.map(|item| Check::InvGe { item, count: 1 }));
    let goal = Goal {
        object,
        count: 1,
        material: None,
        tool: None,
        amount,
        info: None,
    };
    let subgoal = Subgoal {
        id: SubgoalId(1),
        condition: String::new(),
        task_kind: executor.kind(),
        executor_hint: executor,
        mode: Mode::Move,
        timeout_s: 60,
        checks: check.into_iter().collect(),
        needs: Vec::new(),
        parent: None,
        alternatives: None,
        goal,
        rationale: None,
        follows: Vec::new(),
        asserts: Vec::new(),
        expectation: None,
    };
    Script::of(subgoal)
}

/// The check of those executors that gain nothing.
fn check_of(executor: Executor, object: Option<ItemSpec>, amount: Option<i64>) -> Option<Check> {
    match executor {
        Executor::Explore | Executor::Approach => {
            let place = Place::Thing(Target::Source(object.unwrap()));
            Some(Check::Near { place, range: 4 })
        }
        Executor::DigDown => amount.map(|y| Check::YposLe { y: y as i32 }),
        Executor::GoUp => amount.map(|y| Check::YposGe { y: y as i32 }),
        Executor::Wait => Some(Check::WorldTime {
            window: None,
            elapsed: amount.map(|ticks| ticks as u64 * 100),
        }),
        _ => None, // what the others gain is the check
    }
}

impl Script {
    fn of(subgoal: Subgoal) -> Self {
        let now = Sample {
            tick: 0,
            time: 1_000,
            underground: false,
            pause: None,
            position: Point::new(0.5, 64.0, 0.5),
            health: 20.0,
            inventory: Counts::default(),
            crafted: Counts::default(),
            gui: Gui::Closed,
            gui_opened: 0,
            gui_closed: 0,
            furnace: None,
            container_items: 0,
            alive: true,
            broken: 0,
            enemies: 0,
            truths: Vec::new(),
        };
        let attempt = Attempt {
            id: AttemptId(1),
            subgoal,
            baseline: Baseline::default(),
            pre: card(&now, &[]),
            known: StepKnowledge::default(),
            samples: Vec::new(),
            actions: Vec::new(),
            stop: None,
        };
        let mut script = Self {
            attempt,
            now,
            notable: Vec::new(),
        };
        // An attempt without an action would be one that never began.
        script.retry();
        script
    }

    fn retry(&mut self) {
        let id = ActionId(self.attempt.actions.len() as u64 + 1);
        self.attempt.actions.push(AttemptAction {
            id,
            order: Action::Eat,
            report: None,
        });
    }

    pub(super) fn retries(mut self) -> Self {
        self.attempt.stop = None;
        self.retry();
        self
    }

    pub(super) fn wanting(mut self, count: u32) -> Self {
        self.attempt.subgoal.goal.count = count;
        if let [Check::InvGe { count: wanted, .. }] = self.attempt.subgoal.checks.as_mut_slice() {
            *wanted = count;
        }
        self
    }

    /// From the beginning.
    pub(super) fn holding(mut self, counts: &str) -> Self {
        self.now.inventory = counts.parse().unwrap();
        self.attempt.baseline.inventory = self.now.inventory.clone();
        self
    }

    /// Made before: so many pieces of these things, with these at hand.
    pub(super) fn seen(mut self, used: &str, made: u64, held: &str) -> Self {
        let inputs = vec![Inputs::seen_once(&used.parse().unwrap(), made)];
        let held = held.split(',').filter(|name| !name.is_empty());
        self.attempt.known.seen = Some(Flow {
            inputs,
            held: held.map(|name| name.parse().unwrap()).collect(),
            ..Flow::default()
        });
        self
    }

    /// Made before with each of these burning.
    pub(super) fn burns_seen(mut self, fuels: &[&str]) -> Self {
        let flow = self.attempt.known.seen.as_mut().unwrap();
        let base = flow.inputs.remove(0);
        for fuel in fuels {
            let mut inputs = base.clone();
            inputs.used.insert(fuel.parse().unwrap(), 1);
            flow.inputs.push(inputs);
        }
        self
    }

    /// So many failed attempts at the same aim before, each of which ended there with so much missing.
    pub(super) fn tried(mut self, times: u64, (x, y): (i32, i32), missing: f64) -> Self {
        let tries = (1..=times).map(|n| EarlierTry {
            attempt: AttemptId(100 + n),
            end: Pos::new(x, y, 0),
            held: 0,
            missing: Some(missing),
            reason: FailureReason::Timeout,
        });
        self.attempt.known.earlier = tries.collect();
        self
    }

    /// Gathered before, each time with this in the hand.
    pub(super) fn mined_with(mut self, tools: &[&str]) -> Self {
        let tools = tools.iter().map(|name| name.parse().unwrap());
        self.attempt.known.gathered_with = tools.collect();
        self
    }

    /// Planned: another step makes this for it.
    pub(super) fn after(mut self, item: &str) -> Self {
        self.attempt.known.made_for_it.push(item.parse().unwrap());
        self
    }

    pub(super) fn near(mut self, block: &str) -> Self {
        self.notable.push(BlockSight {
            block: block.parse().unwrap(),
            at: Pos::new(2, 64, 0),
        });
        self
    }

    pub(super) fn window(mut self, gui: Gui) -> Self {
        self.now.gui = gui;
        self
    }

    pub(super) fn health(mut self, health: f32) -> Self {
        self.now.health = health;
        self
    }

    pub(super) fn dies(mut self) -> Self {
        self.now.alive = false;
        self.stand(10)
    }

    pub(super) fn gain(mut self, item: &str, count: u32) -> Self {
        self.now.inventory.add(item.parse().unwrap(), count);
        self.stand(STEP_TICKS)
    }

    /// Samples for that long; `change` is told which sample of how many it is.
    fn over(mut self, ticks: u64, mut change: impl FnMut(&mut Sample, u64, u64)) -> Self {
        let steps = ticks / STEP_TICKS;
        // The first sample is the state at the start.
        if self.attempt.samples.is_empty() {
            self.sample();
        }
        for step in 1..=steps {
            self.now.tick += STEP_TICKS;
            change(&mut self.now, step, steps);
            self.sample();
        }
        self
    }

    fn sample(&mut self) {
        let now = Situation {
            inventory: Some(&self.now.inventory),
            position: Some(self.now.position),
            tick: Some(self.now.tick),
            baseline: Some(&self.attempt.baseline),
            ..Situation::default()
        };
        let truths = self
            .attempt
            .subgoal
            .checks
            .iter()
            .map(|check| check.truth(&now))
            .collect();
        self.attempt.samples.push(Sample {
            truths,
            ..self.now.clone()
        });
    }

    pub(super) fn stand(self, ticks: u64) -> Self {
        self.over(ticks, |_, _, _| {})
    }

    /// On the spot, so many blocks, none of them picked up.
    pub(super) fn dig(self, blocks: u32, ticks: u64) -> Self {
        let before = self.now.broken;
        self.over(ticks, |now, step, steps| {
            now.broken = before + (u64::from(blocks) * step / steps) as u32;
        })
    }

    /// Straight on.
    pub(super) fn walk(self, blocks: u32, ticks: u64) -> Self {
        let step = f64::from(blocks) * STEP_TICKS as f64 / ticks as f64;
        // Evenly spread, so that variance and way follow from the two numbers.
        self.over(ticks, |now, _, _| now.position.x += step)
    }

    pub(super) fn climb(self, blocks: u32, ticks: u64) -> Self {
        let step = f64::from(blocks) * STEP_TICKS as f64 / ticks as f64;
        self.over(ticks, |now, _, _| {
            now.position.x += step;
            now.position.y += step;
        })
    }

    /// To and fro over that many blocks.
    pub(super) fn pace(self, blocks: u32, ticks: u64) -> Self {
        let start = self.now.position.x;
        self.over(ticks, |now, step, _| {
            let phase = step % 8;
            // Four samples out, four back.
            let part = if phase < 4 { phase } else { 8 - phase };
            now.position.x = start + f64::from(blocks) * part as f64 / 4.0;
        })
    }

    /// Rounds of a square, from its corner on, so many blocks to a side.
    pub(super) fn rounds(self, side: u32, times: u32, ticks: u64) -> Self {
        let (x, z) = (self.now.position.x, self.now.position.z);
        let side = f64::from(side);
        self.over(ticks, |now, step, steps| {
            let way = step as f64 / steps as f64 * f64::from(times) * 4.0;
            let (leg, part) = (way.floor() as u32 % 4, way.fract() * side);
            let (dx, dz) = match leg {
                0 => (part, 0.0),
                1 => (side, part),
                2 => (side - part, side),
                _ => (0.0, side - part),
            };
            (now.position.x, now.position.z) = (x + dx, z + dz);
        })
    }

    /// From now on in a hole and out of sight of the sky, at this time of day.
    pub(super) fn in_a_hole(mut self, time: u32) -> Self {
        (self.now.underground, self.now.time) = (true, time);
        self
    }

    /// From now on at this time of day.
    pub(super) fn at_hour(mut self, time: u32) -> Self {
        self.now.time = time;
        self
    }

    /// From now on keeping still for this; says the body.
    pub(super) fn saying(mut self, pause: Option<Pause>) -> Self {
        self.now.pause = pause;
        self
    }

    /// Half hearts that come back, one at a time.
    pub(super) fn heal(self, half_hearts: u64, ticks: u64) -> Self {
        let health = self.now.health;
        self.over(ticks, |now, step, steps| {
            now.health = health + (half_hearts * step / steps) as f32;
        })
    }

    pub(super) fn toggle(self, times: u32, ticks: u64) -> Self {
        self.over(ticks, |now, step, steps| {
            now.gui_opened = (u64::from(times) * step / steps) as u32 / 2;
            now.gui_closed = now.gui_opened;
        })
    }

    /// A furnace at work: one piece in 200 ticks.
    pub(super) fn cook(mut self, ticks: u64) -> Self {
        let view = FurnaceView {
            at: Pos::new(2, 64, 0),
            burn: 1600,
            cook: 0,
            input: 9,
            fuel: 1,
            output: 0,
        };
        self.now.furnace = Some(view);
        self.over(ticks, |now, step, _| {
            // A furnace takes 200 ticks for a piece.
            let done = (step * STEP_TICKS / 200) as u32;
            if let Some(view) = now.furnace.as_mut() {
                view.cook = (step * STEP_TICKS % 200) as u32;
                view.output = done;
            }
            let held = now
                .inventory
                .count("iron_ingot".parse::<pithead_world::item::ItemId>().unwrap());
            now.inventory.add(
                "iron_ingot".parse().unwrap(),
                done.min(2).saturating_sub(held),
            );
        })
    }

    /// Broken on the way, as the last report will say.
    pub(super) fn breaks(mut self, block: &str, count: u32) -> Self {
        let broken = vec![(block.parse().unwrap(), count)];
        self.report(Some(ActionFailure::Cancelled), broken);
        self
    }

    fn report(
        &mut self,
        failure: Option<ActionFailure>,
        broken: Vec<(pithead_world::block::BlockId, u32)>,
    ) {
        let ticks = self.now.tick;
        let deed = self.attempt.actions.last_mut().unwrap();
        deed.report = Some(ActionReport {
            failure,
            ticks,
            broken,
            gained: Counts::default(),
            used: Counts::default(),
            windows: Vec::new(),
        });
    }

    pub(super) fn fails(mut self, failure: ActionFailure) -> Self {
        self.report(Some(failure), Vec::new());
        self.stops(Stop::ActionEnded)
    }

    pub(super) fn ends_well(mut self) -> Self {
        self.report(None, Vec::new());
        self.stops(Stop::ActionEnded)
    }

    /// Stopped with what the detector saw, as the agent does it.
    pub(super) fn stalls(self) -> Self {
        let seen = match watch(&self.attempt, &Thresholds::default()) {
            Stall::Stalled { seen, .. } => seen,
            Stall::NotYet | Stall::Progressing => "nothing happened".to_owned(),
        };
        self.stops(Stop::Stalled { seen })
    }

    pub(super) fn stops(mut self, stop: Stop) -> Self {
        self.attempt.stop = Some(stop);
        self
    }

    pub(super) fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    pub(super) fn diagnose(&self) -> Diagnosis {
        self.diagnose_with(&Thresholds::default())
    }

    pub(super) fn diagnose_with(&self, thresholds: &Thresholds) -> Diagnosis {
        diagnose(&self.attempt, &card(&self.now, &self.notable), thresholds)
    }
}

fn card(now: &Sample, notable: &[BlockSight]) -> StateSummary {
    StateSummary {
        tick: now.tick,
        time: 1_000,
        position: now.position.block(),
        biome: "plains".to_owned(),
        underground: false,
        health: now.health,
        hunger: 20.0,
        inventory: now.inventory.clone(),
        held: None,
        gui: now.gui,
        notable: notable.to_vec(),
        mobs: Vec::new(),
        builds: Vec::new(),
    }
}
