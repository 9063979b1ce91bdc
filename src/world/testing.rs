//! Scenes: what the tests of the worlds share, from flat land with things in the pockets to an order played to its end.
//!
//! Invariant: everything goes through the World port; only the setting of a scene reaches behind it.

use super::voxel::grid::Grid;
use super::voxel::sim::Simulation;
use super::voxel::world::VoxelWorld;
use crate::action::{Action, ActionFailure, ActionReport, Target};
use crate::block::{self as blocks, BlockId};
use crate::blueprint::Blueprint;
use crate::family::ItemSpec;
use crate::ids::ActionId;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::observation::Frame;
use crate::port::{Notice, Request, World};
use crate::space::Pos;

/// The height of the flat land.
pub(crate) const TOP: i32 = 40;
/// Where the body stands on it.
pub(crate) const HERE: Pos = Pos::new(8, TOP + 1, 8);
/// Polls after which an order is taken for endless: a million ticks.
const POLLS_MAX: u32 = 10_000;

pub(crate) fn item(name: &str) -> ItemId {
    name.parse().unwrap()
}

pub(crate) fn spec(name: &str) -> ItemSpec {
    name.parse().unwrap()
}

pub(crate) fn block(name: &str) -> BlockId {
    name.parse().unwrap()
}

pub(crate) fn some(name: &str, count: u32) -> Stack {
    Stack::new(item(name), count)
}

pub(crate) fn worn(name: &str, damage: u32) -> Stack {
    Stack {
        damage,
        ..some(name, 1)
    }
}

pub(crate) fn held(frame: &Frame, name: &str) -> u32 {
    frame.inventory.count(spec(name))
}

/// Flat land with these blocks, given from where the body stands, and these things in the pockets.
pub(crate) fn land(built: &[(i32, i32, i32, &str)], carried: &[Stack]) -> Simulation {
    let mut sim = Simulation::with_grid(Grid::flat(TOP), HERE.floor());
    for (x, y, z, name) in built {
        sim.grid_mut().set(HERE.plus(*x, *y, *z), block(name));
    }
    for stack in carried {
        assert_eq!(sim.body_mut().slots.add(*stack), None);
    }
    sim
}

/// A scene under construction.
pub(crate) struct Scene {
    pub(crate) sim: Simulation,
}

impl Scene {
    pub(crate) fn new(carried: &[(&str, u32)]) -> Self {
        let mut sim = land(&[], &[]);
        for (name, count) in carried {
            assert_eq!(sim.give(item(name), *count), 0);
        }
        Self { sim }
    }

    pub(crate) fn with(mut self, x: i32, y: i32, z: i32, block: BlockId) -> Self {
        self.sim.grid_mut().set(HERE.plus(x, y, z), block);
        self
    }

    /// A square of water two deep, let into the ground.
    pub(crate) fn pond(mut self, x: i32, z: i32, side: i32) -> Self {
        for dx in 0..side {
            for dz in 0..side {
                for y in [-1, -2] {
                    let at = HERE.plus(x + dx, y, z + dz);
                    self.sim.grid_mut().set(at, blocks::WATER);
                }
            }
        }
        self
    }

    pub(crate) fn mob(mut self, kind: MobKind, x: i32, z: i32) -> Self {
        self.sim.mobs_mut().add(kind, HERE.plus(x, 0, z).floor());
        self
    }

    pub(crate) fn world(self) -> VoxelWorld {
        VoxelWorld::from_simulation(self.sim, 20)
    }

    #[track_caller]
    pub(crate) fn plays(self, action: Action) -> (ActionReport, Frame) {
        play(&mut self.world(), action)
    }

    /// Plays and expects that so many of the item are held in the end.
    #[track_caller]
    pub(crate) fn yields(self, action: Action, item: &str, count: u32) -> ActionReport {
        let (report, frame) = self.plays(action);
        assert_eq!(report.failure, None, "after {} ticks", report.ticks);
        assert_eq!(held(&frame, item), count, "{item}");
        report
    }

    #[track_caller]
    pub(crate) fn fails(self, action: Action, failure: &ActionFailure) {
        assert_eq!(self.plays(action).0.failure.as_ref(), Some(failure));
    }
}

/// Plays one action to its end.
#[track_caller]
pub(crate) fn play(world: &mut dyn World, action: Action) -> (ActionReport, Frame) {
    let id = ActionId(1);
    world.request(Request::Act { id, action });
    end(world, id)
}

/// Waits for the end of an action; nothing else may be reported meanwhile.
#[track_caller]
pub(crate) fn end(world: &mut dyn World, expected: ActionId) -> (ActionReport, Frame) {
    for _ in 0..POLLS_MAX {
        for notice in world.poll(100) {
            match notice {
                Notice::Acted { id, report, frame } => {
                    assert_eq!(id, expected, "only the agent's own actions are reported");
                    return (report, *frame);
                }
                Notice::Lost { because } => panic!("{because}"),
                Notice::Ready(_) | Notice::Frame(_) | Notice::Reacted(_) => (),
            }
        }
    }
    panic!("the action does not end");
}

/// Plays an action for at most so many ticks: what was seen meanwhile, and how it ended, if it did.
pub(crate) fn watch(
    world: &mut VoxelWorld,
    action: Action,
    ticks: u64,
) -> (Vec<Frame>, Option<ActionReport>) {
    let (id, end) = (ActionId(1), world.tick() + ticks);
    world.request(Request::Act { id, action });
    let mut frames = Vec::new();
    while world.tick() < end {
        for notice in world.poll(20) {
            match notice {
                Notice::Frame(frame) => frames.push(*frame),
                Notice::Acted { report, frame, .. } => {
                    frames.push(*frame);
                    return (frames, Some(report));
                }
                _ => {}
            }
        }
    }
    (frames, None)
}

/// One order is given while another is carried out: how both end.
pub(crate) fn interrupted(
    world: &mut dyn World,
    first: Action,
    ticks: u32,
) -> Vec<(u64, Option<ActionFailure>)> {
    let act = |id, action| Request::Act {
        id: ActionId(id),
        action,
    };
    world.request(act(1, first));
    world.poll(ticks);
    world.request(act(2, Action::Wait { ticks: 5 }));
    let notices: Vec<Notice> = (0..9).flat_map(|_| world.poll(3)).collect();
    let acted = notices.iter().filter_map(|notice| match notice {
        Notice::Acted { id, report, .. } => Some((id.0, report.failure.clone())),
        _ => None,
    });
    acted.collect()
}

/// The order to kill one.
pub(crate) fn kill(mob: MobKind) -> Action {
    Action::Attack {
        mob,
        gain: None,
        count: 1,
        also: Vec::new(),
    }
}

pub(crate) fn mine(name: &str, count: u32) -> Action {
    let item = spec(name);
    Action::Mine { item, count }
}

pub(crate) fn craft(name: &str, count: u32) -> Action {
    Action::craft(spec(name), count)
}

pub(crate) fn smelt(name: &str, count: u32) -> Action {
    Action::smelt(spec(name), count, None)
}

pub(crate) fn grow(name: &str, count: u32) -> Action {
    let item = spec(name);
    Action::Grow { item, count }
}

pub(crate) fn take(name: &str, count: u32) -> Action {
    let item = spec(name);
    Action::Take { item, count }
}

pub(crate) fn trade(name: &str, count: u32) -> Action {
    let item = spec(name);
    Action::Trade { item, count }
}

pub(crate) fn fish(name: &str, count: u32) -> Action {
    let item = spec(name);
    Action::Fish { item, count }
}

pub(crate) fn enchant(name: &str) -> Action {
    Action::Enchant { item: spec(name) }
}

pub(crate) fn repair(name: &str) -> Action {
    Action::Repair { item: spec(name) }
}

/// Empty names: the bare hand, and nothing to be gained.
pub(crate) fn use_on(item: &str, on: Target, gain: &str, count: u32) -> Action {
    Action::Use {
        item: (!item.is_empty()).then(|| spec(item)),
        on,
        gain: (!gain.is_empty()).then(|| spec(gain)),
        count,
    }
}

pub(crate) fn on_block(item: &str, on: &str, gain: &str, count: u32) -> Action {
    use_on(item, Target::Block(block(on)), gain, count)
}

pub(crate) fn on_mob(item: &str, on: MobKind, gain: &str, count: u32) -> Action {
    use_on(item, Target::Mob(on), gain, count)
}

/// The order to build by a blueprint of the program.
pub(crate) fn build(name: &str) -> Action {
    let name = name.parse().unwrap();
    Action::build_by(Blueprint::named(&name, &[]).unwrap())
}
