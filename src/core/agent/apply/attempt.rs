//! Attempts: what frames, actions and their ends change in the one under way and in the record.

use crate::agent::node::Node;
use crate::agent::state::{Phase, RunHold, State};
use crate::diagnosis::attempt_window::ATTEMPTS;
use crate::domain::check::Truth;
use crate::domain::condition::situation::{Baseline, Situation};
use crate::domain::experience::Experience;
use crate::domain::experience::attempt::{Attempt, AttemptAction, Sample, Stop};
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::experience::earlier_try::{Aim, EarlierTry};
use crate::domain::experience::option::Try;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::experience::step_knowledge::StepKnowledge;
use crate::domain::knowledge::Body;
use crate::domain::mind::evidence::{AttemptSummary, FailedAttempt};
use crate::domain::mind::plan_part::ActionFeedback;
use crate::domain::plan::form::PlanForm;
use crate::domain::plan::{Subgoal, TaskKind};
use crate::domain::run::event::RunConfig;
use crate::knowledge::flow_of_success;
use pithead_world::action::{Action, ActionReport};
use pithead_world::ids::{ActionId, AttemptId, SubgoalId};
use pithead_world::item::ItemId;
use pithead_world::observation::Frame;
use std::sync::Arc;

/// Attempts kept for the summary of the run, the newest.
/// One prompt must hold them all.
const SUMMARISED_MAX: usize = 64;
/// Failed attempts kept in full; the first are as good as the last for scoring a rule.
const FAILED_MAX: usize = 64;

/// Failed attempts that are looked back at, of all aims together; the oldest go.
const TRIES_MAX: usize = 64;

impl State {
    /// Keeps the frame without its map: the state is copied in every turn that states an event.
    pub(super) fn keep_frame(&mut self, frame: &Frame) {
        let mut kept = frame.without_map();
        kept.mobs.truncate(8);
        self.frame = Some(Box::new(kept));
        if self.hold == RunHold::Stepping {
            // One frame was let through; the run stands again.
            self.hold = RunHold::Paused;
        }
    }

    pub(super) fn frame_seen(&mut self, frame: &Frame) {
        self.keep_frame(frame);
        // 400 is the default of the limits, for states without a config.
        let samples_max = self.config().map_or(400, |c| c.limits.samples_max);
        if let Phase::Acting(attempt) = &mut self.phase {
            let truths = check_truths(attempt, frame);
            attempt.samples.push(Sample::from_frame(frame, truths));
            if attempt.samples.len() > samples_max {
                thin_out(&mut attempt.samples);
            }
        }
    }

    pub(super) fn attempt_started(&mut self, id: AttemptId, subgoal: SubgoalId) {
        let planned = self.plan.iter().flat_map(|plan| &plan.subgoals);
        let mut known = planned.chain(&self.acts);
        let subgoal = known.find(|known| known.id == subgoal);
        let (Some(frame), Some(subgoal)) = (&self.frame, subgoal) else {
            return;
        };
        // `max`, because a fold may see the number of an event that was counted already.
        self.counters.attempts = self.counters.attempts.max(id.0);
        let mut attempt = Attempt {
            id,
            subgoal: self.timed(subgoal),
            baseline: Baseline::of(frame),
            pre: StateSummary::from_frame(frame),
            known: self.known_of(subgoal),
            samples: Vec::new(),
            actions: Vec::new(),
            stop: None,
        };
        let truths = check_truths(&attempt, frame);
        attempt.samples.push(Sample::from_frame(frame, truths));
        self.nodes.entry(subgoal.id).or_default().attempts += 1;
        if !self.is_act(attempt.subgoal.id) {
            self.counters.vetoes = 0; // something of the plan could be begun
        }
        if self.next_up == Some(attempt.subgoal.id) {
            self.next_up = None;
        }
        self.phase = Phase::Acting(Box::new(attempt));
    }

    /// What its plan made for the step, and what it took where it was seen to go well.
    fn known_of(&self, subgoal: &Subgoal) -> StepKnowledge {
        let made_by = |id: &SubgoalId| self.planned(*id)?.goal.object;
        // What is made goes in and out by fixed measures; what was in the hand that gathered it was chance.
        let is_making = matches!(subgoal.task_kind, TaskKind::Craft | TaskKind::Smelt);
        let same = |step: &Subgoal| {
            let aim = |step: &Subgoal| (step.goal.object, step.task_kind);
            is_making && step.goal.object.is_some() && aim(step) == aim(subgoal)
        };
        let own = self.successes.iter().filter(|e| same(&e.action));
        let told = self.visible().filter_map(|entry| match &entry.body {
            Body::Skill(skill) => Some(skill.steps.iter().zip(&skill.flows)),
            _ => None, // of other entries nobody has seen what they took
        });
        let told = told.flatten().filter(|(step, _)| same(step));
        let flows = own
            .map(flow_of_success)
            .chain(told.map(|(_, flow)| flow.clone()));
        StepKnowledge {
            seen: flows.reduce(|mut sum, flow| {
                sum.add(&flow);
                sum
            }),
            made_for_it: subgoal.needs.iter().filter_map(made_by).collect(),
            gathered_with: self.tools_that_gathered(subgoal),
            earlier: self.latest_tries(subgoal),
        }
    }

    fn keep_try(&mut self, experience: &Experience) {
        let Some(new) = EarlierTry::of_failure(experience) else {
            return;
        };
        self.tries.push((Aim::of_step(&experience.action), new));
        if self.tries.len() > TRIES_MAX {
            self.tries.remove(0);
        }
    }

    /// As many failed attempts at the same aim as a window over attempts looks back at.
    pub(in crate::agent) fn latest_tries(&self, subgoal: &Subgoal) -> Vec<EarlierTry> {
        let aim = Aim::of_step(subgoal);
        let same = self.tries.iter().filter(|(other, _)| *other == aim);
        let mut latest: Vec<EarlierTry> = same.map(|(_, past)| past.clone()).collect();
        latest.drain(..latest.len().saturating_sub(ATTEMPTS));
        latest
    }

    /// What was in the hand each time that the step's object was mined; nothing if once no tool was.
    fn tools_that_gathered(&self, subgoal: &Subgoal) -> Vec<ItemId> {
        let is_same = |e: &&Experience| {
            let aim = |step: &Subgoal| (step.goal.object, step.task_kind);
            subgoal.task_kind == TaskKind::Mine && aim(&e.action) == aim(subgoal)
        };
        let in_hand = |e: &Experience| e.post.held.filter(|item| item.facts().tool.is_some());
        let times = self.successes.iter().filter(is_same).map(in_hand);
        times.collect::<Option<Vec<_>>>().unwrap_or_default()
    }

    /// With the time that the operator gives every attempt, if one was given.
    fn timed(&self, subgoal: &Subgoal) -> Subgoal {
        let given = self.config().and_then(|c| c.limits.attempt_seconds);
        Subgoal {
            timeout_s: given.unwrap_or(subgoal.timeout_s),
            ..subgoal.clone()
        }
    }

    pub(super) fn action_issued(&mut self, id: ActionId, order: &Action) {
        if let Phase::Acting(attempt) = &mut self.phase {
            self.counters.actions = self.counters.actions.max(id.0);
            attempt.actions.push(AttemptAction {
                id,
                order: order.clone(),
                report: None,
            });
        }
    }

    pub(super) fn action_cancelled(&mut self, stop: &Stop) {
        if let Phase::Acting(attempt) = &mut self.phase {
            // Kept until the action ends: it is the reason why it ended.
            attempt.stop = Some(stop.clone());
        }
    }

    pub(super) fn action_ended(&mut self, id: ActionId, report: &ActionReport, frame: &Frame) {
        // The last frame belongs to the attempt, before its report is added.
        self.frame_seen(frame);
        let Phase::Acting(attempt) = &mut self.phase else {
            return;
        };
        if let Some(ended) = attempt.actions.iter_mut().find(|action| action.id == id) {
            ended.report = Some(report.clone());
        }
    }

    pub(super) fn attempt_ended(&mut self, attempt: AttemptId, experience: &Experience) {
        self.judged(attempt, experience);
        self.turn_to_plan();
    }

    fn judged(&mut self, attempt: AttemptId, experience: &Experience) {
        self.keep_for_summary(experience);
        if self
            .config()
            .is_some_and(|c| c.profile.form == PlanForm::EachGoal)
        {
            self.goal_progress.note(ActionFeedback {
                action: experience.action.label(),
                success: experience.diagnosis.success,
                said: experience.diagnosis.summary.clone(),
            });
        }
        if let Some(new) = Try::of_attempt(experience).filter(|new| new.key.is_searched())
            && self.config().is_some_and(|c| c.profile.uses_options())
        {
            Arc::make_mut(&mut self.options).add(&new);
        }
        // Choosing follows every attempt; other events lead on from there.
        self.phase = Phase::Choosing;
        self.acts.retain(|act| act.id != experience.action.id);
        let diagnosis = &experience.diagnosis;
        self.labels.insert(attempt, diagnosis.reason);
        if diagnosis.success {
            let aim = Aim::of_step(&experience.action);
            self.tries.retain(|(other, _)| *other != aim);
            self.successes.push(experience.clone());
            return;
        }
        if !experience.is_failure() {
            return;
        }
        self.counters.failed_attempts += 1;
        self.keep_try(experience);
        // Rules are scored by them, and the post-mortem of the run looks into them.
        let wanted = |c: &RunConfig| c.profile.learn_rules || c.profile.distil_guardrails;
        if self.config().is_some_and(wanted) && self.failed.len() < FAILED_MAX {
            self.failed.push(experience.clone());
        }
        if let Some(reason) = diagnosis.reason {
            *self.counters.failures.entry(reason).or_default() += 1;
        }
        let failure = FailedAttempt {
            suggestion: None,
            attempt,
            run: None,
            pre: experience.pre.clone(),
            diagnosis: diagnosis.clone(),
        };
        self.nodes
            .entry(experience.action.id)
            .or_default()
            .failures
            .push(failure);
    }

    /// What is learnt from the attempt later is learnt from the new label.
    pub(super) fn label_overruled(
        &mut self,
        attempt: AttemptId,
        was: FailureReason,
        label: FailureReason,
    ) {
        self.labels.insert(attempt, Some(label));
        if let Some(count) = self.counters.failures.get_mut(&was) {
            *count = count.saturating_sub(1);
        }
        *self.counters.failures.entry(label).or_default() += 1;
        // Node failures too, as they will be quoted to the mind.
        let failures = self.nodes.values_mut().flat_map(|node| &mut node.failures);
        for failure in failures.filter(|failure| failure.attempt == attempt) {
            failure.diagnosis.overrule(label);
        }
    }

    /// Keeps a summary of the attempt, for the summary of the run and for reflections.
    fn keep_for_summary(&mut self, experience: &Experience) {
        let wanted =
            |c: &RunConfig| c.profile.summarise || c.profile.reflect || !c.distillers.is_empty();
        if !self.config().is_some_and(wanted) {
            return;
        }
        if self.summaries.len() >= SUMMARISED_MAX {
            self.summaries.remove(0);
        }
        self.summaries.push(AttemptSummary {
            id: experience.id,
            step: experience.action.label(),
            success: experience.diagnosis.success,
            reason: experience.diagnosis.reason,
            summary: experience.diagnosis.summary.clone(),
        });
    }

    pub(super) fn subgoal_done(&mut self, id: SubgoalId) {
        let node: &mut Node = self.nodes.entry(id).or_default();
        node.done = true;
        // Done is done: its failures explain nothing any more.
        node.forget_failures();
        self.next_up = self.next_up.filter(|wanted| *wanted != id);
        if let Some(subgoal) = self.plan.as_ref().and_then(|p| p.get(id)) {
            self.done.push(subgoal.clone());
        }
    }
}

/// The subgoal's checks at a frame.
pub(in crate::agent) fn check_truths(attempt: &Attempt, frame: &Frame) -> Vec<Truth> {
    let situation = Situation::of(frame)
        .since(&attempt.baseline)
        .pursuing(&attempt.subgoal);
    attempt
        .subgoal
        .checks
        .iter()
        .map(|check| check.truth(&situation))
        .collect()
}

/// Halves the older part: the start and the recent past stay as they are.
fn thin_out(samples: &mut Vec<Sample>) {
    let recent = samples.len() / 2;
    let mut index = 0;
    samples.retain(|_| {
        index += 1;
        // The first sample always stays: distances and ways begin there.
        index == 1 || index > recent || index % 2 == 0
    });
}
