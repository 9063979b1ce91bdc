//! Relevant entries: what the knowledge in use says about a step, for it or against it.
//!
//! Invariant: only entries that the profile lets act are consulted.

use super::state::State;
use crate::domain::condition::situation::Situation;
use crate::domain::experience::Experience;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::knowledge::hindsight;
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

/// Skills of one step that a failure contradicts: what they require was there, and yet something was missing.
/// For a longer skill one failure does not say which step is wrong.
pub(super) fn skills_contradicted_by(state: &State, failed: &Experience) -> Vec<KnowledgeId> {
    let lacked = matches!(
        failed.diagnosis.reason,
        Some(FailureReason::ToolMissing | FailureReason::ActionInvalid)
    );
    if !lacked {
        return Vec::new();
    }
    let now = hindsight::situation(&failed.pre, &failed.action);
    let is_contradicted = |entry: &&Entry| match &entry.body {
        Body::Skill(skill) => {
            skill.steps.len() == 1
                && failed.action.goal.object == Some(skill.goal)
                && skill.steps[0].task_kind == failed.action.task_kind
                && skill.requires.truth(&now).is_true()
        }
        Body::Guardrail(_)
        | Body::TaskGuardrail(_)
        | Body::Rule(_)
        | Body::ReferencePlan(_)
        | Body::Note(_) => false,
    };
    let contradicted = state.visible().filter(is_contradicted);
    contradicted.map(|entry| entry.id).collect()
}
