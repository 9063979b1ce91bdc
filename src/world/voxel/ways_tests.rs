//! One item by every kind of way, by real play: structured actions through the World port, nothing from nowhere.
//!
//! Each row says where it is played: on generated land, in a generated village, or in a set scene where chance or a long
//! way would make the test long; what the body is given beforehand stands in the row too.

use super::find;
use super::grid::Grid;
use super::sim::Simulation;
use super::station_tests::{chest_with, learn, library};
use super::world::VoxelWorld;
use crate::action::Action;
use crate::aids::WorldAids;
use crate::feat::Feat;
use crate::mob::MobKind;
use crate::observation::Frame;
use crate::port::{Request, World, WorldSpec};
use crate::rng::Rng;
use crate::space::Pos;
use crate::testing::{
    HERE, Scene, craft, enchant, fish, grow, held, item, land, mine, on_block, on_mob, play,
    repair, smelt, some, spec, take, trade, worn,
};
use crate::trade::Profession;

/// Every kind of way there is.
const WAYS: [&str; 15] = [
    "mined",
    "crafted",
    "smelted",
    "looted",
    "farmed",
    "sheared",
    "milked",
    "fished",
    "traded",
    "enchanted",
    "repaired",
    "washed",
    "grown",
    "dyed",
    "filled",
];

/// A way, the ground it is gone on, and the item at its end.
struct Row {
    way: &'static str,
    ground: Ground,
    /// Carried from the start.
    given: &'static [(&'static str, u32)],
    orders: fn(&VoxelWorld) -> Vec<Action>,
    had: Had,
}

enum Ground {
    /// The land of this seed, begun in this biome.
    Land(u64, &'static str),
    /// The village of this seed that is nearest to its middle.
    Village(u64),
    /// Set up by hand, and why.
    Set(&'static str, fn() -> Simulation),
}

enum Had {
    Held(&'static str),
    Done(Feat),
}

fn row(
    way: &'static str,
    ground: Ground,
    given: &'static [(&'static str, u32)],
    orders: fn(&VoxelWorld) -> Vec<Action>,
    had: Had,
) -> Row {
    Row {
        way,
        ground,
        given,
        orders,
        had,
    }
}

fn forest() -> Ground {
    Ground::Land(7, "forest")
}

fn rows() -> Vec<Row> {
    let all = [
        from_the_land(),
        from_beasts_and_fields(),
        from_stations(),
        besides(),
    ];
    all.into_iter().flatten().collect()
}

/// Dug, made, burnt, found.
fn from_the_land() -> Vec<Row> {
    vec![
        row(
            "mined",
            forest(),
            &[],
            |_| vec![mine("#logs", 1)],
            Had::Held("#logs"),
        ),
        row(
            "crafted",
            forest(),
            &[],
            first_pickaxe,
            Had::Held("wooden_pickaxe"),
        ),
        row("smelted", forest(), &[], charcoal, Had::Held("charcoal")),
        row(
            "looted",
            Ground::Set("a chest by the way: which house has one is chance", chest),
            &[],
            loot,
            Had::Done(Feat::Looted),
        ),
    ]
}

/// Kept and caught.
fn from_beasts_and_fields() -> Vec<Row> {
    vec![
        row(
            "farmed",
            Ground::Set("a pond at hand: wheat takes half a day", || {
                Scene::new(&[]).pond(5, 5, 2).sim
            }),
            &[("stone_hoe", 1), ("wheat_seeds", 1), ("bone_meal", 8)],
            |_| vec![grow("wheat", 1)],
            Had::Held("wheat"),
        ),
        row(
            "sheared",
            Ground::Land(9, "plains"),
            &[("shears", 1)],
            |_| vec![on_mob("shears", MobKind::Sheep, "#wool", 1)],
            Had::Held("#wool"),
        ),
        row(
            "milked",
            Ground::Land(9, "plains"),
            &[("bucket", 1)],
            |_| vec![on_mob("bucket", MobKind::Cow, "milk_bucket", 1)],
            Had::Held("milk_bucket"),
        ),
        row(
            "fished",
            Ground::Land(7, "beach"),
            &[("fishing_rod", 1)],
            |_| vec![fish("cod", 1)],
            Had::Held("cod"),
        ),
    ]
}

/// Paid for with levels, emeralds, wear.
fn from_stations() -> Vec<Row> {
    vec![
        row(
            "traded",
            Ground::Village(7),
            &[],
            deal,
            Had::Done(Feat::Traded),
        ),
        row(
            "enchanted",
            Ground::Set("a library: its books are many hours of work", learned),
            &[("iron_pickaxe", 1), ("lapis_lazuli", 3)],
            |_| vec![enchant("iron_pickaxe")],
            Had::Done(Feat::Enchanted),
        ),
        row(
            "repaired",
            Ground::Set("two worn helmets: wear comes of many fights", || {
                land(&[], &[worn("iron_helmet", 100), worn("iron_helmet", 80)])
            }),
            &[],
            |_| vec![repair("iron_helmet")],
            Had::Done(Feat::Repaired),
        ),
        row(
            "washed",
            Ground::Set("a cauldron stands there", || {
                land(&[(3, 0, 0, "cauldron")], &[])
            }),
            &[
                ("leather_chestplate", 1),
                ("red_dye", 1),
                ("water_bucket", 1),
            ],
            wash,
            Had::Done(Feat::Washed),
        ),
    ]
}

/// The rest.
fn besides() -> Vec<Row> {
    vec![
        row(
            "grown",
            forest(),
            &[("oak_sapling", 1), ("bone_meal", 32), ("stone_axe", 1)],
            |_| vec![grow("oak_log", 1)],
            Had::Held("oak_log"),
        ),
        row(
            "dyed",
            Ground::Land(9, "plains"),
            &[("leather_chestplate", 1), ("poppy", 1)],
            |_| vec![craft("red_dye", 1), dye("leather_chestplate", "red_dye")],
            Had::Done(Feat::Dyed),
        ),
        row(
            "filled",
            Ground::Land(7, "beach"),
            &[("bucket", 1)],
            |_| vec![on_block("bucket", "water", "water_bucket", 1)],
            Had::Held("water_bucket"),
        ),
    ]
}

fn first_pickaxe(_: &VoxelWorld) -> Vec<Action> {
    vec![
        mine("#logs", 3),
        craft("#planks", 12),
        craft("crafting_table", 1),
        craft("stick", 4),
        craft("wooden_pickaxe", 1),
    ]
}

/// From an empty inventory to the first thing out of a furnace.
fn charcoal(world: &VoxelWorld) -> Vec<Action> {
    let mut orders = first_pickaxe(world);
    orders.extend([
        mine("cobblestone", 8),
        craft("furnace", 1),
        mine("#logs", 2),
        smelt("charcoal", 1),
    ]);
    orders
}

fn dye(item: &str, dye: &str) -> Action {
    Action::Dye {
        item: spec(item),
        dye: spec(dye),
    }
}

fn wash(_: &VoxelWorld) -> Vec<Action> {
    vec![
        dye("leather_chestplate", "red_dye"),
        on_block("water_bucket", "cauldron", "", 1),
        on_block("leather_chestplate", "cauldron", "", 1),
    ]
}

/// A chest filled as the tables fill those of toolsmiths.
fn chest() -> Simulation {
    let mut sim = land(&[], &[]);
    let stacks = crate::loot::draw("toolsmith", &mut Rng::new(7));
    chest_with(&mut sim, HERE.plus(9, 0, 4), &stacks);
    sim
}

/// One thing of what lies in the chest is wanted.
fn loot(world: &VoxelWorld) -> Vec<Action> {
    let sim = world.simulation().unwrap();
    let mut lies = sim
        .chests
        .values()
        .flat_map(|chest| chest.slots.stacks.iter().flatten());
    vec![take(lies.next().expect("it is filled").item.name(), 1)]
}

/// Sells what the first farmer asks for.
fn deal(_: &VoxelWorld) -> Vec<Action> {
    vec![trade("emerald", 1)]
}

fn learned() -> Simulation {
    let mut sim = land(&library(), &[]);
    learn(&mut sim, 30);
    sim
}

fn village(seed: u64) -> Simulation {
    let (_, found) = find::villages(seed, Some(Profession::Farmer), 1);
    let middle = found[0].middle;
    let mut grid = Grid::new(seed);
    grid.ensure_around(middle, 1);
    let (x, z) = (middle.x + 3, middle.z);
    let start = Pos::new(x, grid.height(x, z) + 1, z);
    let mut sim = Simulation::with_grid(grid, start.floor());
    // What farmers buy; growing it is the row above.
    let wanted: Vec<_> = sim
        .villagers()
        .iter()
        .flat_map(|(_, one)| one.deals().to_vec())
        .filter(|deal| deal.terms.get.item == item("emerald"))
        .flat_map(|deal| deal.price().collect::<Vec<_>>())
        .collect();
    for (thing, count) in wanted {
        sim.give(thing, count);
    }
    sim
}

fn begin(row: &Row) -> VoxelWorld {
    let mut world = match &row.ground {
        Ground::Land(seed, biome) => {
            let mut world = VoxelWorld::new();
            world.request(Request::Reset(WorldSpec {
                kind: "voxel".to_owned(),
                seed: *seed,
                frame_ticks: 20,
                aids: WorldAids {
                    biome: Some((*biome).to_owned()),
                    ..WorldAids::default()
                },
                server: None,
            }));
            world.poll(0);
            world
        }
        Ground::Village(seed) => VoxelWorld::from_simulation(village(*seed), 20),
        Ground::Set(why, set) => {
            assert!(!why.is_empty());
            VoxelWorld::from_simulation(set(), 20)
        }
    };
    let sim = world.simulation_mut().unwrap();
    for (name, count) in row.given {
        assert_eq!(sim.give(item(name), *count), 0);
    }
    // One tick, in which the body feels what it carries.
    world.poll(1);
    world
}

fn had(frame: &Frame, had: &Had) -> u32 {
    match had {
        Had::Held(name) => held(frame, name),
        Had::Done(feat) => {
            let done = frame.feats.iter().filter(|(known, ..)| known == feat);
            done.map(|(.., count)| count).sum()
        }
    }
}

#[test]
fn every_kind_of_way_has_a_row() {
    let named: Vec<&str> = rows().iter().map(|row| row.way).collect();
    assert_eq!(named, WAYS);
}

#[test]
fn each_way_gives_its_item_by_real_play() {
    for row in rows() {
        let mut world = begin(&row);
        let before = match row.had {
            Had::Held(name) => world.simulation().unwrap().body().slots.count(spec(name)),
            Had::Done(_) => 0,
        };
        let mut last = None;
        for order in (row.orders)(&world) {
            let told = format!("{order:?}");
            let (report, frame) = play(&mut world, order);
            assert_eq!(report.failure, None, "{}: {told}", row.way);
            last = Some(frame);
        }
        let after = had(&last.unwrap(), &row.had);
        assert!(after > before, "{}: {before} then {after}", row.way);
    }
}

#[test]
fn a_way_that_lacks_its_means_gives_nothing() {
    for row in rows().into_iter().filter(|row| !row.given.is_empty()) {
        let bare = Row { given: &[], ..row };
        let mut world = begin(&bare);
        let orders = (bare.orders)(&world);
        let ends = orders
            .into_iter()
            .map(|order| play(&mut world, order).0.failure);
        assert!(
            ends.collect::<Vec<_>>().iter().any(Option::is_some),
            "{}",
            bare.way
        );
    }
    let mut sim = land(&[], &[]);
    chest_with(&mut sim, HERE.plus(4, 0, 0), &[some("bone", 1)]);
    let (report, _) = play(&mut VoxelWorld::from_simulation(sim, 20), take("bread", 1));
    assert!(report.failure.is_some());
}
