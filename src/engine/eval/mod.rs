//! Evaluations: the tasks of a suite times seeds, played on all cores, and the tables made from the results.
//!
//! Success is decided here, by the checks of the task, never by what a run says of itself.
//! Invariant: the same evaluation gives the same results, whether it ran in one go or was killed and resumed.

mod arms;
mod base;
mod base_kinds;
#[cfg(test)]
mod base_tests;
mod budget;
mod chart;
mod comparison;
mod course;
mod curve;
mod episode;
mod examination;
pub mod explore;
mod learning_agent;
mod life_files;
pub mod listing;
mod lives;
mod naming;
pub mod paired;
mod parallel;
mod plan;
mod play;
pub mod published;
pub mod reader;
pub mod registry;
mod report;
mod results;
mod sections;
mod stats;
pub mod status;
mod table;
#[cfg(test)]
mod tests;
pub mod trial;
pub mod trial_page;
mod workers;

pub use arms::{ArmDifference, ArmReport, ArmsReport, GroupDifference, PlayedArm};
pub use base::{Base, BaseError, BaseFile, BaseLabel};
pub use base_kinds::{BaseKind, BaseKinds};
pub use budget::{EvalBudget, EvalLimits};
pub use course::{HeldOut, LIFE_SEEDS_END, Strategy};
pub use curve::{Curve, PassResult, SystemResult};
pub use episode::{Ended, Episode};
pub use lives::{LearningRun, Life, LifeFactory, play_lives};
pub use pithead_core::domain::knowledge::interval::{Interval, wilson};
pub use plan::{EvalPlan, PatternError, Seeds, SeedsError, Setting, TaskPattern};
pub use play::EpisodeFactory;
pub use report::Report;
pub use results::ResultsError;
pub use stats::Tally;
pub use table::ReportTable;
pub use workers::{EvalError, EvalProgress, SuiteRun, run_suite};
