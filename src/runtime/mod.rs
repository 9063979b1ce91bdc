//! The runtime: performs what the core says, on one thread per run, and keeps clients up to date.
//!
//! decide → append → apply → perform → publish. Clients (console, headless) hold a `Link` and
//! never touch the state, the world or the mind.

pub mod link;
pub mod recording;

pub use link::{DriverStatus, Gone, Link};
pub use recording::Recording;
