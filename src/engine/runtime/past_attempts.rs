//! Past attempts with their evidence, as the run had it when it judged them.
//!
//! Evaluations do not keep every frame; the embedded world is deterministic, so it is played again
//! under the recorded orders. Invariant: what is shown as evidence is what was judged, or it is not shown.

use super::open::{OpenError, config_of, fold};
use super::rebuild::{Differs, Rebuild};
use super::worlds::build_world;
use crate::journal::{Journal, JournalError};
use pithead_core::agent::{State, evidence};
use pithead_core::domain::experience::Experience;
use pithead_core::domain::experience::attempt::Attempt;
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::experience::thresholds::Thresholds;
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_world::ids::{AttemptId, RunId};
use serde::Serialize;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// An attempt that has ended, ready to be judged again.
/// Thinned out as it was when it was judged.
#[derive(Debug, Clone, PartialEq)]
pub struct PastAttempt {
    pub attempt: Attempt,
    pub post: StateSummary,
    /// As it was recorded.
    pub experience: Experience,
    pub source: FrameSource,
    /// Those that it was judged by.
    /// The run's, not today's defaults.
    pub thresholds: Thresholds,
}

/// Where the frames come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameSource {
    Recorded,
    /// The world was played again.
    Replayed,
}

/// Why there is no evidence.
#[derive(Debug, thiserror::Error)]
pub enum NoEvidence {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("run {run} has no attempt {attempt}; {}", Known(*.attempts, *.run))]
    NoAttempt {
        run: RunId,
        attempt: AttemptId,
        attempts: u64,
    },
    #[error(
        "the frames of run {run} were not recorded, and its world cannot be played again: {because}; \
         its labels and indicators as they were recorded are in `pithead show {run} --json`"
    )]
    NoWorld { run: RunId, because: String },
}

impl From<JournalError> for NoEvidence {
    fn from(error: JournalError) -> Self {
        Self::Open(error.into())
    }
}

struct Known(u64, RunId);

impl std::fmt::Display for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            0 => f.write_str("none of its attempts has ended"),
            last => write!(
                f,
                "it has a1 to a{last}; `pithead show {}` lists them",
                self.1
            ),
        }
    }
}

/// Shows all ended attempts of a run with their evidence, those with recorded frames first.
/// Twice through the journal only if frames are missing: playing a world again is slow.
pub fn look_back(
    journal: &Journal,
    run: RunId,
    mut see: impl FnMut(PastAttempt),
) -> Result<(), NoEvidence> {
    let config = config_of(journal, run)?;
    let mut lacking = BTreeSet::new();
    let mut watch = Watch::new(&config);
    each_event(journal, run, |fact| {
        match watch.past(fact) {
            // Asked before the event is applied: the end of an attempt clears it.
            Some(past) if watch.is_whole() => see(past),
            Some(past) => {
                lacking.insert(past.attempt.id);
            }
            None => (),
        }
        watch.apply(fact);
        Ok(())
    })?;
    if lacking.is_empty() {
        return Ok(());
    }
    let no_world = |because: String| NoEvidence::NoWorld { run, because };
    let mut world = build_world(&config, None).map_err(|error| no_world(error.to_string()))?;
    // Played once for all attempts that lack frames.
    let mut rebuild = Rebuild::new(world.as_mut());
    let mut watch = Watch::new(&config);
    let replayed = each_event(journal, run, |fact| {
        // Once all are found, the world need not be played to the end.
        if !lacking.is_empty() {
            rebuild.follow(&fact.event, &watch.state)?;
            for frame in rebuild.passed() {
                // Frames that were not recorded are folded in where they came.
                // It gets number and time of the event that it precedes: it has none of its own.
                watch.state.apply(&Recorded {
                    event: Event::FrameSeen {
                        frame: Box::new(frame),
                    },
                    ..fact.clone()
                });
            }
        }
        if let Some(past) = watch.past(fact)
            && lacking.remove(&past.attempt.id)
        {
            let source = FrameSource::Replayed;
            see(PastAttempt { source, ..past });
        }
        watch.apply(fact);
        Ok(())
    });
    replayed.map_err(|error| match error {
        NoEvidence::Open(OpenError::World { source, .. }) => no_world(source.to_string()),
        other => other,
    })
}

/// The evidence of one attempt.
pub fn look_back_at(
    journal: &Journal,
    run: RunId,
    attempt: AttemptId,
) -> Result<PastAttempt, NoEvidence> {
    let state = fold(journal, run, |_, _| Ok(()))?;
    if !state.labels.contains_key(&attempt) {
        let attempts = state.labels.keys().map(|id| id.0).max().unwrap_or(0);
        return Err(NoEvidence::NoAttempt {
            run,
            attempt,
            attempts,
        });
    }
    let mut found = None;
    look_back(journal, run, |past| {
        if past.attempt.id == attempt {
            found = Some(past);
        }
    })?;
    found.ok_or_else(|| NoEvidence::NoWorld {
        run,
        because: "the attempt ended before anything was seen".to_owned(),
    })
}

/// The fold, with a count of the frames of the attempt under way.
struct Watch {
    state: State,
    /// The event before, if it ended an action or the world.
    /// The end of an action carries the last frame, which the attempt does not hold yet.
    last: Option<Event>,
    frames: u64,
    began: u64,
    frame_ticks: u64,
}

impl Watch {
    fn new(config: &RunConfig) -> Self {
        Self {
            state: State::new(),
            last: None,
            frames: 0,
            began: 0,
            frame_ticks: u64::from(config.world.frame_ticks.max(1)),
        }
    }

    /// The attempt that this event ends, as it stands before it.
    fn past(&self, fact: &Recorded) -> Option<PastAttempt> {
        let Event::AttemptEnded { experience, .. } = &fact.event else {
            return None;
        };
        let (attempt, post) = evidence::attempt_evidence(&self.state, self.last.as_ref())?;
        Some(PastAttempt {
            attempt,
            post,
            experience: (**experience).clone(),
            source: FrameSource::Recorded,
            thresholds: self
                .state
                .config()
                .map(|config| config.thresholds.clone())
                .unwrap_or_default(),
        })
    }

    /// Frames come at a steady pace while an action runs; where more than half of them are missing
    /// they were not kept.
    fn is_whole(&self) -> bool {
        let due = self.state.last_tick().saturating_sub(self.began) / self.frame_ticks;
        self.frames * 2 >= due
    }

    fn apply(&mut self, fact: &Recorded) {
        self.state.apply(fact);
        self.last = None;
        match &fact.event {
            Event::AttemptStarted { .. } => {
                (self.frames, self.began) = (0, self.state.last_tick());
            }
            Event::FrameSeen { .. } => self.frames += 1,
            Event::ActionEnded { .. } | Event::WorldLost { .. } => {
                self.last = Some(fact.event.clone());
            }
            _ => (), // nothing else shows the world, or its end, in the middle of an attempt
        }
    }
}

fn each_event(
    journal: &Journal,
    run: RunId,
    mut see: impl FnMut(&Recorded) -> Result<(), Differs>,
) -> Result<(), NoEvidence> {
    journal.each_event(run, |fact| {
        see(fact).map_err(|source| OpenError::World { run, source })?;
        Ok(ControlFlow::Continue(()))
    })
}
