//! Goals: which goal is planned for now, when it is reached, and when it is given up (GITM).
//!
//! Invariant: a goal is reached once, in the order of the tree, and asked about a bounded number of times.

use super::ending;
use crate::agent::goal_tree;
use crate::agent::state::State;
use crate::agent::turn::Turn;
use crate::domain::mind::plan_part::{GoalPart, PlanPart};
use crate::domain::plan::Goal;
use crate::domain::plan::form::PlanForm;
use crate::domain::run::event::Event;
use crate::domain::run::outcome::Outcome;
use crate::text::numbers::format_times;
use pithead_world::wiki::page_about;

/// The goal that is planned for: the first of the tree that was not reached, at last the task itself. None in systems
/// that plan for the whole task.
pub(in crate::agent) fn current_goal(state: &State) -> Option<Goal> {
    let config = state.config()?;
    if config.profile.form != PlanForm::EachGoal {
        return None;
    }
    let reached = &state.goal_progress.reached;
    let mut goals = goal_tree::goals_in_order(state).into_iter();
    goals.find(|goal| goal.object.is_some_and(|object| !reached.contains(&object)))
}

/// States the goals that are held now, in their order; true if there was one.
pub(in crate::agent) fn passes_goals(turn: &mut Turn<'_>) -> bool {
    let mut passes = false;
    while let Some(goal) = current_goal(turn.state()).filter(|goal| is_held(turn.state(), goal)) {
        turn.say(Event::GoalReached { goal });
        passes = true;
    }
    passes
}

/// The checks of the task decide about the task itself.
fn is_held(state: &State, goal: &Goal) -> bool {
    let (Some(config), Some(frame)) = (state.config(), state.frame.as_deref()) else {
        return false;
    };
    let object = goal.object.filter(|object| *object != config.task.goal);
    object.is_some_and(|object| frame.inventory.count(object) >= goal.count)
}

/// What the question about the present goal holds besides the usual.
pub(in crate::agent) fn goal_part(state: &State) -> Option<Box<PlanPart>> {
    let goal = current_goal(state)?;
    let reads = state.config()?.profile.wiki;
    let progress = &state.goal_progress;
    Some(Box::new(PlanPart::Goal(Box::new(GoalPart {
        question: progress.questions + 1,
        feedback: progress.feedback.clone(),
        pages: goal
            .object
            .filter(|_| reads)
            .and_then(page_about)
            .into_iter()
            .collect(),
        goal,
    }))))
}

/// Ends the run if the present goal was asked about as often as it may be.
pub(in crate::agent) fn is_asked_out(turn: &mut Turn<'_>) -> bool {
    let state = turn.state();
    let questions_max = turn.config().limits.goal_questions_max;
    let Some(goal) = current_goal(state).filter(|_| state.goal_progress.questions >= questions_max)
    else {
        return false;
    };
    let what = goal.object.map_or(String::new(), |o| o.to_string());
    let because = format!(
        "{} {what} was asked about {}",
        goal.count,
        format_times(questions_max)
    );
    ending::end_run(turn, Outcome::Failure, because);
    true
}
