//! The line of the body's rod as a value: whether a bobber is out, and what it is doing.
//!
//! `angling` moves it. Invariant: the whole state stands in the checksum.

use crate::rng::{Rng, Streams};
use crate::space::Point;

/// What the bobber is doing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Float {
    Flying {
        velocity: Point,
    },
    /// It hit something solid and catches nothing.
    Aground,
    Waiting {
        ticks: u32,
    },
    Nibbled {
        ticks: u32,
    },
    /// Now is the time to reel in.
    Bitten {
        ticks: u32,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bobber {
    pub at: Point,
    pub float: Float,
}

/// The line of the body's rod.
#[derive(Debug, Clone)]
pub struct FishingLine {
    pub bobber: Option<Bobber>,
    /// When fish come and which.
    pub(in crate::voxel) chance: Rng,
}

impl FishingLine {
    #[must_use]
    pub(in crate::voxel) fn new(seed: u64) -> Self {
        Self {
            bobber: None,
            chance: Streams(seed).get("fishing"),
        }
    }

    /// Stands for the line in the checksum.
    pub(in crate::voxel) fn state(&self) -> (u64, Option<(Point, u64)>) {
        // The kind in the lowest three bits, the ticks above; flight is known by the place.
        let float = |float: Float| match float {
            Float::Flying { .. } => 1,
            Float::Aground => 2,
            Float::Waiting { ticks } => u64::from(ticks) << 3 | 3,
            Float::Nibbled { ticks } => u64::from(ticks) << 3 | 4,
            Float::Bitten { ticks } => u64::from(ticks) << 3 | 5,
        };
        let bobber = self.bobber.map(|bobber| (bobber.at, float(bobber.float)));
        (self.chance.state(), bobber)
    }
}
