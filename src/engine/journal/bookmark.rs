//! Bookmarks: places of runs that someone marked, kept in the knowledge log so that no run is changed by them.

use super::append::append;
use super::key::last_seq;
use super::{Journal, JournalError, KNOWLEDGE_LOG};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::clock::Millis;
use pithead_world::ids::{RunId, Seq};
use std::collections::BTreeMap;

/// A marked place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bookmark {
    pub seq: Seq,
    pub tick: u64,
    pub note: String,
    pub by: String,
    pub at: Millis,
}

/// Bookmarks of a run that are shown; older ones are still in the journal.
const SHOWN_MAX: usize = 1_000;
/// Events read in one go.
const PAGE: usize = 1_024;

impl Journal {
    /// Marks a place or takes a mark off; nothing else is written with it.
    pub fn mark(&mut self, at: Millis, event: Event) -> Result<(), JournalError> {
        self.write("keep a bookmark", |tx| {
            let last = last_seq(tx, KNOWLEDGE_LOG)?.unwrap_or(Seq(0));
            append(tx, KNOWLEDGE_LOG, last, at, vec![event]).map(drop)
        })
    }

    /// The bookmarks of a run, by place.
    pub fn bookmarks(&self, of: RunId) -> Result<Vec<Bookmark>, JournalError> {
        let mut found: BTreeMap<Seq, Bookmark> = BTreeMap::new();
        let mut last = Seq(0);
        loop {
            let kinds = ["bookmark.set", "bookmark.removed"];
            let page = self.events_of_kinds(KNOWLEDGE_LOG, last, &kinds, PAGE)?;
            let Some(end) = page.last() else {
                let surplus = found.len().saturating_sub(SHOWN_MAX);
                return Ok(found.into_values().skip(surplus).collect());
            };
            last = end.seq;
            page.into_iter()
                .for_each(|fact| apply_bookmark(&mut found, of, fact));
        }
    }
}

fn apply_bookmark(found: &mut BTreeMap<Seq, Bookmark>, of: RunId, fact: Recorded) {
    match fact.event {
        Event::BookmarkSet {
            run,
            seq,
            tick,
            note,
            by,
        } if run == of => {
            let at = fact.at;
            let bookmark = Bookmark {
                seq,
                tick,
                note,
                by,
                at,
            };
            found.insert(seq, bookmark);
        }
        Event::BookmarkRemoved { run, seq, .. } if run == of => {
            found.remove(&seq);
        }
        _ => (), // places of other runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::samples::config;

    #[test]
    fn bookmarks_are_kept_beside_the_run() {
        let mut journal = Journal::in_memory().unwrap();
        let run = journal.create_run(config(), Millis(1)).unwrap();
        let set = |run, seq, note: &str| Event::BookmarkSet {
            run,
            seq: Seq(seq),
            tick: seq * 20,
            note: note.to_owned(),
            by: "ann".to_owned(),
        };
        journal.mark(Millis(2), set(run, 9, "odd")).unwrap();
        journal.mark(Millis(3), set(run, 4, "first")).unwrap();
        journal.mark(Millis(4), set(run, 9, "not odd")).unwrap();
        journal.mark(Millis(5), set(RunId(7), 1, "other")).unwrap();
        let notes = |journal: &Journal| -> Vec<String> {
            let all = journal.bookmarks(run).unwrap();
            all.into_iter().map(|bookmark| bookmark.note).collect()
        };
        assert_eq!(notes(&journal), ["first", "not odd"]);
        let gone = Event::BookmarkRemoved {
            run,
            seq: Seq(4),
            by: "ann".to_owned(),
        };
        journal.mark(Millis(6), gone).unwrap();
        assert_eq!(notes(&journal), ["not odd"]);
        assert_eq!(
            journal.last_seq(run).unwrap(),
            Seq(1),
            "the run is as it was"
        );
    }
}
