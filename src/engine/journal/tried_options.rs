//! Tried options: what all attempts showed of each way to get something, as counts that add up.
//!
//! A projection of the attempts. Runs are taken together in eras, and an era counts half as much as the one after
//! it: the agent changes, and so does what it is asked. Invariant: rows only grow, in whatever order attempts end.

use super::{Journal, JournalError, corrupt};
use pithead_core::domain::experience::Experience;
use pithead_core::domain::experience::option::{OptionKey, OptionRecord, TriedOptions, Tries, Try};
use pithead_world::ids::RunId;
use rusqlite::{Row, Transaction, params};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Made when a file is opened for writing, so that upgrades find it.
pub(super) const TABLE: &str = "
CREATE TABLE IF NOT EXISTS tried(
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    way TEXT NOT NULL,
    context TEXT NOT NULL,
    era INTEGER NOT NULL,
    tried INTEGER NOT NULL,
    done INTEGER NOT NULL,
    died INTEGER NOT NULL,
    pieces INTEGER NOT NULL,
    ticks INTEGER NOT NULL,
    PRIMARY KEY(kind, target, way, context, era)
) STRICT, WITHOUT ROWID;
";

/// Runs of one era: a pass over a suite, roughly.
const ERA_RUNS: u64 = 64;
/// Older ones weigh less than a thousandth and are not read.
pub(super) const ERAS_MAX: u64 = 10;

pub(super) fn era_of(run: RunId) -> u64 {
    run.0 / ERA_RUNS
}

/// Adds what an attempt showed.
pub(super) fn project(tx: &Transaction<'_>, e: &Experience) -> rusqlite::Result<()> {
    let Some(shown) = Try::of_attempt(e) else {
        return Ok(());
    };
    let sql = "INSERT INTO tried VALUES(?,?,?,?,?,?,?,?,?,?) \
               ON CONFLICT DO UPDATE SET tried = tried + excluded.tried, done = done + excluded.done, \
               died = died + excluded.died, pieces = pieces + excluded.pieces, ticks = ticks + excluded.ticks";
    let mut upsert = tx.prepare_cached(sql)?;
    let all = std::iter::once(String::new());
    for context in all.chain(shown.circumstances.iter().map(ToString::to_string)) {
        // One attempt's counts are whole.
        let Tries {
            tried,
            done,
            died,
            pieces,
            ticks,
        } = shown.tries;
        let counts = [tried, done, died, pieces, ticks].map(|count| count as i64);
        upsert.execute(params![
            shown.key.kind.name(),
            shown.key.target.name(),
            shown.key.way.name(),
            context,
            era_of(e.id.run),
            counts[0],
            counts[1],
            counts[2],
            counts[3],
            counts[4],
        ])?;
    }
    Ok(())
}

impl Journal {
    /// What was tried before this run, and in it; with what was imported.
    pub fn tried_options(&self, run: RunId) -> Result<TriedOptions, JournalError> {
        let imported = self.imported_options(run)?;
        let own = self.own_options(run)?;
        if imported.is_empty() {
            return Ok(own);
        }
        let imported = imported.into_iter().flat_map(|options| options.records);
        let all: Vec<OptionRecord> = own.iter().cloned().chain(imported).collect();
        Ok(TriedOptions::from_records(&all))
    }

    /// What was tried in this database.
    pub(super) fn own_options(&self, run: RunId) -> Result<TriedOptions, JournalError> {
        let now = era_of(run);
        self.read("read what was tried", |db| {
            if !db.table_exists(None, "tried")? {
                return Ok(TriedOptions::default()); // a file of an older program
            }
            let sql = "SELECT kind, target, way, context, era, tried, done, died, pieces, ticks FROM tried \
                       WHERE era > ? - ? AND era <= ?";
            let mut statement = db.prepare_cached(sql)?;
            let records = statement.query_map(
                params![now.cast_signed(), ERAS_MAX.cast_signed(), now],
                |row| record(row, now),
            )?;
            let records = records.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(TriedOptions::from_records(&records))
        })
    }
}

/// One row as a record of its own, with the weight of its era.
fn record(row: &Row<'_>, now: u64) -> rusqlite::Result<OptionRecord> {
    let key = OptionKey {
        kind: named(row, 0)?,
        target: named(row, 1)?,
        way: named(row, 2)?,
    };
    let context: String = row.get(3)?;
    let age = now.saturating_sub(row.get(4)?);
    let count = |column: usize| row.get::<_, i64>(column).map(|count| count as f64);
    let tries = Tries {
        tried: count(5)?,
        done: count(6)?,
        died: count(7)?,
        pieces: count(8)?,
        ticks: count(9)?,
    };
    let weight = 0.5f64.powi(i32::try_from(age).unwrap_or(i32::MAX));
    let context = match context.as_str() {
        "" => None,
        text => Some(text.parse().map_err(corrupt)?),
    };
    let mut record = OptionRecord::new(key);
    record.add(context, &tries.weighted(weight));
    Ok(record)
}

/// A stored name.
fn named<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let name: String = row.get(column)?;
    serde_json::from_value(Value::String(name)).map_err(|error| corrupt(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::plan::Executor;
    use pithead_core::domain::run::event::Event;
    use pithead_core::domain::samples::{config, experience};
    use pithead_world::clock::Millis;
    use pithead_world::ids::AttemptId;

    fn ended(run: RunId, n: u64, success: bool) -> Vec<Event> {
        vec![Event::AttemptEnded {
            attempt: AttemptId(n),
            experience: Box::new(experience(run.0, n, "coal", success)),
        }]
    }

    #[test]
    fn attempts_of_all_runs_add_up_and_count_half_an_era_later() {
        let mut journal = Journal::in_memory().unwrap();
        for n in 1..=3 {
            let run = journal.create_run(config(), Millis(n)).unwrap();
            journal
                .append(run, Millis(n), ended(run, 1, n != 2))
                .unwrap();
        }
        let known = |run| {
            let options = journal.tried_options(RunId(run)).unwrap();
            let known = options.known("coal".parse().unwrap(), Executor::Mine);
            known.map(|record| (record.all.tried, record.all.done))
        };
        assert_eq!(known(4), Some((3.0, 2.0)));
        assert_eq!(known(ERA_RUNS), Some((1.5, 1.0)));
        assert_eq!(known(ERA_RUNS * ERAS_MAX), None);
    }

    #[test]
    fn rows_that_say_nothing_known_are_damage() {
        let mut journal = Journal::in_memory().unwrap();
        let run = journal.create_run(config(), Millis(1)).unwrap();
        journal.append(run, Millis(2), ended(run, 1, true)).unwrap();
        let harm = "UPDATE tried SET context = 'took long' WHERE context = 'day'";
        assert_eq!(journal.connection().execute(harm, []).unwrap(), 1);
        assert!(journal.tried_options(run).is_err());
    }
}
