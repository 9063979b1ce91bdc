//! The page of one attempt: its label, the trace that led there, indicators, differences, and what would
//! change it.

use super::label_name;
use pithead_core::diagnosis::whatif::{EndedAttempt, Nearest, Rejudgement, Watched};
use pithead_core::domain::experience::diagnosis::{Diagnosis, FailureReason, Indicator, TraceStep};
use pithead_core::domain::experience::thresholds::{KNOBS, Thresholds};
use pithead_engine::journal::Overruled;
use pithead_engine::runtime::past_attempts::FrameSource;
use pithead_world::ids::{AttemptId, RunId, SubgoalId};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

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
        text += &label(d);
        text += &format!("{:<12} {}\n", "because", d.summary);
        let others: Vec<&str> = d.runners_up.iter().map(|reason| reason.name()).collect();
        if !others.is_empty() {
            text += &format!("{:<12} {}\n", "runners-up", others.join(", "));
        }
        text += &self.provenance();
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

    fn provenance(&self) -> String {
        let mut text = String::new();
        if self.recorded != self.diagnosis.reason {
            text += &format!(
                "{:<12} {}; this version judges the same evidence differently\n",
                "recorded",
                label_name(self.recorded)
            );
        }
        if let Some(o) = &self.overruled {
            text += &format!(
                "{:<12} {} instead of {} by {}: {}\n",
                "overruled",
                o.label.name(),
                o.was.name(),
                o.by,
                o.reason
            );
        }
        if self.evidence == FrameSource::Replayed {
            text += &format!(
                "{:<12} the frames were not kept; the world was replayed\n",
                "evidence"
            );
        }
        text
    }
}

fn label(d: &Diagnosis) -> String {
    let kind = d
        .fail_type
        .map_or(String::new(), |kind| format!(" ({})", kind.name()));
    let sure = if d.success {
        String::new()
    } else {
        format!(", confidence {:.0} %", d.confidence * 100.0)
    };
    let mut text = format!("{:<12} {}{kind}{sure}\n", "label", label_name(d.reason));
    let decided = d.trace.iter().zip(0..).find(|(step, _)| step.holds);
    if let Some((step, at)) = decided {
        text += &format!(
            "{:<12} rule {at}, the first that holds: {}\n",
            "decided by", step.predicate
        );
    }
    text
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
    let width = steps
        .iter()
        .map(|step| step.predicate.width())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for (at, step) in steps.iter().enumerate() {
        let mark = if step.holds { "✓" } else { "·" };
        let pad = " ".repeat(width - step.predicate.width());
        let held = [number(step.value), number(step.threshold)];
        let label = step.speaks_for.map_or("success", FailureReason::name);
        text += &format!(
            "  {at:>2} {mark} {}{pad}  {:>8} / {:<6} {label:<18} {}\n",
            step.predicate,
            held[0],
            held[1],
            short(&step.inputs)
        );
    }
    text
}

fn short(text: &str) -> String {
    if text.chars().count() <= INPUTS_WIDTH {
        return text.to_owned();
    }
    let cut: String = text.chars().take(INPUTS_WIDTH - 1).collect();
    cut + "…"
}

fn indicators(rows: &[Indicator]) -> String {
    let line = |row: &Indicator| {
        let threshold = row.threshold.map_or(String::new(), |t| {
            format!("  (threshold {})", number(Some(t)))
        });
        let pad = " ".repeat(30_usize.saturating_sub(row.name.width()));
        format!(
            "  {}{pad} {:>9} {}{threshold}\n",
            row.name,
            number(Some(row.value)),
            row.unit
        )
    };
    rows.iter().map(line).collect()
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
                short(&flip.inputs)
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
            "  the attempt would have been cancelled after {tick} ticks for {}; the label is judged on all the evidence\n",
            reason.name()
        ),
        Watched::NotAnyMore => "  the attempt would not have been cancelled where it was; what would have followed is unknown\n"
            .to_owned(),
    }
}
