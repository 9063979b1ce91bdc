//! The view: everything the screens show of a run, as a fold of its events.
//!
//! Live, attached and replayed runs are drawn from the same fold. It keeps what people look at, not
//! what the agent needs. Invariant: same events, same view; every list in it is bounded.

pub mod attempt;
pub mod diff;
pub mod inbox;
pub mod knowledge;
pub mod map;
pub mod mind;
pub mod plan;
pub mod status;
pub(crate) mod steer;
pub(crate) mod stop;
pub(crate) mod stored;
pub mod timeline;
pub(crate) mod words;

use crate::view::attempt::{AttemptView, DiagnosisView};
use crate::view::inbox::Inbox;
use crate::view::knowledge::KnowledgeView;
use crate::view::map::MapView;
use crate::view::mind::MindView;
use crate::view::plan::PlanView;
use crate::view::status::RunStatus;
use crate::view::timeline::Timeline;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::mind::spending::Spent;
use pithead_core::domain::plan::Plan;
use pithead_core::domain::plan::note::Note;
use pithead_core::domain::run::breakpoint::Breakpoint;
use pithead_core::domain::run::budget::Budget;
use pithead_core::domain::run::decision::{GateKind, Gates, Verdict};
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_engine::runtime::costs::Costs;
use pithead_engine::runtime::system_record::SystemRecord;
use pithead_world::action::ActionReport;
use pithead_world::clock::Millis;
use pithead_world::ids::{Revision, RunId, Seq, SubgoalId};
use pithead_world::observation::Frame;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// All that is shown.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct View {
    pub head: Option<Arc<RunHead>>,
    /// The last event folded.
    pub seq: Seq,
    /// When it was recorded; a replay has no other clock.
    pub at: Millis,
    /// From when the time of the run counts; in a fork as if it had followed its past at once.
    began: Millis,
    /// World time of the last frame.
    pub tick: u64,
    pub frame: Option<Arc<Frame>>,
    pub status: RunStatus,
    pub plan: PlanView,
    /// A plan that was proposed and is not in force.
    pub proposal: Option<Arc<ProposedPlan>>,
    pub attempt: Option<AttemptView>,
    pub diagnosis: Option<DiagnosisView>,
    pub knowledge: KnowledgeView,
    pub map: MapView,
    pub timeline: Timeline,
    pub inbox: Inbox,
    pub counts: RunCounts,
    /// Times real time, 0 as fast as it can; none until the run has said so.
    pub pace: Option<f64>,
    pub gates: Gates,
    /// Where the run stops, as it has it.
    pub breaks: Vec<Breakpoint>,
    /// Acts of the operator that are not done, the next first.
    pub acts: Vec<SubgoalId>,
    /// The run that this one was forked from, and the last event that both have.
    pub origin: Option<(RunId, Seq)>,
    /// What the mind has cost, by role, phase and model.
    pub costs: Costs,
    /// What the mind was asked.
    pub mind: MindView,
    /// What the phases of other systems did.
    pub system: SystemRecord,
}

/// What does not change during a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunHead {
    pub run: RunId,
    pub task: String,
    pub seed: u64,
    pub world: String,
    pub mind: String,
    /// The mind is a planner that plays a language model; results must say so.
    pub simulated: bool,
    pub system: String,
    pub budget: Budget,
    pub started: Millis,
    pub config: RunConfig,
}

/// What has been counted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunCounts {
    pub attempts: u64,
    pub failed: u64,
    pub replans: u64,
    pub mind_calls: u64,
    pub subgoals_done: u64,
    pub reasons: BTreeMap<FailureReason, u64>,
    /// What language models have cost.
    pub tokens: u64,
    pub micros: u64,
    /// Answers that were charged.
    pub charged: u64,
    /// How often the operator granted the budget again.
    pub grants: u32,
}

impl RunCounts {
    fn charge(&mut self, spent: &Spent) {
        self.tokens = self
            .tokens
            .saturating_add(spent.tokens_in + spent.tokens_out);
        self.micros = self.micros.saturating_add(spent.micros.unwrap_or(0));
        self.charged += 1;
    }
}

/// A plan on its way through verifier and gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProposedPlan {
    pub revision: Revision,
    pub plan: Plan,
    pub replaces: Option<SubgoalId>,
    pub notes: Vec<Note>,
    /// What the mind made of the failures that led here.
    pub cause: Option<String>,
    /// The operator who asked for it, and the reason: `ada: the cave is flooded`.
    pub asked: Option<String>,
}

impl View {
    /// Folds one more event.
    pub fn apply(&mut self, recorded: &Recorded) {
        self.seq = recorded.seq;
        match recorded.event {
            Event::RunStarted { .. } => self.began = recorded.at,
            // What stands before was copied; the time between the two runs is neither's.
            Event::RunForked { .. } => {
                self.began = Millis(recorded.at.0.saturating_sub(self.elapsed_ms()));
            }
            _ => (), // time passes in every other event
        }
        self.at = recorded.at;
        // The line is made first: it may speak of what the event removes.
        if let Some(line) = words::line(recorded, self) {
            self.timeline.push(line);
        }
        self.costs.apply(recorded);
        self.mind.apply(recorded);
        self.system.apply(recorded);
        self.apply_event(&recorded.event);
    }

    fn apply_event(&mut self, event: &Event) {
        self.status.apply(event, self.tick, self.at, &self.plan);
        match event {
            Event::RunStarted { config } => self.run_started(config),
            Event::WorldReady { frame }
            | Event::WorldRejoined { frame, .. }
            | Event::FrameSeen { frame } => self.observe(frame),
            Event::ActionEnded { frame, report, .. } => self.action_ended(frame, report),
            Event::MindAsked { .. } => self.counts.mind_calls += 1,
            Event::MindCharged { spent, .. } => self.counts.charge(spent),
            Event::PlanProposed { .. }
            | Event::PlanVerified { .. }
            | Event::PlanJudged { .. }
            | Event::PlanAdopted { .. }
            | Event::ReplanStarted { .. } => self.apply_plan(event),
            Event::AttemptStarted { .. }
            | Event::ActionIssued { .. }
            | Event::ActionCancelled { .. }
            | Event::AttemptEnded { .. }
            | Event::SubgoalSelected { .. }
            | Event::SubgoalDone { .. } => self.apply_attempt(event),
            Event::LessonLearnt { .. }
            | Event::FailureExplained { .. }
            | Event::PlanReflected { .. } => self.apply_cause(event),
            Event::DecisionAsked { .. }
            | Event::DecisionMade { .. }
            | Event::DecisionHeld { .. }
            | Event::DecisionReleased { .. }
            | Event::CommandRefused { .. } => self.apply_decision(event),
            Event::Recalled { .. }
            | Event::ConstraintBound { .. }
            | Event::KnowledgeProposed { .. }
            | Event::KnowledgeMerged { .. }
            | Event::KnowledgeSuppressed { .. }
            | Event::KnowledgeActivated { .. }
            | Event::KnowledgeEdited { .. }
            | Event::KnowledgeVetoed { .. }
            | Event::KnowledgeMoved { .. }
            | Event::KnowledgeUsed { .. } => self.knowledge.apply(event, self.tick),
            Event::TakenOver { subgoal, by } => self.taken_over(subgoal, by),
            Event::Steered { how, by } => self.steered(how, by),
            Event::PolicySet { .. }
            | Event::PaceSet { .. }
            | Event::BreaksSet { .. }
            | Event::RunForked { .. } => self.apply_setting(event),
            Event::RunEnded { .. } => self.run_ended(),
            Event::GoalTakenApart { apart } => self.plan.goal_taken_apart(apart),
            Event::GoalReached { goal } => self.plan.goal_reached(goal),
            // Told in the timeline and in the status, and nowhere else.
            #[rustfmt::skip]
            Event::WorldAsked | Event::WorldLost { .. } | Event::BodyReacted { .. } | Event::BodySpoke { .. } | Event::KnowledgeWithheld { .. }
            | Event::KnowledgeMeasured { .. } | Event::RecallAsked { .. }
            | Event::CapsuleMade { .. } | Event::PlanContinued { .. } | Event::RunSummarised { .. }
            | Event::StudyBegun { .. } | Event::StudySettled { .. } | Event::MindAnswered { .. }
            | Event::MindFailed { .. } | Event::AnswerRejected { .. } | Event::AnswerRepaired { .. }
            | Event::MindWithheld { .. } | Event::MindUnavailable { .. } | Event::RoleReplaced { .. } | Event::SimilarFailuresAsked { .. }
            | Event::SimilarFailuresFound { .. } | Event::LookupAsked { .. }
            | Event::LookedUp { .. } | Event::Paused { .. } | Event::Resumed { .. }
            | Event::LabelOverruled { .. } | Event::BreakHit { .. } | Event::BookmarkSet { .. }
            | Event::OptionsImported { .. } | Event::BookmarkRemoved { .. } | Event::Triaged { .. } | Event::Stepped { .. } => (),
        }
    }

    /// What the mind made of a failure.
    fn apply_cause(&mut self, event: &Event) {
        self.inbox.cause = match event {
            Event::LessonLearnt { lesson } => Some(lesson.root_cause.clone()),
            Event::FailureExplained { explanation, .. } => Some(explanation.explanation.clone()),
            Event::PlanReflected { reflected } => Some(reflected.reflection.deadlock.clone()),
            _ => unreachable!("only causes are sent here"),
        };
    }

    /// How the run goes on from here.
    fn apply_setting(&mut self, event: &Event) {
        match event {
            Event::PolicySet { kind, policy, .. } => {
                self.gates.0.insert(*kind, *policy);
            }
            Event::PaceSet { times_realtime, .. } => self.pace = Some(*times_realtime),
            Event::BreaksSet { breaks, .. } => self.breaks.clone_from(breaks),
            Event::RunForked { fork } => {
                self.breaks.clear();
                self.origin = Some((fork.from, fork.at));
            }
            _ => unreachable!("only settings are sent here"),
        }
    }

    fn action_ended(&mut self, frame: &Frame, report: &ActionReport) {
        self.observe(frame);
        if let Some(attempt) = &mut self.attempt {
            attempt.action_ended(report, self.tick);
        }
        if let Some(failure) = &report.failure {
            self.map.failed(failure, frame.position.block());
        }
    }

    fn run_ended(&mut self) {
        self.inbox.run_ended();
        self.plan.run_ended();
        if let Some(attempt) = &mut self.attempt {
            attempt.run_ended();
        }
    }

    /// Questions, answers, and what was refused of them.
    fn apply_decision(&mut self, event: &Event) {
        match event {
            Event::DecisionAsked { question } => self.decision_asked(question),
            Event::DecisionMade {
                decision,
                verdict,
                by,
            } => {
                let open = self.inbox.get(*decision);
                let is_budget = open.is_some_and(|o| o.question.kind == GateKind::Budget);
                self.counts.grants += u32::from(is_budget && *verdict == Verdict::Approve);
                self.inbox
                    .decided(*decision, verdict, by, self.at, self.tick);
            }
            Event::DecisionHeld { decision, by } => {
                self.inbox.change(*decision, |open| open.question.hold(by));
            }
            Event::DecisionReleased {
                decision, deadline, ..
            } => self
                .inbox
                .change(*decision, |open| open.question.release(*deadline)),
            Event::CommandRefused {
                decision: Some(decision),
                because,
                ..
            } => self.inbox.change(*decision, |open| {
                open.refused.push(because.clone());
            }),
            _ => (), // a refusal of another command changes no question
        }
    }

    fn run_started(&mut self, config: &RunConfig) {
        self.gates = config.gates.clone();
        self.head = Some(Arc::new(RunHead {
            run: config.run,
            task: config.task.text.clone(),
            seed: config.world.seed,
            world: config.world.kind.clone(),
            mind: config.mind.clone(),
            simulated: config.mind.starts_with("builtin"),
            system: config.profile.name.clone(),
            budget: config.budget,
            started: self.at,
            config: config.clone(),
        }));
    }

    fn observe(&mut self, frame: &Frame) {
        self.map.observe(frame);
        self.tick = frame.tick;
        if let Some(attempt) = &mut self.attempt {
            attempt.observe(frame);
        }
        self.frame = Some(Arc::new(frame.without_map()));
    }

    fn apply_plan(&mut self, event: &Event) {
        match event {
            Event::PlanProposed {
                revision,
                plan,
                replaces,
            } => {
                self.plan_proposed(*revision, plan, *replaces);
            }
            Event::PlanVerified { notes, .. } => {
                if let Some(proposal) = &mut self.proposal {
                    Arc::make_mut(proposal).notes.clone_from(notes);
                }
            }
            Event::PlanJudged { notes, .. } => {
                if let Some(proposal) = &mut self.proposal {
                    Arc::make_mut(proposal).notes.extend_from_slice(notes);
                }
            }
            Event::PlanAdopted { revision } => self.plan_adopted(*revision),
            Event::ReplanStarted { subgoal, .. } => {
                self.counts.replans += 1;
                self.inbox.asked = None;
                self.plan.replan_asked(*subgoal);
            }
            _ => unreachable!("only events of plans are sent here"),
        }
    }

    fn plan_proposed(&mut self, revision: Revision, plan: &Plan, replaces: Option<SubgoalId>) {
        let cause = self.inbox.cause.clone().filter(|_| replaces.is_some());
        let proposal = ProposedPlan {
            revision,
            plan: plan.clone(),
            replaces,
            notes: Vec::new(),
            cause,
            asked: self.inbox.asked.clone(),
        };
        self.proposal = Some(Arc::new(proposal));
    }

    fn plan_adopted(&mut self, revision: Revision) {
        if let Some(proposal) = self.proposal.take() {
            self.plan.adopt(revision, &proposal.plan);
        }
        (self.inbox.cause, self.inbox.asked) = (None, None);
    }

    fn apply_attempt(&mut self, event: &Event) {
        match event {
            Event::AttemptStarted { attempt, subgoal } => {
                self.counts.attempts += 1;
                self.map.begin_attempt();
                self.plan.attempt_started(*subgoal);
                let subgoal = self.plan.subgoal(*subgoal);
                if let (Some(subgoal), Some(frame)) = (subgoal, &self.frame) {
                    self.attempt = Some(AttemptView::new(*attempt, subgoal, frame));
                }
                self.time_attempt();
            }
            Event::ActionIssued { order, .. } => {
                if let Some(attempt) = &mut self.attempt {
                    attempt.action_issued(order, self.tick);
                }
            }
            Event::ActionCancelled { stop, .. } => {
                if let Some(attempt) = &mut self.attempt {
                    attempt.action_cancelled(stop);
                }
            }
            Event::AttemptEnded {
                attempt,
                experience,
            } => {
                if let Some(reason) = experience.failure_reason() {
                    *self.counts.reasons.entry(reason).or_default() += 1;
                }
                if experience.diagnosis.success {
                    self.knowledge.seen.see(experience);
                }
                if experience.is_failure() {
                    self.counts.failed += 1;
                    let reason = experience.diagnosis.reason;
                    self.map.stuck(experience.post.position, reason);
                }
                self.acts.retain(|act| *act != experience.action.id);
                self.plan.attempt_ended(experience);
                let before = self.diagnosis.take();
                self.diagnosis = Some(DiagnosisView::after(before, *attempt, experience));
                if let Some(running) = &mut self.attempt {
                    running.over = true;
                }
            }
            Event::SubgoalSelected { subgoal, .. } => self.plan.selected(*subgoal),
            Event::SubgoalDone { subgoal } => {
                self.counts.subgoals_done += 1;
                self.plan.done(*subgoal);
            }
            _ => unreachable!("only events of attempts are sent here"),
        }
    }

    fn decision_asked(&mut self, question: &pithead_core::domain::run::decision::Question) {
        let content = inbox::Content::for_question(question, self);
        self.inbox.asked(question, content, self.tick);
    }

    /// How long the run had taken at that moment.
    #[must_use]
    pub fn elapsed_at(&self, at: Millis) -> u64 {
        at.since(self.began)
    }

    /// How long the run has taken so far, without the time between its past and a fork.
    #[must_use]
    pub fn elapsed_ms(&self) -> u64 {
        self.at.since(self.began)
    }

    /// Share of the tick budget used, 0..=1.
    #[must_use]
    pub fn budget_used(&self) -> f64 {
        let ticks = self.head.as_ref().map_or(0, |head| head.budget.ticks);
        if ticks == 0 {
            0.0
        } else {
            (self.tick as f64 / ticks as f64).min(1.0)
        }
    }
}

#[cfg(test)]
mod tests;
