//! The goals pane: the tree that the task was taken apart into, how far each goal is, and what was expected of the last
//! steps beside what became of them (GITM).
//!
//! ```text
//! ▶ iron_ingot ×3 · smelt with furnace of iron_ore
//!     question 2 of 30 · memory 3 of 5 (k1.7)
//! ```

use crate::screens::live::panes::pane::{Pane, open_selected, page_rows, scrolled_to};
use crate::screens::live::state::{LiveState, RunPage};
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::widgets::pane::{PaneContent, Room, scrolled_content};
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::scroll::Motion;
use pithead_core::text::clean::clean_line;
use pithead_engine::runtime::goals_record::{GoalLine, GoalState, GoalsRecord, StepLine};

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show,
    move_selection,
    open,
};

/// Steps shown below the tree; the page has all.
const STEPS_SHOWN: usize = 4;

pub fn show(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    let Some(record) = &view.system.goals else {
        return PaneContent::default();
    };
    let reached = record.goals.iter();
    let reached = reached
        .filter(|goal| goal.state == GoalState::Reached)
        .count();
    PaneContent {
        title: format!("{reached}/{} reached", record.goals.len()),
        ..scrolled_content(lines(record, room.width), ui.goals_scroll, room)
    }
}

/// The goal at hand with its last steps first, then the tree.
fn lines(record: &GoalsRecord, width: usize) -> Vec<Rich> {
    let mut lines = Vec::new();
    if let Some(at) = record.current() {
        push_goal(&mut lines, record, &record.goals[at], 0, width);
        let tried = record.steps.iter().filter(|step| step.success.is_some());
        let tried: Vec<&StepLine> = tried.collect();
        for step in &tried[tried.len().saturating_sub(STEPS_SHOWN)..] {
            push_step(&mut lines, step, width);
        }
    }
    for goal in &record.goals {
        lines.push(tree_line(record, goal, width));
    }
    lines
}

/// All of it, for a page.
#[must_use]
pub(crate) fn page_lines(record: &GoalsRecord, width: usize) -> Vec<Rich> {
    let mut lines = Vec::new();
    for goal in &record.goals {
        push_goal(&mut lines, record, goal, goal.depth, width);
    }
    for step in &record.steps {
        push_step(&mut lines, step, width);
    }
    lines
}

fn sign(state: GoalState) -> (Role, &'static str) {
    match state {
        GoalState::Waiting => (Role::Faint, "○"),
        GoalState::Current => (Role::Running, "▶"),
        GoalState::Reached => (Role::Good, "●"),
    }
}

fn tree_line(record: &GoalsRecord, goal: &GoalLine, width: usize) -> Rich {
    let (role, sign) = sign(goal.state);
    let indent = "  ".repeat(usize::from(goal.depth));
    let memory = record.memory_of(goal).map_or(String::new(), |memory| {
        format!(" {}/{}", memory.successes, memory.wanted)
    });
    Rich::text(role, format!("{sign} "))
        .and(
            Role::Text,
            format!("{indent}{} ×{}", goal.object, goal.count),
        )
        .with_right(Rich::text(Role::Faint, memory), width)
}

fn push_goal(out: &mut Vec<Rich>, record: &GoalsRecord, goal: &GoalLine, depth: u16, width: usize) {
    let (role, sign) = sign(goal.state);
    let indent = "  ".repeat(usize::from(depth));
    let words = clean_line(&goal.describe());
    paragraph(
        out,
        Rich::text(role, format!("{sign} {indent}")),
        Role::Text,
        &words,
        width,
    );
    let effort = record.describe_effort(goal);
    if !effort.is_empty() {
        paragraph(
            out,
            Rich::text(Role::Faint, format!("  {indent}")),
            Role::Faint,
            &effort,
            width,
        );
    }
}

/// What was expected, and what came of it.
fn push_step(out: &mut Vec<Rich>, step: &StepLine, width: usize) {
    let (role, sign) = match step.success {
        None => (Role::Faint, "·"),
        Some(true) => (Role::Good, "✔"),
        Some(false) => (Role::Bad, "✗"),
    };
    let words = clean_line(&step.step);
    out.push(
        Rich::text(role, format!("  {sign} "))
            .and(Role::Text, words)
            .cut(width),
    );
    for (name, said) in [
        ("expected ", &step.expectation),
        ("became   ", &step.feedback),
    ] {
        if let Some(said) = said {
            let before = Rich::text(Role::Faint, format!("    {name}"));
            paragraph(out, before, Role::Text, &clean_line(said), width);
        }
    }
}

fn move_selection(shell: &mut Shell, _: &View, motion: Motion) {
    let page = page_rows(shell);
    shell.live.goals_scroll = scrolled_to(shell.live.goals_scroll, page, motion);
}

fn open(shell: &mut Shell, view: &View) {
    open_selected(shell, view.system.goals.as_ref().map(|_| RunPage::Goals));
}
