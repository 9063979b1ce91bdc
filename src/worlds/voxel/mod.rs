//! The embedded world: seeded, deterministic, Minecraft-like, 20 ticks a second.

pub mod chunk;
pub mod controls;
pub mod find;
pub mod fluids;
pub mod grid;
pub mod life;
pub mod map;
pub mod terrain;
pub mod time;
pub mod view;
