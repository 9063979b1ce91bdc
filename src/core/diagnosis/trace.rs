//! The trace: every predicate in order with its inputs, and the verdict that follows from it.
//!
//! The first predicate that holds names the label. The others that hold are runners-up, and the
//! share of the weights that speak for the label is its confidence.

use super::attempt_window::ATTEMPTS;
use super::predicates::{Evidence, Finding};
use super::reports::is_cut;
use super::table::{Asked, Row, TABLE};
use crate::domain::experience::diagnosis::{FailureReason, TraceStep};

/// What the predicates say together.
/// Confidence is 0 to 1; 0 with `Unknown`, when no predicate holds.
#[derive(Debug)]
pub(super) struct Verdict {
    pub reason: FailureReason,
    pub confidence: f64,
    /// Every predicate that was asked, also those that do not hold: a person can see how near each came.
    pub trace: Vec<TraceStep>,
    pub runners_up: Vec<FailureReason>,
    /// The inputs of the predicate that decided.
    pub because: String,
}

pub(super) fn decide(evidence: &Evidence<'_>) -> Verdict {
    let mut verdict = Verdict {
        reason: FailureReason::Unknown,
        confidence: 0.0,
        trace: Vec::with_capacity(TABLE.len()),
        runners_up: Vec::new(),
        because: String::new(),
    };
    let mut weights: Vec<(FailureReason, f64)> = Vec::new();
    // All are evaluated, though the first one decides: the runners-up need the rest.
    let is_cut = is_cut(evidence.report);
    // The window includes the attempt itself.
    let is_tried = evidence.attempt.known.earlier.len() + 1 >= ATTEMPTS;
    let is_asked = |row: &&Row| match row.asked {
        Asked::Always => true,
        Asked::IfCut => is_cut,
        Asked::IfTriedBefore => is_tried,
    };
    for row in TABLE.iter().filter(is_asked) {
        let finding = (row.find)(evidence);
        if finding.holds {
            if weights.is_empty() {
                verdict.because.clone_from(&finding.inputs);
            }
            // Predicates that speak for one label add up.
            match weights
                .iter_mut()
                .find(|(reason, _)| *reason == row.speaks_for)
            {
                Some((_, weight)) => *weight += row.weight,
                None => weights.push((row.speaks_for, row.weight)),
            }
        }
        verdict
            .trace
            .push(step(row.name, finding, Some(row.speaks_for)));
    }
    if let Some((reason, weight)) = weights.first().copied() {
        verdict.reason = reason;
        // The share of all weight that holds. One lone predicate gives 1, whatever its
        // weight.
        verdict.confidence = weight / weights.iter().map(|(_, weight)| weight).sum::<f64>();
        // Best first; a stable sort keeps the order of the table among equals.
        // The first stays first even if another label has more weight: the order of the
        // table is the decision.
        let mut others = weights.split_off(1);
        others.sort_by(|a, b| b.1.total_cmp(&a.1));
        verdict.runners_up = others.into_iter().map(|(reason, _)| reason).collect();
    }
    verdict
}

pub(super) fn step(name: &str, finding: Finding, speaks_for: Option<FailureReason>) -> TraceStep {
    let Finding {
        inputs,
        value,
        threshold,
        holds,
    } = finding;
    TraceStep {
        predicate: name.to_owned(),
        inputs,
        value,
        threshold,
        holds,
        speaks_for,
    }
}

pub(super) fn yes(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}
