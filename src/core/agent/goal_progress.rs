//! Progress through the goals under a task, for systems that plan goal by goal (GITM).

use crate::domain::mind::plan_part::ActionFeedback;
use pithead_world::family::ItemSpec;

/// Feedback kept, the newest; more would crowd the question.
const FEEDBACK_MAX: usize = 8;

/// How far the goals are reached, and what became of the actions for the present one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GoalProgress {
    /// Goals that were held when their turn came, the last one last.
    pub reached: Vec<ItemSpec>,
    /// Questions put about the present goal.
    pub questions: u32,
    /// What became of its actions, oldest first.
    pub feedback: Vec<ActionFeedback>,
}

impl GoalProgress {
    pub(super) fn has_reached(&mut self, goal: ItemSpec) {
        self.reached.push(goal);
        self.questions = 0;
        self.feedback.clear();
    }

    pub(super) fn note(&mut self, feedback: ActionFeedback) {
        if self.feedback.len() >= FEEDBACK_MAX {
            self.feedback.remove(0);
        }
        self.feedback.push(feedback);
    }
}
