//! Nights: what a body with arms brings home from hunts of monsters on natural land, and how many die.
//!
//! `-- nights FIRST LAST` plays the seeds FIRST to LAST. What counts here are outcomes, not time: no clock is read.

use pithead_world::action::Action;
use pithead_world::ids::ActionId;
use pithead_world::item::ItemId;
use pithead_world::mob::MobKind;
use pithead_world::observation::Frame;
use pithead_world::port::{Notice, Request, World};
use pithead_world::voxel::sim::Simulation;
use pithead_world::voxel::world::VoxelWorld;

/// The night begins at this tick of the day and lasts so many ticks.
const DUSK: u32 = 13_000;
const NIGHT_TICKS: u64 = 10_000;
const FRAME_TICKS: u32 = 20;
/// More than a night gives.
const COUNT: u32 = 64;
/// So many of a drop make most of what is crafted of it.
const ENOUGH: u32 = 3;
const KIT: [(&str, u32); 10] = [
    ("stone_sword", 1),
    ("shield", 1),
    ("iron_chestplate", 1),
    ("iron_leggings", 1),
    ("cobblestone", 40),
    ("dirt", 10),
    ("stone_pickaxe", 2),
    ("crafting_table", 1),
    ("oak_planks", 8),
    ("mutton", 10),
];
const PREY: [(MobKind, &str); 3] = [
    (MobKind::Skeleton, "bone"),
    (MobKind::Spider, "string"),
    (MobKind::Creeper, "gunpowder"),
];
const DROPS: [&str; 5] = ["rotten_flesh", "bone", "string", "spider_eye", "gunpowder"];

/// What one night has brought.
struct Night {
    wanted: u32,
    drops: u32,
    died: bool,
}

/// Prints a row for each kind of prey.
pub(crate) fn print_figures(arguments: &[String]) {
    let number = |at: usize, default: u64| {
        let word = arguments.get(at).and_then(|word| word.parse().ok());
        word.unwrap_or(default)
    };
    let (first, last) = (number(0, 301), number(1, 320));
    println!("nights on the seeds {first} to {last}, {NIGHT_TICKS} ticks each, with {KIT:?}");
    for (mob, gain) in PREY {
        let nights: Vec<Night> = (first..=last).map(|seed| night(seed, mob, gain)).collect();
        let sum = |of: fn(&Night) -> u32| nights.iter().map(of).sum::<u32>();
        let enough = nights.iter().filter(|night| night.wanted >= ENOUGH);
        println!(
            "{gain}: {} in {} nights, {ENOUGH} or more in {}; all drops {}; died {}",
            sum(|night| night.wanted),
            nights.len(),
            enough.count(),
            sum(|night| night.drops),
            sum(|night| u32::from(night.died)),
        );
    }
}

/// Hunts for a night, or until the body dies.
fn night(seed: u64, mob: MobKind, gain: &str) -> Night {
    let mut sim = Simulation::new(seed);
    sim.pass_hours(DUSK);
    for (name, count) in KIT {
        sim.give(item(name), count);
    }
    let end = sim.tick() + NIGHT_TICKS;
    let mut world = VoxelWorld::from_simulation(sim, FRAME_TICKS);
    let mut id = 0;
    loop {
        id += 1;
        let frame = hunt(&mut world, ActionId(id), mob, gain, end);
        let died = world.simulation().is_some_and(|sim| !sim.body().alive());
        if died || world.tick() >= end {
            let count = |name: &str| frame.inventory.count(item(name));
            return Night {
                wanted: count(gain),
                drops: DROPS.iter().map(|name| count(name)).sum(),
                died,
            };
        }
    }
}

/// One hunt, called off when the night is over; what the body carries after it.
fn hunt(world: &mut VoxelWorld, id: ActionId, mob: MobKind, gain: &str, end: u64) -> Box<Frame> {
    let action = Action::Attack {
        mob,
        gain: Some(item(gain).into()),
        count: COUNT,
        also: Vec::new(),
    };
    world.request(Request::Act { id, action });
    loop {
        if world.tick() >= end {
            world.request(Request::Cancel { id });
        }
        for notice in world.poll(FRAME_TICKS) {
            if let Notice::Acted { frame, .. } = notice {
                return frame;
            }
        }
    }
}

fn item(name: &str) -> ItemId {
    name.parse().expect("an item of the tables")
}
