//! The embedded world: seeded, deterministic, Minecraft-like, 20 ticks a second.

pub mod controls;
