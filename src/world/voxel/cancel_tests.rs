//! Cancelled: every kind of order, at every tick of its length, leaves a world in which one can continue.
//!
//! Each row is a scene short enough to be played once for every tick at which it can be cancelled.

use super::body::fishing_line::FishingLine;
use super::sim::Simulation;
use super::sim_tests::valid;
use super::station_tests::{chest_with, farmer, learn, library, offer};
use super::world::VoxelWorld;
use crate::action::{Action, ActionFailure, Target};
use crate::block as blocks;
use crate::ids::ActionId;
use crate::inventory::Stack;
use crate::keys::KeyPresses;
use crate::mob::MobKind;
use crate::observation::Gui;
use crate::port::{Notice, Request, World};
use crate::testing::{
    HERE, Scene, TOP, craft, enchant, fish, grow, item, kill, land, mine, on_mob, play, repair,
    smelt, some, spec, take, trade, worn,
};

/// Longer than this is no scene for playing it at every tick.
const LENGTH_MAX: u64 = 700;
/// Late in the evening.
const EVENING: u32 = 12_540;

const KINDS: [&str; 26] = [
    "explore", "approach", "goto", "mine", "attack", "craft", "smelt", "equip", "place",
    "dig_down", "go_up", "use", "fish", "grow", "breed", "trade", "enchant", "dye", "repair",
    "take", "put", "sleep", "build", "raw", "eat", "wait",
];

fn bare(carried: &[(&str, u32)]) -> Simulation {
    Scene::new(carried).sim
}

fn tree() -> Simulation {
    let trunk = (0..3).fold(Scene::new(&[("stone_axe", 1)]), |scene, y| {
        scene.with(4, y, 1, blocks::OAK_LOG)
    });
    trunk.sim
}

fn pen(kind: MobKind, carried: &[(&str, u32)]) -> Simulation {
    Scene::new(carried).mob(kind, 3, 1).mob(kind, 2, -2).sim
}

fn room(station: &str, carried: &[Stack]) -> Simulation {
    let mut sim = land(&[(3, 0, 0, station)], carried);
    learn(&mut sim, 30);
    sim
}

fn market() -> (Simulation, Action) {
    let mut sim = land(&[], &[]);
    let mob = farmer(&mut sim);
    let ((asked, count), _) = offer(&sim, mob, |name| name == "emerald");
    sim.give(asked, count);
    (sim, trade("emerald", 1))
}

fn on_foot() -> Vec<(Simulation, Action)> {
    let bookshelf = Target::Block(blocks::BOOKSHELF);
    let seen = Scene::new(&[]).with(9, 0, 3, blocks::BOOKSHELF).sim;
    let approach = Action::Approach {
        target: bookshelf.clone(),
        range: 2,
    };
    let far = HERE.plus(9, 0, -7);
    let go = Action::Goto { at: far, range: 0 };
    let shaft = {
        let mut sim = bare(&[("stone_pickaxe", 1), ("cobblestone", 16)]);
        for y in -4..0 {
            sim.grid_mut().set(HERE.plus(0, y, 0), blocks::AIR);
        }
        sim.body_mut().at = HERE.plus(0, -4, 0).floor();
        sim
    };
    let pickaxe = || bare(&[("stone_pickaxe", 1)]);
    let keys = vec![
        KeyPresses {
            forward: true,
            jump: true,
            attack: true,
            camera: [9.0, 20.0],
            ..KeyPresses::default()
        };
        60
    ];
    let explore = Action::Explore {
        targets: vec![bookshelf],
    };
    // Behind a wall that someone has built: one goes around there.
    let hidden = (-2..=2).fold(
        Scene::new(&[]).with(6, 0, 0, blocks::BOOKSHELF),
        |scene, z| {
            scene
                .with(4, 0, z, blocks::OAK_PLANKS)
                .with(4, 1, z, blocks::OAK_PLANKS)
                .with(4, 2, z, blocks::OAK_PLANKS)
        },
    );
    vec![
        (hidden.sim, explore),
        (seen, approach),
        (bare(&[]), go),
        (pickaxe(), Action::dig_down(TOP - 3)),
        (shaft, Action::GoUp { y: TOP + 1 }),
        (bare(&[]), Action::Raw { keys }),
        (bare(&[]), Action::Wait { ticks: 30 }),
    ]
}

fn by_hand() -> Vec<(Simulation, Action)> {
    let planks = spec("oak_planks");
    let pickaxe = [("oak_planks", 3), ("stick", 2), ("crafting_table", 1)];
    let oven = [
        ("iron_ore", 1),
        ("coal", 1),
        ("furnace", 1),
        ("wooden_pickaxe", 1),
    ];
    let mut hungry = bare(&[("bread", 2)]);
    hungry.body_mut().vitals.hunger = 8;
    let at = Some(HERE.plus(3, 0, 3));
    let place = Action::Place { item: planks, at };
    let build = Action::Build {
        blocks: vec![
            (planks, [0, 0, 0]),
            (planks, [0, 1, 0]),
            (planks, [1, 0, 0]),
        ],
        clear: Vec::new(),
        blueprint: None,
    };
    vec![
        (tree(), mine("#logs", 3)),
        (bare(&pickaxe), craft("wooden_pickaxe", 1)),
        (bare(&oven), smelt("iron_ingot", 1)),
        (
            bare(&[("stick", 1), ("bread", 1)]),
            Action::Equip {
                item: spec("bread"),
            },
        ),
        (bare(&[("oak_planks", 2)]), place),
        (bare(&[("oak_planks", 4)]), build),
        (hungry, Action::Eat),
    ]
}

fn with_beasts_and_plants() -> Vec<(Simulation, Action)> {
    let field = Scene::new(&[("stone_hoe", 1), ("wheat_seeds", 1), ("bone_meal", 8)]);
    let mut evening = bare(&[("red_bed", 1)]);
    evening.pass_hours(EVENING);
    let mut angler = Scene::new(&[("fishing_rod", 1)]).pond(3, 2, 5).sim;
    // Of the waters that a seed may be, one in which a cod bites soon.
    angler.line = FishingLine::new(2);
    let shear = on_mob("shears", MobKind::Sheep, "white_wool", 1);
    vec![
        (pen(MobKind::Pig, &[("iron_sword", 1)]), kill(MobKind::Pig)),
        (pen(MobKind::Sheep, &[("shears", 1)]), shear),
        (angler, fish("cod", 1)),
        (field.pond(4, 4, 2).sim, grow("wheat", 1)),
        (
            pen(MobKind::Cow, &[("wheat", 2)]),
            Action::Breed { mob: MobKind::Cow },
        ),
        (evening, Action::Sleep),
    ]
}

fn at_stations() -> Vec<(Simulation, Action)> {
    let mut chest = land(&[], &[]);
    chest_with(&mut chest, HERE.plus(4, 0, 1), &[some("bread", 3)]);
    let mut books = land(
        &library(),
        &[worn("iron_sword", 0), some("lapis_lazuli", 3)],
    );
    learn(&mut books, 30);
    let worn_helmet = [worn("iron_helmet", 100), some("iron_ingot", 3)];
    let dyed = [some("leather_chestplate", 1), some("red_dye", 1)];
    let dye = Action::Dye {
        item: spec("leather_chestplate"),
        dye: spec("red_dye"),
    };
    let put = Action::Put {
        item: spec("cobblestone"),
        count: 30,
    };
    vec![
        market(),
        (books, enchant("iron_sword")),
        (land(&[], &dyed), dye),
        (room("anvil", &worn_helmet), repair("iron_helmet")),
        (chest, take("bread", 2)),
        (land(&[], &[some("chest", 1), some("cobblestone", 40)]), put),
    ]
}

fn rows() -> Vec<(Simulation, Action)> {
    let all = [
        on_foot(),
        by_hand(),
        with_beasts_and_plants(),
        at_stations(),
    ];
    let mut rows: Vec<_> = all.into_iter().flatten().collect();
    for (sim, _) in &mut rows {
        // For what is done afterwards.
        sim.give(item("birch_log"), 1);
    }
    rows
}

/// Plays the order for so many ticks, and cancels it if it has not ended by then; true if it had.
pub(super) fn called_off_after(world: &mut VoxelWorld, order: &Action, ticks: u32) -> bool {
    let id = ActionId(7);
    let order = order.clone();
    world.request(Request::Act { id, action: order });
    let mut ends = Vec::new();
    let take = |notices: Vec<Notice>, ends: &mut Vec<Option<ActionFailure>>| {
        ends.extend(notices.into_iter().filter_map(|notice| match notice {
            Notice::Acted { report, .. } => Some(report.failure),
            _ => None,
        }));
    };
    for _ in 0..ticks {
        take(world.poll(1), &mut ends);
        if !ends.is_empty() {
            assert_eq!(ends, [None], "{} after {ticks}", id.0);
            return true;
        }
    }
    world.request(Request::Cancel { id });
    take(world.poll(1), &mut ends);
    assert_eq!(ends, [Some(ActionFailure::Cancelled)], "after {ticks}");
    false
}

#[test]
fn every_kind_of_order_has_a_scene() {
    let mut named: Vec<&str> = rows().iter().map(|(_, order)| order.name()).collect();
    let mut all = KINDS.to_vec();
    named.sort_unstable();
    all.sort_unstable();
    assert_eq!(named, all);
}

#[test]
fn an_order_called_off_at_any_tick_leaves_a_valid_world_to_go_on_in() {
    for (sim, order) in rows() {
        let (whole, _) = play(
            &mut VoxelWorld::from_simulation(sim.clone(), 20),
            order.clone(),
        );
        let name = order.name();
        assert_eq!(whole.failure, None, "{name}");
        assert!(whole.ticks < LENGTH_MAX, "{name}: {} ticks", whole.ticks);
        // Cancelled in the tick after its last, it is over already.
        for ticks in 0..=whole.ticks as u32 + 1 {
            let mut world = VoxelWorld::from_simulation(sim.clone(), 20);
            let is_over = called_off_after(&mut world, &order, ticks);
            let told = format!("{name} cancelled after {ticks}");
            assert!(is_over || u64::from(ticks) <= whole.ticks, "{told}");
            let left = world.simulation().unwrap();
            valid::check(left);
            assert!(left.body().alive(), "{told}");
            assert_eq!(left.window().gui, Gui::Closed, "{told}");
            let (report, frame) = play(&mut world, craft("birch_planks", 4));
            assert_eq!(report.failure, None, "{told}");
            assert_eq!(frame.inventory.count(item("birch_planks")), 4, "{told}");
        }
    }
}
