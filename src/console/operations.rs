//! Operations: what the operator changes in the database and in runs of other processes, in a thread of its own.
//!
//! Another process may take seconds to answer; no key waits for it. Operations are carried out one after the
//! other, in the order in which they were asked for. Invariant: what was asked for is carried out before the
//! console is gone, and "done" is said only after the journal holds it.

use crate::effect::InboxAction;
use crate::saved_views;
use crate::saved_views::KeptView;
use crate::screens::inbox::carry_out;
use crate::screens::knowledge;
use crate::screens::knowledge::state::EntryRequest;
use crate::screens::runs::state::Bulk;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::event::Event;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::runtime::fork::{ForkRequest, fork};
use pithead_engine::runtime::operator::Operator;
use pithead_engine::runtime::operator::answer::overrule_label;
use pithead_engine::runtime::operator::bulk::{BulkAction, carry_out_step, preview_bulk};
use pithead_engine::runtime::operator::tell::send_command;
use pithead_world::clock::Clock;
use pithead_world::ids::{AttemptId, RunId};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Operations that wait for their turn; a person presses no more keys in the time that one takes.
const WAITING_MAX: usize = 32;

/// What an operation works with.
#[derive(Debug, Clone)]
pub(crate) struct OperatorAccess {
    pub(crate) database: Option<PathBuf>,
    /// The saved rules about gates.
    pub(crate) rules: Option<PathBuf>,
    pub(crate) operator: String,
    pub(crate) clock: Clock,
}

/// What has come of an operation.
#[derive(Debug)]
pub(crate) enum OperationResult {
    Said(Result<String, String>),
    /// It may have saved a text of the operator's, which comes back if it was refused.
    Answered(Result<String, String>),
    /// A fork was made: the run, and where.
    Forked(Result<(RunId, String), String>),
}

type Operation = Box<dyn FnOnce(&OperatorAccess) -> OperationResult + Send>;

/// The thread that carries them out.
#[derive(Debug)]
pub(crate) struct Operations {
    /// Nothing once the console is being left.
    asked: Option<SyncSender<Operation>>,
    results: Receiver<OperationResult>,
    thread: Option<JoinHandle<()>>,
    under_way: usize,
}

impl Operations {
    pub(crate) fn start(access: OperatorAccess) -> std::io::Result<Self> {
        let (asked, waiting) = sync_channel::<Operation>(WAITING_MAX);
        // As many as can be asked for, so that the thread never waits for the screen.
        let (done, results) = sync_channel(WAITING_MAX + 1);
        let work = move || {
            for operation in waiting {
                let result = operation(&access);
                // A console that has gone shows no result; what was done holds all the same.
                let _ = done.try_send(result);
            }
        };
        let thread = std::thread::Builder::new().name("operations".to_owned());
        Ok(Self {
            asked: Some(asked),
            results,
            thread: Some(thread.spawn(work)?),
            under_way: 0,
        })
    }

    /// Has an operation carried out; its result comes later.
    pub(crate) fn ask(
        &mut self,
        operation: impl FnOnce(&OperatorAccess) -> OperationResult + Send + 'static,
    ) -> Result<(), String> {
        let full = format!("{WAITING_MAX} changes are under way; wait for one");
        if self.under_way >= WAITING_MAX {
            return Err(full);
        }
        let asked = self.asked.as_ref().ok_or("the console is being left")?;
        asked.try_send(Box::new(operation)).map_err(|_| full)?;
        self.under_way += 1;
        Ok(())
    }

    /// What has come of operations in the meantime, in their order.
    pub(crate) fn take_results(&mut self) -> Vec<OperationResult> {
        let came: Vec<OperationResult> = self.results.try_iter().collect();
        self.under_way = self.under_way.saturating_sub(came.len());
        came
    }

    /// Waits until all that was asked for is done; nothing can be asked for after it.
    pub(crate) fn finish(&mut self) {
        self.asked = None;
        if let Some(thread) = self.thread.take() {
            // A panic in it was reported where it happened.
            let _ = thread.join();
        }
    }

    pub(crate) fn are_under_way(&self) -> bool {
        self.under_way > 0
    }
}

impl Drop for Operations {
    fn drop(&mut self) {
        self.finish();
    }
}

impl OperatorAccess {
    fn database(&self) -> Result<&Path, String> {
        let path = self.database.as_deref();
        path.ok_or_else(|| "this console has no database".to_owned())
    }

    fn journal(&self) -> Result<Journal, String> {
        Journal::open(self.database()?, Durability::Full).map_err(|error| error.to_string())
    }

    fn as_operator(&self) -> Result<Operator, String> {
        let (name, clock) = (&self.operator, self.clock.clone());
        Ok(Operator::new(self.database()?, name, clock))
    }

    /// Decides in runs that this console does not drive, and keeps rules.
    pub(crate) fn decide(&self, action: InboxAction) -> Result<String, String> {
        carry_out::carry_out(action, &self.as_operator()?, self.rules.as_deref())
    }

    /// Changes an entry of the knowledge base.
    pub(crate) fn curate(&self, request: &EntryRequest) -> Result<String, String> {
        knowledge::carry_out::carry_out(request, &self.as_operator()?)
    }

    /// A command for a run that this console does not drive.
    pub(crate) fn tell(&self, run: RunId, command: &Command) -> Result<String, String> {
        let done = send_command(&self.as_operator()?, run, command);
        done.map_err(|error| error.to_string())?;
        Ok(format!("run {run}: {} is done", command.name()))
    }

    /// Another label for an attempt.
    pub(crate) fn overrule(
        &self,
        run: RunId,
        attempt: AttemptId,
        label: FailureReason,
        reason: &str,
    ) -> Result<String, String> {
        let done = overrule_label(&self.as_operator()?, (run, attempt), (label, reason));
        let done = done.map_err(|error| error.to_string())?;
        let mut said = format!("{attempt} is {}", label.name());
        for anew in &done.anew {
            said += &format!("; {} {}", anew.entry, anew.became.name());
        }
        if !done.doubts.is_empty() {
            let n = count_with_noun(done.doubts.len(), "entry", "entries");
            said += &format!("; to be reviewed: {n} learned from the old label");
        }
        Ok(said)
    }

    pub(crate) fn delete_runs(&self, runs: &[RunId]) -> Result<String, String> {
        let deleted = self.journal()?.delete_runs(runs);
        let deleted = deleted.map_err(|error| error.to_string())?;
        let n = count_with_noun(deleted.len(), "run is", "runs are");
        Ok(format!("{n} deleted; what was learned there stays"))
    }

    /// Ends runs or lets them go on, each by itself; what was refused is told with its reason.
    pub(crate) fn carry_out_bulk(&self, bulk: &Bulk) -> Result<String, String> {
        let (action, operator) = (bulk.action, self.as_operator()?);
        let steps = preview_bulk(&self.journal()?, &bulk.runs, action);
        let mut steps = steps.map_err(|error| error.to_string())?;
        steps.retain(|step| step.effect.acts());
        let mut faults = Vec::new();
        for step in &steps {
            if let Err(error) = carry_out_step(&operator, step, action, &bulk.reason) {
                faults.push(format!("run {}: {error}", step.run));
            }
        }
        let n = steps.len();
        match (&faults[..], action) {
            ([first, ..], _) => Err(format!("{} of {n} were refused; {first}", faults.len())),
            ([], BulkAction::Abort) => Ok(format!(
                "{} ended",
                count_with_noun(n, "run is", "runs are")
            )),
            ([], BulkAction::Resume) => Ok(format!(
                "{} on; enter follows one",
                count_with_noun(n, "run goes", "runs go")
            )),
        }
    }

    /// Keeps a view of a list, or takes one off.
    pub(crate) fn keep_view(&self, kept: KeptView) -> Result<String, String> {
        let name = kept.name.clone();
        let word = if kept.view.is_some() {
            format!("the view {name} is saved; ' shows the views of this list")
        } else {
            format!("the view {name} is taken off")
        };
        saved_views::keep(&saved_views::file(self.database()?), kept)?;
        Ok(word)
    }

    /// Keeps a bookmark, or takes one off, in the operator's name.
    pub(crate) fn set_bookmark(&self, event: Event) -> Result<String, String> {
        let by = self.operator.clone();
        let (event, word) = match event {
            Event::BookmarkSet {
                run,
                seq,
                tick,
                note,
                ..
            } => {
                let set = Event::BookmarkSet {
                    run,
                    seq,
                    tick,
                    note,
                    by,
                };
                (set, format!("event {seq} is marked; W lists the bookmarks"))
            }
            Event::BookmarkRemoved { run, seq, .. } => (
                Event::BookmarkRemoved { run, seq, by },
                format!("event {seq} is no longer marked"),
            ),
            _ => return Err("only bookmarks are stored here".to_owned()),
        };
        let kept = self.journal()?.mark(self.clock.now(), event);
        kept.map(|()| word).map_err(|error| error.to_string())
    }

    /// Makes a fork: the run, and where it leaves the other.
    pub(crate) fn make_fork(&self, request: ForkRequest) -> Result<(RunId, String), String> {
        let request = ForkRequest {
            by: self.operator.clone(),
            ..request
        };
        let made = fork(&mut self.journal()?, request, self.clock.now());
        let made = made.map_err(|error| error.to_string())?;
        let word = format!("run {} is forked at event {}", made.run, made.at);
        Ok((made.run, word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Operations {
        let access = OperatorAccess {
            database: None,
            rules: None,
            operator: "ada".to_owned(),
            clock: Clock::System,
        };
        Operations::start(access).unwrap()
    }

    fn wait(operations: &mut Operations) -> OperationResult {
        loop {
            if let Some(result) = operations.take_results().into_iter().next() {
                return result;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn no_key_waits_for_an_operation() {
        let mut operations = start();
        let (answer, other_process) = sync_channel::<()>(0);
        let slow = move |_: &OperatorAccess| {
            other_process.recv().unwrap();
            OperationResult::Said(Ok("the run has answered".to_owned()))
        };
        operations.ask(slow).unwrap();
        assert!(operations.take_results().is_empty() && operations.are_under_way());
        answer.send(()).unwrap();
        let result = wait(&mut operations);
        assert!(matches!(result, OperationResult::Said(Ok(word)) if word.contains("answered")));
        assert!(!operations.are_under_way());
    }

    #[test]
    fn operations_end_in_order_before_the_console_closes() {
        let mut operations = start();
        let (out, order) = sync_channel(WAITING_MAX);
        for n in 0..WAITING_MAX {
            let out = out.clone();
            let numbered = move |_: &OperatorAccess| {
                out.send(n).unwrap();
                OperationResult::Said(Ok(String::new()))
            };
            operations.ask(numbered).unwrap();
        }
        let one_more = |_: &OperatorAccess| OperationResult::Said(Ok(String::new()));
        assert!(operations.ask(one_more).is_err(), "the queue is bounded");
        drop(out);
        operations.finish();
        assert!(order.into_iter().eq(0..WAITING_MAX));
    }

    #[test]
    fn without_a_database_an_operation_says_so() {
        let mut operations = start();
        let delete =
            |access: &OperatorAccess| OperationResult::Said(access.delete_runs(&[RunId(1)]));
        operations.ask(delete).unwrap();
        let OperationResult::Said(Err(because)) = wait(&mut operations) else {
            panic!("there is nothing to delete from")
        };
        assert_eq!(because, "this console has no database");
    }
}
