//! Where an event lies in the table: run × 2³² + seq.

use pithead_world::ids::{RunId, Seq};

/// The most events that a run's keys have room for; at one per tick, seven years of world time.
pub(super) const SEQ_MAX: Seq = Seq(u32::MAX as u64);

/// Where an event lies in the table.
pub(super) fn key(run: RunId, seq: Seq) -> u64 {
    (run.0 << 32) | seq.0.min(SEQ_MAX.0)
}
