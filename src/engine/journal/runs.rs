//! Runs: one row per run, kept up to date by the transactions that append its events.

use super::digest::{digest_row, is_unchanged};
use super::fork::{Origin, origins};
use super::key::{SEQ_MAX, key};
use super::{Journal, JournalError, codec, corrupt};
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_core::domain::run::outcome::Outcome;
use pithead_world::aids::SenseLevel;
use pithead_world::clock::Millis;
use pithead_world::ids::{RunId, Seq};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

/// What a list of runs shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRow {
    pub id: RunId,
    pub task: String,
    pub seed: u64,
    pub mind: String,
    pub system: String,
    /// None if what the run began with cannot be read.
    pub senses: Option<SenseLevel>,
    pub started: Millis,
    pub ended: Option<Millis>,
    pub outcome: Option<Outcome>,
    pub because: Option<String>,
    /// World ticks at the last frame.
    pub ticks: u64,
    pub attempts: u64,
    pub failed: u64,
    pub events: u64,
    /// True if a process drives it now.
    pub alive: bool,
    /// The run that it was forked from, if it was, and the last event that both have.
    pub origin: Option<Origin>,
}

impl RunRow {
    /// What has become of it, in one word.
    #[must_use]
    pub fn state(&self) -> &'static str {
        match (self.outcome, self.alive) {
            (Some(Outcome::Success), _) => "success",
            (Some(Outcome::Failure), _) => "failure",
            (Some(Outcome::Aborted), _) => "aborted",
            (None, true) => "running",
            (None, false) => "left",
        }
    }
}

impl Journal {
    /// All runs, oldest first.
    pub fn runs(&self) -> Result<Vec<RunRow>, JournalError> {
        let fault = |e| self.fault("list the runs", e);
        let mut statement = self.db.prepare_cached(&select("")).map_err(fault)?;
        let read = |row: &Row<'_>| run_from_row(&self.db, row);
        let rows = statement.query_map([], read).map_err(fault)?;
        let rows = rows.collect::<rusqlite::Result<Vec<_>>>().map_err(fault)?;
        let rows = rows.into_iter().collect::<Result<Vec<_>, _>>()?;
        let origins = origins(&self.db).map_err(fault)?;
        let whole = |row: RunRow| RunRow {
            origin: origins.get(&row.id).copied(),
            ..self.with_life(row)
        };
        Ok(rows.into_iter().map(whole).collect())
    }

    /// One run; an error if there is none of that number.
    pub fn run(&self, run: RunId) -> Result<RunRow, JournalError> {
        let read = self
            .db
            .prepare_cached(&select("WHERE id = ?"))
            .and_then(|mut statement| {
                statement.query_row([run.0], |row| run_from_row(&self.db, row))
            });
        match read {
            Ok(row) => {
                let row = row?;
                let origins = origins(&self.db).map_err(|e| self.fault("read a run", e))?;
                Ok(RunRow {
                    origin: origins.get(&run).copied(),
                    ..self.with_life(row)
                })
            }
            Err(rusqlite::Error::QueryReturnedNoRows) => Err(JournalError::NoRun {
                run,
                path: self.path(),
            }),
            Err(error) => Err(self.fault("read a run", error)),
        }
    }

    fn with_life(&self, mut row: RunRow) -> RunRow {
        row.alive = row.ended.is_none() && self.is_driven(row.id);
        row
    }
}

/// Keys of events are run × 2³² + seq, so this is one step into the table, not a count.
const LAST_SEQ: &str = "(SELECT coalesce(max(events.id), 0) & 4294967295 FROM events \
                        WHERE events.id > runs.id << 32 AND events.id < (runs.id + 1) << 32)";

/// As the first event has them, which leaves a scout's out. Damaged JSON must not end the list.
const SENSES: &str = "(SELECT CASE WHEN json_valid(body) \
                      THEN coalesce(body ->> '$.config.world.aids.senses', 'scout') END \
                      FROM events WHERE events.id = (runs.id << 32) + 1)";

fn select(which: &str) -> String {
    format!("SELECT {COLUMNS}, digest, {LAST_SEQ}, {SENSES} FROM runs {which} ORDER BY id")
}

/// What is stored of a run, and covered by the digest.
const COLUMNS: &str =
    "id, task, seed, mind, system, started, ended, outcome, because, ticks, attempts, failed";
const COLUMNS_COUNT: usize = 12;

/// Gives the row its digest, in the transaction that changed it.
pub(super) fn seal(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
    let digest = tx
        .prepare_cached(&format!("SELECT {COLUMNS} FROM runs WHERE id = ?"))?
        .query_row([run.0], |row| digest_row(row, COLUMNS_COUNT))
        .optional()?;
    // The knowledge log has no row.
    if let Some(digest) = digest {
        tx.prepare_cached("UPDATE runs SET digest = ? WHERE id = ?")?
            .execute(params![digest, run.0])?;
    }
    Ok(())
}

/// Gives a digest to the rows of an older file.
pub(super) fn seal_all(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    let runs: Vec<u64> = tx
        .prepare("SELECT id FROM runs")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    runs.into_iter().try_for_each(|run| seal(tx, RunId(run)))
}

/// The first row after this number, and whether it is what was written.
pub(super) fn next_row(db: &Connection, after: u64) -> rusqlite::Result<Option<(u64, bool)>> {
    let sql = format!("SELECT {COLUMNS}, digest FROM runs WHERE id > ? ORDER BY id LIMIT 1");
    db.prepare_cached(&sql)?
        .query_row([after], |row| {
            Ok((row.get(0)?, is_unchanged(row, COLUMNS_COUNT)?))
        })
        .optional()
}

/// The row; where it is not what was written, what the run's events come to.
fn run_from_row(db: &Connection, row: &Row<'_>) -> rusqlite::Result<Result<RunRow, JournalError>> {
    let run = RunId(row.get(0)?);
    if !is_unchanged(row, COLUMNS_COUNT)? {
        tracing::warn!(
            "run {run} in the list of runs is not what was written; its events say what it was"
        );
        return run_from_events(db, run);
    }
    let outcome: Option<String> = row.get(7)?;
    let senses: Option<String> = row.get(14)?;
    Ok(Ok(RunRow {
        id: run,
        task: row.get(1)?,
        seed: row.get::<_, i64>(2)?.cast_unsigned(),
        mind: row.get(3)?,
        system: row.get(4)?,
        senses: senses.and_then(|name| name.parse().ok()),
        started: Millis(row.get(5)?),
        ended: row.get::<_, Option<u64>>(6)?.map(Millis),
        outcome: outcome.and_then(|text| serde_json::from_value(text.into()).ok()),
        because: row.get(8)?,
        ticks: row.get(9)?,
        attempts: row.get(10)?,
        failed: row.get(11)?,
        events: row.get(13)?,
        alive: false,
        origin: None,
    }))
}

/// What the row of a run is made of: its events.
fn run_from_events(db: &Connection, run: RunId) -> rusqlite::Result<Result<RunRow, JournalError>> {
    let sql = "SELECT seq, at, kind, version, body, digest FROM events WHERE id > ? AND id <= ? ORDER BY id";
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query([key(run, Seq(0)), key(run, SEQ_MAX)])?;
    let mut made = Err(JournalError::BadRun { run });
    while let Some(row) = rows.next()? {
        let fact = match codec::fact_from_row(db, run, row)? {
            Ok(fact) => fact,
            Err(error) => return Ok(Err(error)),
        };
        if let Event::RunStarted { config } = &fact.event {
            made = Ok(RunRow::begun(run, config, fact.at));
        }
        if let Ok(made) = &mut made {
            made.add(&fact);
        }
    }
    Ok(made)
}

impl RunRow {
    fn begun(run: RunId, config: &RunConfig, at: Millis) -> Self {
        Self {
            id: run,
            task: config.task.text.clone(),
            seed: config.world.seed,
            mind: config.mind.clone(),
            system: config.profile.name.clone(),
            senses: Some(config.world.aids.senses),
            started: at,
            ended: None,
            outcome: None,
            because: None,
            ticks: 0,
            attempts: 0,
            failed: 0,
            events: 0,
            alive: false,
            origin: None,
        }
    }

    fn add(&mut self, fact: &Recorded) {
        let mut progress = Progress::default();
        progress.apply(&fact.event);
        self.events = fact.seq.0;
        self.ticks = progress.tick.unwrap_or(self.ticks);
        self.attempts += progress.attempts;
        self.failed += progress.failed;
        match &fact.event {
            Event::RunEnded { outcome, because } => {
                self.ended = Some(fact.at);
                self.outcome = Some(*outcome);
                self.because = Some(because.clone());
            }
            // What stands before are copies, the end of the other run among them.
            Event::RunForked { .. } => {
                self.started = fact.at;
                (self.ended, self.outcome, self.because) = (None, None, None);
            }
            // The rest is progress, or nothing to the row.
            _ => (),
        }
    }
}

/// Writes the row again from its events if it is not what was written, so that no change is built on it; true
/// if that was so.
fn mend(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<bool> {
    let sql = format!("SELECT {COLUMNS}, digest FROM runs WHERE id = ?");
    let is_unchanged = tx
        .prepare_cached(&sql)?
        .query_row([run.0], |row| is_unchanged(row, COLUMNS_COUNT))
        .optional()?;
    if is_unchanged != Some(false) {
        return Ok(false);
    }
    let row = run_from_events(tx, run)?.map_err(|error| corrupt(error.to_string()))?;
    tx.execute(
        "UPDATE runs SET task = ?2, seed = ?3, mind = ?4, system = ?5, started = ?6, ended = ?7, outcome = ?8, \
         because = ?9, ticks = ?10, attempts = ?11, failed = ?12 WHERE id = ?1",
        params![
            run.0,
            row.task,
            row.seed.cast_signed(),
            row.mind,
            row.system,
            row.started.0,
            row.ended.map(|at| at.0),
            row.outcome.map(outcome_name),
            row.because,
            row.ticks,
            row.attempts,
            row.failed
        ],
    )?;
    seal(tx, run)?;
    Ok(true)
}

/// The stored name.
fn outcome_name(outcome: Outcome) -> String {
    let name = serde_json::to_value(outcome).ok();
    let name = name.and_then(|name| name.as_str().map(str::to_owned));
    name.unwrap_or_default()
}

/// What one batch of events changes in the run's row.
#[derive(Debug, Default)]
pub(super) struct Progress {
    tick: Option<u64>,
    attempts: u64,
    failed: u64,
    end: Option<(String, String)>,
}

impl Progress {
    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::WorldReady { frame }
            | Event::WorldRejoined { frame, .. }
            | Event::FrameSeen { frame }
            | Event::ActionEnded { frame, .. } => {
                self.tick = Some(frame.tick);
            }
            Event::AttemptEnded { experience, .. } => {
                self.attempts += 1;
                self.failed += u64::from(experience.is_failure());
            }
            Event::RunEnded { outcome, because } => {
                self.end = Some((outcome_name(*outcome), because.clone()));
            }
            // The row shows nothing of the others.
            _ => (),
        }
    }

    pub(super) fn write(
        self,
        tx: &Transaction<'_>,
        run: RunId,
        at: Millis,
    ) -> rusqlite::Result<()> {
        let Self {
            tick,
            attempts,
            failed,
            end,
        } = self;
        let is_changed = tick.is_some() || attempts > 0 || end.is_some();
        // Made again, the row has these events too.
        if is_changed && mend(tx, run)? {
            return Ok(());
        }
        if tick.is_some() || attempts > 0 {
            tx.prepare_cached(
                "UPDATE runs SET ticks = coalesce(?2, ticks), attempts = attempts + ?3, \
                 failed = failed + ?4 WHERE id = ?1",
            )?
            .execute(params![run.0, tick, attempts, failed])?;
        }
        if let Some((outcome, because)) = end {
            tx.prepare_cached("UPDATE runs SET ended = ?, outcome = ?, because = ? WHERE id = ?")?
                .execute(params![at.0, outcome, because, run.0])?;
        }
        if is_changed { seal(tx, run) } else { Ok(()) }
    }
}
