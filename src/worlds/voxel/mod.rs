//! The embedded world: seeded, deterministic, Minecraft-like, 20 ticks a second.

pub mod chunk;
pub mod controls;
pub mod grid;
pub mod terrain;
