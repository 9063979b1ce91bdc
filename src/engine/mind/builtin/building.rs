//! Buildings: a task to build by a blueprint, taken apart into getting its material and putting it up.
//!
//! What a blueprint takes is written in it, so there is nothing to believe about it. Invariant: of a building that was
//! begun only what is missing is got.

use super::subgoals;
use pithead_core::domain::check::Check;
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_core::domain::mind::ask::PlanAsk;
use pithead_core::domain::plan::building::{BUILD_TIMEOUT_S, built_by};
use pithead_core::domain::plan::{Plan, Subgoal};
use pithead_world::blueprint::{Blueprint, BlueprintName, BuildSight};
use pithead_world::family::ItemSpec;

/// What of the material is still to be put down; none if nobody knows the blueprint.
fn material(ask: &PlanAsk, name: &BlueprintName) -> Option<Vec<(ItemSpec, u32)>> {
    match BuildSight::of_name(&ask.state.builds, name) {
        Some(begun) => Some(begun.lacks.clone()),
        None => ask.task.blueprint(name).map(Blueprint::material),
    }
}

/// The same task with the material of its buildings in their place; none if nothing is to be built.
pub(super) fn for_material(ask: &PlanAsk) -> Option<PlanAsk> {
    built_by(&ask.task).next()?;
    let mut smaller = ask.clone();
    let is_other = |check: &Check| !matches!(check, Check::Built { .. });
    smaller.task.success.retain(is_other);
    let mut wanted: Vec<(ItemSpec, u32)> = Vec::new();
    let all = built_by(&ask.task).filter_map(|name| material(ask, name));
    for (item, count) in all.flatten() {
        match wanted.iter_mut().find(|(known, _)| *known == item) {
            Some((_, all)) => *all += count,
            None => wanted.push((item, count)),
        }
    }
    let checks = wanted.into_iter();
    let checks = checks.map(|(item, count)| Check::InvGe { item, count });
    smaller.task.success.extend(checks);
    smaller.task.any = false;
    Some(smaller)
}

/// Puts the buildings up when their material is there.
pub(super) fn add_buildings(plan: &mut Plan, ask: &PlanAsk) {
    for name in built_by(&ask.task) {
        let mut taken: Vec<_> = ask.done.iter().map(|step| step.id).collect();
        taken.extend(plan.subgoals.iter().map(|step| step.id));
        let parts = material(ask, name).unwrap_or_default();
        let is_part = |step: &&Subgoal| {
            let made = step.goal.object;
            made.is_some_and(|made| parts.iter().any(|(part, _)| overlaps(made, *part)))
        };
        let needs = plan.subgoals.iter().filter(is_part).map(|step| step.id);
        let words: Vec<String> = parts
            .iter()
            .map(|(item, n)| format!("{n} {item}"))
            .collect();
        plan.subgoals.push(Subgoal {
            needs: needs.collect(),
            timeout_s: BUILD_TIMEOUT_S,
            rationale: Some(format!("the blueprint takes {}", words.join(", "))),
            ..subgoals::to_build(name, &taken)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::Builtin;
    use super::super::errors::Level;
    use super::super::sim::Sim;
    use super::super::tests::plan_ask;
    use super::*;
    use pithead_core::domain::plan::Executor;
    use pithead_core::domain::plan::task::Task;
    use pithead_world::space::Pos;

    fn ask_for(task: &str) -> PlanAsk {
        plan_ask(task, &Sim::new(""))
    }

    fn labels(ask: &PlanAsk) -> Vec<String> {
        let plan = Builtin::new(Level::Expert, 1).whole(ask, &[]).unwrap();
        plan.subgoals.iter().map(Subgoal::label).collect()
    }

    #[test]
    fn the_material_is_got_first_and_put_up_then() {
        let mut ask = ask_for("build a shelter");
        let steps = labels(&ask);
        assert_eq!(steps.last().map(String::as_str), Some("build shelter"));
        assert!(
            steps
                .iter()
                .any(|step| step.starts_with("craft #planks") || step.contains("planks ×")),
            "{steps:?}"
        );
        ask.state.inventory = "oak_planks=38".parse().unwrap();
        assert_eq!(labels(&ask), ["build shelter"]);
    }

    #[test]
    fn of_what_was_begun_only_the_rest_is_got() {
        let mut ask = ask_for("build a shelter");
        ask.state.inventory = "oak_planks=10".parse().unwrap();
        ask.state.builds = vec![BuildSight {
            blueprint: "shelter".parse().unwrap(),
            at: Pos::new(0, 64, 0),
            stands: 28,
            of: 38,
            filled: 0,
            lacks: vec![("#planks".parse().unwrap(), 10)],
        }];
        assert_eq!(labels(&ask), ["build shelter"]);
    }

    #[test]
    fn a_task_without_a_building_is_left_as_it_is() {
        let ask = ask_for("craft a bucket");
        assert_eq!(for_material(&ask), None);
        let mut golem = ask_for("build an iron golem");
        golem.state.inventory = "iron_ingot=36, carved_pumpkin=1, crafting_table=1"
            .parse()
            .unwrap();
        assert_eq!(labels(&golem), ["craft iron_block ×4", "build iron_golem"]);
        assert_eq!(
            golem.task.success.len(),
            Task::parse("build an iron golem").unwrap().success.len()
        );
        let plan = Builtin::new(Level::Expert, 1).whole(&golem, &[]).unwrap();
        assert_eq!(plan.subgoals[1].executor_hint, Executor::Build);
        assert_eq!(plan.subgoals[1].needs, [plan.subgoals[0].id]);
    }
}
