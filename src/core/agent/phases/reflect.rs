//! Reflect: a look back at each step that failed, and whether the plan is still to be trusted (Metagent-P).
//!
//! What the mind trusts and how like the plan is to one that has worked are taken together. Above one half
//! the plan stays, once for each step; else the rest is planned anew with what was said.
//! Invariant: a look back binds nothing.

use crate::agent::reading::study;
use crate::agent::state::{Phase, State};
use crate::agent::transitions::replan::start_replan;
use crate::agent::transitions::step_question::{ask_again, ask_reflection};
use crate::agent::turn::Turn;
use crate::domain::knowledge::Body;
use crate::domain::knowledge::pattern::overlaps;
use crate::domain::mind::study::{Reflected, Reflection};
use crate::domain::plan::Subgoal;
use crate::domain::run::event::Event;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{CallId, SubgoalId};
use std::collections::BTreeMap;

/// What the mind's word weighs against history; the paper leaves the two weights open.
const MIND_WEIGHT: f64 = 0.5;
/// A plan trusted more than this is kept.
const TRUST_MIN: f64 = 0.5;

/// The last answer could not be read: ask again, or plan anew without it.
pub(in crate::agent) fn again(turn: &mut Turn<'_>) {
    let Phase::Reflecting {
        subgoal, faults, ..
    } = &turn.state().phase
    else {
        return;
    };
    let (subgoal, faults) = (*subgoal, faults.clone());
    let Some(told) = ask_again(turn, (subgoal, faults), ask_reflection) else {
        return;
    };
    let reflection = Reflection {
        deadlock: format!("no readable look back: {told}"),
        ..Reflection::default()
    };
    conclude(turn, subgoal, reflection);
}

/// The mind has looked back.
pub(in crate::agent) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    let Phase::Reflecting { subgoal, .. } = turn.state().phase else {
        return;
    };
    if let Some(reflection) = study::reflection(turn, call, text) {
        conclude(turn, subgoal, reflection);
    }
}

/// Keeps the plan, or has the rest made anew.
fn conclude(turn: &mut Turn<'_>, subgoal: SubgoalId, reflection: Reflection) {
    let state = turn.state();
    let history = history(state);
    let said = reflection.confidence.unwrap_or(0.0);
    let confidence = match history {
        Some(like) => MIND_WEIGHT * said + (1.0 - MIND_WEIGHT) * like,
        None => said,
    };
    let was_kept = state.nodes.get(&subgoal).is_some_and(|node| node.kept > 0);
    let keeps = confidence > TRUST_MIN && !was_kept;
    let because = reflection.deadlock.clone();
    turn.say(Event::PlanReflected {
        reflected: Box::new(Reflected {
            subgoal,
            reflection,
            history,
            confidence,
            keeps,
        }),
    });
    if !keeps {
        start_replan(turn, subgoal, because);
    }
}

/// How like the plan is to the likest of those that are known to have reached the goal.
fn history(state: &State) -> Option<f64> {
    let (plan, task) = (state.plan.as_ref()?, &state.config()?.task);
    let own = counted(&plan.subgoals);
    let known = state.visible().filter_map(|entry| match &entry.body {
        Body::Skill(skill) => Some((skill.goal, &skill.steps)),
        Body::ReferencePlan(plan) => Some((plan.goal, &plan.steps)),
        _ => None, // no other kind is a way to a goal
    });
    let same = known.filter(|(goal, steps)| steps.len() > 1 && overlaps(*goal, task.goal));
    same.map(|(_, steps)| cosine(&own, &counted(steps)))
        .max_by(f64::total_cmp)
}

/// How often each kind of step with each object occurs: the vector of a plan.
type Counted = BTreeMap<(&'static str, Option<ItemSpec>), f64>;

fn counted(steps: &[Subgoal]) -> Counted {
    let mut counted = Counted::new();
    for step in steps {
        *counted
            .entry((step.task_kind.name(), step.goal.object))
            .or_default() += 1.0;
    }
    counted
}

fn cosine(a: &Counted, b: &Counted) -> f64 {
    let square = |v: &Counted| v.values().map(|n| n * n).sum::<f64>();
    let shared: f64 = a.iter().filter_map(|(k, n)| Some(n * b.get(k)?)).sum();
    let whole = (square(a) * square(b)).sqrt();
    if whole > 0.0 { shared / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::subgoal;

    #[test]
    fn plans_are_as_like_as_the_steps_they_share() {
        let (log, ore) = ([subgoal(1, "oak_log")], [subgoal(2, "iron_ore")]);
        let both = [log.clone(), ore.clone()].concat();
        let like = |a: &[Subgoal], b: &[Subgoal]| cosine(&counted(a), &counted(b));
        assert!((like(&log, &log) - 1.0).abs() < 1e-9);
        assert!((like(&both, &log) - 0.5_f64.sqrt()).abs() < 1e-9);
        assert!(like(&log, &ore).abs() < 1e-9);
        assert!(like(&[], &[]).abs() < 1e-9);
    }
}
