//! Learning where the body does not say what was lacking: guess after guess, until the task is done.

use super::beliefs::Beliefs;
use super::errors::{Error, Fact};
use super::tests::{errors_about_iron, run_told};
use pithead_core::domain::experience::diagnosis::{Diagnosis, FailureReason};
use pithead_world::action::{ActionFailure, FailureClass};

/// A body that says only that it did not work, under the label that diagnosis infers.
fn cut(mut diagnosis: Diagnosis) -> Diagnosis {
    let is_search = matches!(diagnosis.report, Some(ActionFailure::NoTarget { .. }));
    let (reason, class) = if is_search {
        (FailureReason::MonitorNeverTrue, FailureClass::FoundNothing)
    } else {
        (FailureReason::ToolMissing, FailureClass::DidNotWork)
    };
    diagnosis.reason = Some(reason);
    diagnosis.report = Some(ActionFailure::Felt { class });
    diagnosis
}

/// What was concluded on the way to the task, in order.
#[track_caller]
fn check(task: &str, inventory: &str, wrong: &[(Fact, Error)], expected: &[&str]) {
    let lessons = run_told(&Beliefs::wrong_in(wrong), task, inventory, &[], cut);
    let avoided: Vec<&str> = lessons.iter().map(|lesson| lesson.avoid.as_str()).collect();
    assert_eq!(avoided, expected, "{task}");
}

#[test]
fn a_forgotten_station_is_guessed_first() {
    let table = Fact::Table("bucket".parse().unwrap());
    check(
        "craft a bucket",
        "iron_ingot=3, oak_planks=4",
        &[(table, Error::Forgotten)],
        &["without a crafting_table near or carried it cannot be done"],
    );
    let furnace = Fact::Furnace("iron_ingot".parse().unwrap());
    check(
        "smelt an iron ingot",
        "iron_ore=1, cobblestone=8, coal=1, crafting_table=1",
        &[(furnace, Error::Forgotten)],
        &["without a furnace near or carried it cannot be done"],
    );
}

#[test]
fn fuel_is_guessed_where_a_furnace_is_at_hand() {
    let fuel = Fact::Fuel("iron_ingot".parse().unwrap());
    check(
        "smelt an iron ingot",
        "iron_ore=1, furnace=1",
        &[(fuel, Error::Forgotten)],
        &["the furnace stays cold"],
    );
}

#[test]
fn one_more_of_each_part_is_tried_in_turn() {
    let fewer = |product: &str, ingredient: &str| Fact::Count {
        product: product.parse().unwrap(),
        ingredient: ingredient.parse().unwrap(),
    };
    check(
        "craft a furnace",
        "cobblestone=7, crafting_table=1, wooden_pickaxe=1",
        &[(fewer("furnace", "#stone_tool_materials"), Error::Fewer)],
        &["without 8 #stone_tool_materials it fails for want of #stone_tool_materials"],
    );
}

#[test]
fn a_part_that_its_kind_takes_is_thought_of() {
    let forgotten = Fact::Count {
        product: "wooden_pickaxe".parse().unwrap(),
        ingredient: "stick".parse().unwrap(),
    };
    check(
        "craft a wooden pickaxe",
        "crafting_table=1",
        &[(forgotten, Error::Forgotten)],
        &["without 2 stick it fails for want of stick"],
    );
}

#[test]
fn every_error_is_found_out_guess_by_guess() {
    for (fact, error) in errors_about_iron() {
        let beliefs = Beliefs::wrong_in(&[(fact, error)]);
        let lessons = run_told(&beliefs, "craft an iron pickaxe", "", &[], cut);
        assert!(!lessons.is_empty(), "{fact}: {error:?} did no harm");
    }
}
