//! Pithead's command line: the part of the program that talks to shells and scripts.
//!
//! Everything it offers stands in the crates below; docs/ARCHITECTURE.md says how they meet.

mod cli;
pub mod config;
pub mod headless;

pub use cli::main;
