//! Reflect: after an alarm or a failure the mind says whether the plan can still be trusted (Metagent-P).
//!
//! C_LLM and C_history are averaged. Above one half the plan is kept, once for each step; otherwise it is repaired
//! where done steps show how to get what is lacking, or the rest is planned anew with the reflection in the prompt.
//! Invariant: a reflection binds nothing.

use crate::agent::reading::study;
use crate::agent::repair;
use crate::agent::state::{Phase, State};
use crate::agent::transitions::adoption;
use crate::agent::transitions::replan::start_replan;
use crate::agent::transitions::step_question::{ask_reflection, ask_step_again};
use crate::agent::turn::Turn;
use crate::domain::knowledge::Body;
use crate::domain::knowledge::pattern::overlaps;
use crate::domain::mind::reflection::{Disturbance, Trigger};
use crate::domain::mind::study::{Reflected, Reflection};
use crate::domain::plan::Subgoal;
use crate::domain::run::event::Event;
use crate::knowledge::rule_scores::is_lack;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{CallId, SubgoalId};
use std::collections::BTreeMap;

/// The weight of the mind's confidence against that of history; the paper leaves both open, so they are equal.
const MIND_WEIGHT: f64 = 0.5;

/// The last answer could not be read: ask again, or plan anew without it.
pub(in crate::agent) fn ask_again(turn: &mut Turn<'_>) {
    let Phase::Reflecting {
        subgoal, faults, ..
    } = &turn.state().phase
    else {
        return;
    };
    let (subgoal, faults) = (*subgoal, faults.clone());
    let Some(faults) = ask_step_again(turn, (subgoal, faults), ask_reflection) else {
        return;
    };
    let reflection = Reflection {
        deadlock: format!("the mind gave no readable reflection: {faults}"),
        ..Reflection::default()
    };
    settle_reflection(turn, subgoal, reflection);
}

/// The reflection came.
pub(in crate::agent) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    let Phase::Reflecting { subgoal, .. } = turn.state().phase else {
        return;
    };
    if let Some(reflection) = study::reflection_from_answer(turn, call, text) {
        settle_reflection(turn, subgoal, reflection);
    }
}

/// Keeps the plan, repairs it, or starts a replan.
fn settle_reflection(turn: &mut Turn<'_>, subgoal: SubgoalId, mut reflection: Reflection) {
    let state = turn.state();
    let (trigger, lost) = match &state.phase {
        Phase::Reflecting { trigger, lost, .. } => (*trigger, lost.clone()),
        _ => return, // an answer is read in the phase that asked
    };
    let history = similarity_to_known_plans(state);
    // No confidence counts as none: a mind that does not say so does not vouch for the
    // plan.
    let said = reflection.confidence.unwrap_or(0.0);
    let confidence = match history {
        // The mean; with no known plan the mind alone decides.
        Some(like) => MIND_WEIGHT * said + (1.0 - MIND_WEIGHT) * like,
        None => said,
    };
    // Once: a plan that fails again after it was trusted is not trusted twice.
    let node = state.nodes.get(&subgoal);
    let was_kept = node.is_some_and(|node| node.kept > 0);
    let keeps = confidence > Reflected::TRUST_MIN && !was_kept;
    let because = reflection.deadlock.clone();
    // What the monitor saw is missing, whatever the mind makes of it.
    for remedy in lost {
        if !reflection.missing.contains(&remedy) {
            reflection.missing.push(remedy);
        }
    }
    let step = state.planned(subgoal);
    let repaired = step
        .filter(|_| !keeps)
        .and_then(|step| repair::repaired(state, step, &reflection.missing))
        .filter(|plan| adoption::first_error(&adoption::verifier_notes(state, plan)).is_none());
    let reflected = Reflected {
        subgoal,
        trigger,
        disturbance: Some(disturbance(state, subgoal, trigger)),
        history,
        said: Some(said),
        cases: u32::try_from(node.map_or(0, |node| node.earlier.len())).unwrap_or(u32::MAX),
        reflection,
        confidence,
        keeps,
        repairs: repaired.is_some(),
    };
    turn.say(Event::PlanReflected {
        reflected: Box::new(reflected),
    });
    match repaired {
        Some(plan) => {
            let notes = adoption::verifier_notes(turn.state(), &plan);
            adoption::propose_plan(turn, plan, Some(subgoal), notes);
            adoption::weigh_proposal(turn);
        }
        None if !keeps => {
            start_replan(turn, subgoal, because);
        }
        None => (),
    }
}

/// Whether the plan had left something out, or the world did what no plan could know.
fn disturbance(state: &State, subgoal: SubgoalId, trigger: Trigger) -> Disturbance {
    let last = state
        .nodes
        .get(&subgoal)
        .and_then(|node| node.failures.last());
    let lacked = last.is_some_and(|failure| is_lack(failure.diagnosis.reason));
    let wore_out = last.is_some_and(|failure| failure.diagnosis.is_of_tools());
    match trigger {
        Trigger::GoalLost => Disturbance::Environment,
        Trigger::Anomaly => Disturbance::Reasoning,
        Trigger::Failure | Trigger::Replans if lacked && !wore_out => Disturbance::Reasoning,
        Trigger::Failure | Trigger::Replans => Disturbance::Environment,
    }
}

/// The similarity of the plan to the closest of those that are known to have reached the goal.
fn similarity_to_known_plans(state: &State) -> Option<f64> {
    let (plan, task) = (state.plan.as_ref()?, &state.config()?.task);
    let own = step_counts(&plan.subgoals);
    let known = state.visible().filter_map(|entry| match &entry.body {
        Body::Skill(skill) => Some((skill.goal, &skill.steps)),
        Body::ReferencePlan(plan) => Some((plan.goal, &plan.steps)),
        _ => None, // no other kind is a way to a goal
    });
    // Single steps would be alike to any plan that has the same last step.
    let same = known.filter(|(goal, steps)| steps.len() > 1 && overlaps(*goal, task.goal));
    same.map(|(_, steps)| cosine(&own, &step_counts(steps)))
        .max_by(f64::total_cmp)
}

/// How often each kind of step with each object occurs: the vector of a plan.
type StepCounts = BTreeMap<(&'static str, Option<ItemSpec>), f64>;

fn step_counts(steps: &[Subgoal]) -> StepCounts {
    let mut counted = StepCounts::new();
    for step in steps {
        *counted
            .entry((step.task_kind.name(), step.goal.object))
            .or_default() += 1.0;
    }
    counted
}

fn cosine(a: &StepCounts, b: &StepCounts) -> f64 {
    let square = |v: &StepCounts| v.values().map(|n| n * n).sum::<f64>();
    let shared: f64 = a.iter().filter_map(|(k, n)| Some(n * b.get(k)?)).sum();
    // An empty plan is like none.
    let whole = (square(a) * square(b)).sqrt();
    if whole > 0.0 { shared / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::subgoal;

    #[test]
    fn the_similarity_of_plans_is_the_share_of_common_steps() {
        let (log, ore) = ([subgoal(1, "oak_log")], [subgoal(2, "iron_ore")]);
        let both = [log.clone(), ore.clone()].concat();
        let like = |a: &[Subgoal], b: &[Subgoal]| cosine(&step_counts(a), &step_counts(b));
        assert!((like(&log, &log) - 1.0).abs() < 1e-9);
        assert!((like(&both, &log) - 0.5_f64.sqrt()).abs() < 1e-9);
        assert!(like(&log, &ore).abs() < 1e-9);
        assert!(like(&[], &[]).abs() < 1e-9);
    }
}
