//! Pithead: a closed-loop agent for open worlds, and what is needed to supervise it.
//!
//! Folders are the words of the loop; docs/ARCHITECTURE.md says how they meet.

pub mod agent;
pub mod app;
mod cli;
pub mod clock;
pub mod config;
pub mod console;
pub mod diagnosis;
pub mod domain;
pub mod eval;
pub mod headless;
pub mod http;
pub mod ids;
pub mod journal;
pub mod knowledge;
pub mod memory;
pub mod mind;
pub mod rng;
pub mod runtime;
pub mod suites;
pub mod systems;
pub mod utf8;
pub mod world;
pub mod worlds;
