//! The walk: the frames of a run in their order, each with what was under way.

use super::FoundMoment;
use crate::journal::{Journal, JournalError};
use pithead_core::domain::condition::situation::Baseline;
use pithead_core::domain::plan::{Plan, Subgoal};
use pithead_core::domain::run::breakpoint_match::shown;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::ids::{ActionId, AttemptId, RunId, Seq};
use pithead_world::observation::Frame;
use std::ops::ControlFlow;

/// Events read in one go.
const PAGE: usize = 2_048;
const KINDS: [&str; 8] = [
    "world.ready",
    "frame.seen",
    "action.issued",
    "action.ended",
    "plan.proposed",
    "plan.adopted",
    "attempt.started",
    "attempt.ended",
];

/// What was under way at a frame.
#[derive(Debug, Default)]
pub(super) struct Underway {
    proposed: Plan,
    plan: Plan,
    last: Option<Box<Frame>>,
    attempt: Option<(AttemptId, u64)>,
    action: Option<(ActionId, String)>,
    pub(super) subgoal: Option<Subgoal>,
    /// How things stood when the attempt began.
    pub(super) baseline: Baseline,
}

impl Underway {
    /// The place of this frame.
    pub(super) fn moment(&self, seq: Seq, tick: u64) -> FoundMoment {
        FoundMoment {
            seq,
            tick,
            attempt: self.attempt.map(|(id, _)| id),
            elapsed: self.attempt.map(|(_, from)| tick.saturating_sub(from)),
            subgoal: self.subgoal.as_ref().map(Subgoal::label),
            action: self.action.as_ref().map(|(_, words)| words.clone()),
        }
    }

    fn apply(&mut self, event: Event) {
        match event {
            Event::PlanProposed { plan, .. } => self.proposed = plan,
            Event::PlanAdopted { .. } => self.plan = std::mem::take(&mut self.proposed),
            Event::AttemptStarted { attempt, subgoal } => {
                self.subgoal = self.plan.get(subgoal).cloned();
                if let Some(frame) = &self.last {
                    self.attempt = Some((attempt, frame.tick));
                    self.baseline = Baseline::of(frame);
                }
            }
            Event::AttemptEnded { .. } => {
                (self.subgoal, self.attempt, self.action) = (None, None, None);
                self.baseline = Baseline::default();
            }
            Event::ActionIssued { action, order, .. } => {
                self.action = Some((action, order.name().to_owned()));
            }
            Event::WorldReady { frame }
            | Event::WorldRejoined { frame, .. }
            | Event::FrameSeen { frame } => {
                self.last = Some(frame);
            }
            Event::ActionEnded { action, frame, .. } => {
                self.last = Some(frame);
                self.action.take_if(|(id, _)| *id == action);
            }
            _ => (), // no other kind is asked for
        }
    }
}

/// Goes through the frames of a run until `see` has seen enough.
pub(super) fn walk(
    journal: &Journal,
    run: RunId,
    mut see: impl FnMut(&Underway, Seq, &Frame) -> ControlFlow<()>,
) -> Result<(), JournalError> {
    let (mut underway, mut last) = (Underway::default(), Seq(0));
    loop {
        let page = journal.events_of_kinds(run, last, &KINDS, PAGE)?;
        let Some(end) = page.last() else {
            return Ok(());
        };
        last = end.seq;
        for Recorded { seq, event, .. } in page {
            if let Some(frame) = shown(&event)
                && see(&underway, seq, frame).is_break()
            {
                return Ok(());
            }
            underway.apply(event);
        }
    }
}
