//! Thresholds: each as a slider, what moving them changes, and the least move that changes the label.

use crate::screens::debug::inspection::{Inspection, PartContent};
use crate::screens::debug::tree::name;
use crate::theme::Role;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::diagnosis::whatif::Watched;
use pithead_core::domain::experience::thresholds::{KNOBS, Knob, Thresholds};
use pithead_core::text::clean::pad_columns;
use pithead_core::text::numbers::{format_ticks, format_value};

const NAME: usize = 19;
/// Columns of a slider; fewer where there is little room.
const SLIDER: usize = 12;
const SLIDER_SMALL: usize = 6;
const SMALL: usize = 60;
/// Steps of a slider from the least value to twice the usual one.
const STEPS: f64 = 20.0;

pub(crate) fn thresholds_content(inspection: &Inspection<'_>, width: usize) -> PartContent {
    let own = &inspection.case.thresholds;
    let mut lines: Vec<Rich> = KNOBS
        .iter()
        .map(|knob| line(knob, own, inspection.thresholds, width))
        .collect();
    let selected = Some(inspection.ui.knob.min(KNOBS.len() - 1));
    if let Some(knob) = selected.map(|at| &KNOBS[at]) {
        let (least, most) = knob.range;
        let text = format!(
            "{}; {} to {}",
            knob.about,
            format_value(least),
            format_value(most)
        );
        paragraph(
            &mut lines,
            Rich::text(Role::Text, "  "),
            Role::Faint,
            &text,
            width,
        );
    }
    lines.push(Rich::new());
    match &inspection.ui.change {
        None => nearest(&mut lines, inspection, width),
        Some(_) => changed(&mut lines, inspection, width),
    }
    PartContent {
        title: if inspection.ui.moved.is_some() {
            "moved".to_owned()
        } else {
            "as the run has them".to_owned()
        },
        lines,
        selected,
    }
}

fn line(knob: &Knob, own: &Thresholds, now: &Thresholds, width: usize) -> Rich {
    let (before, after) = (knob.get(own), knob.get(now));
    let (least, _) = knob.range;
    let end = scale(knob, own);
    let share = ((after - least) / (end - least)).clamp(0.0, 1.0);
    let slider = if width < SMALL { SLIDER_SMALL } else { SLIDER };
    let at = (share * (slider - 1) as f64).round() as usize;
    let mut out = Rich::text(Role::Text, pad_columns(knob.name, NAME))
        .and(Role::Faint, "▕")
        .and(Role::Bar, "━".repeat(at))
        .and(Role::Key, "●")
        .and(Role::Faint, "┄".repeat(slider - 1 - at))
        .and(Role::Faint, "▏ ")
        .and(Role::Strong, format_value(after));
    if before != after {
        out.add(Role::Notice, format!(" was {}", format_value(before)));
    }
    out.and(Role::Faint, format!(" {}", knob.unit)).cut(width)
}

/// The greatest value that the slider shows: twice what is usual, or the end of the range.
fn scale(knob: &Knob, own: &Thresholds) -> f64 {
    let usual = knob.get(&Thresholds::default()).max(knob.get(own));
    let (least, most) = knob.range;
    if usual > least {
        (usual * 2.0).min(most)
    } else {
        most
    }
}

/// One step of the slider.
#[must_use]
pub fn step(knob: &Knob, own: &Thresholds, now: f64, up: bool) -> f64 {
    let (least, most) = knob.range;
    let by = (scale(knob, own) - least) / STEPS;
    let by = if knob.whole { by.round().max(1.0) } else { by };
    let to = if up { now + by } else { now - by };
    // Without the crumbs of binary fractions, so that steps there and back meet.
    ((to * 1e6).round() / 1e6).clamp(least, most)
}

fn changed(lines: &mut Vec<Rich>, inspection: &Inspection<'_>, width: usize) {
    let Some(change) = &inspection.ui.change else {
        return;
    };
    let before = name(change.label_before, change.label_before.is_none());
    let after = name(change.label_after, change.label_after.is_none());
    lines.push(if before == after {
        Rich::text(Role::Text, format!("the label stays {after}"))
    } else {
        Rich::text(Role::Strong, format!("{before} → {after}"))
    });
    for flip in &change.flipped {
        let sign = if flip.after {
            "✔ now holds: "
        } else {
            "· no longer: "
        };
        paragraph(
            lines,
            Rich::text(Role::Notice, sign),
            Role::Text,
            &flip.predicate,
            width,
        );
    }
    let text = match &change.stall {
        Watched::Never => return,
        Watched::AtTheEnd => "it would have been cancelled at the end, as it was".to_owned(),
        Watched::Earlier { tick, reason } => format!(
            "it would have been cancelled after {} as {}",
            format_ticks(*tick),
            reason.name()
        ),
        Watched::NotAnyMore => {
            "it would not have been cancelled; what would have followed is not known".to_owned()
        }
    };
    paragraph(lines, Rich::new(), Role::Faint, &text, width);
}

fn nearest(lines: &mut Vec<Rich>, inspection: &Inspection<'_>, width: usize) {
    if inspection.case.nearest.is_empty() {
        lines.push(Rich::text(Role::Faint, "no single threshold changes the label").cut(width));
        return;
    }
    lines.push(Rich::text(
        Role::Title,
        "The smallest change that gives another label",
    ));
    for near in &inspection.case.nearest {
        let label = name(near.label, near.label.is_none());
        let text = format!(
            "{} {} → {} {}: {label}",
            near.threshold,
            format_value(near.from),
            format_value(near.to),
            near.unit
        );
        lines.push(Rich::text(Role::Text, text).cut(width));
    }
}
