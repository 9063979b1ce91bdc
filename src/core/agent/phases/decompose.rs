//! Decompose: the task is split into goals before there is a plan (GITM).
//!
//! A question is about one goal. The answer may take it apart by one level, and then the next question is about the
//! level below; or by all levels, and then nothing is left to ask.
//! Invariant: only the first plan is preceded by it; a replan works with the goals there are.

use crate::agent::goal_tree;
use crate::agent::reading::guidance;
use crate::agent::state::{Phase, State};
use crate::agent::transitions::giving_up;
use crate::agent::transitions::mind_question::ask_mind;
use crate::agent::turn::Turn;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::mind::ask::{Ask, DecomposeAsk, TakenApart};
use crate::domain::plan::Goal;
use crate::domain::run::event::Event;
use pithead_world::ids::CallId;
use pithead_world::wiki::page_about;

/// The goal to ask about before a plan is asked for; none if all are split or held.
pub(in crate::agent) fn goal_due(state: &State) -> Option<Goal> {
    let Phase::ToPlan(planning) = &state.phase else {
        return None;
    };
    let is_first = planning.replaces.is_none() && state.plan.is_none();
    if !state.config()?.profile.decompose || !is_first {
        return None;
    }
    goal_tree::next_to_ask(state)
}

/// Asks how to split a goal.
pub(in crate::agent) fn ask_about_goal(turn: &mut Turn<'_>, goal: Goal) {
    if !giving_up::ends_planning(turn) {
        put_question(turn, goal, Vec::new());
    }
}

fn put_question(turn: &mut Turn<'_>, goal: Goal, faults: Vec<String>) {
    if let Some(because) = turn.state().is_spent() {
        giving_up::budget_reached(turn, because);
        return;
    }
    let Some(frame) = turn.state().frame.as_deref() else {
        return;
    };
    let reads = turn.config().profile.wiki;
    let page = goal.object.filter(|_| reads).and_then(page_about);
    let ask = DecomposeAsk {
        task: turn.config().task.clone(),
        state: StateSummary::from_frame(frame),
        goal,
        pages: page.into_iter().collect(),
        faults,
    };
    ask_mind(turn, Ask::Decompose(Box::new(ask)));
}

/// The last answer could not be read: ask again, or take the goal as one that needs nothing.
pub(in crate::agent) fn ask_again(turn: &mut Turn<'_>) {
    let Phase::Decomposing { goal, faults, .. } = &turn.state().phase else {
        return;
    };
    let (goal, faults) = (goal.clone(), faults.clone());
    if giving_up::may_ask_again(turn, &faults) {
        put_question(turn, goal, faults);
        return;
    }
    let apart = TakenApart {
        goal,
        before: Vec::new(),
    };
    turn.say(Event::GoalTakenApart { apart });
}

/// The answer for one goal, with what it says of the goals below.
pub(in crate::agent) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    let Phase::Decomposing { goal, .. } = &turn.state().phase else {
        return;
    };
    let goal = goal.clone();
    for apart in guidance::taken_apart_from_answer(turn, call, text, &goal).unwrap_or_default() {
        let has_room = turn.state().goals.len() < turn.config().limits.goals_max;
        let is_new = goal_tree::is_new(turn.state(), &apart.goal);
        if has_room && is_new {
            turn.say(Event::GoalTakenApart { apart });
        }
    }
}
