//! Runs beside each other: a line for each thing, a column for each run, and a sign where they differ.
//!
//! ```text
//!   task                craft an iron pickaxe       craft an iron pickaxe
//! ≠ left out            –                           k1.1 (no digging without 2 torches)
//! Steps that differ
//! ≠ mine iron_ore ×3    ✗ 900 ticks, NAV_STUCK ×2   ✔ 340 ticks
//! ```

use crate::theme::Role;
use crate::widgets::page::heading;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::text::clean::{clean_line, fit_columns, pad_columns};
use pithead_engine::runtime::compare::{ComparedRun, ComparisonLine, sections};
use pithead_world::ids::RunId;
use std::sync::Arc;

/// Columns of the names.
const NAME: usize = 22;
/// Columns between two runs.
const GAP: usize = 2;
/// A run in fewer columns says too little; then the page says how many are left out.
const COLUMN_MIN: usize = 14;

/// Runs beside each other, in the order asked for, or why they cannot be.
pub type ComparedRuns = Result<Arc<Vec<ComparedRun>>, String>;

/// What the page is called.
#[must_use]
pub fn name(runs: &[RunId]) -> String {
    let runs: Vec<String> = runs.iter().map(ToString::to_string).collect();
    format!("runs {}", runs.join(", "))
}

#[must_use]
pub fn comparison_lines(compared: Option<&(Vec<RunId>, ComparedRuns)>, width: usize) -> Vec<Rich> {
    match compared {
        None => vec![Rich::text(Role::Faint, "reading …")],
        Some((_, Err(because))) => {
            let mut out = Vec::new();
            paragraph(&mut out, Rich::new(), Role::Bad, because, width);
            out
        }
        Some((_, Ok(sides))) => lines_beside(sides, width),
    }
}

fn lines_beside(sides: &[ComparedRun], width: usize) -> Vec<Rich> {
    let room = width.saturating_sub(NAME + 2);
    let shown = sides.len().min(room / (COLUMN_MIN + GAP)).max(1);
    let column = (room / shown).saturating_sub(GAP).max(1);
    let mut out = Vec::new();
    // In full: what a fork was made without is what it was made for.
    for side in sides.iter().filter(|side| !side.left_out.is_empty()) {
        let all = side.left_out.iter();
        let all: Vec<String> = all
            .map(|out| format!("{} ({})", out.id, out.title))
            .collect();
        let lead = Rich::text(Role::Strong, format!("run {} left out: ", side.run));
        paragraph(
            &mut out,
            lead,
            Role::Notice,
            &clean_line(&all.join(", ")),
            width,
        );
    }
    for section in sections(sides) {
        if !section.title.is_empty() {
            heading(&mut out, section.title);
        }
        for line in &section.lines {
            out.push(beside(line, (shown, column), width));
        }
    }
    if shown < sides.len() {
        out.push(Rich::text(
            Role::Notice,
            format!(
                "{} more than fit here; a wider terminal or `pithead compare` shows them",
                sides.len() - shown
            ),
        ));
    }
    out
}

fn beside(line: &ComparisonLine, (shown, column): (usize, usize), width: usize) -> Rich {
    let (sign, role) = if line.differs() {
        (Rich::text(Role::Notice, "≠ "), Role::Strong)
    } else {
        (Rich::text(Role::Faint, "  "), Role::Faint)
    };
    let name = clean_line(&line.name);
    let mut rich = sign.and(Role::Text, pad_columns(&fit_columns(&name, NAME - 1), NAME));
    for value in line.values.iter().take(shown) {
        let value = fit_columns(&clean_line(value), column);
        rich.add(role, pad_columns(&value, column + GAP));
    }
    rich.cut(width)
}
