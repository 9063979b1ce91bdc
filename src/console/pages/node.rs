//! A node of the plan in full: what it is, what came of it, and its checks as they stand.

use crate::rich::Rich;
use crate::theme::Role;
use crate::view::View;
use crate::view::plan::{NodeState, NodeView};
use pithead_core::domain::plan::{Mode, Subgoal};
use pithead_core::text::numbers::{format_count, format_ticks};
use pithead_world::ids::SubgoalId;

#[must_use]
pub fn lines(id: SubgoalId, view: &View, width: usize) -> Vec<Rich> {
    let Some(node) = view.plan.node(id) else {
        return vec![Rich::of(
            Role::Faint,
            format!("{id} is not in the plan any more."),
        )];
    };
    let mut out = vec![Rich::of(Role::Strong, format!("{id} {}", node.label)).cut(width)];
    super::heading(&mut out, "What became of it");
    super::field(&mut out, "state", state_word(node.state), width);
    super::field(&mut out, "attempts", &node.attempts.to_string(), width);
    if node.ticks > 0 {
        let ticks = format_count(node.ticks);
        super::field(
            &mut out,
            "time",
            &format!("{} ({ticks} ticks)", format_ticks(node.ticks)),
            width,
        );
    }
    for (at, reason) in node.failures.iter().enumerate() {
        super::field(
            &mut out,
            &format!("failure {}", at + 1),
            reason.name(),
            width,
        );
    }
    if let Some(failure) = &node.last_failure {
        super::field(&mut out, "last one", failure, width);
    }
    super::field(&mut out, "since plan", &node.since.to_string(), width);
    super::heading(&mut out, "What it is");
    subgoal(&mut out, &node.subgoal, width);
    checks(&mut out, node, view, width);
    out
}

/// The state in words.
#[must_use]
pub fn state_word(state: NodeState) -> &'static str {
    match state {
        NodeState::Waiting => "to come",
        NodeState::Selected => "chosen",
        NodeState::Running => "under way",
        NodeState::Failed => "failed",
        NodeState::Done => "done",
        NodeState::Replaced => "replaced by a replan",
        NodeState::CutShort => "cut short: the run ended",
    }
}

/// The fields of a subgoal.
pub(super) fn subgoal(out: &mut Vec<Rich>, subgoal: &Subgoal, width: usize) {
    super::field(out, "  what", &subgoal.condition, width);
    let mode = if subgoal.mode == Mode::Stay {
        ", without leaving the spot"
    } else {
        ""
    };
    let how = format!(
        "{}{mode}, at most {} s",
        subgoal.task_kind.name(),
        subgoal.timeout_s
    );
    super::field(out, "  how", &how, width);
    if let Some(tool) = subgoal.goal.tool {
        super::field(out, "  with", tool.name(), width);
    }
    if !subgoal.needs.is_empty() {
        let needs: Vec<String> = subgoal.needs.iter().map(ToString::to_string).collect();
        super::field(out, "  after", &needs.join(", "), width);
    }
    if let Some(rationale) = &subgoal.rationale {
        super::field(out, "  because", rationale, width);
    }
    for check in &subgoal.checks {
        super::field(out, "  done when", &check.describe(), width);
    }
}

fn checks(out: &mut Vec<Rich>, node: &NodeView, view: &View, width: usize) {
    let attempt = view
        .attempt
        .as_ref()
        .filter(|attempt| attempt.subgoal.id == node.id);
    let (Some(attempt), Some(frame)) = (attempt, &view.frame) else {
        return;
    };
    super::heading(out, "Its checks now");
    out.extend(crate::panes::monitor::readings(
        &attempt.readings(frame),
        width,
    ));
}
