//! Sequences: what several runs did to reach one goal, and the plan that a mind makes of them (GITM).
//!
//! Invariant: a sequence holds what was seen, and nothing else.

use crate::domain::knowledge::Skill;
use crate::domain::plan::{Executor, label};
use crate::domain::plan::{Goal, Subgoal};
use pithead_world::family::ItemSpec;
use pithead_world::ids::{ExperienceId, RunId};
use serde::{Deserialize, Serialize};

/// Successful sequences that are summarised into one reference plan (the paper's N).
pub const SEQUENCES_WANTED: usize = 5;

/// The sequences of one goal, one for each run, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sequences {
    pub goal: ItemSpec,
    pub count: u32,
    pub seen: Vec<Sequence>,
}

impl Sequences {
    /// The sequences of one kind of goal: of the very thing where all runs got that, of its family otherwise. None if
    /// there are none.
    #[must_use]
    pub fn of_goal(seen: Vec<Sequence>) -> Option<Self> {
        let last = &seen.last()?.way;
        let is_same = seen.iter().all(|other| other.way.goal == last.goal);
        let goal = if is_same { last.goal } else { last.goal.kind() };
        Some(Self {
            goal,
            count: last.count,
            seen,
        })
    }
}

/// What one run did to reach the goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sequence {
    pub run: RunId,
    /// The steps that the goal rested on in that run, with what each took.
    pub way: Skill,
    pub experiences: Vec<ExperienceId>,
}

/// Summarise the sequences of a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReferenceAsk {
    pub sequences: Sequences,
    #[serde(default)]
    pub faults: Vec<String>,
}

/// A reference plan as it is answered; what each step takes follows from the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReferenceDraft {
    /// None, with the reason in `because`, if the sequences have no way in common.
    pub steps: Vec<DraftStep>,
    #[serde(default)]
    pub because: String,
}

/// One step of the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DraftStep {
    #[serde(rename = "do")]
    pub executor: Executor,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<ItemSpec>,
    #[serde(default = "one")]
    pub count: u32,
    /// The height of `dig_down` and `go_up`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<i64>,
}

fn one() -> u32 {
    1
}

impl DraftStep {
    /// The step as an answer would name it.
    #[must_use]
    pub fn of_step(step: &Subgoal) -> Self {
        Self {
            executor: step.executor_hint,
            object: step.goal.object,
            count: step.goal.count.max(1),
            y: step.goal.amount,
        }
    }

    /// In a few words, for example `mine #logs ×3`.
    #[must_use]
    pub fn label(&self) -> String {
        let goal = Goal {
            object: self.object,
            count: self.count,
            material: None,
            tool: None,
            amount: self.y,
            info: None,
        };
        label(self.executor, &goal, &[])
    }
}
