//! Scenes of a creeper that is about to go off where not all ground bears.

use super::world::VoxelWorld;
use crate::action::Action;
use crate::block as blocks;
use crate::ids::ActionId;
use crate::mob::MobKind;
use crate::port::{Request, World};
use crate::rng::{hash3, mix};
use crate::testing::{HERE, Scene};

const WIDE: i32 = 9;
const TICKS: u32 = 40;

/// Flat land at night with pools of lava all around, as this number has it, and a creeper at hand.
fn among_pools(number: u64) -> VoxelWorld {
    let wide = (-WIDE..=WIDE).flat_map(|x| (-WIDE..=WIDE).map(move |z| (x, z)));
    let is_pool = |x: i32, z: i32| {
        let at = hash3(mix(number), x.div_euclid(2), 0, z.div_euclid(2));
        at.is_multiple_of(2) && x.abs().max(z.abs()) > 1
    };
    let scene = wide.fold(
        Scene::new(&[("stone_sword", 1)]),
        |scene, (x, z)| match is_pool(x, z) {
            true => scene.with(x, -1, z, blocks::LAVA),
            false => scene,
        },
    );
    let mut scene = scene.mob(MobKind::Creeper, 1, 1);
    scene.sim.grid_mut().take_disturbed(&mut Vec::new());
    scene.sim.pass_hours(18_000);
    scene.world()
}

/// A bridge one block wide over a chasm, the body in the middle of it, and a creeper behind it.
fn on_a_bridge() -> VoxelWorld {
    const DEEP: i32 = 20;
    const LONG: i32 = 5;
    let wide = (-WIDE..=WIDE).flat_map(|x| (-WIDE..=WIDE).map(move |z| (x, z)));
    let is_bridge = |x: i32, z: i32| z == 0 && x.abs() <= LONG;
    let chasm = wide.filter(|(x, z)| !is_bridge(*x, *z));
    let air = chasm.flat_map(|(x, z)| (1..=DEEP).map(move |down| (x, -down, z)));
    let scene = air.fold(Scene::new(&[("stone_sword", 1)]), |scene, (x, y, z)| {
        scene.with(x, y, z, blocks::AIR)
    });
    let mut scene = scene.mob(MobKind::Creeper, -1, 0);
    scene.sim.grid_mut().take_disturbed(&mut Vec::new());
    scene.sim.pass_hours(18_000);
    scene.world()
}

#[test]
fn who_runs_from_a_creeper_stops_at_the_end_of_a_bridge() {
    let mut world = on_a_bridge();
    world.request(Request::Act {
        id: ActionId(1),
        action: Action::Wait { ticks: 1_000 },
    });
    let mut east = 0.0_f64;
    // Until it goes off.
    for tick in 0..TICKS {
        world.poll(1);
        let at = world.simulation_mut().unwrap().body().at;
        assert!(at.y >= HERE.floor().y, "tick {tick}: {at:?}");
        east = east.max(at.x - HERE.floor().x);
    }
    assert!(east > 3.0, "it runs to the end: {east}");
}

#[test]
fn who_runs_from_a_creeper_runs_round_the_lava() {
    let ran = (0..60).filter(|number| {
        let mut world = among_pools(*number);
        let from = HERE.floor();
        let wait = Action::Wait { ticks: 1_000 };
        world.request(Request::Act {
            id: ActionId(1),
            action: wait,
        });
        for tick in 0..TICKS {
            world.poll(1);
            let sim = world.simulation_mut().unwrap();
            let feet = sim.body().at.block();
            let below = sim.grid().block(feet);
            assert!(
                below != blocks::LAVA,
                "pools {number}, tick {tick}: {feet:?}"
            );
        }
        world.simulation_mut().unwrap().body().at.distance(from) > 3.0
    });
    assert!(ran.count() > 20, "most have room to run");
}
