//! Selections: which rows a pane has, which of them is selected, and how keys move that.
//!
//! Invariant: a selection whose object is gone falls back to following.

use crate::screens::live::layout::Focus;
use crate::screens::live::state::LiveState;
use crate::shell::Shell;
use crate::view::View;
use crate::view::plan::NodeView;
use crate::widgets::scroll::{Motion, moved};
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

/// The selected event's place in the timeline; the newest when following.
#[must_use]
pub fn line_row(view: &View, ui: &LiveState) -> Option<usize> {
    let lines = &view.timeline.lines;
    let selected = ui
        .line
        .and_then(|seq| lines.iter().position(|line| line.seq >= seq));
    selected.or_else(|| lines.len().checked_sub(1))
}

/// Moves the selection of the focused pane.
pub fn move_in_pane(shell: &mut Shell, view: &View, motion: Motion) {
    let page = usize::from(shell.size.height / 2);
    let ui = &mut shell.live;
    match ui.focus {
        Focus::Plan => {
            let nodes = nodes(view, ui);
            let Some(row) = node_row(view, ui, &nodes) else {
                return;
            };
            ui.node = Some(nodes[moved(row, nodes.len(), page, motion)].id);
        }
        Focus::Inbox => {
            let Some(row) = question_row(view, ui) else {
                return;
            };
            let open = &view.inbox.open;
            ui.question = Some(open[moved(row, open.len(), page, motion)].question.id);
        }
        Focus::Knowledge => {
            let Some(row) = entry_row(view, ui) else {
                return;
            };
            let items = &view.knowledge.items;
            ui.entry = Some(items[moved(row, items.len(), page, motion)].id);
        }
        Focus::Timeline => {
            let Some(row) = line_row(view, ui) else {
                return;
            };
            let lines = &view.timeline.lines;
            let to = moved(row, lines.len(), page, motion);
            // At the last line the pane follows again.
            ui.line = (to + 1 < lines.len()).then(|| lines[to].seq);
        }
        Focus::Monitor => ui.monitor_scroll = scrolled(ui.monitor_scroll, page, motion),
        Focus::Diagnosis => ui.diagnosis_scroll = scrolled(ui.diagnosis_scroll, page, motion),
        Focus::Map => shift_map(ui, motion),
        // It shows what there is.
        Focus::View => {}
    }
}

/// Lines that a short pane can be scrolled; drawing stops at the last line.
const SCROLL_MAX: usize = 200;

fn scrolled(scroll: usize, page: usize, motion: Motion) -> usize {
    moved(scroll, SCROLL_MAX, page, motion)
}

/// Blocks that the map moves at a key.
const SHIFT: i32 = 4;
/// As far as the map may be moved off the agent.
const SHIFT_MAX: i32 = 4096;

fn shift_map(ui: &mut LiveState, motion: Motion) {
    let (x, z) = ui.map_shift;
    let (x, z) = match motion {
        Motion::Up => (x, z - SHIFT),
        Motion::Down => (x, z + SHIFT),
        Motion::Left => (x - SHIFT, z),
        Motion::Right => (x + SHIFT, z),
        Motion::PageUp => (x, z - 4 * SHIFT),
        Motion::PageDown => (x, z + 4 * SHIFT),
        Motion::Top | Motion::Bottom => (0, 0),
    };
    ui.map_shift = (
        x.clamp(-SHIFT_MAX, SHIFT_MAX),
        z.clamp(-SHIFT_MAX, SHIFT_MAX),
    );
}
