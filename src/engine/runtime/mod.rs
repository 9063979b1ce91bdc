//! The runtime: performs what the core says, on one thread per run, and keeps clients up to date.
//!
//! decide → append → apply → perform → publish. Clients (console, headless) hold a `Link` and
//! never touch the state, the world or the mind.

mod alone;
pub mod attach;
pub mod attempts;
pub mod background;
mod backtest;
pub mod bulk;
pub mod casefile;
pub mod compare;
pub mod costs;
#[cfg(test)]
mod debug_tests;
mod driver;
pub mod dryrun;
pub mod effect;
pub mod fork;
pub mod heat;
pub mod link;
pub mod lookback;
pub mod moments;
mod open;
mod pace;
mod parked;
mod perform;
mod rebuild;
#[cfg(test)]
mod recall_tests;
mod recaller;
pub mod recording;
pub mod review;
pub mod tell;
#[cfg(test)]
mod tests;
mod thinking;

pub use alone::{Played, play};
pub use backtest::backtest;
pub use driver::Keep;
pub use link::{DriverStatus, Gone, Link};
pub use open::{OpenError, Opening, Parts, config_of, resume, resume_with, start, start_with};
pub use pace::Pace;
pub use parked::Parked;
pub use perform::{input, request};
pub use rebuild::Differs;
pub use recording::Recording;
