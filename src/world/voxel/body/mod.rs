//! The body: where it is, how it fares, what it carries and what its hands are at.
//!
//! Fields are open to read; only `Simulation::step` changes them. Invariant: once `death` is set,
//! nothing of the body changes any more.

pub mod angling;
pub mod bed;
pub mod blow;
pub mod button;
pub mod cause;
pub mod collide;
pub mod fishing_line;
pub mod hand_state;
pub mod hands;
pub mod harm;
pub mod held;
pub mod physics;
pub mod placing;
pub mod rest;
pub mod sight;
pub mod turn;
pub mod vitals;
pub mod wearing;
pub mod worn;

use crate::counts::Counts;
use crate::experience::ExperiencePoints;
use crate::inventory::Slots;
use crate::item::ItemId;
use crate::space::{Point, Pos};
use cause::Cause;
use hand_state::HandState;
use vitals::Vitals;
use worn::Worn;

/// Measures of a standing player in 1.16; the height of the eyes is above the feet.
pub const WIDTH: f64 = 0.6;
pub const HEIGHT: f64 = 1.8;
pub const EYES: f64 = 1.62;
/// How far the hand reaches, from the eyes.
pub const REACH: f64 = 4.5;
/// A blow reaches less far than the hand that digs.
pub const REACH_BLOW: f64 = 3.0;

#[derive(Debug, Clone, PartialEq)]
pub struct PlayerBody {
    /// The middle of the feet.
    pub at: Point,
    /// Blocks per tick.
    pub velocity: Point,
    pub yaw: f32,
    pub pitch: f32,
    pub on_ground: bool,
    /// Ran into a wall in the last tick.
    pub bumped: bool,
    pub sprinting: bool,
    pub sneaking: bool,
    pub touching: Touching,
    /// Blocks fallen since the feet last had hold.
    pub fallen: f64,
    /// Ticks until a held jump key jumps again.
    pub(in crate::voxel) jump_delay: u8,
    pub vitals: Vitals,
    /// What is carried; `slots.selected` is the hotbar slot in hand.
    pub slots: Slots,
    pub worn: Worn,
    pub hands: HandState,
    pub death: Option<Cause>,
    pub experience: ExperiencePoints,
}

/// What the body is in.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Touching {
    /// Height of the water above the feet, 0 when dry.
    pub water: f64,
    pub lava: f64,
    pub eyes_in_water: bool,
    pub climbable: bool,
    pub fire: bool,
    pub cactus: bool,
    pub web: bool,
    /// The head is inside a block that stops sight.
    pub head_in_block: bool,
}

impl PlayerBody {
    #[must_use]
    pub(in crate::voxel) fn new(at: Point) -> Self {
        Self {
            at,
            velocity: Point::default(),
            yaw: 0.0,
            pitch: 0.0,
            on_ground: false,
            bumped: false,
            sprinting: false,
            sneaking: false,
            touching: Touching::default(),
            fallen: 0.0,
            jump_delay: 0,
            vitals: Vitals::default(),
            slots: Slots::default(),
            worn: Worn::default(),
            hands: HandState::default(),
            death: None,
            experience: ExperiencePoints::default(),
        }
    }

    #[must_use]
    pub fn alive(&self) -> bool {
        self.death.is_none()
    }

    #[must_use]
    pub fn eyes(&self) -> Point {
        self.at.plus(0.0, EYES, 0.0)
    }

    /// The block the feet are in.
    #[must_use]
    pub fn feet(&self) -> Pos {
        self.at.block()
    }

    /// The item in hand.
    #[must_use]
    pub fn held(&self) -> Option<ItemId> {
        self.slots.held().map(|stack| stack.item)
    }

    /// All that is carried and worn.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let worn = self.worn.iter().map(|stack| (stack.item, stack.count));
        let mut counts = self.slots.counts();
        worn.for_each(|(item, count)| counts.add(item, count));
        counts
    }

    #[must_use]
    pub fn in_fluid(&self) -> bool {
        self.touching.water > 0.0 || self.touching.lava > 0.0
    }
}
