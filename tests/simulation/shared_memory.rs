//! The memory that connections to one database share: the index of its write-ahead log.

use crate::locks::SlotLocks;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Regions are of this size in SQLite.
pub(crate) const REGION_BYTES: usize = 32 * 1024;

/// Regions that never move, since SQLite keeps pointers to them.
#[derive(Debug, Default)]
pub(crate) struct SharedMemory {
    regions: Mutex<Vec<Box<[AtomicU64]>>>,
    locks: Mutex<SlotLocks>,
}

impl SharedMemory {
    pub(crate) fn locks(&self) -> MutexGuard<'_, SlotLocks> {
        self.locks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn regions(&self) -> MutexGuard<'_, Vec<Box<[AtomicU64]>>> {
        self.regions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where a region lies; it is made if `make`, and none if it is not there.
    pub(crate) fn region(&self, number: usize, make: bool) -> Option<*mut AtomicU64> {
        let mut regions = self.regions();
        while make && regions.len() <= number {
            let words = REGION_BYTES / size_of::<AtomicU64>();
            regions.push((0..words).map(|_| AtomicU64::new(0)).collect());
        }
        regions.get(number).map(|region| region.as_ptr().cast_mut())
    }

    pub(crate) fn contents(&self) -> Vec<Vec<u64>> {
        let read = |region: &[AtomicU64]| {
            let words = region.iter().map(|word| word.load(Ordering::SeqCst));
            words.collect()
        };
        let regions = self.regions();
        regions.iter().map(|region| read(region)).collect()
    }

    pub(crate) fn restore(&self, contents: &[Vec<u64>]) {
        for (region, words) in self.regions().iter().zip(contents) {
            for (word, before) in region.iter().zip(words) {
                word.store(*before, Ordering::SeqCst);
            }
        }
    }
}
