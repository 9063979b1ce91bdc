//! Plans: proposed, verified, adopted, and begun anew.

use crate::agent::state::{Phase, PlanProposal, Planning, State};
use crate::domain::mind::ask::TakenApart;
use crate::domain::mind::evidence::Rejected;
use crate::domain::mind::judge::Judgement;
use crate::domain::mind::plan_part::PlanPart;
use crate::domain::mind::study::PlanCorrection;
use crate::domain::plan::note::{Note, Severity};
use crate::domain::plan::{Goal, Plan};
use pithead_world::ids::{Revision, SubgoalId};

/// Talks kept, the newest; each holds two whole plans, and all go into one prompt.
const CORRECTIONS_MAX: usize = 4;

/// Keeps a rejected plan with its notes once another plan passes in its place.
fn keep_correction(
    corrections: &mut Vec<PlanCorrection>,
    before: Option<Rejected>,
    plan: &Plan,
    notes: &[Note],
) {
    // Warnings do not send a plan back, so they teach no rule.
    let faulty = |notes: &[Note]| notes.iter().any(|n| n.severity == Severity::Error);
    let Some(rejected) = before.filter(|before| faulty(&before.notes) && !faulty(notes)) else {
        return;
    };
    if corrections.len() >= CORRECTIONS_MAX {
        corrections.remove(0);
    }
    corrections.push(PlanCorrection {
        rejected,
        passed: plan.clone(),
    });
}

impl State {
    pub(super) fn goal_taken_apart(&mut self, apart: &TakenApart) {
        self.goals.push(apart.clone());
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Decomposing { planning, .. } => Phase::ToPlan(planning),
            other => other,
        };
    }

    pub(super) fn goal_reached(&mut self, goal: &Goal) {
        if let Some(object) = goal.object {
            self.goal_progress.has_reached(object);
        }
    }

    /// The rest is planned anew in place of what was to follow this step.
    pub(super) fn replan_from(&mut self, subgoal: SubgoalId) {
        self.phase = Phase::ToPlan(Planning {
            replaces: Some(subgoal),
            ..Default::default()
        });
    }

    /// More of the plan is asked for.
    pub(super) fn plan_continued(&mut self, part: &PlanPart) {
        if let PlanPart::Mending { step, assertion } = part {
            self.mended.push((step.id, assertion.clone()));
        }
        self.phase = Phase::ToPlan(Planning {
            part: Some(Box::new(part.clone())),
            ..Planning::default()
        });
    }

    pub(super) fn plan_proposed(&mut self, revision: Revision, plan: &Plan) {
        self.counters.revisions = self.counters.revisions.max(revision.0);
        // Ids of the plan may be higher than the counter: minds choose them.
        let highest = plan.subgoals.iter().map(|s| s.id.0).max().unwrap_or(0);
        self.counters.subgoals = self.counters.subgoals.max(highest);
        self.proposal = Some(PlanProposal {
            revision,
            plan: plan.clone(),
            notes: Vec::new(),
            judged: None,
        });
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Planning { planning, .. } => Phase::ToPlan(planning),
            other => other,
        };
    }

    pub(super) fn plan_verified(&mut self, notes: &[Note]) {
        let Some(proposal) = &mut self.proposal else {
            return;
        };
        proposal.notes = notes.to_vec();
        if let Phase::ToPlan(planning) = &mut self.phase {
            // Rounds count plans, not questions.
            planning.round += 1;
            // The plan before this one, if it was sent back.
            let before = planning.rejected.take();
            if self.config.as_ref().is_some_and(|c| c.profile.learn_rules) {
                keep_correction(&mut self.corrections, before, &proposal.plan, notes);
            }
            planning.rejected = Some(Rejected {
                plan: proposal.plan.clone(),
                notes: notes.to_vec(),
                answer: self.last_answer.take(),
            });
        }
    }

    /// What is expected of the proposal's steps; the mind's notes go back with the plan, if it goes back.
    pub(super) fn plan_judged(&mut self, judged: &[Judgement], notes: &[Note]) {
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Judging { planning, .. } => Phase::ToPlan(planning),
            other => other,
        };
        if let Some(proposal) = &mut self.proposal {
            proposal.judged = Some(judged.to_vec());
            proposal.notes.extend_from_slice(notes);
        }
        if let Phase::ToPlan(planning) = &mut self.phase
            && let Some(rejected) = &mut planning.rejected
        {
            rejected.notes.extend_from_slice(notes);
        }
    }

    pub(super) fn plan_adopted(&mut self) {
        let Some(proposal) = self.proposal.take() else {
            return;
        };
        let judged = proposal.judged.unwrap_or_default().into_iter();
        self.alarmed.clear();
        self.judgements = judged.map(|said| (said.subgoal, said)).collect();
        for subgoal in &proposal.plan.subgoals {
            // Nodes of earlier plans stay: their attempts still count.
            self.nodes.entry(subgoal.id).or_default();
        }
        for node in self.nodes.values_mut() {
            node.forget_failures();
        }
        // The operator allowed the step that was shown: another count under the same id is another question.
        let goal = |plan: &Plan, id| plan.get(id).map(|subgoal| subgoal.goal.clone());
        let before = self.plan.take().unwrap_or_default();
        self.allowed
            .retain(|id| goal(&before, *id) == goal(&proposal.plan, *id));
        self.plan = Some(proposal.plan);
        self.next_up = None;
        self.phase = Phase::Choosing;
    }
}
