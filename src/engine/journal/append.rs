//! Appending events. One call, one transaction: events and projections together.

use super::chain::chain_to_continue;
use super::codec;
use super::digest::digest_values;
use super::key::{key, last_seq};
use super::lost_log::last_run;
use super::presence::Presence;
use super::runs::Progress;
use super::{
    Durability, Journal, JournalError, blobs, experience, fork, imported_options, knowledge,
    knowledge_order, overrule, runs, similar_failures,
};
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_world::clock::Millis;
use pithead_world::ids::{RunId, Seq};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

impl Journal {
    /// Makes a run and appends its `RunStarted`. The journal hands out the run's number: the one
    /// in `config` is ignored.
    pub fn create_run(&mut self, config: RunConfig, at: Millis) -> Result<RunId, JournalError> {
        self.make_run(None, config, at)
    }

    /// As `create_run`, with a number that was handed out by another journal, for a run that
    /// `adopt` is to move there when it is over.
    pub fn create_run_as(
        &mut self,
        run: RunId,
        config: RunConfig,
        at: Millis,
    ) -> Result<RunId, JournalError> {
        self.make_run(Some(run), config, at)
    }

    fn make_run(
        &mut self,
        run: Option<RunId>,
        mut config: RunConfig,
        at: Millis,
    ) -> Result<RunId, JournalError> {
        self.write("start a run", |tx| {
            let run = insert_run(tx, run, &config, at)?;
            config.run = run;
            append(
                tx,
                run,
                Seq(0),
                at,
                vec![Event::RunStarted {
                    config: Box::new(config),
                }],
            )?;
            Ok(run)
        })
    }

    /// Takes in a whole run of another journal, under the number it has, or nothing.
    pub fn adopt(&mut self, facts: Vec<Recorded>) -> Result<(), JournalError> {
        self.write_lasting("take in a run", |tx| {
            for fact in facts {
                let before = Seq(fact.seq.0.saturating_sub(1));
                if let Event::RunStarted { config } = &fact.event {
                    insert_run(tx, Some(fact.run), config, fact.at)?;
                }
                append(tx, fact.run, before, fact.at, vec![fact.event])?;
            }
            Ok(())
        })
    }

    /// Writes the events, and all that is projected from them, or nothing.
    pub fn append(
        &mut self,
        run: RunId,
        at: Millis,
        events: Vec<Event>,
    ) -> Result<Vec<Recorded>, JournalError> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        let doing = "append to a run";
        if events.iter().any(must_last) {
            self.write_lasting(doing, |tx| append_next(tx, run, at, events))
        } else {
            self.write(doing, |tx| append_next(tx, run, at, events))
        }
    }

    /// The number of the run's last event; an error if there is no such run.
    pub fn last_seq(&self, run: RunId) -> Result<Seq, JournalError> {
        let found = last_seq(&self.db, run).map_err(|e| self.fault("read a run", e))?;
        found.ok_or_else(|| JournalError::NoRun {
            run,
            path: self.path(),
        })
    }

    /// The connection, for memory, which keeps its tables in this file.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.db
    }

    /// Runs a read-only look of another module over this connection.
    pub(crate) fn read<T>(
        &self,
        doing: &'static str,
        look: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, JournalError> {
        look(&self.db).map_err(|e| self.fault(doing, e))
    }

    /// As `write`, and on the disk when it returns, whatever the durability.
    pub(super) fn write_lasting<T>(
        &mut self,
        doing: &'static str,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, JournalError> {
        if self.durability == Durability::Full {
            return self.write(doing, work);
        }
        self.wait_for(Durability::Full)
            .map_err(|e| self.fault(doing, e))?;
        let written = self.write(doing, work);
        self.wait_for(self.durability)
            .map_err(|e| self.fault(doing, e))?;
        written
    }

    pub(super) fn write<T>(
        &mut self,
        doing: &'static str,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, JournalError> {
        let path = self.path();
        let fault = super::fault_at(doing, &path);
        // Immediate: another program's write makes us wait at the start, not fail at the end.
        let tx = self
            .db
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(&fault)?;
        let done = work(&tx).map_err(&fault)?;
        tx.commit().map_err(&fault)?;
        let log_bytes = self.presence.as_ref().map(Presence::check).transpose()?;
        self.bound_log(log_bytes.unwrap_or(0))?;
        Ok(done)
    }
}

/// Makes the row of a run; without a number the next one is taken.
pub(super) fn insert_run(
    tx: &Transaction<'_>,
    run: Option<RunId>,
    config: &RunConfig,
    at: Millis,
) -> rusqlite::Result<RunId> {
    let (seed, system) = (config.world.seed.cast_signed(), &config.profile.name);
    let run = match run {
        Some(run) => run,
        None => RunId(last_run(tx)? + 1),
    };
    tx.prepare_cached(
        "INSERT INTO runs(id, task, seed, mind, system, started) VALUES(?,?,?,?,?,?)",
    )?
    .execute(params![
        run.0,
        config.task.text,
        seed,
        config.mind,
        system,
        at.0
    ])?;
    runs::seal(tx, run)?;
    Ok(run)
}

/// What was decided, and what other runs will rest on, waits for the disk in every case.
fn must_last(event: &Event) -> bool {
    matches!(
        event,
        Event::DecisionMade { .. }
            | Event::DecisionHeld { .. }
            | Event::KnowledgeProposed { .. }
            | Event::KnowledgeActivated { .. }
            | Event::KnowledgeEdited { .. }
            | Event::KnowledgeVetoed { .. }
            | Event::KnowledgeMoved { .. }
            | Event::LabelOverruled { .. }
            | Event::OptionsImported { .. }
            | Event::TakenOver { .. }
            | Event::RunEnded { .. }
    )
}

fn append_next(
    tx: &Transaction<'_>,
    run: RunId,
    at: Millis,
    events: Vec<Event>,
) -> rusqlite::Result<Vec<Recorded>> {
    // A run has its first event from the moment it is made.
    let last = last_seq(tx, run)?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    append(tx, run, last, at, events)
}

/// Appends after number `seq`.
pub(super) fn append(
    tx: &Transaction<'_>,
    run: RunId,
    mut seq: Seq,
    at: Millis,
    events: Vec<Event>,
) -> rusqlite::Result<Vec<Recorded>> {
    let mut progress = Progress::default();
    let mut chain = chain_to_continue(tx, run, seq)?;
    let mut recorded = Vec::with_capacity(events.len());
    for mut event in events {
        settle(&mut event);
        seq = seq.next();
        let mut row = codec::encode(&event);
        blobs::put_away(tx, &mut row)?;
        let digest = digest_values(params![seq.0, at.0, row.kind, row.version, row.body])?;
        tx.prepare_cached(
            "INSERT INTO events(id, at, kind, version, body, digest) VALUES(?,?,?,?,?,?)",
        )?
        .execute(params![
            key(run, seq),
            at.0,
            row.kind,
            row.version,
            row.body,
            digest
        ])?;
        chain.add(seq, &digest);
        progress.apply(&event);
        knowledge_order::project(tx, key(run, seq), row.kind)?;
        knowledge::project(tx, at, &event)?;
        experience::project(tx, key(run, seq), &row.body, &event)?;
        overrule::project(tx, &event)?;
        imported_options::project(tx, &event)?;
        similar_failures::project(tx, run, &event)?;
        fork::project(tx, run, &event)?;
        recorded.push(Recorded {
            run,
            seq,
            at,
            event,
        });
    }
    chain.write(tx, run)?;
    progress.write(tx, run, at)?;
    Ok(recorded)
}

/// Sums up the checksum of a frame that is kept from now on; others are never summed.
fn settle(event: &mut Event) {
    if let Event::WorldReady { frame }
    | Event::WorldRejoined { frame, .. }
    | Event::FrameSeen { frame }
    | Event::ActionEnded { frame, .. } = event
    {
        frame.checksum.settle();
    }
}
