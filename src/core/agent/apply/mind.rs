//! Recall and questions to the mind: the phase that waits for an answer, and the one after an unusable answer.

use crate::agent::state::{Phase, Planning, State};
use crate::domain::experience::Hit;
use crate::domain::experience::option::TriedOptions;
use crate::domain::experience::recall::Need;
use crate::domain::knowledge::Entry;
use crate::domain::mind::ask::{Ask, Capsule};
use crate::domain::mind::plan_part::PlanPart;
use crate::domain::mind::spending::Spent;
use crate::domain::run::event::Event;
use pithead_world::ids::{CallId, ExperienceId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Hits kept of all that recall brought in a run, the latest.
const HITS_MAX: usize = 32;

impl State {
    pub(super) fn recall_asked(&mut self, needs: &[Need], event: &Event) {
        if needs.is_empty() {
            self.wait_for(event, Phase::Recalling);
            return;
        }
        let asked = needs.iter().map(|need| (need.target, need.failed));
        self.needs_asked.extend(asked);
        self.replan_recalled = self.counters.replans;
        let planning = match std::mem::take(&mut self.phase) {
            Phase::ToPlan(planning) => planning,
            _ => Planning::default(),
        };
        self.wait_for(event, Phase::RecallingNeeds { planning });
    }

    pub(super) fn recalled(&mut self, hits: &[Hit], knowledge: &[Entry], options: &TriedOptions) {
        self.open = None;
        if let Phase::RecallingNeeds { planning } = std::mem::take(&mut self.phase) {
            self.recalled_needs(planning, hits, knowledge);
        } else {
            self.hits = hits.to_vec();
            self.knowledge = knowledge.to_vec();
            self.options = Arc::new(options.clone());
            self.phase = Phase::ToPlan(Planning::default());
        }
        if self.config().is_some_and(|config| config.hold_out > 0) {
            // What the profile makes no use of has no effect to measure.
            self.given = self.in_use().map(|entry| entry.id).collect();
        }
    }

    /// What a plan's needs brought. A draft made before that was known is no plan that was sent back.
    fn recalled_needs(&mut self, mut planning: Planning, hits: &[Hit], knowledge: &[Entry]) {
        let ids: BTreeSet<ExperienceId> = hits.iter().map(|hit| hit.id).collect();
        self.hits.retain(|hit| !ids.contains(&hit.id));
        self.hits.extend_from_slice(hits);
        let over = self.hits.len().saturating_sub(HITS_MAX);
        self.hits.drain(..over);
        self.knowledge.extend_from_slice(knowledge);
        self.knowledge.sort_by_key(|entry| entry.id);
        if !knowledge.is_empty() && self.proposal.take().is_some() {
            planning.round = planning.round.saturating_sub(1);
            planning.rejected = None;
        }
        self.phase = Phase::ToPlan(planning);
    }

    pub(super) fn capsule_made(&mut self, capsule: &Capsule) {
        self.capsule = Some(capsule.clone());
        self.phase = Phase::ToPlan(Planning::default());
    }

    pub(super) fn mind_asked(&mut self, call: CallId, ask: &Ask, event: &Event) {
        self.counters.calls = self.counters.calls.max(call.0);
        // The whole question, so that it can be put again after a crash.
        self.open = Some(event.clone());
        if let Ask::Plan(ask) = ask
            && let Some(PlanPart::Goal(_)) = ask.part.as_deref()
        {
            self.goal_progress.questions += 1;
        }
        self.phase = match (ask, std::mem::take(&mut self.phase)) {
            (Ask::Capsule(_), _) => Phase::Condensing { call },
            (Ask::Plan(_), Phase::ToPlan(planning)) => Phase::Planning { call, planning },
            (Ask::Plan(_), _) => Phase::Planning {
                call,
                planning: Planning::default(),
            },
            // Tasks are read before a run begins.
            (Ask::Goal(_), other) => other,
            (Ask::Decompose(ask), before) => Phase::Decomposing {
                call,
                goal: ask.goal.clone(),
                planning: planning_before(before),
                faults: ask.faults.clone(),
            },
            (Ask::Explain(ask), _) => Phase::Explaining {
                call,
                subgoal: ask.subgoal.id,
                faults: ask.faults.clone(),
            },
            (Ask::Summarise(ask), _) => Phase::Summarising {
                call,
                outcome: ask.outcome,
                because: ask.because.clone(),
                faults: ask.faults.clone(),
                withheld: false,
            },
            // The phase holds the topic already.
            (
                Ask::Reference(_)
                | Ask::Skill(_)
                | Ask::Guardrail(_)
                | Ask::Rules(_)
                | Ask::Score(_),
                before,
            ) => before,
            (Ask::Judge(ask), before) => Phase::Judging {
                call,
                planning: planning_before(before),
                faults: ask.faults.clone(),
                withheld: false,
            },
            (Ask::Reflect(ask), before) => match (&ask.subgoal, before) {
                (_, before @ Phase::Studying(_)) | (None, before) => before,
                (Some(subgoal), _) => Phase::Reflecting {
                    call,
                    subgoal: subgoal.id,
                    trigger: ask.trigger,
                    lost: ask.lost.clone(),
                    faults: ask.faults.clone(),
                },
            },
            (Ask::Diagnose(ask), _) => Phase::Attributing {
                call,
                subgoal: ask.subgoal.id,
                faults: ask.faults.clone(),
            },
        };
    }

    pub(super) fn mind_answered(&mut self, text: &str) {
        self.open = None;
        // A plan that is sent back is shown to its author as it was written.
        let is_plan = matches!(self.phase, Phase::Planning { .. });
        self.last_answer = (is_plan && self.asks_models()).then(|| text.to_owned());
    }

    pub(super) fn mind_charged(&mut self, spent: &Spent) {
        let tokens = spent.tokens_in.saturating_add(spent.tokens_out);
        // Saturating: a server may report any number.
        self.counters.tokens = self.counters.tokens.saturating_add(tokens);
        let micros = spent.micros.unwrap_or(0);
        self.counters.micros = self.counters.micros.saturating_add(micros);
    }

    /// The answer was unusable: the phase may ask again, with the fault quoted.
    pub(super) fn answer_unread(&mut self, fault: &str) {
        self.open = None;
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Planning { mut planning, .. } => {
                planning.faults.push(fault.to_owned());
                Phase::ToPlan(planning)
            }
            mut phase @ (Phase::Attributing { .. }
            | Phase::Decomposing { .. }
            | Phase::Explaining { .. }
            | Phase::Judging { .. }
            | Phase::Reflecting { .. }
            | Phase::Summarising { .. }) => {
                if let Phase::Attributing { faults, .. }
                | Phase::Decomposing { faults, .. }
                | Phase::Explaining { faults, .. }
                | Phase::Judging { faults, .. }
                | Phase::Reflecting { faults, .. }
                | Phase::Summarising { faults, .. } = &mut phase
                {
                    faults.push(fault.to_owned());
                }
                phase
            }
            Phase::Studying(mut study) => {
                study.faults.push(fault.to_owned());
                Phase::Studying(study)
            }
            // Recall is an aid: without a capsule the planner gets the entries themselves.
            Phase::Condensing { .. } => Phase::ToPlan(Planning::default()),
            other => other,
        };
    }

    /// The question was withheld: the phase puts it again when there is more to spend.
    pub(super) fn mind_withheld(&mut self) {
        self.open = None;
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Planning { planning, .. } => Phase::ToPlan(planning),
            Phase::Condensing { .. } => Phase::ToPlan(Planning::default()),
            Phase::Decomposing { planning, .. } => Phase::ToPlan(planning),
            Phase::Studying(mut study) => {
                study.withheld = true;
                Phase::Studying(study)
            }
            mut phase @ (Phase::Summarising { .. } | Phase::Judging { .. }) => {
                if let Phase::Summarising { withheld, .. } | Phase::Judging { withheld, .. } =
                    &mut phase
                {
                    *withheld = true;
                }
                phase
            }
            other => other,
        };
    }
}

/// What planning carries through a question that it waits for.
fn planning_before(before: Phase) -> Planning {
    match before {
        Phase::ToPlan(planning)
        | Phase::Decomposing { planning, .. }
        | Phase::Judging { planning, .. } => planning,
        _ => Planning::default(), // not met: these questions belong to planning
    }
}
