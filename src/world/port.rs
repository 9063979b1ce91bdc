//! The World port: requests in, notices out, and time that passes only in `poll`.
//!
//! Two bodies implement it: the embedded voxel world and the bridge to a real server. The driver
//! owns the world; nothing else calls it. Invariant: same spec, same requests at the same ticks,
//! same notices, to the bit (embedded world).

use super::action::{Action, ActionReport};
use super::aids::WorldAids;
use super::observation::Frame;
use crate::ids::ActionId;
use serde::{Deserialize, Serialize};

/// The embedded world's name in a `WorldSpec`.
pub const VOXEL: &str = "voxel";
/// Ticks between two frames while an action runs: half a second, often enough to see a body stall.
pub const FRAME_TICKS: u32 = 10;

/// What world to make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorldSpec {
    /// `voxel` for the embedded world.
    pub kind: String,
    pub seed: u64,
    /// Ticks between two frames while an action runs.
    pub frame_ticks: u32,
    /// Left out where there are none, so that old and new specs read alike.
    #[serde(default, skip_serializing_if = "is_none")]
    pub aids: WorldAids,
}

impl WorldSpec {
    /// The embedded world of a seed, with frames at the usual pace.
    #[must_use]
    pub fn embedded(seed: u64, aids: WorldAids) -> Self {
        Self {
            kind: VOXEL.to_owned(),
            seed,
            frame_ticks: FRAME_TICKS,
            aids,
        }
    }
}

fn is_none(aids: &WorldAids) -> bool {
    *aids == WorldAids::default()
}

/// What a body sees: red, green, blue, `width` to a row, rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub rgb: Vec<[u8; 3]>,
}

impl Pixels {
    /// The pixel in column `x` of row `y`; black outside.
    #[must_use]
    pub fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let inside = x < self.width && y < self.height;
        let index = inside.then(|| y as usize * self.width as usize + x as usize);
        let pixel = index.and_then(|index| self.rgb.get(index));
        pixel.copied().unwrap_or_default()
    }
}

/// An order to the world.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Make the world anew; answered by `Notice::Ready`.
    Reset(WorldSpec),
    /// Start an action; answered by `Notice::Acted` some polls later. One body does one action:
    /// a second one cancels the first.
    Act { id: ActionId, action: Action },
    /// Call an action off; answered by its `Notice::Acted` unless it has ended already.
    Cancel { id: ActionId },
    /// Ask for a frame at this tick.
    Observe,
}

/// Something that happened in the world.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    Ready(Box<Frame>),
    Frame(Box<Frame>),
    Acted {
        id: ActionId,
        report: ActionReport,
        frame: Box<Frame>,
    },
    /// The world is gone (server closed, process died); nothing more will come.
    Lost {
        because: String,
    },
}

/// A body in a world.
/// The driver's thread owns it; `Send`, because it is made elsewhere.
pub trait World: Send {
    /// Queues an order; it takes effect at the present tick.
    fn request(&mut self, request: Request);

    /// Lets time pass until something is worth a notice, at most `ticks_max` ticks, and returns
    /// what happened, in order. Without an action under way one call passes `ticks_max` ticks and
    /// ends with a frame.
    /// The bound lets an operator's command come in between.
    fn poll(&mut self, ticks_max: u32) -> Vec<Notice>;

    /// Ticks since the reset.
    fn tick(&self) -> u64;

    /// What the body sees now as a PNG, for minds that take pictures; none in worlds without any.
    fn picture(&self) -> Option<Vec<u8>> {
        None
    }

    /// What the body sees now, in so many pixels, for people who watch; none in worlds without any.
    fn view(&self, _width: u32, _height: u32) -> Option<Pixels> {
        None
    }
}
