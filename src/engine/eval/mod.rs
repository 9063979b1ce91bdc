//! Evaluations: the tasks of a suite times seeds, played on all cores, and the table that comes of it.
//!
//! A sibling of console and headless. It decides success itself, by the checks of the task.
//! Invariant: the same evaluation gives the same results, in one go or killed and gone on with.

mod against;
pub mod card;
mod chart;
mod crew;
mod curve;
mod episode;
mod ledger;
mod life;
pub mod paired;
pub mod papers;
mod plan;
mod play;
mod purse;
mod report;
pub mod standing;
mod stats;
mod table;
#[cfg(test)]
mod tests;
pub mod trial;

pub use crew::{Course, EvalError, Progress, run};
pub use curve::{Curve, Point, System};
pub use episode::{Ended, Episode};
pub use ledger::LedgerError;
pub use life::{Course as LifeCourse, Life, Maker, live};
pub use pithead_core::domain::knowledge::interval::{Interval, wilson};
pub use plan::{Globbed, NoGlob, Plan, Seeds, SeedsError, Setting};
pub use play::Workshop;
pub use purse::{Bounds, Purse};
pub use report::Report;
pub use stats::Tally;
pub use table::Table;
