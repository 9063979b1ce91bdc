//! Pieces of a diagnosis: its verdict in a line, an indicator, a predicate with its inputs.

use crate::theme::Role;
use crate::view::attempt::DiagnosisView;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::domain::experience::diagnosis::{Indicator, TraceStep};
use pithead_core::text::clean::pad_columns;
use pithead_core::text::numbers::{format_value, sparkline};

pub(crate) fn predicate(out: &mut Vec<Rich>, number: usize, step: &TraceStep, width: usize) {
    let (role, sign) = if step.holds {
        (Role::Good, "✔ holds")
    } else {
        (Role::Faint, "· no   ")
    };
    let lead = Rich::text(Role::Faint, format!("{number:>3} ")).and(role, format!("{sign}  "));
    let mut text = step.predicate.clone();
    if let Some(found) = step.value {
        let against = step
            .threshold
            .map_or(String::new(), |t| format!(" against {}", format_value(t)));
        text.push_str(&format!("  [{}{against}]", format_value(found)));
    }
    if let Some(label) = step.speaks_for {
        text.push_str(&format!("  speaks for {}", label.name()));
    }
    paragraph(out, lead, Role::Text, &text, width);
    if !step.inputs.is_empty() {
        let lead = Rich::text(Role::Text, " ".repeat(13));
        paragraph(out, lead, Role::Faint, &step.inputs, width);
    }
}

/// One indicator: name, value, threshold and its values over the last attempts.
#[must_use]
pub fn indicator(indicator: &Indicator, shown: &DiagnosisView, width: usize) -> Rich {
    // Only the side is named: which side is bad depends on the label.
    let against = match indicator.threshold {
        Some(t) if indicator.value < t => format!("< {}", format_value(t)),
        Some(t) => format!("≥ {}", format_value(t)),
        None => String::new(),
    };
    let unit = if indicator.unit == "1" {
        ""
    } else {
        indicator.unit.as_str()
    };
    let name = if width < 52 { 14 } else { 20 };
    // The sparkline gets what is left beside name, value, unit and threshold.
    let history = width.saturating_sub(name + 22).min(16);
    let past = shown.past.get(&indicator.name);
    let line = past.map_or(String::new(), |values| {
        sparkline(values.iter().copied(), history)
    });
    Rich::text(Role::Text, pad_columns(&indicator.name, name))
        .and(
            Role::Strong,
            format!("{:>6} ", format_value(indicator.value)),
        )
        .and(Role::Faint, pad_columns(unit, 8))
        .and(Role::Faint, pad_columns(&against, 7))
        .and(Role::Bar, line)
        .cut(width)
}

/// The label with its confidence and the runners-up.
#[must_use]
pub fn verdict(shown: &DiagnosisView) -> Rich {
    let diagnosis = &shown.diagnosis;
    if let Some(ended) = &shown.no_failure {
        return Rich::text(Role::Faint, format!("■ {ended}")).and(Role::Faint, " · no failure");
    }
    let Some(reason) = diagnosis.reason else {
        return Rich::text(Role::Good, "✔ success").and(Role::Faint, " · all checks are true");
    };
    let mut line = Rich::text(Role::Bad, format!("✗ {}", reason.name()))
        .and(Role::Strong, format!("  {:.2}", diagnosis.confidence));
    if !diagnosis.runners_up.is_empty() {
        let names: Vec<&str> = diagnosis.runners_up.iter().map(|r| r.name()).collect();
        line.add(Role::Faint, format!("  next: {}", names.join(", ")));
    }
    line
}
