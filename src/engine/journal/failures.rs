//! Failed attempts across runs, from the experience index: which subgoal, in which run, under which label, how often.
//!
//! Invariant: an overruled label is the one that it was overruled to.

use super::{Journal, JournalError, Overruled};
use pithead_world::ids::{AttemptId, RunId};
use rusqlite::params;
use serde::Serialize;
use std::collections::BTreeMap;

/// One failed attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LabelledFailure {
    pub run: RunId,
    pub attempt: AttemptId,
    /// Kind and target of its subgoal, for example `mine iron_ore`.
    pub subgoal: String,
    pub reason: String,
}

/// How often each label was given in each run; rows that were counted are not read again.
#[derive(Debug, Default)]
pub struct LabelCounts {
    /// The last row counted.
    row: i64,
    as_written: BTreeMap<RunId, BTreeMap<String, u64>>,
}

/// The labels of runs, of each run the most frequent first.
pub type LabelsByRun = BTreeMap<RunId, Vec<(String, u64)>>;

impl LabelCounts {
    /// Counts what was added since the last time, under the labels in force.
    pub fn read(&mut self, journal: &Journal) -> Result<LabelsByRun, JournalError> {
        let overruled = journal.overruled(None)?;
        let new = journal.read("count the labels of failed attempts", |db| {
            let sql = "SELECT run, reason, count(*), max(row) FROM experience \
                       WHERE row > ? AND reason IS NOT NULL GROUP BY run, reason";
            let mut statement = db.prepare_cached(sql)?;
            let rows = statement.query_map([self.row], |row| {
                let counted: (String, u64) = (row.get(1)?, row.get(2)?);
                Ok((RunId(row.get(0)?), counted, row.get::<_, i64>(3)?))
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        for (run, (label, count), row) in new {
            *(self.as_written.entry(run).or_default())
                .entry(label)
                .or_default() += count;
            self.row = self.row.max(row);
        }
        Ok(self.in_force(&overruled))
    }

    fn in_force(&self, overruled: &[Overruled]) -> LabelsByRun {
        let mut counts = self.as_written.clone();
        for one in overruled {
            let run = counts.entry(one.run).or_default();
            if let Some(was) = run.get_mut(one.was.name()) {
                *was = was.saturating_sub(1);
            }
            *run.entry(one.label.name().to_owned()).or_default() += 1;
        }
        let sorted = |(run, labels): (RunId, BTreeMap<String, u64>)| {
            let mut labels: Vec<(String, u64)> = labels.into_iter().filter(|of| of.1 > 0).collect();
            labels.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            (run, labels)
        };
        counts.into_iter().map(sorted).collect()
    }
}

impl Journal {
    /// The failed attempts of these runs, the newest first, at most `limit`.
    pub fn failures(
        &self,
        runs: &[RunId],
        limit: usize,
    ) -> Result<Vec<LabelledFailure>, JournalError> {
        let mut overruled = BTreeMap::new();
        for one in self.overruled(None)? {
            overruled.insert((one.run, one.attempt), one.label.name());
        }
        let wanted = serde_json::json!(runs.iter().map(|run| run.0).collect::<Vec<_>>());
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.read("list the failed attempts", |db| {
            // An experience has the number of its attempt.
            let sql = "SELECT run, n, kind, coalesce(target, ''), reason \
                       FROM experience \
                       WHERE reason IS NOT NULL AND run IN (SELECT value FROM json_each(?)) \
                       ORDER BY row DESC LIMIT ?";
            let mut statement = db.prepare_cached(sql)?;
            let found = statement.query_map(params![wanted.to_string(), limit], |row| {
                let (run, attempt) = (RunId(row.get(0)?), AttemptId(row.get(1)?));
                let (kind, target): (String, String) = (row.get(2)?, row.get(3)?);
                let label = overruled.get(&(run, attempt));
                Ok(LabelledFailure {
                    run,
                    attempt,
                    subgoal: format!("{kind} {target}").trim_end().to_owned(),
                    reason: label.map_or(row.get(4)?, |label| (*label).to_owned()),
                })
            })?;
            found.collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::experience::diagnosis::FailureReason;
    use pithead_core::domain::run::event::Event;
    use pithead_core::domain::samples::{config, experience};
    use pithead_world::clock::Millis;

    /// One failed attempt in each of two runs; the label of the first is overruled.
    fn journal() -> Journal {
        let mut journal = Journal::in_memory().unwrap();
        for _ in 0..2 {
            let run = journal.create_run(config(), Millis(1)).unwrap();
            let mut experience = experience(run.0, 1, "iron_ore", false);
            experience.diagnosis.reason = Some(FailureReason::NavStuck);
            let attempt = experience.attempt;
            let mut events = vec![Event::AttemptEnded {
                attempt,
                experience: Box::new(experience),
            }];
            if run == RunId(1) {
                events.push(Event::LabelOverruled {
                    attempt,
                    was: FailureReason::NavStuck,
                    label: FailureReason::Timeout,
                    reason: "it only took long".to_owned(),
                    by: "ada".to_owned(),
                });
            }
            journal.append(run, Millis(2), events).unwrap();
        }
        journal
    }

    #[test]
    fn failures_are_those_of_the_runs_asked_for_under_the_label_in_force() {
        let journal = journal();
        let all = journal.failures(&[RunId(1), RunId(2)], 9).unwrap();
        let told: Vec<(u64, &str)> = all.iter().map(|f| (f.run.0, f.reason.as_str())).collect();
        assert_eq!(told, [(2, "NAV_STUCK"), (1, "TIMEOUT")]);
        assert_eq!(journal.failures(&[RunId(1), RunId(2)], 1).unwrap().len(), 1);
        assert_eq!(journal.failures(&[RunId(1)], 9).unwrap().len(), 1);
        assert!(journal.failures(&[], 9).unwrap().is_empty());
        assert!(!all[0].subgoal.is_empty());
    }

    #[test]
    fn labels_are_counted_by_run_and_rows_only_once() {
        let mut journal = journal();
        let mut counts = LabelCounts::default();
        let told = |labels: &LabelsByRun, run: u64| labels[&RunId(run)].clone();
        let stuck = |times: u64| vec![("NAV_STUCK".to_owned(), times)];
        let first = counts.read(&journal).unwrap();
        assert_eq!(told(&first, 1), [("TIMEOUT".to_owned(), 1)]);
        assert_eq!(told(&first, 2), stuck(1));
        assert_eq!(counts.read(&journal).unwrap(), first);
        let mut more = experience(2, 2, "iron_ore", false);
        more.diagnosis.reason = Some(FailureReason::NavStuck);
        let event = Event::AttemptEnded {
            attempt: more.attempt,
            experience: Box::new(more),
        };
        journal.append(RunId(2), Millis(3), vec![event]).unwrap();
        assert_eq!(told(&counts.read(&journal).unwrap(), 2), stuck(2));
    }
}
