//! Verdicts: a model's word on steps and on rules, each for what it was asked about.
//!
//! Invariant: a step or rule that the answer does not name is not judged, and none is judged twice.

use super::{parse_typed, record_reading, shorten};
use crate::agent::turn::Turn;
use crate::domain::mind::judge::{JudgeReply, JudgedBy, JudgedStep, Judgement};
use crate::domain::mind::reply;
use crate::domain::mind::study::Score;
use crate::domain::plan::{Plan, Subgoal};
use pithead_world::ids::CallId;
use serde::Deserialize;

/// Remedies in one judgement.
const REMEDIES_MAX: usize = 8;

/// The judgements on steps of the proposal.
pub(in crate::agent) fn judged_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
) -> Option<Vec<Judgement>> {
    let plan = turn.state().proposal.as_ref()?.plan.clone();
    let read = parse_typed::<JudgeReply>(text, reply::JUDGED).and_then(|(said, mut repairs)| {
        let asked = said.judged.len();
        let judged = on_steps(&plan, said.judged);
        if judged.is_empty() {
            return Err("judged: expected a judgement on a step that was asked about".to_owned());
        }
        if judged.len() < asked {
            let lost = asked - judged.len();
            repairs.push(format!("{lost} judgements on no step of the plan left out"));
        }
        Ok((judged, repairs))
    });
    record_reading(turn, call, read)
}

fn on_steps(plan: &Plan, said: Vec<JudgedStep>) -> Vec<Judgement> {
    let mut judged: Vec<Judgement> = Vec::new();
    for one in said {
        let Some(step) = plan.subgoals.iter().find(|step| is_named(step, &one.step)) else {
            continue;
        };
        if judged.iter().any(|known| known.subgoal == step.id) {
            continue;
        }
        let (mut suggestion, mut missing) = (one.suggestion, one.missing);
        shorten(&mut suggestion);
        missing.truncate(REMEDIES_MAX);
        judged.push(Judgement {
            subgoal: step.id,
            success: one.success,
            by: JudgedBy::Mind,
            missing,
            suggestion,
        });
    }
    judged
}

/// Ids are shown as `sg_7` and often written as `sg_007` or `7`.
fn is_named(step: &Subgoal, name: &str) -> bool {
    let name = name.trim();
    let number = name.strip_prefix("sg_").unwrap_or(name).parse::<u64>();
    number.is_ok_and(|n| n == step.id.0)
}

#[derive(Deserialize)]
struct Scores {
    scores: Vec<Score>,
}

/// The scores of so many rules, in their order.
pub(in crate::agent) fn scores_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
    rules: usize,
) -> Option<Vec<[f64; 3]>> {
    let read = parse_typed::<Scores>(text, reply::SCORES).and_then(|(said, repairs)| {
        let found = said.scores.len();
        if found != rules {
            return Err(format!(
                "scores: expected {rules}, one for each rule, found {found}"
            ));
        }
        let three = |said: &Score| [said.consistent, said.clear, said.feasible];
        let scores: Vec<[f64; 3]> = said.scores.iter().map(three).collect();
        if scores
            .iter()
            .flatten()
            .all(|score| (0.0..=1.0).contains(score))
        {
            Ok((scores, repairs))
        } else {
            Err("consistent, clear, feasible: expected numbers from 0 to 1".to_owned())
        }
    });
    record_reading(turn, call, read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::subgoal;

    #[test]
    fn judgements_are_taken_for_steps_of_the_plan_and_once() {
        let plan = Plan {
            subgoals: vec![subgoal(1, "stone"), subgoal(2, "coal")],
            ..Plan::default()
        };
        let said = |step: &str, success| JudgedStep {
            step: step.to_owned(),
            success,
            missing: Vec::new(),
            suggestion: "s".repeat(5_000),
        };
        let answer = vec![
            said("sg_002", false),
            said("sg_9", true),
            said("2", true),
            said("x", true),
        ];
        let judged = on_steps(&plan, answer);
        assert_eq!(judged.len(), 1);
        assert!(!judged[0].success && judged[0].subgoal.0 == 2);
        assert!(judged[0].suggestion.len() < 5_000);
    }
}
