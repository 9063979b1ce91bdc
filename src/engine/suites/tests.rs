//! The suites hold what the papers list, and nothing that does not exist.

use super::*;
use pithead_world::how::how;
use pithead_world::reach::{Nature, obtainable};
use std::collections::BTreeSet;

#[test]
fn every_suite_has_its_number_of_tasks_with_ids_of_their_own() {
    let counts = SuiteName::ALL.map(|name| name.suite().tasks.len());
    // deps71: the union of all lists of the paper and its release.
    assert_eq!(counts, [70, 76, 50, 262, 36, 3]);
    for name in SuiteName::ALL {
        let suite = name.suite();
        assert_eq!(suite.name, name);
        let ids: BTreeSet<&str> = suite.tasks.iter().map(|task| task.id.as_str()).collect();
        assert_eq!(ids.len(), suite.tasks.len());
        assert!(ids.iter().all(|id| id.starts_with(name.name())));
        assert_eq!(name.name().parse(), Ok(name));
    }
}

#[test]
fn every_task_asks_for_items_within_a_budget() {
    for task in SuiteName::ALL.iter().flat_map(|name| &name.suite().tasks) {
        assert!(
            !task.accept.is_empty() && task.accept.iter().all(|spec| !spec.members().is_empty())
        );
        let all_at_once = task.success.len() == 1;
        assert!(
            all_at_once || task.success.len() == task.accept.len(),
            "{}",
            task.id
        );
        assert!(task.count >= 1 && task.budget_ticks >= 1000, "{}", task.id);
        let Task {
            text,
            goal,
            count,
            success,
            any,
            note: _,
            blueprints: _,
        } = task.task();
        assert_eq!(any, task.id.starts_with("parallel/or/"));
        assert_eq!(
            (text, goal, count),
            (task.instruction.clone(), task.accept[0], task.count)
        );
        let builds = matches!(success.as_slice(), [Check::Built { .. }]);
        assert_eq!(builds, task.id.starts_with("blueprints/"));
        assert!(builds || success.contains(&Check::InvGe { item: goal, count }));
        assert_eq!(task.budget().ticks, task.budget_ticks);
    }
}

#[test]
fn groups_have_the_sizes_of_the_papers() {
    let sizes = |name: SuiteName| {
        let mut sizes: Vec<(&str, usize)> = Vec::new();
        for task in &name.suite().tasks {
            match sizes.iter_mut().find(|(group, _)| *group == task.group) {
                Some((_, size)) => *size += 1,
                None => sizes.push((&task.group, 1)),
            }
        }
        sizes
    };
    let mcu = [
        ("Wooden", 11),
        ("Stone", 10),
        ("Iron", 16),
        ("Gold", 7),
        ("Redstone", 6),
        ("Diamond", 7),
        ("Armor", 13),
    ];
    assert_eq!(sizes(SuiteName::Mcu70), mcu);
    assert!(
        sizes(SuiteName::Metagent50)
            .iter()
            .all(|(_, size)| *size == 10)
    );
    assert_eq!(sizes(SuiteName::Deps71)[0], ("MT1 Basic", 14));
}

#[test]
fn doubts_stay_visible() {
    let task = |suite: SuiteName, instruction: &str| {
        suite
            .suite()
            .tasks
            .iter()
            .find(|task| task.instruction == instruction)
            .unwrap()
    };
    let trade = task(SuiteName::Mcu70, "trade with villager for iron ingot");
    assert!(
        trade
            .feasible
            .as_ref()
            .is_err_and(|why| why.contains("villager"))
    );
    assert!(!task(SuiteName::Mcu70, "wash leather chestplate in cauldron").decidable);
    let smelt = task(SuiteName::Mcu70, "smelt iron ingot");
    assert_eq!(smelt.success[0].len(), 2, "had and made");
    assert_eq!(smelt.aids.biome.as_deref(), Some("plains"));
    let table = task(SuiteName::Metagent50, "craft carpentry table");
    assert!(table.feasible.is_err() && table.accept.len() == 2);
    let infeasible = |name: SuiteName| {
        name.suite()
            .tasks
            .iter()
            .filter(|t| t.feasible.is_err())
            .count()
    };
    assert_eq!(SuiteName::ALL.map(infeasible), [4, 1, 3, 0, 0, 0]);
    let json = serde_json::to_value(trade).unwrap();
    assert!(json["infeasible"].is_string() && json["success"][0][0]["check"] == "inv_ge");
}

#[test]
fn every_feasible_task_can_be_done_by_the_tables_alone() {
    let have = obtainable(&Nature::overworld());
    let is_had = |spec: &ItemSpec| spec.members().iter().any(|item| have.contains(item));
    for name in SuiteName::ALL {
        let tasks = name.suite().tasks.iter();
        let missing: Vec<&str> = tasks
            .filter(|task| task.feasible.is_ok() && !task.accept.iter().any(is_had))
            .map(|task| task.instruction.as_str())
            .collect();
        assert_eq!(missing, [""; 0], "{}", name.name());
    }
}

#[test]
fn what_can_be_had_says_how() {
    let wanted = SuiteName::ALL.iter().flat_map(|name| &name.suite().tasks);
    let wanted = wanted.filter(|task| task.feasible.is_ok());
    for task in wanted {
        let told = |spec: &ItemSpec| spec.members().iter().any(|item| !how(*item).is_empty());
        assert!(task.accept.iter().any(told), "{}", task.id);
    }
}
