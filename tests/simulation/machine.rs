//! The machine: its processes take turns, and the seed says who goes on, who dies and what fails.
//!
//! Each process is a thread, and exactly one runs: the others wait in a call to the file system. A killed
//! process gets nothing but errors until it has left all its calls, and nothing that it does changes anything.
//! Invariant: the same seed gives the same order of calls, to the byte.

use crate::disk::{Disk, FileId};
use crate::locks::{FileLocks, HandleId};
use crate::shared_memory::SharedMemory;
use crate::weather::{Call, Weather};
use pithead_world::rng::{Rng, Streams, mix};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The number of a process of the machine.
pub(crate) type ProcessId = usize;

/// Calls of the file system after which a simulation counts as standing still.
const CALLS_MAX: u64 = 2_000_000;
/// How long a disk stays full, in calls.
const FULL_CALLS: u64 = 400;

/// The machine with all its processes.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) folder: PathBuf,
    /// Events that one transaction clears away or copies.
    pub(crate) batch_events: u64,
    inner: Mutex<Inner>,
    /// One per process.
    wakes: Vec<Condvar>,
}

/// What the machine is made of. Whoever has the turn may look at it.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) rng: Rng,
    pub(crate) disk: Disk,
    pub(crate) file_locks: BTreeMap<FileId, FileLocks>,
    /// The shared memory of each database that is open, by its name.
    pub(crate) shared: BTreeMap<String, Arc<SharedMemory>>,
    pub(crate) handles: BTreeMap<HandleId, Handle>,
    pub(crate) handles_made: HandleId,
    pub(crate) processes: Vec<Process>,
    pub(crate) weather: Weather,
    /// Milliseconds of simulated time.
    pub(crate) now: u64,
    /// Write locks given out so far: their order is the order of commits.
    pub(crate) write_locks: u64,
    pub(crate) full_until: u64,
    pub(crate) counts: Counts,
    /// A planted fault: locks exclude nobody.
    pub(crate) ignores_locks: bool,
    /// The power failed, and some process has not noticed yet.
    power_is_off: bool,
    turn: ProcessId,
    trace: u64,
    failure: Option<String>,
    /// What a killed process must not change, and its threads still can.
    frozen: Vec<(Arc<SharedMemory>, Vec<Vec<u64>>)>,
}

/// What has happened so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls of the file system.
    pub calls: u64,
    pub kills: u64,
    pub power_losses: u64,
    /// Calls that were made to fail.
    pub faults: u64,
}

impl Counts {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            kills: self.kills + other.kills,
            power_losses: self.power_losses + other.power_losses,
            faults: self.faults + other.faults,
        }
    }
}

/// A process of the machine.
#[derive(Debug, Clone, Default)]
pub(crate) struct Process {
    pub(crate) is_dead: bool,
    has_left: bool,
    is_finished: bool,
    /// Its calls that were made to fail since it was last born.
    pub(crate) faults: u64,
    /// The number of the write lock that it took last.
    pub(crate) lock_taken: u64,
    /// The number of the one under which it wrote to the log last.
    pub(crate) write_lock: u64,
    /// The same, for the first one since it began its change.
    pub(crate) first_write_lock: u64,
    /// A planted fault: many of its reads fail while it holds the write lock.
    pub(crate) reads_fail: bool,
}

/// An open file.
#[derive(Debug)]
pub(crate) struct Handle {
    pub(crate) process: ProcessId,
    pub(crate) file: FileId,
    /// Whose shared memory it has mapped.
    pub(crate) mapped: Option<String>,
}

/// Why a call ends without effect.
pub(crate) struct Dead;

thread_local! {
    static CURRENT: RefCell<Option<(Arc<Machine>, ProcessId)>> = const { RefCell::new(None) };
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// The process that this thread is.
pub(crate) fn current() -> Option<(Arc<Machine>, ProcessId)> {
    CURRENT.with_borrow(Clone::clone)
}

/// Whether this thread does something during which nothing fails.
pub(crate) fn is_quiet() -> bool {
    IS_QUIET.get()
}

/// From now on this thread is a process of the machine.
pub(crate) fn become_process(machine: &Arc<Machine>, process: ProcessId) {
    CURRENT.set(Some((Arc::clone(machine), process)));
}

pub(crate) fn leave_machine() {
    CURRENT.set(None);
}

/// Does something during which nobody else goes on and nothing fails.
pub(crate) fn quietly<T>(work: impl FnOnce() -> T) -> T {
    let before = IS_QUIET.replace(true);
    let done = work();
    IS_QUIET.set(before);
    done
}

impl Machine {
    pub(crate) fn new(seed: u64, processes: usize, weather: Weather, folder: PathBuf) -> Self {
        let inner = Inner {
            rng: Streams(seed).get("schedule"),
            disk: Disk::default(),
            file_locks: BTreeMap::new(),
            shared: BTreeMap::new(),
            handles: BTreeMap::new(),
            handles_made: 0,
            processes: vec![Process::default(); processes],
            weather,
            now: 1_000_000,
            write_locks: 0,
            full_until: 0,
            counts: Counts::default(),
            ignores_locks: false,
            power_is_off: false,
            turn: 0,
            trace: mix(seed),
            failure: None,
            frozen: Vec::new(),
        };
        Self {
            folder,
            batch_events: [2, 5, 17, 60][Streams(seed).get("batches").below(4) as usize],
            inner: Mutex::new(inner),
            wakes: (0..processes).map(|_| Condvar::new()).collect(),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every call begins here: time for chance, and for others. An error if the process is dead.
    pub(crate) fn pass(
        &self,
        process: ProcessId,
        call: Call,
        detail: u64,
    ) -> Result<MutexGuard<'_, Inner>, Dead> {
        let mut inner = self.lock();
        if IS_QUIET.get() {
            return if inner.failure.is_none() {
                Ok(inner)
            } else {
                Err(Dead)
            };
        }
        if inner.processes[process].is_dead {
            return Err(Dead);
        }
        inner.note(process, call as u64, detail);
        let roll = inner.rng.below(1 << 20);
        let (weather, weight) = (inner.weather, call.weight());
        let mut bound = weather.kill * weight;
        if roll < bound {
            inner.kill(process);
            return Err(Dead);
        }
        bound += weather.power_loss * weight;
        if roll < bound {
            self.lose_power(&mut inner);
            return Err(Dead);
        }
        bound += weather.full * weight;
        if roll < bound {
            inner.full_until = inner.counts.calls + FULL_CALLS;
        }
        bound += weather.switch * weight.min(4);
        if roll < bound {
            inner = self.let_others_go_on(inner, process);
        }
        if inner.processes[process].is_dead {
            return Err(Dead);
        }
        Ok(inner)
    }

    /// Waits for a lock: others go on.
    pub(crate) fn pause(&self, process: ProcessId) {
        if IS_QUIET.get() {
            self.lock()
                .fail("a check waits for a lock that nobody gives back".to_owned());
            return;
        }
        let mut inner = self.lock();
        if !inner.processes[process].is_dead {
            inner.note(process, u64::MAX, 0);
            drop(self.let_others_go_on(inner, process));
        }
    }

    fn let_others_go_on<'a>(
        &'a self,
        mut inner: MutexGuard<'a, Inner>,
        process: ProcessId,
    ) -> MutexGuard<'a, Inner> {
        inner.choose_next(process);
        self.wait_for_turn(inner, process)
    }

    fn wait_for_turn<'a>(
        &'a self,
        mut inner: MutexGuard<'a, Inner>,
        process: ProcessId,
    ) -> MutexGuard<'a, Inner> {
        if inner.turn != process {
            self.wakes[inner.turn].notify_one();
        }
        while inner.turn != process {
            let woken = self.wakes[process].wait(inner);
            inner = woken.unwrap_or_else(PoisonError::into_inner);
        }
        inner
    }

    /// The first thing that a process does.
    pub(crate) fn begin(&self, process: ProcessId) {
        drop(self.wait_for_turn(self.lock(), process));
    }

    /// The last thing that a process does.
    pub(crate) fn finish(&self, process: ProcessId) {
        let mut inner = self.lock();
        inner.processes[process].is_finished = true;
        inner.choose_next(process);
        self.wakes[inner.turn].notify_one();
    }

    /// A killed process has left all its calls. After a power loss it waits until all have, and `check` is
    /// called by the last one.
    pub(crate) fn leave(&self, process: ProcessId, check: impl FnOnce(bool)) {
        let mut inner = self.lock();
        inner.processes[process].has_left = true;
        for (memory, contents) in std::mem::take(&mut inner.frozen) {
            memory.restore(&contents);
        }
        if !inner.power_is_off {
            drop(inner);
            check(false);
            self.lock().revive(process);
            return;
        }
        let all_left = inner
            .processes
            .iter()
            .all(|one| one.is_finished || one.has_left);
        if all_left {
            self.lose_notes();
            drop(inner);
            check(true);
            inner = self.lock();
            inner.power_is_off = false;
            for one in 0..inner.processes.len() {
                inner.revive(one);
            }
        } else {
            inner.choose_next(process);
            drop(self.wait_for_turn(inner, process));
        }
    }

    /// Notes of drivers do not wait for the disk. Here none of them outlasts the power.
    fn lose_notes(&self) {
        for file in std::fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
        {
            if file.path().extension().is_some_and(|kind| kind == "lock") {
                let _ = std::fs::remove_file(file.path());
            }
        }
    }

    fn lose_power(&self, inner: &mut Inner) {
        let left = inner.disk.after_power_loss(&mut inner.rng);
        for name in inner.disk.names() {
            if left.find(name).is_none() {
                remove_placeholder(name);
            }
        }
        for name in left.names() {
            let is_empty = left.find(name).is_none_or(|id| left.bytes(id).is_empty());
            make_placeholder(name, is_empty);
        }
        inner.disk = left;
        inner.file_locks.clear();
        inner.handles.clear();
        inner.shared.clear();
        inner.frozen.clear();
        inner.full_until = 0;
        inner.counts.power_losses += 1;
        inner.power_is_off = true;
        for process in &mut inner.processes {
            process.is_dead = !process.is_finished;
        }
    }
}

impl Inner {
    /// Keeps what happens for comparing two runs of one seed.
    fn note(&mut self, process: ProcessId, call: u64, detail: u64) {
        self.counts.calls += 1;
        let what = (process as u64) << 56 ^ call << 48 ^ detail;
        self.trace = mix(self.trace ^ what);
        if self.counts.calls > CALLS_MAX {
            self.fail("it does not come to an end".to_owned());
        }
    }

    pub(crate) fn trace(&self) -> u64 {
        self.trace
    }

    /// Ends the simulation: all processes die.
    pub(crate) fn fail(&mut self, what: String) {
        self.failure.get_or_insert(what);
        self.weather = Weather {
            switch: 0,
            kill: 0,
            power_loss: 0,
            io_error: 0,
            full: 0,
        };
        self.power_is_off = false;
        for process in &mut self.processes {
            process.is_dead = true;
        }
    }

    pub(crate) fn failure(&self) -> Option<&String> {
        self.failure.as_ref()
    }

    /// Gives the turn to any process that can do something with it.
    fn choose_next(&mut self, now: ProcessId) {
        // After a failure nobody waits for the others any more: all come to their end.
        let waits = self.power_is_off && self.failure.is_none();
        let others: Vec<ProcessId> = (0..self.processes.len())
            .filter(|other| *other != now && self.processes[*other].can_go_on(waits))
            .collect();
        if !others.is_empty() {
            let at = self.rng.below(others.len() as u64) as usize;
            self.turn = others[at];
        }
    }

    pub(crate) fn kill(&mut self, process: ProcessId) {
        self.counts.kills += 1;
        self.processes[process].is_dead = true;
        let own = |handle: &Handle| handle.process == process;
        let gone: Vec<HandleId> = self
            .handles
            .iter()
            .filter(|(_, handle)| own(handle))
            .map(|(id, _)| *id)
            .collect();
        for id in gone {
            self.release(id);
        }
        let memories = self.shared.values();
        self.frozen = memories
            .map(|memory| (Arc::clone(memory), memory.contents()))
            .collect();
    }

    /// Gives back all locks of an open file, and forgets it.
    pub(crate) fn release(&mut self, id: HandleId) {
        let Some(handle) = self.handles.remove(&id) else {
            return;
        };
        if let Some(locks) = self.file_locks.get_mut(&handle.file) {
            locks.unlock(id, 0);
        }
        if let Some(name) = handle.mapped {
            self.unmap(&name, id);
        }
    }

    pub(crate) fn unmap(&mut self, name: &str, id: HandleId) {
        if let Some(memory) = self.shared.get(name) {
            memory.locks().unlock_all(id);
        }
        let is_mapped = |handle: &Handle| handle.mapped.as_deref() == Some(name);
        if !self.handles.values().any(is_mapped) {
            self.shared.remove(name);
        }
    }

    fn revive(&mut self, process: ProcessId) {
        let one = &mut self.processes[process];
        if !one.is_finished && self.failure.is_none() {
            *one = Process::default();
        }
    }

    /// The last write lock before the change.
    pub(crate) fn begin_change(&mut self, process: ProcessId) -> u64 {
        let process = &mut self.processes[process];
        process.first_write_lock = 0;
        process.write_lock
    }

    /// A later moment than any before.
    pub(crate) fn next_moment(&mut self) -> u64 {
        self.now += 1 + self.rng.below(500);
        self.now
    }
}

impl Process {
    fn can_go_on(&self, power_is_off: bool) -> bool {
        !(self.is_finished || power_is_off && self.has_left)
    }
}

/// The program looks for its files in the folder, by their names and for whether there is something in them:
/// a stand-in of one byte, or of none, lies there for each.
pub(crate) fn make_placeholder(name: &str, is_empty: bool) {
    let content: &[u8] = if is_empty { b"" } else { b"x" };
    // Rewritten in place: the database is known by the number of its file.
    std::fs::write(name, content).expect("the folder takes files");
}

pub(crate) fn remove_placeholder(name: &str) {
    // A stand-in that is gone already is as good.
    let _ = std::fs::remove_file(name);
}
