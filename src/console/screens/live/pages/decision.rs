//! A question in full: what is asked, why, what it would change, and what else is known of it.

use crate::theme::Role;
use crate::view::diff::{DiffLine, DiffSign};
use crate::view::inbox::{Content, Open};
use crate::view::{ProposedPlan, View};
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::domain::plan::note::Severity;
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::text::numbers::{count_with_noun, format_count};
use pithead_world::ids::SubgoalId;

/// Done steps in a row that are shown one by one.
const DONE_SHOWN_MAX: usize = 3;
/// Deepest indent shown.
const DEPTH_MAX: usize = 8;

#[must_use]
pub fn decision_lines(open: &Open, view: &View, width: usize) -> Vec<Rich> {
    let mut out = Vec::new();
    out.push(Rich::text(Role::Strong, open.title()).cut(width));
    let asked = format!(
        "asked at tick {} · {}",
        format_count(open.tick),
        open.blocks()
    );
    out.push(Rich::text(Role::Faint, asked));
    match &open.content {
        Content::Plan { proposal, diff } => plan(&mut out, proposal, diff, view, width),
        Content::Knowledge(entry) => {
            crate::widgets::entry::push_entry_body(&mut out, entry, width);
        }
        Content::Risk { subgoal, risk } => {
            crate::widgets::page::heading(&mut out, "The risk");
            paragraph(&mut out, Rich::new(), Role::Bad, risk, width);
            if let Some(subgoal) = subgoal {
                crate::widgets::page::heading(&mut out, "The step");
                crate::screens::live::pages::node::subgoal(&mut out, subgoal, width);
            }
        }
        Content::End { outcome, because } => {
            crate::widgets::page::heading(&mut out, "The run would end");
            let word = if *outcome == Outcome::Success {
                "as a success"
            } else {
                "without success"
            };
            crate::widgets::page::field(&mut out, "outcome", word, width);
            crate::widgets::page::field(&mut out, "because", because, width);
            let veto = "A veto sends your reason to the planner, which plans anew.";
            paragraph(&mut out, Rich::new(), Role::Faint, veto, width);
        }
        Content::Budget { because } => {
            crate::widgets::page::heading(&mut out, "The mind's budget");
            paragraph(&mut out, Rich::new(), Role::Bad, because, width);
            let words =
                "Approval grants the budget once more. A veto ends the run without success.";
            paragraph(&mut out, Rich::new(), Role::Faint, words, width);
        }
        Content::Missing => {
            let text = "What this question is about was not recorded before it.";
            paragraph(&mut out, Rich::new(), Role::Bad, text, width);
        }
    }
    out
}

fn plan(
    out: &mut Vec<Rich>,
    proposal: &ProposedPlan,
    diff: &[DiffLine],
    view: &View,
    width: usize,
) {
    if let Some(subgoal) = proposal.replaces {
        crate::widgets::page::heading(out, "Why");
        let node = view.plan.node(subgoal);
        let label = node.map_or_else(|| subgoal.to_string(), |node| node.label.clone());
        crate::widgets::page::field(out, "after", &format!("{subgoal} {label}"), width);
        let failure = node.and_then(|node| node.last_failure.as_ref());
        match (&proposal.asked, failure) {
            // What was under way was called off for it, and did not fail.
            (Some(asked), _) => crate::widgets::page::field(out, "asked by", asked, width),
            (None, Some(failure)) => crate::widgets::page::field(out, "it failed", failure, width),
            (None, None) => (),
        }
        if let Some(cause) = &proposal.cause {
            crate::widgets::page::field(out, "the mind says", cause, width);
        }
    }
    crate::widgets::page::heading(out, "What changes");
    out.push(change_summary(diff));
    push_tree(out, diff, width);
    if !proposal.notes.is_empty() {
        crate::widgets::page::heading(out, "What the verifier says");
        for note in &proposal.notes {
            let (role, word) = match note.severity {
                Severity::Error => (Role::Bad, "✗ error    "),
                Severity::Warning => (Role::Notice, "! warning  "),
                Severity::Info => (Role::Faint, "· note     "),
            };
            paragraph(out, Rich::text(role, word), Role::Text, &note.text, width);
        }
    }
    let is_new = |id: SubgoalId| {
        let mut lines = diff.iter();
        lines.any(|line| line.id == id && matches!(line.sign, DiffSign::Added | DiffSign::Changed))
    };
    let steps = proposal.plan.subgoals.iter();
    let steps: Vec<_> = steps.filter(|step| is_new(step.id)).collect();
    if !steps.is_empty() {
        let many = count_with_noun(steps.len(), "step", "steps");
        crate::widgets::page::heading(out, &format!("New or changed, in full · {many}"));
    }
    for subgoal in steps {
        let label = crate::view::plan::label(subgoal);
        out.push(Rich::text(Role::Strong, format!("{} {label}", subgoal.id)).cut(width));
        crate::screens::live::pages::node::subgoal(out, subgoal, width);
    }
    for constraint in &proposal.plan.global_constraints {
        paragraph(
            out,
            Rich::text(Role::Faint, "constraint "),
            Role::Text,
            constraint,
            width,
        );
    }
}

/// The tree from top to bottom. Many steps in a row that are done and stay take one line.
fn push_tree(out: &mut Vec<Rich>, diff: &[DiffLine], width: usize) {
    for lines in diff.chunk_by(|a, b| a.is_done && b.is_done) {
        if let ([first, .., last], true) = (lines, lines.len() > DONE_SHOWN_MAX) {
            let ids = format!("{} … {}", first.id, last.id);
            let words = format!("✔ {ids}  {} steps are done and stay", lines.len());
            out.push(Rich::text(Role::Faint, words).cut(width));
            continue;
        }
        for line in lines {
            out.push(diff_line(line).cut(width));
            let indent = 11 + 2 * line.depth.min(DEPTH_MAX);
            for change in &line.changes {
                let lead = Rich::text(Role::Faint, " ".repeat(indent));
                paragraph(out, lead, Role::Text, change, width);
            }
        }
    }
}

/// `2 new · 1 changed · 3 left out · 5 stay`, or that nothing changes.
fn change_summary(diff: &[DiffLine]) -> Rich {
    let count = |sign| diff.iter().filter(|line| line.sign == sign).count();
    let parts = [
        (Role::Added, count(DiffSign::Added), "new"),
        (Role::Strong, count(DiffSign::Changed), "changed"),
        (Role::Removed, count(DiffSign::Removed), "left out"),
    ];
    if parts.iter().all(|(_, n, _)| *n == 0) {
        return Rich::text(Role::Notice, "Nothing changes: it is the plan in force.");
    }
    let mut out = Rich::new();
    for (role, n, word) in parts.into_iter().filter(|(_, n, _)| *n > 0) {
        out.add(role, format!("{n} {word}"));
        out.add(Role::Faint, " · ");
    }
    out.and(Role::Faint, format!("{} stay", count(DiffSign::Kept)))
}

/// One line of a difference.
#[must_use]
pub fn diff_line(line: &DiffLine) -> Rich {
    let (role, sign) = match line.sign {
        DiffSign::Kept => (Role::Text, "  "),
        DiffSign::Added => (Role::Added, "+ "),
        DiffSign::Removed => (Role::Removed, "- "),
        DiffSign::Changed => (Role::Strong, "~ "),
    };
    let (role, sign) = match line.is_done {
        true => (Role::Faint, "✔ "),
        false => (role, sign),
    };
    Rich::text(role, sign)
        .and(Role::Faint, format!("{:<7}", line.id.to_string()))
        .and(
            role,
            format!(
                "{:indent$}{}",
                "",
                line.text,
                indent = 2 * line.depth.min(DEPTH_MAX)
            ),
        )
}
