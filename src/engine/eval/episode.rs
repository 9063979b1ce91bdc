//! Episodes: the result of one task with one seed, folded from the events of its run.
//!
//! Success is judged by the task's checks on the last frame, within the budget; what the run says of
//! itself is kept beside it. Invariant: unknown is never success.

use crate::suites::SuiteTask;
use pithead_core::domain::check::Check;
use pithead_core::domain::condition::situation::Situation;
use pithead_core::domain::mind::reflection::Disturbance;
use pithead_core::domain::mind::study::Reflected;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::domain::run::outcome::Outcome;
use pithead_world::observation::Frame;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How an episode ended by its own account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    Success,
    Failure,
    Aborted,
    /// It could not be played: no world, no mind, or the program broke down. It does not count.
    Void,
}

/// One line of the results.
/// Stored as a line of JSON; a field that is added needs a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Episode {
    pub task: String,
    pub group: String,
    pub seed: u64,
    /// Its run id in the journal beside the results.
    /// The run can be replayed and debugged.
    pub run: u64,
    /// By the checks of the task.
    pub success: bool,
    pub ended: Ended,
    pub because: String,
    pub ticks: u64,
    pub attempts: u64,
    pub failed_attempts: u64,
    pub failures_by_reason: BTreeMap<String, u64>,
    pub replans: u64,
    /// What set reflections off, and what was at fault, by name; empty where the system does not reflect.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reflections: BTreeMap<String, u64>,
    pub mind_calls: u64,
    /// When each item of the tech tree was first held; none in results from before this was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milestones: Option<BTreeMap<String, u64>>,
    /// The last label of the subgoal that failed last; none if nothing failed.
    /// Words of the step and its label.
    pub last_failure: Option<String>,
    /// Real time; everything else is world time.
    pub wall_ms: u64,
    /// Why the world or the mind was unavailable when it was last needed.
    #[serde(skip)]
    lost: Option<String>,
}

impl Episode {
    /// An episode that is not played yet.
    pub(super) fn unplayed(task: &SuiteTask, seed: u64, run: u64) -> Self {
        Self {
            // Void until something better is known: a crash must not count as a failure.
            task: task.id.clone(),
            group: task.group.clone(),
            seed,
            run,
            success: false,
            ended: Ended::Void,
            because: "it did not end".to_owned(),
            ticks: 0,
            attempts: 0,
            failed_attempts: 0,
            failures_by_reason: BTreeMap::new(),
            replans: 0,
            reflections: BTreeMap::new(),
            mind_calls: 0,
            milestones: None,
            last_failure: None,
            wall_ms: 0,
            lost: None,
        }
    }

    /// Counts what the run recorded.
    pub(super) fn fold(&mut self, facts: &[Recorded]) {
        for fact in facts {
            self.apply(&fact.event);
        }
        if let (Some(first), Some(last)) = (facts.first(), facts.last()) {
            // From the first to the last event.
            self.wall_ms = last.at.since(first.at);
        }
    }

    fn apply(&mut self, event: &Event) {
        match event {
            Event::AttemptEnded { experience, .. } => {
                self.attempts += 1;
                self.failed_attempts += u64::from(experience.is_failure());
                if let Some(reason) = experience.failure_reason() {
                    let name = reason.name().to_owned();
                    // One count for each failed attempt.
                    *self.failures_by_reason.entry(name).or_default() += 1;
                    let (condition, reason) = (&experience.action.condition, reason.name());
                    self.last_failure = Some(format!("{condition}: {reason}"));
                }
            }
            Event::ReplanStarted { .. } => self.replans += 1,
            Event::PlanReflected { reflected } => self.reflected(reflected),
            Event::MindAsked { .. } => self.mind_calls += 1,
            Event::WorldLost { because } => self.lost = Some(format!("no world: {because}")),
            Event::MindFailed { because, .. } => self.lost = Some(format!("no mind: {because}")),
            // It answered after all.
            // A mind that failed once and answered later was there.
            Event::MindAnswered { .. } => self.lost = None,
            Event::RunEnded { outcome, because } => self.end(*outcome, because),
            // The line shows nothing of the others.
            _ => (),
        }
    }

    fn reflected(&mut self, reflected: &Reflected) {
        let fault = reflected.disturbance.map(Disturbance::name);
        for name in fault.into_iter().chain([reflected.trigger.name()]) {
            *self.reflections.entry(name.to_owned()).or_default() += 1;
        }
    }

    pub(super) fn void(&mut self, because: &str) {
        (self.ended, self.because) = (Ended::Void, because.to_owned());
    }

    fn end(&mut self, outcome: Outcome, because: &str) {
        // A run that ends because of its mind or world is void.
        if let Some(because) = self.lost.take() {
            return self.void(&because);
        }
        self.because = because.to_owned();
        self.ended = match outcome {
            Outcome::Success => Ended::Success,
            Outcome::Failure => Ended::Failure,
            Outcome::Aborted => Ended::Aborted,
        };
    }

    /// Decides success by what was last seen.
    pub(super) fn judge(&mut self, task: &SuiteTask, frame: Option<&Frame>) {
        // Of the last frame, whether or not the run has ended by itself.
        self.ticks = frame.map_or(0, |frame| frame.tick);
        self.success = self.ended != Ended::Void && frame.is_some_and(|f| succeeded(task, f));
    }
}

/// True if all checks of one of the task's lists hold at this frame, within the budget.
#[must_use]
pub(super) fn succeeded(task: &SuiteTask, frame: &Frame) -> bool {
    let now = Situation::of_run(frame);
    let holds = |check: &Check| check.truth(&now).is_true();
    // An empty list would be a success of nothing.
    let all = |checks: &Vec<Check>| !checks.is_empty() && checks.iter().all(holds);
    // A success after the budget is none.
    frame.tick <= task.budget_ticks && task.success.iter().any(all)
}
