//! A node of the plan in full: what it is, what came of it, and its checks as they stand.

use crate::theme::Role;
use crate::view::View;
use crate::view::plan::{NodeState, NodeView};
use crate::widgets::rich::Rich;
use pithead_core::domain::plan::{Mode, Subgoal};
use pithead_core::text::numbers::{count_with_noun, format_ticks};
use pithead_world::ids::SubgoalId;

#[must_use]
pub fn node_lines(id: SubgoalId, view: &View, width: usize) -> Vec<Rich> {
    let Some(node) = view.plan.node(id) else {
        return vec![Rich::text(
            Role::Faint,
            format!("{id} is no longer in the plan."),
        )];
    };
    let mut out = vec![Rich::text(Role::Strong, format!("{id} {}", node.label)).cut(width)];
    crate::widgets::page::heading(&mut out, "What became of it");
    crate::widgets::page::field(&mut out, "state", state_word(node.state), width);
    crate::widgets::page::field(&mut out, "attempts", &node.attempts.to_string(), width);
    if node.ticks > 0 {
        let ticks = count_with_noun(node.ticks, "tick", "ticks");
        crate::widgets::page::field(
            &mut out,
            "time",
            &format!("{} ({ticks})", format_ticks(node.ticks)),
            width,
        );
    }
    for (at, reason) in node.failures.iter().enumerate() {
        crate::widgets::page::field(
            &mut out,
            &format!("failure {}", at + 1),
            reason.name(),
            width,
        );
    }
    if let Some(failure) = &node.last_failure {
        crate::widgets::page::field(&mut out, "last one", failure, width);
    }
    crate::widgets::page::field(&mut out, "since plan", &node.since.to_string(), width);
    crate::widgets::page::heading(&mut out, "What it is");
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
        NodeState::NotDone => "not done; an act is not tried again",
        NodeState::CalledOff => "called off by the operator",
    }
}

/// The fields of a subgoal.
pub(crate) fn subgoal(out: &mut Vec<Rich>, subgoal: &Subgoal, width: usize) {
    crate::widgets::page::field(out, "  what", &subgoal.condition, width);
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
    crate::widgets::page::field(out, "  how", &how, width);
    if let Some(tool) = subgoal.goal.tool {
        crate::widgets::page::field(out, "  with", tool.name(), width);
    }
    if !subgoal.needs.is_empty() {
        let needs: Vec<String> = subgoal.needs.iter().map(ToString::to_string).collect();
        crate::widgets::page::field(out, "  after", &needs.join(", "), width);
    }
    if let Some(rationale) = &subgoal.rationale {
        crate::widgets::page::field(out, "  because", rationale, width);
    }
    for check in &subgoal.checks {
        crate::widgets::page::field(out, "  done when", &check.describe(), width);
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
    crate::widgets::page::heading(out, "Its checks now");
    out.extend(crate::screens::live::panes::monitor::readings(
        &attempt.readings(frame),
        width,
    ));
}
