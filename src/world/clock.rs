//! Time as values: wall clock in milliseconds, world time in ticks.
//!
//! `Clock` is the only place that reads the machine's clock. Everything that decides gets `now`
//! as an argument, so a recorded run can be folded again to the identical state.

use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// World ticks in one second of real time.
pub const TICKS_PER_SECOND: u64 = 20;
/// World ticks in one Minecraft day.
/// Twenty minutes.
pub const TICKS_PER_DAY: u64 = 24_000;
/// Ticks of the day at which monsters come out under the sky.
pub const NIGHT: std::ops::Range<u64> = 13_000..23_000;

/// Ticks from a time of day to the next night; 0 at night.
#[must_use]
pub fn ticks_to_night(time: u32) -> u64 {
    match u64::from(time) % TICKS_PER_DAY {
        now if NIGHT.contains(&now) => 0,
        now if now < NIGHT.start => NIGHT.start - now,
        now => TICKS_PER_DAY - now + NIGHT.start,
    }
}

/// Milliseconds since the Unix epoch.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    /// Time passed since `earlier`; zero if the clock was set back in between.
    #[must_use]
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// This moment plus `ms` milliseconds.
    #[must_use]
    pub fn plus(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }
}

/// A source of wall-clock time.
#[derive(Debug, Clone)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that tests move by hand; the handle is shared with the test.
    /// Shared with the test that moves it.
    Manual(Arc<AtomicU64>),
}

impl Clock {
    /// A clock that stands at `ms` until it is moved.
    #[must_use]
    pub fn manual(ms: u64) -> Self {
        Self::Manual(Arc::new(AtomicU64::new(ms)))
    }

    /// The present moment.
    #[must_use]
    pub fn now(&self) -> Millis {
        match self {
            Self::System => {
                #[allow(clippy::disallowed_methods)] // the one place where time enters
                let now = std::time::SystemTime::now();
                let since = now.duration_since(std::time::UNIX_EPOCH);
                // A clock before 1970 reads as 0.
                Millis(since.map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX)))
            }
            Self::Manual(ms) => Millis(ms.load(Ordering::SeqCst)),
        }
    }

    /// Moves a manual clock forward; the machine's clock does not listen.
    pub fn advance(&self, by_ms: u64) {
        if let Self::Manual(ms) = self {
            ms.fetch_add(by_ms, Ordering::SeqCst);
        }
    }
}
