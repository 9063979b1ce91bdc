//! Recall queries: what is looked for among experiences, and the key by which likes are found.

use super::experience::Experience;
use super::plan::Subgoal;
use super::signature::Signature;
use super::state_card::StateCard;
use crate::world::family::ItemSpec;

/// What recall is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallQuery {
    /// The task, in words.
    pub task: String,
    pub state: Option<StateCard>,
    /// The item of the pending subgoal, or of the task.
    pub target: Option<ItemSpec>,
    /// The pending subgoal, where there is one.
    pub subgoal: Option<Subgoal>,
    /// Hits wanted.
    pub limit: usize,
}

/// h_cond: a number that is equal for attempts at the same thing with the same means, whatever
/// their words, counts and places.
#[must_use]
pub fn h_cond(subgoal: &Subgoal) -> Signature {
    let name = |spec: Option<ItemSpec>| spec.map_or("", ItemSpec::name);
    let goal = &subgoal.goal;
    let parts = [
        subgoal.task_kind.name(),
        name(goal.object),
        name(goal.material),
        name(goal.tool),
    ];
    Signature::of(&parts.join("|"))
}

/// The words by which an experience is found.
#[must_use]
pub fn words(experience: &Experience) -> String {
    let action = &experience.action;
    let target = action.goal.object.map_or("", ItemSpec::name);
    let parts = [
        &experience.task,
        &action.condition,
        target,
        &experience.pre.biome,
    ];
    parts
        .into_iter()
        .chain(experience.tags.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join(" ")
}
