//! The 13 observables at the frame in sight, as if the attempt had ended there.

use crate::screens::debug::inspection::{Inspection, PartContent};
use crate::theme::Role;
use crate::widgets::page::field;
use crate::widgets::rich::Rich;
use pithead_core::diagnosis::observables::observables_until;
use pithead_core::domain::experience::diagnosis::Observables;
use pithead_core::text::numbers::{count_with_noun, format_count, format_ticks, format_value};
use pithead_world::counts::Counts;
use pithead_world::item::ItemId;
use pithead_world::space::Point;
use std::collections::BTreeMap;

pub(crate) fn observables_content(inspection: &Inspection<'_>, width: usize) -> PartContent {
    let case = inspection.case;
    let samples = case.samples.get(..=inspection.at).unwrap_or(&case.samples);
    let Some(seen) = observables_until(&case.attempt, samples) else {
        return PartContent::from_lines(vec![Rich::text(Role::Faint, "nothing was observed")]);
    };
    let mut lines = Vec::new();
    for (name, value) in rows(&seen) {
        field(&mut lines, name, &value, width);
    }
    if let Some(sample) = samples.last() {
        field(
            &mut lines,
            "health",
            &format!("{:.1} of 20", sample.health),
            width,
        );
        if !sample.alive {
            lines.push(Rich::text(Role::Bad, "the body is dead"));
        }
    }
    let first = samples.first().map_or(0, |sample| sample.tick);
    PartContent {
        title: format!(
            "after {}",
            format_ticks(seen.world_time.saturating_sub(first))
        ),
        lines,
        selected: None,
    }
}

/// Name and value of each, in the order of the paper's table.
pub(crate) fn rows(o: &Observables) -> [(&'static str, String); 13] {
    let known = |v: Option<u32>| v.map_or("not known".to_owned(), |v| v.to_string());
    let open = if o.is_gui_open { "yes" } else { "no" };
    [
        ("coords_start", place(o.coords_start)),
        ("coords_end", place(o.coords_end)),
        (
            "coords_var",
            format!("{} blocks²", format_value(o.coords_variance)),
        ),
        ("inventory", counts(&o.inventory)),
        ("inv_delta", changes(&o.inv_delta)),
        ("is_gui_open", open.to_owned()),
        ("gui_state", o.gui_state.clone()),
        (
            "gui_events",
            format!(
                "opened {} · closed {}",
                o.gui_events.open, o.gui_events.close
            ),
        ),
        ("world_time", format!("tick {}", format_count(o.world_time))),
        ("furnace_burn", known(o.furnace_burn)),
        ("furnace_cook", known(o.furnace_cook)),
        (
            "container",
            count_with_noun(o.container_items, "item", "items"),
        ),
        ("crafted", counts(&o.crafted_items)),
    ]
}

fn place(p: Point) -> String {
    format!("{:.1} {:.1} {:.1}", p.x, p.y, p.z)
}

fn counts(counts: &Counts) -> String {
    let items: Vec<String> = counts
        .iter()
        .map(|(item, n)| format!("{n} {item}"))
        .collect();
    or_nothing(&items)
}

fn changes(changes: &BTreeMap<ItemId, i64>) -> String {
    let items: Vec<String> = changes
        .iter()
        .map(|(item, n)| format!("{n:+} {item}"))
        .collect();
    or_nothing(&items)
}

fn or_nothing(items: &[String]) -> String {
    if items.is_empty() {
        "nothing".to_owned()
    } else {
        items.join(", ")
    }
}
