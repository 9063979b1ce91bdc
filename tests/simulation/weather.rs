//! The weather: how often processes die, the power goes, and calls fail, by the seed.

use crate::machine::{Inner, ProcessId, is_quiet};
use pithead_world::rng::Streams;

/// How often something happens, in 2²⁰ calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Weather {
    /// Another process goes on.
    pub(crate) switch: u64,
    /// The calling process is killed.
    pub(crate) kill: u64,
    pub(crate) power_loss: u64,
    /// A read, write, sync or mapping fails.
    pub(crate) io_error: u64,
    /// The disk is full for a while.
    pub(crate) full: u64,
}

impl Weather {
    /// The weather of a seed: some disks never fail, some machines never lose power.
    pub(crate) fn of_seed(seed: u64) -> Self {
        let mut rng = Streams(seed).get("weather");
        let mut some = |often: u64| [0, often, often, 3 * often][rng.below(4) as usize];
        Self {
            switch: 1 << 16,
            kill: some(120),
            power_loss: some(50),
            io_error: some(120),
            full: some(40),
        }
    }
}

/// How many reads fail where that is planted.
const READS_FAILED: f64 = 0.2;

/// What a process asks of the file system, as far as chance is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    Open,
    Close,
    Delete,
    Access,
    Read,
    Write,
    Truncate,
    Sync,
    Size,
    Lock,
    Unlock,
    Map,
    SlotLock,
    SlotUnlock,
    Barrier,
}

impl Call {
    /// How much more can happen here than at a call that only looks.
    pub(crate) fn weight(self) -> u64 {
        match self {
            Self::Write | Self::Sync | Self::Truncate | Self::Delete | Self::Barrier => 8,
            Self::SlotLock | Self::SlotUnlock | Self::Map | Self::Lock | Self::Unlock => 3,
            Self::Open | Self::Close | Self::Access | Self::Read | Self::Size => 1,
        }
    }
}

impl Inner {
    /// True if this call is to fail.
    pub(crate) fn is_faulty(&mut self, process: ProcessId) -> bool {
        let faulty = !is_quiet() && self.rng.below(1 << 20) < self.weather.io_error;
        if faulty {
            self.count_fault(process);
        }
        faulty
    }

    /// True if this read is to fail.
    pub(crate) fn is_unreadable(&mut self, process: ProcessId) -> bool {
        let planted = self.processes[process].reads_fail
            && self.is_writing(process)
            && self.rng.chance(READS_FAILED);
        if planted {
            self.count_fault(process);
        }
        planted || self.is_faulty(process)
    }

    fn is_writing(&self, process: ProcessId) -> bool {
        let writers = self
            .shared
            .values()
            .filter_map(|memory| memory.locks().writer());
        let mut writers = writers.filter_map(|handle| self.handles.get(&handle));
        writers.any(|handle| handle.process == process)
    }

    pub(crate) fn is_full(&mut self, process: ProcessId) -> bool {
        let full = !is_quiet() && self.counts.calls < self.full_until;
        if full {
            self.count_fault(process);
        }
        full
    }

    fn count_fault(&mut self, process: ProcessId) {
        self.counts.faults += 1;
        self.processes[process].faults += 1;
    }
}
