//! Vitals: health, food, breath and fire, as a value.
//!
//! `harm` changes them. Invariant: health never rises above 20.

/// Full bars of 1.16: ten hearts, ten haunches, fifteen seconds of breath.
pub const HEALTH_MAX: f32 = 20.0;
pub const HUNGER_MAX: u32 = 20;
pub const AIR_MAX: i32 = 300;

/// What each effort costs of the food.
pub(in crate::voxel) mod effort {
    pub(in crate::voxel) const SPRINT_M: f32 = 0.1;
    pub(in crate::voxel) const SWIM_M: f32 = 0.01;
    pub(in crate::voxel) const JUMP: f32 = 0.05;
    pub(in crate::voxel) const JUMP_SPRINTING: f32 = 0.2;
    pub(in crate::voxel) const MINE: f32 = 0.005;
    pub(in crate::voxel) const STRIKE: f32 = 0.1;
    pub(in crate::voxel) const HURT: f32 = 0.1;
    pub(in crate::voxel) const HEAL: f32 = 6.0;
}

#[derive(Debug, Clone, PartialEq)]
pub struct Vitals {
    /// Half hearts.
    pub health: f32,
    pub hunger: u32,
    pub saturation: f32,
    pub exhaustion: f32,
    /// Ticks of breath left; below zero while drowning.
    pub air: i32,
    /// Ticks until the flames go out.
    pub burning: u32,
    pub(in crate::voxel) shield: u8,
    pub(in crate::voxel) last_hurt: f32,
    pub(in crate::voxel) food_timer: u32,
}

impl Default for Vitals {
    fn default() -> Self {
        Self {
            health: HEALTH_MAX,
            hunger: HUNGER_MAX,
            saturation: 5.0,
            exhaustion: 0.0,
            air: AIR_MAX,
            burning: 0,
            shield: 0,
            last_hurt: 0.0,
            food_timer: 0,
        }
    }
}

impl Vitals {
    pub(in crate::voxel) fn tire(&mut self, effort: f32) {
        // The game's cap; without it one long swim could starve at once.
        self.exhaustion = (self.exhaustion + effort).min(40.0);
    }

    pub(in crate::voxel) fn eat(&mut self, points: u32, saturation: f32) {
        self.hunger = (self.hunger + points).min(HUNGER_MAX);
        self.saturation = (self.saturation + saturation).min(self.hunger as f32);
    }

    pub(in crate::voxel) fn heal(&mut self, by: f32) {
        self.health = (self.health + by).min(HEALTH_MAX);
    }
}
