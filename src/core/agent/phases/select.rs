//! Select: which subgoal comes next, and whether it may be begun as things stand.
//!
//! Invariant: the order of the questions is fixed: outcome, acts, K_tol, rows of attempts, similar failures, plan.

use crate::agent::state::State;
use crate::agent::transitions::attempt::begin_attempt;
use crate::agent::transitions::{ending, giving_up, parts, replan, risk_gate, step_question};
use crate::agent::turn::Turn;
use crate::agent::{monitor, relevant, selector, similar_failures};
use crate::domain::condition::situation::{Baseline, Situation};
use crate::domain::knowledge::EntryUse;
use crate::domain::plan::Subgoal;
use crate::domain::run::compared_step::ComparedStep;
use crate::domain::run::event::Event;

/// One decision of choosing; `advance` calls again until something is under way.
pub(in crate::agent) fn select_step(turn: &mut Turn<'_>) {
    // First: a task can be done by accident, and a dead body chooses nothing.
    if let Some((outcome, because)) = giving_up::run_outcome(turn.state()) {
        ending::end_run(turn, outcome, because);
        return;
    }
    // The operator goes before the plan; no gate and no guardrail stands before the operator.
    if let Some(act) = turn.state().acts.first().cloned() {
        turn.say(Event::SubgoalSelected {
            subgoal: act.id,
            candidates: Vec::new(),
        });
        begin_attempt(turn, &act);
        return;
    }
    if parts::goes_to_next_goal(turn) {
        return;
    }
    // A step that the operator wants retried goes before K_tol: its earlier failures are no reason to replan.
    if turn.state().next_up.is_none() {
        if let Some(failed) = giving_up::failed_too_often(turn.state()) {
            let because = replan::times_failed(turn, failed);
            replan::after_repeated_failure(turn, failed, because);
            return;
        }
        if let Some((failed, because)) = giving_up::leads_nowhere(turn.state()) {
            replan::after_repeated_failure(turn, failed, because);
            return;
        }
        if let Some((subgoal, key)) = similar_failures::to_compare(turn.state()) {
            turn.say(Event::SimilarFailuresAsked { subgoal, key });
            return;
        }
    }
    let Some((subgoal, candidates)) = chosen_step(turn.state()) else {
        if !parts::continues_plan(turn) && !parts::ends_with_its_plan(turn) {
            replan::after_dead_end(turn);
        }
        return;
    };
    // Done without an attempt: no experience, no skill from luck.
    if holds_already(turn.state(), &subgoal) {
        turn.say(Event::SubgoalDone {
            subgoal: subgoal.id,
        });
        return;
    }
    if parts::stops_at_assertion(turn, &subgoal) {
        return;
    }
    // Before it fails: what it takes was there when the plan was made, and is not any more.
    if monitor::alarm_at(turn.state(), &subgoal).is_some() {
        step_question::ask_reflection(turn, subgoal.id, Vec::new());
        return;
    }
    // Asked as the body stands now: the plan was verified at another moment.
    match relevant::guardrail_forbidding(turn.state(), &subgoal) {
        Some(by) => replan::because_forbidden(turn, &subgoal, by),
        None => begin_step(turn, &subgoal, candidates),
    }
}

/// The step of the selector, with what it expected of those that it compared.
fn chosen_step(state: &State) -> Option<(Subgoal, Vec<ComparedStep>)> {
    let (subgoal, candidates) = selector::choose_step(state)?;
    Some((subgoal.clone(), candidates))
}

/// Nothing to do: its checks hold as things stand.
fn holds_already(state: &State, subgoal: &Subgoal) -> bool {
    let Some(frame) = state.frame.as_deref() else {
        return false;
    };
    let baseline = Baseline::of(frame);
    let situation = Situation::of(frame).since(&baseline).pursuing(subgoal);
    // A step without checks is never done already.
    !subgoal.checks.is_empty() && subgoal.checks.iter().all(|c| c.truth(&situation).is_true())
}

fn begin_step(turn: &mut Turn<'_>, subgoal: &Subgoal, candidates: Vec<ComparedStep>) {
    if risk_gate::holds_back(turn, subgoal) {
        return;
    }
    turn.say(Event::SubgoalSelected {
        subgoal: subgoal.id,
        candidates,
    });
    for id in relevant::entries_about(turn.state(), subgoal) {
        turn.say(Event::KnowledgeUsed {
            id,
            how: EntryUse::Matched,
            subgoal: Some(subgoal.id),
        });
    }
    begin_attempt(turn, subgoal);
}
