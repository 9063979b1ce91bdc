//! The embedded world: seeded, deterministic, Minecraft-like, 20 ticks a second.

mod being;
pub mod body;
mod checksum;
pub mod chest;
pub mod chunk;
pub mod controls;
pub mod crafting;
pub mod dropped;
pub mod find;
pub mod fluids;
pub mod furnace;
pub mod grid;
pub mod gui;
pub mod life;
pub mod map;
pub mod sim;
pub mod terrain;
pub mod time;
pub mod view;
mod follow;
mod frame;
mod hand;
mod nature;
mod path;
mod ray;
mod scripts;
mod seen;
mod senses;
mod sight;
pub mod world;

#[cfg(test)]
mod sim_tests;
#[cfg(test)]
mod world_tests;
