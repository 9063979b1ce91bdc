//! Giving up: every bound at which a step, a question, a plan or the run is given up.
//!
//! The numbers are the operator's (`Profile`, `Limits`, `Budget`); only what happens at them is decided here.
//! A step is given up by a replan, a run by its end. Invariant: whatever fails for ever reaches one of these.

use super::ending;
use super::operator_question::ask_operator;
use crate::agent::state::{Phase, Planning, State};
use crate::agent::turn::Turn;
use crate::agent::{reading, selector};
use crate::diagnosis::attempt_window::stagnation;
use crate::domain::condition::situation::Situation;
use crate::domain::mind::evidence::FailedAttempt;
use crate::domain::plan::Subgoal;
use crate::domain::run::decision::{GateKind, Policy, Subject};
use crate::domain::run::event::{Event, RunConfig};
use crate::domain::run::outcome::Outcome;
use crate::text::numbers::format_times;
use pithead_world::action::ActionFailure;
use pithead_world::ids::{CallId, KnowledgeId, SubgoalId};

/// Confidence of a label from which a row of equal ones is an anomaly and no chance.
const SURE: f64 = 0.5;

/// K_tol: the step whose failures, together with similar ones of earlier runs, call for a replan.
/// A reflection that kept the plan allows one more failure.
pub(in crate::agent) fn failed_too_often(state: &State) -> Option<SubgoalId> {
    // At least 1: with 0 the run ends at the first failure, see `after_failure`.
    let profile = &state.config()?.profile;
    let k_tol = profile.k_tol.max(1) as usize;
    if profile.form.repeats() {
        return None;
    }
    state
        .nodes
        .iter()
        // Of alternatives the others are tried before the plan is made anew.
        .filter(|(id, _)| !selector::has_untried_alternative(state, **id))
        .find(|(_, node)| {
            let all = node.failures.len() + node.earlier.len();
            // Earlier runs alone are no reason: the step must have failed here.
            let is_new = node.failures.len() > node.kept;
            let is_at_bound = !node.failures.is_empty() && all >= k_tol + node.kept;
            is_at_bound || (is_new && node.failures.last().is_some_and(is_worn_out))
        })
        .map(|(id, _)| *id)
}

/// The tools are spent: the same step once more ends at once, until a plan sees to new ones.
fn is_worn_out(failure: &FailedAttempt) -> bool {
    matches!(
        failure.diagnosis.report,
        Some(ActionFailure::WornOut { .. })
    )
}

/// A step that has failed in this plan, and whose last attempts over all plans failed alike in one spot: what is
/// known to lead nowhere is not tried until K_tol is reached once more.
pub(in crate::agent) fn leads_nowhere(state: &State) -> Option<(SubgoalId, String)> {
    let config = state.config()?;
    let plan = state.plan.as_ref()?;
    if config.profile.form.repeats() {
        return None; // only its limit ends a loop
    }
    let mut failed = state
        .nodes
        .iter()
        .filter(|(_, node)| node.failures.len() > node.kept);
    failed.find_map(|(id, node)| {
        let tries = state.latest_tries(plan.get(*id)?);
        let last = node.failures.last()?;
        let alike = tries
            .iter()
            .all(|past| Some(past.reason) == last.diagnosis.reason);
        let is_sure = alike && last.diagnosis.confidence >= SURE;
        // The row may hold attempts of other steps; it has to end with this one's.
        let is_own = tries
            .last()
            .is_some_and(|past| past.attempt == last.attempt);
        let seen = stagnation(&tries, &config.thresholds)?;
        (is_sure && is_own).then_some((*id, seen))
    })
}

/// An attempt failed: ends the run if the step may not be tried again. A retry or a replan follows from
/// the next choice (`select`).
pub(in crate::agent) fn after_failure(turn: &mut Turn<'_>, subgoal: &Subgoal) {
    let node = turn.state().nodes.get(&subgoal.id);
    let attempts = node.map_or(0, |node| node.attempts);
    let k_tol = turn.config().profile.k_tol;
    let attempts_max = turn.config().limits.attempts_max;
    let step = &subgoal.condition;
    let repeats = turn.config().profile.form.repeats();
    // K_tol 0 is a system without replans.
    let because = if k_tol == 0 && !repeats {
        format!("{step} failed, and this system does not replan")
    } else if attempts >= attempts_max {
        format!("{step} failed {}", format_times(attempts))
    } else {
        return;
    };
    ending::end_unless_won(turn, Outcome::Failure, because);
}

fn replans_max(config: &RunConfig) -> u32 {
    config.profile.replans_max(config.limits.replans_max)
}

/// Whether the rest may be planned anew once more.
pub(in crate::agent) fn may_replan(state: &State) -> bool {
    let config = state.config();
    config.is_some_and(|c| state.counters.replans < replans_max(c))
}

/// Ends a run whose replans are used up.
pub(in crate::agent) fn replans_used_up(turn: &mut Turn<'_>) {
    let replans_max = replans_max(turn.config());
    let because = format!("the limit of {replans_max} replans is reached");
    ending::end_run(turn, Outcome::Failure, because);
}

/// A guardrail that has forbidden a step this often leaves the planner no way round it.
pub(in crate::agent) fn leaves_no_way(state: &State, subgoal: SubgoalId, by: KnowledgeId) -> bool {
    let times = state.blocks.get(&(subgoal, by)).copied().unwrap_or(0);
    let config = state.config();
    config.is_some_and(|c| times >= c.limits.blocks_max)
}

/// Whether a question may be put once more, after answers that could not be read.
pub(in crate::agent) fn may_ask_again(turn: &Turn<'_>, faults: &[String]) -> bool {
    // At most the retries beyond the first answer, hence less or equal.
    faults.len() <= turn.config().limits.mind_retries_max as usize
}

/// Whether a plan that did not pass may go back to the planner.
pub(in crate::agent) fn may_revise(turn: &Turn<'_>, planning: &Planning) -> bool {
    let config = turn.config();
    // Beyond the last round the plan is taken as it is, and the operator or the run shows
    // its faults.
    config.profile.verify && planning.round < config.limits.verify_rounds_max
}

/// Ends the run at the bounds of planning: unreadable answers, vetoes in a row, a spent budget.
/// True if one of them was reached.
pub(in crate::agent) fn ends_planning(turn: &mut Turn<'_>) -> bool {
    let Phase::ToPlan(planning) = &turn.state().phase else {
        return false;
    };
    // The three bounds in the order in which they explain most.
    let vetoes_max = turn.config().limits.vetoes_max;
    if !may_ask_again(turn, &planning.faults) {
        let faults = reading::list_faults(&planning.faults);
        let because = format!("the mind gave no readable answer: {faults}");
        ending::end_run(turn, Outcome::Failure, because);
    } else if turn.state().counters.vetoes >= vetoes_max {
        let vetoes = planning.vetoes.join("; ");
        let because = match vetoes_max {
            1 => format!("vetoed: {vetoes}"),
            _ => format!("vetoed {vetoes_max} times in a row: {vetoes}"),
        };
        ending::end_run(turn, Outcome::Failure, because);
    } else if let Some(because) = turn.state().is_spent() {
        budget_reached(turn, because);
    } else {
        return false;
    }
    true
}

/// The budget for the mind is spent: asks for more, or ends the run. Money is never granted by silence.
pub(in crate::agent) fn budget_reached(turn: &mut Turn<'_>, because: String) {
    let subject = Subject::Budget {
        because: because.clone(),
    };
    // `auto` means that nobody can be asked, so the run ends.
    let asks = turn.state().gates.of(GateKind::Budget) != Policy::Auto;
    if asks && ask_operator(turn, GateKind::Budget, subject) {
        return;
    }
    ending::end_run(turn, Outcome::Failure, because);
}

/// A question was withheld: it might have cost more than is left.
pub(in crate::agent) fn on_withheld(turn: &mut Turn<'_>, call: CallId, because: String) {
    if turn.state().open_call() != Some(call) {
        return;
    }
    turn.say(Event::MindWithheld {
        call,
        because: because.clone(),
    });
    // Not worth asking for more: the run continues without a summary, and with its own distiller.
    let phase = &turn.state().phase;
    let is_aid = matches!(
        phase,
        Phase::Summarising { .. } | Phase::Studying(_) | Phase::Judging { .. }
    );
    if !is_aid {
        budget_reached(turn, because);
    }
}

/// The outcome of the run as things stand, if it is decided: the task is done, the body dead, or time is up.
pub(in crate::agent) fn run_outcome(state: &State) -> Option<(Outcome, String)> {
    let (config, frame) = (state.config()?, state.frame.as_deref()?);
    // Judged over the whole run, not since an attempt began.
    let situation = Situation::of_run(frame);
    if config.task.is_done(&situation) {
        // Success before death: a task done in the last moment is done.
        return Some((Outcome::Success, format!("{} done", config.task.text)));
    }
    if !frame.alive {
        return Some((Outcome::Failure, "the body died".to_owned()));
    }
    // The budget last, so that it never hides an outcome.
    if frame.tick >= config.budget.ticks {
        let because = format!("the budget of {} ticks is spent", config.budget.ticks);
        return Some((Outcome::Failure, because));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::experience::diagnosis::FailureReason;
    use crate::domain::experience::earlier_try::{Aim, EarlierTry};
    use crate::domain::plan::Plan;
    use crate::domain::samples;
    use pithead_world::ids::AttemptId;

    const STEP: SubgoalId = SubgoalId(1);

    /// A run whose one step has failed once in this plan, after tries of earlier plans at these heights.
    fn state(heights: &[i32]) -> State {
        let mut state = State::new();
        state.config = Some(Box::new(samples::config()));
        let step = samples::subgoal(STEP.0, "stone");
        let failed = samples::experience(1, heights.len() as u64, "stone", false);
        for (n, y) in heights.iter().enumerate() {
            let mut past = EarlierTry::of_failure(&failed).unwrap();
            past.attempt = AttemptId(n as u64 + 1);
            past.end.y = *y;
            state.tries.push((Aim::of_step(&step), past));
        }
        let failure = FailedAttempt {
            suggestion: None,
            attempt: AttemptId(heights.len() as u64),
            run: None,
            pre: failed.pre,
            diagnosis: failed.diagnosis,
        };
        state.nodes.entry(STEP).or_default().failures.push(failure);
        state.plan = Some(Plan {
            plan_id: "p".to_owned(),
            subgoals: vec![step],
            global_constraints: Vec::new(),
            explanation: None,
            thoughts: None,
        });
        state
    }

    #[test]
    fn a_row_over_plans_is_given_up_before_k_tol_and_k_tol_counts_as_before() {
        let (id, because) = leads_nowhere(&state(&[60, 60, 61])).unwrap();
        assert_eq!(id, STEP);
        assert!(because.starts_with("3 attempts ended within"), "{because}");
        assert_eq!(failed_too_often(&state(&[60, 60, 61])), None);
        assert_eq!(leads_nowhere(&state(&[60, 60])), None);
        assert_eq!(leads_nowhere(&state(&[60, 5, 61])), None, "another place");
    }

    #[test]
    fn rows_of_unlike_or_uncertain_labels_are_tried_on_and_so_are_plans_that_a_reflection_kept() {
        let changed = |change: fn(&mut State)| {
            let mut state = state(&[60, 60, 60]);
            change(&mut state);
            leads_nowhere(&state)
        };
        assert!(changed(|_| ()).is_some());
        assert!(changed(|s| s.tries[0].1.reason = FailureReason::Unknown).is_none());
        assert!(changed(|s| node(s).failures[0].diagnosis.confidence = 0.4).is_none());
        assert!(changed(|s| node(s).kept = 1).is_none());
        assert!(changed(|s| node(s).failures.clear()).is_none());
    }

    #[test]
    fn a_step_that_ended_for_worn_tools_is_planned_anew_at_once() {
        let mut state = state(&[60]);
        assert_eq!(failed_too_often(&state), None);
        node(&mut state).failures[0].diagnosis.report = Some(ActionFailure::WornOut {
            held: None,
            left: 89,
            broken: 12,
        });
        assert_eq!(failed_too_often(&state), Some(STEP));
        node(&mut state).kept = 1;
        assert_eq!(failed_too_often(&state), None, "a reflection kept the plan");
    }

    #[test]
    fn the_rounds_of_a_system_bound_its_replans() {
        let mut state = state(&[60]);
        state.counters.replans = 3;
        let mut may_with = |rounds| {
            state.config.as_mut().unwrap().profile.rounds = rounds;
            may_replan(&state)
        };
        assert!(may_with(None) && may_with(Some(4)));
        assert!(!may_with(Some(3)) && !may_with(Some(0)));
        assert!(may_with(Some(u32::MAX)));
    }

    fn node(state: &mut State) -> &mut crate::agent::node::Node {
        state.nodes.get_mut(&STEP).unwrap()
    }
}
