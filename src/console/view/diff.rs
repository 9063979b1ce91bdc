//! The difference that a proposed plan makes to the plan in force, as lines to read.

use crate::view::plan::{NodeState, PlanView, label};
use pithead_core::domain::plan::Plan;
use pithead_world::ids::SubgoalId;

/// What happens to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffSign {
    Kept,
    Added,
    Removed,
    /// Same node, other words or counts.
    Changed,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub struct DiffLine {
    pub sign: DiffSign,
    pub id: SubgoalId,
    pub text: String,
}

/// Removed nodes first, then the proposed order.
#[must_use]
pub fn diff(now: &PlanView, proposed: &Plan) -> Vec<DiffLine> {
    let open = |state: NodeState| !matches!(state, NodeState::Done | NodeState::Replaced);
    let removed = now
        .nodes
        .iter()
        .filter(|n| open(n.state) && proposed.get(n.id).is_none());
    let mut lines: Vec<DiffLine> = removed
        .map(|node| DiffLine {
            sign: DiffSign::Removed,
            id: node.id,
            text: node.label.clone(),
        })
        .collect();
    for subgoal in &proposed.subgoals {
        let text = label(subgoal);
        let sign = match now.node(subgoal.id) {
            Some(node) if node.label == text && node.subgoal.checks == subgoal.checks => {
                DiffSign::Kept
            }
            Some(_) => DiffSign::Changed,
            None => DiffSign::Added,
        };
        lines.push(DiffLine {
            sign,
            id: subgoal.id,
            text,
        });
    }
    lines
}
