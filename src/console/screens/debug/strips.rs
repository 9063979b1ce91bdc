//! Strips: the truth of each check over the attempt, one column for a stretch of frames.
//!
//! ```text
//! · inv_ge iron_ore 3                 at this frame: false
//!   ····▄████████████····████
//!              ▲
//! ```

use crate::screens::debug::inspection::{Inspection, PartContent};
use crate::theme::Role;
use crate::widgets::rich::Rich;
use pithead_core::domain::check::Truth;
use pithead_core::text::clean::{fit_columns, pad_columns};
use pithead_engine::runtime::case_file::CaseFile;

/// Columns before the strip.
const INDENT: usize = 2;

pub(crate) fn checks_content(inspection: &Inspection<'_>, width: usize) -> PartContent {
    let case = inspection.case;
    let checks = &case.attempt.subgoal.checks;
    if checks.is_empty() {
        return PartContent::from_lines(vec![Rich::text(Role::Faint, "this step has no checks")]);
    }
    let room = width.saturating_sub(INDENT);
    let mut lines = Vec::new();
    for (n, check) in checks.iter().enumerate() {
        let now = case
            .samples
            .get(inspection.at)
            .and_then(|sample| sample.truths.get(n).copied());
        let (role, sign, word) = truth(now.unwrap_or(Truth::Unknown));
        let name = Rich::text(role, format!("{sign} ")).and(Role::Text, check.describe());
        lines.push(name.with_right(Rich::text(role, word), width));
        lines.push(Rich::text(Role::Text, "  ").with_rest(&strip(case, n, room)));
    }
    lines.push(ruler(case, inspection.at, room));
    lines.push(Rich::text(
        Role::Faint,
        "  █ true  · false  ? not known  ▄ both",
    ));
    PartContent {
        title: "truth over time".to_owned(),
        lines,
        selected: None,
    }
}

pub(crate) fn truth(truth: Truth) -> (Role, &'static str, &'static str) {
    match truth {
        Truth::True => (Role::Good, "✔", "true"),
        Truth::False => (Role::Faint, "·", "false"),
        Truth::Unknown => (Role::Notice, "?", "not known"),
    }
}

/// The truth of check `n` in `width` columns.
pub(crate) fn strip(case: &CaseFile, n: usize, width: usize) -> Rich {
    let mut out = Rich::new();
    let (mut role, mut text) = (Role::Text, String::new());
    for column in 0..columns(case, width) {
        let (from, to) = stretch(case, column, width);
        let truths = case.samples[from..to]
            .iter()
            .filter_map(|sample| sample.truths.get(n));
        let (next, sign) = all(truths);
        if next != role && !text.is_empty() {
            out.add(role, std::mem::take(&mut text));
        }
        role = next;
        text.push(sign);
    }
    out.and(role, text)
}

fn all<'a>(mut truths: impl Iterator<Item = &'a Truth>) -> (Role, char) {
    let Some(first) = truths.next() else {
        return (Role::Faint, ' ');
    };
    match (first, truths.all(|truth| truth == first)) {
        (Truth::True, true) => (Role::Good, '█'),
        (Truth::False, true) => (Role::Faint, '·'),
        (Truth::Unknown, true) => (Role::Notice, '?'),
        (_, false) => (Role::Notice, '▄'),
    }
}

/// Columns that the frames fill; no more than there are frames.
pub(crate) fn columns(case: &CaseFile, width: usize) -> usize {
    case.samples.len().min(width)
}

/// The frames of a column.
pub(crate) fn stretch(case: &CaseFile, column: usize, width: usize) -> (usize, usize) {
    let (frames, columns) = (case.samples.len(), columns(case, width).max(1));
    let from = column * frames / columns;
    (
        from,
        ((column + 1) * frames / columns).clamp(from + 1, frames),
    )
}

/// The column of a frame.
pub(crate) fn column(case: &CaseFile, at: usize, width: usize) -> usize {
    let columns = columns(case, width);
    let found = (0..columns).find(|column| at < stretch(case, *column, width).1);
    found.unwrap_or(columns.saturating_sub(1))
}

/// Where the frame in sight lies.
pub(crate) fn ruler(case: &CaseFile, at: usize, width: usize) -> Rich {
    let before = INDENT + column(case, at, width);
    Rich::text(Role::Text, " ".repeat(before)).and(Role::Key, "▲")
}

/// A line of one check of two attempts.
pub(crate) fn named(case: &CaseFile, n: usize, name: usize, width: usize) -> Rich {
    let check = case.attempt.subgoal.checks.get(n);
    let words = check.map_or(String::new(), pithead_core::domain::check::Check::describe);
    let room = width.saturating_sub(name + 1);
    Rich::text(
        Role::Faint,
        pad_columns(&fit_columns(&words, name), name + 1),
    )
    .with_rest(&strip(case, n, room))
}
