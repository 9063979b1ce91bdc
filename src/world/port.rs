//! The World port: requests in, notices out, and time that passes only in `poll`.
//!
//! Two bodies implement it: the embedded voxel world and the bridge to a real server. The driver
//! owns the world; nothing else calls it. Invariant: same spec, same requests at the same ticks,
//! same notices, to the bit (embedded world).

use super::action::{Action, ActionReport};
use super::aids::WorldAids;
use super::counts::Counts;
use super::mob::MobKind;
use super::observation::Frame;
use crate::ids::ActionId;
use serde::{Deserialize, Serialize};

/// The embedded world's name in a `WorldSpec`.
pub const VOXEL: &str = "voxel";
/// The name of a Minecraft server in a `WorldSpec`.
pub const MINECRAFT: &str = "minecraft";
/// Ticks between two frames while an action runs: half a second, often enough to see a body stall.
pub const FRAME_TICKS: u32 = 10;

/// What world to make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorldSpec {
    /// `voxel` for the embedded world, `minecraft` for a server.
    pub kind: String,
    pub seed: u64,
    /// Ticks between two frames while an action runs.
    pub frame_ticks: u32,
    /// Left out where there are none, so that old and new specs read alike.
    #[serde(default, skip_serializing_if = "is_none")]
    pub aids: WorldAids,
    /// Where the world is, if it is a server's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerSpec>,
}

/// A server, and who plays there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerSpec {
    pub host: String,
    pub port: u16,
    /// The name of the body on the server.
    pub player: String,
    /// The version of the game, such as `1.16.5`; none: the server is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Where the body begins, if not where the server puts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<StartPlace>,
    /// How the body signs in.
    #[serde(default, skip_serializing_if = "Account::is_offline")]
    pub account: Account,
}

/// Who vouches for the body's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Account {
    /// Nobody: servers with `online-mode=false` take any name.
    #[default]
    Offline,
    /// The account that the operator has signed in with; its name is the body's.
    Microsoft,
}

impl Account {
    fn is_offline(&self) -> bool {
        *self == Self::Offline
    }
}

/// One of several places apart from each other, to which a body walks before its run begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartPlace {
    /// Its number among them.
    pub number: u64,
    /// Blocks between neighbours.
    pub spread: u32,
}

impl StartPlace {
    /// Blocks to the east and to the south of where the server puts the body: the places wind around it in squares.
    #[must_use]
    pub fn offset(self) -> [i64; 2] {
        let (mut x, mut z) = (0, 0);
        let (mut dx, mut dz) = (1, 0);
        let (mut side, mut walked, mut turns) = (1, 0, 0);
        for _ in 0..self.number.min(PLACES_MAX) {
            x += dx;
            z += dz;
            walked += 1;
            if walked == side {
                (dx, dz) = (-dz, dx);
                walked = 0;
                turns += 1;
                side += i64::from(turns % 2 == 0);
            }
        }
        let spread = i64::from(self.spread);
        [x * spread, z * spread]
    }
}

/// Bodies beyond it begin where others do.
const PLACES_MAX: u64 = 10_000;

impl std::fmt::Display for ServerSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
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
            server: None,
        }
    }

    /// The world of a server.
    #[must_use]
    pub fn on_server(server: ServerSpec, seed: u64, aids: WorldAids) -> Self {
        Self {
            kind: MINECRAFT.to_owned(),
            server: Some(server),
            ..Self::embedded(seed, aids)
        }
    }

    /// The world goes on by itself: it does not wait for the mind, and cannot be built again from what was recorded.
    #[must_use]
    pub fn goes_on_by_itself(&self) -> bool {
        self.kind == MINECRAFT
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
    /// Return to a world that went on by itself; answered by `Notice::Ready`. Ticks and counts go on from `last`, the
    /// frame that was seen last. A world that can be built again refuses.
    Rejoin { spec: WorldSpec, last: Box<Frame> },
    /// What the body leaves alone from now on, and how much of each, unless it starves: by itself it eats and throws
    /// away only what is over. Not answered.
    Keep(Counts),
    /// Start an action; answered by `Notice::Acted` some polls later. One body does one action:
    /// a second one cancels the first.
    Act { id: ActionId, action: Action },
    /// Call an action off; answered by its `Notice::Acted` unless it has ended already.
    Cancel { id: ActionId },
    /// Say a line in the chat of a server. Not answered; a world without other players ignores it.
    Say { text: String },
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
    /// The body did something by itself while nothing was ordered.
    Reacted(Reflex),
    /// The world is gone (server closed, process died); nothing more will come.
    Lost {
        because: String,
    },
}

/// Something that a body did by itself to keep safe, in a world that does not wait for its mind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reflex {
    pub what: ReflexKind,
    /// The living thing that it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<MobKind>,
    pub ticks: u64,
    /// False if it did not succeed.
    pub done: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReflexKind {
    Eat,
    StepBack,
    /// Came up for air.
    Surface,
    /// Dug in for the night.
    Shelter,
}

impl ReflexKind {
    const ALL: [Self; 4] = [Self::Eat, Self::StepBack, Self::Surface, Self::Shelter];

    /// Its stored name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Eat => "eat",
            Self::StepBack => "step_back",
            Self::Surface => "surface",
            Self::Shelter => "shelter",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl std::fmt::Display for Reflex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let did = match (self.what, self.done) {
            (ReflexKind::Eat, true) => "ate",
            (ReflexKind::Eat, false) => "tried to eat",
            (ReflexKind::StepBack, true) => "stepped back",
            (ReflexKind::StepBack, false) => "tried to step back",
            (ReflexKind::Surface, true) => "came up for air",
            (ReflexKind::Surface, false) => "tried to come up for air",
            (ReflexKind::Shelter, true) => "dug in for the night",
            (ReflexKind::Shelter, false) => "tried to dig in for the night",
        };
        f.write_str(did)?;
        match self.of {
            Some(mob) => write!(f, " from a {}", mob.name()),
            None => Ok(()),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn places_are_apart_and_the_first_is_where_the_server_puts_the_body() {
        let at = |number| StartPlace { number, spread: 30 }.offset();
        assert_eq!(at(0), [0, 0]);
        let places: BTreeSet<[i64; 2]> = (0..100).map(at).collect();
        assert_eq!(places.len(), 100, "none is taken twice");
        let farthest = places.iter().flatten().map(|n| n.abs()).max();
        assert_eq!(farthest, Some(150), "a square of ten by ten");
        for pair in (0..99).map(|n| (at(n), at(n + 1))) {
            let ([ax, az], [bx, bz]) = pair;
            assert_eq!((ax - bx).abs() + (az - bz).abs(), 30);
        }
    }
}
