//! Known: what a plan is held against, by a run, by whoever edits its plan, and without a run.
//!
//! Invariant: the console judges an edited plan by the same things as the run that will get it.

use crate::domain::experience::state_summary::StateSummary;
use crate::domain::knowledge::{Entry, Guardrail, Status};
use crate::domain::plan::task::Task;
use crate::domain::run::budget::Limits;
use crate::domain::run::event::RunConfig;
use crate::knowledge::uses::StepUses;

/// What a plan is held against.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    pub task: &'a Task,
    pub state: &'a StateSummary,
    pub knowledge: &'a [Entry],
    /// Constraints of the run.
    pub lessons: &'a [Guardrail],
    pub limits: &'a Limits,
    /// What steps were seen to use up.
    pub uses: &'a StepUses,
    /// A step that uses up more than will be held is an error.
    pub counts: bool,
}

/// The same in a run: what of its knowledge refuses plans, and whether it counts.
#[derive(Debug, Clone)]
pub struct KnownInRun {
    knowledge: Vec<Entry>,
    uses: StepUses,
    counts: bool,
}

/// Whether plans are played with what steps were seen to use up. The other systems believe what plans declare.
#[must_use]
pub fn plays_what_is_used_up(config: &RunConfig) -> bool {
    config.profile.judge || config.counts_what_is_used_up
}

impl KnownInRun {
    /// From the active entries that the run has, what its steps were seen to use up, and how many of them are done.
    pub fn new<'a>(
        config: &RunConfig,
        entries: impl Iterator<Item = &'a Entry>,
        seen: &StepUses,
        done: usize,
    ) -> Self {
        let active = entries.filter(|entry| entry.status == Status::Active);
        let active: Vec<Entry> = active.cloned().collect();
        let uses = match plays_what_is_used_up(config) {
            true => seen.clone().with_skills(&active),
            false => StepUses::default(),
        };
        let refuses = |entry: &Entry| {
            config.profile.refuses_by(entry.body.entry_kind()) && entry.body.holds_after(done)
        };
        Self {
            knowledge: active.into_iter().filter(refuses).collect(),
            uses,
            counts: config.counts_what_is_used_up,
        }
    }

    /// With the state and the constraints of this moment.
    #[must_use]
    pub fn at<'a>(
        &'a self,
        config: &'a RunConfig,
        state: &'a StateSummary,
        lessons: &'a [Guardrail],
    ) -> Known<'a> {
        Known {
            task: &config.task,
            state,
            knowledge: &self.knowledge,
            lessons,
            limits: &config.limits,
            uses: &self.uses,
            counts: self.counts,
        }
    }
}
