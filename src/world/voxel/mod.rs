//! The embedded world: seeded, deterministic, Minecraft-like, 20 ticks a second.
//!
//! `terrain` makes chunks and `grid` holds them. `sim` is the state; `body`, `life`, `growth`, `fluids` and
//! `stations` are the rules, and `tick` calls them in order. `sensing_body` fills the `senses`; `path`,
//! `primitives` and `scripts` know nothing else. Invariant: no script reads the simulation.

mod around;
pub mod arrows;
pub mod blast;
pub mod body;
mod building;
mod cauldron;
mod checksum;
pub mod chest;
pub mod chunk;
pub mod chunk_cache;
pub mod controls;
pub mod crafting;
mod currents;
pub mod dropped;
mod edges;
mod enchanted;
pub mod falling;
pub mod find;
mod flows;
pub mod fluids;
mod frame;
pub mod furnace;
mod gaze;
mod gloom;
pub mod grid;
pub mod growth;
pub mod gui;
mod hearing;
mod herds;
mod infested;
mod lamps;
mod landmarks;
mod lands;
mod learning;
pub mod life;
mod loose;
pub mod map;
mod nature;
pub mod orbs;
mod path;
mod primitives;
mod ray;
mod scripts;
mod section;
mod seen;
pub mod self_view;
mod senses;
mod sensing_body;
mod sight;
pub mod sim;
pub mod springs;
mod stages;
mod stations;
mod stretch;
pub mod terrain;
mod tick;
pub mod time;
pub mod view;
mod village_day;
pub mod villagers;
mod visited;
mod weather;
mod window;
pub mod world;
mod yields;

#[cfg(test)]
mod ambush_tests;
#[cfg(test)]
mod blast_tests;
#[cfg(test)]
mod building_tests;
#[cfg(test)]
mod cancel_tests;
#[cfg(test)]
mod footing_tests;
#[cfg(test)]
mod husbandry_tests;
#[cfg(test)]
mod infested_tests;
#[cfg(test)]
mod passing_tests;
#[cfg(test)]
mod pillar_tests;
#[cfg(test)]
mod safety_tests;
#[cfg(test)]
mod search_tests;
#[cfg(test)]
mod sim_tests;
#[cfg(test)]
mod smelting_tests;
#[cfg(test)]
mod station_tests;
#[cfg(test)]
mod village_tests;
#[cfg(test)]
mod ways_tests;
#[cfg(test)]
mod window_tests;
#[cfg(test)]
mod world_tests;
