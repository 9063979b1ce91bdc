//! The attempt under way: what frames, actions and their ends make of it.

use super::super::state::{Hold, Node, Phase, State};
use crate::domain::check::Truth;
use crate::domain::condition::situation::{Baseline, Situation};
use crate::domain::experience::Experience;
use crate::domain::experience::attempt::{Attempt, Deed, Sample, Stop};
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::experience::state_card::StateCard;
use crate::domain::mind::ask::Failure;
use crate::domain::plan::Subgoal;
use crate::domain::run::event::Event;
use pithead_world::ids::{AttemptId, SubgoalId};
use pithead_world::observation::Frame;
use pithead_world::seen::SeenCells;

/// Failed attempts kept in full; the first are as good as the last for scoring a rule.
const FAILED_MAX: usize = 64;

impl State {
    /// Keeps the frame, without what only the map needs.
    pub(super) fn look(&mut self, frame: &Frame) {
        let mut kept = Frame {
            seen: SeenCells::default(),
            trail: Vec::new(),
            ..frame.clone()
        };
        kept.mobs.truncate(8);
        self.frame = Some(Box::new(kept));
        if self.hold == Hold::Stepping {
            self.hold = Hold::Paused;
        }
    }

    pub(super) fn frame_seen(&mut self, frame: &Frame) {
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

    pub(super) fn attempt_changed(&mut self, event: &Event) {
        match event {
            Event::AttemptStarted { attempt, subgoal } => self.attempt_started(*attempt, *subgoal),
            Event::AttemptEnded {
                attempt,
                experience,
            } => self.attempt_ended(*attempt, experience),
            Event::SubgoalDone { subgoal } => self.subgoal_done(*subgoal),
            // Those of an action, which speak for themselves.
            action => self.action(action),
        }
    }

    fn attempt_started(&mut self, id: AttemptId, subgoal: SubgoalId) {
        let planned = self.plan.iter().flat_map(|plan| &plan.subgoals);
        let mut known = planned.chain(&self.acts);
        let subgoal = known.find(|known| known.id == subgoal);
        let (Some(frame), Some(subgoal)) = (&self.frame, subgoal) else {
            return;
        };
        self.counters.attempts = self.counters.attempts.max(id.0);
        let mut attempt = Attempt {
            id,
            subgoal: self.timed(subgoal),
            baseline: Baseline::of(frame),
            pre: StateCard::of(frame),
            samples: Vec::new(),
            actions: Vec::new(),
            stop: None,
        };
        let truths = truths(&attempt, frame);
        attempt.samples.push(Sample::of(frame, truths));
        self.nodes.entry(subgoal.id).or_default().attempts += 1;
        if !self.is_act(attempt.subgoal.id) {
            self.counters.vetoes = 0; // something of the plan could be begun
        }
        if self.next_up == Some(attempt.subgoal.id) {
            self.next_up = None;
        }
        self.phase = Phase::Acting(Box::new(attempt));
    }

    /// With the time that the operator gives every attempt, if one was given.
    fn timed(&self, subgoal: &Subgoal) -> Subgoal {
        let given = self.config().and_then(|c| c.limits.attempt_seconds);
        Subgoal {
            timeout_s: given.unwrap_or(subgoal.timeout_s),
            ..subgoal.clone()
        }
    }

    fn action(&mut self, event: &Event) {
        if let Event::ActionEnded { frame, .. } = event {
            self.frame_seen(frame);
        }
        let Phase::Acting(attempt) = &mut self.phase else {
            return;
        };
        match event {
            Event::ActionIssued { action, order, .. } => {
                self.counters.actions = self.counters.actions.max(action.0);
                attempt.actions.push(Deed {
                    id: *action,
                    order: order.clone(),
                    report: None,
                });
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
        self.judged(attempt, experience);
        self.turn_to_plan();
    }

    fn judged(&mut self, attempt: AttemptId, experience: &Experience) {
        self.tell(experience);
        let phase = std::mem::replace(&mut self.phase, Phase::Choosing);
        let called_off = matches!(&phase, Phase::Acting(a) if a.stop == Some(Stop::Aborted));
        self.acts.retain(|act| act.id != experience.action.id);
        let diagnosis = &experience.diagnosis;
        self.labels.insert(attempt, diagnosis.reason);
        if diagnosis.success {
            self.successes.push(experience.clone());
            return;
        }
        // What the operator called off or did says nothing about the plan.
        if called_off || experience.by_operator {
            return;
        }
        self.counters.failed_attempts += 1;
        let learns_rules = self.config().is_some_and(|c| c.profile.learn_rules);
        if learns_rules && self.failed.len() < FAILED_MAX {
            self.failed.push(experience.clone());
        }
        if let Some(reason) = diagnosis.reason {
            *self.counters.failures.entry(reason).or_default() += 1;
        }
        let failure = Failure {
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

    pub(super) fn likes_found(&mut self, subgoal: SubgoalId, earlier: &[Failure]) {
        self.open = None;
        self.phase = Phase::Choosing;
        let node = self.nodes.entry(subgoal).or_default();
        node.compared = node.failures.len();
        node.earlier = earlier.to_vec();
    }

    /// What is still to be learnt from the attempt is learnt from the new label.
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
        let failures = self.nodes.values_mut().flat_map(|node| &mut node.failures);
        for failure in failures.filter(|failure| failure.attempt == attempt) {
            failure.diagnosis.overrule(label);
        }
    }

    fn subgoal_done(&mut self, id: SubgoalId) {
        let node: &mut Node = self.nodes.entry(id).or_default();
        node.done = true;
        node.forget_failures();
        self.next_up = self.next_up.filter(|wanted| *wanted != id);
        if let Some(subgoal) = self.plan.as_ref().and_then(|p| p.get(id)) {
            self.done.push(subgoal.clone());
        }
    }
}

/// The subgoal's checks at a frame.
pub(in crate::agent) fn truths(attempt: &Attempt, frame: &Frame) -> Vec<Truth> {
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
        index == 1 || index > recent || index % 2 == 0
    });
}
