//! The difference that a proposed plan makes to the plan in force, as one tree to read from top to bottom.

use crate::view::plan::{NodeState, NodeView, PlanView, label};
use pithead_core::domain::plan::{Plan, Subgoal};
use pithead_world::ids::SubgoalId;
use serde::{Deserialize, Serialize};

/// What happens to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DiffSign {
    Kept,
    Added,
    Removed,
    /// Same node, other words or counts.
    Changed,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiffLine {
    pub sign: DiffSign,
    pub id: SubgoalId,
    pub text: String,
    /// How deep it lies below other nodes.
    pub depth: usize,
    /// It is done already and stays so.
    pub is_done: bool,
    /// What is different about a changed node.
    pub changes: Vec<String>,
}

/// The proposed order, with what is left out of it where it stood.
#[must_use]
pub fn diff(now: &PlanView, proposed: &Plan) -> Vec<DiffLine> {
    let mut lines: Vec<DiffLine> = proposed
        .subgoals
        .iter()
        .map(|subgoal| proposed_line(now, proposed, subgoal))
        .collect();
    let mut next = 0;
    for node in &now.nodes {
        if node.state.is_gone() {
            continue;
        }
        let place = lines.iter().position(|line| line.id == node.id);
        let at = place.unwrap_or_else(|| {
            lines.insert(next, line_left_out(now, node));
            next
        });
        next = at + 1;
    }
    lines
}

fn proposed_line(now: &PlanView, proposed: &Plan, subgoal: &Subgoal) -> DiffLine {
    let node = now.node(subgoal.id);
    let changes = node.map_or_else(Vec::new, |node| changes(&node.subgoal, subgoal));
    let sign = match (node, changes.is_empty()) {
        (None, _) => DiffSign::Added,
        (Some(_), true) => DiffSign::Kept,
        (Some(_), false) => DiffSign::Changed,
    };
    let parents = |id: SubgoalId| proposed.get(id).and_then(|subgoal| subgoal.parent);
    DiffLine {
        sign,
        id: subgoal.id,
        text: label(subgoal),
        depth: depth(subgoal.parent, parents, proposed.subgoals.len()),
        is_done: node.is_some_and(|node| node.state == NodeState::Done),
        changes,
    }
}

/// A node that the proposal does not name: done, or left out.
fn line_left_out(now: &PlanView, node: &NodeView) -> DiffLine {
    let is_done = node.state == NodeState::Done;
    let parents = |id: SubgoalId| now.node(id).and_then(|node| node.subgoal.parent);
    DiffLine {
        sign: match is_done {
            true => DiffSign::Kept,
            false => DiffSign::Removed,
        },
        id: node.id,
        text: node.label.clone(),
        depth: depth(node.subgoal.parent, parents, now.nodes.len()),
        is_done,
        changes: Vec::new(),
    }
}

/// Parents above a node; no more than there are nodes, for a proposal may name parents in a circle.
fn depth(
    parent: Option<SubgoalId>,
    parents: impl Fn(SubgoalId) -> Option<SubgoalId>,
    nodes: usize,
) -> usize {
    std::iter::successors(parent, |id| parents(*id))
        .take(nodes)
        .count()
}

/// What would act differently, in words; the reasons for a step and the words of its mind do not.
fn changes(old: &Subgoal, new: &Subgoal) -> Vec<String> {
    let mut out = Vec::new();
    let (was, is) = (label(old), label(new));
    if was != is {
        out.push(format!("was {was}"));
    }
    let checks = |subgoal: &Subgoal| {
        let described: Vec<String> = subgoal
            .checks
            .iter()
            .map(|check| check.describe())
            .collect();
        described.join(" and ")
    };
    if old.checks != new.checks {
        out.push(format!("done when {}; was {}", checks(new), checks(old)));
    }
    let needs = |subgoal: &Subgoal| match subgoal.needs.is_empty() {
        true => "nothing".to_owned(),
        false => {
            let ids: Vec<String> = subgoal.needs.iter().map(ToString::to_string).collect();
            ids.join(", ")
        }
    };
    if old.needs != new.needs {
        out.push(format!("needs {}; needed {}", needs(new), needs(old)));
    }
    if old.timeout_s != new.timeout_s {
        out.push(format!("{} s; had {} s", new.timeout_s, old.timeout_s));
    }
    let how = |subgoal: &Subgoal| (subgoal.executor_hint, subgoal.mode, subgoal.task_kind);
    let place = |subgoal: &Subgoal| (subgoal.parent, subgoal.alternatives.clone());
    if (how(old), place(old)) != (how(new), place(new)) || (was == is && old.goal != new.goal) {
        out.push("done in another way".to_owned());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{story, view_of};

    fn proposed(view: &crate::view::View) -> Plan {
        let nodes = view.plan.nodes.iter();
        let real = nodes.filter(|node| node.state != NodeState::Replaced);
        Plan {
            plan_id: "p".to_owned(),
            subgoals: real.map(|node| (*node.subgoal).clone()).collect(),
            global_constraints: Vec::new(),
            explanation: None,
            thoughts: None,
        }
    }

    #[test]
    fn a_plan_that_is_proposed_again_changes_nothing() {
        let view = view_of(&story());
        let lines = diff(&view.plan, &proposed(&view));
        assert!(lines.iter().all(|line| line.sign == DiffSign::Kept));
        assert!(lines[0].is_done && !lines[lines.len() - 1].is_done);
    }

    #[test]
    fn what_is_left_out_stands_where_it_stood_and_a_change_says_what_it_is() {
        let view = view_of(&story());
        let mut plan = proposed(&view);
        let gone = plan.subgoals.remove(5);
        plan.subgoals[5].timeout_s += 30;
        plan.subgoals[5].needs.clear();
        let lines = diff(&view.plan, &plan);
        assert_eq!((lines[5].id, lines[5].sign), (gone.id, DiffSign::Removed));
        assert_eq!(lines[6].sign, DiffSign::Changed);
        assert!(
            lines[6]
                .changes
                .iter()
                .any(|words| words == "120 s; had 90 s"),
            "{lines:?}"
        );
    }

    #[test]
    fn parents_in_a_circle_end() {
        let view = view_of(&story());
        let mut plan = proposed(&view);
        (plan.subgoals[0].parent, plan.subgoals[1].parent) =
            (Some(plan.subgoals[1].id), Some(plan.subgoals[0].id));
        assert!(
            diff(&view.plan, &plan)
                .iter()
                .all(|line| line.depth <= plan.subgoals.len())
        );
    }
}
