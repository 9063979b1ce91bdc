//! Which drafts of a model are accepted: those that agree with every attempt of the run.

use super::*;
use crate::domain::knowledge::RuleRecord;
use crate::domain::plan::TaskKind;
use crate::domain::plan::task::Task;
use crate::domain::samples::{experience, item};
use crate::knowledge::rule_scores;

/// Three steps: two logs, planks of them, sticks of the planks.
fn course() -> Vec<Experience> {
    let step = |n: u64, kind: TaskKind, name: &str, changed: &[(&str, i64)], used: &str| {
        let mut step = experience(1, n, name, true);
        step.action.id = SubgoalId(n);
        step.action.task_kind = kind;
        step.action.condition = format!("{} {name}", kind.name());
        let delta = &mut step.diagnosis.delta;
        delta.inventory = changed
            .iter()
            .map(|(i, n)| (i.parse().unwrap(), *n))
            .collect();
        delta.used = used.parse().unwrap();
        step.pre.inventory = pithead_world::counts::Counts::default();
        step
    };
    let mut course = vec![
        step(1, TaskKind::Mine, "oak_log", &[("oak_log", 2)], ""),
        step(2, TaskKind::Mine, "dirt", &[("dirt", 1)], ""),
        step(
            3,
            TaskKind::Craft,
            "oak_planks",
            &[("oak_log", -2), ("oak_planks", 8)],
            "oak_log=2",
        ),
        step(
            4,
            TaskKind::Craft,
            "stick",
            &[("oak_planks", -2), ("stick", 4)],
            "oak_planks=2",
        ),
    ];
    course[1].pre.inventory = "oak_log=2".parse().unwrap();
    course[2].pre.inventory = "oak_log=2,dirt=1".parse().unwrap();
    course[3].pre.inventory = "oak_planks=8,dirt=1".parse().unwrap();
    course[3].post.inventory = "oak_planks=6,stick=4,dirt=1".parse().unwrap();
    course
}

fn skill_of(requires: &str, steps: &[&str]) -> Result<Distilled, String> {
    let course = course();
    let done: Vec<Subgoal> = course.iter().map(|e| e.action.clone()).collect();
    let draft = SkillDraft {
        requires: requires.parse().unwrap(),
        steps: steps.iter().map(|id| (*id).to_owned()).collect(),
    };
    checked_skill(&draft, &Task::to_have(item("stick"), 4), &done, &course)
}

#[test]
fn a_skill_may_omit_detours_but_no_step_whose_items_are_used_up_later() {
    let made = skill_of("always", &["sg_001", "sg_003", "sg_004"]).unwrap();
    assert_eq!((made.skill.steps.len(), made.experiences.len()), (3, 3));
    assert_eq!(made.skill.effects.get(&item("stick")), Some(&4));
    for (requires, steps, fault) in [
        (
            "always",
            &["sg_001", "sg_004"][..],
            "leave 0: name the step",
        ),
        ("always", &["sg_001", "sg_003"], "do not end with stick"),
        ("always", &["sg_003", "sg_001"], "came before"),
        ("always", &["sg_009"], "no step of the record"),
        ("always", &[], "found none"),
        (
            "inv diamond >= 1",
            &["sg_001", "sg_003", "sg_004"],
            "did not hold",
        ),
        ("always", &["sg_003", "sg_004"], "use up 2 #logs"),
    ] {
        let found = skill_of(requires, steps).unwrap_err();
        assert!(found.contains(fault), "{steps:?}: {found}");
    }
    let narrow = skill_of("inv #logs >= 2", &["sg_003", "sg_004"]).unwrap();
    assert_eq!(narrow.skill.requires.to_string(), "inv #logs >= 2");
}

fn rule(when: &str, then: Check) -> Result<Rule, String> {
    let draft = RuleDraft {
        when: when.parse().unwrap(),
        then,
        because: String::new(),
    };
    checked_rule(draft, &course())
}

#[test]
fn a_rule_that_a_success_contradicts_is_refused() {
    let have = |name: &str, count| Check::InvGe {
        item: item(name),
        count,
    };
    let good = rule("subgoal is craft and target stick", have("#planks", 2)).unwrap();
    let record = rule_scores::record_in(&good.when, &good.then, &course());
    let scores = rule_scores::score(&good.when, &good.then, record);
    // It went well with planks; that it takes them, no failure has shown yet.
    assert!(record.met_done > 0 && !Rule { scores, ..good }.is_admitted());
    let vague = rule("subgoal is craft", have("#logs", 1)).unwrap_err();
    assert!(vague.contains("went well without it"), "{vague}");
    for (when, fault) in [
        ("always", "neither a kind"),
        ("never", "can never hold"),
        ("inv stick >= 3", "neither a kind"),
    ] {
        let found = rule(when, have("stick", 1)).unwrap_err();
        assert!(found.contains(fault), "{found}");
    }
}

#[test]
fn scores_weigh_as_published() {
    let rule = Rule {
        when: Condition::always(),
        then: Condition::from(Check::GuiClosed),
        scores: [1.0, 0.5, 0.25],
        record: RuleRecord::default(),
    };
    assert!((rule.total() - 0.55).abs() < 1e-9);
}

#[test]
fn reflections_are_validated_strictly() {
    let read = |text: &str| parse_reflection(text).map(|(said, _)| said);
    let good = read(
        "{\"deadlock\":\"no fuel\",\"missing\":[{\"have\":{\"item\":\"coal\",\"count\":1}}],\"confidence\":0.2}",
    );
    assert_eq!(good.unwrap().missing.len(), 1);
    for text in [
        "{\"deadlock\":\" \"}",
        "{\"deadlock\":\"x\",\"confidence\":7}",
        "{\"deadlock\":\"x\",\"missing\":[{\"have\":{\"item\":\"mystic orb\",\"count\":1}}]}",
        "",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}
