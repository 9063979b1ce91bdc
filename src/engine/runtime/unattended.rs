//! Unattended runs: driven to their end on the caller's thread, without a client, for evaluations.
//!
//! Invariant: the same driver and core as in the console, so that an evaluation measures what an
//! operator would see; only no command can arrive.

use super::driver::Keep;
use super::first_held::FirstHeld;
use super::open::{OpenError, Parts, begun, with_mind};
use crate::journal::Journal;
use pithead_core::domain::run::event::{Recorded, RunConfig};
use pithead_world::ids::RunId;
use pithead_world::observation::Frame;
use std::sync::atomic::{AtomicBool, Ordering};

/// What became of a run that was driven without a client.
#[derive(Debug)]
pub enum Played {
    Ended(Box<PlayedRun>),
    Interrupted,
    /// Its mind is unavailable, for this reason.
    Outage(String),
}

impl Played {
    /// The run, if it ended.
    #[must_use]
    pub fn ended(self) -> Option<PlayedRun> {
        match self {
            Self::Ended(played) => Some(*played),
            Self::Interrupted | Self::Outage(_) => None,
        }
    }
}

/// A run that is over.
#[derive(Debug)]
pub struct PlayedRun {
    /// What was kept of it, oldest first.
    /// All of it in memory: an evaluation keeps it until it is written in one transaction.
    pub facts: Vec<Recorded>,
    /// The last that was seen of the world.
    pub frame: Option<Box<Frame>>,
    /// When the items of the tech tree were first held.
    pub first_held: FirstHeld,
    /// The journal it was driven with.
    /// Back to the caller, which reads the knowledge from it.
    pub journal: Journal,
}

/// Drives a new run of this number to its end, unless that is not to be had. No gate may wait for an
/// operator: there is none.
pub fn play_unattended(
    run: RunId,
    config: RunConfig,
    mut parts: Parts,
    keep: Keep,
    interrupt: &AtomicBool,
) -> Result<Played, OpenError> {
    let config = with_mind(config, &parts);
    parts
        .journal
        .create_run_as(run, config, parts.clock.now())?;
    let (mut driver, mut link) = begun(run, parts)?;
    driver.keep = keep;
    let mut facts = Vec::new();
    let mut first_held = FirstHeld::default();
    while !driver.state.is_over() {
        // Between two turns: the run can be resumed, or played again.
        if interrupt.load(Ordering::Relaxed) {
            return Ok(Played::Interrupted);
        }
        driver.turn()?;
        if let Some(frame) = driver.state.frame.as_deref() {
            first_held.see(frame);
        }
        // Drained in every turn, so the channel never fills up and nothing is read twice.
        facts.extend(link.drain(usize::MAX)?);
        if let Some(because) = driver.outage.take() {
            return Ok(Played::Outage(because));
        }
    }
    Ok(Played::Ended(Box::new(PlayedRun {
        facts,
        first_held,
        frame: driver.state.frame.take(),
        journal: driver.journal,
    })))
}
