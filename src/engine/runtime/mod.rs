//! The runtime: performs what the core says, on one thread per run, and keeps clients up to date.
//!
//! decide → append → apply → perform → publish. Clients (console, headless) hold a `Link` and
//! never touch the state, the world or the mind.

mod alone;
pub mod attach;
pub mod attempts;
mod background;
mod backtest;
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
pub mod operator;
mod pace;
mod perform;
mod rebuild;
#[cfg(test)]
mod recall_tests;
mod recaller;
pub mod recording;
pub mod review;
#[cfg(test)]
mod tests;
mod thinking;
mod waiting_run;

pub use alone::{Played, play};
pub use backtest::backtest;
pub use driver::Keep;
pub use link::{Commander, DriverStatus, Gone, Link};
pub use open::{OpenError, Opening, Parts, config_of, resume, resume_with, start, start_with};
pub use pace::Pace;
pub use perform::{input, request};
pub use rebuild::Differs;
pub use recording::Recording;
pub use waiting_run::WaitingRun;
