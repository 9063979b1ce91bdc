//! A run that another process drives, as a feed: it is caught up with from a stored view if there is one.
//!
//! Invariant: the view is the fold of all events up to the last one that was handed out.

use crate::feed::player::Came;
use crate::feed::shortcuts::Shortcuts;
use crate::view::View;
use pithead_engine::journal::{JournalError, SnapshotBound};
use pithead_engine::runtime::Recording;
use pithead_engine::runtime::attach::Attached;
use pithead_world::ids::Seq;
use std::ops::{Deref, DerefMut};

/// The run, and what was stored of it.
#[derive(Debug)]
pub struct FollowedRun {
    attached: Attached,
    /// None if the run is short, or its database cannot be opened once more.
    stored: Option<(Recording, Shortcuts)>,
}

impl FollowedRun {
    pub(crate) fn new(attached: Attached) -> Self {
        let recording = attached.recording().ok();
        let stored = recording.map(|recording| {
            let len = recording.len();
            let mut shortcuts = Shortcuts::new(len);
            shortcuts.look_for(&recording, SnapshotBound::Event(Seq(len)));
            (recording, shortcuts)
        });
        Self { attached, stored }
    }

    /// Folds at most `max` events that have come.
    pub(crate) fn fold(&mut self, view: &mut View, max: usize) -> Result<Came, JournalError> {
        let stored = self.stored.as_mut().and_then(|(_, stored)| stored.taken());
        let is_ahead = |stored: &View| stored.seq > view.seq;
        if let Some(stored) = stored.filter(is_ahead) {
            self.attached.skip_to(stored.seq);
            *view = stored;
        }
        let events = self.attached.drain(max)?;
        for event in &events {
            view.apply(event);
            if let Some((recording, shortcuts)) = &mut self.stored {
                shortcuts.offer(view, recording);
            }
        }
        Ok(Came {
            events: events.len(),
            more: events.len() >= max,
        })
    }
}

impl Deref for FollowedRun {
    type Target = Attached;

    fn deref(&self) -> &Attached {
        &self.attached
    }
}

impl DerefMut for FollowedRun {
    fn deref_mut(&mut self) -> &mut Attached {
        &mut self.attached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::recorded::long_recording;

    #[test]
    fn a_run_is_caught_up_with_from_what_another_console_has_folded() {
        let folder = tempfile::tempdir().unwrap();
        let (recording, _journal) = long_recording(folder.path(), 22_000);
        let run = recording.row().id;
        let catch_up = || {
            let journal = recording.journal().reader().unwrap();
            let mut followed = FollowedRun::new(Attached::open(journal, run, "ada").unwrap());
            if let Some((_, stored)) = &mut followed.stored {
                stored.wait();
            }
            let (mut view, mut folded) = (View::default(), 0);
            loop {
                let came = followed.fold(&mut view, 1000).unwrap();
                folded += came.events as u64;
                if !came.more {
                    break;
                }
            }
            followed.stored.unwrap().1.finish();
            (view, folded)
        };
        let (all, folded) = catch_up();
        assert_eq!((all.seq.0, folded), (recording.len(), recording.len()));
        let (view, folded) = catch_up();
        assert_eq!(folded, 0);
        assert!(view == all);
    }
}
