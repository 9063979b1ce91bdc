//! The history: every change that was asked for, in the order of commits, and what the database must hold
//! because of them.
//!
//! The expected database is another journal, in memory, in which the same changes were made one after the
//! other. Invariant: a database on the disk holds what the first changes of the history come to: all that were
//! acknowledged, and after a power loss at least those that promised to last.

use crate::change::{Change, What};
use crate::contents::first_difference;
use crate::machine::{Machine, ProcessId};
use pithead_core::agent::State;
use pithead_engine::journal::Journal;
use pithead_world::ids::{RunId, Seq};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};

/// The number of a change that was asked for.
pub(crate) type OpId = u64;

/// States of a run that are kept for comparing.
const STATES_MAX: usize = 16;

/// Settled changes that a failure shows.
const TAIL: usize = 12;

/// How far a change has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Asked,
    Acknowledged,
    /// It failed, or its process died: it may be in the database or not, but whole.
    Unknown,
    /// Nobody heard of it, and it is there.
    Found,
}

#[derive(Debug, Clone)]
struct Op {
    id: OpId,
    process: ProcessId,
    change: Change,
    stage: Stage,
    /// The write lock that its process had taken before.
    before: u64,
    /// The write lock under which it was made, the one that has its effect; 0 if none was taken.
    write_lock: u64,
    /// It must be there after a power loss.
    lasts: bool,
}

/// All changes so far.
#[derive(Debug)]
pub(crate) struct History {
    /// In the database for certain, in the order of commits.
    done: Vec<Op>,
    /// Not settled yet.
    open: Vec<Op>,
    ops: OpId,
    /// What the changes in `done` come to.
    expected: Journal,
    /// What drivers knew when their last appends were acknowledged.
    states: BTreeMap<RunId, BTreeMap<Seq, State>>,
    drivers: BTreeMap<RunId, ProcessId>,
}

/// What went wrong, in words.
pub(crate) type Checked<T> = Result<T, String>;

pub(crate) fn in_words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl History {
    pub(crate) fn new() -> Self {
        Self {
            done: Vec::new(),
            open: Vec::new(),
            ops: 0,
            expected: empty_journal(),
            states: BTreeMap::new(),
            drivers: BTreeMap::new(),
        }
    }

    /// Writes down what is asked for, before it is.
    pub(crate) fn ask(
        &mut self,
        machine: &Machine,
        process: ProcessId,
        change: Change,
        durable: bool,
    ) -> OpId {
        self.ops += 1;
        self.open.push(Op {
            id: self.ops,
            process,
            lasts: durable || change.always_lasts(),
            change,
            stage: Stage::Asked,
            before: machine.lock().begin_change(process),
            write_lock: 0,
        });
        self.ops
    }

    /// It made a run of this number.
    pub(crate) fn note_run(&mut self, id: OpId, run: RunId) {
        if let Some(op) = self.open.iter_mut().find(|op| op.id == id) {
            op.change.made = Some(run);
        }
    }

    /// What is to be written is known only when it is decided, within the transaction.
    pub(crate) fn decide(&mut self, id: OpId, what: What) {
        if let Some(op) = self.open.iter_mut().find(|op| op.id == id) {
            op.change.what = what;
            op.lasts |= op.change.always_lasts();
        }
    }

    /// Nothing was to be written after all.
    pub(crate) fn call_off(&mut self, id: OpId) {
        self.open.retain(|op| op.id != id);
    }

    /// How it ended. What a dead process heard counts for nothing.
    pub(crate) fn answer(&mut self, machine: &Machine, id: OpId, is_ok: bool) -> Checked<()> {
        self.note_write_locks(machine);
        let op = self.open.iter_mut().find(|op| op.id == id);
        let op = op.ok_or("an answer to no question")?;
        let is_dead = machine.lock().processes[op.process].is_dead;
        op.stage = if is_ok && !is_dead {
            Stage::Acknowledged
        } else {
            Stage::Unknown
        };
        if op.write_lock == 0 {
            if op.stage == Stage::Acknowledged {
                return Err(format!("{} was acknowledged without a write", op.change));
            }
            self.call_off(id);
        }
        if is_dead {
            // Others may still be on their way; the next check sees what is left.
            return Ok(());
        }
        self.settle(machine)
    }

    fn note_write_locks(&mut self, machine: &Machine) {
        let inner = machine.lock();
        for op in &mut self.open {
            let process = &inner.processes[op.process];
            if op.stage == Stage::Asked && process.write_lock > op.before {
                op.write_lock = if op.change.begins_with_its_effect() {
                    process.first_write_lock
                } else {
                    process.write_lock
                };
            }
        }
        drop(inner);
        self.open.sort_by_key(|op| (op.write_lock, op.id));
    }

    /// Moves what is certain to `done`, in the order of commits.
    fn settle(&mut self, machine: &Machine) -> Checked<()> {
        while let Some(at) = self.open.iter().position(|op| op.write_lock > 0) {
            let later = &self.open[at + 1..];
            let is_certain = match self.open[at].stage {
                Stage::Asked => false,
                Stage::Acknowledged | Stage::Found => true,
                // The next commit decides whether it is in the log for good.
                Stage::Unknown => later.iter().any(|op| op.stage == Stage::Acknowledged),
            };
            if !is_certain {
                return Ok(());
            }
            let is_in = self.open[at].stage == Stage::Acknowledged || self.is_there(machine, at)?;
            let mut op = self.open.remove(at);
            if is_in {
                if op.stage == Stage::Unknown {
                    op.stage = Stage::Found;
                }
                op.change.repeat(&mut self.expected)?;
                self.done.push(op);
            }
        }
        Ok(())
    }

    /// Whether a change of which nothing is known is in the database.
    fn is_there(&mut self, machine: &Machine, at: usize) -> Checked<bool> {
        let op = &self.open[at];
        let deletes = |later: &Op| match (&op.change.what, &later.change.what) {
            (What::Append(run, _), What::Delete(deleted)) => deleted.contains(run),
            _ => false,
        };
        let later = &self.open[at + 1..];
        let deletes_again = |later: &Op| match (&op.change.what, &later.change.what) {
            (What::Delete(runs), What::Delete(deleted)) => {
                runs.iter().any(|run| deleted.contains(run))
            }
            _ => false,
        };
        // Its run could not have been deleted twice.
        if later.iter().any(deletes_again) {
            return Ok(false);
        }
        let is_deleted = later.iter().any(deletes);
        let found = crate::look::with_copy(machine, |db| {
            let is_in = op.change.is_in(db).map_err(in_words)?;
            // Its traces may be gone with its run: it was there if that explains what is left.
            if is_in || is_deleted && self.explain(db, Some(op.id))?.is_none() {
                op.change.numbered(db).map(Some).map_err(in_words)
            } else {
                Ok(None)
            }
        })?;
        let is_there = found.is_some();
        if let Some(change) = found {
            self.open[at].change = change;
        }
        Ok(is_there)
    }

    /// The changes that have left traces in the database.
    fn traces(&self, db: &Connection) -> Checked<BTreeSet<OpId>> {
        let is_deletion = |op: &&Op| op.change.deletes_all_of(&op.change);
        // What is settled is not asked about again; its deletions may explain others.
        let mut found: BTreeSet<OpId> = self
            .done
            .iter()
            .filter(is_deletion)
            .map(|op| op.id)
            .collect();
        for op in self.open.iter().filter(|op| op.write_lock > 0) {
            if op.change.is_in(db).map_err(in_words)? {
                found.insert(op.id);
            }
        }
        Ok(found)
    }

    /// True if the traces are those of another deletion of the same runs: one of the two was refused, or killed
    /// before it deleted anything.
    fn is_of_another(&self, op: &Op, traces: &BTreeSet<OpId>) -> bool {
        let others = self.done.iter().chain(&self.open);
        let mut others = others.filter(|other| other.id != op.id && traces.contains(&other.id));
        op.stage != Stage::Acknowledged
            && others.any(|other| {
                other.change.deletes_all_of(&op.change)
                    && (other.id < op.id
                        || other.stage == Stage::Acknowledged
                        || !op.change.deletes_all_of(&other.change))
            })
    }

    /// How the database differs from the history, with `also` and those that have left traces in it.
    fn explain(&self, db: &Connection, also: Option<OpId>) -> Checked<Option<String>> {
        let traces = self.traces(db)?;
        let mut there = Vec::new();
        for op in self.open.iter().filter(|op| op.write_lock > 0) {
            let is_in = traces.contains(&op.id) && !self.is_of_another(op, &traces);
            if is_in || also == Some(op.id) {
                there.push(op.change.numbered(db).map_err(in_words)?);
            } else if op.stage == Stage::Acknowledged {
                return Err(format!("{} was acknowledged and is not there", op.change));
            }
        }
        if there.is_empty() {
            return difference(db, &self.expected);
        }
        let all = self.done.iter().map(|op| &op.change).chain(&there);
        difference(db, &replayed(all)?)
    }

    /// Compares a database with the history, after everything that was acknowledged.
    pub(crate) fn check(&mut self, machine: &Machine, db: &Connection) -> Checked<()> {
        self.note_write_locks(machine);
        self.explain(db, None)?.map_or(Ok(()), Err)
    }

    /// Compares a database with the history after a power loss. If it `is_real`, what was lost is forgotten.
    pub(crate) fn check_after_power_loss(
        &mut self,
        machine: &Machine,
        db: &Connection,
        is_real: bool,
    ) -> Checked<()> {
        self.note_write_locks(machine);
        let open = self.open.iter().filter(|op| op.write_lock > 0);
        let all: Vec<&Op> = self.done.iter().chain(open).collect();
        let mut end = 0;
        for (at, op) in all.iter().enumerate().rev() {
            if op.change.is_in(db).map_err(in_words)? {
                end = at + 1;
                break;
            }
        }
        let lost = &all[end..];
        let lasting = |op: &&&Op| op.lasts && op.stage == Stage::Acknowledged;
        if let Some(op) = lost.iter().find(lasting) {
            return Err(format!(
                "{} was acknowledged as lasting and is lost",
                op.change
            ));
        }
        let traces = self.traces(db)?;
        let mut kept = Vec::new();
        for op in &all[..end] {
            let is_settled = matches!(op.stage, Stage::Acknowledged | Stage::Found);
            let is_there =
                op.change.is_in(db).map_err(in_words)? && !self.is_of_another(op, &traces);
            if is_settled || is_there {
                // What a power loss has left is on the disk.
                kept.push(Op {
                    stage: Stage::Acknowledged,
                    lasts: true,
                    change: op.change.numbered(db).map_err(in_words)?,
                    ..(**op).clone()
                });
            }
        }
        let expected = replayed(kept.iter().map(|op| &op.change))?;
        difference(db, &expected)?.map_or(Ok(()), Err)?;
        if is_real {
            self.done = kept;
            self.expected = expected;
            self.open.clear();
            self.forget_lost_states();
        }
        Ok(())
    }

    fn forget_lost_states(&mut self) {
        for (run, states) in &mut self.states {
            let last = self.expected.last_seq(*run).unwrap_or_default();
            states.retain(|seq, _| *seq <= last);
        }
    }

    /// The state of a run that was folded from its events must be what its driver knew.
    pub(crate) fn check_fold(&self, run: RunId, state: &State) -> Checked<()> {
        let known = self
            .states
            .get(&run)
            .and_then(|states| states.get(&state.seq));
        match known {
            Some(known) if known != state => Err(format!(
                "run {run} folds to another state at event {} than its driver had",
                state.seq
            )),
            _ => Ok(()),
        }
    }

    pub(crate) fn keep_state(&mut self, run: RunId, state: &State) {
        let states = self.states.entry(run).or_default();
        states.retain(|seq, _| *seq < state.seq);
        states.insert(state.seq, state.clone());
        if states.len() > STATES_MAX {
            states.pop_first();
        }
    }

    /// The events of a run that a reader must see by now.
    pub(crate) fn last_acknowledged(&self, run: RunId) -> Option<Seq> {
        let states = self.states.get(&run)?;
        states.keys().next_back().copied()
    }

    pub(crate) fn has_unsettled(&self, run: RunId) -> bool {
        let is_about = |op: &Op| matches!(op.change.what, What::Append(of, _) if of == run);
        self.open.iter().any(is_about)
    }

    pub(crate) fn begin_driving(&mut self, run: RunId, process: ProcessId) -> Checked<()> {
        match self.drivers.insert(run, process) {
            Some(other) => Err(format!(
                "run {run} is driven by process {other} and by process {process}"
            )),
            None => Ok(()),
        }
    }

    pub(crate) fn end_driving(&mut self, run: RunId) {
        self.drivers.remove(&run);
    }

    /// The last changes, for finding a fault.
    pub(crate) fn tail(&self) -> String {
        let ops = self.done.iter().rev().take(TAIL).rev().chain(&self.open);
        let lines = ops.map(|op| {
            format!(
                "  {} {:?}, process {}: {}\n",
                op.write_lock, op.stage, op.process, op.change
            )
        });
        lines.collect()
    }

    pub(crate) fn changes(&self) -> usize {
        self.done.len()
    }
}

fn empty_journal() -> Journal {
    Journal::in_memory().expect("memory is there")
}

fn replayed<'a>(changes: impl Iterator<Item = &'a Change>) -> Checked<Journal> {
    let mut journal = empty_journal();
    for change in changes {
        change.repeat(&mut journal)?;
    }
    Ok(journal)
}

fn difference(db: &Connection, expected: &Journal) -> Checked<Option<String>> {
    first_difference(db, expected.connection()).map_err(in_words)
}
