//! Apply: the only place where state changes. One short function per group of events.
//!
//! Nothing here decides, and nothing here can fail: an event is a fact.

use super::state::{Hold, Node, Phase, Planning, Proposal, State};
use crate::domain::ask::{Ask, Failure, Rejected};
use crate::domain::attempt::{Attempt, Deed, Sample};
use crate::domain::decision::{By, Question, Subject, Verdict};
use crate::domain::event::{Event, Recorded, Then};
use crate::domain::experience::Experience;
use crate::domain::knowledge::{Body, Status, Use};
use crate::domain::note::Note;
use crate::domain::plan::Plan;
use crate::domain::situation::{Baseline, Situation};
use crate::domain::state_card::StateCard;
use crate::ids::{AttemptId, CallId, DecisionId, KnowledgeId, Revision, SubgoalId};
use crate::world::observation::Frame;
use crate::world::seen::SeenCells;

impl State {
    /// Folds one recorded event in.
    pub fn apply(&mut self, recorded: &Recorded) {
        self.seq = recorded.seq;
        self.take(&recorded.event);
    }

    /// Folds an event in that has no place in the journal yet.
    pub(super) fn take(&mut self, event: &Event) {
        match event {
            Event::RunStarted { config } => {
                self.gates = config.gates.clone();
                self.config = Some(config.clone());
            }
            Event::WorldAsked => {
                self.phase = Phase::Opening;
                self.open = Some(event.clone());
            }
            Event::WorldReady { frame } => {
                self.open = None;
                self.look(frame);
            }
            Event::FrameSeen { frame } => self.frame_seen(frame),
            Event::RecallAsked { .. } => {
                self.phase = Phase::Recalling;
                self.open = Some(event.clone());
            }
            Event::Recalled { hits, knowledge } => {
                self.open = None;
                self.hits.clone_from(hits);
                self.knowledge.clone_from(knowledge);
                self.phase = Phase::ToPlan(Planning::default());
            }
            Event::CapsuleMade { capsule } => {
                self.capsule = Some(capsule.clone());
                self.phase = Phase::ToPlan(Planning::default());
            }
            Event::MindAsked { call, ask } => self.mind_asked(*call, ask, event),
            Event::MindAnswered { .. } => self.open = None,
            Event::MindFailed { because, .. } => self.answer_unread(because),
            Event::AnswerRejected { fault, .. } => self.answer_unread(fault),
            Event::PlanProposed { revision, plan, .. } => self.plan_proposed(*revision, plan),
            Event::PlanVerified { notes, .. } => self.plan_verified(notes),
            Event::PlanAdopted { .. } => self.plan_adopted(),
            Event::DecisionAsked { question } => self.decision_asked(question),
            Event::DecisionMade { decision, verdict, by } => {
                self.decision_made(*decision, verdict, by);
            }
            Event::AttemptStarted { attempt, subgoal } => self.attempt_started(*attempt, *subgoal),
            Event::ActionIssued { .. } | Event::ActionCancelled { .. } | Event::ActionEnded { .. } => {
                self.action(event);
            }
            Event::AttemptEnded { attempt, experience } => self.attempt_ended(*attempt, experience),
            Event::SubgoalDone { subgoal } => self.subgoal_done(*subgoal),
            Event::ReplanStarted { subgoal, .. } => {
                self.counters.replans += 1;
                self.to_replan(*subgoal);
            }
            Event::LessonLearnt { lesson } => {
                self.pending_lesson = Some(lesson.clone());
                if let Phase::Attributing { subgoal, .. } = self.phase {
                    self.to_replan(subgoal);
                }
            }
            Event::ConstraintBound { constraint } => {
                self.pending_lesson = None;
                self.lessons.push(constraint.clone());
            }
            Event::LookupAsked { drafts, then } => {
                self.drafts.clone_from(drafts);
                self.open = Some(event.clone());
                self.phase = Phase::LookingUp { then: then.clone() };
            }
            Event::LookedUp { .. } => {
                self.open = None;
                self.drafts.clear();
                if let Phase::LookingUp { then: Then::Replan { subgoal } } = self.phase {
                    self.to_replan(subgoal);
                }
            }
            Event::KnowledgeProposed { .. }
            | Event::KnowledgeMerged { .. }
            | Event::KnowledgeSuppressed { .. }
            | Event::KnowledgeActivated { .. }
            | Event::KnowledgeEdited { .. }
            | Event::KnowledgeVetoed { .. }
            | Event::KnowledgeUsed { .. } => self.knowledge_changed(event),
            Event::Paused { .. } => self.hold = Hold::Paused,
            Event::Resumed { .. } => self.hold = Hold::Free,
            Event::Stepped { .. } => self.hold = Hold::Stepping,
            Event::PolicySet { kind, policy, .. } => {
                self.gates.0.insert(*kind, *policy);
            }
            Event::RunEnded { outcome, .. } => {
                self.open = None;
                self.phase = Phase::Ended { outcome: *outcome };
                self.questions.retain(|q| !q.kind.blocks_run());
            }
            // Facts for people and for the journal; the agent's state does not depend on them.
            Event::WorldLost { .. }
            | Event::SubgoalSelected { .. }
            | Event::PaceSet { .. }
            | Event::CommandRefused { .. } => (),
        }
    }

    fn to_replan(&mut self, subgoal: SubgoalId) {
        self.phase = Phase::ToPlan(Planning { replaces: Some(subgoal), ..Default::default() });
    }

    /// Keeps the frame, without what only the map needs.
    fn look(&mut self, frame: &Frame) {
        let mut kept = Frame { seen: SeenCells::default(), trail: Vec::new(), ..frame.clone() };
        kept.mobs.truncate(8);
        self.frame = Some(Box::new(kept));
        if self.hold == Hold::Stepping {
            self.hold = Hold::Paused;
        }
    }

    fn frame_seen(&mut self, frame: &Frame) {
        self.look(frame);
        let samples_max = self.config().map_or(400, |c| c.limits.samples_max);
        if let Phase::Acting(attempt) = &mut self.phase {
            let truths = truths(attempt, frame);
            attempt.samples.push(Sample::of(frame, truths));
            if attempt.samples.len() > samples_max {
                thin_out(&mut attempt.samples);
            }
        }
    }

    fn mind_asked(&mut self, call: CallId, ask: &Ask, event: &Event) {
        self.counters.calls = self.counters.calls.max(call.0);
        self.open = Some(event.clone());
        self.phase = match (ask, std::mem::take(&mut self.phase)) {
            (Ask::Capsule(_), _) => Phase::Condensing { call },
            (Ask::Plan(_), Phase::ToPlan(planning)) => Phase::Planning { call, planning },
            (Ask::Plan(_), _) => Phase::Planning { call, planning: Planning::default() },
            (Ask::Diagnose(ask), _) => {
                let faults = ask.faults.clone();
                Phase::Attributing { call, subgoal: ask.subgoal.id, faults }
            }
        };
    }

    /// The answer was no use: the phase may ask again, with the fault quoted.
    fn answer_unread(&mut self, fault: &str) {
        self.open = None;
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Planning { mut planning, .. } => {
                planning.faults.push(fault.to_owned());
                Phase::ToPlan(planning)
            }
            Phase::Attributing { call, subgoal, mut faults } => {
                faults.push(fault.to_owned());
                Phase::Attributing { call, subgoal, faults }
            }
            // Recall is an aid: without a capsule the planner gets the entries themselves.
            Phase::Condensing { .. } => Phase::ToPlan(Planning::default()),
            other => other,
        };
    }

    fn plan_proposed(&mut self, revision: Revision, plan: &Plan) {
        self.counters.revisions = self.counters.revisions.max(revision.0);
        let highest = plan.subgoals.iter().map(|s| s.id.0).max().unwrap_or(0);
        self.counters.subgoals = self.counters.subgoals.max(highest);
        self.proposal = Some(Proposal { revision, plan: plan.clone(), notes: Vec::new() });
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Planning { planning, .. } => Phase::ToPlan(planning),
            other => other,
        };
    }

    fn plan_verified(&mut self, notes: &[Note]) {
        let Some(proposal) = &mut self.proposal else { return };
        proposal.notes = notes.to_vec();
        if let Phase::ToPlan(planning) = &mut self.phase {
            planning.round += 1;
            planning.rejected =
                Some(Rejected { plan: proposal.plan.clone(), notes: notes.to_vec() });
        }
    }

    fn plan_adopted(&mut self) {
        let Some(proposal) = self.proposal.take() else { return };
        for subgoal in &proposal.plan.subgoals {
            self.nodes.entry(subgoal.id).or_default();
        }
        for node in self.nodes.values_mut() {
            node.failures.clear();
        }
        self.counters.vetoes = 0;
        self.plan = Some(proposal.plan);
        self.phase = Phase::Choosing;
    }

    fn decision_asked(&mut self, question: &Question) {
        self.counters.decisions = self.counters.decisions.max(question.id.0);
        self.questions.push(question.clone());
        let decision = question.id;
        self.phase = match (&question.subject, std::mem::take(&mut self.phase)) {
            (Subject::Plan(_), Phase::ToPlan(planning)) => Phase::Gated { decision, planning },
            (Subject::Risk { subgoal, .. }, _) => Phase::Risking { decision, subgoal: *subgoal },
            (Subject::End { outcome, because }, _) => {
                Phase::Ending { decision, outcome: *outcome, because: because.clone() }
            }
            (_, other) => other,
        };
    }

    fn decision_made(&mut self, decision: DecisionId, verdict: &Verdict, by: &By) {
        self.questions.retain(|q| q.id != decision);
        let veto = match verdict {
            Verdict::Veto { reason } if *by == By::Timeout => Some(format!("time-out: {reason}")),
            Verdict::Veto { reason } => Some(format!("operator veto: {reason}")),
            Verdict::Approve | Verdict::EditPlan(_) | Verdict::EditKnowledge(_) => None,
        };
        let (phase, asked) = match std::mem::take(&mut self.phase) {
            Phase::Gated { decision: d, planning } if d == decision => {
                (Phase::ToPlan(planning), true)
            }
            Phase::Risking { decision: d, subgoal } if d == decision => {
                self.allowed.insert(subgoal);
                (Phase::Choosing, true)
            }
            Phase::Ending { decision: d, .. } if d == decision => (Phase::Choosing, true),
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

    fn attempt_started(&mut self, id: AttemptId, subgoal: SubgoalId) {
        let (Some(frame), Some(plan)) = (&self.frame, &self.plan) else { return };
        let Some(subgoal) = plan.get(subgoal) else { return };
        self.counters.attempts = self.counters.attempts.max(id.0);
        let mut attempt = Attempt {
            id,
            subgoal: subgoal.clone(),
            baseline: Baseline::of(frame),
            pre: StateCard::of(frame),
            samples: Vec::new(),
            actions: Vec::new(),
            stop: None,
        };
        let truths = truths(&attempt, frame);
        attempt.samples.push(Sample::of(frame, truths));
        self.nodes.entry(subgoal.id).or_default().attempts += 1;
        self.phase = Phase::Acting(Box::new(attempt));
    }

    fn action(&mut self, event: &Event) {
        if let Event::ActionEnded { frame, .. } = event {
            self.frame_seen(frame);
        }
        let Phase::Acting(attempt) = &mut self.phase else { return };
        match event {
            Event::ActionIssued { action, order, .. } => {
                self.counters.actions = self.counters.actions.max(action.0);
                attempt.actions.push(Deed { id: *action, order: order.clone(), report: None });
            }
            Event::ActionCancelled { stop, .. } => attempt.stop = Some(stop.clone()),
            Event::ActionEnded { action, report, .. } => {
                if let Some(deed) = attempt.actions.iter_mut().find(|d| d.id == *action) {
                    deed.report = Some(report.clone());
                }
            }
            _ => unreachable!("only action events are sent here"),
        }
    }

    fn attempt_ended(&mut self, attempt: AttemptId, experience: &Experience) {
        self.phase = Phase::Choosing;
        let diagnosis = &experience.diagnosis;
        if diagnosis.success {
            self.successes.push(experience.clone());
            return;
        }
        self.counters.failed_attempts += 1;
        if let Some(reason) = diagnosis.reason {
            *self.counters.failures.entry(reason).or_default() += 1;
        }
        let failure = Failure {
            attempt,
            pre: experience.pre.clone(),
            diagnosis: diagnosis.clone(),
        };
        self.nodes.entry(experience.action.id).or_default().failures.push(failure);
    }

    fn subgoal_done(&mut self, id: SubgoalId) {
        let node: &mut Node = self.nodes.entry(id).or_default();
        node.done = true;
        node.failures.clear();
        if let Some(subgoal) = self.plan.as_ref().and_then(|p| p.get(id)) {
            self.done.push(subgoal.clone());
        }
    }

    fn knowledge_changed(&mut self, event: &Event) {
        match event {
            Event::KnowledgeProposed { entry } => {
                self.counters.entries = self.counters.entries.max(entry.id.n);
                self.proposed.push((**entry).clone());
            }
            Event::KnowledgeActivated { id } => self.activate(*id),
            Event::KnowledgeEdited { id, body, .. } => self.edit(*id, body),
            Event::KnowledgeVetoed { id, .. } => {
                self.proposed.retain(|e| e.id != *id);
                self.knowledge.retain(|e| e.id != *id);
            }
            Event::KnowledgeUsed { id, how, subgoal } => self.used(*id, *how, *subgoal),
            _ => (), // merged and suppressed drafts change nothing here
        }
    }

    fn used(&mut self, id: KnowledgeId, how: Use, subgoal: Option<SubgoalId>) {
        match (how, subgoal) {
            (Use::Shown, _) => {
                self.shown.insert(id);
            }
            (Use::Blocked, Some(subgoal)) => *self.blocks.entry((subgoal, id)).or_default() += 1,
            (Use::Hurt, _) => {
                self.passed_over.insert(id);
            }
            (Use::Blocked, None) | (Use::Retrieved | Use::Matched | Use::Helped, _) => (),
        }
    }

    fn activate(&mut self, id: KnowledgeId) {
        if let Some(at) = self.proposed.iter().position(|e| e.id == id) {
            let mut entry = self.proposed.remove(at);
            entry.status = Status::Active;
            self.knowledge.push(entry);
        }
    }

    fn edit(&mut self, id: KnowledgeId, body: &Body) {
        let entries = self.proposed.iter_mut().chain(&mut self.knowledge);
        for entry in entries.filter(|e| e.id == id) {
            entry.body = body.clone();
            entry.version += 1;
        }
    }
}

/// The subgoal's checks at a frame.
pub(super) fn truths(attempt: &Attempt, frame: &Frame) -> Vec<crate::domain::check::Truth> {
    let situation = Situation::of(frame).since(&attempt.baseline).pursuing(&attempt.subgoal);
    attempt.subgoal.checks.iter().map(|check| check.truth(&situation)).collect()
}

/// Halves the older part: the start and the recent past stay as they are.
fn thin_out(samples: &mut Vec<Sample>) {
    let recent = samples.len() / 2;
    let mut index = 0;
    samples.retain(|_| {
        index += 1;
        index == 1 || index > recent || index % 2 == 0
    });
}
