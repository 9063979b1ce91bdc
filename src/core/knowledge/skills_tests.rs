//! Which skills a run shows.

use super::*;
use crate::domain::plan::Executor;
use crate::domain::samples::{experience, item};
use pithead_world::ids::SubgoalId;
use pithead_world::observation::Gui;

/// An attempt: "craft 4 stick", what changed, and what was used up at which window.
fn step(n: u64, words: &str, changed: &str, used: &str, window: Option<Gui>) -> Experience {
    let (kind, rest) = words.split_once(' ').unwrap();
    let (count, name) = rest.split_once(' ').unwrap();
    let mut step = experience(1, n, name, true);
    step.action.id = SubgoalId(n);
    step.action.task_kind = TaskKind::ALL
        .into_iter()
        .find(|k| k.name() == kind)
        .unwrap();
    step.action.executor_hint = match kind {
        "mine" => Executor::Mine,
        "smelt" => Executor::Smelt,
        _ => Executor::Craft,
    };
    step.action.goal.count = count.parse().unwrap();
    step.action.condition = words.to_owned();
    step.action.checks = Vec::new();
    step.pre.inventory = Counts::default();
    step.post.held = None;
    let delta = &mut step.diagnosis.delta;
    delta.inventory = changed
        .split_whitespace()
        .map(|part| {
            let (item, n) = part.split_once('=').unwrap();
            (item.parse().unwrap(), n.parse().unwrap())
        })
        .collect();
    delta.used = used.parse().unwrap();
    delta.windows = window.into_iter().collect();
    step
}

/// From logs to an iron pickaxe, with a detour for dirt.
fn course() -> Vec<Experience> {
    let table = Some(Gui::CraftingTable);
    let hand = Some(Gui::Inventory);
    let mut course = vec![
        step(1, "mine 5 #logs", "oak_log=5", "", None),
        step(2, "mine 3 dirt", "dirt=3", "", None),
        step(
            3,
            "craft 20 #planks",
            "oak_log=-5 oak_planks=20",
            "oak_log=5",
            hand,
        ),
        step(
            4,
            "craft 8 stick",
            "oak_planks=-4 stick=8",
            "oak_planks=4",
            hand,
        ),
        step(
            5,
            "craft 1 crafting_table",
            "oak_planks=-4 crafting_table=1",
            "oak_planks=4",
            hand,
        ),
        step(
            6,
            "craft 1 wooden_pickaxe",
            "oak_planks=-3 stick=-2 wooden_pickaxe=1",
            "oak_planks=3,stick=2",
            table,
        ),
        step(7, "mine 11 cobblestone", "cobblestone=11 coal=4", "", None),
        step(
            8,
            "craft 1 furnace",
            "cobblestone=-8 furnace=1",
            "cobblestone=8",
            table,
        ),
        step(
            9,
            "craft 1 stone_pickaxe",
            "cobblestone=-3 stick=-2 stone_pickaxe=1",
            "cobblestone=3,stick=2",
            table,
        ),
        step(10, "mine 3 iron_ore", "iron_ore=3", "", None),
        step(
            11,
            "smelt 3 iron_ingot",
            "iron_ore=-3 coal=-1 iron_ingot=3",
            "iron_ore=3,coal=1",
            Some(Gui::Furnace),
        ),
        step(
            12,
            "craft 1 iron_pickaxe",
            "iron_ingot=-3 stick=-2 iron_pickaxe=1",
            "iron_ingot=3,stick=2",
            table,
        ),
    ];
    course[6].post.held = Some("wooden_pickaxe".parse().unwrap());
    course[9].post.held = Some("stone_pickaxe".parse().unwrap());
    course
}

fn words(skill: &Skill) -> String {
    let steps: Vec<&str> = skill.steps.iter().map(|s| s.condition.as_str()).collect();
    format!("{} if {}", steps.join(", "), skill.requires)
}

fn found(goal: &str, course: &[Experience]) -> Vec<Distilled> {
    from_run(&Task::to_have(item(goal), 1), true, course)
}

#[test]
fn the_skill_of_a_run_is_what_its_product_rests_on() {
    let skills = found("iron_pickaxe", &course());
    assert_eq!(
        words(&skills[0].skill),
        "mine #logs ×5, craft #planks ×20, craft stick ×8, craft crafting_table, craft wooden_pickaxe, \
         mine cobblestone ×11, craft furnace, craft stone_pickaxe, mine iron_ore ×3, smelt iron_ingot ×3, \
         craft iron_pickaxe if always"
    );
    assert!(
        !skills[0].experiences.iter().any(|e| e.n == 2),
        "the dirt was a detour"
    );
    for distilled in &skills {
        assert_eq!(
            closure::replay(&distilled.skill),
            Ok(()),
            "{}",
            words(&distilled.skill)
        );
    }
}

#[test]
fn everything_made_on_the_way_is_a_skill_also_of_a_run_that_failed() {
    let task = Task::to_have(item("diamond"), 1);
    let skills = from_run(&task, false, &course());
    let whole = |goal: &str| {
        let is_it = |d: &&Distilled| d.skill.goal == item(goal) && d.skill.steps.len() > 1;
        skills.iter().find(is_it).map(|d| words(&d.skill))
    };
    assert_eq!(
        whole("furnace").unwrap(),
        "mine #logs ×5, craft #planks ×20, craft stick ×8, craft crafting_table, craft wooden_pickaxe, \
         mine cobblestone ×8, craft furnace if always"
    );
    assert!(whole("stone_pickaxe").is_some() && whole("iron_ore").is_some());
    assert!(whole("diamond").is_none());
}

#[test]
fn a_table_that_was_left_up_is_no_product_of_the_step_that_took_it_along() {
    let table: ItemId = "crafting_table".parse().unwrap();
    let mut course = course();
    // Left up after the furnace, and taken along after the pickaxe.
    course[7].diagnosis.delta.inventory.insert(table, -1);
    let mut sword = step(
        13,
        "craft 1 stone_sword",
        "cobblestone=-2 stick=-1 stone_sword=1 crafting_table=1",
        "cobblestone=2,stick=1",
        Some(Gui::CraftingTable),
    );
    sword.action.id = SubgoalId(13);
    course.insert(9, sword);
    let skills = found("iron_pickaxe", &course);
    let whole = skills
        .iter()
        .max_by_key(|d| d.skill.steps.len())
        .map(|d| words(&d.skill));
    let whole = whole.unwrap();
    assert!(whole.contains("craft crafting_table"), "{whole}");
    assert!(!whole.contains("stone_sword"), "{whole}");
}

#[test]
fn a_skill_of_one_step_names_its_station_and_what_went_in() {
    let skills = found("iron_pickaxe", &course());
    let single = |goal: &str| {
        let is_it = |d: &&Distilled| d.skill.goal == item(goal) && d.skill.steps.len() == 1;
        words(&skills.iter().find(is_it).unwrap().skill)
    };
    assert_eq!(
        single("wooden_pickaxe"),
        "craft wooden_pickaxe if inv stick >= 2 and inv #planks >= 3 and \
         (near crafting_table 4 or inv crafting_table >= 1)"
    );
    assert_eq!(single("stick"), "craft stick ×8 if inv #planks >= 4");
    assert_eq!(
        single("iron_ore"),
        "mine iron_ore ×3 if tool pickaxe >= stone"
    );
    assert_eq!(single("#logs"), "mine #logs ×5 if always");
}

/// Stone mined with a stone pickaxe does not show that stone is mined by hand.
#[test]
fn a_tool_made_of_what_it_gets_says_nothing_about_the_tool_that_is_needed() {
    let mut course = course();
    let mut again = step(13, "mine 8 cobblestone", "cobblestone=8", "", None);
    again.post.held = Some("stone_pickaxe".parse().unwrap());
    course.insert(9, again);
    for experience in &mut course {
        if let Some(tool) = experience.post.held {
            experience.pre.inventory.add(tool, 1);
        }
    }
    let skills = found("iron_pickaxe", &course);
    let is_it = |d: &&Distilled| d.skill.goal == item("cobblestone") && d.skill.steps.len() == 1;
    let singles: Vec<String> = skills
        .iter()
        .filter(is_it)
        .map(|d| words(&d.skill))
        .collect();
    assert_eq!(singles, ["mine cobblestone ×11 if tool pickaxe >= wood"]);
}

#[test]
fn what_came_from_nowhere_is_no_skill() {
    let mut course = course();
    course.remove(2);
    assert!(
        found("iron_pickaxe", &course)
            .iter()
            .all(|d| d.skill.goal != item("iron_pickaxe") || d.skill.steps.len() == 1)
    );
}

#[test]
fn a_skill_does_not_count_on_what_lay_there_by_chance() {
    let mut course = course();
    let coal = "coal".parse().unwrap();
    course[6].diagnosis.delta.inventory.insert(coal, 1);
    let is_smelted = |d: &&Distilled| d.skill.goal == item("iron_ingot");
    let skills = found("iron_pickaxe", &course);
    let smelted: Vec<String> = skills
        .iter()
        .filter(is_smelted)
        .map(|d| words(&d.skill))
        .collect();
    assert_eq!(
        smelted.len(),
        1,
        "only the single step, which asks for fuel: {smelted:?}"
    );
    // Where it was mined on purpose it is a step, for as many as were needed.
    course.insert(7, step(13, "mine 1 coal", "coal=1", "", None));
    course[6].diagnosis.delta.inventory.remove(&coal);
    let skills = found("iron_pickaxe", &course);
    assert!(
        words(&skills[0].skill).contains("mine coal, "),
        "{}",
        words(&skills[0].skill)
    );
}

/// Else the table would need planks, and planks a table.
#[test]
fn what_a_station_is_made_of_does_not_need_the_station() {
    let mut course = course();
    let table = Some(Gui::CraftingTable);
    course.extend([
        step(14, "mine 1 #logs", "oak_log=1", "", None),
        step(
            15,
            "craft 4 #planks",
            "oak_log=-1 oak_planks=4",
            "oak_log=1",
            table,
        ),
        step(
            16,
            "craft 1 crafting_table",
            "oak_planks=-4 crafting_table=1",
            "oak_planks=4",
            table,
        ),
    ]);
    let skills = found("crafting_table", &course);
    for goal in ["#planks", "crafting_table"] {
        let is_it = |d: &&Distilled| d.skill.goal == item(goal) && d.skill.steps.len() == 1;
        for distilled in skills.iter().filter(is_it) {
            let words = words(&distilled.skill);
            assert!(!words.contains("near crafting_table"), "{words}");
        }
    }
}

#[test]
fn a_tool_that_broke_at_the_end_was_needed_all_the_same() {
    let mut course = course();
    let mined = &mut course[9];
    mined.post.held = None;
    mined.action.goal.tool = Some(item("stone_pickaxe"));
    mined.pre.inventory = "stone_pickaxe=1".parse().unwrap();
    let skills = found("iron_ore", &course);
    assert!(
        words(&skills[0].skill).contains("craft stone_pickaxe, mine iron_ore"),
        "{}",
        words(&skills[0].skill)
    );
    // A tool that the plan named and nobody carried did not do it.
    course[9].pre.inventory = "dirt=1".parse().unwrap();
    let skills = found("iron_ore", &course);
    assert!(!words(&skills[0].skill).contains("stone_pickaxe"));
}
