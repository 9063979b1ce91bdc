//! The upper layer of the verifier: what rules say of each step, and what is left for the mind to judge.
//!
//! Invariant: a step that a rule is about is decided by rules alone.

use super::play::Play;
use crate::domain::check::Truth;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::knowledge::{Body, Entry, Rule};
use crate::domain::mind::judge::{JudgedBy, Judgement, StepToJudge};
use crate::domain::plan::task::Task;
use crate::domain::plan::{Plan, Subgoal};
use crate::knowledge::uses::StepUses;
use pithead_world::ids::KnowledgeId;

/// What rules decided, and what they left open.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ByRules {
    pub decided: Vec<Judgement>,
    pub open: Vec<StepToJudge>,
}

/// Goes through the plan as it declares itself, with what its steps were seen to use up.
#[must_use]
pub fn judge_by_rules(
    plan: &Plan,
    state: &StateSummary,
    knowledge: &[Entry],
    uses: &StepUses,
    task: &Task,
) -> ByRules {
    let rules: Vec<(KnowledgeId, &Rule)> = knowledge.iter().filter_map(rule_of).collect();
    let mut found = ByRules::default();
    let mut play = Play::new(state, uses, task);
    for step in &plan.subgoals {
        match decided(step, &rules, &play) {
            Some(judgement) => found.decided.push(judgement),
            None => found.open.push(StepToJudge {
                step: step.clone(),
                held: play.inventory().clone(),
                y: play.height(),
            }),
        }
        play.declare(step);
    }
    found
}

fn rule_of(entry: &Entry) -> Option<(KnowledgeId, &Rule)> {
    match &entry.body {
        Body::Rule(rule) => Some((entry.id, rule)),
        _ => None, // the other kinds require nothing of a step
    }
}

fn decided(step: &Subgoal, rules: &[(KnowledgeId, &Rule)], play: &Play<'_>) -> Option<Judgement> {
    let about = |(_, rule): &&(KnowledgeId, &Rule)| {
        play.ask(|now| rule.when.truth(&now.pursuing(step)))
            .is_true()
    };
    let about: Vec<_> = rules.iter().filter(about).collect();
    if about.is_empty() {
        return None;
    }
    let broken: Vec<_> = about
        .iter()
        .filter(|(_, rule)| play.ask(|now| rule.then.truth(&now.pursuing(step))) == Truth::False)
        .collect();
    let (success, by) = match broken.is_empty() {
        true => (true, about.iter().map(|(id, _)| *id).collect()),
        false => (false, broken.iter().map(|(id, _)| *id).collect()),
    };
    let suggestions: Vec<String> = broken.iter().map(|(_, rule)| rule.requirement()).collect();
    Some(Judgement {
        subgoal: step.id,
        success,
        by: JudgedBy::Rules(by),
        missing: Vec::new(),
        suggestion: suggestions.join("; "),
    })
}
