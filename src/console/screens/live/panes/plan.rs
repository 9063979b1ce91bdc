//! The plan pane: each node with state, attempts, last failure, time, and what the last replan did (`+`, `-`, `~`).
//!
//! ```text
//! ✔ 4  mine cobblestone ×11                14 s
//! ✗ 6  mine iron_ore ×3    NAV_STUCK ↻2    90 s
//!      ✗ a7 NAV_STUCK                     45 s
//! ┆-7  smelt iron_ingot ×3             replaced
//! ```

use crate::screens::live::panes::pane::{Pane, open_selected, page_rows};
use crate::screens::live::select;
use crate::screens::live::state::{LiveState, RunPage};
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::view::diff::DiffSign;
use crate::view::plan::{GoalView, NodeState, NodeView, TryView};
use crate::widgets::pane::{PaneContent, Room, rows_around};
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::scroll::{Motion, moved};
use pithead_core::text::numbers::format_ticks;

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show,
    move_selection,
    open,
};

pub fn show(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    let nodes = select::nodes(view, ui);
    let Some(row) = select::node_row(view, ui, &nodes) else {
        return PaneContent {
            lines: no_plan(view, room.width),
            ..PaneContent::default()
        };
    };
    let digits = nodes
        .iter()
        .map(|n| n.id.0.to_string().len())
        .max()
        .unwrap_or(1);
    let rows = rows(view, ui, &nodes);
    let selected = |at: &PlanRow<'_>| matches!(at, PlanRow::Node(node) if node.id == nodes[row].id);
    let place = rows.iter().position(selected).unwrap_or_default();
    let shown = rows_around(rows.len(), place, room, |at| match rows[at] {
        PlanRow::Goal(goal) => goal_line(goal, room.width),
        PlanRow::Node(node) => line(node, digits, view, ui, room.width),
        PlanRow::Try(node, past) => try_line(node, past, digits, room.width),
    });
    let (done, all) = view.plan.progress();
    let revision = view
        .plan
        .revision
        .map_or(String::new(), |r| format!("{r} · "));
    let turned = view.plan.replan.map_or(String::new(), |turn| {
        let changed = if turn.changed > 0 {
            format!(" ~{}", turn.changed)
        } else {
            String::new()
        };
        format!(
            " · +{} -{}{changed} ={}",
            turn.added, turn.removed, turn.kept
        )
    });
    PaneContent {
        title: format!("{revision}{done}/{all} done{turned}"),
        ..shown
    }
}

/// Before the first plan holds; one that waits for the operator is named with the key that opens it.
fn no_plan(view: &View, width: usize) -> Vec<Rich> {
    let asked = view
        .inbox
        .open
        .iter()
        .find(|open| open.question.kind.blocks_run());
    let Some(asked) = asked else {
        return vec![Rich::text(Role::Faint, "no plan yet")];
    };
    let mut out = Vec::new();
    let words = format!("{} waits for you: i reads it", asked.title());
    paragraph(&mut out, Rich::new(), Role::Notice, &words, width);
    out
}

/// What stands in one line: a goal of the task, a node of the plan, or an attempt at it.
#[derive(Debug, Clone, Copy)]
enum PlanRow<'a> {
    Goal(&'a GoalView),
    Node(&'a NodeView),
    Try(&'a NodeView, &'a TryView),
}

/// The goals, then the nodes, each with its attempts if they are open.
fn rows<'a>(view: &'a View, ui: &LiveState, nodes: &[&'a NodeView]) -> Vec<PlanRow<'a>> {
    // They have a pane of their own where each is planned for.
    let goals = view.plan.goals.iter();
    let goals = goals.filter(|_| view.system.goals.is_none());
    let mut rows: Vec<PlanRow<'a>> = goals.map(PlanRow::Goal).collect();
    for node in nodes {
        rows.push(PlanRow::Node(node));
        if ui.opened.contains(&node.id) {
            rows.extend(node.tries.iter().map(|past| PlanRow::Try(node, past)));
        }
    }
    rows
}

fn goal_line(goal: &GoalView, width: usize) -> Rich {
    let (role, sign) = match goal.is_reached {
        true => (Role::Good, "●"),
        false => (Role::Faint, "○"),
    };
    let indent = "  ".repeat(usize::from(goal.depth));
    let object = goal
        .goal
        .object
        .map_or_else(String::new, |item| item.to_string());
    let count = match goal.goal.count {
        0 | 1 => String::new(),
        n => format!(" ×{n}"),
    };
    Rich::text(role, format!("{sign} "))
        .and(Role::Faint, format!("{indent}goal "))
        .and(Role::Text, format!("{object}{count}"))
        .cut(width)
}

fn try_line(node: &NodeView, past: &TryView, digits: usize, width: usize) -> Rich {
    let indent = " ".repeat(digits + 3 + 2 * usize::from(node.depth));
    let (role, sign, words) = match (past.succeeded, past.reason) {
        (true, _) => (Role::Good, "✔", "done"),
        (false, Some(reason)) => (Role::Bad, "✗", reason.name()),
        (false, None) if node.state == NodeState::NotDone => (Role::Faint, "✗", "not done"),
        (false, None) => (Role::Faint, CALLED_OFF, "called off"),
    };
    let left = Rich::text(Role::Faint, indent)
        .and(role, format!("{sign} "))
        .and(Role::Faint, format!("{} ", past.attempt))
        .and(role, words);
    let ticks = format!("{:>6}", format_ticks(past.ticks));
    left.with_right(Rich::text(Role::Faint, ticks), width)
}

fn line(node: &NodeView, digits: usize, view: &View, ui: &LiveState, width: usize) -> Rich {
    let (role, sign) = sign(node.state);
    let children = view
        .plan
        .nodes
        .iter()
        .any(|n| n.subgoal.parent == Some(node.id));
    let fold = match (children, ui.folded.contains(&node.id)) {
        (true, true) => "▸ ",
        (true, false) => "▾ ",
        (false, _) if ui.opened.contains(&node.id) => "▾ ",
        (false, _) => "",
    };
    let text = match node.state {
        NodeState::Replaced => Role::Ghost,
        NodeState::Running | NodeState::Selected => Role::Running,
        NodeState::Done
        | NodeState::Waiting
        | NodeState::Failed
        | NodeState::CutShort
        | NodeState::NotDone
        | NodeState::CalledOff => Role::Text,
    };
    let indent = "  ".repeat(usize::from(node.depth));
    let left = Rich::text(role, sign)
        .and(mark(node.mark).0, mark(node.mark).1)
        .and(Role::Faint, format!("{:>digits$} ", node.id.0))
        .and(Role::Faint, format!("{indent}{fold}"))
        .and(text, &node.label);
    // What a step is goes before how often and why it failed, unless it has just failed.
    let needed = match node.state {
        NodeState::Failed => left.width().min(NAME_OF_FAILED),
        _ => left.width(),
    };
    let room = width.saturating_sub(needed + 1);
    let rights = [(true, true), (false, true), (false, false)];
    let rights = rights.map(|(reason, tries)| right(node, view, reason, tries));
    let fits = rights.iter().position(|right| right.width() <= room);
    let [full, _, least] = &rights;
    let right = match fits {
        Some(at) => rights[at].clone(),
        None if node.state == NodeState::Failed => full.clone(),
        None => least.clone(),
    };
    left.with_right(right, width)
}

/// Columns that the sign, number and name of a failed step keep beside its reason.
const NAME_OF_FAILED: usize = 22;

fn right(node: &NodeView, view: &View, with_reason: bool, with_tries: bool) -> Rich {
    let mut out = Rich::new();
    if let Some(reason) = node.failures.last().filter(|_| with_reason) {
        out.add(Role::Bad, format!("{} ", reason.name()));
    }
    if node.attempts > 1 && with_tries {
        out.add(Role::Faint, format!("↻{} ", node.attempts));
    }
    let running = view
        .attempt
        .as_ref()
        .filter(|a| !a.over && a.subgoal.id == node.id);
    let ticks = node.ticks + running.map_or(0, |attempt| attempt.elapsed(view.tick));
    match node.state {
        // The sign says it too; the room is for the reason.
        NodeState::Replaced if node.attempts > 0 || !with_tries => out,
        NodeState::Replaced => out.and(Role::Faint, "replaced"),
        _ if ticks > 0 => out.and(Role::Faint, format!("{:>6}", format_ticks(ticks))),
        NodeState::Done => out.and(Role::Faint, format!("{:>6}", "0 s")),
        NodeState::CutShort => out.and(Role::Faint, "cut short"),
        NodeState::NotDone => out.and(Role::Faint, "not done"),
        NodeState::CalledOff => out.and(Role::Faint, "called off"),
        NodeState::Waiting | NodeState::Selected | NodeState::Running | NodeState::Failed => out,
    }
}

/// What the last replan did to a node.
fn mark(sign: DiffSign) -> (Role, &'static str) {
    match sign {
        DiffSign::Kept => (Role::Text, " "),
        DiffSign::Added => (Role::Added, "+"),
        DiffSign::Removed => (Role::Removed, "-"),
        DiffSign::Changed => (Role::Strong, "~"),
    }
}

/// The glyph of a state; it says what the colour says.
#[must_use]
pub fn sign(state: NodeState) -> (Role, &'static str) {
    match state {
        NodeState::Waiting => (Role::Faint, "·"),
        NodeState::Selected => (Role::Running, "▷"),
        NodeState::Running => (Role::Running, "▶"),
        NodeState::Failed => (Role::Bad, "✗"),
        NodeState::Done => (Role::Good, "✔"),
        NodeState::Replaced => (Role::Faint, "┆"),
        NodeState::CutShort => (Role::Faint, "■"),
        NodeState::NotDone => (Role::Faint, "✗"),
        NodeState::CalledOff => (Role::Faint, CALLED_OFF),
    }
}

/// The operator ended it; it is no failure.
const CALLED_OFF: &str = "⊘";

fn move_selection(shell: &mut Shell, view: &View, motion: Motion) {
    let page = page_rows(shell);
    let nodes = select::nodes(view, &shell.live);
    if let Some(row) = select::node_row(view, &shell.live, &nodes) {
        shell.live.node = Some(nodes[moved(row, nodes.len(), page, motion)].id);
    }
}

fn open(shell: &mut Shell, view: &View) {
    let nodes = select::nodes(view, &shell.live);
    let row = select::node_row(view, &shell.live, &nodes);
    open_selected(shell, row.map(|row| RunPage::Node(nodes[row].id)));
}
