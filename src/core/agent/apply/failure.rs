//! Repeated failure: similar failures, lessons, explanations, reflections, and the replan that follows.

use crate::agent::state::{Phase, State};
use crate::domain::knowledge::Guardrail;
use crate::domain::mind::ask::{Explained, Explanation, Lesson};
use crate::domain::mind::evidence::FailedAttempt;
use crate::domain::mind::study::Reflected;
use pithead_world::ids::SubgoalId;

/// Explanations kept, the newest; more would crowd the planner's question.
const EXPLAINED_MAX: usize = 8;

impl State {
    pub(super) fn similar_failures_found(&mut self, subgoal: SubgoalId, earlier: &[FailedAttempt]) {
        self.open = None;
        self.phase = Phase::Choosing;
        let node = self.nodes.entry(subgoal).or_default();
        // Remembered, so that the same failures are not compared twice.
        node.compared = node.failures.len();
        node.earlier = earlier.to_vec();
    }

    pub(super) fn replan_started(&mut self, subgoal: SubgoalId) {
        self.counters.replans += 1;
        // What an earlier failure taught is no cause of this one.
        self.pending_lesson = None;
        self.replan_from(subgoal);
    }

    pub(super) fn lesson_learnt(&mut self, lesson: &Lesson) {
        self.pending_lesson = Some(lesson.clone());
        if let Phase::Attributing { subgoal, .. } = self.phase {
            self.replan_from(subgoal);
        }
    }

    pub(super) fn constraint_bound(&mut self, constraint: &Guardrail) {
        // It binds from now on, together with the plan that was made under it.
        let lesson = self.pending_lesson.take();
        if lesson.is_some_and(|lesson| lesson.is_guess) {
            self.guesses.push(constraint.clone());
        }
        self.lessons.push(constraint.clone());
    }

    pub(super) fn failure_explained(&mut self, subgoal: SubgoalId, explanation: &Explanation) {
        let step = self.plan.as_ref().and_then(|plan| plan.get(subgoal));
        if let Some(step) = step {
            let explained = Explained {
                step: step.clone(),
                explanation: explanation.clone(),
            };
            self.explain_to_planner(explained);
        }
        self.replan_from(subgoal);
    }

    /// Keeps an explanation for the next questions to the planner.
    fn explain_to_planner(&mut self, explained: Explained) {
        self.explained.push(explained);
        if self.explained.len() > EXPLAINED_MAX {
            self.explained.remove(0);
        }
    }

    /// The plan is kept, and the step tried once more; or the planner is told why not.
    pub(super) fn plan_reflected(&mut self, reflected: &Reflected) {
        let node = self.nodes.entry(reflected.subgoal).or_default();
        // From here on only further failures count.
        node.kept = node.failures.len();
        self.alarmed.insert(reflected.subgoal);
        if reflected.keeps {
            self.phase = Phase::Choosing;
            return;
        }
        let plan = self.plan.as_ref();
        if let Some(step) = plan.and_then(|plan| plan.get(reflected.subgoal)) {
            let reflection = &reflected.reflection;
            let explained = Explained {
                step: step.clone(),
                explanation: Explanation {
                    observed: reflection.deadlock.clone(),
                    explanation: reflection.next_time.join(" "),
                    missing: reflection.missing.clone(),
                    wrong_step: None,
                },
            };
            self.explain_to_planner(explained);
        }
        self.replan_from(reflected.subgoal);
    }
}
