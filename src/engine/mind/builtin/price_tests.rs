//! Prices: what is held, how many pieces are wanted and what the plan gets anyway decide the way; what has none is
//! said to be impossible, with the reason.

use super::graph::WayGraph;
use super::learnt::Learnt;
use super::planner;
use super::requests::Requests;
use super::search::Reach;
use super::sim::Sim;
use super::tests::{expert, plan_ask, words};
use super::ways::Knowing;
use pithead_core::domain::experience::option::TriedOptions;
use pithead_world::block::BlockId;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use pithead_world::observation::BlockSight;
use pithead_world::reach::{Nature, obtainable};
use pithead_world::space::Pos;
use std::cell::OnceCell;

#[track_caller]
fn check(task: &str, inventory: &str, expected: &str) {
    let plan = planner::plan(&expert(), &plan_ask(task, &Sim::new(inventory))).unwrap();
    assert_eq!(words(&plan), expected, "{task} from {inventory}");
}

#[test]
fn one_recipe_mixes_its_alternatives() {
    check(
        "craft a crafting table",
        "oak_planks=2,birch_planks=2",
        "craft 1 crafting_table",
    );
    check(
        "craft a crafting table",
        "oak_planks=1,birch_planks=1,spruce_log=1",
        "craft 2 #planks; craft 1 crafting_table",
    );
    check(
        "craft a white bed",
        "white_wool=3,oak_planks=1,birch_planks=2,crafting_table=1",
        "craft 1 white_bed",
    );
}

#[test]
fn what_is_held_decides_for_as_many_pieces_as_it_suffices_for() {
    // Four hides for a piece of leather, and cows for the rest.
    check("get 3 leather", "rabbit_hide=12", "craft 3 leather");
    check(
        "get 3 leather",
        "rabbit_hide=9",
        "hunt for 1 leather; craft 2 leather",
    );
    check("get 3 leather", "rabbit_hide=3", "hunt for 3 leather");
    check(
        "get 12 iron ingots",
        "iron_block=1,iron_nugget=27,crafting_table=1",
        "craft 3 iron_ingot; craft 9 iron_ingot",
    );
}

#[test]
fn any_fuel_that_is_held_will_do() {
    for fuel in [
        "lava_bucket=1",
        "stick=6",
        "oak_slab=4",
        "wooden_pickaxe=3",
        "dried_kelp=9",
    ] {
        let held = format!("raw=3,furnace=1,crafting_table=1,{fuel}").replace("raw", "iron_ore");
        let plan =
            planner::plan(&expert(), &plan_ask("get 3 iron ingots", &Sim::new(&held))).unwrap();
        let is_smelting =
            |words: &str| !words.contains("mine") && words.ends_with("smelt 3 iron_ingot");
        assert!(is_smelting(&words(&plan)), "{held}: {}", words(&plan));
    }
    // A kind that does not suffice burns together with another.
    check(
        "get 3 iron ingots",
        "iron_ore=3,furnace=1,stick=2,oak_slab=3",
        "smelt 1 iron_ingot; smelt 2 iron_ingot",
    );
}

#[test]
fn a_table_is_not_burnt_where_wood_costs_less() {
    check(
        "get 3 iron ingots",
        "iron_ore=3,furnace=1,crafting_table=1",
        "mine 1 #logs; craft 2 #planks; smelt 3 iron_ingot",
    );
    let ask = plan_ask(
        "get 3 iron ingots",
        &Sim::new("iron_ore=1,furnace=1,crafting_table=1"),
    );
    let steps = words(&planner::plan(&expert(), &ask).unwrap());
    assert!(steps.ends_with("; smelt 3 iron_ingot"), "{steps}");
    assert!(!steps.contains("crafting_table"), "{steps}");
}

#[test]
fn the_reason_is_named_with_what_is_impossible() {
    for (task, why) in [
        (
            "craft a beacon",
            "beacon takes nether_star, and no way is known to get that: it lies nowhere here",
        ),
        (
            "get a brown mushroom block",
            "only a tool with silk touch gets it from brown_mushroom_block",
        ),
        (
            "get a spawner",
            "get spawner: spawner leaves nothing when it is broken, no animal",
        ),
        ("get a bedrock", "get bedrock: bedrock cannot be broken"),
        (
            "get a farmland",
            "get farmland: farmland leaves dirt when it is broken",
        ),
        (
            "get a stripped oak log",
            "only wooden_axe or better makes it, used on oak_log",
        ),
        (
            "get oak planks and bedrock",
            "no way is known to get bedrock",
        ),
        (
            "craft a comparator",
            "comparator takes quartz, quartz takes nether_quartz_ore, and no way is known to get that",
        ),
        (
            "get a nether quartz ore",
            "no way is known to get nether_quartz_ore: it lies nowhere here",
        ),
    ] {
        let refused = planner::plan(&expert(), &plan_ask(task, &Sim::new(""))).unwrap_err();
        assert!(refused.contains(why), "{refused}");
    }
}

/// Whatever can be had in this world by its tables has a way, and nothing else. Silk touch and stripped wood are no
/// ways of the planner: what only they give is named here.
#[test]
fn an_expert_knows_a_way_to_everything_that_can_be_had() {
    let (beliefs, stock) = (expert(), Counts::default());
    let knowing = Knowing {
        beliefs: &beliefs,
        learnt: Learnt::default(),
        requests: Requests::default(),
        stock: &stock,
        stations: &[],
        options: &TriedOptions::default(),
        notable: &[],
        here: Pos::new(0, 64, 0),
        goes_far: true,
        buys_scattered: false,
        hunts_many: false,
        meets_night: true,
        daylight: 0,
        ticks_left: None,
        fuels: OnceCell::new(),
    };
    let items: Vec<(ItemSpec, u32)> = ItemId::all().map(|item| (item.into(), 1)).collect();
    let graph = WayGraph::to(&knowing, &items);
    let costs = graph.costs(Reach::World);
    let by_hand_only = |item: &ItemSpec| {
        let name = item.name();
        name.starts_with("stripped_")
            || !beliefs.out_of_reach(*item).silk.is_empty()
            || name == "packed_ice"
            || name.ends_with("_mushroom_block")
    };
    let there = obtainable(&Nature::overworld());
    let differs = |(item, _): &&(ItemSpec, u32)| {
        let is_there = item.single().is_some_and(|item| there.contains(&item));
        graph.can_get(*item, &costs) != is_there
    };
    let wrong: Vec<String> = items
        .iter()
        .filter(differs)
        .filter(|(item, _)| !by_hand_only(item))
        .map(|(item, _)| item.to_string())
        .collect();
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join(", "));
}

#[test]
fn what_is_taken_for_some_pieces_makes_no_other_way_look_cheap() {
    // Two logs give eight planks; that they were held once makes no bark of four logs cheaper than a third log.
    check(
        "obtain 9 planks",
        "oak_log=2",
        "mine 1 oak_log; craft 1 oak_planks; craft 8 #planks",
    );
    for count in 1..=40 {
        for held in ["oak_log=1", "oak_log=2", "birch_log=3", "dark_oak_log=7"] {
            let ask = plan_ask(&format!("obtain {count} planks"), &Sim::new(held));
            let steps = words(&planner::plan(&expert(), &ask).unwrap());
            assert!(!steps.contains("_wood"), "{count} from {held}: {steps}");
        }
    }
}

#[test]
fn what_few_lands_bear_is_made_where_that_can_be_done() {
    let plan =
        |task: &str| words(&planner::plan(&expert(), &plan_ask(task, &Sim::new(""))).unwrap());
    let terracotta = plan("get 1 terracotta");
    assert!(terracotta.contains("smelt 1 terracotta"), "{terracotta}");
    // Nothing else gives cactus.
    assert!(plan("get 1 cactus").contains("mine 1 cactus"));
}

#[test]
fn one_goes_down_to_lava_and_over_the_land_to_emeralds() {
    let plan = |task: &str, seen: &[&str]| {
        let mut ask = plan_ask(task, &Sim::new("bucket=1,iron_pickaxe=1,stone_pickaxe=3"));
        ask.state.notable.extend(seen.iter().map(|name| BlockSight {
            block: BlockId::named(name).unwrap(),
            at: Pos::new(9, 64, 9),
        }));
        words(&planner::plan(&expert(), &ask).unwrap())
    };
    let lava = "get 1 lava_bucket";
    let deep = plan(lava, &[]);
    assert!(deep.contains("dig down to y 12"), "{deep}");
    let seen = plan(lava, &["lava"]);
    assert!(!seen.contains("dig down"), "{seen}");
    let emerald = plan("get 1 emerald", &[]);
    assert!(!emerald.contains("dig down"), "{emerald}");
}
