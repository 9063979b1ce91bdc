//! Nodes: what has become of each step of the plans of a run.

use crate::domain::mind::evidence::FailedAttempt;

/// What has become of a node of the plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    pub done: bool,
    /// Attempts at it, over all replans.
    pub attempts: u32,
    /// Failures since the plan in force was adopted.
    /// Cleared by a new plan, because it may do the step in another way.
    pub failures: Vec<FailedAttempt>,
    /// Failures of earlier runs similar to the last of these.
    pub earlier: Vec<FailedAttempt>,
    /// How many of its failures had been compared with those of earlier runs.
    pub compared: usize,
    /// How many of its failures a reflection had covered when it kept the plan.
    /// Failures beyond this number count again.
    pub kept: usize,
}

impl Node {
    /// All failures that a cause must explain, the run's own last.
    pub fn evidence(&self) -> impl Iterator<Item = &FailedAttempt> {
        self.earlier.iter().chain(&self.failures)
    }

    /// The failures no longer count: the step is done, or a new plan may do it in another way.
    pub(super) fn forget_failures(&mut self) {
        self.failures.clear();
        self.earlier.clear();
        self.compared = 0;
        self.kept = 0;
    }
}
