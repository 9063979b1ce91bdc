//! Oracle: a world of words in which every order succeeds at once if what it takes is there.
//!
//! After MC-TextWorld (DEPS, Table 3): no terrain, no search, no fights and no wear; every block that lies anywhere and
//! every mob is at hand, ores at their heights. What a system scores here bounds its plans, not its body.
//! Invariant: an order takes one tick, and the same orders give the same frames.

#[cfg(test)]
mod tests;
mod works;

use crate::action::{Action, ActionFailure, ActionReport};
use crate::block::BlockId;
use crate::blueprint::{BlueprintName, BuildSight};
use crate::counts::Counts;
use crate::ids::ActionId;
use crate::item::ItemId;
use crate::observation::{Frame, Gui};
use crate::port::{Notice, Request, World};
use crate::space::Point;
use crate::start::check_room;
use std::collections::{BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Where the body begins, above the level of the sea.
const START_Y: i32 = 64;
/// Lower than this there is a roof.
const ROOFED_BELOW: i32 = 60;
const DAY: u64 = 24_000;
/// Mid-morning, as in the embedded world.
const START_TIME: u64 = 1_000;

/// A body that has what it needs to know and to reach.
#[derive(Debug, Default)]
pub struct OracleWorld {
    tick: u64,
    state: Body,
    /// Not in the state, of which the checksum is.
    broken: u32,
    /// Orders that the next poll answers.
    orders: VecDeque<Request>,
}

/// All that an order can ask for or change.
#[derive(Debug, Clone, Hash)]
struct Body {
    x: i32,
    y: i32,
    z: i32,
    inventory: Counts,
    held: Option<ItemId>,
    /// Stations that were put down; the body stays beside them.
    placed: BTreeSet<BlockId>,
    crafted: Counts,
    /// What was built by a blueprint, and of how many blocks.
    builds: Vec<(BlueprintName, u32)>,
    /// Windows opened, each closed again.
    windows: u32,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            x: 0,
            y: START_Y,
            z: 0,
            inventory: Counts::default(),
            held: None,
            placed: BTreeSet::new(),
            crafted: Counts::default(),
            builds: Vec::new(),
            windows: 0,
        }
    }
}

/// What an order did.
#[derive(Debug, Default)]
struct Deed {
    broken: Vec<(BlockId, u32)>,
    used: Counts,
    windows: Vec<Gui>,
}

impl OracleWorld {
    /// A world that waits for its `Reset`.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn answer(&mut self, request: Request) -> Option<Notice> {
        match request {
            Request::Reset(spec) => {
                if let Err(error) = check_room(&spec.aids.given) {
                    let because = error.to_string();
                    return Some(Notice::Lost { because });
                }
                *self = Self {
                    orders: std::mem::take(&mut self.orders),
                    ..Self::default()
                };
                self.state.inventory = spec.aids.given;
                Some(Notice::Ready(self.frame()))
            }
            Request::Rejoin { .. } => Some(Notice::Lost {
                because: "a world of words is built again and not joined".to_owned(),
            }),
            Request::Act { id, action } => Some(self.act(id, &action)),
            // Whatever could be called off has ended already, and nothing is done unasked.
            Request::Cancel { .. } | Request::Keep(_) | Request::Say { .. } => None,
            Request::Observe => Some(Notice::Frame(self.frame())),
        }
    }

    fn act(&mut self, id: ActionId, action: &Action) -> Notice {
        let before = self.state.clone();
        let done = self.state.carry_out(action);
        let waited = match action {
            Action::Wait { ticks } => u64::from(*ticks),
            _ => 0,
        };
        let ticks = waited.max(1);
        self.tick += ticks;
        let (failure, deed) = match done {
            Ok(deed) => {
                self.broken += deed.broken.iter().map(|(_, count)| count).sum::<u32>();
                (None, deed)
            }
            Err(failure) => {
                // Nothing is half done.
                self.state = before.clone();
                (Some(failure), Deed::default())
            }
        };
        let mut gained = Counts::default();
        for (item, change) in self.state.inventory.delta(&before.inventory) {
            gained.add(item, u32::try_from(change).unwrap_or(0));
        }
        let report = ActionReport {
            failure,
            ticks,
            broken: deed.broken,
            gained,
            used: deed.used,
            windows: deed.windows,
        };
        Notice::Acted {
            id,
            report,
            frame: self.frame(),
        }
    }

    fn frame(&self) -> Box<Frame> {
        let Body {
            x,
            y,
            z,
            inventory,
            held,
            placed,
            crafted,
            builds,
            windows,
        } = &self.state;
        let mut sum = DefaultHasher::new();
        (self.tick, &self.state).hash(&mut sum);
        let at = crate::space::Pos::new(*x, *y, *z);
        let sight = |block: &BlockId| crate::observation::BlockSight { block: *block, at };
        let built = |(blueprint, of): &(BlueprintName, u32)| BuildSight {
            blueprint: blueprint.clone(),
            at,
            stands: *of,
            of: *of,
            filled: 0,
            lacks: Vec::new(),
        };
        Box::new(Frame {
            tick: self.tick,
            time: u32::try_from((START_TIME + self.tick) % DAY).unwrap_or(0),
            position: Point::new(f64::from(*x) + 0.5, f64::from(*y), f64::from(*z) + 0.5),
            underground: *y < ROOFED_BELOW,
            inventory: inventory.clone(),
            held: *held,
            gui_opened: *windows,
            gui_closed: *windows,
            crafted: crafted.clone(),
            broken: self.broken,
            notable: placed.iter().map(sight).collect(),
            builds: builds.iter().map(built).collect(),
            checksum: sum.finish().into(),
            ..Frame::standing()
        })
    }
}

impl World for OracleWorld {
    fn request(&mut self, request: Request) {
        self.orders.push_back(request);
    }

    fn poll(&mut self, ticks_max: u32) -> Vec<Notice> {
        if self.orders.is_empty() {
            self.tick += u64::from(ticks_max);
            return vec![Notice::Frame(self.frame())];
        }
        let mut notices = Vec::new();
        while let Some(order) = self.orders.pop_front() {
            notices.extend(self.answer(order));
        }
        notices
    }

    fn tick(&self) -> u64 {
        self.tick
    }
}

/// Said of what a world of words does not have.
fn unknown(action: &Action) -> ActionFailure {
    ActionFailure::Invalid {
        because: format!("the oracle controller does not know {}", action.name()),
    }
}
