//! Exploration: lives in which the agent chooses its own tasks, and how many kinds of items it finds.
//!
//! Before each task the agent looks at what it has had and seen, and tries something that it believes to be one step
//! away. Invariant: same run, system and seed, same life.

mod life;
mod report;
mod tasks;

#[cfg(test)]
mod tests;

pub use life::{ExploreRun, ExploredLife, ExploredTask, play_explorations};
pub use report::{Exploration, ExplorationPoint, ExploredSystem, ItemsDifference};
