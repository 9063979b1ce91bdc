//! Studies: what takes longer than a frame and is asked about one entry. Backtest, trial, effect.
//!
//! Each goes on in a thread of its own and what comes of it stands on the entry's page. Invariant: no
//! key waits for one, and leaving the console ends them all.

use crate::context::Context;
use crate::effect::Effect;
use crate::screens::knowledge::state::{Studies, Study, StudyKind};
use crate::screens::knowledge::study_result;
use crate::screens::knowledge::study_result::StudyResult;
use pithead_core::domain::knowledge::Entry;
use pithead_engine::eval::trial_page::play_console_trial;
use pithead_engine::journal::Journal;
use pithead_engine::runtime::effect::observe_effect;
use pithead_world::ids::KnowledgeId;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

/// Studies under way at a time.
const UNDER_WAY_MAX: usize = 4;

/// Asks for a study; says why it cannot be.
pub fn begin_study(
    context: &mut Context<'_>,
    entry: &Arc<Entry>,
    kind: StudyKind,
) -> Option<Effect> {
    let studies = &mut context.shell.knowledge.studies;
    let because = match studies.get(&(entry.id, kind)) {
        Some(Study::UnderWay { .. }) => format!("the {} is running", kind.name()),
        _ if !has_room(studies) => {
            format!("{UNDER_WAY_MAX} studies are running; wait for one")
        }
        _ => {
            studies.insert((entry.id, kind), Study::UnderWay { is_asked: true });
            let word = format!("the {} continues in the background", kind.name());
            context.shell.say(word);
            return Some(Effect::Study(Arc::clone(entry), kind));
        }
    };
    context.shell.refuse(because);
    None
}

/// One more can go on beside those under way.
#[must_use]
pub(crate) fn has_room(studies: &Studies) -> bool {
    let under_way = |study: &&Study| matches!(study, Study::UnderWay { .. });
    studies.values().filter(under_way).count() < UNDER_WAY_MAX
}

/// A study under way.
#[derive(Debug)]
pub(crate) struct Studying {
    pub(crate) id: KnowledgeId,
    /// Of the entry that is looked into.
    pub(crate) version: u32,
    pub(crate) kind: StudyKind,
    came: Receiver<Result<StudyResult, String>>,
    stop: Arc<AtomicBool>,
}

impl Studying {
    /// Begins in a thread of its own.
    pub(crate) fn begin(
        database: &Path,
        entry: &Arc<Entry>,
        kind: StudyKind,
    ) -> Result<Self, String> {
        let (out, came) = sync_channel(1);
        let stop = Arc::new(AtomicBool::new(false));
        let (database, entry_of, told) =
            (database.to_owned(), Arc::clone(entry), Arc::clone(&stop));
        let work = move || {
            let found = study(&database, &entry_of, kind, &told);
            // A console that has gone wants to know nothing.
            let _ = out.send(found);
        };
        let thread = std::thread::Builder::new().name(kind.name().to_owned());
        thread.spawn(work).map_err(|error| error.to_string())?;
        Ok(Self {
            id: entry.id,
            version: entry.version,
            kind,
            came,
            stop,
        })
    }

    /// What came of it, once it has.
    pub(crate) fn taken(&self) -> Option<Result<StudyResult, String>> {
        match self.came.try_recv() {
            Ok(found) => Some(found),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("it was interrupted".to_owned())),
        }
    }
}

impl Drop for Studying {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn study(
    database: &Path,
    entry: &Entry,
    kind: StudyKind,
    stop: &AtomicBool,
) -> Result<StudyResult, String> {
    let journal = || Journal::look(database).map_err(|error| error.to_string());
    match kind {
        StudyKind::Backtest => {
            study_result::backtest(&journal()?, entry).map_err(|error| error.to_string())
        }
        StudyKind::Edit => {
            study_result::change(&journal()?, entry).map_err(|error| error.to_string())
        }
        StudyKind::Effect => {
            let seen = observe_effect(&journal()?, entry).map_err(|error| error.to_string())?;
            Ok(StudyResult::Lines(seen.lines()))
        }
        StudyKind::Trial => {
            let page =
                play_console_trial(database, entry.id, stop).map_err(|error| error.to_string())?;
            let lines = page.text().trim().lines().map(str::to_owned).collect();
            Ok(StudyResult::Lines(lines))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::run::event::Event;
    use pithead_core::domain::samples;
    use pithead_engine::journal::Durability;
    use pithead_world::clock::Millis;

    fn wait(studying: &Studying) -> Result<StudyResult, String> {
        loop {
            if let Some(found) = studying.taken() {
                return found;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_study_reports_by_itself_and_stops_when_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pithead.db");
        let mut journal = Journal::open(&path, Durability::Full).unwrap();
        let mut entry = samples::entry(0, 1, "stone");
        // A trial plays the task in which the entry was learnt: forty runs, longer than the test lasts.
        entry.provenance.task = "obtain iron_pickaxe".to_owned();
        let entry = Arc::new(entry);
        let proposed = Event::KnowledgeProposed {
            entry: Box::new((*entry).clone()),
        };
        let made = journal.curate(Millis(1), |_| Ok(vec![proposed.clone()]));
        made.unwrap().unwrap();
        let begin = |kind| Studying::begin(&path, &entry, kind).unwrap();
        let found = wait(&begin(StudyKind::Backtest)).unwrap();
        assert_eq!(
            found,
            StudyResult::Backtest(study_result::BacktestFound::default())
        );
        let StudyResult::Lines(lines) = wait(&begin(StudyKind::Effect)).unwrap() else {
            panic!("an effect is told in lines")
        };
        assert!(lines[0].starts_with("observed, not a trial"), "{lines:?}");
        let under_way = begin(StudyKind::Trial);
        assert_eq!(under_way.taken(), None);
        let stop = Arc::clone(&under_way.stop);
        drop(under_way);
        assert!(stop.load(Ordering::Relaxed));
    }
}
