//! Apply: the only place where state changes. One short function per group of events.
//!
//! Nothing here decides, and nothing here can fail: an event is a fact.

mod asking;
mod attempt;
mod debug;
mod guide;
mod steer;
mod study;

pub(super) use attempt::truths;

use super::state::{Hold, Phase, Planning, Proposal, State};
use crate::domain::knowledge::{Body, Status, Use};
use crate::domain::mind::ask::Rejected;
use crate::domain::plan::Plan;
use crate::domain::plan::note::Note;
use crate::domain::run::decision::{By, Question, Subject, Verdict};
use crate::domain::run::event::{Event, Recorded, Then};
use pithead_world::ids::{DecisionId, KnowledgeId, Revision, SubgoalId};

impl State {
    /// Folds one recorded event in.
    pub fn apply(&mut self, recorded: &Recorded) {
        self.seq = recorded.seq;
        self.take(&recorded.event);
    }

    /// Folds an event in that has no place in the journal yet.
    pub(super) fn take(&mut self, event: &Event) {
        match event {
            Event::RunStarted { .. }
            | Event::WorldAsked
            | Event::WorldReady { .. }
            | Event::FrameSeen { .. }
            | Event::Paused { .. }
            | Event::Resumed { .. }
            | Event::Stepped { .. }
            | Event::PolicySet { .. }
            | Event::PaceSet { .. }
            | Event::TakenOver { .. }
            | Event::RunEnded { .. } => self.run_changed(event),
            Event::Steered { how, by } => self.steered(how, by),
            Event::RecallAsked { .. }
            | Event::Recalled { .. }
            | Event::CapsuleMade { .. }
            | Event::MindAsked { .. }
            | Event::MindAnswered { .. }
            | Event::MindFailed { .. }
            | Event::MindCharged { .. }
            | Event::MindWithheld { .. }
            | Event::AnswerRejected { .. } => self.answer_changed(event),
            Event::PlanProposed { revision, plan, .. } => self.plan_proposed(*revision, plan),
            Event::PlanVerified { notes, .. } => self.plan_verified(notes),
            Event::PlanAdopted { .. } => self.plan_adopted(),
            Event::DecisionAsked { .. }
            | Event::DecisionMade { .. }
            | Event::DecisionHeld { .. }
            | Event::DecisionReleased { .. } => self.decision_changed(event),
            Event::AttemptStarted { .. }
            | Event::ActionIssued { .. }
            | Event::ActionCancelled { .. }
            | Event::ActionEnded { .. }
            | Event::AttemptEnded { .. }
            | Event::SubgoalDone { .. } => self.attempt_changed(event),
            Event::ReplanStarted { .. }
            | Event::LessonLearnt { .. }
            | Event::ConstraintBound { .. }
            | Event::LikesAsked { .. }
            | Event::LikesFound { .. }
            | Event::LookupAsked { .. }
            | Event::LookedUp { .. } => self.lesson_changed(event),
            Event::GoalTakenApart { .. }
            | Event::FailureExplained { .. }
            | Event::RunRecounted { .. } => self.guide_changed(event),
            Event::StudyBegun { .. } | Event::StudySettled { .. } | Event::PlanReflected { .. } => {
                self.study_changed(event);
            }
            Event::KnowledgeProposed { .. }
            | Event::KnowledgeMerged { .. }
            | Event::KnowledgeSuppressed { .. }
            | Event::KnowledgeActivated { .. }
            | Event::KnowledgeEdited { .. }
            | Event::KnowledgeVetoed { .. }
            | Event::KnowledgeUsed { .. } => self.knowledge_changed(event),
            Event::LabelOverruled { .. }
            | Event::BreaksSet { .. }
            | Event::BreakHit { .. }
            | Event::RunForked { .. } => self.debug_changed(event),
            // Facts for people and for the journal; the agent's state does not depend on them.
            Event::WorldLost { .. }
            | Event::AnswerRepaired { .. }
            | Event::SubgoalSelected { .. }
            | Event::KnowledgeMoved { .. }
            | Event::BookmarkSet { .. }
            | Event::BookmarkRemoved { .. }
            | Event::CommandRefused { .. } => (),
        }
    }

    fn decision_changed(&mut self, event: &Event) {
        match event {
            Event::DecisionAsked { question } => self.decision_asked(question),
            Event::DecisionMade {
                decision,
                verdict,
                by,
            } => self.decision_made(*decision, verdict, by),
            Event::DecisionHeld { decision, by } => self.question(*decision, |q| q.hold(by)),
            Event::DecisionReleased {
                decision, deadline, ..
            } => self.question(*decision, |q| q.release(*deadline)),
            _ => unreachable!("only events of decisions are sent here"),
        }
    }

    fn run_changed(&mut self, event: &Event) {
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
            Event::Paused { .. } => {
                self.hold = Hold::Paused;
                self.paused();
            }
            Event::Resumed { .. } => {
                (self.hold, self.at_break, self.pause_soon) = (Hold::Free, false, None);
            }
            Event::Stepped { .. } => (self.hold, self.at_break) = (Hold::Stepping, false),
            Event::PolicySet { kind, policy, .. } => {
                self.gates.0.insert(*kind, *policy);
            }
            Event::TakenOver { subgoal, .. } => {
                self.counters.subgoals = self.counters.subgoals.max(subgoal.id.0);
                self.acts.push((**subgoal).clone());
            }
            Event::PaceSet { times_realtime, .. } => self.pace = Some(*times_realtime),
            Event::RunEnded { outcome, .. } => {
                self.open = None;
                self.phase = Phase::Ended { outcome: *outcome };
                self.questions.retain(|q| !q.kind.blocks_run());
            }
            _ => unreachable!("only events of the run are sent here"),
        }
    }

    fn answer_changed(&mut self, event: &Event) {
        match event {
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
            Event::MindCharged { spent, .. } => {
                let tokens = spent.tokens_in.saturating_add(spent.tokens_out);
                self.counters.tokens = self.counters.tokens.saturating_add(tokens);
                let micros = spent.micros.unwrap_or(0);
                self.counters.micros = self.counters.micros.saturating_add(micros);
            }
            Event::MindWithheld { .. } => self.withheld(),
            Event::MindFailed { because: fault, .. } | Event::AnswerRejected { fault, .. } => {
                self.answer_unread(fault);
            }
            _ => unreachable!("only questions and answers are sent here"),
        }
    }

    fn lesson_changed(&mut self, event: &Event) {
        match event {
            Event::ReplanStarted { subgoal, .. } => {
                self.counters.replans += 1;
                self.replan_from(*subgoal);
            }
            Event::LessonLearnt { lesson } => {
                self.pending_lesson = Some(lesson.clone());
                if let Phase::Attributing { subgoal, .. } = self.phase {
                    self.replan_from(subgoal);
                }
            }
            Event::ConstraintBound { constraint } => {
                self.pending_lesson = None;
                self.lessons.push(constraint.clone());
            }
            Event::LikesAsked { subgoal, .. } => {
                self.open = Some(event.clone());
                self.phase = Phase::Comparing { subgoal: *subgoal };
            }
            Event::LikesFound { subgoal, earlier } => self.likes_found(*subgoal, earlier),
            Event::LookupAsked { drafts, then } => {
                self.drafts.clone_from(drafts);
                self.open = Some(event.clone());
                self.phase = Phase::LookingUp { then: then.clone() };
            }
            Event::LookedUp { .. } => {
                self.open = None;
                self.drafts.clear();
                if let Phase::LookingUp {
                    then: Then::Replan { subgoal },
                } = self.phase
                {
                    self.replan_from(subgoal);
                }
            }
            _ => unreachable!("only events of learning are sent here"),
        }
    }

    fn replan_from(&mut self, subgoal: SubgoalId) {
        self.phase = Phase::ToPlan(Planning {
            replaces: Some(subgoal),
            ..Default::default()
        });
    }

    fn plan_proposed(&mut self, revision: Revision, plan: &Plan) {
        self.counters.revisions = self.counters.revisions.max(revision.0);
        let highest = plan.subgoals.iter().map(|s| s.id.0).max().unwrap_or(0);
        self.counters.subgoals = self.counters.subgoals.max(highest);
        self.proposal = Some(Proposal {
            revision,
            plan: plan.clone(),
            notes: Vec::new(),
        });
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Planning { planning, .. } => Phase::ToPlan(planning),
            other => other,
        };
    }

    fn plan_verified(&mut self, notes: &[Note]) {
        let Some(proposal) = &mut self.proposal else {
            return;
        };
        proposal.notes = notes.to_vec();
        if let Phase::ToPlan(planning) = &mut self.phase {
            planning.round += 1;
            let before = planning.rejected.take();
            if self.config.as_ref().is_some_and(|c| c.profile.learn_rules) {
                study::listen(&mut self.talks, before, &proposal.plan, notes);
            }
            planning.rejected = Some(Rejected {
                plan: proposal.plan.clone(),
                notes: notes.to_vec(),
            });
        }
    }

    fn plan_adopted(&mut self) {
        let Some(proposal) = self.proposal.take() else {
            return;
        };
        for subgoal in &proposal.plan.subgoals {
            self.nodes.entry(subgoal.id).or_default();
        }
        for node in self.nodes.values_mut() {
            node.forget_failures();
        }
        // What was allowed is what was asked about: another count under the same id is another question.
        let goal = |plan: &Plan, id| plan.get(id).map(|subgoal| subgoal.goal.clone());
        let before = self.plan.take().unwrap_or_default();
        self.allowed
            .retain(|id| goal(&before, *id) == goal(&proposal.plan, *id));
        self.plan = Some(proposal.plan);
        self.next_up = None;
        self.phase = Phase::Choosing;
    }

    fn decision_asked(&mut self, question: &Question) {
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

    fn question(&mut self, id: DecisionId, change: impl FnOnce(&mut Question)) {
        if let Some(question) = self.questions.iter_mut().find(|q| q.id == id) {
            change(question);
        }
    }

    fn decision_made(&mut self, decision: DecisionId, verdict: &Verdict, by: &By) {
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

    fn knowledge_changed(&mut self, event: &Event) {
        match event {
            Event::KnowledgeProposed { entry } => {
                self.counters.entries = self.counters.entries.max(entry.id.n);
                self.proposed.push((**entry).clone());
            }
            Event::KnowledgeActivated { id, .. } => self.activate(*id),
            Event::KnowledgeEdited { id, body, .. } => self.edit(*id, body),
            Event::KnowledgeVetoed { id, .. } => {
                self.proposed.retain(|e| e.id != *id);
                self.knowledge.retain(|e| e.id != *id);
            }
            Event::KnowledgeUsed { id, how, subgoal } => self.used(*id, *how, *subgoal),
            Event::KnowledgeMerged { into, draft } => {
                let known = self.proposed.iter_mut().chain(&mut self.knowledge);
                for entry in known.filter(|e| e.id == *into) {
                    entry.body.take_over(&draft.body);
                }
            }
            _ => (), // suppressed drafts change nothing here
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
