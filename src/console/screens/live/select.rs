//! Selections: which rows a pane has, which of them is selected.
//!
//! Invariant: a selection whose object is gone falls back to following.

use crate::screens::live::state::LiveState;
use crate::view::View;
use crate::view::plan::NodeView;
use pithead_world::ids::SubgoalId;

/// The nodes that are not folded away.
#[must_use]
pub fn nodes<'a>(view: &'a View, ui: &LiveState) -> Vec<&'a NodeView> {
    let all = &view.plan.nodes;
    all.iter()
        .filter(|node| !is_hidden(all, node, ui))
        .collect()
}

/// As deep as a plan may nest before the walk up is given up (a cycle in what a mind wrote).
const ANCESTORS_MAX: usize = 64;

fn is_hidden(all: &[NodeView], node: &NodeView, ui: &LiveState) -> bool {
    let mut parent = node.subgoal.parent;
    for _ in 0..ANCESTORS_MAX {
        let Some(id) = parent.filter(|_| !ui.folded.is_empty()) else {
            return false;
        };
        if ui.folded.contains(&id) {
            return true;
        }
        parent = all
            .iter()
            .find(|n| n.id == id)
            .and_then(|n| n.subgoal.parent);
    }
    false
}

/// The selected node's row among `nodes`.
#[must_use]
pub fn node_row(view: &View, ui: &LiveState, nodes: &[&NodeView]) -> Option<usize> {
    let row = |id: SubgoalId| nodes.iter().position(|node| node.id == id);
    let current = || {
        view.plan
            .current()
            .and_then(|at| row(view.plan.nodes[at].id))
    };
    ui.node
        .and_then(row)
        .or_else(current)
        .or_else(|| nodes.len().checked_sub(1))
}

/// The selected question's place in the inbox; at first the one that the run waits on, else the
/// oldest.
#[must_use]
pub fn question_row(view: &View, ui: &LiveState) -> Option<usize> {
    let open = &view.inbox.open;
    let selected = ui
        .question
        .and_then(|id| open.iter().position(|o| o.question.id == id));
    let blocking = || open.iter().position(|o| o.question.kind.blocks_run());
    selected
        .or_else(blocking)
        .or_else(|| (!open.is_empty()).then_some(0))
}

/// The selected entry's place in the knowledge in use.
#[must_use]
pub fn entry_row(view: &View, ui: &LiveState) -> Option<usize> {
    let items = &view.knowledge.items;
    let selected = ui
        .entry
        .and_then(|id| items.iter().position(|item| item.id == id));
    selected.or_else(|| (!items.is_empty()).then_some(0))
}

/// The selected question to the mind; the newest when following.
#[must_use]
pub fn asked_row(view: &View, ui: &LiveState) -> Option<usize> {
    let selected = ui.asked.and_then(|seq| view.mind.row(seq));
    selected.or_else(|| view.mind.questions.len().checked_sub(1))
}

/// The selected event's place among the lines in sight, which are places in the timeline; the newest when following.
#[must_use]
pub fn line_row(view: &View, ui: &LiveState, in_sight: &[usize]) -> Option<usize> {
    let lines = &view.timeline.lines;
    let selected = ui
        .line
        .and_then(|seq| in_sight.iter().position(|at| lines[*at].seq >= seq));
    selected.or_else(|| in_sight.len().checked_sub(1))
}
