//! The weather: how often processes die, the power goes, and calls fail, by the seed.

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
