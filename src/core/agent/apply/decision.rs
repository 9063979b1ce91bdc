//! Questions to the operator: asked, held, released, and the phase that follows from the verdict.

use crate::agent::state::{Phase, Planning, State};
use crate::domain::run::decision::{By, Question, Subject, Verdict};
use pithead_world::clock::Millis;
use pithead_world::ids::DecisionId;

impl State {
    pub(super) fn decision_asked(&mut self, question: &Question) {
        self.counters.decisions = self.counters.decisions.max(question.id.0);
        self.questions.push(question.clone());
        let decision = question.id;
        self.phase = match (&question.subject, std::mem::take(&mut self.phase)) {
            (Subject::Plan(_), Phase::ToPlan(planning)) => Phase::Gated { decision, planning },
            (Subject::Risk { subgoal, .. }, _) => Phase::Risking {
                decision,
                subgoal: *subgoal,
            },
            (Subject::End { outcome, because }, _) => Phase::Ending {
                decision,
                outcome: *outcome,
                because: because.clone(),
            },
            (Subject::Budget { .. }, then) => Phase::Spent {
                decision,
                then: Box::new(then),
            },
            (_, other) => other,
        };
    }

    pub(super) fn decision_held(&mut self, id: DecisionId, by: &str) {
        if let Some(question) = self.question_mut(id) {
            question.hold(by);
        }
    }

    pub(super) fn decision_released(&mut self, id: DecisionId, deadline: Millis) {
        if let Some(question) = self.question_mut(id) {
            question.release(deadline);
        }
    }

    fn question_mut(&mut self, id: DecisionId) -> Option<&mut Question> {
        self.questions.iter_mut().find(|question| question.id == id)
    }

    pub(super) fn decision_made(&mut self, decision: DecisionId, verdict: &Verdict, by: &By) {
        self.forget_kept(decision);
        self.questions.retain(|q| q.id != decision);
        let veto = match verdict {
            Verdict::Veto { reason } => Some(match by {
                By::Timeout => format!("time-out: {reason}"),
                By::Policy => format!("policy veto: {reason}"),
                By::Operator(_) => format!("operator veto: {reason}"),
            }),
            Verdict::Approve | Verdict::EditPlan(_) | Verdict::EditKnowledge(_) => None,
        };
        let (phase, asked) = match std::mem::take(&mut self.phase) {
            Phase::Gated {
                decision: d,
                planning,
            } if d == decision => (Phase::ToPlan(planning), true),
            Phase::Risking {
                decision: d,
                subgoal,
            } if d == decision => {
                if veto.is_none() {
                    self.allowed.insert(subgoal);
                }
                (Phase::Choosing, true)
            }
            Phase::Ending { decision: d, .. } if d == decision => (Phase::Choosing, true),
            Phase::Spent { decision: d, then } if d == decision => {
                self.counters.grants += u32::from(*verdict == Verdict::Approve);
                (*then, false)
            }
            other => (other, false),
        };
        self.phase = phase;
        if let (Some(reason), true) = (veto, asked) {
            self.vetoed(reason);
        }
    }

    /// The operator's reason goes into the next question to the planner.
    fn vetoed(&mut self, reason: String) {
        self.counters.vetoes += 1;
        let mut planning = match std::mem::take(&mut self.phase) {
            Phase::ToPlan(planning) => planning,
            _ => Planning::default(),
        };
        planning.vetoes.push(reason);
        planning.rejected = None;
        planning.round = 0;
        self.phase = Phase::ToPlan(planning);
    }
}
