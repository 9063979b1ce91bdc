//! The page of one attempt: its label, the trace that led there, indicators, differences, and what would
//! change it.

use super::label_name;
use crate::cli::output::{Align, text_columns, text_table};
use pithead_core::diagnosis::whatif::{EndedAttempt, Nearest, Rejudgement, Watched};
use pithead_core::domain::experience::diagnosis::{Diagnosis, FailureReason, Indicator, TraceStep};
use pithead_core::domain::experience::thresholds::{KNOBS, Thresholds};
use pithead_core::text::clean::fit_columns;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::journal::Overruled;
use pithead_engine::runtime::past_attempts::FrameSource;
use pithead_world::ids::{AttemptId, RunId, SubgoalId};
use serde::Serialize;

/// What is printed; the JSON form is stable.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    pub schema: u32,
    pub run: RunId,
    pub attempt: AttemptId,
    pub subgoal: SubgoalId,
    pub condition: String,
    /// The label in the journal; another program may have given it.
    pub recorded: Option<FailureReason>,
    pub overruled: Option<Overruled>,
    /// Why it is no failure though it did not succeed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_failure: Option<&'static str>,
    #[serde(skip)]
    pub called_off: bool,
    pub evidence: FrameSource,
    pub diagnosis: Diagnosis,
    pub thresholds: Thresholds,
    pub changed: Option<Changed>,
    pub nearest: Vec<Nearest>,
}

/// The judgement with other thresholds.
#[derive(Debug, Serialize)]
pub(super) struct Changed {
    pub set: Vec<Setting>,
    #[serde(flatten)]
    pub change: Rejudgement,
}

/// A threshold as it was and as it was set.
#[derive(Debug, Serialize)]
pub(super) struct Setting {
    threshold: &'static str,
    unit: &'static str,
    from: f64,
    to: f64,
}

impl Changed {
    pub(super) fn of(case: &EndedAttempt<'_>, before: &Thresholds, after: &Thresholds) -> Self {
        let moved = KNOBS
            .iter()
            .filter(|knob| knob.get(before) != knob.get(after));
        Self {
            set: moved
                .map(|knob| Setting {
                    threshold: knob.name,
                    unit: knob.unit,
                    from: knob.get(before),
                    to: knob.get(after),
                })
                .collect(),
            change: case.compare(before, after),
        }
    }
}

/// Longer inputs are cut in a line of the trace, so that it stays readable; the JSON form has them whole.
const INPUTS_WIDTH: usize = 60;

impl Page {
    pub(super) fn text(&self) -> String {
        let d = &self.diagnosis;
        let mut text = format!(
            "run {} attempt {}: {} {}\n\n",
            self.run, self.attempt, self.subgoal, self.condition
        );
        let mut rows = vec![field("label", self.label())];
        rows.extend(verdict_rows(d));
        rows.extend(self.provenance_rows());
        text += &text_columns(&rows);
        text += "\ntrace\n";
        text += &trace(&d.trace);
        text += "\nindicators\n";
        text += &indicators(&d.indicators);
        text += "\nwhat it changed\n";
        text += &delta(d);
        match &self.changed {
            Some(changed) => text += &changed.text(),
            None => text += &nearest(&self.nearest),
        }
        text
    }

    /// The label and how sure it is; an attempt that was called off has none.
    fn label(&self) -> String {
        let d = &self.diagnosis;
        if d.success {
            return label_name(d.reason).to_owned();
        }
        if self.called_off {
            return "none: it was called off, which is no failure".to_owned();
        }
        let kind = d
            .fail_type
            .map_or(String::new(), |kind| format!(" ({})", kind.name()));
        let sure = d.confidence * 100.0;
        format!("{}{kind}, confidence {sure:.0} %", label_name(d.reason))
    }

    /// Where label and evidence come from, where that is not from this run as it was recorded.
    fn provenance_rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        if self.recorded != self.diagnosis.reason {
            let recorded = label_name(self.recorded);
            rows.push(field(
                "recorded",
                format!("{recorded}; this version judges the same evidence differently"),
            ));
        }
        if let Some(o) = &self.overruled {
            let (label, was) = (o.label.name(), o.was.name());
            let text = format!("{label} instead of {was} by {}: {}", o.by, o.reason);
            rows.push(field("overruled", text));
        }
        if self.evidence == FrameSource::Replayed {
            let text = "the frames were not kept; the world was replayed";
            rows.push(field("evidence", text.to_owned()));
        }
        rows
    }
}

fn field(name: &str, value: String) -> Vec<String> {
    vec![name.to_owned(), value]
}

/// The rule that gave the label, and what else could have been.
fn verdict_rows(d: &Diagnosis) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let decided = d.trace.iter().zip(0..).find(|(step, _)| step.holds);
    if let Some((step, at)) = decided {
        let text = format!("rule {at}, the first that holds: {}", step.predicate);
        rows.push(field("decided by", text));
    }
    rows.push(field("because", d.summary.clone()));
    let others: Vec<&str> = d.runners_up.iter().map(|reason| reason.name()).collect();
    if !others.is_empty() {
        rows.push(field("runners-up", others.join(", ")));
    }
    rows
}

fn number(value: Option<f64>) -> String {
    match value {
        None => String::new(),
        Some(value) if value.fract() == 0.0 => format!("{value:.0}"),
        Some(value) => format!("{value:.2}"),
    }
}

/// One line per predicate, in the order in which they were checked.
fn trace(steps: &[TraceStep]) -> String {
    let row = |(at, step): (usize, &TraceStep)| {
        let mark = if step.holds { "✓" } else { "·" };
        vec![
            String::new(),
            format!("{at:>2} {mark} {}", step.predicate),
            number(step.value),
            format!("/ {}", number(step.threshold)),
            step.speaks_for
                .map_or("success", FailureReason::name)
                .to_owned(),
            fit_columns(&step.inputs, INPUTS_WIDTH),
        ]
    };
    let rows: Vec<Vec<String>> = steps.iter().enumerate().map(row).collect();
    let columns = [
        Align::Left,
        Align::Left,
        Align::Right,
        Align::Left,
        Align::Left,
        Align::Left,
    ];
    text_table(&columns.map(|align| ("", align)), &rows)
}

fn indicators(rows: &[Indicator]) -> String {
    let line = |row: &Indicator| {
        let threshold = row.threshold.map_or(String::new(), |t| {
            format!("(threshold {})", number(Some(t)))
        });
        vec![
            String::new(),
            row.name.to_string(),
            number(Some(row.value)),
            row.unit.to_string(),
            threshold,
        ]
    };
    let rows: Vec<Vec<String>> = rows.iter().map(line).collect();
    let columns = [
        Align::Left,
        Align::Left,
        Align::Right,
        Align::Left,
        Align::Left,
    ];
    text_table(&columns.map(|align| ("", align)), &rows)
}

fn delta(d: &Diagnosis) -> String {
    let list = |items: Vec<String>| {
        if items.is_empty() {
            "nothing".to_owned()
        } else {
            items.join(", ")
        }
    };
    let delta = &d.delta;
    let inventory = delta
        .inventory
        .iter()
        .map(|(item, n)| format!("{item} {n:+}"));
    let used = delta.used.iter().map(|(item, n)| format!("{item} {n}"));
    let blocks = delta.blocks.iter().map(|(block, n)| format!("{block} {n}"));
    format!(
        "  inventory  {}\n  used up    {}\n  broken     {}\n  moved      {:.1} blocks\n  health     {:+.1} half hearts\n",
        list(inventory.collect()),
        list(used.collect()),
        list(blocks.collect()),
        delta.moved,
        delta.health
    )
}

fn nearest(rows: &[Nearest]) -> String {
    if rows.is_empty() {
        return "\nno single threshold within its range would change the label\n".to_owned();
    }
    let mut text = "\nwhat would change it\n".to_owned();
    for row in rows {
        text += &format!(
            "  --set {}={}  (now {} {}): {}\n",
            row.threshold,
            exact(row.to),
            exact(row.from),
            row.unit,
            label_name(row.label)
        );
    }
    text
}

/// With enough digits to cross the threshold.
fn exact(value: f64) -> String {
    let rounded = format!("{value:.4}");
    let trimmed = rounded.trim_end_matches('0').trim_end_matches('.');
    trimmed.to_owned()
}

impl Changed {
    fn text(&self) -> String {
        let mut text = "\nwith changed thresholds\n".to_owned();
        for s in &self.set {
            text += &format!(
                "  {} {} → {} {}\n",
                s.threshold,
                exact(s.from),
                exact(s.to),
                s.unit
            );
        }
        let (before, after) = (self.change.label_before, self.change.label_after);
        text += &match before == after {
            true => format!("  the label stays {}\n", label_name(after)),
            false => format!("  label {} → {}\n", label_name(before), label_name(after)),
        };
        for flip in &self.change.flipped {
            let verdict = if flip.after {
                "holds now"
            } else {
                "no longer holds"
            };
            let label = flip.speaks_for.map_or("success", FailureReason::name);
            text += &format!(
                "  {verdict}: {} ({label}): {}\n",
                flip.predicate,
                fit_columns(&flip.inputs, INPUTS_WIDTH)
            );
        }
        text += &watched(&self.change.stall);
        text
    }
}

fn watched(stall: &Watched) -> String {
    match stall {
        Watched::Never | Watched::AtTheEnd => String::new(),
        Watched::Earlier { tick, reason } => format!(
            "  the attempt would have been cancelled after {} for {}; the label is judged on all the evidence\n",
            count_with_noun(*tick, "tick", "ticks"),
            reason.name()
        ),
        Watched::NotAnyMore => "  the attempt would not have been cancelled where it was; what would have followed is unknown\n"
            .to_owned(),
    }
}
