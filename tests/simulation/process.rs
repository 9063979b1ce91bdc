//! A process: it opens the database, does something with it, leaves, and begins anew, until its sessions
//! are used up. When it is killed its next session finds what it left.
//!
//! Invariant: a fault that the journal reports has a cause on the machine.

use crate::change::{Change, What};
use crate::history::{History, OpId};
use crate::look;
use crate::machine::{Machine, ProcessId, become_process, leave_machine, quietly};
use pithead_engine::journal::{Durability, Journal, JournalError};
use pithead_world::clock::Millis;
use pithead_world::rng::{Rng, Streams};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is planted to see that it is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Plant {
    #[default]
    Nothing,
    /// The disk says that it has synced, and has not.
    LyingDisk,
    /// Locks of the file system exclude nobody.
    NoLocks,
    /// A turn of a run is written in two transactions.
    SplitTurns,
    /// Runs are driven without their lock.
    UnlockedDrivers,
    /// Runs are deleted often, and many reads fail in the transactions that delete them. No other call fails.
    FailedDeletions,
}

/// Why a session ended early.
#[derive(Debug)]
pub(crate) enum Trouble {
    Journal(JournalError),
    /// An invariant does not hold.
    Wrong(String),
}

impl From<JournalError> for Trouble {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        let (doing, path) = ("look", std::path::PathBuf::new());
        Self::Journal(JournalError::Store {
            doing,
            path,
            source: error,
        })
    }
}

impl From<String> for Trouble {
    fn from(what: String) -> Self {
        Self::Wrong(what)
    }
}

pub(crate) type Done<T = ()> = Result<T, Trouble>;

/// One process of the machine.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) machine: Arc<Machine>,
    pub(crate) history: Arc<Mutex<History>>,
    pub(crate) number: ProcessId,
    pub(crate) rng: Rng,
    pub(crate) plant: Plant,
    sessions: u32,
}

impl Process {
    pub(crate) fn new(
        machine: &Arc<Machine>,
        history: &Arc<Mutex<History>>,
        (seed, number): (u64, ProcessId),
        plant: Plant,
    ) -> Self {
        let mut rng = Streams(seed).get(&format!("process {number}"));
        Self {
            machine: Arc::clone(machine),
            history: Arc::clone(history),
            number,
            plant,
            sessions: 3 + rng.below(5) as u32,
            rng,
        }
    }

    pub(crate) fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From its first session to its last.
    pub(crate) fn live(mut self) {
        become_process(&self.machine, self.number);
        self.machine.begin(self.number);
        while self.sessions > 0 && self.machine.lock().failure().is_none() {
            self.sessions -= 1;
            let played = catch_unwind(AssertUnwindSafe(|| self.session()));
            let ended = played.unwrap_or_else(|_| Err("it panicked".to_owned().into()));
            if self.is_dead() {
                self.leave();
                continue;
            }
            let checked = ended
                .or_else(|trouble| self.judge(trouble))
                .and_then(|()| self.look_now_and_then());
            if let Err(what) = checked {
                let tail = self.history().tail();
                self.fail(&format!("{what}\n{tail}"));
            }
        }
        // The power may have failed while it looked for the last time: the others wait for it.
        if self.is_dead() {
            self.leave();
        }
        self.machine.finish(self.number);
        leave_machine();
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.machine.lock().processes[self.number].is_dead
    }

    fn fail(&self, what: &str) {
        let mut inner = self.machine.lock();
        let calls = inner.counts.calls;
        inner.fail(format!("process {}, call {calls}: {what}", self.number));
    }

    fn session(&mut self) -> Done {
        if self.plant == Plant::FailedDeletions && self.rng.chance(0.4) {
            return self.delete();
        }
        match self.rng.below(16) {
            0..8 => self.drive(),
            8..10 => self.read(),
            10..12 => self.curate(),
            12 => self.import(),
            13 => self.fork(),
            14 => self.delete(),
            _ => self.checkpoint(),
        }
    }

    /// The process has died, and has left all its calls by now.
    fn leave(&mut self) {
        let (machine, history) = (Arc::clone(&self.machine), Arc::clone(&self.history));
        let look = self.rng.chance(0.6);
        machine.leave(self.number, |power_was_lost| {
            let mut history = history.lock().unwrap_or_else(PoisonError::into_inner);
            let checked = quietly(|| {
                if power_was_lost {
                    look::check_lost_power(&machine, &mut history)
                } else if look {
                    look::check_now(&machine, &mut history)
                } else {
                    Ok(())
                }
            });
            if let Err(what) = checked {
                let tail = history.tail();
                drop(history);
                self.fail(&format!("after a crash: {what}\n{tail}"));
            }
        });
    }

    fn look_now_and_then(&mut self) -> Result<(), String> {
        let mut history = self.history();
        match self.rng.clone().below(6) {
            0 => look::check_now(&self.machine, &mut history)?,
            1 => {
                let mut rng = Rng::new(self.rng.state());
                look::check_power_loss(&self.machine, &mut history, &mut rng)
                    .map_err(|what| format!("if the power failed now: {what}"))?;
            }
            _ => (),
        }
        drop(history);
        self.rng.next_u64();
        Ok(())
    }

    /// A fault needs a cause, and a disk that fails is no reason to call a database damaged.
    fn judge(&self, trouble: Trouble) -> Result<(), String> {
        let error = match trouble {
            Trouble::Wrong(what) => return Err(what),
            Trouble::Journal(error) => error,
        };
        let has_cause = self.machine.lock().processes[self.number].faults > 0;
        match error {
            JournalError::Driven { .. } | JournalError::NoRun { .. } => Ok(()),
            JournalError::Full { .. } | JournalError::Open { .. } | JournalError::Store { .. }
                if has_cause =>
            {
                Ok(())
            }
            other => Err(format!("a fault without a cause: {other} ({other:?})")),
        }
    }

    /// Opens the journal as a program does, with a log that is short enough to be carried over often.
    pub(crate) fn open_journal(&mut self) -> Done<(Journal, bool)> {
        let durable = self.rng.chance(0.5);
        let durability = if durable {
            Durability::Full
        } else {
            Durability::Normal
        };
        let journal = Journal::open(&self.machine.database(), durability)?;
        let pages = [4, 16, 64, 4096][self.rng.below(4) as usize];
        let db = journal.connection();
        db.pragma_update(None, "wal_autocheckpoint", pages)?;
        Ok((journal, durable))
    }

    /// A moment that no other change has.
    pub(crate) fn moment(&self) -> Millis {
        Millis(self.machine.lock().next_moment())
    }

    pub(crate) fn ask(&self, at: Millis, what: What, durable: bool) -> OpId {
        let change = Change {
            at,
            what,
            made: None,
        };
        self.history()
            .ask(&self.machine, self.number, change, durable)
    }

    /// Hands on what the journal answered, after the history has heard it.
    pub(crate) fn answer<T, E>(&self, op: OpId, answer: Result<T, E>) -> Done<T>
    where
        Trouble: From<E>,
    {
        self.history().answer(&self.machine, op, answer.is_ok())?;
        Ok(answer?)
    }

    fn checkpoint(&mut self) -> Done {
        let (journal, _) = self.open_journal()?;
        let mode = ["PASSIVE", "FULL", "RESTART"][self.rng.below(3) as usize];
        let sql = format!("PRAGMA wal_checkpoint({mode})");
        journal.connection().query_row(&sql, [], |_| Ok(()))?;
        Ok(())
    }
}
