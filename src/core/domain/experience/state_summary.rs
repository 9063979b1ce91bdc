//! State summaries: the state as the mind and the experience store see it, without map data.

use pithead_world::blueprint::BuildSight;
use pithead_world::counts::Counts;
use pithead_world::item::ItemId;
use pithead_world::observation::{BlockSight, Frame, Gui, MobSight};
use pithead_world::space::Pos;
use serde::{Deserialize, Serialize};

/// The agent's state in brief.
/// Small enough for a prompt and for each of thousands of experiences.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StateSummary {
    pub tick: u64,
    /// Ticks of the day.
    pub time: u32,
    pub position: Pos,
    pub biome: String,
    pub underground: bool,
    /// Health and hunger in half units, 0 to 20.
    pub health: f32,
    pub hunger: f32,
    pub inventory: Counts,
    pub held: Option<ItemId>,
    pub gui: Gui,
    pub notable: Vec<BlockSight>,
    /// The nearest living thing of each kind in sight, nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mobs: Vec<MobSight>,
    /// What was begun by a blueprint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub builds: Vec<BuildSight>,
}

/// The first of each kind; the frame has them nearest first.
fn nearest_of_each_kind(mobs: &[MobSight]) -> Vec<MobSight> {
    let mut nearest: Vec<MobSight> = Vec::new();
    for mob in mobs {
        if nearest.iter().all(|known| known.kind != mob.kind) {
            nearest.push(mob.clone());
        }
    }
    nearest
}

impl StateSummary {
    /// Of a body of which no more is known than what it holds.
    /// For tests and for checks of skills without a world; every other value is harmless.
    #[must_use]
    pub fn holding(inventory: Counts) -> Self {
        Self {
            tick: 0,
            time: 0,
            position: Pos::new(0, 64, 0),
            biome: "unknown".to_owned(),
            underground: false,
            health: 20.0,
            hunger: 20.0,
            inventory,
            held: None,
            gui: Gui::Closed,
            notable: Vec::new(),
            mobs: Vec::new(),
            builds: Vec::new(),
        }
    }

    #[must_use]
    pub fn from_frame(frame: &Frame) -> Self {
        Self {
            tick: frame.tick,
            time: frame.time,
            position: frame.position.block(),
            biome: frame.biome.clone(),
            underground: frame.underground,
            health: frame.health,
            hunger: frame.hunger,
            inventory: frame.inventory.clone(),
            held: frame.held,
            gui: frame.gui,
            notable: frame.notable.clone(),
            mobs: nearest_of_each_kind(&frame.mobs),
            builds: frame.builds.clone(),
        }
    }
}
