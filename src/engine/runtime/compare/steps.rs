//! Steps of compared runs: what became of each in each run, and which of them are the same step.
//!
//! Ids are shared by forks only up to where they part, so steps are matched by what they do to what: the first of a
//! kind with the first, the second with the second.

use pithead_core::domain::experience::Experience;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::plan::{Executor, Plan, Subgoal};
use pithead_core::domain::run::event::Event;
use pithead_core::text::numbers::count_with_noun;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{AttemptId, SubgoalId};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a step does to what: runs have the same step if they have the same of this, however much of it.
type Kind = (Executor, Option<ItemSpec>);

/// What became of one step of a run; the JSON form is stable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepOutcome {
    pub step: String,
    /// What it does, in a few words.
    pub what: String,
    /// `done`, `failed`, `not_begun`, or `dropped` by a later plan.
    pub state: &'static str,
    pub attempts: u64,
    pub ticks: u64,
    pub failures_by_reason: BTreeMap<&'static str, u64>,
    /// Steps with the same row are the same step in different runs.
    pub row: usize,
    #[serde(skip)]
    kind: Kind,
}

impl StepOutcome {
    /// What became of it, the most telling first.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = match self.state {
            "done" => format!("✔ {}", count_with_noun(self.ticks, "tick", "ticks")),
            "failed" => format!("✗ {}", count_with_noun(self.ticks, "tick", "ticks")),
            "dropped" => "┆ replaced".to_owned(),
            _ => return "· not begun".to_owned(),
        };
        if self.attempts > 1 || (self.attempts > 0 && self.state == "dropped") {
            let tries = usize::try_from(self.attempts).unwrap_or(usize::MAX);
            words += &format!(", {}", count_with_noun(tries, "try", "tries"));
        }
        let reasons = self.failures_by_reason.iter();
        let reasons: Vec<String> = reasons
            .map(|(reason, n)| format!("{reason} ×{n}"))
            .collect();
        if !reasons.is_empty() {
            words += &format!(", {}", reasons.join(", "));
        }
        words
    }
}

/// The steps of a run, folded from its events.
#[derive(Debug, Default)]
pub(super) struct StepFold {
    proposed: Plan,
    steps: Vec<FoldedStep>,
}

#[derive(Debug)]
struct FoldedStep {
    id: SubgoalId,
    what: String,
    kind: Kind,
    is_done: bool,
    /// In the plan that is in force.
    is_planned: bool,
    ticks: u64,
    tries: BTreeMap<AttemptId, Option<FailureReason>>,
}

impl StepFold {
    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::PlanProposed { plan, .. } => self.proposed = plan.clone(),
            Event::PlanAdopted { .. } => self.adopt(),
            Event::SubgoalDone { subgoal } => {
                if let Some(step) = self.steps.iter_mut().find(|step| step.id == *subgoal) {
                    step.is_done = true;
                }
            }
            Event::AttemptEnded { experience, .. } => self.add(experience),
            Event::LabelOverruled { attempt, label, .. } => {
                let tries = self.steps.iter_mut().flat_map(|step| &mut step.tries);
                for (_, reason) in tries.filter(|(id, _)| *id == attempt) {
                    *reason = Some(*label);
                }
            }
            _ => (), // no other event says what became of a step
        }
    }

    fn adopt(&mut self) {
        let plan = std::mem::take(&mut self.proposed);
        for step in &mut self.steps {
            step.is_planned = plan.get(step.id).is_some();
        }
        for subgoal in &plan.subgoals {
            let step = self.step(subgoal);
            step.is_planned = true;
            // A replan may want more or less of the same.
            step.what = subgoal.label();
        }
    }

    fn add(&mut self, experience: &Experience) {
        let step = self.step(&experience.action);
        step.ticks += experience.ticks();
        let reason = experience.failure_reason();
        step.tries.insert(experience.attempt, reason);
    }

    /// The step of that id; a step of the operator's is in no plan.
    fn step(&mut self, of: &Subgoal) -> &mut FoldedStep {
        let at = self.steps.iter().position(|step| step.id == of.id);
        let at = at.unwrap_or_else(|| {
            self.steps.push(FoldedStep {
                id: of.id,
                what: of.label(),
                kind: (of.executor_hint, of.goal.object),
                is_done: false,
                is_planned: false,
                ticks: 0,
                tries: BTreeMap::new(),
            });
            self.steps.len() - 1
        });
        &mut self.steps[at]
    }

    /// In the order in which the run came to know them.
    pub(super) fn outcomes(&self) -> Vec<StepOutcome> {
        self.steps.iter().map(outcome).collect()
    }
}

fn outcome(step: &FoldedStep) -> StepOutcome {
    let mut failures_by_reason = BTreeMap::new();
    for reason in step.tries.values().flatten() {
        *failures_by_reason.entry(reason.name()).or_default() += 1;
    }
    let state = match (step.is_done, step.is_planned, step.tries.is_empty()) {
        (true, ..) => "done",
        (false, false, _) => "dropped",
        (false, true, false) => "failed",
        (false, true, true) => "not_begun",
    };
    StepOutcome {
        step: step.id.to_string(),
        what: step.what.clone(),
        state,
        attempts: step.tries.len() as u64,
        ticks: step.ticks,
        failures_by_reason,
        row: 0,
        kind: step.kind,
    }
}

/// Gives the steps of all runs their rows: the same row to the same step, in the order of the first run that has it.
pub(super) fn align(runs: &mut [&mut Vec<StepOutcome>]) {
    // A row stands for a kind and how many of that kind stand before it in the same run.
    let mut rows: Vec<(Kind, usize)> = Vec::new();
    for steps in runs.iter() {
        let mut below = 0;
        for name in names(steps) {
            match rows.iter().position(|row| *row == name) {
                Some(at) => below = at + 1,
                None => {
                    // Behind the step that it follows in its own run.
                    rows.insert(below, name);
                    below += 1;
                }
            }
        }
    }
    for steps in runs.iter_mut() {
        let names = names(steps);
        for (step, name) in steps.iter_mut().zip(names) {
            step.row = rows.iter().position(|row| *row == name).unwrap_or_default();
        }
    }
}

fn names(steps: &[StepOutcome]) -> Vec<(Kind, usize)> {
    let mut seen: BTreeMap<Kind, usize> = BTreeMap::new();
    let name = |step: &StepOutcome| {
        let n = seen.entry(step.kind).or_default();
        *n += 1;
        (step.kind, *n)
    };
    steps.iter().map(name).collect()
}
