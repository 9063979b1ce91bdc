//! Operators and readers: what is done with the database besides driving runs.

use crate::change::What;
use crate::drivers::fold;
use crate::process::{Done, Plant, Process, Trouble};
use pithead_core::domain::knowledge::{Body, Entry};
use pithead_core::domain::samples;
use pithead_core::knowledge::life::ChangeRequest;
use pithead_engine::journal::{Added, EntryFilter, Journal, KNOWLEDGE_LOG, Refused};
use pithead_engine::runtime::OpenError;
use pithead_engine::runtime::fork::{ForkError, ForkPoint, ForkRequest, fork};
use pithead_engine::runtime::operator::curate::Curation;
use pithead_world::ids::{KnowledgeId, RunId, Seq};
use std::collections::BTreeSet;

/// What entries are about.
const ITEMS: [&str; 12] = [
    "stone",
    "coal",
    "iron_ore",
    "oak_log",
    "birch_log",
    "dirt",
    "sand",
    "gravel",
    "gold_ore",
    "diamond_ore",
    "clay",
    "obsidian",
];
/// Events between a fork and the end of its run, so that the run's next turn changes nothing of it.
const FORK_BEFORE_END: u64 = 8;

impl Process {
    /// Changes some entries of the base.
    pub(crate) fn curate(&mut self) -> Done {
        let (mut journal, durable) = self.open_journal()?;
        for _ in 0..1 + self.rng.below(6) {
            let base = journal.knowledge(EntryFilter::default())?;
            if base.is_empty() {
                return Ok(());
            }
            let id = self.any(&base).id;
            let other = self.any(&base).clone();
            let change = self.any_curation(&other);
            self.change_entry(&mut journal, durable, (id, change))?;
        }
        Ok(())
    }

    fn any<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.rng.below(list.len() as u64) as usize]
    }

    fn any_curation(&mut self, other: &Entry) -> Curation {
        match self.rng.below(8) {
            0 | 1 => Curation::Approve,
            2 => Curation::Veto,
            3 => Curation::Retire,
            4 => Curation::Restore,
            5 => Curation::TakeBack,
            6 if self.rng.chance(0.5) => Curation::MergeInto(other.id),
            6 => Curation::KeepBeside(other.id),
            _ => {
                let item = *self.any(&ITEMS);
                Curation::EditAndApprove(Box::new(Body::Guardrail(samples::guardrail(item))))
            }
        }
    }

    fn change_entry(
        &mut self,
        journal: &mut Journal,
        durable: bool,
        (id, change): (KnowledgeId, Curation),
    ) -> Done {
        let at = self.moment();
        let op = self.ask(at, What::Curate(Vec::new()), durable);
        let wish = ChangeRequest {
            by: "ann".to_owned(),
            reason: "so it is".to_owned(),
        };
        let mut is_change = false;
        let written = journal.curate(at, |base| {
            is_change = false;
            let find = |id| base.iter().find(|entry| entry.id == id);
            let entry = find(id).ok_or_else(|| Refused("it is gone".to_owned()))?;
            let events = change.events(entry, find, &wish).map_err(Refused)?;
            is_change = !events.is_empty();
            self.history().decide(op, What::Curate(events.clone()));
            Ok(events)
        });
        if !is_change {
            self.history().call_off(op);
            return written.map(drop).map_err(Trouble::from);
        }
        self.answer(op, written).map(drop)
    }

    /// Adds some entries, of which some are known.
    pub(crate) fn import(&mut self) -> Done {
        let (mut journal, durable) = self.open_journal()?;
        let count = 1 + self.rng.below(12);
        let entries: Vec<Entry> = (0..count)
            .map(|n| {
                let item = *self.any(&ITEMS);
                samples::entry(KNOWLEDGE_LOG.0, n, item)
            })
            .collect();
        let at = self.moment();
        let op = self.ask(at, What::Add(entries.clone()), durable);
        let added = journal.add_entries(at, &entries);
        let is_new = |added: &Added| matches!(added, Added::New(_));
        if added.as_ref().is_ok_and(|added| !added.iter().any(is_new)) {
            self.history().call_off(op);
            return Ok(());
        }
        self.answer(op, added).map(drop)
    }

    /// A run that is not being driven and of which everything is settled.
    fn any_run(&mut self, journal: &Journal) -> Done<Option<(RunId, Seq)>> {
        let mut rows = journal.runs()?;
        let history = self.history();
        rows.retain(|row| !row.alive && !history.has_unsettled(row.id));
        drop(history);
        if rows.is_empty() {
            return Ok(None);
        }
        let row = self.any(&rows);
        Ok(Some((row.id, Seq(row.events))))
    }

    /// Begins a run with the past of another one.
    pub(crate) fn fork(&mut self) -> Done {
        let (mut journal, durable) = self.open_journal()?;
        let Some((from, last)) = self.any_run(&journal)? else {
            return Ok(());
        };
        let Some(bound) = last.0.checked_sub(FORK_BEFORE_END) else {
            return Ok(());
        };
        let wish = ForkRequest {
            from,
            at: ForkPoint::Event(Seq(1 + self.rng.below(bound))),
            without: Vec::new(),
            thresholds: None,
            plan: None,
            keep_decisions: false,
            by: "ann".to_owned(),
        };
        let at = self.moment();
        let op = self.ask(at, What::Fork(wish.clone()), durable);
        match fork(&mut journal, wish, at) {
            Err(
                ForkError::Point { .. }
                | ForkError::Plan(_)
                | ForkError::Open(OpenError::Empty { .. }),
            ) => {
                self.history().call_off(op);
                Ok(())
            }
            Err(ForkError::Open(OpenError::Journal(error))) => self.answer(op, Err(error)),
            Err(other) => Err(format!("a fork failed: {other}").into()),
            Ok(forked) => {
                self.history().note_run(op, forked.run);
                self.answer(op, Ok::<_, Trouble>(forked)).map(drop)
            }
        }
    }

    /// Deletes a run, or several at once.
    pub(crate) fn delete(&mut self) -> Done {
        let (mut journal, durable) = self.open_journal()?;
        let mut runs = BTreeSet::new();
        for _ in 0..1 + self.rng.below(3) {
            runs.extend(self.any_run(&journal)?.map(|(run, _)| run));
        }
        if runs.is_empty() {
            return Ok(());
        }
        let runs: Vec<RunId> = runs.into_iter().collect();
        let at = self.moment();
        let op = self.ask(at, What::Delete(runs.clone()), durable);
        self.let_reads_fail(self.plant == Plant::FailedDeletions);
        let deleted = journal.delete_runs(&runs);
        self.let_reads_fail(false);
        self.answer(op, deleted).map(drop)
    }

    fn let_reads_fail(&self, often: bool) {
        self.machine.lock().processes[self.number].reads_fail = often;
    }

    /// Reads all runs while others write, and the base.
    pub(crate) fn read(&mut self) -> Done {
        let journal = Journal::look(&self.machine.database())?;
        for row in journal.runs()? {
            let last = self.history().last_acknowledged(row.id);
            let (state, _) = match fold(&journal, row.id) {
                Err(Trouble::Wrong(_)) if journal.run(row.id).is_err() => continue,
                folded => folded?,
            };
            let is_deleted = journal.run(row.id).is_err();
            if !is_deleted && last.is_some_and(|last| state.seq < last) {
                let (run, seq) = (row.id, state.seq);
                return Err(format!(
                    "run {run} reads up to event {seq}, and {last:?} was acknowledged before"
                )
                .into());
            }
            if !is_deleted {
                self.history().check_fold(row.id, &state)?;
            }
        }
        journal.knowledge(EntryFilter::default())?;
        Ok(())
    }
}
