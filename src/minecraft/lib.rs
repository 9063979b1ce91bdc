//! Minecraft: a body on a real server, driven through a side process of Node.
//!
//! The side process plays and says what it senses; this crate starts it, holds it to limits, and turns its words into
//! frames and reports. Invariant: nothing that comes from it is believed beyond its type, its limits and its table of names.

pub mod account;
pub mod address;
pub mod consent;
pub mod install;
mod lack;
mod notices;
mod order;
mod outcome;
mod process;
mod refusal;
mod sensed;
mod sources;
mod trades;
mod wire;
pub mod world;
