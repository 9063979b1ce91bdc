//! What decomposer, explainer and summariser said: words that guide, and bind nothing.

use super::super::state::{Phase, Planning, State};
use crate::domain::experience::Experience;
use crate::domain::mind::ask::{Explained, Explanation, Told};
use crate::domain::run::event::{Event, RunConfig};
use pithead_world::ids::SubgoalId;

/// Explanations kept, the newest.
const EXPLAINED_MAX: usize = 8;
/// Attempts kept for the summary, the newest.
const TOLD_MAX: usize = 64;

impl State {
    pub(super) fn guide_changed(&mut self, event: &Event) {
        match event {
            Event::GoalTakenApart { apart } => {
                self.goals.push(apart.clone());
                self.phase = match std::mem::take(&mut self.phase) {
                    Phase::Decomposing { planning, .. } => Phase::ToPlan(planning),
                    other => other,
                };
            }
            Event::FailureExplained {
                subgoal,
                explanation,
            } => self.failure_explained(*subgoal, explanation),
            // Kept in the journal; the run ends right after.
            Event::RunRecounted { .. } => (),
            _ => unreachable!("only words that guide are sent here"),
        }
    }

    fn failure_explained(&mut self, subgoal: SubgoalId, explanation: &Explanation) {
        let step = self.plan.as_ref().and_then(|plan| plan.get(subgoal));
        if let Some(step) = step {
            let explained = Explained {
                step: step.clone(),
                explanation: explanation.clone(),
            };
            self.explain_to_planner(explained);
        }
        self.phase = Phase::ToPlan(Planning {
            replaces: Some(subgoal),
            ..Planning::default()
        });
    }

    /// Keeps an explanation for the next questions to the planner.
    pub(super) fn explain_to_planner(&mut self, explained: Explained) {
        self.explained.push(explained);
        if self.explained.len() > EXPLAINED_MAX {
            self.explained.remove(0);
        }
    }

    /// Keeps what the summary of the run, and a look back at it, will be about.
    pub(super) fn tell(&mut self, experience: &Experience) {
        let wanted =
            |c: &RunConfig| c.profile.summarise || c.profile.reflect || !c.distillers.is_empty();
        if !self.config().is_some_and(wanted) {
            return;
        }
        if self.told.len() >= TOLD_MAX {
            self.told.remove(0);
        }
        self.told.push(Told {
            id: experience.id,
            step: experience.action.label(),
            success: experience.diagnosis.success,
            reason: experience.diagnosis.reason,
            summary: experience.diagnosis.summary.clone(),
        });
    }
}
