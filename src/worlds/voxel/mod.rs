//! The embedded world: seeded, deterministic, Minecraft-like, 20 ticks a second.

mod being;
pub mod body;
pub mod chest;
mod checksum;
pub mod chunk;
pub mod controls;
pub mod crafting;
pub mod dropped;
mod follow;
mod frame;
pub mod furnace;
pub mod grid;
pub mod gui;
mod hand;
mod nature;
mod path;
mod ray;
mod scripts;
mod seen;
mod senses;
mod sight;
pub mod sim;
pub mod terrain;
pub mod world;

#[cfg(test)]
mod sim_tests;
