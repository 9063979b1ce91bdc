//! A session: the console's loop as data, without terminal and without waiting.
//!
//! All inputs are taken in, then it says whether a frame is due and how long to wait. Invariant:
//! a frame is due at most every 16 ms and only if something that is shown has changed.

use super::feed::Feed;
use super::look::Eyes;
use super::msg::{Effect, Exit};
use super::ui::{Mode, Ui};
use super::view::View;
use super::{answer, update};
use crate::clock::Millis;
use crate::domain::command::Command;
use crate::ids::DecisionId;
use crate::journal::JournalError;
use crate::runtime::DriverStatus;
use ratatui::crossterm::event::Event as Term;
use ratatui::layout::Size;
use std::time::Duration;

/// Between two frames: faster than the eye, slow enough for a flood of events.
const FRAME_MS: u64 = 16;
/// Between two looks at a run that has been quiet for a while.
const QUIET_MS: u64 = 50;
/// Between two looks when nothing but a signal can happen.
const IDLE_MS: u64 = 250;
/// After so long without an event a run counts as quiet.
const QUIET_AFTER_MS: u64 = 1000;

/// View, screen and feed of one sitting.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) feed: Feed,
    pub(super) view: View,
    pub(super) ui: Ui,
    /// Something shown has changed since the last frame.
    dirty: bool,
    more: bool,
    /// The question whose clock this console has stopped.
    held: Option<DecisionId>,
    drawn: Option<Millis>,
    heard: Millis,
    eyes: Eyes,
}

/// What the terminal is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Leave(Exit),
    Suspend,
    Redraw,
}

impl Session {
    pub(super) fn new(feed: Feed, size: Size, now: Millis) -> Self {
        let mut ui = Ui::new(feed.mode(), size);
        ui.now = now;
        Self {
            feed,
            view: View::default(),
            ui,
            dirty: true,
            more: true,
            held: None,
            drawn: None,
            heard: now,
            eyes: Eyes::default(),
        }
    }

    /// Something came from the terminal.
    pub(super) fn on_terminal(&mut self, event: &Term) -> Option<Order> {
        let order = self.take(event);
        self.hold_what_is_read();
        order
    }

    fn take(&mut self, event: &Term) -> Option<Order> {
        // Even a key that does nothing takes the last word off the footer.
        self.dirty = true;
        match update::on_terminal(&mut self.ui, &self.view, event)? {
            Effect::Send(command) => {
                if let Err(because) = self.feed.send(command) {
                    self.ui.refuse(because);
                }
                None
            }
            Effect::Replay(msg) => {
                if let Feed::Recording(player) = &mut self.feed {
                    player.on(msg, &mut self.view);
                    self.more = true;
                }
                None
            }
            Effect::Quit(exit) => Some(Order::Leave(exit)),
            Effect::Suspend => Some(Order::Suspend),
            Effect::Redraw => Some(Order::Redraw),
        }
    }

    /// Takes in what the feed has.
    pub(super) fn fold(&mut self, now: Millis) -> Result<(), JournalError> {
        // The mode first: what was published before it changed is then in what comes.
        let mode = self.feed.mode();
        let came = self.feed.fold(&mut self.view, now)?;
        if came.events > 0 {
            (self.dirty, self.heard) = (true, now);
            self.eyes.something_happened();
            answer::settle(&mut self.ui, &self.view);
            update::look_at_decision(&mut self.ui, &self.view);
        }
        self.more = came.more;
        let mode = if self.ui.is_replay() {
            self.feed.mode()
        } else {
            mode
        };
        if mode != self.ui.mode {
            self.ui.mode = mode;
            self.dirty = true;
        }
        let thinking = self.feed.thinking();
        if thinking != self.ui.thinking {
            self.ui.thinking = thinking;
            self.dirty = true;
        }
        self.dirty |= self.eyes.look(&mut self.ui, &mut self.feed, now);
        self.hold_what_is_read();
        self.tell_time(now);
        Ok(())
    }

    /// No time-out answers a question under the hands of the operator: the run is told what is on
    /// the screen, and when it no longer is.
    fn hold_what_is_read(&mut self) {
        let runs = |id: &DecisionId| {
            let open = self.view.inbox.get(*id);
            open.is_some_and(|open| open.question.deadline.is_some())
        };
        let read = self.ui.reads().filter(|_| !self.ui.is_replay());
        let read = read.filter(|id| self.held == Some(*id) || runs(id));
        // An answer on its way keeps what it is about held until the run has taken or refused it.
        let on_its_way = |id| self.ui.answered.contains_key(&id);
        if read == self.held || self.held.is_some_and(on_its_way) {
            return;
        }
        let before = std::mem::replace(&mut self.held, read);
        let before = before.filter(|id| self.view.inbox.get(*id).is_some());
        let release = before.map(|decision| Command::ReleaseDecision { decision });
        let hold = read.map(|decision| Command::HoldDecision { decision });
        for command in release.into_iter().chain(hold) {
            // If nobody listens any more, no time-out answers either.
            let _ = self.feed.send(command);
        }
    }

    /// Lets the clocks on the screen go on, once a second and only where one is shown.
    fn tell_time(&mut self, now: Millis) {
        let shown = match self.ui.mode {
            Mode::Replay(_) => self.view.at,
            Mode::Live(_) if self.shows_clock() => now,
            Mode::Live(_) => return,
        };
        if shown.0 / 1000 != self.ui.now.0 / 1000 {
            self.dirty = self.dirty || self.shows_clock();
            self.ui.now = shown;
        }
    }

    /// Wall time is on the screen and goes on by itself.
    fn shows_clock(&self) -> bool {
        self.ui.mode == Mode::Live(DriverStatus::Running)
            && !self.view.status.is_over()
            && (self.view.status.runs_on_wall_time() || self.view.inbox.counts_down())
    }

    /// A frame is to be drawn now.
    pub(super) fn is_frame_due(&self, now: Millis) -> bool {
        self.dirty && self.drawn.is_none_or(|drawn| now.since(drawn) >= FRAME_MS)
    }

    pub(super) fn drawn(&mut self, now: Millis) {
        (self.dirty, self.drawn) = (false, Some(now));
    }

    pub(super) fn must_redraw(&mut self) {
        (self.dirty, self.drawn) = (true, None);
    }

    /// How long nothing will be missed if nobody presses a key.
    pub(super) fn wait(&self, now: Millis) -> Duration {
        let frame = self
            .drawn
            .map_or(0, |drawn| FRAME_MS.saturating_sub(now.since(drawn)));
        let ms = if self.more {
            0
        } else if self.dirty {
            frame
        } else {
            self.until_next_look(now)
        };
        Duration::from_millis(ms)
    }

    fn until_next_look(&self, now: Millis) -> u64 {
        match &self.ui.mode {
            Mode::Replay(replay) if replay.playing => {
                (1000 / u64::from(replay.speed.max(1))).clamp(FRAME_MS, IDLE_MS)
            }
            Mode::Live(DriverStatus::Running) if now.since(self.heard) < QUIET_AFTER_MS => FRAME_MS,
            Mode::Live(DriverStatus::Running) => QUIET_MS,
            Mode::Replay(_) | Mode::Live(_) => IDLE_MS,
        }
    }
}

#[cfg(test)]
mod tests;
