//! Orders: one action in a generated world, carried out to its end or for a while.
//!
//! Invariant: same seed, same order, same ticks.

use super::world_spec;
use pithead_world::action::{Action, Target};
use pithead_world::block;
use pithead_world::ids::ActionId;
use pithead_world::item::ItemId;
use pithead_world::port::FRAME_TICKS;
use pithead_world::port::{Notice, Request, World};
use pithead_world::space::Pos;
use pithead_world::voxel::world::VoxelWorld;

/// Ten minutes of the world.
pub(crate) const IDLE_TICKS: u64 = 12_000;
/// One order is watched for so long at most: three minutes of the world.
const WORK_TICKS: u64 = 3_600;
/// Blocks to walk.
const WALK: i32 = 300;
/// Deep enough for diamonds.
const DEEP: i32 = 12;

/// A world of this seed, begun.
pub(crate) fn begun(seed: u64) -> VoxelWorld {
    let mut world = VoxelWorld::new();
    world.request(Request::Reset(world_spec(seed)));
    world.poll(0);
    world
}

/// Stands still with open eyes, frames included.
pub(crate) fn idle(mut world: VoxelWorld) -> VoxelWorld {
    while world.tick() < IDLE_TICKS {
        divan::black_box(world.poll(FRAME_TICKS));
    }
    world
}

/// Over the land to a far place, with path finding and frames.
pub(crate) fn walk(feet: Pos) -> Action {
    Action::Goto {
        at: feet.plus(WALK, 0, 0),
        range: 8,
    }
}

/// A staircase down through rock with an iron pickaxe.
pub(crate) fn dig(_: Pos) -> Action {
    Action::dig_down(DEEP)
}

/// A search for what is not to be found: new land and new chunks all the time.
pub(crate) fn explore(_: Pos) -> Action {
    Action::Explore {
        targets: vec![Target::Block(block::BOOKSHELF)],
    }
}

/// A world in which the order has just been given.
pub(crate) fn ordered(seed: u64, order: impl Fn(Pos) -> Action) -> VoxelWorld {
    let mut world = begun(seed);
    let sim = world.simulation_mut().expect("it was reset");
    let feet = sim.body().feet();
    let pickaxe = ItemId::named("iron_pickaxe").expect("the game has one");
    sim.give(pickaxe, 1);
    world.request(Request::Act {
        id: ActionId(1),
        action: order(feet),
    });
    world
}

/// Lets the order be carried out.
pub(crate) fn carry_out(mut world: VoxelWorld) -> VoxelWorld {
    loop {
        let notices = world.poll(FRAME_TICKS);
        let is_over = notices.iter().any(|n| matches!(n, Notice::Acted { .. }));
        if is_over || world.tick() >= WORK_TICKS {
            return divan::black_box(world);
        }
    }
}
