//! SimilarityKey failures: which attempts of other runs failed in the same way and were not looked into yet.
//!
//! An attempt is looked into when the mind is asked for the cause of its failure; from then on it counts
//! no more, whatever came of the question. Invariant: what was looked into is a projection of the questions.

use super::{Journal, JournalError, codec};
use pithead_core::domain::experience::similar::SimilarityKey;
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::mind::evidence::FailedAttempt;
use pithead_core::domain::run::event::Event;
use pithead_world::ids::{AttemptId, ExperienceId, RunId};
use rusqlite::{Transaction, params};

/// Made when a file is opened for writing, so that older files have it too.
pub(super) const TABLE: &str = "
CREATE TABLE IF NOT EXISTS looked_into(
    run INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY(run, n)
) STRICT, WITHOUT ROWID;
";

/// Writes down which attempts a question was about.
pub(super) fn project(tx: &Transaction<'_>, run: RunId, event: &Event) -> rusqlite::Result<()> {
    let Event::MindAsked { ask, .. } = event else {
        return Ok(());
    };
    let Ask::Diagnose(ask) = &**ask else {
        return Ok(());
    };
    let sql = "INSERT INTO looked_into(run, n) VALUES(?, ?) ON CONFLICT DO NOTHING";
    let mut insert = tx.prepare_cached(sql)?;
    for failure in &ask.attempts {
        insert.execute([failure.run.unwrap_or(run).0, failure.attempt.0])?;
    }
    Ok(())
}

impl Journal {
    /// At most `limit` failures like this one of runs other than `run`, oldest first, of which nobody has
    /// asked the cause yet. What they were labelled is what counts, not what the label became later.
    pub fn similar_failures(
        &self,
        like: &SimilarityKey,
        run: RunId,
        limit: usize,
    ) -> Result<Vec<FailedAttempt>, JournalError> {
        let ids = self.read("look for like failures", |db| {
            let sql = "SELECT run, n FROM experience WHERE h_cond = ?1 AND kind = ?2 AND reason = ?3 \
                       AND outcome = 0 AND run <> ?4 AND (?5 IS NULL OR region = ?5) \
                       AND NOT EXISTS(SELECT 1 FROM looked_into l \
                                      WHERE l.run = experience.run AND l.n = experience.n) \
                       ORDER BY row DESC LIMIT ?6";
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut statement = db.prepare_cached(sql)?;
            let rows = statement.query_map(
                params![
                    like.condition.0.cast_signed(),
                    like.kind.name(),
                    like.reason.name(),
                    run.0,
                    like.region.map(u64::cast_signed),
                    limit
                ],
                |row| {
                    let (run, n) = (RunId(row.get(0)?), row.get(1)?);
                    Ok(ExperienceId { run, n })
                },
            )?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        let mut found = Vec::with_capacity(ids.len());
        for id in ids.into_iter().rev() {
            let Some(document) = self.document(id)? else {
                continue;
            };
            let mut diagnosis = document.experience.diagnosis;
            // The trace is a page long, and stays with its own attempt.
            diagnosis.trace.clear();
            if diagnosis.reason == Some(like.reason) {
                found.push(FailedAttempt {
                    suggestion: self.suggestion_after(id)?,
                    attempt: AttemptId(id.n),
                    run: Some(id.run),
                    pre: document.experience.pre,
                    diagnosis,
                });
            }
        }
        Ok(found)
    }

    /// What the run's next reflection on the same step suggested, if it reflected before the next attempt at it.
    fn suggestion_after(&self, failed: ExperienceId) -> Result<Option<String>, JournalError> {
        let bodies = self.read("look for what a reflection suggested", |db| {
            let sql = "SELECT version, body FROM events WHERE kind = 'plan.reflected' \
                       AND id > (SELECT event FROM experience WHERE run = ?1 AND n = ?2) \
                       AND id < ((?1 + 1) << 32) ORDER BY id LIMIT 1";
            let mut statement = db.prepare_cached(sql)?;
            let rows = statement.query_map(params![failed.run.0, failed.n], |row| {
                Ok((row.get::<_, u32>(0)?, row.get::<_, String>(1)?))
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        let said = bodies.into_iter().next().and_then(|(version, body)| {
            match codec::parse_event("plan.reflected", version, &body) {
                Ok(Event::PlanReflected { reflected }) => Some(reflected.reflection.suggestion()),
                Ok(_) | Err(_) => None, // what cannot be read suggests nothing
            }
        });
        Ok(said.filter(|said| !said.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::experience::diagnosis::FailureReason;
    use pithead_core::domain::mind::ask::DiagnoseAsk;
    use pithead_core::domain::samples::{config, experience, subgoal};
    use pithead_world::clock::Millis;
    use pithead_world::ids::CallId;

    fn ended(run: RunId, n: u64, target: &str) -> Event {
        Event::AttemptEnded {
            attempt: AttemptId(n),
            experience: Box::new(experience(run.0, n, target, n == 3)),
        }
    }

    fn asked(attempts: Vec<FailedAttempt>) -> Event {
        let one = experience(1, 1, "coal", false);
        let ask = DiagnoseAsk {
            around: None,
            task: config().task,
            state: one.pre,
            subgoal: one.action,
            attempts,
            knowledge: Vec::new(),
            done: Vec::new(),
            lessons: Vec::new(),
            faults: Vec::new(),
        };
        Event::MindAsked {
            call: CallId(1),
            ask: Box::new(Ask::Diagnose(Box::new(ask))),
        }
    }

    #[test]
    fn failures_of_other_runs_count_until_their_cause_was_asked_for() {
        let mut journal = Journal::in_memory().unwrap();
        let first = journal.create_run(config(), Millis(1)).unwrap();
        let second = journal.create_run(config(), Millis(2)).unwrap();
        for (run, n, target) in [
            (first, 1, "coal"),
            (first, 2, "stone"), // another thing
            (first, 3, "coal"),  // a success
            (first, 4, "coal"),
            (second, 1, "coal"), // the asking run's own
        ] {
            journal
                .append(run, Millis(3), vec![ended(run, n, target)])
                .unwrap();
        }
        let at = experience(1, 1, "coal", false).pre.position;
        let like =
            SimilarityKey::of_failure(&subgoal(9, "coal"), FailureReason::ToolMissing, 5, at);
        let found =
            |journal: &Journal, limit| journal.similar_failures(&like, second, limit).unwrap();
        let ids = |found: &[FailedAttempt]| -> Vec<(Option<RunId>, u64)> {
            found.iter().map(|f| (f.run, f.attempt.0)).collect()
        };
        let all = found(&journal, 9);
        assert_eq!(ids(&all), [(Some(first), 1), (Some(first), 4)]);
        assert_eq!(ids(&found(&journal, 1)), [(Some(first), 4)]);
        let other = SimilarityKey {
            reason: FailureReason::Timeout,
            ..like
        };
        assert!(
            journal
                .similar_failures(&other, second, 9)
                .unwrap()
                .is_empty()
        );
        // The second run asks why, showing the last of them and its own.
        journal
            .append(second, Millis(4), vec![asked(all[1..].to_vec())])
            .unwrap();
        assert_eq!(ids(&found(&journal, 9)), [(Some(first), 1)]);
    }

    #[test]
    fn a_bad_place_is_like_in_its_own_region_only() {
        let mut journal = Journal::in_memory().unwrap();
        let first = journal.create_run(config(), Millis(1)).unwrap();
        let mut stuck = experience(first.0, 1, "coal", false);
        stuck.diagnosis.reason = Some(FailureReason::NavStuck);
        let (at, seed) = (stuck.pre.position, config().world.seed);
        let event = Event::AttemptEnded {
            attempt: AttemptId(1),
            experience: Box::new(stuck),
        };
        journal.append(first, Millis(2), vec![event]).unwrap();
        let like = |seed| {
            SimilarityKey::of_failure(&subgoal(1, "coal"), FailureReason::NavStuck, seed, at)
        };
        let count = |seed| {
            journal
                .similar_failures(&like(seed), RunId(9), 9)
                .unwrap()
                .len()
        };
        assert_eq!((count(seed), count(seed - 1)), (1, 0));
    }
}
