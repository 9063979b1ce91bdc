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

/// Columns of the subgoals.
const NAME: usize = 24;
/// Columns of a reason: the longest name and a gap.
const CELL: usize = 20;
/// Columns of the last number.
const RUNS: usize = 6;
const SHADES: [char; 4] = ['░', '▒', '▓', '█'];

#[must_use]
pub fn heatmap_lines(heat: &FailureHeatmap, width: usize) -> Vec<Rich> {
    if heat.failures == 0 {
        return vec![Rich::text(
            Role::Faint,
            "no attempt has failed in these runs",
        )];
    }
    let name = NAME.min(width / 3);
    let room = width.saturating_sub(name + RUNS);
    let widest = heat.reasons.iter().map(|r| r.chars().count() + 2).max();
    let cell = widest.unwrap_or(CELL).min(CELL);
    let shown = heat.reasons.len().min(room / cell.max(1));
    let left_out = &heat.reasons[shown..];
    let mut head = Rich::text(Role::Text, " ".repeat(name));
    for reason in &heat.reasons[..shown] {
        let text = fit_columns(&clean_line(reason), cell - 1);
        head.add(Role::Faint, pad_columns(&text, cell));
    }
    head.add(Role::Faint, format!("{:>RUNS$}", "runs"));
    let mut out = vec![head.cut(width)];
    let most = heat.most();
    for row in &heat.rows {
        let text = fit_columns(&clean_line(&row.subgoal), name.saturating_sub(1));
        let mut line = Rich::text(Role::Strong, pad_columns(&text, name));
        for n in &row.counts[..shown] {
            let (role, text) = shaded(*n, most);
            line.add(role, pad_columns(&text, cell));
        }
        line.add(Role::Faint, format!("{:>RUNS$}", row.runs));
        out.push(line.cut(width));
    }
    let told = format!(
        "{} in {}",
        count_with_noun(heat.failures, "failed attempt", "failed attempts"),
        count_with_noun(heat.runs, "run", "runs")
    );
    out.push(Rich::text(Role::Faint, told).cut(width));
    if !left_out.is_empty() {
        let lead = Rich::text(Role::Notice, "no room for ");
        let names = left_out.join(", ");
        paragraph(&mut out, lead, Role::Text, &names, width);
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
    fn what_has_no_room_is_named() {
        let text: Vec<String> = heatmap_lines(&heat(), 40).iter().map(Rich::plain).collect();
        assert_eq!(text.last().unwrap(), "no room for TIMEOUT");
        for width in 0..30 {
            assert!(!heatmap_lines(&heat(), width).is_empty());
        }
        assert_eq!(heatmap_lines(&FailureHeatmap::default(), 50).len(), 1);
    }
}
