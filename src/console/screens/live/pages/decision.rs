//! A question in full: what is asked, why, what it would change, and what else is known of it.

use crate::theme::Role;
use crate::view::diff::{DiffLine, DiffSign};
use crate::view::inbox::{Content, Open};
use crate::view::{ProposedPlan, View};
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::domain::plan::note::Severity;
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::text::numbers::format_count;

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
                crate::widgets::page::heading(&mut out, "The subgoal");
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
        if let Some(failure) = node.and_then(|node| node.last_failure.as_ref()) {
            crate::widgets::page::field(out, "it failed", failure, width);
        }
        if let Some(cause) = &proposal.cause {
            crate::widgets::page::field(out, "the mind says", cause, width);
        }
    }
    crate::widgets::page::heading(out, "What changes");
    out.extend(diff.iter().map(|line| diff_line(line).cut(width)));
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
    crate::widgets::page::heading(
        out,
        &format!("The whole plan · {} steps", proposal.plan.subgoals.len()),
    );
    for subgoal in &proposal.plan.subgoals {
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

/// One line of a difference.
#[must_use]
pub fn diff_line(line: &DiffLine) -> Rich {
    let (role, sign) = match line.sign {
        DiffSign::Kept => (Role::Text, "  "),
        DiffSign::Added => (Role::Added, "+ "),
        DiffSign::Removed => (Role::Removed, "- "),
        DiffSign::Changed => (Role::Notice, "~ "),
    };
    Rich::text(role, sign)
        .and(Role::Faint, format!("{:<7}", line.id.to_string()))
        .and(role, &line.text)
}
