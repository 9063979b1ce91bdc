//! The diagnosis as a tree: the verdict, below it each label, below that its predicates with values.

use crate::screens::debug::inspection::{Inspection, PartContent};
use crate::theme::Role;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::domain::experience::diagnosis::{Diagnosis, FailureReason, TraceStep};
use pithead_core::text::numbers::format_value;
use pithead_engine::runtime::past_attempts::FrameSource;

pub(crate) fn trace_content(inspection: &Inspection<'_>, width: usize) -> PartContent {
    let diagnosis = inspection.diagnosis;
    let mut lines = vec![verdict(inspection).cut(width)];
    paragraph(
        &mut lines,
        Rich::text(Role::Text, "  "),
        Role::Text,
        &diagnosis.summary,
        width,
    );
    let mut selected = None;
    let mut n = 0;
    let groups = groups(diagnosis);
    for (at, (label, steps)) in groups.iter().enumerate() {
        let is_last = at + 1 == groups.len();
        lines.push(head(diagnosis, *label, steps, is_last).cut(width));
        for (place, step) in steps.iter().enumerate() {
            if n == inspection.ui.step {
                selected = Some(lines.len());
            }
            let stem = if is_last { "   " } else { "│  " };
            let branch = if place + 1 == steps.len() {
                "└ "
            } else {
                "├ "
            };
            lines.push(leaf(step, &format!("{stem}{branch}"), width));
            if n == inspection.ui.step && !step.inputs.is_empty() {
                let lead = Rich::text(Role::Border, format!("{stem}    "));
                paragraph(&mut lines, lead, Role::Faint, &step.inputs, width);
            }
            n += 1;
        }
    }
    PartContent {
        title: source(inspection).to_owned(),
        lines,
        selected,
    }
}

/// Predicates that can be selected.
#[must_use]
pub fn len(diagnosis: &Diagnosis) -> usize {
    diagnosis.trace.len()
}

fn source(inspection: &Inspection<'_>) -> &'static str {
    match (inspection.case.source, inspection.ui.moved.is_some()) {
        (_, true) => "judged again with changed thresholds",
        (FrameSource::Recorded, false) => "recorded evidence",
        (FrameSource::Replayed, false) => "the world was played again",
    }
}

fn verdict(inspection: &Inspection<'_>) -> Rich {
    let diagnosis = inspection.diagnosis;
    let now = name(diagnosis.reason, diagnosis.success);
    let mut out = match diagnosis.success {
        true => Rich::text(Role::Good, format!("✔ {now}")),
        false => Rich::text(Role::Bad, format!("✗ {now} {:.2}", diagnosis.confidence)),
    };
    if inspection.case.row.to.is_none() {
        out.add(Role::Notice, " if it ended now");
    }
    if let Some(change) = &inspection.ui.change
        && change.label_before != change.label_after
    {
        let before = name(change.label_before, change.label_before.is_none());
        out.add(Role::Notice, format!("  was {before}"));
    }
    if inspection.case.row.overruled {
        let by_hand = name(inspection.case.row.label, false);
        out.add(Role::Notice, format!("  overruled: {by_hand}"));
    }
    if let Some(next) = diagnosis.runners_up.first() {
        out.add(Role::Faint, format!("  next: {}", next.name()));
    }
    out
}

pub(crate) fn name(label: Option<FailureReason>, success: bool) -> &'static str {
    match (label, success) {
        (_, true) => "success",
        (Some(reason), false) => reason.name(),
        (None, false) => "failure",
    }
}

/// The predicates under the label they speak for, labels in the order in which they are asked about.
fn groups(diagnosis: &Diagnosis) -> Vec<(Option<FailureReason>, Vec<&TraceStep>)> {
    let mut groups: Vec<(Option<FailureReason>, Vec<&TraceStep>)> = Vec::new();
    for step in &diagnosis.trace {
        match groups
            .iter_mut()
            .find(|(label, _)| *label == step.speaks_for)
        {
            Some((_, steps)) => steps.push(step),
            None => groups.push((step.speaks_for, vec![step])),
        }
    }
    groups
}

/// The predicates as the tree orders them.
#[must_use]
pub fn in_order(diagnosis: &Diagnosis) -> Vec<&TraceStep> {
    let groups = groups(diagnosis).into_iter();
    groups.flat_map(|(_, steps)| steps).collect()
}

fn head(
    diagnosis: &Diagnosis,
    label: Option<FailureReason>,
    steps: &[&TraceStep],
    is_last: bool,
) -> Rich {
    let branch = if is_last { "└─" } else { "├─" };
    let (wins, words) = match label {
        None => (diagnosis.success, "success"),
        Some(label) => (
            !diagnosis.success && diagnosis.reason == Some(label),
            label.name(),
        ),
    };
    let held = steps.iter().filter(|step| step.holds).count();
    let role = match (wins, held) {
        (true, _) => Role::Strong,
        (false, 0) => Role::Faint,
        (false, _) => Role::Text,
    };
    let out = Rich::text(Role::Border, branch)
        .and(role, format!(" {words} "))
        .and(Role::Faint, format!("{held} of {}", steps.len()));
    if wins {
        out.and(Role::Notice, " ◀ the label")
    } else {
        out
    }
}

fn leaf(step: &TraceStep, stem: &str, width: usize) -> Rich {
    let (role, sign) = if step.holds {
        (Role::Good, "✔ ")
    } else {
        (Role::Faint, "· ")
    };
    let mut right = Rich::new();
    if let Some(found) = step.value {
        right.add(Role::Strong, format_value(found));
    }
    if let Some(threshold) = step.threshold {
        right.add(Role::Notice, format!(" | {}", format_value(threshold)));
    }
    Rich::text(Role::Border, stem)
        .and(role, sign)
        .and(Role::Text, &step.predicate)
        .with_right(right, width)
}
