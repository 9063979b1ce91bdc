//! Apply: the only place where state changes; every event is matched once, and has one function.
//!
//! One file per noun that events are about. Nothing here decides, and nothing here can fail: an event is
//! a fact. Invariant: no two-step matching, so no event can reach a function that does not know it.

mod attempt;
mod decision;
mod failure;
mod fork;
mod knowledge;
mod mind;
mod plan;
mod run;
mod steering;
mod study;

pub(super) use attempt::check_truths;

use super::state::{Phase, State};
use crate::domain::run::event::{Event, Recorded};

impl State {
    /// Folds one recorded event in.
    pub fn apply(&mut self, recorded: &Recorded) {
        // The number of the event; nothing else of the record matters to the agent.
        self.seq = recorded.seq;
        self.fold(&recorded.event);
    }

    /// Folds an event in that has no place in the journal yet. A table: one line for each event.
    /// No wildcard: a new event does not compile until it has a line here.
    #[rustfmt::skip]
    pub(super) fn fold(&mut self, event: &Event) {
        match event {
            Event::RunStarted { config } => self.run_started(config),
            Event::WorldAsked => self.wait_for(event, Phase::Opening),
            Event::WorldReady { frame } => self.world_ready(frame),
            Event::WorldLost { .. } => self.world_lost(),
            Event::WorldRejoined { frame, .. } => self.world_rejoined(frame),
            Event::FrameSeen { frame } => self.frame_seen(frame),
            Event::RunForked { fork } => self.run_forked(fork),
            Event::RunEnded { outcome, .. } => self.run_ended(*outcome),
            Event::RecallAsked { needs, .. } => self.recall_asked(needs, event),
            Event::Recalled { hits, knowledge, options } => self.recalled(hits, knowledge, options),
            Event::CapsuleMade { capsule } => self.capsule_made(capsule),
            Event::MindAsked { call, ask } => self.mind_asked(*call, ask, event),
            Event::MindAnswered { text, .. } => self.mind_answered(text),
            Event::MindFailed { because, .. } => self.answer_unread(because),
            Event::AnswerRejected { fault, .. } => self.answer_unread(fault),
            Event::MindCharged { spent, .. } => self.mind_charged(spent),
            Event::MindWithheld { .. } => self.mind_withheld(),
            Event::RoleReplaced { role, .. } => self.replaced_roles.extend([*role]),
            Event::GoalTakenApart { apart } => self.goal_taken_apart(apart),
            Event::GoalReached { goal } => self.goal_reached(goal),
            Event::PlanProposed { revision, plan, .. } => self.plan_proposed(*revision, plan),
            Event::PlanVerified { notes, .. } => self.plan_verified(notes),
            Event::PlanJudged { judged, notes, .. } => self.plan_judged(judged, notes),
            Event::PlanAdopted { .. } => self.plan_adopted(),
            Event::PlanContinued { part } => self.plan_continued(part),
            Event::DecisionAsked { question } => self.decision_asked(question),
            Event::DecisionMade { decision, verdict, by } => self.decision_made(*decision, verdict, by),
            Event::DecisionHeld { decision, by } => self.decision_held(*decision, by),
            Event::DecisionReleased { decision, deadline, .. } => self.decision_released(*decision, *deadline),
            Event::AttemptStarted { attempt, subgoal } => self.attempt_started(*attempt, *subgoal),
            Event::ActionIssued { action, order, .. } => self.action_issued(*action, order),
            Event::ActionCancelled { stop, .. } => self.action_cancelled(stop),
            Event::ActionEnded { action, report, frame } => self.action_ended(*action, report, frame),
            Event::AttemptEnded { attempt, experience } => self.attempt_ended(*attempt, experience),
            Event::LabelOverruled { attempt, was, label, .. } => self.label_overruled(*attempt, *was, *label),
            Event::SubgoalDone { subgoal } => self.subgoal_done(*subgoal),
            Event::SimilarFailuresAsked { subgoal, .. } => self.wait_for(event, Phase::Comparing { subgoal: *subgoal }),
            Event::SimilarFailuresFound { subgoal, earlier } => self.similar_failures_found(*subgoal, earlier),
            Event::ReplanStarted { subgoal, .. } => self.replan_started(*subgoal),
            Event::LessonLearnt { lesson } => self.lesson_learnt(lesson),
            Event::ConstraintBound { constraint } => self.constraint_bound(constraint),
            Event::FailureExplained { subgoal, explanation } => self.failure_explained(*subgoal, explanation),
            Event::PlanReflected { reflected } => self.plan_reflected(reflected),
            Event::StudyBegun { topics, drafts, then } => self.study_begun(topics, drafts, then),
            Event::StudySettled { studied } => self.study_settled(studied),
            Event::LookupAsked { drafts, then } => self.lookup_asked(drafts, then, event),
            Event::LookedUp { sequences, .. } => self.looked_up(sequences),
            Event::KnowledgeProposed { entry } => self.knowledge_proposed(entry),
            Event::KnowledgeMerged { into, draft } => self.knowledge_merged(*into, draft),
            Event::KnowledgeActivated { id, .. } => self.knowledge_activated(*id),
            Event::KnowledgeEdited { id, body, .. } => self.knowledge_edited(*id, body),
            Event::KnowledgeVetoed { id, .. } => self.knowledge_vetoed(*id),
            Event::KnowledgeUsed { id, how, subgoal } => self.knowledge_used(*id, *how, *subgoal),
            Event::KnowledgeWithheld { ids } => self.knowledge_withheld(ids),
            Event::Paused { .. } => self.paused(),
            Event::Resumed { .. } => self.resumed(),
            Event::Stepped { .. } => self.stepped(),
            Event::TakenOver { subgoal, .. } => self.taken_over(subgoal),
            Event::Steered { how, by } => self.steered(how, by),
            Event::PolicySet { kind, policy, .. } => self.policy_set(*kind, *policy),
            Event::PaceSet { times_realtime, .. } => self.pace = Some(*times_realtime),
            Event::BreaksSet { breaks, .. } => self.breaks.clone_from(breaks),
            Event::BreakHit { .. } => self.at_break = true,
            Event::BodySpoke { .. } => self.spoke_at = self.frame.as_deref().map(|frame| frame.tick),
            // Facts for people and for the journal; the agent's state does not depend on them.
            Event::BodyReacted { .. } | Event::MindUnavailable { .. } | Event::AnswerRepaired { .. } | Event::SubgoalSelected { .. } | Event::KnowledgeSuppressed { .. } | Event::KnowledgeMoved { .. } | Event::KnowledgeMeasured { .. } | Event::RunSummarised { .. } | Event::OptionsImported { .. } | Event::BookmarkSet { .. } | Event::BookmarkRemoved { .. } | Event::Triaged { .. } | Event::CommandRefused { .. } => (),
        }
    }

    /// The event asks for something from outside; the run stands in this phase until that comes.
    fn wait_for(&mut self, asked: &Event, phase: Phase) {
        // Kept whole: after a crash the same request is made again.
        self.open = Some(asked.clone());
        self.phase = phase;
    }
}
