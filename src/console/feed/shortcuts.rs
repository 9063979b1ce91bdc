//! Shortcuts: stored views of a run, from which a far place is reached without folding all before it.
//!
//! They are looked for and kept in threads of their own, while the feed folds: whoever finds none loses
//! nothing. Invariant: no key waits for them.

use crate::view::View;
use crate::view::stored::{FOLD, pack, unpack};
use pithead_engine::journal::{Snapshot, SnapshotBound};
use pithead_engine::runtime::Recording;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::JoinHandle;

/// Events between two views that are kept of a run; doubled until there are few enough.
/// Reading these takes a tenth of a second.
const GRID_MIN: u64 = 1 << 14;
/// A run has about as many at most.
const VIEWS_MAX: u64 = 16;
/// The end is kept too if reading up to it takes longer than this many events do.
const TAIL_MIN: u64 = 1 << 12;
/// Views that wait to be written.
const WAITING_MAX: usize = 2;

/// The stored views of one run.
#[derive(Debug)]
pub(super) struct Shortcuts {
    len: u64,
    grid: u64,
    wanted: Option<Receiver<Option<Box<View>>>>,
    /// None until there is something to keep, or if no thread can be had.
    keeper: Option<Keeper>,
}

impl Shortcuts {
    pub(super) fn new(len: u64) -> Self {
        let views = len / GRID_MIN / VIEWS_MAX;
        let grid = GRID_MIN * views.next_power_of_two();
        Self {
            len,
            grid,
            wanted: None,
            keeper: None,
        }
    }

    /// Looks for the last view on the way; what was looked for before is not wanted any more.
    pub(super) fn look_for(&mut self, recording: &Recording, bound: SnapshotBound) {
        self.wanted = None;
        if self.len < self.grid {
            return;
        }
        let Ok(own) = recording.again() else { return };
        let (sender, found) = sync_channel(1);
        let look = move || {
            // Nobody may want it any more.
            let _ = sender.send(last_view(&own, bound).map(Box::new));
        };
        let thread = std::thread::Builder::new().name("pithead-shortcut".to_owned());
        self.wanted = thread.spawn(look).ok().map(|_| found);
    }

    /// The place is reached, or another one is wanted.
    pub(super) fn forget(&mut self) {
        self.wanted = None;
    }

    /// The view that was found, once.
    pub(super) fn taken(&mut self) -> Option<View> {
        let came = self.wanted.as_ref()?.try_recv();
        if came != Err(TryRecvError::Empty) {
            self.wanted = None;
        }
        came.ok().flatten().map(|view| *view)
    }

    /// Keeps the view if it is one of those that are kept. If the thread is behind, it is left out.
    pub(super) fn offer(&mut self, view: &View, recording: &Recording) {
        let at = view.seq.0;
        let is_end = at == self.len && at % self.grid >= TAIL_MIN;
        if at < GRID_MIN || !(at.is_multiple_of(self.grid) || is_end) {
            return;
        }
        if self.keeper.is_none() {
            self.keeper = keeper(recording);
        }
        if let Some(keeper) = &self.keeper {
            let _ = keeper.views.try_send(view.clone());
        }
    }
}

#[cfg(test)]
impl Shortcuts {
    /// Waits until the thread that looks has found something or nothing.
    pub(super) fn wait(&mut self) {
        let Some(wanted) = self.wanted.take() else {
            return;
        };
        let (sender, found) = sync_channel(1);
        sender.send(wanted.recv().unwrap()).unwrap();
        self.wanted = Some(found);
    }

    /// Waits until all that was offered is kept.
    pub(super) fn finish(self) {
        if let Some(Keeper { views, thread }) = self.keeper {
            drop(views);
            thread.join().unwrap();
        }
    }
}

fn last_view(recording: &Recording, bound: SnapshotBound) -> Option<View> {
    let found = recording
        .last_snapshot(FOLD, bound)
        .unwrap_or_else(|error| {
            tracing::warn!("all events are folded: {error}");
            None
        })?;
    // What is in sight would contradict what is folded next.
    unpack(&found.body).filter(|view| view.seq == found.seq)
}

/// The thread that writes views, until nobody has any more. Nobody waits for it when the console closes: a view
/// that is not kept is folded again.
#[derive(Debug)]
struct Keeper {
    views: SyncSender<View>,
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests wait for it"))]
    thread: JoinHandle<()>,
}

fn keeper(recording: &Recording) -> Option<Keeper> {
    let own = recording.again().ok()?;
    let (views, waiting) = sync_channel::<View>(WAITING_MAX);
    let keep = move || {
        for view in waiting {
            if let Err(error) = keep_view(&own, &view) {
                tracing::warn!("a view is not kept: {error}");
            }
        }
    };
    let thread = std::thread::Builder::new().name("pithead-keeper".to_owned());
    let thread = thread.spawn(keep).ok()?;
    Some(Keeper { views, thread })
}

fn keep_view(
    recording: &Recording,
    view: &View,
) -> Result<(), pithead_engine::journal::JournalError> {
    if recording.has_snapshot(FOLD, view.seq)? {
        return Ok(());
    }
    let Some(body) = pack(view) else {
        tracing::warn!(
            "the view at event {} would not come back as it is",
            view.seq
        );
        return Ok(());
    };
    let (seq, tick) = (view.seq, view.tick);
    recording.keep_snapshot(FOLD, &Snapshot { seq, tick, body })
}
