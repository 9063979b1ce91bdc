//! The deterministic simulation: several processes of Pithead on one machine whose disk, schedule and
//! failures come from a seed.
//!
//! `simulate` plays one seed to its end; see `docs/TRUST.md` for what is held against what. Invariant: a seed
//! always plays the same, so a failure is found again by its number.

mod calls;
mod change;
mod contents;
mod disk;
mod drivers;
mod history;
mod locks;
mod look;
mod machine;
mod operators;
mod process;
mod shared_memory;
#[cfg(test)]
mod tests;
mod vfs;
mod weather;

pub use machine::Counts;
pub use process::Plant;

use history::History;
use machine::{Machine, become_process, leave_machine, make_placeholder, quietly};
use pithead_engine::journal::{Durability, Journal, pause_with, set_batch_events};
use process::Process;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use weather::Weather;

/// What became of a seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    pub seed: u64,
    pub counts: Counts,
    /// Changes that are in the database at the end.
    pub changes: usize,
    /// A hash of all calls, in order.
    pub trace: u64,
    /// What does not hold, if something does not.
    pub failure: Option<String>,
}

/// For the terminal: what failed, and how to see it again.
impl std::fmt::Display for Played {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { seed, failure, .. } = self;
        let end = seed + 1;
        match failure {
            None => write!(f, "seed {seed}: every promise was kept"),
            Some(what) => write!(
                f,
                "seed {seed}: {what}\n\
                 to replay it: cargo run -p pithead-simulation -- --seeds {seed}..{end}"
            ),
        }
    }
}

/// Plays a seed. SQLite has one file system and one source of chance in a process, so one seed is played at a
/// time.
///
/// # Panics
/// If the machine that it runs on has no room for its files.
#[must_use]
pub fn simulate(seed: u64, plant: Plant) -> Played {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = lock(&ONE_AT_A_TIME);
    let empty = empty_database();
    let folder = tempfile::tempdir().expect("a folder for the stand-ins");
    let processes = 2 + seed as usize % 3;
    let mut weather = Weather::of_seed(seed);
    if plant == Plant::FailedDeletions {
        (weather.io_error, weather.full) = (0, 0);
    }
    let machine = Machine::new(seed, processes, weather, folder.path().to_owned());
    let machine = Arc::new(machine);
    let database = machine.database().display().to_string();
    make_placeholder(&database, false);
    let mut inner = machine.lock();
    inner.disk.install(&database, empty.to_vec());
    inner.disk.lies_about_syncs = plant == Plant::LyingDisk;
    inner.ignores_locks = plant == Plant::NoLocks;
    drop(inner);
    set_batch_events(machine.batch_events);
    become_process(&machine, 0);
    vfs::restart_randomness();
    let history = Arc::new(Mutex::new(quietly(History::new)));
    let threads: Vec<_> = (0..processes)
        .map(|number| {
            let process = Process::new(&machine, &history, (seed, number), plant);
            std::thread::spawn(move || process.live())
        })
        .collect();
    for thread in threads {
        if thread.join().is_err() {
            machine.lock().fail("a process panicked".to_owned());
        }
    }
    let mut history = lock(&history);
    if machine.lock().failure().is_none()
        && let Err(what) = look::check_now(&machine, &mut history)
    {
        machine.lock().fail(format!("at the end: {what}"));
    }
    leave_machine();
    let inner = machine.lock();
    Played {
        seed,
        counts: inner.counts,
        changes: history.changes(),
        trace: inner.trace(),
        failure: inner.failure().cloned(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new database, made on the real disk before SQLite is put on the simulated one.
fn empty_database() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for the new database");
        let path = folder.path().join("empty.db");
        drop(Journal::open(&path, Durability::Full).expect("a new database"));
        let bytes = std::fs::read(&path).expect("the new database");
        vfs::register();
        pause_with(Some(|_| vfs::pause()));
        bytes
    })
}
