//! The crew: threads that play episodes, and one collector that writes them down in order of ending.
//!
//! An episode under way when the program is killed or interrupted leaves no trace. Invariant: what
//! is told was written before, if there is a place to write to.

use super::episode::Episode;
use super::ledger::{Ledger, LedgerError};
use super::plan::{Plan, Setting};
use super::play::{Job, Over, Workshop, play};
use super::purse::Purse;
use crate::journal::Journal;
use crate::runtime::OpenError;
use pithead_world::ids::RunId;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Finished episodes on the way to the collector, for each worker.
const WAITING: usize = 4;

/// Why an evaluation could not go on.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error("an episode could not be played: {0}")]
    Open(#[from] OpenError),
    #[error(
        "this folder's episodes were not learnt in this order ({because}); choose another --out"
    )]
    Order { because: String },
}

/// How far it has come, told with each finished episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub done: usize,
    /// Of these, found finished.
    pub found: usize,
    pub total: usize,
}

/// What there is to evaluate and how.
pub struct Course<'a> {
    pub setting: &'a Setting,
    pub plan: &'a Plan,
    pub jobs: usize,
    /// Where episodes are kept; without it a killed evaluation begins anew.
    pub out: Option<&'a Path>,
    pub workshop: &'a Workshop<'a>,
    pub interrupt: &'a AtomicBool,
    /// What all episodes together may spend.
    pub purse: Arc<Purse>,
}

impl std::fmt::Debug for Course<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Course {{ {:?}, {} jobs }}", self.plan, self.jobs)
    }
}

/// Plays what is not finished; all episodes of the plan in its order, without those that an
/// interrupt left out. `tell` hears of how far it is, first without an episode.
pub fn run(
    course: &Course<'_>,
    mut tell: impl FnMut(Progress, Option<&Episode>),
) -> Result<Vec<Episode>, EvalError> {
    let mut ledger = course
        .out
        .map(|folder| Ledger::open(folder, course.setting))
        .transpose()?;
    let known: &[Episode] = ledger.as_ref().map_or(&[], |ledger| &ledger.episodes);
    let mut finished = of_plan(course.plan, known);
    let done: BTreeSet<(String, u64)> = finished.iter().map(key).collect();
    let mut run = ledger.as_ref().map_or(Ok(1), Ledger::next_run)?;
    let mut jobs = Vec::new();
    for (task, seed) in course.plan.episodes() {
        if !done.contains(&(task.id.clone(), seed)) {
            let number = RunId(run);
            run += 1;
            jobs.push(Job {
                task,
                seed,
                run: number,
            });
        }
    }
    let knowledge = learnt(course, ledger.as_ref(), &jobs)?;
    let mut progress = Progress {
        done: finished.len(),
        found: finished.len(),
        total: finished.len() + jobs.len(),
    };
    tell(progress, None);
    let collect = |over: Over| {
        let episode = match &mut ledger {
            Some(ledger) => ledger.enter(over)?,
            None => over.episode,
        };
        progress.done += 1;
        tell(progress, Some(&episode));
        finished.push(episode);
        Ok(())
    };
    work(course, &jobs, knowledge, collect)?;
    Ok(of_plan(course.plan, &finished))
}

fn key(episode: &Episode) -> (String, u64) {
    (episode.task.clone(), episode.seed)
}

/// The episodes that belong to the plan, in its order.
pub(super) fn of_plan(plan: &Plan, episodes: &[Episode]) -> Vec<Episode> {
    let by_key: std::collections::BTreeMap<(String, u64), &Episode> =
        episodes.iter().map(|e| (key(e), e)).collect();
    plan.episodes()
        .filter_map(|(task, seed)| by_key.get(&(task.id.clone(), seed)).copied().cloned())
        .collect()
}

/// What was learnt up to here; none if every episode stands alone.
fn learnt(
    course: &Course<'_>,
    ledger: Option<&Ledger>,
    jobs: &[Job],
) -> Result<Option<Journal>, EvalError> {
    if !course.setting.learn {
        return Ok(None);
    }
    let Some(ledger) = ledger else {
        return Ok(Some(Journal::in_memory().map_err(LedgerError::from)?));
    };
    let total = course.plan.len();
    let expected = course.plan.episodes().take(total - jobs.len());
    let in_order = ledger.episodes.len() == total - jobs.len()
        && expected
            .zip(&ledger.episodes)
            .all(|((task, seed), found)| (task.id.as_str(), seed) == (&found.task, found.seed));
    if !in_order {
        return Err(EvalError::Order {
            because: "its tasks or seeds were others".to_owned(),
        });
    }
    Ok(Some(ledger.learnt()?))
}

/// What a worker sends.
type Sent = Result<Over, OpenError>;

fn work(
    course: &Course<'_>,
    jobs: &[Job],
    knowledge: Option<Journal>,
    mut collect: impl FnMut(Over) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    // What is learnt has an order, and one at a time keeps it.
    let workers = if course.setting.learn { 1 } else { course.jobs }.clamp(1, jobs.len().max(1));
    let (send, receive): (SyncSender<Sent>, Receiver<Sent>) = sync_channel(workers * WAITING);
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut knowledge = vec![knowledge];
    knowledge.resize_with(workers, || None);
    std::thread::scope(|scope| {
        for knowledge in knowledge {
            let (send, next, stop) = (send.clone(), &next, &stop);
            scope.spawn(move || worker(course, jobs, knowledge, (next, stop), &send));
        }
        drop(send);
        let collected = receive
            .iter()
            .try_for_each(|sent| sent.map_err(EvalError::from).and_then(&mut collect));
        stop.store(true, Ordering::Relaxed);
        // Workers that wait to send must not wait for ever.
        drop(receive);
        collected
    })
}

fn worker(
    course: &Course<'_>,
    jobs: &[Job],
    mut knowledge: Option<Journal>,
    (next, stop): (&AtomicUsize, &AtomicBool),
    send: &SyncSender<Sent>,
) {
    let is_over = || stop.load(Ordering::Relaxed) || course.interrupt.load(Ordering::Relaxed);
    while !is_over() {
        let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
            return;
        };
        let played = catch_unwind(AssertUnwindSafe(|| {
            play(
                course.setting,
                *job,
                course.workshop,
                &mut knowledge,
                (&course.purse, course.interrupt),
            )
        }));
        let sent = match played {
            Ok(Ok(Some(over))) => Ok(over),
            // Interrupted, or the purse is empty: then no other worker need begin anything.
            Ok(Ok(None)) => {
                stop.store(true, Ordering::Relaxed);
                return;
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Ok(broken(*job)),
        };
        // What was learnt went down with it; the next start reads it from the ledger again.
        let is_lost = course.setting.learn && knowledge.is_none();
        if send.send(sent).is_err() || is_lost {
            return;
        }
    }
}

/// A fault of the program is one episode lost, and said; the others go on.
fn broken(job: Job) -> Over {
    let mut episode = Episode::of(job.task, job.seed, job.run.0);
    episode.void("the program broke down; see the log");
    Over {
        episode,
        facts: Vec::new(),
    }
}
