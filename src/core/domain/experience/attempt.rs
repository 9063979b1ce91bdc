//! Attempts: the evidence gathered while one subgoal is being executed.
//!
//! The fold fills it frame by frame; monitors, stall detection and diagnosis read it. It holds
//! what was observed and done, no judgement.

use crate::domain::check::Truth;
use crate::domain::condition::situation::Baseline;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::experience::step_knowledge::StepKnowledge;
use crate::domain::plan::Subgoal;
use pithead_world::action::{Action, ActionReport};
use pithead_world::counts::Counts;
use pithead_world::ids::{ActionId, AttemptId};
use pithead_world::observation::{Frame, FurnaceView, Gui, MobSight, Pause};
use pithead_world::space::Point;
use serde::{Deserialize, Serialize};

/// One execution of one subgoal, so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    pub id: AttemptId,
    pub subgoal: Subgoal,
    /// Counts are measured from here: a retry keeps its first baseline.
    pub baseline: Baseline,
    pub pre: StateSummary,
    /// What was known of the step when it began.
    #[serde(default, skip_serializing_if = "StepKnowledge::is_empty")]
    pub known: StepKnowledge,
    /// Oldest first; the first is the frame at which the attempt began. Thinned out when long.
    pub samples: Vec<Sample>,
    pub actions: Vec<AttemptAction>,
    /// Why the attempt is being ended, once it is.
    pub stop: Option<Stop>,
}

/// One order and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptAction {
    pub id: ActionId,
    pub order: Action,
    /// None while the action is under way.
    pub report: Option<ActionReport>,
}

/// What one frame says about the attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    pub tick: u64,
    /// Time of day.
    #[serde(default)]
    pub time: u32,
    pub position: Point,
    pub health: f32,
    /// The sky is out of sight.
    #[serde(default)]
    pub underground: bool,
    /// Why the body says that it keeps still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause: Option<Pause>,
    pub inventory: Counts,
    /// Counters over the whole run; `baseline` gives the difference.
    pub crafted: Counts,
    pub gui: Gui,
    pub gui_opened: u32,
    pub gui_closed: u32,
    pub furnace: Option<FurnaceView>,
    pub container_items: u32,
    pub alive: bool,
    /// Places at which the body broke a block, over the whole run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub broken: u32,
    /// Hostile mobs in sight and near.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub enemies: u32,
    /// The subgoal's checks at this frame, in their order.
    /// Three-valued and in the order of the checks.
    pub truths: Vec<Truth>,
}

impl Sample {
    #[must_use]
    pub fn from_frame(frame: &Frame, truths: Vec<Truth>) -> Self {
        Self {
            tick: frame.tick,
            time: frame.time,
            position: frame.position,
            health: frame.health,
            underground: frame.underground,
            pause: frame.pause,
            inventory: frame.inventory.clone(),
            crafted: frame.crafted.clone(),
            gui: frame.gui,
            gui_opened: frame.gui_opened,
            gui_closed: frame.gui_closed,
            furnace: frame.furnace.clone(),
            container_items: frame.container_items,
            alive: frame.alive,
            broken: frame.broken,
            enemies: enemies_near(frame),
            truths,
        }
    }
}

/// Within so many blocks an enemy is a danger.
const ENEMY_NEAR: f64 = 8.0;

fn enemies_near(frame: &Frame) -> u32 {
    let near =
        |mob: &&MobSight| mob.kind.facts().hostile && mob.at.distance(frame.position) <= ENEMY_NEAR;
    frame.mobs.iter().filter(near).count() as u32
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Why an attempt ends.
/// The tag is stored in journals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "stop", rename_all = "snake_case")]
pub enum Stop {
    /// All checks are true.
    Done,
    /// The last action ended and the checks are not true.
    ActionEnded,
    /// A stall detector spoke; what it saw.
    Stalled { seen: String },
    /// The subgoal's time is used up.
    TimedOut,
    /// The run's budget is used up.
    BudgetSpent,
    /// The operator called it off.
    Aborted,
    /// The task is done before its step is: there is nothing left to do it for.
    TaskDone,
    /// The world is gone, or the body is dead.
    Terminated { because: String },
    /// No action can carry this subgoal out.
    NoExecutor { because: String },
}
