//! Relevant entries: what the knowledge in use says about a step, for it or against it.
//!
//! Invariant: only entries that the profile lets act are consulted.

use super::state::State;
use crate::domain::condition::situation::Situation;
use crate::domain::experience::Experience;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::knowledge::pattern;
use crate::domain::knowledge::{Body, Entry};
use crate::domain::plan::Subgoal;
use crate::knowledge::active;
use pithead_world::ids::KnowledgeId;

/// Entries that are about this subgoal.
pub(super) fn entries_about(state: &State, subgoal: &Subgoal) -> Vec<KnowledgeId> {
    let is_about = |body: &Body| match body {
        Body::Guardrail(guardrail) => pattern::fits(&guardrail.forbid, subgoal),
        Body::Skill(skill) => subgoal.goal.object == Some(skill.goal),
        // Only one that names its step: of the others no step can say whether it did any good.
        Body::TaskGuardrail(guardrail) => {
            let task = state.config().map(|config| &config.task);
            !guardrail.before.is_anything()
                && pattern::fits(&guardrail.before, subgoal)
                && task.is_some_and(|task| active::covers(&guardrail.task, task))
        }
        Body::Rule(_) | Body::ReferencePlan(_) | Body::Note(_) => false,
    };
    state
        .in_use()
        .filter(|entry| is_about(&entry.body))
        .map(|entry| entry.id)
        .collect()
}

/// The active guardrail that forbids the subgoal as things stand.
pub(super) fn guardrail_forbidding(state: &State, subgoal: &Subgoal) -> Option<KnowledgeId> {
    let frame = state.frame.as_deref()?;
    let situation = Situation::of(frame).pursuing(subgoal);
    state.blocking().find_map(|entry| match &entry.body {
        Body::Guardrail(guardrail) => pattern::forbids(guardrail, subgoal, &situation)
            .is_true()
            .then_some(entry.id),
        Body::Skill(_)
        | Body::TaskGuardrail(_)
        | Body::Rule(_)
        | Body::ReferencePlan(_)
        | Body::Note(_) => None,
    })
}

/// Of the skills and plans that a failed step followed those that it speaks against: something was missing, or was the
/// wrong thing. Bad luck, the night and the terrain speak against none.
pub(super) fn blamed_for(failed: &Experience, state: &State) -> Vec<KnowledgeId> {
    let lacked = matches!(
        failed.diagnosis.reason,
        Some(FailureReason::ToolMissing | FailureReason::ActionInvalid)
    );
    if !lacked {
        return Vec::new();
    }
    let shows_how = |entry: &&Entry| matches!(entry.body, Body::Skill(_) | Body::ReferencePlan(_));
    let followed = state
        .visible()
        .filter(|entry| failed.action.follows.contains(&entry.id));
    followed.filter(shows_how).map(|entry| entry.id).collect()
}
