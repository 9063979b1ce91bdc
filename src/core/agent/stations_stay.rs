//! Stations stay: a table for the next step, which crafts at one too; furnaces after the last step that smelts.
//!
//! Invariant: a table stays only if nothing that moves the body comes before its next use, furnaces only if nothing
//! needs one any more, as the plan stands.

use super::state::State;
use crate::domain::check::Check;
use crate::domain::plan::{Executor, Subgoal};
use crate::domain::run::profile::Selector;
use pithead_world::action::Action;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use pithead_world::recipe::{Recipe, recipes_for_spec, takes_table};

/// The order of this step, with what it works at left up if the plan gains by it.
pub(super) fn as_the_plan_goes_on(order: Action, step: &Subgoal, state: &State) -> Action {
    match order {
        Action::Craft { item, count, .. } if takes_table(item) => Action::Craft {
            item,
            count,
            table_stays: is_next_at_table(step, state),
        },
        Action::Smelt {
            item, count, fuel, ..
        } => Action::Smelt {
            item,
            count,
            fuel,
            furnaces_stay: no_furnace_is_needed(step, state),
        },
        other => other,
    }
}

/// The next step that does not craft in the hand crafts at a table. What the operator wants done goes before the plan.
fn is_next_at_table(step: &Subgoal, state: &State) -> bool {
    let waiting = state.acts.iter().chain(state.open_steps());
    let next = waiting
        .filter(|other| other.id != step.id)
        .find(|other| !crafts_in_hand(other));
    follows_the_plan(state) && next.is_some_and(crafts_at_table)
}

/// No other step smelts or makes something of a furnace, and none is to be held in the end.
fn no_furnace_is_needed(step: &Subgoal, state: &State) -> bool {
    let Some(furnace) = ItemId::named("furnace") else {
        return false;
    };
    let is_of_it = |item: ItemSpec| {
        let made_of =
            |recipe: &Recipe| recipe.ingredients.iter().any(|(of, _)| of.matches(furnace));
        item.matches(furnace) || recipes_for_spec(item).iter().any(made_of)
    };
    let needs = |other: &Subgoal| {
        other.executor_hint == Executor::Smelt || other.goal.object.is_some_and(is_of_it)
    };
    let is_held = |check: &Check| match check {
        Check::InvGe { item, .. } | Check::InvDeltaGe { item, .. } => item.matches(furnace),
        _ => false,
    };
    let mut checks = state
        .config()
        .into_iter()
        .flat_map(|config| &config.task.success);
    let mut others = state.acts.iter().chain(state.open_steps());
    !others.any(|other| other.id != step.id && needs(other)) && !checks.any(is_held)
}

/// The steps are begun in their order. Of alternatives only one is, and other selectors choose as things stand then.
fn follows_the_plan(state: &State) -> bool {
    let by_order = |selector| matches!(selector, Selector::First);
    let config = state.config();
    config.is_none_or(|config| by_order(config.profile.selector))
        && state.open_steps().all(|step| step.alternatives.is_none())
}

fn crafts_at_table(step: &Subgoal) -> bool {
    is_craft(step) && step.goal.object.is_some_and(takes_table)
}

fn crafts_in_hand(step: &Subgoal) -> bool {
    is_craft(step) && !crafts_at_table(step)
}

fn is_craft(step: &Subgoal) -> bool {
    step.executor_hint == Executor::Craft
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::node::Node;
    use crate::domain::plan::Plan;
    use crate::domain::samples::{config, item, subgoal};
    use pithead_world::ids::SubgoalId;

    /// A state with the plan of these steps (`craft stone_sword`), and its first step.
    fn planned(steps: &[&str]) -> (State, Subgoal) {
        let steps = (1..).zip(steps).map(|(n, words)| {
            let (verb, object) = words.split_once(' ').unwrap();
            let mut step = subgoal(n, object);
            step.executor_hint = match verb {
                "craft" => Executor::Craft,
                "smelt" => Executor::Smelt,
                _ => Executor::Mine,
            };
            step
        });
        let subgoals: Vec<Subgoal> = steps.collect();
        let first = subgoals[0].clone();
        let mut state = State::new();
        state.plan = Some(Plan {
            subgoals,
            ..Plan::default()
        });
        (state, first)
    }

    /// Whether what the first step works at stays up.
    fn stays_up(state: &State, first: &Subgoal) -> bool {
        let made = first.goal.object.unwrap();
        let order = match first.executor_hint {
            Executor::Smelt => Action::smelt(made, 1, None),
            _ => Action::craft(made, 1),
        };
        match as_the_plan_goes_on(order, first, state) {
            Action::Craft { table_stays, .. } => table_stays,
            Action::Smelt { furnaces_stay, .. } => furnaces_stay,
            other => panic!("{other:?}"),
        }
    }

    fn leaves_table(steps: &[&str], change: impl FnOnce(&mut State)) -> bool {
        let (mut state, first) = planned(steps);
        change(&mut state);
        stays_up(&state, &first)
    }

    fn stays(steps: &[&str]) -> bool {
        leaves_table(steps, |_| ())
    }

    #[test]
    fn the_table_stays_for_the_next_step_that_crafts_at_it_and_for_no_other() {
        assert!(stays(&["craft stone_pickaxe", "craft furnace"]));
        assert!(stays(&[
            "craft stone_pickaxe",
            "craft stick",
            "craft stone_sword"
        ]));
        assert!(!stays(&["craft stone_pickaxe"]));
        assert!(!stays(&["craft stone_pickaxe", "craft stick"]));
        assert!(!stays(&[
            "craft stone_pickaxe",
            "mine cobblestone",
            "craft furnace"
        ]));
        // In the hand there is no table to leave up.
        assert!(!stays(&["craft stick", "craft stone_sword"]));
    }

    #[test]
    fn what_comes_next_is_what_is_open_now() {
        let steps = ["craft stone_pickaxe", "mine cobblestone", "craft furnace"];
        let done = |n: u64| {
            move |state: &mut State| {
                let done = Node {
                    done: true,
                    ..Node::default()
                };
                state.nodes.insert(SubgoalId(n), done);
            }
        };
        assert!(leaves_table(&steps, done(2)));
        let steps = ["craft stone_pickaxe", "craft furnace"];
        assert!(!leaves_table(&steps, done(2)));
        // The operator's own step goes before the plan.
        let act = |state: &mut State| {
            let mut act = subgoal(9, "cobblestone");
            act.executor_hint = Executor::Mine;
            state.acts.push(act);
        };
        assert!(!leaves_table(&steps, act));
        // Of alternatives only one is begun.
        let alternative = |state: &mut State| {
            let plan = state.plan.as_mut().unwrap();
            for step in &mut plan.subgoals {
                step.alternatives = Some("either".to_owned());
            }
        };
        assert!(!leaves_table(&steps, alternative));
    }

    /// Whether furnaces stay after the first of these steps in a run for this goal.
    fn leaves_furnaces(steps: &[&str], goal: &str) -> bool {
        let (mut state, first) = planned(steps);
        let mut config = config();
        config.task.success = vec![Check::InvGe {
            item: item(goal),
            count: 1,
        }];
        state.config = Some(Box::new(config));
        stays_up(&state, &first)
    }

    #[test]
    fn furnaces_stay_if_nothing_needs_one_any_more() {
        let stays = |steps: &[&str]| leaves_furnaces(steps, "iron_pickaxe");
        assert!(stays(&["smelt iron_ingot", "craft iron_pickaxe"]));
        assert!(!stays(&[
            "smelt iron_ingot",
            "craft iron_pickaxe",
            "smelt gold_ingot"
        ]));
        assert!(!stays(&["smelt iron_ingot", "craft blast_furnace"]));
        assert!(!leaves_furnaces(&["smelt iron_ingot"], "furnace"));
    }

    #[test]
    fn orders_without_it_are_written_and_read_as_before() {
        let order = Action::craft(item("furnace"), 1);
        let written = serde_json::to_string(&order).unwrap();
        assert_eq!(written, r#"{"do":"craft","item":"furnace","count":1}"#);
        assert_eq!(serde_json::from_str::<Action>(&written).unwrap(), order);
        let order = Action::smelt(item("glass"), 1, None);
        let written = serde_json::to_string(&order).unwrap();
        assert_eq!(
            written,
            r#"{"do":"smelt","item":"glass","count":1,"fuel":null}"#
        );
        assert_eq!(serde_json::from_str::<Action>(&written).unwrap(), order);
    }
}
