//! What runs the agent: minds, memory, the journal, the driver, and evaluations of many runs.
//!
//! It decides nothing that `pithead_core` decides, and draws nothing.

pub mod config;
pub mod eval;
pub mod http;
pub mod journal;
pub mod launch;
pub mod memory;
pub mod mind;
pub mod runtime;
pub mod selector;
pub mod suites;
