//! Checks: the 14 kinds of question that decide whether a subgoal is done.
//!
//! A check is three-valued; unknown never counts as done. Counts are items, heights are blocks,
//! times are ticks. (The paper names 13 kinds and shows one; the list is ours, and `built` is
//! the fourteenth.) How they are judged is in `judge`, what is near in `nearness`, their words in `words`.

mod judge;
mod nearness;
mod words;

pub use words::CHECK_KINDS;
pub(in crate::domain) use words::check_kind_names;

use pithead_world::action::Target;
use pithead_world::blueprint::BlueprintName;
use pithead_world::family::ItemSpec;
use pithead_world::observation::Gui;
use pithead_world::space::Pos;
use serde::{Deserialize, Serialize};

/// True, false, or not known.
/// The order of the variants is that of truth: `and` and `or` are minimum and maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Truth {
    False,
    Unknown,
    True,
}

// Kleene's three-valued logic: unknown stays unknown unless the other side decides.
impl Truth {
    #[must_use]
    pub fn from_bool(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }

    /// Kleene's conjunction: the least of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// Kleene's disjunction: the greatest of both.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }

    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
            Self::True => Self::False,
        }
    }

    #[must_use]
    pub fn is_true(self) -> bool {
        self == Self::True
    }
}

/// One question about the state.
/// Stored with plans and entries: names and fields never change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "check", rename_all = "snake_case")]
pub enum Check {
    /// At least `count` held.
    InvGe {
        item: ItemSpec,
        count: u32,
    },
    /// Fewer than `count` held.
    InvLt {
        item: ItemSpec,
        count: u32,
    },
    /// At least `count` more held than when the attempt began.
    InvDeltaGe {
        item: ItemSpec,
        count: u32,
    },
    /// At least `count` crafted or smelted since the attempt began.
    /// Crafted or smelted: picking up does not count.
    CraftedGe {
        item: ItemSpec,
        count: u32,
    },
    /// In the hand.
    Equipped {
        item: ItemSpec,
    },
    /// Within `range` blocks of a thing or a place.
    Near {
        place: Place,
        range: u32,
    },
    /// Feet at or below `y`.
    /// In whole blocks; y of the block that the feet are in.
    YposLe {
        y: i32,
    },
    /// Feet at or above `y`.
    YposGe {
        y: i32,
    },
    /// A window (of the kind, when one is named) is open.
    GuiOpen {
        gui: Option<Gui>,
    },
    GuiClosed,
    /// A furnace meter has reached `value`.
    FurnaceGe {
        meter: FurnaceMeter,
        value: u32,
    },
    /// At least `count` items in the open container.
    ContainerGe {
        count: u32,
    },
    /// Time of day within `from..=to` (may wrap midnight), or `elapsed` ticks since the attempt
    /// began; both when both are given.
    WorldTime {
        // Ticks of the day, 0 to 23,999; both ends included.
        window: Option<(u32, u32)>,
        elapsed: Option<u64>,
    },
    /// A building by the blueprint stands, block by block, as far as the body has seen.
    Built {
        blueprint: BlueprintName,
    },
}

/// What one can be near to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Thing(Target),
    At(Pos),
}

/// The meters of a furnace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FurnaceMeter {
    /// Ticks of fuel left.
    Burn,
    /// Ticks cooked of 200.
    Cook,
    /// Items in the output slot.
    Output,
}
