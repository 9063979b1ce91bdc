//! Lessons from shortages: what was used up on the way is told apart from what no step brought.

use super::beliefs::Beliefs;
use super::sim::{Failed, Sim};
use super::tests::{plan_ask, question};
use super::{diagnose, planner};
use pithead_core::domain::knowledge::Remedy;
use pithead_core::domain::plan::Subgoal;
use pithead_world::action::ActionFailure;

fn steps_of(task: &str, inventory: &str) -> Vec<Subgoal> {
    let beliefs = Beliefs::wrong_in(&[]);
    let plan = planner::plan(&beliefs, &plan_ask(task, &Sim::new(inventory))).unwrap();
    plan.subgoals
}

/// What a pickaxe of three ingots is said to need where two are held, after a step that smelted so many.
#[track_caller]
fn check(smelted: u32, cause: &str, have: u32) {
    let beliefs = Beliefs::wrong_in(&[]);
    let at_table = "stick=2, crafting_table=1";
    let ask = plan_ask(
        "craft an iron pickaxe",
        &Sim::new(&format!("{at_table}, iron_ingot=3")),
    );
    let plan = planner::plan(&beliefs, &ask).unwrap();
    let mut sim = Sim::new(&format!("{at_table}, iron_ingot=2"));
    let failed = sim.run(&plan).1.expect("two ingots make no pickaxe");
    let smelting = steps_of(
        &format!("smelt {smelted} iron ingots"),
        "iron_ore=9, furnace=1, coal=9",
    );
    let mut question = question(&ask, &sim, &failed);
    question.done = smelting;
    let lesson = diagnose::lesson(&beliefs, &question);
    assert_eq!(lesson.root_cause, cause);
    let wanted = Remedy::Have {
        item: "iron_ingot".parse().unwrap(),
        count: have,
    };
    assert_eq!(lesson.next_actions, [wanted]);
}

#[test]
fn a_plan_that_brought_too_few_lacked_them() {
    check(2, "\"craft 1 iron_pickaxe\" takes 3 iron_ingot at hand", 3);
}

#[test]
fn what_was_brought_and_is_gone_was_used_up() {
    check(
        3,
        "an earlier step used up more than planned: \"craft 1 iron_pickaxe\" takes 3 iron_ingot; 4 have to be got for that",
        4,
    );
}

#[test]
fn spare_tools_that_are_all_nearly_worn_out_are_not_asked_for_again() {
    let beliefs = Beliefs::wrong_in(&[]);
    let asked = |spares: u32| {
        let held = format!("iron_pickaxe=1, stone_pickaxe={spares}");
        let (ask, sim) = (plan_ask("get 1 diamond", &Sim::new(&held)), Sim::new(&held));
        let mine = steps_of("get 1 diamond", &held).pop().unwrap();
        let failed = Failed {
            subgoal: mine,
            report: ActionFailure::WornOut {
                held: "stone_pickaxe".parse().ok(),
                left: 89,
                broken: 0,
            },
            before: Sim::new(&held),
        };
        diagnose::lesson(&beliefs, &question(&ask, &sim, &failed)).next_actions
    };
    let pickaxes = |count| {
        let item = "stone_pickaxe".parse().unwrap();
        vec![Remedy::Have { item, count }]
    };
    assert_eq!(asked(1), pickaxes(3));
    assert_eq!(asked(3), pickaxes(4));
}
