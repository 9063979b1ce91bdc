//! The pure part of Pithead: plans, checks, diagnosis, knowledge, and the agent that decides.
//!
//! Invariant: nothing here reads a clock, a socket or a random source, and only `text` reads and writes files.

pub mod agent;
pub mod diagnosis;
pub mod domain;
pub mod knowledge;
pub mod systems;
pub mod text;
