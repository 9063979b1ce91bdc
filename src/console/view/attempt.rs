//! The attempt under way and the verdict on the last one: what monitors and diagnosis panes show.
//!
//! Truth and words of checks are judged when they are looked at, not at every frame.

use pithead_core::diagnosis::monitor;
use pithead_core::diagnosis::monitor::Reading;
use pithead_core::domain::condition::situation::{Baseline, Situation};
use pithead_core::domain::experience::Experience;
use pithead_core::domain::experience::attempt::Stop;
use pithead_core::domain::experience::diagnosis::Diagnosis;
use pithead_core::domain::plan::Subgoal;
use pithead_world::action::{Action, ActionReport};
use pithead_world::ids::AttemptId;
use pithead_world::observation::Frame;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Frames of movement kept for the sparkline: about as many as a pane is wide.
const STEPS_MAX: usize = 48;
/// Attempts whose indicators are kept for their sparklines.
const PAST_MAX: usize = 16;

/// The attempt under way, or the last one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptView {
    pub id: AttemptId,
    pub subgoal: Arc<Subgoal>,
    pub baseline: Baseline,
    /// What the body was told last, and when.
    pub order: Option<(Action, u64)>,
    /// How that ended, or why it was called off.
    pub outcome: Option<String>,
    /// Blocks moved between one frame and the next, oldest first.
    pub steps: VecDeque<f32>,
    last: pithead_world::space::Point,
    pub over: bool,
}

impl AttemptView {
    pub(crate) fn new(id: AttemptId, subgoal: Arc<Subgoal>, frame: &Frame) -> Self {
        Self {
            id,
            subgoal,
            baseline: Baseline::of(frame),
            order: None,
            outcome: None,
            steps: VecDeque::new(),
            last: frame.position,
            over: false,
        }
    }

    pub(crate) fn observe(&mut self, frame: &Frame) {
        if self.over {
            return;
        }
        if self.steps.len() == STEPS_MAX {
            self.steps.pop_front();
        }
        self.steps
            .push_back(self.last.distance(frame.position) as f32);
        self.last = frame.position;
    }

    pub(crate) fn action_issued(&mut self, order: &Action, tick: u64) {
        self.order = Some((order.clone(), tick));
        self.outcome = None;
    }

    /// The run is over, and this attempt with it.
    pub(crate) fn run_ended(&mut self) {
        self.over = true;
        if self.outcome.is_none() {
            self.outcome = Some("the run ended".to_owned());
        }
    }

    pub(crate) fn action_cancelled(&mut self, stop: &Stop) {
        self.outcome = Some(stop_words(stop));
    }

    pub(crate) fn action_ended(&mut self, report: &ActionReport, _tick: u64) {
        // Called off says nothing new: the reason for it is there already.
        if self.outcome.is_none() {
            let words = report.failure.as_ref().map(ToString::to_string);
            self.outcome = Some(words.unwrap_or_else(|| "done".to_owned()));
        }
    }

    /// The checks, judged at a frame.
    #[must_use]
    pub fn readings(&self, frame: &Frame) -> Vec<Reading> {
        let now = Situation::of(frame)
            .since(&self.baseline)
            .pursuing(&self.subgoal);
        monitor::readings(&self.subgoal, &now)
    }

    /// World ticks since it began.
    #[must_use]
    pub fn elapsed(&self, tick: u64) -> u64 {
        tick.saturating_sub(self.baseline.tick)
    }
}

/// Why an attempt is being ended, in words.
#[must_use]
pub fn stop_words(stop: &Stop) -> String {
    match stop {
        Stop::Done => "all checks are true".to_owned(),
        Stop::ActionEnded => "the action ended".to_owned(),
        Stop::Stalled { seen } => format!("stalled: {seen}"),
        Stop::TimedOut => "its time is used up".to_owned(),
        Stop::BudgetSpent => "the run's budget is used up".to_owned(),
        Stop::Aborted => "by the operator".to_owned(),
        Stop::TaskDone => "the task is done".to_owned(),
        Stop::Terminated { because } => format!("terminated: {because}"),
        Stop::NoExecutor { because } => format!("nothing can carry it out: {because}"),
    }
}

/// The verdict on the last attempt, and the indicators of those before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiagnosisView {
    pub attempt: AttemptId,
    /// The subgoal it was an attempt at, in a few words.
    pub label: String,
    pub tick: u64,
    pub diagnosis: Arc<Diagnosis>,
    /// In words, if its label is no failure: it was called off, or was an operator's own act.
    pub no_failure: Option<String>,
    /// Values of each indicator over the last attempts, oldest first, this one last.
    pub past: BTreeMap<String, VecDeque<f64>>,
}

impl DiagnosisView {
    pub(crate) fn after(before: Option<Self>, attempt: AttemptId, experience: &Experience) -> Self {
        let mut past = before.map(|view| view.past).unwrap_or_default();
        for indicator in &experience.diagnosis.indicators {
            let values = past.entry(indicator.name.clone()).or_default();
            if values.len() == PAST_MAX {
                values.pop_front();
            }
            values.push_back(indicator.value);
        }
        Self {
            attempt,
            label: crate::view::plan::label(&experience.action),
            tick: experience.post.tick,
            diagnosis: Arc::new(experience.diagnosis.clone()),
            no_failure: experience.no_failure().map(str::to_owned),
            past,
        }
    }
}
