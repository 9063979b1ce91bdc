//! Judging: a plan that passed is judged step by step, by rules and, where none decides, by the mind.
//!
//! Invariant: a plan is judged once; whoever cannot be asked keeps no plan from running.

use super::adoption;
use super::mind_question::ask_mind;
use crate::agent::state::State;
use crate::agent::turn::Turn;
use crate::agent::verify::{ByRules, judge_by_rules};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::knowledge::{Body, Entry};
use crate::domain::mind::ask::Ask;
use crate::domain::mind::judge::{JudgeAsk, Judgement};
use crate::domain::mind::role::MindRole;
use crate::domain::plan::note::{About, Note, Severity};
use crate::domain::run::event::Event;

/// Has the proposal judged, if the system judges plans and it was not; true if the mind is asked.
pub(in crate::agent) fn asks_for_judgement(turn: &mut Turn<'_>) -> bool {
    let state = turn.state();
    let is_judged = state.proposal.as_ref().is_none_or(|p| p.judged.is_some());
    if is_judged || !turn.config().profile.judge {
        return false;
    }
    let can_ask = !state.replaced_roles.contains(&MindRole::Judge) && state.is_spent().is_none();
    match question(state, Vec::new()).filter(|_| can_ask) {
        Some(ask) => {
            ask_mind(turn, Ask::Judge(Box::new(ask)));
            true
        }
        None => {
            settle(turn, Vec::new());
            false
        }
    }
}

/// The question about the steps that no rule decides; none if there are none.
pub(in crate::agent) fn question(state: &State, faults: Vec<String>) -> Option<JudgeAsk> {
    let steps = by_rules(state)?.open;
    let rules = state.refusing().filter_map(|entry| match &entry.body {
        Body::Rule(rule) => Some(rule.requirement()),
        _ => None, // the others are asked elsewhere
    });
    (!steps.is_empty()).then_some(JudgeAsk {
        task: state.config()?.task.clone(),
        state: StateSummary::from_frame(state.frame.as_deref()?),
        steps,
        rules: rules.collect(),
        faults,
        nonce: state.counters.calls,
    })
}

/// What rules say of the proposal.
pub(in crate::agent) fn by_rules(state: &State) -> Option<ByRules> {
    let plan = &state.proposal.as_ref()?.plan;
    let card = StateSummary::from_frame(state.frame.as_deref()?);
    let rules = rules_in_force(state);
    Some(judge_by_rules(
        plan,
        &card,
        &rules,
        &adoption::step_uses(state),
        &state.config()?.task,
    ))
}

fn rules_in_force(state: &State) -> Vec<Entry> {
    let is_rule = |entry: &&Entry| matches!(entry.body, Body::Rule(_));
    state.refusing().filter(is_rule).cloned().collect()
}

/// States the judgements of both layers, with notes on what the mind expects to fail, and weighs the plan by them.
pub(in crate::agent) fn settle(turn: &mut Turn<'_>, by_mind: Vec<Judgement>) {
    let Some((revision, mut judged)) = turn.state().proposal.as_ref().and_then(|proposal| {
        let decided = by_rules(turn.state())?.decided;
        Some((proposal.revision, decided))
    }) else {
        return;
    };
    let expected_to_fail = by_mind.iter().filter(|said| !said.success);
    let notes = expected_to_fail.map(|said| note_on(turn.state(), said));
    let notes: Vec<Note> = notes.collect();
    judged.extend(by_mind);
    turn.say(Event::PlanJudged {
        revision,
        judged,
        notes,
    });
}

fn note_on(state: &State, said: &Judgement) -> Note {
    let plan = state.proposal.as_ref().map(|proposal| &proposal.plan);
    let step = plan.and_then(|plan| plan.get(said.subgoal));
    let step = step.map_or(String::new(), |step| step.condition.clone());
    Note {
        severity: Severity::Error,
        subgoal: Some(said.subgoal),
        about: About::JudgedToFail {
            missing: said.missing.clone(),
        },
        text: format!("{step} is judged to fail: {}", said.suggestion),
    }
}
