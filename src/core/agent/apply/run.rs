//! The run as a whole: its start, its world, who holds it, and its end.

use crate::agent::state::{Phase, RunHold, State};
use crate::domain::plan::Subgoal;
use crate::domain::run::decision::{GateKind, Policy};
use crate::domain::run::event::RunConfig;
use crate::domain::run::outcome::Outcome;
use pithead_world::observation::Frame;

impl State {
    pub(super) fn run_started(&mut self, config: &RunConfig) {
        // The gates can change later; the config keeps what the run began with.
        self.gates = config.gates.clone();
        self.config = Some(Box::new(config.clone()));
    }

    pub(super) fn world_ready(&mut self, frame: &Frame) {
        self.open = None;
        self.is_away = false;
        self.keep_frame(frame);
    }

    /// A world that goes on by itself can be joined again; the run waits for that.
    pub(super) fn world_lost(&mut self) {
        let config = self.config.as_ref();
        self.is_away = config.is_some_and(|config| config.world.goes_on_by_itself());
    }

    /// What was asked before the world went on is asked anew, about the world as it is.
    pub(super) fn world_rejoined(&mut self, frame: &Frame) {
        self.is_away = false;
        self.keep_frame(frame);
        if let Phase::Planning { planning, .. } = &self.phase {
            self.phase = Phase::ToPlan(planning.clone());
            self.open = None;
        }
        if let Phase::Comparing { .. } = &self.phase {
            self.phase = Phase::Choosing;
            self.open = None;
        }
    }

    /// The run is paused: between two steps if that was asked for, else where it is.
    pub(super) fn paused(&mut self) {
        self.hold = RunHold::Paused;
        let was_asked = self.pause_soon.take().is_some();
        self.at_break |= was_asked && matches!(self.phase, Phase::Choosing);
    }

    pub(super) fn resumed(&mut self) {
        (self.hold, self.at_break, self.pause_soon) = (RunHold::Free, false, None);
    }

    pub(super) fn stepped(&mut self) {
        (self.hold, self.at_break) = (RunHold::Stepping, false);
    }

    pub(super) fn taken_over(&mut self, subgoal: &Subgoal) {
        self.counters.subgoals = self.counters.subgoals.max(subgoal.id.0);
        self.acts.push(subgoal.clone());
    }

    pub(super) fn policy_set(&mut self, kind: GateKind, policy: Policy) {
        self.gates.0.insert(kind, policy);
    }

    pub(super) fn run_ended(&mut self, outcome: Outcome) {
        // Nothing is asked any more.
        self.open = None;
        self.phase = Phase::Ended { outcome };
        // Entries may still be decided after the run.
        self.questions.retain(|q| !q.kind.blocks_run());
    }
}
