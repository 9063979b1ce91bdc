//! The embedded world: seeded, deterministic, Minecraft-like, 20 ticks a second.

pub mod blast;
pub mod chunk;
pub mod controls;
pub mod fluids;
pub mod grid;
pub mod growth;
pub mod life;
mod stages;
pub mod terrain;
pub mod time;
