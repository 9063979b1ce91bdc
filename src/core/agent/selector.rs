//! Selectors: which of the steps that can be begun is begun (DEPS, Section 3.3).
//!
//! Of alternatives one is enough, and one that has not failed goes before one that has. Invariant: the same state
//! gives the same choice.

use crate::agent::closest_step;
use crate::agent::state::State;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::horizon::{HorizonModel, probabilities, scene};
use crate::domain::plan::form::PlanForm;
use crate::domain::plan::{Plan, Subgoal};
use crate::domain::run::compared_step::ComparedStep;
use crate::domain::run::profile::Selector;
use pithead_world::drops::blocks_dropping;
use pithead_world::ids::SubgoalId;
use pithead_world::mob::mobs_dropping;
use pithead_world::rng::{Rng, Streams};

/// An open step of the plan whose needs are met, by the system's selector, and what was predicted of those compared.
pub(super) fn choose_step(state: &State) -> Option<(&Subgoal, Vec<ComparedStep>)> {
    let plan = state.plan.as_ref()?;
    let mut open = plan
        .subgoals
        .iter()
        .filter(|step| !state.is_done(step.id) && !is_spared(state, plan, step));
    // A step that the operator wants retried goes before the choice of the selector.
    if let Some(wanted) = state.next_up
        && let Some(subgoal) = open.clone().find(|s| s.id == wanted)
    {
        return Some((subgoal, Vec::new()));
    }
    let ready: Vec<&Subgoal> = open.clone().filter(|s| may_begin(state, plan, s)).collect();
    let ready = least_failed_alternatives(state, &ready);
    let config = state.config()?;
    let chosen = match config.profile.selector {
        Selector::First => ready.first().copied(),
        Selector::Horizon => {
            let model = config.horizon_model.as_deref();
            return nearest_to_done(state, &ready, model.unwrap_or(HorizonModel::embedded()))
                .or_else(|| Some((open.next()?, Vec::new())));
        }
        Selector::Similarity => {
            closest_step::closest_step(ready.into_iter(), state.frame.as_deref()?)
        }
        Selector::Random => {
            // Seeded by the world and moved on by the attempts, so a replay draws the same.
            let lot = Streams(config.world.seed).get("select").state() ^ state.counters.attempts;
            let at = Rng::new(lot).below(ready.len() as u64);
            ready.get(usize::try_from(at).unwrap_or(0)).copied()
        }
    };
    // If needs go round in a circle, no step is ready; then the order of the plan decides.
    Some((chosen.or_else(|| open.next())?, Vec::new()))
}

/// The step with the shortest horizon; with a single one nothing is predicted.
fn nearest_to_done<'a>(
    state: &State,
    ready: &[&'a Subgoal],
    model: &HorizonModel,
) -> Option<(&'a Subgoal, Vec<ComparedStep>)> {
    let first = *ready.first()?;
    let Some(frame) = state.frame.as_deref().filter(|_| ready.len() > 1) else {
        return Some((first, Vec::new()));
    };
    let now = StateSummary::from_frame(frame);
    let horizons = ready
        .iter()
        .map(|step| model.predict(&scene::features(&now, step)));
    let horizons: Vec<_> = horizons.collect();
    let probable = probabilities(&horizons);
    let candidates = ready.iter().zip(&horizons).zip(probable);
    let candidates = candidates.map(|((step, horizon), probability)| ComparedStep {
        subgoal: step.id,
        horizon: *horizon,
        probability,
    });
    // The first of equals, as `min_by_key` promises.
    let nearest = (0..ready.len()).min_by_key(|at| horizons[*at].ticks)?;
    Some((ready[nearest], candidates.collect()))
}

/// Another one of its alternatives is done.
fn is_spared(state: &State, plan: &Plan, step: &Subgoal) -> bool {
    alternatives_of(plan, step).any(|other| state.is_done(other.id))
}

/// The other steps of the same group of alternatives.
fn alternatives_of<'a>(plan: &'a Plan, step: &'a Subgoal) -> impl Iterator<Item = &'a Subgoal> {
    let group = step.alternatives.as_ref();
    let others = plan.subgoals.iter();
    others.filter(move |other| {
        group.is_some() && other.alternatives.as_ref() == group && other.id != step.id
    })
}

/// What it needs is done, or an alternative to it.
fn may_begin(state: &State, plan: &Plan, step: &Subgoal) -> bool {
    step.needs.iter().all(|id| {
        // A need that is not in the plan any more was dropped by a replan and cannot be waited for.
        plan.get(*id)
            .is_none_or(|need| state.is_done(*id) || is_spared(state, plan, need))
    })
}

/// Leaves out alternatives that have failed more often than another one that could be begun.
fn least_failed_alternatives<'a>(state: &State, ready: &[&'a Subgoal]) -> Vec<&'a Subgoal> {
    let failures = |step: &Subgoal| {
        let node = state.nodes.get(&step.id);
        node.map_or(0, |node| node.failures.len())
    };
    // A program looks before it branches.
    let looks = state
        .config()
        .is_some_and(|c| c.profile.form == PlanForm::Program);
    let unseen = |step: &Subgoal| looks && !is_in_sight(state, step);
    let rank = |step: &Subgoal| (failures(step), unseen(step));
    let is_worse = |step: &Subgoal| {
        step.alternatives.is_some()
            && ready
                .iter()
                .any(|other| other.alternatives == step.alternatives && rank(other) < rank(step))
    };
    ready
        .iter()
        .copied()
        .filter(|step| !is_worse(step))
        .collect()
}

/// A block or an animal that gives the step's object is in sight.
fn is_in_sight(state: &State, step: &Subgoal) -> bool {
    let (Some(frame), Some(object)) = (state.frame.as_deref(), step.goal.object) else {
        return false;
    };
    let blocks = blocks_dropping(object);
    let mobs = mobs_dropping(object);
    let seen = |block| blocks.iter().any(|source| source.block == block);
    let met = |kind| mobs.iter().any(|(mob, _)| *mob == kind);
    frame.notable.iter().any(|sight| seen(sight.block))
        || frame.mobs.iter().any(|sight| met(sight.kind))
}

/// Whether another alternative to this step is still to be tried.
pub(super) fn has_untried_alternative(state: &State, id: SubgoalId) -> bool {
    let Some(plan) = state.plan.as_ref() else {
        return false;
    };
    let Some(step) = plan.get(id) else {
        return false;
    };
    alternatives_of(plan, step).any(|other| {
        let node = state.nodes.get(&other.id);
        node.is_none_or(|node| node.failures.is_empty()) && may_begin(state, plan, other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples;
    use pithead_world::mob::MobKind;
    use pithead_world::observation::MobSight;
    use pithead_world::space::Point;

    /// A plan of two hunts that can both be begun, with a sheep at this distance and no cow in sight.
    fn state(selector: Selector, sheep: f64) -> State {
        let hunt = |id, item: &str| {
            let mut step = samples::subgoal(id, item);
            step.executor_hint = crate::domain::plan::Executor::Attack;
            step
        };
        let mut state = State::new();
        let mut config = samples::config();
        config.profile.selector = selector;
        state.config = Some(Box::new(config));
        let mut frame = samples::frame(20, 0);
        frame.mobs = vec![MobSight {
            kind: MobKind::named("sheep").unwrap(),
            at: Point::new(frame.position.x + sheep, frame.position.y, frame.position.z),
        }];
        state.frame = Some(frame);
        state.plan = Some(Plan {
            plan_id: "p".to_owned(),
            subgoals: vec![hunt(1, "beef"), hunt(2, "mutton")],
            global_constraints: Vec::new(),
            explanation: None,
            thoughts: None,
        });
        state
    }

    fn chosen(state: &State) -> u64 {
        choose_step(state).unwrap().0.id.0
    }

    #[test]
    fn the_horizon_goes_by_what_is_in_sight_and_says_what_it_expected() {
        assert_eq!(chosen(&state(Selector::First, 4.0)), 1);
        let near = state(Selector::Horizon, 4.0);
        let (step, candidates) = choose_step(&near).unwrap();
        assert_eq!((step.id.0, candidates.len()), (2, 2));
        assert!(candidates[1].horizon.ticks < candidates[0].horizon.ticks);
        assert!(candidates[1].probability > 0.5);
    }

    #[test]
    fn a_program_branches_to_what_is_in_sight() {
        let mut state = state(Selector::First, 4.0);
        for step in &mut state.plan.as_mut().unwrap().subgoals {
            step.alternatives = Some("food".to_owned());
        }
        assert_eq!(chosen(&state), 1);
        state.config.as_mut().unwrap().profile.form = PlanForm::Program;
        assert_eq!(chosen(&state), 2, "the sheep is in sight");
    }

    #[test]
    fn of_alternatives_the_one_that_has_not_failed_is_tried_and_one_is_enough() {
        let mut state = state(Selector::First, 4.0);
        let group = Some("food".to_owned());
        for step in &mut state.plan.as_mut().unwrap().subgoals {
            step.alternatives.clone_from(&group);
        }
        let failed = samples::experience(1, 1, "beef", false);
        let failure = crate::domain::mind::evidence::FailedAttempt {
            suggestion: None,
            attempt: failed.attempt,
            run: None,
            pre: failed.pre,
            diagnosis: failed.diagnosis,
        };
        let beef = SubgoalId(1);
        state.nodes.entry(beef).or_default().failures.push(failure);
        assert!(has_untried_alternative(&state, beef));
        assert_eq!(chosen(&state), 2);
        state.nodes.entry(SubgoalId(2)).or_default().done = true;
        assert!(choose_step(&state).is_none(), "the other one is spared");
    }
}
