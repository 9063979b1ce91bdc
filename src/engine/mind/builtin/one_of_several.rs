//! One of several: a plan for a task of which one thing is enough, with a way to each of them.
//!
//! Invariant: the last steps of the ways are alternatives, so that the loop needs to carry out one of them.

use super::learnt::Learnt;
use super::planner::Given;
use pithead_core::domain::plan::{Plan, Subgoal};
use pithead_world::family::ItemSpec;

/// The group of the last steps.
const ALTERNATIVES: &str = "goal";

impl Given<'_> {
    /// A plan that holds a way to each of the things of which one is enough; their last steps are alternatives.
    pub(super) fn one_of_several(self, learnt: &Learnt) -> Result<Plan, ItemSpec> {
        let (mut steps, mut lacking) = (Vec::new(), None);
        for check in &self.ask.task.success {
            let mut ask = self.ask.clone();
            ask.task.success = vec![check.clone()];
            ask.task.any = false;
            let one = Given { ask: &ask, ..self };
            match one.attempt(learnt) {
                Ok(plan) => add_alternative(&mut steps, plan.subgoals),
                Err(item) => lacking = lacking.or(Some(item)),
            }
        }
        match lacking {
            Some(item) if steps.is_empty() => Err(item),
            _ => Ok(Plan {
                plan_id: format!("plan-{}", self.ask.nonce),
                subgoals: steps,
                global_constraints: Vec::new(),
                explanation: None,
                thoughts: None,
            }),
        }
    }
}

/// Adds a way to one of the things; steps of one id are the same step, and the larger count serves both ways.
fn add_alternative(steps: &mut Vec<Subgoal>, mut way: Vec<Subgoal>) {
    if let Some(last) = way.last_mut() {
        last.alternatives = Some(ALTERNATIVES.to_owned());
    }
    for step in way {
        match steps.iter_mut().find(|known| known.id == step.id) {
            Some(known) if known.goal.count < step.goal.count => *known = step,
            Some(_) => (),
            None => steps.push(step),
        }
    }
}
