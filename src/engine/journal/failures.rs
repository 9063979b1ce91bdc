//! Failed attempts across runs, from the experience index: which subgoal, in which run, under which label.
//!
//! Invariant: an overruled label is the one that it was overruled to.

use super::{Journal, JournalError};
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
}
