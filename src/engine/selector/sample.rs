//! Samples: what each attempt of a database says about how long its step takes.

use crate::journal::{Journal, JournalError};
use pithead_core::domain::experience::Experience;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::horizon::scene;
use pithead_core::domain::run::event::Event;
use pithead_world::clock::TICKS_PER_SECOND;
use std::ops::ControlFlow;

/// One attempt of the agent.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedAttempt {
    pub features: Vec<(String, f64)>,
    /// Until it was done, or until when it was not.
    pub ticks: u64,
    pub done: bool,
}

impl TimedAttempt {
    /// None of an attempt that says nothing about its step: the operator's, or one that the body's death or the end of
    /// the run cut short before it had taken its time.
    #[must_use]
    pub fn of_attempt(e: &Experience) -> Option<Self> {
        if e.by_operator || e.called_off {
            return None;
        }
        let done = e.diagnosis.success;
        if !done && e.diagnosis.reason == Some(FailureReason::EnvTerminated) {
            return None;
        }
        // What was tried until its time was over, or the run's, is known not to be done until then. A step that failed
        // for another reason would not have been done within its time either: without its parts it never is.
        let ran_out = e.diagnosis.reason == Some(FailureReason::Timeout);
        let allowed = u64::from(e.action.timeout_s) * TICKS_PER_SECOND;
        let ticks = if done || ran_out {
            e.ticks()
        } else {
            e.ticks().max(allowed)
        };
        Some(Self {
            features: scene::features(&e.pre, &e.action),
            ticks,
            done,
        })
    }
}

/// The samples of all runs of a database, in the order of the runs.
pub fn samples_of(journal: &Journal) -> Result<Vec<TimedAttempt>, JournalError> {
    let mut samples = Vec::new();
    let mut runs: Vec<_> = journal.runs()?.iter().map(|row| row.id).collect();
    runs.sort_unstable();
    for run in runs {
        journal.each_event::<JournalError>(run, |fact| {
            if let Event::AttemptEnded { experience, .. } = &fact.event {
                samples.extend(TimedAttempt::of_attempt(experience));
            }
            Ok(ControlFlow::Continue(()))
        })?;
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::samples::experience;

    #[test]
    fn a_failure_says_that_it_is_not_done_within_its_time() {
        let done = TimedAttempt::of_attempt(&experience(1, 1, "oak_log", true)).unwrap();
        assert!(done.done);
        let failed = experience(1, 2, "oak_log", false);
        let sample = TimedAttempt::of_attempt(&failed).unwrap();
        let allowed = u64::from(failed.action.timeout_s) * TICKS_PER_SECOND;
        assert!(!sample.done && sample.ticks >= allowed);
        let mut late = failed.clone();
        late.diagnosis.reason = Some(FailureReason::Timeout);
        assert_eq!(TimedAttempt::of_attempt(&late).unwrap().ticks, late.ticks());
        let mut ended = failed;
        ended.called_off = true;
        assert_eq!(TimedAttempt::of_attempt(&ended), None);
    }
}
