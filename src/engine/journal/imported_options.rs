//! Imported options: what was tried in other databases, beside what was tried in this one.
//!
//! They are events of the knowledge log. Invariant: of each database only the import that rests on the most attempts
//! counts, and this database's own never comes back.

use super::key::{SEQ_MAX, key};
use super::tried_options::{ERAS_MAX, era_of};
use super::{Journal, JournalError, KNOWLEDGE_LOG, codec};
use pithead_core::domain::experience::option::OptionRecord;
use pithead_core::domain::experience::shared_options::{ORIGINS_MAX, OptionsOfOrigin};
use pithead_core::domain::run::event::Event;
use pithead_core::text::signature::Signature;
use pithead_world::clock::Millis;
use pithead_world::ids::{RunId, Seq};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use std::collections::BTreeMap;

/// It has a row for each import only.
pub(super) const INDEX: &str =
    "CREATE INDEX IF NOT EXISTS events_options ON events(id) WHERE kind = 'options.imported'";

/// Sees to it that imports are found without a walk through all events.
pub(super) fn project(tx: &Transaction<'_>, event: &Event) -> rusqlite::Result<()> {
    if matches!(event, Event::OptionsImported { .. }) {
        tx.execute_batch(INDEX)?;
    }
    Ok(())
}

/// What an import of options came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportedOptions {
    /// Databases whose options are new here, or newer.
    pub taken: usize,
    /// Databases of which as much was known already, this one among them.
    pub known: usize,
}

impl Journal {
    /// The name under which this database's own options travel: it is the same for copies, whose attempts are for the
    /// most part the same. None before the first run.
    pub fn origin(&self) -> Result<Option<Signature>, JournalError> {
        let first: Option<(u64, String)> = self.read("read the first run", |db| {
            let sql = "SELECT at, body FROM events WHERE id > ? AND kind = 'run.started' ORDER BY id LIMIT 1";
            let mut statement = db.prepare_cached(sql)?;
            let after = key(KNOWLEDGE_LOG, SEQ_MAX);
            let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
            statement.query_row([after], row).optional()
        })?;
        Ok(first.map(|(at, body)| Signature::from_normal_form(&format!("{at} {body}"))))
    }

    /// This database's own options and those of others that it knows, as they count for the run after `newest`.
    pub fn options_by_origin(&self, newest: RunId) -> Result<Vec<OptionsOfOrigin>, JournalError> {
        let next = RunId(newest.0 + 1);
        let mut all = Vec::new();
        if let Some(origin) = self.origin()? {
            let records: Vec<OptionRecord> = self.own_options(next)?.iter().cloned().collect();
            let attempts = self.counted_attempts()?;
            all.extend((attempts > 0).then_some(OptionsOfOrigin {
                origin,
                attempts,
                records,
            }));
        }
        all.extend(self.imported_options(next)?);
        Ok(all)
    }

    fn counted_attempts(&self) -> Result<u64, JournalError> {
        self.read("count what was tried", |db| {
            if !db.table_exists(None, "tried")? {
                return Ok(0); // a file of an older program
            }
            let sql = "SELECT coalesce(sum(tried), 0) FROM tried WHERE context = ''";
            db.prepare_cached(sql)?.query_row([], |row| row.get(0))
        })
    }

    /// The options of other databases, with the weight of their age for this run.
    pub(super) fn imported_options(
        &self,
        run: RunId,
    ) -> Result<Vec<OptionsOfOrigin>, JournalError> {
        let imports = latest(self.imports()?).into_values();
        let aged = imports.filter_map(|(options, after)| {
            let age = era_of(run).saturating_sub(era_of(after));
            (age < ERAS_MAX).then(|| weighted(options, age))
        });
        Ok(aged.collect())
    }

    /// Every import in its order, and the newest run at that time.
    fn imports(&self) -> Result<Vec<(OptionsOfOrigin, RunId)>, JournalError> {
        let bodies = self.read("read imported options", |db| {
            if !is_indexed(db)? {
                return Ok(Vec::new());
            }
            let sql = "SELECT kind, version, body FROM events \
                       WHERE kind = 'options.imported' AND id > ? AND id <= ? ORDER BY id";
            let mut statement = db.prepare_cached(sql)?;
            let range = params![key(KNOWLEDGE_LOG, Seq(0)), key(KNOWLEDGE_LOG, SEQ_MAX)];
            let rows = statement.query_map(range, |row| {
                Ok((
                    row.get::<_, String>(0)?,
                    row.get::<_, u32>(1)?,
                    row.get::<_, String>(2)?,
                ))
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        // What cannot be read is named when the log is read.
        let read = bodies.iter().filter_map(|(kind, version, body)| {
            match codec::decode(kind, *version, body) {
                Ok(Event::OptionsImported { options, after, .. }) => Some((*options, after)),
                _ => None,
            }
        });
        Ok(read.collect())
    }

    /// Takes in the options of other databases that rest on more attempts than what is known of them.
    pub fn import_options(
        &mut self,
        at: Millis,
        all: &[OptionsOfOrigin],
        (source, by): (&str, &str),
    ) -> Result<ImportedOptions, JournalError> {
        let (new, done) = self.new_options(all)?;
        let newest = self.runs()?.iter().map(|run| run.id).max();
        let events = new.into_iter().map(|options| Event::OptionsImported {
            options: Box::new(options.clone()),
            after: newest.unwrap_or(RunId(0)),
            source: source.to_owned(),
            by: by.to_owned(),
        });
        let events: Vec<Event> = events.collect();
        if !events.is_empty() {
            // What a second program takes in meanwhile is counted once when it is read.
            self.append_to_knowledge_log(at, events)?;
        }
        Ok(done)
    }

    /// What an import would take in.
    pub fn preview_options(
        &self,
        all: &[OptionsOfOrigin],
    ) -> Result<ImportedOptions, JournalError> {
        Ok(self.new_options(all)?.1)
    }

    fn new_options<'a>(
        &self,
        all: &'a [OptionsOfOrigin],
    ) -> Result<(Vec<&'a OptionsOfOrigin>, ImportedOptions), JournalError> {
        let (own, known) = (self.origin()?, latest(self.imports()?));
        let mut best: BTreeMap<Signature, &OptionsOfOrigin> = BTreeMap::new();
        for options in all {
            let before = best.entry(options.origin).or_insert(options);
            if options.attempts > before.attempts {
                *before = options;
            }
        }
        let of_all = best.len();
        let mut room = ORIGINS_MAX.saturating_sub(known.len());
        let mut new = Vec::new();
        for (origin, options) in best {
            match known.get(&origin) {
                _ if Some(origin) == own => (),
                Some((before, _)) if before.attempts >= options.attempts => (),
                Some(_) => new.push(options),
                None if room == 0 => (),
                None => {
                    room -= 1;
                    new.push(options);
                }
            }
        }
        let done = ImportedOptions {
            taken: new.len(),
            known: of_all - new.len(),
        };
        Ok((new, done))
    }
}

/// Of each database the import that rests on the most attempts.
fn latest(imports: Vec<(OptionsOfOrigin, RunId)>) -> BTreeMap<Signature, (OptionsOfOrigin, RunId)> {
    let mut latest: BTreeMap<Signature, (OptionsOfOrigin, RunId)> = BTreeMap::new();
    for (options, after) in imports {
        let before = latest.get(&options.origin).map(|(known, _)| known.attempts);
        if before.is_none_or(|before| options.attempts > before) {
            latest.insert(options.origin, (options, after));
        }
    }
    latest
}

/// Half as much for each era.
fn weighted(mut options: OptionsOfOrigin, eras: u64) -> OptionsOfOrigin {
    let weight = 0.5f64.powi(i32::try_from(eras).unwrap_or(i32::MAX));
    for record in &mut options.records {
        record.all = record.all.weighted(weight);
        for tries in record.by.values_mut() {
            *tries = tries.weighted(weight);
        }
    }
    options
}

/// False in a file of an older program that imported none.
fn is_indexed(db: &Connection) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM sqlite_schema WHERE name = 'events_options'")?
        .exists([])
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::plan::Executor;
    use pithead_core::domain::samples::{config, experience};
    use pithead_world::ids::AttemptId;

    /// A database whose first run began then, with so many attempts at coal.
    fn journal(began: u64, attempts: u64) -> Journal {
        let mut journal = Journal::in_memory().unwrap();
        let run = journal.create_run(config(), Millis(began)).unwrap();
        try_more(&mut journal, run, 1..=attempts);
        journal
    }

    fn try_more(journal: &mut Journal, run: RunId, which: std::ops::RangeInclusive<u64>) {
        for n in which {
            let ended = Event::AttemptEnded {
                attempt: AttemptId(n),
                experience: Box::new(experience(run.0, n, "coal", true)),
            };
            journal.append(run, Millis(n), vec![ended]).unwrap();
        }
    }

    fn tried(journal: &Journal) -> f64 {
        let options = journal.tried_options(RunId(2)).unwrap();
        let known = options.known("coal".parse().unwrap(), Executor::Mine);
        known.map_or(0.0, |record| record.all.tried)
    }

    fn taken(into: &mut Journal, from: &Journal) -> usize {
        let all = from.options_by_origin(RunId(1)).unwrap();
        let done = into.import_options(Millis(9), &all, ("kb.yaml", "ann"));
        done.unwrap().taken
    }

    #[test]
    fn options_of_several_databases_add_up_and_none_is_counted_twice() {
        let (mut one, mut other, mut third) = (journal(1, 3), journal(2, 5), journal(3, 7));
        assert_eq!((taken(&mut one, &other), tried(&one)), (1, 8.0));
        assert_eq!(
            (taken(&mut one, &other), tried(&one)),
            (0, 8.0),
            "the same again"
        );
        assert_eq!((taken(&mut third, &one), tried(&third)), (2, 15.0));
        assert_eq!(
            (taken(&mut other, &third), tried(&other)),
            (2, 15.0),
            "its own stays out"
        );
        assert_eq!((taken(&mut one, &third), tried(&one)), (1, 15.0));
        // What is newer takes the place of what was known.
        try_more(&mut other, RunId(1), 6..=9);
        assert_eq!((taken(&mut one, &other), tried(&one)), (1, 19.0));
        let older = journal(2, 5);
        assert_eq!((taken(&mut one, &older), tried(&one)), (0, 19.0));
    }

    #[test]
    fn what_was_imported_counts_half_an_era_later() {
        let mut one = journal(1, 1);
        taken(&mut one, &journal(2, 4));
        let options = one.imported_options(RunId(65)).unwrap();
        assert_eq!(options[0].records[0].all.tried, 2.0);
        assert_eq!(options[0].attempts, 4);
    }

    #[test]
    fn a_database_holds_a_bounded_number_of_others() {
        let mut one = journal(1, 1);
        let of = |n: u64| OptionsOfOrigin {
            origin: Signature(n),
            attempts: 1,
            records: Vec::new(),
        };
        let all: Vec<OptionsOfOrigin> = (1..=ORIGINS_MAX as u64 + 5).map(of).collect();
        let by = ("kb.yaml", "ann");
        assert_eq!(one.preview_options(&all).unwrap().taken, ORIGINS_MAX);
        assert_eq!(
            one.import_options(Millis(9), &all, by).unwrap().taken,
            ORIGINS_MAX
        );
        assert_eq!(one.import_options(Millis(9), &all, by).unwrap().taken, 0);
    }
}
