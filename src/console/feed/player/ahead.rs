//! Ahead: pages of a recording that are read by several threads while it is folded towards a far place.
//!
//! Reading an event takes ten times as long as folding it. Each thread has a connection of its own and
//! every so-many-th page; they are taken in turn. Invariant: pages come in order, and a bounded number waits.

use pithead_core::domain::run::event::Recorded;
use pithead_engine::journal::JournalError;
use pithead_engine::runtime::Recording;
use pithead_world::ids::Seq;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Events of one page.
pub(crate) const PAGE: usize = 256;
/// More threads than this would wait for the disk and for each other.
const LANES_MAX: usize = 4;
/// Pages that a thread has ready at most.
const READY_MAX: usize = 4;

type Page = Result<Vec<Recorded>, JournalError>;

/// The threads, which end when this is dropped.
#[derive(Debug)]
pub(crate) struct Ahead {
    lanes: Vec<Receiver<Page>>,
    next: usize,
}

impl Ahead {
    /// Reads from after `after` up to event `to`; none if no thread can be had.
    pub(crate) fn start(recording: &Recording, after: u64, to: u64) -> Option<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let count = cores.min(LANES_MAX);
        let lane = |lane: usize| -> Option<Receiver<Page>> {
            let own = recording.again().ok()?;
            let (sender, pages) = sync_channel(READY_MAX);
            let first = after + (lane * PAGE) as u64;
            let read = move || read(&own, (first, to), (count * PAGE) as u64, &sender);
            let thread = std::thread::Builder::new().name("pithead-ahead".to_owned());
            thread.spawn(read).ok().map(|_| pages)
        };
        let lanes = (0..count).map(lane).collect::<Option<Vec<_>>>()?;
        Some(Self { lanes, next: 0 })
    }

    /// The next page; an empty one at the end.
    pub(crate) fn page(&mut self) -> Page {
        let lane = &self.lanes[self.next];
        self.next = (self.next + 1) % self.lanes.len();
        // A thread that is through has closed its end.
        lane.recv().unwrap_or_else(|_| Ok(Vec::new()))
    }
}

/// Reads every so-many-th page until the end, a fault, or nobody wants them any more.
fn read(recording: &Recording, (first, to): (u64, u64), stride: u64, pages: &SyncSender<Page>) {
    let mut after = first;
    while after < to {
        let page = recording.page(Seq(after), PAGE);
        let is_fault = page.is_err();
        if pages.send(page).is_err() || is_fault {
            return;
        }
        after += stride;
    }
}
