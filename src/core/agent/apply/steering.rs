//! What the operator's steering changes: bounds, what comes next, and when the run rests.

use crate::agent::state::{Phase, Planning, State};
use crate::domain::plan::Plan;
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
                self.redirect = Some(format!("operator: {reason}"));
                self.turn_to_plan();
            }
            Steering::PauseSoon => self.pause_soon = Some(by.to_owned()),
        }
    }

    /// Between two steps, a plan that is to be made anew is begun.
    pub(super) fn turn_to_plan(&mut self) {
        if !matches!(self.phase, Phase::Choosing) {
            return;
        }
        let Some(reason) = self.redirect.take() else {
            return;
        };
        let open = |plan: &Plan| {
            let done = |id| self.nodes.get(&id).is_some_and(|node| node.done);
            plan.subgoals.iter().map(|s| s.id).find(|id| !done(*id))
        };
        self.phase = Phase::ToPlan(Planning {
            replaces: self.plan.as_ref().and_then(open),
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
            limit.set(&mut config.budget, &mut config.limits, grants);
        }
        let Limit::Seconds(seconds) = limit else {
            return;
        };
        let id = self.attempt_at();
        let planned = self.plan.iter().flat_map(|plan| &plan.subgoals);
        let planned = planned.chain(&self.acts).find(|s| Some(s.id) == id);
        let seconds = seconds.or(planned.map(|subgoal| subgoal.timeout_s));
        if let (Phase::Acting(attempt), Some(seconds)) = (&mut self.phase, seconds) {
            attempt.subgoal.timeout_s = seconds;
        }
    }

    fn retried(&mut self, id: SubgoalId) {
        let node = self.nodes.entry(id).or_default();
        node.done = false;
        node.forget_failures();
        self.done.retain(|subgoal| subgoal.id != id);
        self.next_up = Some(id);
    }
}
