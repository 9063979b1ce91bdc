//! Two attempts side by side at the same time from their beginnings: what is the same and what is not.

use crate::screens::debug::inspection::{Inspection, PartContent};
use crate::screens::debug::observed::rows;
use crate::screens::debug::readings::label;
use crate::screens::debug::strips::{named, truth};
use crate::screens::debug::tree;
use crate::theme::Role;
use crate::widgets::rich::Rich;
use pithead_core::diagnosis::observables::observables_until;
use pithead_core::domain::check::Truth;
use pithead_core::text::clean::pad_columns;
use pithead_core::text::numbers::{format_ticks, format_value};
use pithead_engine::runtime::case_file::CaseFile;

const NAME: usize = 16;
/// Room for the name of a check before its strip.
const CHECK: usize = 26;

#[must_use]
pub fn comparison_content(
    inspection: &Inspection<'_>,
    other: &CaseFile,
    run_ended: bool,
    width: usize,
) -> PartContent {
    let own = inspection.case;
    let there = crate::screens::debug::inspection::at(inspection.ui, other);
    let half = width.saturating_sub(NAME + 4) / 2;
    let mut lines = vec![
        pair(&head(own, run_ended), &head(other, run_ended), "", half),
        pair(&place(own, inspection.at), &place(other, there), "", half),
        same_node(own, other).cut(width),
    ];
    title(&mut lines, "Observables at this time");
    let at = |case: &CaseFile, at: usize| {
        let samples = case.samples.get(..=at).unwrap_or(&case.samples);
        observables_until(&case.attempt, samples)
    };
    if let (Some(a), Some(b)) = (at(own, inspection.at), at(other, there)) {
        for ((name, a), (_, b)) in rows(&a).into_iter().zip(rows(&b)) {
            let (a, b) = (Rich::text(Role::Text, a), Rich::text(Role::Text, b));
            lines.push(pair(&a, &b, name, half));
        }
    }
    title(&mut lines, "Checks over time");
    let all = own.attempt.subgoal.checks.len();
    for n in 0..all.max(other.attempt.subgoal.checks.len()) {
        for (case, at) in [(own, inspection.at), (other, there)] {
            let now = case.samples.get(at).and_then(|s| s.truths.get(n).copied());
            let (role, sign, _) = truth(now.unwrap_or(Truth::Unknown));
            let line = Rich::text(Role::Faint, format!("{:<4}", case.row.id.to_string()))
                .and(role, format!("{sign} "));
            let room = width.saturating_sub(6);
            lines.push(line.with_rest(&named(case, n, CHECK.min(room / 2), room)));
        }
    }
    title(&mut lines, "Predicates");
    let others = tree::in_order(&other.diagnosis);
    for step in tree::in_order(inspection.diagnosis) {
        let like = others.iter().find(|o| o.predicate == step.predicate);
        let words = |step: &pithead_core::domain::experience::diagnosis::TraceStep| {
            let (role, sign) = if step.holds {
                (Role::Good, "✔ ")
            } else {
                (Role::Faint, "· ")
            };
            Rich::text(role, sign).and(Role::Text, step.value.map_or(String::new(), format_value))
        };
        let none = Rich::text(Role::Faint, "not asked");
        let other = like.map_or(none, |step| words(step));
        lines.push(predicate(&step.predicate, &words(step), &other, width));
    }
    PartContent {
        title: format!("{} beside {}", own.row.id, other.row.id),
        lines,
        selected: None,
    }
}

fn title(lines: &mut Vec<Rich>, text: &str) {
    lines.push(Rich::new());
    lines.push(Rich::text(Role::Title, text));
}

fn head(case: &CaseFile, run_ended: bool) -> Rich {
    let (role, words) = label(&case.row, run_ended);
    Rich::text(Role::Strong, format!("{} ", case.row.id))
        .and(Role::Text, format!("{} ", case.row.words))
        .and(role, words)
}

/// How far into the attempt the frame in sight is; the shorter of two stays at its last one.
fn place(case: &CaseFile, at: usize) -> Rich {
    let tick = |at: usize| case.samples.get(at).map_or(0, |sample| sample.tick);
    let since = format_ticks(tick(at).saturating_sub(tick(0)));
    let frames = case.samples.len();
    let text = match at + 1 < frames {
        true => format!("{since} in · frame {} of {frames}", at + 1),
        false => format!("{since} in · its last frame, {frames}"),
    };
    Rich::text(Role::Faint, text)
}

fn same_node(a: &CaseFile, b: &CaseFile) -> Rich {
    if a.row.subgoal == b.row.subgoal {
        let text = format!("both at step {} of the plan", a.row.subgoal);
        return Rich::text(Role::Faint, text);
    }
    let text = format!("different steps: {} and {}", a.row.subgoal, b.row.subgoal);
    Rich::text(Role::Notice, text)
}

/// `name  left  ≠ right`
fn pair(a: &Rich, b: &Rich, name: &str, half: usize) -> Rich {
    let differs = a.plain() != b.plain();
    let sign = if differs { " ≠ " } else { "   " };
    let left = a.clone().cut(half);
    let gap = " ".repeat(half.saturating_sub(left.width()));
    Rich::text(Role::Faint, pad_columns(name, NAME))
        .with_rest(&left)
        .and(Role::Text, gap)
        .and(Role::Notice, sign)
        .with_rest(&b.clone().cut(half))
}

fn predicate(name: &str, a: &Rich, b: &Rich, width: usize) -> Rich {
    const VALUE: usize = 11;
    let differs = a.plain() != b.plain();
    let left = a.clone().cut(VALUE);
    let gap = " ".repeat(VALUE.saturating_sub(left.width()));
    let right = left
        .and(Role::Text, gap)
        .and(Role::Notice, if differs { "≠ " } else { "  " })
        .with_rest(&b.clone().cut(VALUE));
    let end = " ".repeat((2 * VALUE + 2).saturating_sub(right.width()));
    Rich::text(Role::Text, name).with_right(right.and(Role::Text, end), width)
}
