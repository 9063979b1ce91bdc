//! Pages of the Evaluate screen: an evaluation, or one of its episodes, in lines.
//!
//! ```text
//! ▕━━━━━━━━━━━┄┄┄┄┄▏ 812 of 1,400 episodes · 58 % · about 12:40 min left
//! ```

use crate::screens::evaluate::chart;
use crate::screens::evaluate::tables::{ending, state};
use crate::theme::Role;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::text::clean::{clean_line, fit_columns, pad_columns};
use pithead_core::text::numbers::{count_with_noun, format_count, format_seconds, format_ticks};
use pithead_engine::eval::listing::{EpisodeRow, EvalSection, EvalState, Evaluation};
use unicode_width::UnicodeWidthStr;

/// Columns between two cells of a table.
const GAP: usize = 2;
/// A cell wider than this is cut, unless it is the first of its row.
const CELL_MAX: usize = 40;

/// Everything about an evaluation.
#[must_use]
pub fn evaluation_lines(of: &Evaluation, width: usize) -> Vec<Rich> {
    let mut out = vec![progress(of, width)];
    let mut told = |name: &str, role: Role, text: &str| {
        let lead = Rich::text(Role::Faint, pad_columns(name, 11));
        paragraph(&mut out, lead, role, text, width);
    };
    for fault in &of.faults {
        told("! unread", Role::Bad, fault);
    }
    if of.state == EvalState::Stopped {
        told("go on with", Role::Key, &of.command);
    }
    if !of.folder.is_empty() {
        told("kept in", Role::Faint, &of.folder);
    }
    for part in &of.sections {
        out.push(Rich::new());
        match part {
            EvalSection::Table { title, head, rows } => {
                out.push(Rich::text(Role::Title, title));
                table(&mut out, head, rows, width);
            }
            EvalSection::Chart(chart) => out.extend(chart::chart_lines(chart, width)),
            EvalSection::Text { title, lines } => {
                out.push(Rich::text(Role::Title, title));
                for line in lines {
                    paragraph(&mut out, Rich::new(), Role::Text, line, width);
                }
            }
        }
    }
    out
}

/// How far it is.
fn progress(of: &Evaluation, width: usize) -> Rich {
    let (role, sign) = state(of.state);
    if of.state == EvalState::Broken {
        return Rich::text(role, format!("{sign} {}", of.state.name()));
    }
    let share = if of.total == 0 {
        1.0
    } else {
        (of.done as f64 / of.total as f64).min(1.0)
    };
    let mut right = Rich::text(
        Role::Text,
        format!(
            " {} of {} {} · {:.0} %",
            format_count(of.done),
            format_count(of.total),
            of.unit,
            (100.0 * share).floor()
        ),
    );
    match (of.state, of.left_s) {
        (EvalState::Running, Some(left)) => {
            right.add(
                Role::Notice,
                format!(" · about {} left", format_seconds(left)),
            );
        }
        (EvalState::Running, None) => right.add(Role::Faint, " · time left not known yet"),
        (other, _) => right.add(role, format!(" · {}", other.name())),
    }
    let left = Rich::text(role, format!("{sign} "));
    let room = width.saturating_sub(left.width() + right.width() + 2);
    if room < 6 {
        return left.with_rest(&right).cut(width);
    }
    let filled = (share * room as f64).floor() as usize;
    left.and(Role::Faint, "▕")
        .and(Role::Bar, "━".repeat(filled))
        .and(Role::Faint, "┄".repeat(room - filled))
        .and(Role::Faint, "▏")
        .with_rest(&right)
}

/// The first column at the left, numbers at the right; a row that is too long is cut.
fn table(out: &mut Vec<Rich>, head: &[String], rows: &[Vec<String>], width: usize) {
    let cut = |cell: &String| fit_columns(&clean_line(cell), CELL_MAX);
    let all: Vec<Vec<String>> = std::iter::once(head)
        .chain(rows.iter().map(Vec::as_slice))
        .map(|row| row.iter().map(cut).collect())
        .collect();
    let wide = |column: usize| {
        let cells = all.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(wide).collect();
    for (at, row) in all.iter().enumerate() {
        let mut line = Rich::new();
        for (column, (cell, wide)) in row.iter().zip(&widths).enumerate() {
            let role = match (at, column) {
                (0, _) => Role::Faint,
                (_, 0) => Role::Strong,
                _ => Role::Text,
            };
            let pad = " ".repeat(wide.saturating_sub(cell.width()));
            if column == 0 {
                line.add(role, cell);
                line.add(Role::Text, pad);
            } else {
                line.add(Role::Text, " ".repeat(GAP) + &pad);
                line.add(role, cell);
            }
        }
        out.push(line.cut(width));
    }
}

/// Everything about an episode.
#[must_use]
pub fn episode_lines(of: &EpisodeRow, journal: Option<&str>, width: usize) -> Vec<Rich> {
    let (role, sign, word) = ending(of.ending);
    let mut out = vec![
        Rich::text(role, format!("{sign} {word}"))
            .and(Role::Strong, format!(" {}", of.task))
            .and(
                Role::Faint,
                format!(" · {} · seed {} · pass {}", of.system, of.seed, of.pass),
            )
            .cut(width),
        Rich::new(),
    ];
    let mut told = |name: &str, text: &str| {
        let lead = Rich::text(Role::Faint, pad_columns(name, 14));
        paragraph(&mut out, lead, Role::Text, text, width);
    };
    told("ended because", &of.because);
    if let Some(last) = &of.last_failure {
        told("last failure", last);
    }
    told(
        "world time",
        &format!(
            "{}, {}",
            count_with_noun(of.ticks, "tick", "ticks"),
            format_ticks(of.ticks)
        ),
    );
    told("took", &format_seconds(of.wall_ms / 1000));
    told(
        "attempts",
        &format!(
            "{}, {} failed · {} · {} to the mind",
            format_count(of.attempts),
            format_count(of.failed),
            count_with_noun(of.replans as usize, "replan", "replans"),
            count_with_noun(of.mind_calls as usize, "question", "questions")
        ),
    );
    let reasons: Vec<String> = of
        .reasons
        .iter()
        .map(|(reason, n)| format!("{reason} {n}"))
        .collect();
    if !reasons.is_empty() {
        told("failures", &reasons.join(" · "));
    }
    match (of.run, journal) {
        (Some(run), Some(journal)) => {
            told("its run", &format!("pithead replay {run} --db {journal}"));
            told("", &format!("pithead show {run} --db {journal}"));
        }
        _ => told("its run", "lives keep no runs, only their results"),
    }
    out
}
