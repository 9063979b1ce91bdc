//! What the operator's steering changes: bounds, what comes next, and when the run rests.

use crate::agent::state::{Phase, Planning, State};
use crate::domain::run::steering::{Limit, Steering};
use pithead_world::ids::SubgoalId;

impl State {
    pub(super) fn steered(&mut self, how: &Steering, by: &str) {
        match how {
            Steering::Limit(limit) => self.limit_set(*limit),
            Steering::Retry(id) => self.retried(*id),
            Steering::Withdraw(id) => {
                // An act under way stays until its attempt ends: the record must find it.
                let running = self.attempt_at();
                self.acts
                    .retain(|act| act.id != *id || running == Some(*id));
            }
            Steering::Replan(reason) => {
                // Marked, so that the mind knows who speaks.
                self.redirect = Some(format!("operator: {reason}"));
                self.turn_to_plan();
            }
            Steering::PauseSoon => self.pause_soon = Some(by.to_owned()),
        }
    }

    /// Between two steps, a plan that is to be made anew is begun.
    pub(super) fn turn_to_plan(&mut self) {
        // At any other moment an attempt or a question is under way; the reason waits.
        if !matches!(self.phase, Phase::Choosing) {
            return;
        }
        let Some(reason) = self.redirect.take() else {
            return;
        };
        let replaces = self.open_steps().next().map(|step| step.id);
        self.phase = Phase::ToPlan(Planning {
            replaces,
            vetoes: vec![reason],
            ..Planning::default()
        });
    }

    fn attempt_at(&self) -> Option<SubgoalId> {
        match &self.phase {
            Phase::Acting(attempt) => Some(attempt.subgoal.id),
            _ => None, // nothing is under way
        }
    }

    fn limit_set(&mut self, limit: Limit) {
        if let Some(config) = &mut self.config {
            let grants = &mut self.counters.grants;
            // Grants are folded into the new bound, or they would be counted twice.
            limit.set(&mut config.budget, &mut config.limits, grants);
        }
        let Limit::Seconds(seconds) = limit else {
            return;
        };
        let id = self.attempt_at();
        let planned = self.plan.iter().flat_map(|plan| &plan.subgoals);
        let planned = planned.chain(&self.acts).find(|s| Some(s.id) == id);
        let seconds = seconds.or(planned.map(|subgoal| subgoal.timeout_s));
        // An attempt under way gets the new time as well.
        if let (Phase::Acting(attempt), Some(seconds)) = (&mut self.phase, seconds) {
            attempt.subgoal.timeout_s = seconds;
        }
    }

    fn retried(&mut self, id: SubgoalId) {
        let node = self.nodes.entry(id).or_default();
        node.done = false;
        // Wanted again: what failed before is no reason against it.
        node.forget_failures();
        self.done.retain(|subgoal| subgoal.id != id);
        self.next_up = Some(id);
    }
}
