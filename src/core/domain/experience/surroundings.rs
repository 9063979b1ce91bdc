//! Surroundings: what the body senses besides its state, as a mind is told of it.
//!
//! Apart from the state summary, which every experience keeps: this is of the moment only.

use pithead_world::item::ItemId;
use pithead_world::observation::{Frame, MobSight, Weather};
use serde::{Deserialize, Serialize};

/// Living things that are told; the nearest.
const MOBS_MAX: usize = 24;

/// What is around the body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Surroundings {
    pub mobs: Vec<MobSight>,
    /// At the eyes, 0 to 15.
    pub light: u8,
    /// Ticks of breath left, 300 in open air.
    pub air: u32,
    pub on_ground: bool,
    #[serde(default, skip_serializing_if = "Weather::is_clear")]
    pub weather: Weather,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worn: Vec<ItemId>,
}

impl Surroundings {
    #[must_use]
    pub fn from_frame(frame: &Frame) -> Self {
        Self {
            mobs: frame.mobs.iter().take(MOBS_MAX).cloned().collect(),
            light: frame.light,
            air: frame.air,
            on_ground: frame.on_ground,
            weather: frame.weather,
            worn: frame.worn.clone(),
        }
    }
}
