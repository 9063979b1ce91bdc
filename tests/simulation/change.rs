//! A change: what a process asked the journal to write, which is there as a whole or not at all.
//!
//! Every change has a moment of its own, which is stored with its events: by it a change is found again in a
//! database, whoever made it.

use pithead_core::domain::knowledge::Entry;
use pithead_core::domain::run::event::{Event, RunConfig};
use pithead_engine::journal::{Journal, kind};
use pithead_engine::runtime::fork::{ForkRequest, fork_as};
use pithead_world::clock::Millis;
use pithead_world::ids::RunId;
use rusqlite::Connection;

/// One transaction, or several with one effect.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) at: Millis,
    pub(crate) what: What,
    /// The number of the run that it made, once it is known. A fork takes its number before it is there, so numbers
    /// do not follow the order of commits.
    pub(crate) made: Option<RunId>,
}

#[derive(Debug, Clone)]
pub(crate) enum What {
    Start(Box<RunConfig>),
    Append(RunId, Vec<Event>),
    /// In the knowledge log.
    Curate(Vec<Event>),
    Add(Vec<Entry>),
    Delete(Vec<RunId>),
    Fork(ForkRequest),
}

impl Change {
    /// True if both are deletions, and this one deletes all that the other does.
    pub(crate) fn deletes_all_of(&self, other: &Self) -> bool {
        match (&self.what, &other.what) {
            (What::Delete(runs), What::Delete(theirs)) => {
                theirs.iter().all(|run| runs.contains(run))
            }
            _ => false,
        }
    }

    /// Makes the same change in another journal.
    pub(crate) fn repeat(&self, journal: &mut Journal) -> Result<(), String> {
        let at = self.at;
        let done = match &self.what {
            What::Start(config) => {
                let config = (**config).clone();
                match self.made {
                    Some(run) => journal.create_run_as(run, config, at).map(drop),
                    None => journal.create_run(config, at).map(drop),
                }
            }
            What::Append(run, events) => journal.append(*run, at, events.clone()).map(drop),
            What::Curate(events) => journal.curate(at, |_| Ok(events.clone())).map(drop),
            What::Add(entries) => journal.add_entries(at, entries).map(drop),
            What::Delete(runs) => journal.delete_runs(runs).map(drop),
            What::Fork(wish) => {
                return fork_as(journal, self.made, wish.clone(), at)
                    .map(drop)
                    .map_err(|error| format!("{self} cannot be repeated: {error}"));
            }
        };
        done.map_err(|error| format!("{self} cannot be repeated: {error}"))
    }

    /// True if any of it is in this database. What a later deletion took away counts as not there.
    pub(crate) fn is_in(&self, db: &Connection) -> rusqlite::Result<bool> {
        if let What::Delete(runs) = &self.what {
            let sql = "SELECT EXISTS(SELECT 1 FROM events WHERE id = ?1 << 32 | 1) \
                       AND NOT EXISTS(SELECT 1 FROM runs WHERE id = ?1)";
            let mut statement = db.prepare_cached(sql)?;
            for run in runs {
                if statement.query_row([run.0], |row| row.get(0))? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        db.prepare_cached("SELECT 1 FROM events WHERE at = ?")?
            .exists([self.at.0])
    }

    /// The same change, with the number of the run that it made in this database. Copies of its events are in forks,
    /// whose numbers are higher.
    pub(crate) fn numbered(&self, db: &Connection) -> rusqlite::Result<Self> {
        let mut numbered = self.clone();
        if self.made.is_none() && matches!(self.what, What::Start(_) | What::Fork(_)) {
            let sql = "SELECT min(id) >> 32 FROM events WHERE at = ?";
            let found = db.query_row(sql, [self.at.0], |row| row.get::<_, Option<u64>>(0))?;
            numbered.made = found.map(RunId);
        }
        Ok(numbered)
    }

    /// Whether its order among the others is that of its first commit, not of its last.
    pub(crate) fn begins_with_its_effect(&self) -> bool {
        matches!(self.what, What::Delete(_))
    }

    /// True if the journal promises to keep it through a power loss whatever the durability: decisions and
    /// knowledge.
    pub(crate) fn always_lasts(&self) -> bool {
        match &self.what {
            What::Append(_, events) | What::Curate(events) => events.iter().any(always_lasts),
            What::Add(_) => true,
            What::Start(_) | What::Delete(_) | What::Fork(_) => false,
        }
    }
}

fn always_lasts(event: &Event) -> bool {
    let kept = [
        "decision.made",
        "decision.held",
        "knowledge.proposed",
        "knowledge.activated",
        "knowledge.edited",
        "knowledge.vetoed",
        "knowledge.moved",
        "label.overruled",
        "run.taken_over",
        "run.ended",
    ];
    kept.contains(&kind(event))
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kinds = |events: &[Event]| {
            let names: Vec<&str> = events.iter().map(kind).collect();
            names.join(" ")
        };
        match &self.what {
            What::Start(_) => f.write_str("the start of a run")?,
            What::Append(run, events) => write!(f, "run {run}: {}", kinds(events))?,
            What::Curate(events) => write!(f, "knowledge log: {}", kinds(events))?,
            What::Add(entries) => write!(f, "{} imported entries", entries.len())?,
            What::Delete(runs) => write!(f, "the deletion of runs {runs:?}")?,
            What::Fork(wish) => write!(f, "a fork of run {} {}", wish.from, wish.at)?,
        }
        if let Some(run) = self.made {
            write!(f, ", which made run {run}")?;
        }
        write!(f, " (at {})", self.at.0)
    }
}
