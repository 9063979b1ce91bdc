//! Recorded sessions: an asciicast that `--record` has written, played in the console.
//!
//! What the recording says to a terminal is told to an emulated one, whose cells are drawn: a file from
//! elsewhere cannot reach the terminal. Invariant: what is shown depends on file and place alone.

pub(crate) mod asciicast;
pub(crate) mod cast;
pub(crate) mod draw;
pub(crate) mod emulated;
pub(crate) mod playback;

pub use crate::recording::asciicast::{Asciicast, AsciicastError, Told};
pub use crate::recording::playback::Playback;

use crate::options::ConsoleError;
use crate::terminal::TerminalScreen;
use crate::terminal::signals::Signals;
use crate::theme::Theme;
use pithead_world::clock::{Clock, Millis};
use ratatui::crossterm::event;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::time::Duration;

/// Between two frames while it plays.
const FRAME: Duration = Duration::from_millis(33);
/// Between two looks at signals while it stands.
const IDLE: Duration = Duration::from_millis(250);
/// What an arrow passes over, in milliseconds of the recording.
const LEAP_MS: u64 = 5_000;

/// Plays a recording until it is left; true if it was left by a signal.
pub fn play(cast: Asciicast, theme: &Theme, clock: &Clock) -> Result<bool, ConsoleError> {
    let signals = Signals::listen()?;
    let mut screen = TerminalScreen::open()?;
    let mut playback = Playback::new(cast);
    let (mut last, mut is_drawn) = (clock.now(), false);
    let mut drawn_at = Millis(0);
    loop {
        if signals.is_end_asked() {
            return Ok(true);
        }
        if signals.take_stop() {
            screen.suspend()?;
            (last, is_drawn) = (clock.now(), false);
        }
        let now = clock.now();
        is_drawn &= !playback.pass(now.since(std::mem::replace(&mut last, now)));
        let was_behind = playback.is_behind();
        playback.replay_slice();
        // Keys are looked at between two slices; on the way to the place, frames show how far it is.
        let is_due = !playback.is_behind() || now.since(drawn_at) >= FRAME.as_millis() as u64;
        if (was_behind || !is_drawn) && is_due {
            let no_picture = |_| None;
            screen.draw(no_picture, |frame| draw::draw(frame, &playback, theme))?;
            (is_drawn, drawn_at) = (true, clock.now());
        }
        let wait = match (playback.is_behind(), playback.is_playing()) {
            (true, _) => Duration::ZERO,
            (false, true) => FRAME,
            (false, false) => IDLE,
        };
        if !crate::run::poll(wait)? {
            continue;
        }
        match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                match on_key(&mut playback, key) {
                    Did::Changed => is_drawn = false,
                    Did::Nothing => (),
                    Did::Leave => return Ok(false),
                    Did::Suspend => {
                        screen.suspend()?;
                        (last, is_drawn) = (clock.now(), false);
                    }
                }
            }
            Event::Resize(..) => is_drawn = false,
            _ => (), // the mouse has nothing to do here
        }
    }
}

/// What came of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Did {
    Changed,
    Nothing,
    Leave,
    Suspend,
}

fn on_key(playback: &mut Playback, key: KeyEvent) -> Did {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if ctrl => return Did::Leave,
        KeyCode::Char('z') if ctrl => return Did::Suspend,
        KeyCode::Char('q') | KeyCode::Esc => return Did::Leave,
        KeyCode::Char(' ') => playback.play_or_pause(),
        KeyCode::Left => playback.seek(Millis(playback.at().0.saturating_sub(LEAP_MS))),
        KeyCode::Right => playback.seek(playback.at().plus(LEAP_MS)),
        KeyCode::Char('[') => playback.seek_mark(false),
        KeyCode::Char(']') => playback.seek_mark(true),
        KeyCode::Char('.') => playback.step(),
        KeyCode::Char('<') => playback.slower(),
        KeyCode::Char('>') => playback.faster(),
        KeyCode::Char('0' | 'g') | KeyCode::Home => playback.seek(Millis(0)),
        KeyCode::Char('$' | 'G') | KeyCode::End => playback.seek(playback.length()),
        _ => return Did::Nothing,
    }
    Did::Changed
}

#[cfg(test)]
mod tests;
