//! Forms of plans: how much a planner is asked for at a time, and what it writes beside the steps.
//!
//! The baselines of DEPS (Table 2) and the planner of GITM differ in this and in little else.

use serde::{Deserialize, Serialize};

/// What a system asks its planner for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanForm {
    /// A plan for the whole task.
    #[default]
    Whole,
    /// One step; the next one is asked for when this one has ended (Inner Monologue).
    NextStep,
    /// The whole task, each step with what it asserts; a failed assertion is mended by one step (ProgPrompt).
    Asserted,
    /// The whole task as a program: a step is repeated until it is done, and a failed assertion ends the program
    /// (Code as Policies).
    Program,
    /// A plan for one goal under the task, then for the next one (GITM).
    EachGoal,
}

impl PlanForm {
    /// The form of a record that names none.
    #[must_use]
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
    pub fn is_whole(&self) -> bool {
        *self == Self::Whole
    }

    /// Steps say what has to hold before them, and the run checks it.
    #[must_use]
    pub fn asserts(self) -> bool {
        matches!(self, Self::Asserted | Self::Program)
    }

    /// A step that failed is carried out again, like the body of a loop.
    #[must_use]
    pub fn repeats(self) -> bool {
        self == Self::Program
    }
}
