//! The embedded world: seeded, deterministic, Minecraft-like, 20 ticks a second.

pub mod body;
pub mod chest;
mod checksum;
pub mod chunk;
pub mod controls;
pub mod crafting;
pub mod dropped;
pub mod furnace;
pub mod grid;
pub mod gui;
pub mod sim;
pub mod terrain;

#[cfg(test)]
mod sim_tests;
