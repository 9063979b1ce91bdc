//! Situations: what is known at one moment, as checks and conditions see it.
//!
//! Every field may be unknown: a simulated state knows the inventory but not the biome. Unknown
//! inputs make unknown answers.

use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::plan::Subgoal;
use pithead_world::blueprint::BuildSight;
use pithead_world::counts::Counts;
use pithead_world::item::ItemId;
use pithead_world::observation::{BlockSight, Frame, FurnaceView, Gui, MobSight};
use pithead_world::space::Point;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What is known; `None` is "not known".
#[derive(Debug, Clone, Copy, Default)]
pub struct Situation<'a> {
    pub inventory: Option<&'a Counts>,
    pub crafted: Option<&'a Counts>,
    /// The hand: `Some(None)` is known to be empty.
    pub held: Option<Option<ItemId>>,
    pub worn: Option<&'a [ItemId]>,
    pub position: Option<Point>,
    pub health: Option<f32>,
    pub hunger: Option<f32>,
    pub on_ground: Option<bool>,
    pub underground: Option<bool>,
    pub biome: Option<&'a str>,
    pub gui: Option<Gui>,
    /// `Some(None)`: known that no furnace is in use.
    pub furnace: Option<Option<&'a FurnaceView>>,
    pub container_items: Option<u32>,
    pub tick: Option<u64>,
    pub time: Option<u32>,
    pub mobs: Option<&'a [MobSight]>,
    pub notable: Option<&'a [BlockSight]>,
    /// What was begun by a blueprint.
    pub builds: Option<&'a [BuildSight]>,
    /// How things stood when the attempt began.
    pub baseline: Option<&'a Baseline>,
    pub subgoal: Option<&'a Subgoal>,
    pub failures: Option<&'a BTreeMap<FailureReason, u32>>,
}

/// How things stood when an attempt began.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Baseline {
    pub tick: u64,
    pub inventory: Counts,
    pub crafted: Counts,
}

/// How things stand when a run begins: with nothing had and nothing made.
static START: LazyLock<Baseline> = LazyLock::new(Baseline::default);

impl Baseline {
    #[must_use]
    pub fn of(frame: &Frame) -> Self {
        Self {
            tick: frame.tick,
            inventory: frame.inventory.clone(),
            crafted: frame.crafted.clone(),
        }
    }
}

impl<'a> Situation<'a> {
    /// All that a frame tells.
    #[must_use]
    pub fn of(frame: &'a Frame) -> Self {
        Self {
            inventory: Some(&frame.inventory),
            crafted: Some(&frame.crafted),
            held: Some(frame.held),
            worn: Some(&frame.worn),
            position: Some(frame.position),
            health: Some(frame.health),
            hunger: Some(frame.hunger),
            on_ground: Some(frame.on_ground),
            underground: Some(frame.underground),
            biome: Some(&frame.biome),
            gui: Some(frame.gui),
            furnace: Some(frame.furnace.as_ref()),
            container_items: Some(frame.container_items),
            tick: Some(frame.tick),
            time: Some(frame.time),
            mobs: Some(&frame.mobs),
            notable: Some(&frame.notable),
            builds: Some(&frame.builds),
            baseline: None,
            subgoal: None,
            failures: None,
        }
    }

    /// As the checks of a task see it: what was made counts from the start of the run.
    #[must_use]
    pub fn of_run(frame: &'a Frame) -> Self {
        Self::of(frame).since(&START)
    }

    #[must_use]
    pub fn since(mut self, baseline: &'a Baseline) -> Self {
        self.baseline = Some(baseline);
        self
    }

    #[must_use]
    pub fn pursuing(mut self, subgoal: &'a Subgoal) -> Self {
        self.subgoal = Some(subgoal);
        self
    }
}
