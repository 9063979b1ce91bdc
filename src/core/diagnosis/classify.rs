//! Classification: the diagnosis of an ended attempt, ⟨o, Δs, f_reason, c⟩ with its trace (Eq. 1-2).

use super::indicators::{Measures, measure};
use super::observables::observables_at_end;
use super::predicates::{Evidence, Finding};
use super::progress::has_progressed;
use super::stall::{seconds, watch};
use super::trace::{Verdict, decide, step};
use super::window::Window;
use crate::domain::check::Truth;
use crate::domain::experience::attempt::{Attempt, AttemptAction, Stop};
use crate::domain::experience::diagnosis::{Diagnosis, StateDelta};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::experience::thresholds::Thresholds;
use crate::text::numbers::count_with_noun;
use pithead_world::action::ActionFailure;
use pithead_world::counts::Counts;
use std::collections::BTreeMap;

/// Judges an ended attempt; `post` is the state right after it.
#[must_use]
pub fn diagnose(attempt: &Attempt, post: &StateSummary, thresholds: &Thresholds) -> Diagnosis {
    let measures = measure(attempt);
    let delta = state_delta(attempt, post);
    // The truths decide before any predicate is asked: an attempt that met its checks is a
    // success however it ended.
    let truths = outcome(attempt);
    let report = last_report(attempt);
    // The first step of the trace is the outcome itself; it speaks for no label.
    let mut trace = vec![step("all checks are true", truths, None)];
    let success = trace[0].holds;
    let mut diagnosis = Diagnosis {
        success,
        reason: None,
        fail_type: None,
        // 1.0 stands for a success: nothing was inferred.
        confidence: 1.0,
        summary: String::new(),
        delta,
        indicators: measures.list(thresholds),
        trace: Vec::new(),
        runners_up: Vec::new(),
        report: report.cloned(),
        observables: observables_at_end(attempt, post, measures.variance),
    };
    if success {
        diagnosis.summary = format!(
            "done in {} s, {}",
            seconds(measures.ticks),
            gains(&diagnosis.delta)
        );
        diagnosis.trace = trace;
        return diagnosis;
    }
    // As the detector sees the attempt at its end.
    let stall = watch(attempt, thresholds);
    let evidence = Evidence {
        attempt,
        post,
        thresholds,
        measures,
        report,
        stall,
    };
    let verdict = decide(&evidence);
    diagnosis.summary = summary(attempt, &verdict, &measures, &diagnosis.delta);
    let Verdict {
        reason,
        confidence,
        trace: steps,
        runners_up,
        because: _,
    } = verdict;
    trace.extend(steps);
    diagnosis.reason = Some(reason);
    diagnosis.fail_type = Some(reason.fail_type());
    diagnosis.confidence = confidence;
    diagnosis.trace = trace;
    diagnosis.runners_up = runners_up;
    diagnosis
}

/// o: the truths of the last sample decide; an attempt that was never observed is as its stop says.
fn outcome(attempt: &Attempt) -> Finding {
    let Some(last) = attempt.samples.last() else {
        let done = attempt.stop == Some(Stop::Done);
        return Finding {
            inputs: "nothing was observed".to_owned(),
            holds: done,
            ..Finding::default()
        };
    };
    let held = last
        .truths
        .iter()
        .filter(|truth| **truth == Truth::True)
        .count();
    let all = attempt.subgoal.checks.len();
    Finding {
        inputs: format!(
            "{held} of {} true",
            count_with_noun(all, "check is", "checks are")
        ),
        value: Some(held as f64),
        threshold: Some(all as f64),
        // No checks are no success: unknown never counts as done.
        // Vacuous truth is the trap here: all of no checks are true.
        holds: all > 0 && held == all,
    }
}

/// The last failure that the body reported by itself. One that the attempt got over is forgotten.
fn last_report(attempt: &Attempt) -> Option<&ActionFailure> {
    let told = |deed: &AttemptAction| {
        let report = deed.report.as_ref();
        // Being cancelled is our own doing and no failure of the body.
        report.is_some_and(|report| report.failure != Some(ActionFailure::Cancelled))
    };
    let at = attempt.actions.iter().rposition(told)?;
    let is_latest = at + 1 == attempt.actions.len();
    // A failed action followed by progress was overcome, so its report explains nothing.
    let got_over = !is_latest && has_progressed(attempt, Window::whole(attempt).as_ref());
    let report = attempt.actions[at].report.as_ref()?;
    report.failure.as_ref().filter(|_| !got_over)
}

fn state_delta(attempt: &Attempt, post: &StateSummary) -> StateDelta {
    let mut blocks = BTreeMap::new();
    let mut used = Counts::default();
    let reports = attempt
        .actions
        .iter()
        .filter_map(|deed| deed.report.as_ref());
    for (item, count) in reports.clone().flat_map(|report| report.used.iter()) {
        used.add(item, count);
    }
    let mut windows = Vec::new();
    for window in reports.clone().flat_map(|report| &report.windows) {
        if !windows.contains(window) {
            windows.push(*window);
        }
    }
    // Only blocks that the body broke; others may have changed for any reason.
    for (block, count) in reports.flat_map(|report| &report.broken) {
        *blocks.entry(*block).or_insert(0) += i64::from(*count);
    }
    StateDelta {
        inventory: post.inventory.delta(&attempt.baseline.inventory),
        used,
        windows,
        blocks,
        moved: attempt.pre.position.distance(post.position),
        health: f64::from(post.health) - f64::from(attempt.pre.health),
    }
}

/// `iron_ore +3, torch -1`, or that nothing changed.
fn gains(delta: &StateDelta) -> String {
    if delta.inventory.is_empty() {
        return "no item gained".to_owned();
    }
    let each = |(item, change): (&pithead_world::item::ItemId, &i64)| format!("{item} {change:+}");
    delta
        .inventory
        .iter()
        .map(each)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The predicate's own words, and what they leave out.
fn summary(
    attempt: &Attempt,
    verdict: &Verdict,
    measures: &Measures,
    delta: &StateDelta,
) -> String {
    if verdict.because.is_empty() {
        let stopped = match attempt.stop {
            Some(Stop::Aborted) => "called off by the operator",
            Some(Stop::TaskDone) => "the task is done",
            _ => "ended for no known reason",
        };
        return format!(
            "{stopped} after {} s, {}",
            seconds(measures.ticks),
            gains(delta)
        );
    }
    // Otherwise the sentence would say it twice. What it says of a stall is about the last seconds alone.
    if delta.inventory.is_empty() {
        return verdict.because.clone();
    }
    format!("{}; {}", verdict.because, gains(delta))
}
