//! The card of an entry: what speaks for it and against it, at the top of every page that shows it.
//!
//! A guardrail opens with its backtest as two bars, any other entry with the runs that had it and those that
//! had not. Invariant: what is not known is said to be unknown, and never drawn as nothing.

use crate::cache::Cache;
use crate::screens::knowledge::state::{Studies, Study, StudyKind};
use crate::screens::knowledge::study_result::{BacktestFound, BlockedAttempt, Side, StudyResult};
use crate::shell::Shell;
use crate::theme::Role;
use crate::widgets::effect_bar::effect_bar;
use crate::widgets::page::{field, heading};
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::domain::knowledge::Entry;
use pithead_core::knowledge::graph::{Relation, SAME_AS};
use pithead_core::text::clean::pad_columns;
use pithead_core::text::numbers::{count_with_noun, format_count};
use pithead_engine::runtime::effect::{ObservedEffect, RunGroup};
use pithead_world::ids::KnowledgeId;

/// Columns of a bar.
const BAR: usize = 24;
/// Columns of the names beside the bars; the fields of a page have as many.
const NAMES: usize = 14;
/// Columns of an effect's bar on each side of zero.
const EFFECT_HALF: i32 = 10;
/// Entries named that say the same.
const SAME_MAX: usize = 3;

/// The heading of the card.
const CARD_HEADING: &str = "What speaks for it";

/// The card of an entry.
#[must_use]
pub(crate) fn card_lines(entry: &Entry, shell: &Shell, cache: &Cache, width: usize) -> Vec<Rich> {
    let studies = &shell.knowledge.studies;
    let mut out = vec![Rich::new(), Rich::text(Role::Title, CARD_HEADING)];
    match study(studies, entry, StudyKind::Backtest) {
        Some(Study::Over {
            found: Ok(StudyResult::Backtest(found)),
            ..
        }) => {
            push_backtest(&mut out, found, width);
        }
        Some(Study::Over {
            found: Ok(StudyResult::Observed(seen)),
            ..
        }) => {
            push_observed(&mut out, seen, width);
        }
        Some(Study::Over {
            found: Ok(StudyResult::Lines(lines)),
            ..
        }) => {
            lines
                .iter()
                .for_each(|line| field(&mut out, "record", line, width));
        }
        Some(Study::Over {
            found: Err(because),
            ..
        }) => {
            field(&mut out, "record", because, width);
        }
        // It is told below the text that is edited.
        Some(Study::Over {
            found: Ok(StudyResult::Change(_)),
            ..
        }) => (),
        Some(Study::UnderWay { .. }) => {
            field(
                &mut out,
                "record",
                "looking through what is recorded …",
                width,
            );
        }
        None => field(&mut out, "record", "not looked through; b does", width),
    }
    push_effect(&mut out, entry, width);
    push_same(&mut out, entry.id, cache, width);
    push_trial(&mut out, studies, entry, width);
    out
}

/// The study of the entry as it is now; of another version it tells nothing.
fn study<'a>(studies: &'a Studies, entry: &Entry, kind: StudyKind) -> Option<&'a Study> {
    let found = studies.get(&(entry.id, kind))?;
    match found {
        Study::Over { version, .. } if *version != entry.version => None,
        other => Some(other),
    }
}

/// The attempts that it would have blocked, if they were looked for.
#[must_use]
pub(crate) fn blocked_attempts(studies: &Studies, id: KnowledgeId) -> Option<&BacktestFound> {
    match studies.get(&(id, StudyKind::Backtest))? {
        Study::Over {
            found: Ok(StudyResult::Backtest(found)),
            ..
        } => Some(found),
        _ => None, // nothing was found yet, or it blocks nothing
    }
}

fn push_backtest(out: &mut Vec<Rich>, found: &BacktestFound, width: usize) {
    let BacktestFound {
        failures,
        successes,
        attempts,
    } = found;
    if failures.all + successes.all == 0 {
        return field(
            out,
            "record",
            "nothing is recorded to hold it against",
            width,
        );
    }
    bar(
        out,
        "failures",
        Role::Good,
        (*failures, "it would have blocked", ""),
        width,
    );
    bar(
        out,
        "successes",
        Role::Bad,
        (*successes, "it would have blocked", ""),
        width,
    );
    if attempts.is_empty() {
        return;
    }
    let many = count_with_noun(attempts.len(), "attempt", "attempts");
    let line = Rich::text(Role::Faint, pad_columns("", NAMES))
        .and(Role::Key, "enter")
        .and(
            Role::Faint,
            format!(" tells what happened in {many} that it would have blocked"),
        );
    out.push(line.cut(width));
}

fn push_observed(out: &mut Vec<Rich>, seen: &ObservedEffect, width: usize) {
    let Some(split) = seen.splits.first() else {
        return field(out, "record", "no run is over", width);
    };
    let side = |group: RunGroup| Side {
        all: group.runs,
        blocked: group.successes,
        unknown: 0,
    };
    bar(
        out,
        "with it",
        Role::Good,
        (side(split.with), "", "runs succeeded"),
        width,
    );
    bar(
        out,
        "without it",
        Role::Text,
        (side(split.without), "", "runs succeeded"),
        width,
    );
    field(
        out,
        "",
        "as runs happened to go; T plays the same runs with and without it",
        width,
    );
}

/// `failures      ████████▌···············  it would have blocked 12 of 31; of 2 it is unknown`
pub(crate) fn bar(
    out: &mut Vec<Rich>,
    name: &str,
    role: Role,
    said: (Side, &str, &str),
    width: usize,
) {
    let (side, before, after) = said;
    let filled = match side.all {
        0 => 0,
        all => {
            usize::try_from(side.blocked.saturating_mul(BAR as u64).div_ceil(all)).unwrap_or(BAR)
        }
    };
    let filled = filled.min(BAR);
    if side.all == 0 {
        return field(out, name, "none is recorded", width);
    }
    let counts = format!(
        "{} of {}",
        format_count(side.blocked),
        format_count(side.all)
    );
    let words = [before, &counts, after]
        .into_iter()
        .filter(|word| !word.is_empty());
    let mut words = words.collect::<Vec<_>>().join(" ");
    if side.unknown > 0 {
        words += &format!("; of {} it is unknown", format_count(side.unknown));
    }
    let lead = Rich::text(Role::Faint, pad_columns(name, NAMES))
        .and(role, "█".repeat(filled))
        .and(Role::Faint, "·".repeat(BAR - filled))
        .and(Role::Text, "  ");
    paragraph(out, lead, Role::Text, &words, width);
}

fn push_effect(out: &mut Vec<Rich>, entry: &Entry, width: usize) {
    match entry.outcomes.effect() {
        Some(effect) => {
            let points = &effect.success;
            let words = format!(
                "{:+.0} points of success (95 %: {:+.0} to {:+.0})  {}",
                points.value,
                points.low,
                points.high,
                effect_bar(points, EFFECT_HALF)
            );
            field(out, "measured", &words, width);
        }
        None => {
            let basis = entry.outcomes.effect_basis();
            let words = basis.unwrap_or_else(|| "no effect yet: it was in no draw".to_owned());
            field(out, "measured", &words, width);
        }
    }
}

fn push_same(out: &mut Vec<Rich>, id: KnowledgeId, cache: &Cache, width: usize) {
    let known = cache.relations.as_ref().filter(|(of, _)| *of == id);
    let Some((_, relations)) = known else {
        return; // it is being read, or several entries are shown at once
    };
    let is_same = |relation: &&Relation| relation.name == SAME_AS;
    let Some(same) = relations.iter().find(is_same) else {
        return field(out, "the same", "no other entry says it", width);
    };
    let named = same.members.iter().take(SAME_MAX);
    let mut words: Vec<String> = named
        .map(|member| format!("{} {}", member.id, member.text))
        .collect();
    if same.count > SAME_MAX {
        words.push(format!("{} more", same.count - SAME_MAX));
    }
    field(out, "the same", &words.join(" · "), width);
}

fn push_trial(out: &mut Vec<Rich>, studies: &Studies, entry: &Entry, width: usize) {
    let words = match study(studies, entry, StudyKind::Trial) {
        None => "none yet; T plays twenty runs with and without it, in the background".to_owned(),
        Some(Study::UnderWay { .. }) => "▶ running; it will be told here".to_owned(),
        Some(Study::Over { found: Ok(_), .. }) => "played; the result is below".to_owned(),
        Some(Study::Over {
            found: Err(because),
            ..
        }) => because.clone(),
    };
    field(out, "trial", &words, width);
}

/// The heading below which what a study has found stands.
#[must_use]
pub(crate) fn study_heading(kind: StudyKind) -> String {
    match kind {
        StudyKind::Backtest | StudyKind::Edit => CARD_HEADING.to_owned(),
        StudyKind::Trial | StudyKind::Effect => format!("The {}", kind.name()),
    }
}

/// What trial and effect have come to, for the end of a page that shows the entry; the backtest stands on its card.
pub(crate) fn study_lines(out: &mut Vec<Rich>, studies: &Studies, entry: &Entry, width: usize) {
    for kind in [StudyKind::Trial, StudyKind::Effect] {
        let Some(study) = studies.get(&(entry.id, kind)) else {
            continue;
        };
        heading(out, &study_heading(kind));
        match study {
            Study::UnderWay { .. } => out.push(Rich::text(
                Role::Running,
                "▶ running; the result will appear here",
            )),
            Study::Over { version, found } => {
                if *version != entry.version {
                    let words = format!("! of version {version}, before it was changed");
                    out.push(Rich::text(Role::Notice, words));
                }
                match found {
                    Ok(StudyResult::Lines(lines)) => {
                        for line in lines {
                            paragraph(out, Rich::new(), Role::Text, line, width);
                        }
                    }
                    // Only a backtest is found as such, and it stands on the card.
                    Ok(
                        StudyResult::Backtest(_)
                        | StudyResult::Observed(_)
                        | StudyResult::Change(_),
                    ) => (),
                    Err(because) => {
                        paragraph(out, Rich::text(Role::Bad, "✗ "), Role::Text, because, width);
                    }
                }
            }
        }
    }
}

/// The attempts in words; the line at which the selected one begins.
#[must_use]
pub(crate) fn blocked_lines(
    id: KnowledgeId,
    at: usize,
    studies: &Studies,
    width: usize,
) -> (Vec<Rich>, usize) {
    let Some(found) = blocked_attempts(studies, id) else {
        return (
            vec![Rich::text(
                Role::Faint,
                "looking through what is recorded …",
            )],
            0,
        );
    };
    let (mut out, mut first) = (Vec::new(), 0);
    for (n, attempt) in found.attempts.iter().enumerate() {
        let is_first = n == 0 || found.attempts[n - 1].succeeded != attempt.succeeded;
        if is_first {
            heading(
                &mut out,
                if attempt.succeeded {
                    "Successes"
                } else {
                    "Failures"
                },
            );
        }
        if n == at {
            first = out.len();
        }
        push_attempt(&mut out, attempt, n == at, width);
    }
    (out, first)
}

fn push_attempt(out: &mut Vec<Rich>, attempt: &BlockedAttempt, is_selected: bool, width: usize) {
    let BlockedAttempt {
        id,
        succeeded,
        label,
        step,
        happened,
    } = attempt;
    let (role, sign) = match succeeded {
        true => (Role::Good, "✔"),
        false => (Role::Bad, "✗"),
    };
    let mark = if is_selected { "▌ " } else { "  " };
    let mut line = Rich::text(Role::BorderFocus, mark)
        .and(role, format!("{sign} "))
        .and(Role::Strong, format!("run {} a{}  {step}", id.run, id.n));
    if let Some(label) = label {
        line.add(role, format!("  {label}"));
    }
    out.push(line.cut(width));
    paragraph(
        out,
        Rich::text(Role::Faint, "    "),
        Role::Text,
        happened,
        width,
    );
}
