//! The playback: a cast, a place in it, and the emulated terminal as it was there.
//!
//! Going back replays everything from the beginning. Work is done in slices, so that keys are answered while
//! a place is reached. Invariant: once it is not behind, the terminal has been given exactly the events up to
//! the place.

use crate::recording::asciicast::{Asciicast, Told};
use crate::recording::emulated::{Emulated, Work};
use pithead_world::clock::Millis;

/// Times as fast as it was.
const SPEEDS: [f64; 7] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
const SPEED_AT_FIRST: usize = 1;
/// A pause longer than this is passed over in so many milliseconds.
const PAUSE_MAX_MS: u64 = 3_000;
/// Work between two looks at the keys: some milliseconds.
pub(crate) const SLICE_WORK: Work = 1_000_000;
/// What an event costs by itself, so that a million empty ones are not free.
const EVENT_WORK: Work = 20;

/// A recording that is played.
pub struct Playback {
    cast: Asciicast,
    terminal: Emulated,
    /// The place in time, the events replayed so far, and the bytes replayed of the one after them.
    at: f64,
    told: usize,
    bytes: usize,
    is_playing: bool,
    speed: usize,
}

impl std::fmt::Debug for Playback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Playback at {} ms, {} told", self.at, self.told)
    }
}

impl Playback {
    /// At the beginning, playing.
    #[must_use]
    pub fn new(cast: Asciicast) -> Self {
        Self {
            terminal: Emulated::new(cast.size),
            cast,
            at: 0.0,
            told: 0,
            bytes: 0,
            is_playing: true,
            speed: SPEED_AT_FIRST,
        }
    }

    pub(crate) fn at(&self) -> Millis {
        Millis(self.at as u64)
    }

    pub(crate) fn length(&self) -> Millis {
        self.cast.length()
    }

    pub(crate) fn is_playing(&self) -> bool {
        self.is_playing
    }

    pub(crate) fn speed(&self) -> f64 {
        SPEEDS[self.speed]
    }

    pub(crate) fn title(&self) -> &str {
        &self.cast.title
    }

    /// The emulated terminal.
    #[must_use]
    pub fn screen(&self) -> &vt100::Screen {
        self.terminal.screen()
    }

    /// The last mark before the place, which mark that is, and how many there are.
    pub(crate) fn mark(&self) -> (Option<&str>, usize, usize) {
        let passed = self.cast.marks.partition_point(|n| *n < self.told);
        let last = passed.checked_sub(1).map(|n| self.cast.marks[n]);
        let words = last.and_then(|n| match &self.cast.events[n].1 {
            Told::Mark(words) => Some(words.as_str()),
            Told::Output(_) | Told::Resize(..) => None,
        });
        (words, passed, self.cast.marks.len())
    }

    /// True while events up to the place are still to be replayed.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.told < self.events_until(self.at)
    }

    /// While it is behind: how much of the way to the place is done, in percent.
    pub(crate) fn percent(&self) -> Option<usize> {
        let all = self.events_until(self.at);
        (self.told < all).then(|| self.told * 100 / all)
    }

    pub(crate) fn play_or_pause(&mut self) {
        if !self.is_playing && self.at() >= self.length() {
            self.seek(Millis(0));
        }
        self.is_playing = !self.is_playing;
    }

    pub(crate) fn slower(&mut self) {
        self.speed = self.speed.saturating_sub(1);
    }

    pub(crate) fn faster(&mut self) {
        self.speed = (self.speed + 1).min(SPEEDS.len() - 1);
    }

    /// Time passes; true if there is something else to be seen. It stands while the terminal is behind.
    pub fn pass(&mut self, ms: u64) -> bool {
        if !self.is_playing || self.is_behind() {
            return false;
        }
        let second = self.at().0 / 1000;
        self.at += ms as f64 * self.speed();
        // Nobody watches an idle console: the rest of a long pause is left out.
        if let Some((next, _)) = self.cast.events.get(self.told) {
            self.at = self.at.max(next.0.saturating_sub(PAUSE_MAX_MS) as f64);
        }
        if self.at >= self.length().0 as f64 {
            (self.at, self.is_playing) = (self.length().0 as f64, false);
        }
        self.is_behind() || self.at().0 / 1000 != second || !self.is_playing
    }

    /// To a time of the recording.
    pub fn seek(&mut self, to: Millis) {
        let to = to.min(self.length());
        self.at = to.0 as f64;
        let begun = self.told + usize::from(self.bytes > 0);
        if begun > self.events_until(self.at) {
            self.terminal = Emulated::new(self.cast.size);
            (self.told, self.bytes) = (0, 0);
        }
    }

    /// To the next event, where it stands.
    pub fn step(&mut self) {
        self.is_playing = false;
        if let Some((at, _)) = self.cast.events.get(self.events_until(self.at)) {
            self.seek(*at);
        }
    }

    /// To the mark before or after the place, where it stands.
    pub fn seek_mark(&mut self, forward: bool) {
        let here = self.at();
        let time = |n: &usize| self.cast.events[*n].0;
        let marks = &self.cast.marks;
        let found = if forward {
            marks.get(marks.partition_point(|n| time(n) <= here))
        } else {
            let before = marks.partition_point(|n| time(n) < here);
            before.checked_sub(1).map(|n| &marks[n])
        };
        if let Some(at) = found.map(time) {
            self.is_playing = false;
            self.seek(at);
        }
    }

    /// Replays events up to the place, for about `SLICE_WORK`; what it cost.
    pub fn replay_slice(&mut self) -> usize {
        let until = self.events_until(self.at);
        let mut work = 0;
        while self.told < until && work < SLICE_WORK {
            work += EVENT_WORK;
            match &self.cast.events[self.told].1 {
                Told::Output(text) => {
                    let rest = &text.as_bytes()[self.bytes..];
                    let (written, cost) =
                        self.terminal.write(rest, SLICE_WORK - work.min(SLICE_WORK));
                    work += cost;
                    if written < rest.len() {
                        self.bytes += written;
                        continue;
                    }
                }
                Told::Resize(columns, rows) => work += self.terminal.resize(*columns, *rows),
                Told::Mark(_) => (),
            }
            self.told += 1;
            self.bytes = 0;
        }
        work
    }

    /// How many events there are up to a time.
    fn events_until(&self, at: f64) -> usize {
        let events = &self.cast.events;
        events.partition_point(|(time, _)| time.0 as f64 <= at)
    }
}
