//! The heat of failures: subgoals down, reasons across, shaded and counted.
//!
//! ```text
//!                    NAV_STUCK     TIMEOUT      runs
//! mine iron_ore      █ 12          ░ 1             7
//! ```
//!
//! Invariant: the count stands in every cell, so that shades only help the eye.

use crate::theme::Role;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::text::clean::{clean_line, fit_columns, pad_columns};
use pithead_core::text::numbers::{count_with_noun, format_count};
use pithead_engine::runtime::failure_heatmap::FailureHeatmap;

/// Columns of the subgoals at most.
const NAME_MAX: usize = 24;
/// Columns of a reason at least: a shade and a count.
const CELL_MIN: usize = 7;
/// Columns of the last number.
const RUNS: usize = 6;
const SHADES: [char; 4] = ['░', '▒', '▓', '█'];

/// The heat below a list: as many reasons as there is room for, and the names of the others.
#[must_use]
pub fn heatmap_lines(heat: &FailureHeatmap, width: usize) -> Vec<Rich> {
    if heat.failures == 0 {
        return vec![no_failures()];
    }
    let place = Place::of(heat, width);
    let shown = place.fitting(0);
    let mut out = band(heat, &place, 0..shown);
    out.push(total(heat).cut(width));
    if shown < heat.reasons.len() {
        let lead = Rich::text(Role::Notice, "d also shows ");
        let names = heat.reasons[shown..].join(", ");
        paragraph(&mut out, lead, Role::Text, &names, width);
    }
    out
}

/// All of the heat: the reasons that have no room beside the others stand below them.
#[must_use]
pub fn whole_heatmap(heat: &FailureHeatmap, width: usize) -> Vec<Rich> {
    if heat.failures == 0 {
        return vec![no_failures()];
    }
    let place = Place::of(heat, width);
    let (mut out, mut from) = (Vec::new(), 0);
    while from < heat.reasons.len() {
        // One reason a band at least, however narrow the page is.
        let to = (from + place.fitting(from)).max(from + 1);
        out.extend(band(heat, &place, from..to));
        out.push(Rich::new());
        from = to;
    }
    out.push(total(heat).cut(width));
    out
}

fn no_failures() -> Rich {
    Rich::text(Role::Faint, "no attempt has failed in these runs")
}

fn total(heat: &FailureHeatmap) -> Rich {
    let told = format!(
        "{} in {}",
        count_with_noun(heat.failures, "failed attempt", "failed attempts"),
        count_with_noun(heat.runs, "run", "runs")
    );
    Rich::text(Role::Faint, told)
}

/// How wide the columns are.
struct Place {
    width: usize,
    name: usize,
    cells: Vec<usize>,
}

impl Place {
    /// As wide as the names need.
    fn of(heat: &FailureHeatmap, width: usize) -> Self {
        let longest = heat.rows.iter().map(|row| row.subgoal.chars().count() + 2);
        let longest = longest.max().unwrap_or(NAME_MAX).min(NAME_MAX);
        let wide = |reason: &String| (reason.chars().count() + 2).max(CELL_MIN);
        Self {
            width,
            name: longest.min(width / 3),
            cells: heat.reasons.iter().map(wide).collect(),
        }
    }

    /// How many reasons from this one on have room side by side.
    fn fitting(&self, from: usize) -> usize {
        let mut left = self.width.saturating_sub(self.name + RUNS);
        let fits = |cell: &&usize| match left.checked_sub(**cell) {
            Some(rest) => {
                left = rest;
                true
            }
            None => false,
        };
        self.cells[from..].iter().take_while(fits).count()
    }
}

/// All subgoals with some of the reasons.
fn band(heat: &FailureHeatmap, place: &Place, reasons: std::ops::Range<usize>) -> Vec<Rich> {
    let name = place.name;
    let mut head = Rich::text(Role::Text, " ".repeat(name));
    for at in reasons.clone() {
        let cell = place.cells[at];
        let text = fit_columns(&clean_line(&heat.reasons[at]), cell - 1);
        head.add(Role::Faint, pad_columns(&text, cell));
    }
    head.add(Role::Faint, format!("{:>RUNS$}", "runs"));
    let mut out = vec![head.cut(place.width)];
    let most = heat.most();
    for row in &heat.rows {
        let text = fit_columns(&clean_line(&row.subgoal), name.saturating_sub(1));
        let mut line = Rich::text(Role::Strong, pad_columns(&text, name));
        for at in reasons.clone() {
            let (role, text) = shaded(row.counts[at], most);
            line.add(role, pad_columns(&text, place.cells[at]));
        }
        line.add(Role::Faint, format!("{:>RUNS$}", row.runs));
        out.push(line.cut(place.width));
    }
    out
}

/// A cell by its share of the largest.
fn shaded(n: u64, most: u64) -> (Role, String) {
    if n == 0 {
        return (Role::Ghost, "·".to_owned());
    }
    let step = (n * SHADES.len() as u64).div_ceil(most.max(1)) as usize;
    let shade = SHADES[step.clamp(1, SHADES.len()) - 1];
    let role = if step >= 3 { Role::Bad } else { Role::Notice };
    (role, format!("{shade} {}", format_count(n)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_engine::runtime::failure_heatmap::HeatmapRow;

    fn heat() -> FailureHeatmap {
        let row = |subgoal: &str, counts: [u64; 2], runs| HeatmapRow {
            subgoal: subgoal.to_owned(),
            counts: counts.to_vec(),
            runs,
        };
        FailureHeatmap {
            reasons: vec!["NAV_STUCK".to_owned(), "TIMEOUT".to_owned()],
            rows: vec![
                row("mine iron_ore", [12, 1], 7),
                row("mine coal", [0, 6], 2),
            ],
            runs: 8,
            failures: 19,
        }
    }

    #[test]
    fn cells_are_shaded_and_counted() {
        let text: Vec<String> = heatmap_lines(&heat(), 60).iter().map(Rich::plain).collect();
        assert!(text[0].contains("NAV_STUCK  TIMEOUT"), "{text:?}");
        assert!(
            text[1].contains("█ 12") && text[1].contains("░ 1"),
            "{text:?}"
        );
        assert!(text[2].contains('·') && text[2].contains("▒ 6"), "{text:?}");
        assert_eq!(text[3], "19 failed attempts in 8 runs");
    }

    #[test]
    fn the_whole_heat_leaves_no_reason_out_at_any_width() {
        for width in [0, 10, 36, 80, 200] {
            let text: Vec<String> = whole_heatmap(&heat(), width)
                .iter()
                .map(Rich::plain)
                .collect();
            assert!(!text.iter().any(|line| line.contains("also")), "{text:?}");
            if width > 20 {
                let text = text.join("\n");
                assert!(
                    text.contains("NAV_STUCK") && text.contains("TIMEOUT"),
                    "{text}"
                );
                assert!(text.contains("█ 12") && text.contains("▒ 6"), "{text}");
            }
        }
        assert_eq!(
            whole_heatmap(&heat(), 80).len(),
            5,
            "side by side where there is room"
        );
    }

    #[test]
    fn what_has_no_room_is_named() {
        let text: Vec<String> = heatmap_lines(&heat(), 36).iter().map(Rich::plain).collect();
        assert_eq!(text.last().unwrap(), "d also shows TIMEOUT");
        for width in 0..30 {
            assert!(!heatmap_lines(&heat(), width).is_empty());
        }
        assert_eq!(heatmap_lines(&FailureHeatmap::default(), 50).len(), 1);
    }
}
