//! Calibration: how often the simulated controller manages each skill of DEPS Table 18, played in the world.
//!
//! Every skill is played in many prepared scenes in which the scripts themselves would not fail: the target is visible,
//! and the tools are carried. The table is printed as Markdown with Wilson's interval. The number of scenes is given on the
//! command line: `cargo bench --bench figures -- table18 300`. Invariant: same number, same table.

use pithead_engine::eval::wilson;
use pithead_world::action::{Action, ActionFailure, ActionReport};
use pithead_world::ids::ActionId;
use pithead_world::mob::MobKind;
use pithead_world::port::{Notice, Request, World};
use pithead_world::space::Pos;
use pithead_world::table18::Table18World;
use pithead_world::table18::skill::skill_of;
use pithead_world::voxel::grid::Grid;
use pithead_world::voxel::sim::Simulation;
use pithead_world::voxel::world::VoxelWorld;

const SCENES: u64 = 300;
const TOP: i32 = 40;
const HERE: Pos = Pos::new(8, TOP + 1, 8);
/// Polls after which an order is taken for endless.
const POLLS_MAX: u32 = 100_000;

/// A skill by its name in the paper, its action, what is carried, and what is placed around.
struct Row {
    name: &'static str,
    order: Action,
    carried: &'static [(&'static str, u32)],
    around: Around,
}

enum Around {
    Blocks(&'static str),
    Mobs(MobKind),
    Nothing,
}

const STONE: &[(&str, u32)] = &[("stone_pickaxe", 2)];
const SILK: &[(&str, u32)] = &[("diamond_pickaxe", 1)];
const IRON: &[(&str, u32)] = &[("iron_pickaxe", 2)];
const SHEARS: &[(&str, u32)] = &[("shears", 1)];

fn rows() -> Vec<Row> {
    let mut rows = mined();
    rows.extend([
        kill("kill 1 sheep with axe", MobKind::Sheep),
        kill("kill 1 cow with axe", MobKind::Cow),
        kill("kill 1 chicken with axe", MobKind::Chicken),
        kill("kill 1 pig with axe", MobKind::Pig),
        kill("kill 1 llama", MobKind::Llama),
    ]);
    rows.extend(made());
    rows
}

fn mine(
    name: &'static str,
    item: &str,
    count: u32,
    carried: &'static [(&'static str, u32)],
    around: &'static str,
) -> Row {
    Row {
        name,
        order: Action::Mine {
            item: item.parse().expect("an item"),
            count,
        },
        carried,
        around: Around::Blocks(around),
    }
}

fn mined() -> Vec<Row> {
    vec![
        mine("mine 1 oak wood", "oak_log", 1, &[], "oak_log"),
        mine("mine birch wood", "birch_log", 1, &[], "birch_log"),
        mine(
            "mine 1 cobblestone with pickaxe",
            "cobblestone",
            1,
            STONE,
            "stone",
        ),
        mine("mine 1 stone with pickaxe", "stone", 1, SILK, "stone"),
        mine("mine 1 seed", "wheat_seeds", 1, &[], "grass"),
        mine(
            "mine 1 leaves with shears",
            "oak_leaves",
            1,
            SHEARS,
            "oak_leaves",
        ),
        mine("mine 1 dirt", "dirt", 1, &[], "dirt"),
        mine(
            "mine 1 iron ore with stone pickaxe",
            "iron_ore",
            1,
            STONE,
            "iron_ore",
        ),
        mine(
            "mine 3 iron ore with stone pickaxe",
            "iron_ore",
            3,
            STONE,
            "iron_ore",
        ),
        mine(
            "mine 1 diamond with iron pickaxe",
            "diamond",
            1,
            IRON,
            "diamond_ore",
        ),
        mine(
            "mine 1 diamond with stone pickaxe",
            "diamond",
            1,
            STONE,
            "diamond_ore",
        ),
    ]
}

fn kill(name: &'static str, mob: MobKind) -> Row {
    Row {
        name,
        order: Action::Attack {
            mob,
            gain: None,
            count: 1,
            also: Vec::new(),
        },
        carried: &[("iron_axe", 1)],
        around: Around::Mobs(mob),
    }
}

fn made() -> Vec<Row> {
    let make = |name, order, carried| Row {
        name,
        order,
        carried,
        around: Around::Nothing,
    };
    let craft = |item: &str| Action::craft(item.parse().expect("an item"), 1);
    let smelt = Action::smelt("iron_ingot".parse().expect("an item"), 1, None);
    let equip = Action::Equip {
        item: "stick".parse().expect("an item"),
    };
    let table: &[(&str, u32)] = &[("cobblestone", 8), ("crafting_table", 1)];
    let oven: &[(&str, u32)] = &[
        ("iron_ore", 1),
        ("coal", 1),
        ("furnace", 1),
        ("wooden_pickaxe", 1),
    ];
    vec![
        make(
            "equip tool on mainhand",
            equip,
            &[("dirt", 1), ("stick", 1)],
        ),
        make(
            "craft without crafting table",
            craft("stick"),
            &[("oak_planks", 2)],
        ),
        make("craft with crafting table", craft("furnace"), table),
        make("smelt with furnace", smelt, oven),
    ]
}

fn scene(row: &Row, seed: u64) -> Table18World {
    let mut sim = Simulation::with_grid(Grid::flat(TOP), HERE.floor());
    for (name, count) in row.carried {
        sim.give(name.parse().expect("an item"), *count);
    }
    if row.name.contains("stone with") && row.name.contains(" stone ") {
        // Stone itself comes off only to silk touch.
        let book = pithead_world::enchanting::book_of("silk_touch".parse().expect("one"), 1);
        if let (Some(book), Some(tool)) = (book, &mut sim.body_mut().slots.stacks[0]) {
            tool.extra = book.extra;
        }
    }
    for n in 0..6_i32 {
        let at = HERE.plus(n * 5 - 12, 0, 6 + n % 2);
        match row.around {
            Around::Blocks("grass") => {
                (0..8).for_each(|x| drop_block(&mut sim, at.plus(x % 4, 0, x / 4), "grass"));
            }
            Around::Blocks(name) => drop_block(&mut sim, at, name),
            Around::Mobs(kind) => {
                sim.mobs_mut().add(kind, at.floor());
            }
            Around::Nothing => (),
        }
    }
    let mut world = Table18World::from_world(VoxelWorld::from_simulation(sim, 20), seed);
    world.request(Request::Observe);
    world.poll(1);
    world
}

fn drop_block(sim: &mut Simulation, at: Pos, name: &str) {
    sim.grid_mut().set(at, name.parse().expect("a block"));
}

fn play(world: &mut Table18World, order: &Action) -> ActionReport {
    let id = ActionId(1);
    world.request(Request::Act {
        id,
        action: order.clone(),
    });
    for _ in 0..POLLS_MAX {
        for notice in world.poll(100) {
            if let Notice::Acted { report, .. } = notice {
                return report;
            }
        }
    }
    panic!("the order does not end");
}

/// `arguments` are the words behind the name on the command line.
pub(crate) fn print_figures(arguments: &[String]) {
    let scenes = arguments
        .iter()
        .find_map(|word| word.parse().ok())
        .unwrap_or(SCENES);
    println!("| skill | DEPS | here | 95 % | of | not managed | failed otherwise | ticks |");
    println!("|---|---|---|---|---|---|---|---|");
    for row in rows() {
        let published = skill_of(&row.order).map_or(1.0, |skill| skill.rate);
        let published = if row.name.contains("diamond with stone") {
            0.0
        } else {
            published
        };
        let (mut done, mut late, mut other, mut ticks) = (0, 0, 0, 0);
        for seed in 1..=scenes {
            let report = play(&mut scene(&row, seed), &row.order);
            ticks += report.ticks;
            match report.failure {
                None => done += 1,
                Some(ActionFailure::OutOfTime { .. }) => late += 1,
                Some(_) => other += 1,
            }
        }
        let interval = wilson(done, scenes);
        println!(
            "| {} | {published:.2} | {:.2} | {:.2}-{:.2} | {scenes} | {late} | {other} | {} |",
            row.name,
            done as f64 / scenes as f64,
            interval.low / 100.0,
            interval.high / 100.0,
            ticks / scenes
        );
    }
}
