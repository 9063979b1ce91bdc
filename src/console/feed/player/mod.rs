//! The player: moves a view through a recording, forward by folding, back from snapshots.
//!
//! Long ways are folded in portions, so that keys stay quick, and shortened by views that were stored. Invariant:
//! at event n the view is the fold of the first n events, however it got there.

pub(crate) mod ahead;

use crate::feed::player::ahead::{Ahead, PAGE};
use crate::feed::shortcuts::Shortcuts;
use crate::msg::ReplayMsg;
use crate::screens::live::state::ReplayState;
use crate::view::View;
use crate::view::timeline::{Timeline, TimelineLine};
use pithead_core::domain::condition::situation::Situation;
use pithead_core::domain::run::breakpoint::Breakpoint;
use pithead_core::domain::run::breakpoint_match::{EventInContext, first_met, shown};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_engine::journal::{JournalError, SnapshotBound};
use pithead_engine::runtime::Recording;
use pithead_world::clock::Millis;
use pithead_world::ids::Seq;
use std::collections::VecDeque;
use std::sync::Arc;

/// Events between two snapshots at first; doubled whenever there are too many.
const SNAPSHOT_EVERY: u64 = 2000;
const SNAPSHOTS_MAX: usize = 64;
/// From so many events on, a way is read by several threads.
const FAR: u64 = 16 * PAGE as u64;
/// Events folded before the screen gets its turn: some milliseconds' work where each is read first, and
/// the same where others have read them.
const READ_MAX: usize = 128;
const FOLD_MAX: usize = 1024;
/// Events per second that the keys step through.
const SPEEDS: [u32; 9] = [1, 2, 5, 10, 20, 50, 200, 1000, 5000];
/// An episode of some hundred frames takes half a minute at this.
const SPEED_AT_FIRST: usize = 4;

/// A recording and a place in it.
#[derive(Debug)]
pub struct Player {
    cast: Asciicast,
    len: u64,
    /// Events folded.
    at: u64,
    playing: bool,
    speed: usize,
    /// The moment from which the playing counts, and the events played since.
    clock: Option<(Millis, u64)>,
    goal: Option<Goal>,
    /// In the order of their events; the first is that of none.
    snapshots: Vec<View>,
    every: u64,
    shortcuts: Shortcuts,
    buffer: VecDeque<Recorded>,
    ahead: Option<Ahead>,
    breaks: Vec<Breakpoint>,
    /// Why the playing was stopped by a breakpoint, until it is told.
    stopped: Option<String>,
}

/// A place that is being folded towards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    Event(u64),
    Tick(u64),
    /// The next landmark after this event.
    LandmarkAfter(u64),
}

/// The recorded events.
#[derive(Debug)]
enum Asciicast {
    Journal(Box<Recording>),
    #[cfg(test)]
    Memory(Vec<Recorded>),
}

impl Asciicast {
    fn ahead(&self, from: u64, to: u64) -> Option<Ahead> {
        match self {
            Self::Journal(recording) => Ahead::start(recording, from, to),
            #[cfg(test)]
            Self::Memory(_) => None,
        }
    }

    /// None for events that no journal has.
    fn recording(&self) -> Option<&Recording> {
        match self {
            Self::Journal(recording) => Some(recording),
            #[cfg(test)]
            Self::Memory(_) => None,
        }
    }

    fn page(&self, after: u64, limit: usize) -> Result<Vec<Recorded>, JournalError> {
        match self {
            Self::Journal(recording) => recording.page(Seq(after), limit),
            #[cfg(test)]
            Self::Memory(events) => {
                let from = usize::try_from(after)
                    .unwrap_or(usize::MAX)
                    .min(events.len());
                Ok(events[from..].iter().take(limit).cloned().collect())
            }
        }
    }
}

impl Player {
    /// At the beginning of a recording, playing.
    #[must_use]
    pub fn new(recording: Recording) -> Self {
        let len = recording.len();
        Self::with(Asciicast::Journal(Box::new(recording)), len)
    }

    /// On the way to a place of the recording, where it stands still.
    #[must_use]
    pub fn at(recording: Recording, place: ReplayMsg) -> Self {
        let mut player = Self::new(recording);
        player.handle(place, &mut View::default());
        player
    }

    #[cfg(test)]
    pub(crate) fn of_events(events: Vec<Recorded>) -> Self {
        let len = events.len() as u64;
        Self {
            playing: false,
            ..Self::with(Asciicast::Memory(events), len)
        }
    }

    fn with(cast: Asciicast, len: u64) -> Self {
        Self {
            cast,
            len,
            at: 0,
            playing: true,
            speed: SPEED_AT_FIRST,
            clock: None,
            // The screen begins with something on it.
            goal: Some(Goal::Event(3.min(len))),
            snapshots: vec![View::default()],
            every: SNAPSHOT_EVERY,
            shortcuts: Shortcuts::new(len),
            buffer: VecDeque::new(),
            ahead: None,
            breaks: Vec::new(),
            stopped: None,
        }
    }

    #[must_use]
    pub fn state(&self) -> ReplayState {
        ReplayState {
            at: self.at,
            len: self.len,
            playing: self.playing,
            speed: SPEEDS[self.speed],
            seeking: self.goal.is_some(),
        }
    }

    /// A key asked for a place or a speed. Going back changes the view at once.
    pub(crate) fn handle(&mut self, msg: ReplayMsg, view: &mut View) {
        self.seek(msg, view);
        self.shortcuts.forget();
        self.read_ahead();
        let bound = match self.goal {
            Some(Goal::Event(seq)) if self.ahead.is_some() => SnapshotBound::Event(Seq(seq)),
            Some(Goal::Tick(tick)) => SnapshotBound::Tick(tick),
            Some(Goal::Event(_) | Goal::LandmarkAfter(_)) | None => return,
        };
        if let Some(recording) = self.cast.recording() {
            self.shortcuts.look_for(recording, bound);
        }
    }

    /// Has the way read by several threads if it is long.
    fn read_ahead(&mut self) {
        self.ahead = None;
        let to = match self.goal {
            Some(Goal::Event(seq)) => seq.min(self.len),
            Some(Goal::Tick(_) | Goal::LandmarkAfter(_)) | None => return,
        };
        // What is in the buffer comes first.
        let from = self.at + self.buffer.len() as u64;
        if from + FAR < to {
            self.ahead = self.cast.ahead(from, to);
        }
    }

    /// Goes on from a stored view, if one was found that is farther on the way.
    fn take_shortcut(&mut self, view: &mut View) -> usize {
        let Some(stored) = self.shortcuts.taken() else {
            return 0;
        };
        let seq = stored.seq.0;
        if seq <= self.at || seq > self.len {
            return 0;
        }
        self.buffer.clear();
        *view = stored;
        self.at = seq;
        self.remember(view);
        self.read_ahead();
        1
    }

    fn seek(&mut self, msg: ReplayMsg, view: &mut View) {
        self.clock = None;
        let stop_at = |goal| (false, Some(goal));
        let (playing, goal) = match msg {
            ReplayMsg::PlayOrPause => (!self.playing && self.at < self.len, None),
            ReplayMsg::Slower => {
                self.speed = self.speed.saturating_sub(1);
                return;
            }
            ReplayMsg::Faster => {
                self.speed = (self.speed + 1).min(SPEEDS.len() - 1);
                return;
            }
            ReplayMsg::Forward => stop_at(Goal::Event(self.at + 1)),
            ReplayMsg::Back => stop_at(Goal::Event(self.at.saturating_sub(1))),
            ReplayMsg::Start => stop_at(Goal::Event(0)),
            ReplayMsg::End => stop_at(Goal::Event(self.len)),
            ReplayMsg::ToSeq(seq) => stop_at(Goal::Event(seq)),
            ReplayMsg::ToTick(tick) => stop_at(Goal::Tick(tick)),
            ReplayMsg::NextLandmark => stop_at(Goal::LandmarkAfter(self.at)),
            ReplayMsg::PreviousLandmark => stop_at(Goal::Event(landmark_before(view))),
        };
        (self.playing, self.goal) = (playing, goal);
        match goal {
            Some(Goal::Event(seq)) if seq < self.at => self.rewind(view, |v| v.seq.0 <= seq),
            Some(Goal::Tick(tick)) if tick < view.tick => {
                self.rewind(view, |v| v.tick < tick || v.seq.0 == 0);
            }
            Some(Goal::Event(_) | Goal::Tick(_) | Goal::LandmarkAfter(_)) | None => (),
        }
    }

    /// Back to the last snapshot that is not too late.
    fn rewind(&mut self, view: &mut View, fits: impl Fn(&View) -> bool) {
        if let Some(snapshot) = self.snapshots.iter().rev().find(|snapshot| fits(snapshot)) {
            *view = snapshot.clone();
            self.at = snapshot.seq.0;
            self.buffer.clear();
        }
    }

    /// Folds towards the goal, or what playing has made due, for as long as a key may wait.
    pub(crate) fn turn(&mut self, view: &mut View, now: Millis) -> Result<Came, JournalError> {
        let max = if self.ahead.is_some() {
            FOLD_MAX
        } else {
            READ_MAX
        };
        self.advance(view, now, max)
    }

    /// The same, at most `max` events.
    fn advance(&mut self, view: &mut View, now: Millis, max: usize) -> Result<Came, JournalError> {
        let mut events = self.take_shortcut(view);
        let due = self.due(now);
        while events < max
            && self.at < self.len
            && self.stopped.is_none()
            && !self.is_there(view, due)
        {
            if !self.step(view)? {
                break;
            }
            events += 1;
        }
        if self.goal.is_some() && (self.at >= self.len || self.is_there(view, due)) {
            (self.goal, self.ahead) = (None, None);
            self.shortcuts.forget();
        }
        if self.at >= self.len {
            self.playing = false;
        }
        Ok(Came {
            events,
            more: self.goal.is_some(),
        })
    }

    /// The event up to which playing has come.
    fn due(&mut self, now: Millis) -> u64 {
        if !self.playing || self.goal.is_some() {
            self.clock = None;
            return self.at;
        }
        let (since, from) = *self.clock.get_or_insert((now, self.at));
        from + now.since(since) * u64::from(SPEEDS[self.speed]) / 1000
    }

    fn is_there(&self, view: &View, due: u64) -> bool {
        match self.goal {
            None => self.at >= due,
            Some(Goal::Event(seq)) => self.at >= seq,
            Some(Goal::Tick(tick)) => view.tick >= tick,
            Some(Goal::LandmarkAfter(seq)) => self.at > seq && stands_on_landmark(view),
        }
    }

    fn step(&mut self, view: &mut View) -> Result<bool, JournalError> {
        if self.buffer.is_empty() {
            let page = self.next_page()?;
            self.buffer.extend(page);
        }
        let Some(event) = self.buffer.pop_front() else {
            return Ok(false);
        };
        // Only what plays is stopped; whoever asked for a place gets there.
        let met = (self.playing && self.goal.is_none())
            .then(|| met(&self.breaks, &event.event, view))
            .flatten();
        view.apply(&event);
        self.at = event.seq.0;
        self.remember(view);
        if met.is_some() {
            (self.playing, self.stopped) = (false, met);
        }
        Ok(true)
    }

    fn next_page(&mut self) -> Result<Vec<Recorded>, JournalError> {
        if let Some(ahead) = &mut self.ahead {
            let page = ahead.page()?;
            if !page.is_empty() {
                return Ok(page);
            }
            self.ahead = None;
        }
        self.cast.page(self.at, PAGE)
    }

    /// From now on the playing stops at these.
    pub(crate) fn stop_at(&mut self, breaks: Vec<Breakpoint>) {
        self.breaks = breaks;
    }

    /// Why a breakpoint has stopped the playing, once.
    pub(crate) fn take_stop(&mut self) -> Option<String> {
        self.stopped.take()
    }

    /// Keeps a snapshot where there is none near, and offers the view to those that are stored.
    fn remember(&mut self, view: &View) {
        if let Some(recording) = self.cast.recording() {
            self.shortcuts.offer(view, recording);
        }
        let after = |snapshots: &[View]| snapshots.partition_point(|s| s.seq <= view.seq);
        let before = after(&self.snapshots).checked_sub(1);
        let last = before.map_or(0, |before| self.snapshots[before].seq.0);
        if self.at < last + self.every {
            return;
        }
        if self.snapshots.len() == SNAPSHOTS_MAX {
            let mut index = 0;
            self.snapshots.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.every *= 2;
        }
        let place = after(&self.snapshots);
        self.snapshots.insert(place, view.clone());
    }
}

/// The last landmark before the view's event, among the lines that it has; their first if there is none.
fn landmark_before(view: &View) -> u64 {
    let Timeline { lines, dropped } = &view.timeline;
    let before = |line: &&Arc<TimelineLine>| line.landmark && line.seq < view.seq;
    let oldest = lines.front().filter(|_| *dropped > 0);
    let found = lines.iter().rev().find(before).or(oldest);
    found.map_or(0, |line| line.seq.0)
}

/// The first breakpoint that the event meets; `view` is the view before it.
fn met(breaks: &[Breakpoint], event: &Event, view: &View) -> Option<String> {
    if breaks.iter().all(|breakpoint| breakpoint.off) {
        return None;
    }
    let attempt = view.attempt.as_ref().filter(|attempt| !attempt.over);
    let seen = |frame| match attempt {
        Some(attempt) => Situation::of(frame)
            .since(&attempt.baseline)
            .pursuing(&attempt.subgoal),
        None => Situation::of_run(frame),
    };
    let started = match event {
        Event::AttemptStarted { subgoal, .. } => view.plan.node(*subgoal),
        _ => None, // only the beginning of an attempt names its subgoal
    };
    let plan: Vec<_> = started.iter().map(|node| (*node.subgoal).clone()).collect();
    let moment = EventInContext {
        event,
        plan: &plan,
        before: view.frame.as_deref().map(seen),
        after: shown(event).map(seen),
    };
    let (breakpoint, because) = first_met(breaks, &moment)?;
    Some(format!("{}: {because}", breakpoint.on))
}

/// The last event folded is one to stop at.
fn stands_on_landmark(view: &View) -> bool {
    view.timeline
        .lines
        .back()
        .is_some_and(|line| line.landmark && line.seq == view.seq)
}

/// What came, and whether more is waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Came {
    pub(crate) events: usize,
    pub(crate) more: bool,
}

#[cfg(test)]
mod tests;
