//! Looking at the database from outside: a copy of its files is opened, as after a crash at this moment.
//!
//! The processes notice nothing of it. Invariant: whatever the moment, the copy is sound.

use crate::contents::Contents;
use crate::disk::Disk;
use crate::history::{Checked, History, in_words};
use crate::machine::{Machine, make_placeholder, quietly, remove_placeholder};
use pithead_engine::journal::{Durability, Journal, set_batch_events, verify};
use pithead_world::ids::RunId;
use pithead_world::rng::Rng;
use rusqlite::Connection;
use std::path::PathBuf;

const COMPANIONS: [&str; 3] = ["", "-wal", "-journal"];

impl Machine {
    /// Where the database is.
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join("pithead.db")
    }

    fn copy(&self) -> PathBuf {
        self.folder.join("copy.db")
    }

    /// The lock of the run's driver, a file of the real system.
    pub(crate) fn lock_file(&self, run: RunId) -> PathBuf {
        self.folder.join(format!("pithead.db.run{run}.lock"))
    }
}

/// Shows a copy of the database, with all that was written so far.
pub(crate) fn with_copy<T>(
    machine: &Machine,
    see: impl FnOnce(&Connection) -> Checked<T>,
) -> Checked<T> {
    let disk = machine.lock().disk.clone();
    with_copy_of(machine, &disk, see)
}

fn with_copy_of<T>(
    machine: &Machine,
    disk: &Disk,
    see: impl FnOnce(&Connection) -> Checked<T>,
) -> Checked<T> {
    quietly(|| {
        let names =
            |place: PathBuf| COMPANIONS.map(|suffix| format!("{}{suffix}", place.display()));
        let (from, to) = (names(machine.database()), names(machine.copy()));
        for (from, to) in from.iter().zip(&to) {
            if let Some(id) = disk.find(from) {
                machine.lock().disk.install(to, disk.bytes(id).to_vec());
                make_placeholder(to, disk.bytes(id).is_empty());
            }
        }
        let seen = see_sound(machine, see);
        for name in &to {
            machine.lock().disk.forget(name);
            remove_placeholder(name);
        }
        seen
    })
}

fn see_sound<T>(machine: &Machine, see: impl FnOnce(&Connection) -> Checked<T>) -> Checked<T> {
    // The long way at every third moment: it takes as long as all the rest.
    let deep = machine.lock().counts.calls.is_multiple_of(3);
    check_sound(machine, deep)?;
    let journal = look_at_copy(machine)?;
    if has_unfinished(&journal)? {
        let listed = Contents::read_listed(journal.connection()).map_err(in_words)?;
        drop(journal);
        clear_left(machine)?;
        check_sound(machine, deep)?;
        let journal = look_at_copy(machine)?;
        let after = Contents::read_listed(journal.connection()).map_err(in_words)?;
        if has_unfinished(&journal)? || after != listed {
            return Err("work that was left is not finished, or was seen before".to_owned());
        }
        return see(journal.connection());
    }
    see(journal.connection())
}

fn check_sound(machine: &Machine, deep: bool) -> Checked<()> {
    let verified = verify(&machine.copy(), deep, |_| ());
    let verified = verified.map_err(|error| format!("it cannot be verified: {error}"))?;
    match verified.faults.first() {
        Some(fault) => Err(format!("{}: {}", fault.place, fault.fault)),
        None => Ok(()),
    }
}

fn look_at_copy(machine: &Machine) -> Checked<Journal> {
    Journal::look(&machine.copy()).map_err(in_words)
}

/// Whether a run is being deleted or forked at this moment.
fn has_unfinished(journal: &Journal) -> Checked<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM unfinished)";
    let found = journal.connection().query_row(sql, [], |row| row.get(0));
    found.map_err(in_words)
}

/// Opens the copy for writing, as the next process would. In one transaction: there is nobody to make way for.
fn clear_left(machine: &Machine) -> Checked<()> {
    set_batch_events(u64::MAX);
    let opened = Journal::open(&machine.copy(), Durability::Normal).map(drop);
    set_batch_events(machine.batch_events);
    opened.map_err(in_words)
}

/// Checks the database as it is now, as if all processes had been killed.
pub(crate) fn check_now(machine: &Machine, history: &mut History) -> Checked<()> {
    with_copy(machine, |db| history.check(machine, db))
}

/// Checks what a power loss at this moment would leave.
pub(crate) fn check_power_loss(
    machine: &Machine,
    history: &mut History,
    rng: &mut Rng,
) -> Checked<()> {
    let left = machine.lock().disk.after_power_loss(rng);
    with_copy_of(machine, &left, |db| {
        history.check_after_power_loss(machine, db, false)
    })
}

/// Checks what a power loss has left, and goes on from there.
pub(crate) fn check_lost_power(machine: &Machine, history: &mut History) -> Checked<()> {
    with_copy(machine, |db| {
        history.check_after_power_loss(machine, db, true)
    })
}
