//! Woods of the Nether: they serve as other woods do, burn in no furnace and are searched for nowhere.

use super::planner;
use super::sim::Sim;
use super::tests::{expert, plan_ask, spec, words};
use pithead_core::domain::check::Check;
use pithead_core::domain::plan::{Executor, Plan};
use pithead_world::item::ItemId;

fn plan(stock: &str, item: &str, count: u32) -> Result<Plan, String> {
    let mut ask = plan_ask("get a log", &Sim::new(stock));
    ask.task.goal = spec(item);
    ask.task.success = vec![Check::InvGe {
        item: spec(item),
        count,
    }];
    planner::plan(&expert(), &ask)
}

/// The plan, which reaches its end in the true game.
#[track_caller]
fn plan_that_works(stock: &str, item: &str, count: u32) -> Plan {
    let plan = plan(stock, item, count).unwrap();
    let failed = Sim::new(stock).run(&plan).1;
    let report = failed.map(|failed| failed.report.to_string());
    assert_eq!(report, None, "{item} from {stock}: {}", words(&plan));
    plan
}

#[track_caller]
fn check_made_at_once(stock: &str, item: &str, count: u32) {
    let plan = plan_that_works(stock, item, count);
    let by_hand = |executor: &Executor| matches!(executor, Executor::Craft | Executor::Smelt);
    let all = plan.subgoals.iter().all(|s| by_hand(&s.executor_hint));
    assert!(all, "{item} from {stock}: {}", words(&plan));
}

/// Stems and what has their names; not what grows on them or beneath.
fn woods() -> impl Iterator<Item = ItemId> {
    let other = ["fungus", "roots", "nylium", "wart_block"];
    ItemId::all().filter(move |item| {
        let name = item.name();
        (name.contains("crimson") || name.contains("warped"))
            && !other.iter().any(|part| name.contains(part))
    })
}

#[test]
fn what_is_made_of_planks_is_made_of_those_of_the_nether() {
    check_made_at_once("crimson_planks=4", "crafting_table", 1);
    check_made_at_once("warped_planks=2", "stick", 4);
    check_made_at_once("crimson_planks=12", "chest", 1);
    check_made_at_once("warped_planks=9", "wooden_pickaxe", 1);
    check_made_at_once("crimson_stem=3", "wooden_pickaxe", 1);
    check_made_at_once("crimson_slab=7,crafting_table=1", "composter", 1);
    check_made_at_once(
        "crafting_table=1,stripped_warped_hyphae=3,coal=1,stick=3",
        "campfire",
        1,
    );
}

#[test]
fn one_recipe_mixes_woods() {
    check_made_at_once("oak_planks=2,crimson_planks=2", "crafting_table", 1);
    check_made_at_once("oak_planks=1,warped_planks=1", "stick", 4);
    check_made_at_once(
        "oak_planks=3,crimson_planks=3,warped_planks=3",
        "wooden_pickaxe",
        1,
    );
    check_made_at_once("oak_log=1,crimson_stem=2", "chest", 1);
}

#[test]
fn woods_of_the_nether_are_never_burnt() {
    let stocks = [
        "furnace=1,iron_ore=3,crimson_planks=8",
        "furnace=1,iron_ore=3,warped_stem=8",
        "furnace=1,iron_ore=3,oak_planks=1,crimson_planks=1",
        "furnace=1,iron_ore=3,birch_log=1,warped_stem=1",
    ];
    for stock in stocks {
        let plan = plan_that_works(stock, "iron_ingot", 3);
        for step in plan.subgoals {
            let fuel = step
                .goal
                .material
                .filter(|_| step.executor_hint == Executor::Smelt);
            let is_burnt = |wood: &ItemId| fuel.is_some_and(|fuel| fuel.matches(*wood));
            assert_eq!(woods().find(is_burnt), None, "from {stock}");
        }
    }
    // Slabs do not burn either, so that something else is got.
    let plan = plan_that_works("furnace=1,iron_ore=3,crimson_slab=20", "iron_ingot", 3);
    let searched = |executor: &Executor| !matches!(executor, Executor::Craft | Executor::Smelt);
    assert!(
        plan.subgoals.iter().any(|s| searched(&s.executor_hint)),
        "{}",
        words(&plan)
    );
    // Other planks burn as before.
    let plan = plan_that_works("furnace=1,iron_ore=3,oak_planks=2", "iron_ingot", 3);
    assert_eq!(plan.subgoals[0].goal.material, Some(spec("#planks")));
}

#[test]
fn no_plan_searches_for_stems() {
    for wood in woods() {
        assert!(plan("", wood.name(), 1).is_err(), "{wood}");
    }
    let made = [
        "#planks",
        "stick",
        "chest",
        "campfire",
        "smoker",
        "charcoal",
        "crimson_slab",
    ];
    for (stock, count) in [("", 1), ("crimson_planks=3", 1), ("crimson_stem=1", 64)] {
        for item in made {
            let steps = plan(stock, item, count).map_or(Vec::new(), |plan| plan.subgoals);
            for step in steps.iter().filter(|s| s.executor_hint == Executor::Mine) {
                let is_mined = |wood: &ItemId| step.goal.object.is_some_and(|o| o.matches(*wood));
                assert_eq!(woods().find(is_mined), None, "{item} from {stock}");
            }
        }
    }
}
