//! Pithead.

pub mod world;
