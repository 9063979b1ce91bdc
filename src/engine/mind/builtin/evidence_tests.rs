//! Evidence in plans: what was tried changes the way, the time and the arms, and nothing else does.

use super::beliefs::Beliefs;
use super::errors::{Error, Fact};
use super::planner;
use super::sim::Sim;
use super::tests::{expert, plan_ask, words};
use pithead_core::domain::experience::circumstance::Circumstance;
use pithead_core::domain::experience::option::{OptionKey, OptionRecord, TriedOptions, Tries};
use pithead_core::domain::plan::{Executor, Plan, TaskKind};

fn record(way: Executor, target: &str, all: Tries) -> OptionRecord {
    OptionRecord {
        all,
        ..OptionRecord::new(OptionKey {
            kind: way.kind(),
            target: target.parse().unwrap(),
            way,
        })
    }
}

fn tries(tried: f64, pieces: f64, ticks: f64) -> Tries {
    Tries {
        tried,
        done: pieces.min(tried),
        died: 0.0,
        pieces,
        ticks,
    }
}

fn plan(task: &str, records: &[OptionRecord]) -> Plan {
    let mut ask = plan_ask(task, &Sim::new(""));
    ask.options = TriedOptions::from_records(records);
    planner::plan(&expert(), &ask).unwrap()
}

#[test]
fn a_way_that_gave_nothing_is_left_for_another() {
    let plain = words(&plan("craft 4 torches", &[]));
    assert!(plain.contains("mine 1 coal"), "{plain}");
    let in_vain = record(Executor::Mine, "coal", tries(4.0, 0.0, 12_000.0));
    let other = words(&plan("craft 4 torches", &[in_vain]));
    assert!(
        other.contains("smelt 1 #coals") && !other.contains("mine 1 coal"),
        "{other}"
    );
    // Once it was got quickly as often, it is taken again.
    let quick = record(Executor::Mine, "coal", tries(40.0, 60.0, 20_000.0));
    assert_eq!(words(&plan("craft 4 torches", &[quick])), plain);
}

#[test]
fn one_of_a_family_is_not_preferred_because_it_was_tried_less() {
    let plain = words(&plan("craft 1 wooden_pickaxe", &[]));
    assert!(plain.contains("#logs"), "{plain}");
    let known = [
        record(Executor::Mine, "#logs", tries(205.0, 569.0, 88_715.0)),
        record(Executor::Mine, "oak_log", tries(10.0, 15.0, 9_786.0)),
        record(Executor::Mine, "spruce_log", tries(1.0, 2.0, 178.0)),
    ];
    assert_eq!(words(&plan("craft 1 wooden_pickaxe", &known)), plain);
}

#[test]
fn a_step_gets_the_time_that_its_like_took() {
    let timeout = |records: &[OptionRecord]| {
        let plan = plan("get 10 logs", records);
        // The logs for an axe come before them.
        let mut steps = plan.subgoals.iter();
        let step = steps.rfind(|s| s.task_kind == TaskKind::Mine && s.goal.count == 10);
        step.unwrap().timeout_s
    };
    let set = timeout(&[]);
    let mut known = record(Executor::Mine, "#logs", tries(6.0, 60.0, 3_600.0));
    known
        .by
        .insert(Circumstance::Took(64), tries(6.0, 60.0, 3_600.0));
    // 64 · √2 ticks a piece, ten pieces, twice as long.
    let learnt = timeout(&[known.clone()]);
    assert_eq!((learnt, learnt < set), (91, true));
    // Four tries say too little.
    known.all.done = 4.0;
    assert_eq!(timeout(&[known]), set);
}

#[test]
fn arms_are_made_for_what_killed_the_unarmed() {
    let sword = |known: OptionRecord| words(&plan("get 1 leather", &[known])).contains("sword");
    let mut known = record(Executor::Attack, "leather", tries(20.0, 20.0, 8_000.0));
    assert!(!sword(known.clone()));
    let died = |died: f64| Tries {
        died,
        ..tries(20.0, 20.0, 8_000.0)
    };
    known.by.insert(Circumstance::Unarmed, died(6.0));
    assert!(sword(known.clone()));
    known.by.insert(Circumstance::Armed, died(12.0));
    assert!(!sword(known), "a sword did not help");
}

#[test]
fn a_search_goes_to_the_height_at_which_it_paid() {
    let diamond = "diamond".parse().unwrap();
    let too_high = Beliefs::wrong_in(&[(Fact::Depth(diamond), Error::Higher(30))]);
    let dug_to = |records: &[OptionRecord]| {
        let mut ask = plan_ask("get 1 diamond", &Sim::new("iron_pickaxe=1"));
        ask.options = TriedOptions::from_records(records);
        let plan = planner::plan(&too_high, &ask).unwrap();
        let down = plan
            .subgoals
            .iter()
            .find(|s| s.executor_hint == Executor::DigDown);
        down.and_then(|step| step.goal.amount)
    };
    let believed = dug_to(&[]).unwrap();
    assert!(believed > 30, "{believed}");
    let mut known = record(Executor::Mine, "diamond", tries(8.0, 6.0, 30_000.0));
    let high = Circumstance::SearchedFrom(believed.div_euclid(16) as i32 * 16);
    known.by.insert(high.clone(), tries(4.0, 0.0, 24_000.0));
    known
        .by
        .insert(Circumstance::SearchedFrom(0), tries(4.0, 6.0, 6_000.0));
    assert_eq!(dug_to(&[known.clone()]), Some(11));
    // Two tries there say too little, and where it pays nothing changes.
    known
        .by
        .insert(Circumstance::SearchedFrom(0), tries(2.0, 3.0, 3_000.0));
    assert_eq!(dug_to(&[known.clone()]), Some(believed));
    known
        .by
        .insert(Circumstance::SearchedFrom(0), tries(4.0, 6.0, 6_000.0));
    known.by.insert(high.clone(), tries(4.0, 6.0, 6_000.0));
    assert_eq!(dug_to(&[known.clone()]), Some(believed));
    // Nothing speaks against a height at which nobody has searched.
    known.by.remove(&high);
    assert_eq!(dug_to(&[known]), Some(believed));
}

#[test]
fn food_and_a_bed_are_taken_along_where_those_without_have_died() {
    let planned = |known: OptionRecord, inventory: &str| {
        let mut ask = plan_ask("get 1 iron ore", &Sim::new(inventory));
        ask.options = TriedOptions::from_records(&[known]);
        words(&planner::plan(&expert(), &ask).unwrap())
    };
    let kit = "stone_pickaxe=3,stick=12,stone_sword=1";
    let died = |died: f64| Tries {
        died,
        ..tries(20.0, 20.0, 8_000.0)
    };
    let plain = record(Executor::Mine, "iron_ore", tries(20.0, 20.0, 8_000.0));
    let usual = planned(plain.clone(), kit);
    assert!(!usual.contains("hunt") && !usual.contains("bed"), "{usual}");
    let mut hungry = plain.clone();
    hungry.by.insert(Circumstance::WithoutFood, died(6.0));
    let fed = planned(hungry.clone(), kit);
    assert!(fed.contains("hunt for 3 "), "{fed}");
    // Who carries some goes as usual.
    assert_eq!(planned(hungry.clone(), &format!("{kit},apple=2")), usual);
    hungry.by.insert(Circumstance::WithFood, died(12.0));
    assert_eq!(planned(hungry, kit), usual, "food did not help");
    let mut dark = plain;
    dark.by.insert(Circumstance::WithoutBed, died(6.0));
    assert_eq!(planned(dark.clone(), kit), usual, "the nights did not kill");
    dark.by.insert(Circumstance::Night, died(6.0));
    let slept = planned(dark.clone(), kit);
    assert!(slept.contains("bed"), "{slept}");
    dark.by.insert(Circumstance::WithBed, died(9.0));
    assert_eq!(planned(dark, kit), usual, "a bed did not help");
}
