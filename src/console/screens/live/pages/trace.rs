//! The diagnosis in full: label, runners-up, indicators, and every predicate that was evaluated.

use crate::theme::Role;
use crate::view::View;
use crate::view::attempt::DiagnosisView;
use crate::widgets::diagnosis::{indicator, predicate};
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::domain::experience::diagnosis::Observables;
use pithead_core::text::numbers::{count_with_noun, format_count, format_value};

#[must_use]
pub fn trace_lines(view: &View, width: usize) -> Vec<Rich> {
    let Some(shown) = &view.diagnosis else {
        return vec![Rich::text(Role::Faint, "Nothing has been diagnosed yet.")];
    };
    let diagnosis = &shown.diagnosis;
    let title = format!(
        "{} {} · tick {}",
        shown.attempt,
        shown.label,
        format_count(shown.tick)
    );
    let mut out = vec![Rich::text(Role::Strong, title).cut(width)];
    crate::widgets::page::heading(&mut out, "Verdict");
    let verdict = crate::widgets::diagnosis::verdict(shown);
    out.push(verdict.cut(width));
    paragraph(&mut out, Rich::new(), Role::Text, &diagnosis.summary, width);
    if let Some(report) = &diagnosis.report {
        crate::widgets::page::field(&mut out, "body said", &report.to_string(), width);
    }
    crate::widgets::page::heading(&mut out, "Every predicate, in order");
    for (at, step) in diagnosis.trace.iter().enumerate() {
        predicate(&mut out, at + 1, step, width);
    }
    crate::widgets::page::heading(&mut out, "Indicators · over the last attempts");
    out.extend(
        diagnosis
            .indicators
            .iter()
            .map(|i| indicator(i, shown, width)),
    );
    delta(&mut out, shown, width);
    observables(&mut out, &diagnosis.observables, width);
    out
}

fn delta(out: &mut Vec<Rich>, shown: &DiagnosisView, width: usize) {
    let delta = &shown.diagnosis.delta;
    crate::widgets::page::heading(out, "What the attempt changed");
    let items: Vec<String> = delta
        .inventory
        .iter()
        .map(|(i, n)| format!("{n:+} {i}"))
        .collect();
    let items = if items.is_empty() {
        "nothing".to_owned()
    } else {
        items.join(", ")
    };
    crate::widgets::page::field(out, "inventory", &items, width);
    let blocks: Vec<String> = delta
        .blocks
        .iter()
        .map(|(b, n)| format!("{n} {}", b.name()))
        .collect();
    if !blocks.is_empty() {
        crate::widgets::page::field(out, "broken", &blocks.join(", "), width);
    }
    crate::widgets::page::field(
        out,
        "moved",
        &format!("{} blocks", format_value(delta.moved)),
        width,
    );
    crate::widgets::page::field(
        out,
        "health",
        &format!("{:+} half hearts", delta.health),
        width,
    );
}

fn observables(out: &mut Vec<Rich>, o: &Observables, width: usize) {
    crate::widgets::page::heading(out, "Observables");
    let place = |p: pithead_world::space::Point| format!("{:.1} {:.1} {:.1}", p.x, p.y, p.z);
    crate::widgets::page::field(out, "from", &place(o.coords_start), width);
    crate::widgets::page::field(out, "to", &place(o.coords_end), width);
    crate::widgets::page::field(
        out,
        "variance",
        &format!("{} blocks²", format_value(o.coords_variance)),
        width,
    );
    let window = format!(
        "{} · opened {} · closed {}",
        o.gui_state, o.gui_events.open, o.gui_events.close
    );
    crate::widgets::page::field(out, "window", &window, width);
    let known = |v: Option<u32>| v.map_or("not known".to_owned(), |v| v.to_string());
    let furnace = format!(
        "burn {} · cook {}",
        known(o.furnace_burn),
        known(o.furnace_cook)
    );
    crate::widgets::page::field(out, "furnace", &furnace, width);
    crate::widgets::page::field(
        out,
        "container",
        &count_with_noun(o.container_items, "item", "items"),
        width,
    );
    let list = |counts: &pithead_world::counts::Counts| {
        let items: Vec<String> = counts
            .iter()
            .map(|(item, n)| format!("{n} {item}"))
            .collect();
        if items.is_empty() {
            "nothing".to_owned()
        } else {
            items.join(", ")
        }
    };
    crate::widgets::page::field(out, "held", &list(&o.inventory), width);
    crate::widgets::page::field(out, "crafted", &list(&o.crafted_items), width);
    crate::widgets::page::field(out, "world time", &format_count(o.world_time), width);
}
