//! The embedded world: seeded, deterministic, Minecraft-like, 20 ticks a second.

pub mod body;
mod checksum;
pub mod chest;
pub mod chunk;
pub mod controls;
pub mod crafting;
pub mod dropped;
pub mod fluids;
pub mod furnace;
pub mod grid;
pub mod gui;
pub mod life;
pub mod sim;
pub mod terrain;
pub mod time;

#[cfg(test)]
mod sim_tests;
