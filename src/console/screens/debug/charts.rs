//! Charts: the indicators over the attempt, with the thresholds that they are held against drawn in.
//!
//! ```text
//! σ²_coord 0.02 blocks²          nav_variance 0.25
//!   ┄┄┄┄┄┄▃▅┄┄┄┄┄┄
//!   ▂▃▅▇▅▃██▂▁▁▁▁▁
//! ```

use crate::screens::debug::inspection::{Inspection, PartContent};
use crate::screens::debug::strips::{column, columns, ruler, stretch};
use crate::theme::Role;
use crate::widgets::rich::Rich;
use pithead_core::diagnosis::series::Series;
use pithead_core::domain::experience::thresholds::Knob;
use pithead_core::text::numbers::format_value;

/// Lines of one chart below its name.
const HEIGHT: usize = 3;
const INDENT: usize = 2;
/// A threshold that is so many times the greatest value is named and not drawn, or it would press
/// the values flat; the first is always drawn.
const FAR: f64 = 3.0;

pub(crate) fn indicators_content(inspection: &Inspection<'_>, width: usize) -> PartContent {
    let mut lines = Vec::new();
    let mut selected = None;
    for (n, series) in inspection.series.iter().enumerate() {
        if n == inspection.ui.chart {
            selected = Some(lines.len());
        }
        lines.extend(chart(inspection, series, width));
    }
    lines.push(ruler(
        inspection.case,
        inspection.at,
        width.saturating_sub(INDENT),
    ));
    PartContent {
        title: format!("over the last {} ticks", inspection.thresholds.window_ticks),
        lines,
        selected,
    }
}

fn chart(inspection: &Inspection<'_>, series: &Series, width: usize) -> Vec<Rich> {
    let held: Vec<(&str, f64)> = series
        .knobs
        .iter()
        .filter_map(|name| Some((*name, Knob::named(name).ok()?.get(inspection.thresholds))))
        .collect();
    let here = inspection
        .case
        .samples
        .get(inspection.at)
        .and_then(|sample| at_tick(series, sample.tick));
    let words: Vec<String> = held
        .iter()
        .map(|(name, v)| format!("{name} {}", format_value(*v)))
        .collect();
    let name = Rich::text(Role::Text, format!("{} ", series.name))
        .and(Role::Strong, here.map_or("–".to_owned(), format_value))
        .and(Role::Faint, format!(" {}", series.unit));
    let first = words.first().cloned().unwrap_or_default();
    let bare = held
        .first()
        .map_or(String::new(), |(_, v)| format!("| {}", format_value(*v)));
    // What does not fit beside the name gives way; the threshold itself stays.
    let fits = |text: &String| name.width() + text.chars().count() < width;
    let right = [words.join(" · "), first].into_iter().find(fits);
    let right = Rich::text(Role::Notice, right.unwrap_or(bare));
    let mut out = vec![name.with_right(right, width)];
    let greatest = series.points.iter().map(|(_, v)| *v).fold(0.0, f64::max);
    let drawn: Vec<f64> = held
        .iter()
        .enumerate()
        .filter(|(n, (_, v))| *n == 0 || *v <= greatest * FAR)
        .map(|(_, (_, v))| *v)
        .collect();
    let top = drawn.iter().copied().fold(greatest, f64::max);
    let room = width.saturating_sub(INDENT);
    let values = in_columns(inspection, series, room);
    let cursor = column(inspection.case, inspection.at, room);
    for row in (0..HEIGHT).rev() {
        out.push(line(&values, row, top, &drawn, cursor));
    }
    out
}

/// The value of each column: the greatest in its stretch.
fn in_columns(inspection: &Inspection<'_>, series: &Series, room: usize) -> Vec<f64> {
    let case = inspection.case;
    let mut points = series.points.iter().peekable();
    let mut last = series.points.first().map_or(0.0, |(_, v)| *v);
    let mut out = Vec::with_capacity(columns(case, room));
    for column in 0..columns(case, room) {
        let (_, to) = stretch(case, column, room);
        let until = case.samples[to - 1].tick;
        let mut most: Option<f64> = None;
        while let Some((_, v)) = points.next_if(|(tick, _)| *tick <= until) {
            most = Some(most.map_or(*v, |most| most.max(*v)));
        }
        last = most.unwrap_or(last);
        out.push(last);
    }
    out
}

fn at_tick(series: &Series, tick: u64) -> Option<f64> {
    let upto = series.points.partition_point(|(at, _)| *at <= tick);
    series.points.get(upto.checked_sub(1)?).map(|(_, v)| *v)
}

/// One line of a chart, `row` 0 the lowest.
fn line(values: &[f64], row: usize, top: f64, thresholds: &[f64], cursor: usize) -> Rich {
    const STEPS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let eighths = |v: f64| {
        let share = if top > 0.0 {
            (v / top).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (share * (HEIGHT * 8) as f64).round() as usize
    };
    let level = |v: f64| (eighths(v).saturating_sub(1)) / 8;
    let has_threshold = thresholds.iter().any(|t| level(*t) == row);
    let mut out = Rich::text(Role::Text, "  ");
    let (mut role, mut text) = (Role::Text, String::new());
    for (at, v) in values.iter().enumerate() {
        let fill = eighths(*v).saturating_sub(row * 8).min(8);
        let (next, sign) = match (fill, has_threshold) {
            (0, true) => (Role::Notice, '┄'),
            // Where the values cover the threshold, it is seen through them.
            (8, true) if at != cursor => (Role::Notice, '▓'),
            (fill, _) if at == cursor => (Role::Key, STEPS[fill]),
            (fill, _) => (Role::Bar, STEPS[fill]),
        };
        if next != role {
            out.add(role, std::mem::take(&mut text));
        }
        role = next;
        text.push(sign);
    }
    out.and(role, text)
}
