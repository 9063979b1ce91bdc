//! Counterfactual over history: which labels of all runs the moved thresholds would change, and what rests on them.
//!
//! Judged in a thread of its own, the newest run first, and shown as it goes on. Nothing is changed by it.

use crate::context::Context;
use crate::overlay::PageSubject;
use crate::screens::debug::inspection::inspection;
use crate::screens::debug::readings::{DebugReading, DebugReadings};
use crate::screens::debug::state::{DebugPage, DebugState};
use crate::theme::Role;
use crate::widgets::page::heading;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::experience::thresholds::KNOBS;
use pithead_core::text::numbers::{count_with_noun, format_count, format_value};
use pithead_engine::journal::Journal;
use pithead_engine::runtime::relabel::{MovedKnobs, Relabelling, moved_knobs, relabel};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;

/// A look through all runs; it is stopped when this is dropped.
#[derive(Debug)]
pub(crate) struct Relabel {
    pub(crate) moved: MovedKnobs,
    stop: Arc<AtomicBool>,
}

impl Relabel {
    pub(crate) fn begin(
        database: &Path,
        moved: MovedKnobs,
        out: &SyncSender<DebugReading>,
    ) -> Result<Self, String> {
        let stop = Arc::new(AtomicBool::new(false));
        let (told, out, asked) = (Arc::clone(&stop), out.clone(), moved.clone());
        let database = database.to_owned();
        let work = move || {
            let journal = Journal::look(&database).map_err(|error| error.to_string());
            let found = journal.and_then(|journal| {
                let so_far = |found: &Relabelling| {
                    let reading = Arc::new(found.clone());
                    // A console that is busy hears of the next run.
                    let _ = out.try_send(DebugReading::Relabelled(asked.clone(), Ok(reading)));
                };
                relabel(&journal, &asked, &told, so_far).map_err(|error| error.to_string())
            });
            // A console that has gone wants to know nothing.
            let _ = out.send(DebugReading::Relabelled(asked, found.map(Arc::new)));
        };
        let thread = std::thread::Builder::new().name("relabel".to_owned());
        thread.spawn(work).map_err(|error| error.to_string())?;
        Ok(Self { moved, stop })
    }
}

impl Drop for Relabel {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Asks for it with the thresholds as they are moved, and shows what has come of it so far.
pub(crate) fn open(context: &mut Context<'_>) {
    let moved = inspection(context.shell, context.cache)
        .map(|inspection| moved_knobs(&inspection.case.thresholds, inspection.thresholds));
    match moved {
        Some(moved) if !moved.is_empty() => {
            context.shell.debug.relabel = Some(moved);
            context
                .shell
                .open_page(PageSubject::Debug(DebugPage::Relabelled));
        }
        Some(_) => context
            .shell
            .refuse("move a threshold first: = sets one, in Thresholds ← → turn one"),
        None => context.shell.refuse("no attempt is in sight"),
    }
}

/// What the page says.
pub(crate) fn lines(ui: &DebugState, readings: &DebugReadings, width: usize) -> Vec<Rich> {
    let Some(moved) = &ui.relabel else {
        return vec![Rich::text(Role::Faint, "no threshold is moved")];
    };
    let with = moved.iter().filter_map(|(place, value)| {
        let name = KNOBS.get(*place)?.name;
        Some(format!("{name}={}", format_value(*value)))
    });
    let with: Vec<String> = with.collect();
    let mut out = vec![Rich::text(
        Role::Strong,
        format!("All runs with {}", with.join(", ")),
    )];
    match &readings.relabelled {
        Some((of, Ok(found))) if of == moved => push_result(&mut out, found, width),
        Some((of, Err(because))) if of == moved => {
            paragraph(
                &mut out,
                Rich::text(Role::Bad, "✗ "),
                Role::Text,
                because,
                width,
            );
        }
        _ => out.push(Rich::text(Role::Running, "▶ looking through the runs …")),
    }
    out
}

fn push_result(out: &mut Vec<Rich>, found: &Relabelling, width: usize) {
    let progress = if found.is_whole {
        Rich::text(Role::Good, "✔ all of them · ")
    } else {
        let (runs, of) = (
            format_count(found.runs as u64),
            format_count(found.of as u64),
        );
        Rich::text(
            Role::Running,
            format!("▶ run {runs} of {of}, the newest first · "),
        )
    };
    let words = format!(
        "{} of {} another label",
        format_count(found.changed),
        count_with_noun(found.attempts, "attempt gets", "attempts get")
    );
    out.push(progress.and(Role::Text, words).cut(width));
    if found.changed > 0 {
        heading(out, "From which label to which");
        let mut pairs: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for flip in &found.flips {
            *pairs.entry((name(flip.from), name(flip.to))).or_default() += 1;
        }
        for ((from, to), n) in pairs {
            let count = Rich::text(Role::Strong, format!("{:>6}  ", format_count(n)));
            out.push(count.and(Role::Text, format!("{from} → {to}")).cut(width));
        }
    }
    if found.is_whole {
        heading(out, "Entries that rest on them");
        for (id, title, n) in &found.entries {
            let attempts = usize::try_from(*n).unwrap_or(usize::MAX);
            let right = Rich::text(
                Role::Faint,
                count_with_noun(attempts, "attempt", "attempts"),
            );
            let left = Rich::text(Role::Faint, format!("{id} ")).and(Role::Text, title);
            out.push(left.with_right(right, width));
        }
        if found.entries.is_empty() {
            out.push(Rich::text(Role::Faint, "none"));
        }
    }
    if !found.flips.is_empty() {
        heading(out, "Attempts");
    }
    for flip in &found.flips {
        let (from, to) = (name(flip.from), name(flip.to));
        let left = Rich::text(Role::Faint, format!("run {} {} ", flip.run, flip.attempt))
            .and(Role::Text, &flip.step);
        let right = Rich::text(Role::Removed, from)
            .and(Role::Faint, " → ")
            .and(Role::Added, to);
        out.push(left.with_right(right, width));
    }
    for (run, because) in &found.left_out {
        let words = format!("run {run} is left out: {because}");
        paragraph(out, Rich::new(), Role::Notice, &words, width);
    }
}

fn name(reason: Option<FailureReason>) -> &'static str {
    reason.map_or("success", FailureReason::name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_engine::runtime::relabel::LabelFlip;
    use pithead_world::ids::{AttemptId, KnowledgeId, RunId};

    fn text(readings: &DebugReadings, moved: &[(usize, f64)]) -> String {
        let ui = DebugState {
            relabel: Some(moved.to_vec()),
            ..DebugState::default()
        };
        let lines = lines(&ui, readings, 76);
        let lines: Vec<String> = lines.iter().map(Rich::plain).collect();
        lines.join("\n")
    }

    #[test]
    fn the_page_tells_what_flips_and_what_rests_on_it_and_how_far_it_is() {
        let moved = vec![(0, 200.0)];
        let mut readings = DebugReadings::default();
        assert!(text(&readings, &moved).contains("looking through the runs"));
        let run = RunId(3);
        let mut found = Relabelling {
            runs: 2,
            of: 5,
            attempts: 1_200,
            changed: 1,
            flips: vec![LabelFlip {
                run,
                attempt: AttemptId(7),
                step: "mine iron_ore \u{1b}[31m×3".to_owned(),
                from: Some(FailureReason::NavStuck),
                to: None,
            }],
            ..Relabelling::default()
        };
        readings.relabelled = Some((moved.clone(), Ok(Arc::new(found.clone()))));
        let told = text(&readings, &moved);
        assert!(told.contains("All runs with window_ticks=200"), "{told}");
        assert!(told.contains("run 2 of 5"), "{told}");
        assert!(told.contains("1 of 1,200 attempts"), "{told}");
        assert!(told.contains("1  NAV_STUCK → success"), "{told}");
        assert!(
            !told.contains("rest on them") && !told.contains('\u{1b}'),
            "{told}"
        );
        found.is_whole = true;
        found.entries = vec![(KnowledgeId { run, n: 1 }, "gravel".to_owned(), 1)];
        readings.relabelled = Some((moved.clone(), Ok(Arc::new(found))));
        let told = text(&readings, &moved);
        assert!(
            told.contains("k3.1 gravel") && told.contains("1 attempt"),
            "{told}"
        );
        // Of other thresholds it says nothing.
        assert!(text(&readings, &[(1, 2.0)]).contains("looking through"));
    }
}
