//! The goal tree: the goals that the task was decomposed into, and the order in which they are reached (GITM).
//!
//! Invariant: no goal is asked about twice, and their number is bounded.

use super::state::State;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::mind::ask::TakenApart;
use crate::domain::plan::Goal;
use pithead_world::family::ItemSpec;

/// Levels below the task: a bound against answers that go ever deeper.
/// An answer a level deeper costs a question, so the bound is also one on the budget.
const DEPTH_MAX: usize = 12;

fn task_goal(state: &State) -> Option<Goal> {
    let task = &state.config()?.task;
    Some(Goal {
        object: Some(task.goal),
        count: task.count,
        material: None,
        tool: None,
        amount: None,
        info: None,
    })
}

/// The first goal, from the top, that is neither decomposed nor in the inventory.
pub(super) fn next_to_ask(state: &State) -> Option<Goal> {
    let limits = state.config()?.limits;
    // The number of goals bounds the questions, whatever the answers are.
    if state.goals.len() >= limits.goals_max {
        return None;
    }
    // A stack, so goals are asked about depth first; each with its level.
    let mut open = vec![(task_goal(state)?, 0)];
    let mut seen: Vec<ItemSpec> = Vec::new();
    while let Some((goal, depth)) = open.pop() {
        let Some(object) = goal.object.filter(|object| !seen.contains(object)) else {
            continue;
        };
        seen.push(object);
        match apart_of(state, object) {
            Some(apart) if depth < DEPTH_MAX => {
                // Reversed, so that the first of them is on top.
                let below = apart.before.iter().rev();
                open.extend(below.map(|goal| (goal.clone(), depth + 1)));
            }
            Some(_) => (),
            // What is held needs no goals below it. The task itself is asked about in any
            // case.
            None if depth > 0 && is_held(state, &goal) => (),
            None => return Some(goal),
        }
    }
    None
}

/// Whether the goal was not taken apart yet.
pub(super) fn is_new(state: &State, goal: &Goal) -> bool {
    goal.object
        .is_some_and(|object| apart_of(state, object).is_none())
}

fn apart_of(state: &State, object: ItemSpec) -> Option<&TakenApart> {
    state.goals.iter().find(|a| a.goal.object == Some(object))
}

fn is_held(state: &State, goal: &Goal) -> bool {
    let held = |frame: &pithead_world::observation::Frame, object| {
        StateSummary::from_frame(frame).inventory.count(object) >= goal.count
    };
    match (state.frame.as_deref(), goal.object) {
        (Some(frame), Some(object)) => held(frame, object),
        _ => false,
    }
}

/// The goals in post-order, each once. Counts that several goals need are added up, except those of tools,
/// of which one is enough.
pub(super) fn goals_in_order(state: &State) -> Vec<Goal> {
    let mut out = Vec::new();
    if let (Some(root), false) = (task_goal(state), state.goals.is_empty()) {
        visit_goal(state, &root, &mut Vec::new(), &mut out);
    }
    out
}

fn visit_goal(state: &State, goal: &Goal, path: &mut Vec<ItemSpec>, out: &mut Vec<Goal>) {
    let Some(object) = goal.object else { return };
    if path.contains(&object) || path.len() > DEPTH_MAX {
        return; // the answers of the mind go round in a circle
    }
    let apart = apart_of(state, object);
    if let Some(known) = out.iter_mut().find(|known| known.object == Some(object)) {
        // Wanted twice: both amounts are needed.
        known.count = known.count.saturating_add(goal.count);
        return;
    }
    path.push(object);
    for part in apart.iter().flat_map(|apart| &apart.before) {
        // A tool is not used up by one goal, so another need not add to it.
        let is_tool = apart.is_some_and(|apart| apart.goal.tool == part.object);
        let known = out.iter().any(|known| known.object == part.object);
        if !(is_tool && known) {
            visit_goal(state, part, path, out);
        }
    }
    // The path holds the goals above; a goal may occur in several branches, but not above
    // itself.
    path.pop();
    let full = apart.map_or(goal, |apart| &apart.goal);
    out.push(Goal {
        count: goal.count,
        ..full.clone()
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::{config, item};

    fn goal(name: &str, count: u32, tool: Option<&str>) -> Goal {
        Goal {
            object: Some(item(name)),
            count,
            material: None,
            tool: tool.map(item),
            amount: None,
            info: None,
        }
    }

    fn told(goals: &[Goal]) -> Vec<String> {
        let tell = |goal: &Goal| format!("{} {}", goal.count, goal.object.unwrap());
        goals.iter().map(tell).collect()
    }

    #[test]
    fn each_goal_comes_once_and_after_the_goals_it_needs() {
        let mut state = State::new();
        let mut config = config();
        config.task = crate::domain::plan::task::Task::to_have(item("stone_pickaxe"), 1);
        state.config = Some(Box::new(config));
        let mut add = |goal: Goal, before: Vec<Goal>| {
            state.goals.push(TakenApart { goal, before });
        };
        add(
            goal("stone_pickaxe", 1, Some("crafting_table")),
            vec![
                goal("cobblestone", 3, None),
                goal("stick", 2, None),
                goal("crafting_table", 1, None),
            ],
        );
        add(
            goal("cobblestone", 3, Some("wooden_pickaxe")),
            vec![goal("wooden_pickaxe", 1, None)],
        );
        add(
            goal("wooden_pickaxe", 1, Some("crafting_table")),
            vec![
                goal("stick", 2, None),
                goal("crafting_table", 1, None),
                // A circle, which a confused model may well answer.
                goal("stone_pickaxe", 1, None),
            ],
        );
        assert_eq!(
            told(&goals_in_order(&state)),
            [
                "4 stick",
                "1 crafting_table",
                "1 wooden_pickaxe",
                "3 cobblestone",
                "1 stone_pickaxe"
            ]
        );
        assert_eq!(next_to_ask(&state).unwrap().object, Some(item("stick")));
    }
}
