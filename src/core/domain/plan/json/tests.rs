//! Plans of the paper, faults with their paths, and the round trip.

use super::*;
use crate::domain::condition::arbitrary::{checks, items};
use crate::domain::plan::{Executor, Goal, Mode, Subgoal, TaskKind};
use proptest::prelude::*;
use proptest::sample::select;

#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(parse_plan(text).unwrap_err().to_string(), expected);
}

/// A plan around one subgoal's fields.
fn one(fields: &str) -> String {
    format!(r#"{{"subgoals":[{{"task_kind":"mine",{fields}}}]}}"#)
}

#[test]
fn the_plan_card_of_the_paper_is_read() {
    let text = r#"{"plan_id":"p_0001","subgoals":[
        {"subgoal_id":"sg_001","condition":"mine logs","timeout_s":60,"task_kind":"mine",
         "executor_hint":"stevei","mode":"move","checks":[{"type":"inv_ge","item":"log","n":3},{"type":"path_clear"}]},
        {"subgoal_id":"sg_002","task_kind":"craft","executor_hint":"mcu_craft",
         "checks":[{"type":"inv_ge","item":"minecraft:crafting_table"}],"needs":["sg_1"]}],
        "global_constraints":[]}"#;
    let (plan, notes) = parse_plan(text).unwrap();
    let told: Vec<String> = plan
        .subgoals
        .iter()
        .map(|s| {
            format!(
                "{} {} {}s {} {:?}",
                s.id,
                s.label(),
                s.timeout_s,
                s.checks[0].describe(),
                s.needs
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "sg_1 mine #logs ×3 60s inv_ge #logs 3 []",
            "sg_2 craft crafting_table 40s inv_ge crafting_table 1 [SubgoalId(1)]",
        ]
    );
    assert_eq!(notes.len(), 1);
    assert_eq!(
        notes[0].text,
        "subgoals[0].checks[1].type `path_clear` cannot be observed here; it is left out."
    );
}

#[test]
fn faults_name_the_path_and_what_was_expected() {
    refused("[]", "plan: expected an object, found a list");
    refused(
        "{",
        "line 1 column 1: not JSON: EOF while parsing an object at line 1 column 1",
    );
    refused("{}", "subgoals: expected a list, found nothing");
    refused(
        r#"{"subgoals":[]}"#,
        "subgoals: expected 1 to 120 entries, found 0",
    );
    refused(
        &one(r#""checks":[{"check":"inv_ge","item":"coal","count":"three"}]"#),
        r#"subgoals[0].checks[0].count: expected a whole number, found "three""#,
    );
    refused(
        &one(r#""checks":[{"check":"inv_ge","item":"iron_pickax"}]"#),
        "subgoals[0].checks[0].item: `iron_pickax` is no item; did you mean iron_pickaxe?",
    );
    refused(
        &one(r#""checks":[]"#),
        "subgoals[0].checks: expected at least one check, found nothing",
    );
    refused(
        &one(r#""checks":[{"item":"coal"}]"#),
        &format!("subgoals[0].checks[0].check: expected {KINDS}, found nothing"),
    );
    refused(
        &one(r#""checks":[{"check":"inv_ge","item":"coal"}],"needs":["sg_9"]"#),
        r#"subgoals[0].needs[0]: expected the subgoal_id of one of the subgoals, found "sg_9""#,
    );
    refused(
        &one(r#""checks":[{"check":"inv_ge","item":"coal"}],"timeout_s":0"#),
        "subgoals[0].timeout_s: expected a whole number from 1 to 3600, found 0",
    );
    let twice = r#"{"subgoals":[{"subgoal_id":"a","task_kind":"wait","goal":{"amount":9}},{"subgoal_id":"a"}]}"#;
    refused(
        twice,
        r#"subgoals[1].subgoal_id: expected an id that no other subgoal has, found "a""#,
    );
    refused(
        &" ".repeat(TEXT_MAX + 1),
        "plan: at most 1048576 bytes, found 1048577",
    );
}

const KINDS: &str = "inv_ge, inv_lt, inv_delta_ge, crafted_ge, equipped, near, ypos_le, ypos_ge, gui_open, \
     gui_closed, furnace_ge, container_ge, world_time or built";

#[test]
fn foreign_ids_are_renumbered_and_unknown_fields_told() {
    let text = r#"{"mood":"good","subgoals":[
        {"id":"get wood","task_kind":"mine","goal":{"object":"wood","count":2}},
        {"id":"sg_1","task_kind":"craft","goal":{"object":"planks"},"needs":["get wood"],"parent":"get wood","hurry":true}]}"#;
    let (plan, notes) = parse_plan(text).unwrap();
    let ids: Vec<u64> = plan.subgoals.iter().map(|s| s.id.0).collect();
    assert_eq!(
        (ids, plan.subgoals[1].needs[0].0, plan.subgoals[1].parent),
        (vec![2, 1], 2, Some(SubgoalId(2)))
    );
    let told: Vec<&str> = notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(
        told,
        [
            "subgoals[1].hurry is not a field of PlanJSON; it is not used.",
            "mood is not a field of PlanJSON; it is not used."
        ]
    );
}

fn goals() -> impl Strategy<Value = Goal> {
    use proptest::option::of;
    (
        of(items()),
        0..9_u32,
        of(items()),
        of(items()),
        of(-9..99_i64),
        of("[a-z ]{1,9}"),
    )
        .prop_map(|(object, count, material, tool, amount, info)| Goal {
            object,
            count,
            material,
            tool,
            amount,
            info,
        })
}

fn subgoals() -> impl Strategy<Value = Subgoal> {
    let head = (
        "\\PC{1,20}x",
        select(TaskKind::ALL.to_vec()),
        select(Executor::ALL.to_vec()),
        any::<bool>(),
    );
    let tail = (
        1..3_600_u32,
        proptest::collection::vec(checks(), 1..4),
        goals(),
        proptest::option::of("\\PC{0,9}"),
    );
    (head, tail).prop_map(
        |((condition, task_kind, executor_hint, stay), (timeout_s, checks, goal, rationale))| {
            Subgoal {
                id: SubgoalId(0),
                condition,
                task_kind,
                executor_hint,
                mode: if stay { Mode::Stay } else { Mode::Move },
                timeout_s,
                checks,
                needs: Vec::new(),
                parent: None,
                alternatives: rationale.clone(),
                goal,
                rationale,
                follows: Vec::new(),
                asserts: Vec::new(),
                expectation: None,
            }
        },
    )
}

pub(in crate::domain::plan) fn plans() -> impl Strategy<Value = Plan> {
    let rows = proptest::collection::vec((subgoals(), 1..5_u64), 1..6);
    (rows, proptest::collection::vec("\\PC{0,9}", 0..3)).prop_map(|(rows, global_constraints)| {
        let mut plan = Plan {
            plan_id: "p_7".to_owned(),
            global_constraints,
            ..Plan::default()
        };
        let mut id = SubgoalId(0);
        for (mut subgoal, step) in rows {
            subgoal.needs = plan
                .subgoals
                .last()
                .map(|last| last.id)
                .into_iter()
                .collect();
            subgoal.parent = plan.subgoals.first().map(|first| first.id);
            id = SubgoalId(id.0 + step);
            subgoal.id = id;
            plan.subgoals.push(subgoal);
        }
        plan
    })
}

proptest! {
    #[test]
    fn reading_what_was_written_gives_the_plan(plan in plans()) {
        let (read, notes) = parse_plan(&plan_text(&plan)).unwrap();
        prop_assert_eq!(read, plan);
        prop_assert_eq!(notes, []);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,60}|[\\[\\]{}\":,a-z0-9]{0,60}") {
        let _ = parse_plan(&text);
        let _ = parse_plan(&one(&text));
    }
}
