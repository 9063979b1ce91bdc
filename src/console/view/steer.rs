//! What the operator's steering changes on the screen: bounds, acts that wait, nodes to be tried again.

use crate::view::View;
use crate::view::status::Doing;
use pithead_core::domain::plan::Subgoal;
use pithead_core::domain::run::steering::{Limit, Steering};
use pithead_world::ids::SubgoalId;
use std::sync::Arc;

impl View {
    /// The operator acts: behind what waits already.
    pub(crate) fn taken_over(&mut self, subgoal: &Subgoal, by: &str) {
        let behind = self.acts.last().copied();
        self.plan.taken_over(subgoal, by, behind);
        self.acts.push(subgoal.id);
    }

    pub(crate) fn steered(&mut self, how: &Steering, by: &str) {
        match how {
            Steering::Limit(limit) => self.limit_set(*limit),
            Steering::Retry(id) => self.plan.retried(*id),
            Steering::Withdraw(id) => self.withdrawn(*id),
            Steering::Replan(reason) => self.inbox.asked = Some(format!("{by}: {reason}")),
            Steering::PauseSoon => (), // what follows shows it
        }
    }

    fn limit_set(&mut self, limit: Limit) {
        let Some(head) = &mut self.head else {
            return;
        };
        let head = Arc::make_mut(head);
        let grants = &mut self.counts.grants;
        limit.set(&mut head.config.budget, &mut head.config.limits, grants);
        head.budget = head.config.budget;
        self.time_attempt();
    }

    /// The attempt under way has the time that the operator gives, or the plan's own.
    pub(crate) fn time_attempt(&mut self) {
        let limits = self.head.as_ref().map(|head| head.config.limits);
        let given = limits.and_then(|limits| limits.attempt_seconds);
        let Some(attempt) = self.attempt.as_mut().filter(|attempt| !attempt.over) else {
            return;
        };
        let planned = self.plan.subgoal(attempt.subgoal.id);
        let planned = planned.map_or(attempt.subgoal.timeout_s, |subgoal| subgoal.timeout_s);
        let seconds = given.unwrap_or(planned);
        if attempt.subgoal.timeout_s != seconds {
            Arc::make_mut(&mut attempt.subgoal).timeout_s = seconds;
        }
        if let Doing::Executing { timeout_s, .. } = &mut self.status.doing {
            *timeout_s = seconds;
        }
    }

    /// An act that was under way stays to be seen; its attempt tells that it was called off.
    fn withdrawn(&mut self, id: SubgoalId) {
        self.acts.retain(|act| *act != id);
        self.plan.withdrawn(id);
    }
}
