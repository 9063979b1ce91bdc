//! The runtime: performs what the core says, on one thread per run, and keeps clients up to date.
//!
//! decide → append → apply → perform → publish. Clients (console, headless) hold a `Link` and
//! never touch the state, the world or the mind.

pub mod attach;
pub mod attempts;
mod background;
mod backtest;
pub mod case_file;
pub mod compare;
pub mod costs;
#[cfg(test)]
mod debug_tests;
mod driver;
pub mod effect;
pub mod failure_heatmap;
pub mod first_held;
pub mod fork;
pub mod goals_record;
pub mod lineage;
pub mod link;
mod needs;
mod open;
pub mod operator;
pub mod option_table;
mod pace;
pub mod past_attempts;
mod perform;
pub mod policy_dry_run;
pub mod questions;
mod rebuild;
#[cfg(test)]
mod recall_tests;
pub mod recording;
pub mod relabel;
pub mod review;
mod run_memory;
pub mod run_search;
pub mod system_record;
#[cfg(test)]
mod tests;
mod thinking;
mod unattended;
mod waiting_run;
pub mod worlds;

pub use backtest::{BacktestChange, backtest, backtest_change};
pub use driver::Keep;
pub use link::{Commander, DriverStatus, Gone, Link};
pub use open::{OpenError, Opening, Parts, config_of, resume, resume_with, start, start_with};
pub use pace::Pace;
pub use perform::{input, requests};
pub use rebuild::Differs;
pub use recording::Recording;
pub use unattended::{Played, PlayedRun, play_unattended};
pub use waiting_run::WaitingRun;
