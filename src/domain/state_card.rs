//! State cards: the state as the mind and the experience store see it, without map data.

use crate::world::counts::Counts;
use crate::world::item::ItemId;
use crate::world::observation::{BlockSight, Frame, Gui};
use crate::world::space::Pos;
use serde::{Deserialize, Serialize};

/// The agent's state in brief.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StateCard {
    pub tick: u64,
    pub time: u32,
    pub position: Pos,
    pub biome: String,
    pub underground: bool,
    pub health: f32,
    pub hunger: f32,
    pub inventory: Counts,
    pub held: Option<ItemId>,
    pub gui: Gui,
    pub notable: Vec<BlockSight>,
}

impl StateCard {
    #[must_use]
    pub fn of(frame: &Frame) -> Self {
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
        }
    }
}
