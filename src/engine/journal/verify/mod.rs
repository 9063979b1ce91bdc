//! Verifying: whether the database still says what was written to it, and where it does not.
//!
//! Nothing is changed. Without `deep` all that is stored is held against its digests; with it, all events
//! are read and what is projected from them is made again and compared. Invariant: damage in one place
//! does not keep the others from being looked at.

mod events;
mod projections;
mod rows;
#[cfg(test)]
mod tests;

use super::lock::notes;
use super::lost_log::{Loss, losses, lost_logs};
use super::open::open_to_verify;
use super::{JournalError, number};
use pithead_core::text::numbers::count_with_noun;
use rusqlite::Connection;
use serde::Serialize;
use std::path::Path;

/// More faults are counted and not listed.
const FAULTS_MAX: usize = 1_000;
/// More damaged pages are not listed by SQLite.
const PAGES_MAX: u32 = 100;

/// What verifying a database came to; the JSON form is stable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verification {
    pub deep: bool,
    pub counted: Counted,
    /// What is wrong, the first thousand.
    pub faults: Vec<Fault>,
    pub faults_count: u64,
    /// What was lost before, and is known to be.
    pub losses: Vec<Loss>,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counted {
    pub runs: u64,
    pub events: u64,
    /// Events of an older program: they have no digest, and are looked at for their form only.
    pub events_without_digest: u64,
    pub entries: u64,
    pub experiences: u64,
    /// Long questions and answers.
    pub texts: u64,
}

/// One thing that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Such as `run 3, event 118 (frame.seen)`.
    pub place: String,
    pub fault: String,
}

impl Verification {
    /// True if nothing is wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.faults_count == 0
    }

    fn add(&mut self, place: impl Into<String>, fault: impl Into<String>) {
        self.faults_count += 1;
        if self.faults.len() < FAULTS_MAX {
            let (place, fault) = (place.into(), fault.into());
            self.faults.push(Fault { place, fault });
        }
    }

    /// Looks at one part; what keeps it from being read is a fault of its own.
    fn look(&mut self, part: &str, look: impl FnOnce(&mut Self) -> rusqlite::Result<()>) {
        if let Err(error) = look(self) {
            self.add(part, format!("cannot be read: {error}"));
        }
    }
}

/// Looks at the whole database. `begins` hears of each part as it begins.
pub fn verify(
    path: &Path,
    deep: bool,
    mut begins: impl FnMut(&str),
) -> Result<Verification, JournalError> {
    let (db, _copy) = open_to_verify(path)?;
    let notes = notes(path);
    let mut found = Verification {
        deep,
        counted: Counted::default(),
        faults: Vec::new(),
        faults_count: 0,
        losses: Vec::new(),
    };
    // One moment of a database that others write to.
    let begun = db.execute_batch("BEGIN");
    begun.map_err(super::fault_at("verify", path))?;
    let mut look =
        |part: &str, check: &dyn Fn(&Connection, &mut Verification) -> rusqlite::Result<()>| {
            begins(part);
            found.look(part, |found| check(&db, found));
        };
    look("pages", &|db, found| pages(db, deep, found));
    look("runs", &rows::runs);
    look("events", &|db, found| events::events(db, deep, found));
    look("chains", &events::chains_without_events);
    look("texts", &rows::texts);
    look("knowledge base", &rows::entries);
    look("experience", &rows::documents);
    if deep {
        look("projections", &projections::projections);
    }
    look("losses", &|db, found| {
        found.losses = losses(db)?;
        found.losses.extend(lost_logs(db, &notes)?);
        Ok(())
    });
    Ok(found)
}

/// The form of the file itself.
fn pages(db: &Connection, deep: bool, found: &mut Verification) -> rusqlite::Result<()> {
    let check = if deep {
        "integrity_check"
    } else {
        "quick_check"
    };
    let mut statement = db.prepare(&format!("PRAGMA {check}({PAGES_MAX})"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let line: String = row.get(0)?;
        if line != "ok" {
            found.add("pages", line);
        }
    }
    let broken = number(db, "SELECT count(*) FROM pragma_foreign_key_check")?;
    if broken > 0 {
        found.add("pages", {
            let rows = count_with_noun(broken, "row refers", "rows refer");
            format!("{rows} to rows that are not there")
        });
    }
    Ok(())
}
