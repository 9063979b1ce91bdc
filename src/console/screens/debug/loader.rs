//! The loader of the Debug screen: reads attempts, questions and searches in a thread of its own.
//!
//! It works only while the screen is in sight, and only when something else is wanted or the run has
//! gone on. Invariant: no key waits for it, and a newer request replaces an older one.

use crate::screens::debug::readings::{DebugReading, SearchResult, table};
use crate::screens::debug::relabel::Relabel;
use crate::screens::debug::state::{RunSearch, Wants};
use pithead_engine::journal::{Journal, JournalError};
use pithead_engine::runtime::OpenError;
use pithead_engine::runtime::attempts::Index;
use pithead_engine::runtime::case_file::{CaseFile, MissingFrames};
use pithead_engine::runtime::past_attempts::NoEvidence;
use pithead_engine::runtime::questions::{MindCall, question_at};
use pithead_engine::runtime::run_search;
use pithead_world::ids::{AttemptId, RunId, Seq};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// Between two looks at a run that goes on.
const LOOK_EVERY: Duration = Duration::from_millis(400);
/// Requests and readings on their way.
const QUEUE_MAX: usize = 8;
/// Attempts kept at hand for going to and fro.
pub(crate) const CASES_MAX: usize = 8;
/// Frames kept at hand, in all attempts but the newest; older ones are read again when they are looked at.
pub(crate) const KEPT_FRAMES_MAX: usize = 8_192;

/// The screen's end.
#[derive(Debug)]
pub struct CaseLoader {
    wants: SyncSender<Option<Wants>>,
    readings: Receiver<DebugReading>,
    wanted: Option<Option<Wants>>,
}

impl CaseLoader {
    /// Starts the thread; it ends when this is dropped.
    pub fn start(database: Option<PathBuf>) -> std::io::Result<Self> {
        let (wants, wanted) = sync_channel(QUEUE_MAX);
        let (out, readings) = sync_channel(QUEUE_MAX);
        let mut reader = Reader {
            database,
            journal: None,
            seen: None,
            index: Index::default(),
            cases: Vec::new(),
            told: Wants::default(),
            unreadable: None,
            relabel: None,
        };
        std::thread::Builder::new()
            .name("debug".to_owned())
            .spawn(move || reader.work(&wanted, &out))?;
        Ok(Self {
            wants,
            readings,
            wanted: None,
        })
    }

    /// Says what is wanted; none while the screen is not in sight.
    pub fn want(&mut self, wants: Option<Wants>) {
        if self.wanted.as_ref() != Some(&wants) && self.wants.try_send(wants.clone()).is_ok() {
            self.wanted = Some(wants);
        }
    }

    /// What has been read since.
    pub fn taken(&self) -> impl Iterator<Item = DebugReading> + '_ {
        self.readings.try_iter()
    }
}

struct Reader {
    database: Option<PathBuf>,
    journal: Option<Journal>,
    /// SQLite's mark of changes by others, when the index was read.
    seen: Option<i64>,
    index: Index,
    /// Ended attempts that were read, the newest last.
    cases: Vec<Arc<CaseFile>>,
    /// What has been sent.
    told: Wants,
    /// The attempt that cannot be read, and why: playing its world again takes seconds and comes to the same.
    unreadable: Option<(AttemptId, String)>,
    /// The look through all runs that was asked for last.
    relabel: Option<Relabel>,
}

impl Reader {
    fn work(&mut self, wanted: &Receiver<Option<Wants>>, out: &SyncSender<DebugReading>) {
        let mut wants: Option<Wants> = None;
        loop {
            let heard = match &wants {
                None => wanted.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(_) => wanted.recv_timeout(LOOK_EVERY),
            };
            match heard {
                Ok(newer) => wants = wanted.try_iter().last().unwrap_or(newer),
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let Some(wants) = &wants else { continue };
            self.look_through_all(wants, out);
            let mut tell = |read: DebugReading| out.send(read).is_ok();
            match self.look(wants, &mut tell) {
                Ok(true) => (),
                Ok(false) => return,
                Err(because) => {
                    self.told = Wants::default();
                    if !tell(DebugReading::Fault(because)) {
                        return;
                    }
                }
            }
        }
    }

    /// Begins the look through all runs that is wanted, in place of the one before.
    fn look_through_all(&mut self, wants: &Wants, out: &SyncSender<DebugReading>) {
        let known = self.relabel.as_ref().map(|known| &known.moved);
        let (Some(moved), Some(path)) = (&wants.relabel, &self.database) else {
            return;
        };
        if known == Some(moved) {
            return;
        }
        // The one before stops when it is dropped.
        self.relabel = None;
        match Relabel::begin(path, moved.clone(), out) {
            Ok(begun) => self.relabel = Some(begun),
            Err(because) => {
                let _ = out.send(DebugReading::Relabelled(moved.clone(), Err(because)));
            }
        }
    }

    /// Reads what is wanted and has not been sent; false if nobody listens.
    fn look(
        &mut self,
        wants: &Wants,
        tell: &mut impl FnMut(DebugReading) -> bool,
    ) -> Result<bool, String> {
        let (Some(run), Some(path)) = (wants.run, self.database.clone()) else {
            return Ok(true);
        };
        let journal = match self.journal.take() {
            Some(journal) => journal,
            None => Journal::look(&path).map_err(|error| error.to_string())?,
        };
        let done = self.read(&journal, run, wants, tell);
        self.journal = Some(journal);
        done
    }

    fn read(
        &mut self,
        journal: &Journal,
        run: RunId,
        wants: &Wants,
        tell: &mut impl FnMut(DebugReading) -> bool,
    ) -> Result<bool, String> {
        let words = |error: JournalError| error.to_string();
        if self.index.run != Some(run) {
            (self.index, self.seen) = (Index::of_run(run), None);
            self.cases.clear();
            (self.told, self.unreadable) = (Wants::default(), None);
        }
        let mark = journal.changes().map_err(words)?;
        let moved = self.seen != Some(mark);
        if moved {
            let marks = journal.bookmarks(run).map_err(words)?;
            self.index.read_on(journal).map_err(words)?;
            self.seen = Some(mark);
            // Bookmarks are rare and small; they go with every change.
            let told = DebugReading::Index(Arc::new(self.index.clone()), table(&self.index), marks);
            if !tell(told) {
                return Ok(false);
            }
        }
        for (wanted, told, make) in [
            (
                wants.attempt,
                self.told.attempt,
                DebugReading::CaseFile as fn(_) -> _,
            ),
            (
                wants.other,
                self.told.other,
                DebugReading::Other as fn(_) -> _,
            ),
        ] {
            let Some(id) = wanted else { continue };
            let row = self.index.attempt(id);
            let goes_on = moved && row.is_some_and(|row| row.to.is_none()) && !self.index.ended;
            // Its label may have been overruled since.
            let stale =
                |case: &Arc<CaseFile>| row.is_some_and(|row| case.row.id == id && case.row != *row);
            let known = self.cases.len();
            self.cases.retain(|case| !stale(case));
            let is_told = wanted == told && !goes_on && self.cases.len() == known;
            let reading = match is_told {
                // A new list takes the reason from sight.
                true if moved => self.known_fault(id),
                true => None,
                false => self.open(journal, (run, id), make)?,
            };
            if let Some(reading) = reading
                && !tell(reading)
            {
                return Ok(false);
            }
        }
        let is_heard = self.read_question(journal, run, (wants, moved), tell)?;
        self.told = wants.clone();
        Ok(is_heard)
    }

    /// The question to the mind that is wanted, and what was looked for; false if nobody listens.
    fn read_question(
        &self,
        journal: &Journal,
        run: RunId,
        (wants, moved): (&Wants, bool),
        tell: &mut impl FnMut(DebugReading) -> bool,
    ) -> Result<bool, String> {
        // What has come since may be its answer.
        let asked = wants.asked;
        if let Some(seq) = asked.filter(|_| moved || asked != self.told.asked)
            && !tell(DebugReading::Asked(Arc::new(call_at(journal, run, seq)?)))
        {
            return Ok(false);
        }
        if let Some(search) = wants.search.as_ref()
            && wants.search != self.told.search
        {
            let found = find(journal, run, search).map_err(|error| error.to_string())?;
            return Ok(tell(DebugReading::StudyResult(found)));
        }
        Ok(true)
    }

    /// The attempt, or why it cannot be read; an error is one of the database, which may pass.
    fn open(
        &mut self,
        journal: &Journal,
        (run, id): (RunId, AttemptId),
        make: fn(Arc<CaseFile>) -> DebugReading,
    ) -> Result<Option<DebugReading>, String> {
        self.unreadable = self.unreadable.take().filter(|(other, _)| *other != id);
        match self.case(journal, run, id) {
            Ok(case) => Ok(case.map(make)),
            Err(fault @ NoEvidence::Open(OpenError::Journal(_))) => Err(fault.to_string()),
            Err(lasting) => {
                self.unreadable = Some((id, lasting.to_string()));
                Ok(self.known_fault(id))
            }
        }
    }

    fn known_fault(&self, id: AttemptId) -> Option<DebugReading> {
        let known = self.unreadable.as_ref().filter(|(at, _)| *at == id);
        known.map(|(_, because)| DebugReading::Fault(because.clone()))
    }

    fn case(
        &mut self,
        journal: &Journal,
        run: RunId,
        id: AttemptId,
    ) -> Result<Option<Arc<CaseFile>>, NoEvidence> {
        let Some(row) = self.index.attempt(id) else {
            return Ok(None);
        };
        let known = |case: &&Arc<CaseFile>| case.row == *row && row.to.is_some();
        if let Some(case) = self.cases.iter().find(known) {
            return Ok(Some(Arc::clone(case)));
        }
        let case = CaseFile::open(journal, run, row, MissingFrames::Replay)?;
        let case = Arc::new(case);
        self.cases.retain(|known| known.row.id != id);
        keep_case(&mut self.cases, Arc::clone(&case));
        Ok(Some(case))
    }
}

/// Keeps an attempt at hand, in place of the oldest ones.
pub(crate) fn keep_case(cases: &mut Vec<Arc<CaseFile>>, case: Arc<CaseFile>) {
    let frames =
        |cases: &[Arc<CaseFile>]| cases.iter().map(|case| case.samples.len()).sum::<usize>();
    while cases.len() >= CASES_MAX || frames(cases) > KEPT_FRAMES_MAX {
        cases.remove(0);
    }
    cases.push(case);
}

fn call_at(journal: &Journal, run: RunId, seq: Seq) -> Result<MindCall, String> {
    let call = question_at(journal, run, seq).map_err(|error| error.to_string())?;
    call.ok_or_else(|| format!("event {seq} is not a question to the mind"))
}

/// What is looked for.
pub(crate) fn find(
    journal: &Journal,
    run: RunId,
    search: &RunSearch,
) -> Result<SearchResult, JournalError> {
    let found = match search {
        RunSearch::Becomes { condition, after } => {
            let first = run_search::became_true(journal, run, condition, *after, 1)?;
            first.into_iter().next().map(SearchResult::Becomes)
        }
        RunSearch::Wrote { value, until } => {
            run_search::last_write(journal, run, *value, *until)?.map(SearchResult::Wrote)
        }
    };
    Ok(found.unwrap_or(SearchResult::Nowhere))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::running;
    use pithead_core::domain::run::event::Event;
    use pithead_engine::journal::Durability;
    use pithead_world::clock::Millis;
    use pithead_world::ids::SubgoalId;

    #[test]
    fn an_attempt_that_cannot_be_read_is_tried_once_and_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pithead.db");
        let Event::RunStarted { config } = running().events[0].event.clone() else {
            panic!("a run begins with its settings")
        };
        let mut journal = Journal::open(&path, Durability::Normal).unwrap();
        let run = journal.create_run((*config).clone(), Millis(1)).unwrap();
        // Nothing was seen before it, and nothing ends it.
        let attempt = Event::AttemptStarted {
            attempt: AttemptId(1),
            subgoal: SubgoalId(1),
        };
        journal.append(run, Millis(2), vec![attempt]).unwrap();
        let mut reader = Reader {
            database: Some(path),
            journal: None,
            seen: None,
            index: Index::default(),
            cases: Vec::new(),
            told: Wants::default(),
            unreadable: None,
            relabel: None,
        };
        let wants = Wants {
            run: Some(run),
            attempt: Some(AttemptId(1)),
            ..Wants::default()
        };
        let look = |reader: &mut Reader| {
            let mut faults = 0;
            let mut count = |read: DebugReading| {
                faults += usize::from(matches!(read, DebugReading::Fault(_)));
                true
            };
            assert_eq!(reader.look(&wants, &mut count), Ok(true));
            faults
        };
        let told: Vec<usize> = (0..3).map(|_| look(&mut reader)).collect();
        assert_eq!(
            told,
            [1, 0, 0],
            "its world is not the embedded one of today"
        );
        // The list is read again when the database changes; the reason is told with it, from memory.
        journal.create_run(*config, Millis(1)).unwrap();
        assert_eq!(look(&mut reader), 1);
    }
}
