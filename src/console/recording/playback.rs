//! The playback: a cast, a place in it, and the emulated terminal as it was there.
//!
//! Going back replays everything from the beginning. Invariant: the terminal has been given
//! exactly the events up to the place.

use crate::recording::asciicast::{Asciicast, Told};
use pithead_world::clock::Millis;

/// Times as fast as it was.
const SPEEDS: [f64; 7] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
const SPEED_AT_FIRST: usize = 1;
/// A pause longer than this is passed over in so many milliseconds.
const PAUSE_MAX_MS: u64 = 3_000;

/// A recording that is played.
pub struct Playback {
    cast: Asciicast,
    terminal: vt100::Parser,
    /// The place in time, and the events replayed so far.
    at: f64,
    told: usize,
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
        let mut playback = Self {
            terminal: terminal(cast.size),
            cast,
            at: 0.0,
            told: 0,
            is_playing: true,
            speed: SPEED_AT_FIRST,
        };
        playback.replay_events();
        playback
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
        let mark = |(_, told): &(Millis, Told)| matches!(told, Told::Mark(_));
        let (before, after) = self.cast.events.split_at(self.told);
        let words = before.iter().rev().find_map(|(_, told)| match told {
            Told::Mark(words) => Some(words.as_str()),
            Told::Output(_) | Told::Resize(..) => None,
        });
        let passed = before.iter().filter(|event| mark(event)).count();
        let all = passed + after.iter().filter(|event| mark(event)).count();
        (words, passed, all)
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

    /// Time passes; true if there is something else to be seen.
    pub fn pass(&mut self, ms: u64) -> bool {
        if !self.is_playing {
            return false;
        }
        let second = self.at().0 / 1000;
        self.at += ms as f64 * self.speed();
        // Nobody watches an idle console: the rest of a long pause is left out.
        if let Some((next, _)) = self.cast.events.get(self.told) {
            self.at = self.at.max(next.0.saturating_sub(PAUSE_MAX_MS) as f64);
        }
        let told = self.told;
        self.replay_events();
        if self.at >= self.length().0 as f64 {
            (self.at, self.is_playing) = (self.length().0 as f64, false);
        }
        self.told != told || self.at().0 / 1000 != second || !self.is_playing
    }

    /// To a time of the recording.
    pub fn seek(&mut self, to: Millis) {
        let to = to.min(self.length());
        if to < self.at() {
            (self.terminal, self.told) = (terminal(self.cast.size), 0);
        }
        self.at = to.0 as f64;
        self.replay_events();
    }

    /// To the next event, where it stands.
    pub fn step(&mut self) {
        self.is_playing = false;
        if let Some((at, _)) = self.cast.events.get(self.told) {
            self.seek(*at);
        }
    }

    /// To the mark before or after the place, where it stands.
    pub fn seek_mark(&mut self, forward: bool) {
        let here = self.at();
        let mut marks = self
            .cast
            .events
            .iter()
            .filter_map(|(at, told)| matches!(told, Told::Mark(_)).then_some(*at));
        let found = if forward {
            marks.find(|at| *at > here)
        } else {
            marks.rfind(|at| *at < here)
        };
        if let Some(at) = found {
            self.is_playing = false;
            self.seek(at);
        }
    }

    /// Tells the terminal all events up to the place.
    fn replay_events(&mut self) {
        while let Some((at, told)) = self.cast.events.get(self.told) {
            if at.0 as f64 > self.at {
                return;
            }
            match told {
                Told::Output(text) => self.terminal.process(text.as_bytes()),
                Told::Resize(columns, rows) => {
                    self.terminal.screen_mut().set_size(*rows, *columns);
                }
                Told::Mark(_) => (),
            }
            self.told += 1;
        }
    }
}

fn terminal((columns, rows): (u16, u16)) -> vt100::Parser {
    vt100::Parser::new(rows, columns, 0)
}
