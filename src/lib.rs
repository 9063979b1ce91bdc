//! Pithead's command line: the part of the program that talks to shells and scripts.
//!
//! Everything it offers stands in the crates below; docs/ARCHITECTURE.md says how they meet.

mod cli;

pub mod headless;

/// For the reference in docs/, and the test that holds it to the parser.
pub use cli::commands_markdown;
pub use cli::main;
pub use pithead_engine::config;
