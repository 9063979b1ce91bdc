//! All recorded attempts judged again: how many labels change with other thresholds, and how.

use super::super::options::{Database, changed_thresholds};
use super::label_name;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, print_stderr, text_table};
use pithead_core::diagnosis::whatif::EndedAttempt;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::journal::{Journal, RunRow};
use pithead_engine::runtime::config_of;
use pithead_engine::runtime::past_attempts::{FrameSource, NoEvidence, PastAttempt, look_back};
use pithead_world::ids::{AttemptId, RunId};
use serde::Serialize;
use std::collections::BTreeMap;

/// What is printed; the JSON form is stable.
#[derive(Debug, Default, Serialize)]
struct Tally {
    schema: u32,
    runs: u64,
    attempts: u64,
    failed: u64,
    /// Attempts for which the world was played again.
    replayed: u64,
    changed: u64,
    changes: Vec<Row>,
    /// Labels that people gave beside those that this program gives.
    overruled: u64,
    overruled_agree: u64,
    /// Runs whose attempts could not be judged.
    left_out: Vec<LeftOut>,
}

#[derive(Debug, Serialize)]
struct Row {
    from: &'static str,
    to: &'static str,
    count: u64,
    /// One of them, to look at.
    example: Example,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Example {
    run: RunId,
    attempt: AttemptId,
}

#[derive(Debug, Serialize)]
struct LeftOut {
    run: RunId,
    because: String,
}

pub(super) fn perform(
    database: &Database,
    settings: &[String],
    json: bool,
) -> Result<ExitStatus, CommandError> {
    let journal = database.open_read_only()?;
    let mut tally = Tally {
        schema: 1,
        ..Tally::default()
    };
    let mut changes = BTreeMap::new();
    for row in journal.runs()? {
        match judge(&journal, &row, settings, (&mut tally, &mut changes)) {
            Ok(()) => tally.runs += 1,
            Err(error) => tally.left_out.push(LeftOut {
                run: row.id,
                because: error.to_string(),
            }),
        }
    }
    let rows = changes
        .into_iter()
        .map(|((from, to), (count, example))| Row {
            from,
            to,
            count,
            example,
        });
    tally.changes = rows.collect();
    tally
        .changes
        .sort_by_key(|row| std::cmp::Reverse(row.count));
    if !json {
        for left in &tally.left_out {
            print_stderr(&format!("run {} is left out: {}", left.run, left.because));
        }
    }
    print_document(json, &tally, |tally| tally.text(settings))?;
    Ok(ExitStatus::Done)
}

type Changes = BTreeMap<(&'static str, &'static str), (u64, Example)>;

fn judge(
    journal: &Journal,
    row: &RunRow,
    settings: &[String],
    (tally, changes): (&mut Tally, &mut Changes),
) -> Result<(), NoEvidence> {
    let thresholds = config_of(journal, row.id)?.thresholds;
    let judged_by = changed_thresholds(&thresholds, settings).unwrap_or_else(|| thresholds.clone());
    let by_hand: BTreeMap<AttemptId, _> = journal
        .overruled(Some(row.id))?
        .into_iter()
        .map(|o| (o.attempt, o.label))
        .collect();
    look_back(journal, row.id, |past: PastAttempt| {
        let case = EndedAttempt {
            attempt: &past.attempt,
            post: &past.post,
        };
        let (now, before) = (case.judge(&judged_by), past.experience.diagnosis.reason);
        tally.attempts += 1;
        tally.failed += u64::from(!now.success);
        tally.replayed += u64::from(past.source == FrameSource::Replayed);
        if let Some(label) = by_hand.get(&past.attempt.id) {
            tally.overruled += 1;
            tally.overruled_agree += u64::from(now.reason == Some(*label));
        }
        if now.reason != before {
            tally.changed += 1;
            let example = Example {
                run: row.id,
                attempt: past.attempt.id,
            };
            let cell = changes.entry((label_name(before), label_name(now.reason)));
            cell.or_insert((0, example)).0 += 1;
        }
    })
}

impl Tally {
    fn text(&self, settings: &[String]) -> String {
        let with = if settings.is_empty() {
            "each run's own thresholds".to_owned()
        } else {
            settings.join(", ")
        };
        let mut text = format!(
            "{} of {} judged again with {with}: {} failed, {} changed\n",
            count_with_noun(self.attempts, "attempt", "attempts"),
            count_with_noun(self.runs, "run", "runs"),
            self.failed,
            count_with_noun(self.changed, "label", "labels")
        );
        let line = |row: &Row| {
            let example = &row.example;
            vec![
                String::new(),
                row.count.to_string(),
                format!("{} → {}", row.from, row.to),
                format!(
                    "for example `pithead explain {} {}`",
                    example.run, example.attempt
                ),
            ]
        };
        let columns = [Align::Left, Align::Right, Align::Left, Align::Left].map(|a| ("", a));
        let rows: Vec<Vec<String>> = self.changes.iter().map(line).collect();
        text += &text_table(&columns, &rows);
        if self.replayed > 0 {
            text += &format!(
                "the frames of {} were not kept; the worlds were replayed\n",
                count_with_noun(self.replayed, "attempt", "attempts")
            );
        }
        if self.overruled > 0 {
            text += &format!(
                "this program agrees with {} of {} that people overruled\n",
                self.overruled_agree,
                count_with_noun(self.overruled, "label", "labels")
            );
        }
        text
    }
}
