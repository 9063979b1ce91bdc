//! Recorded sessions: an asciicast that `--record` has written, played in the console.
//!
//! What the recording says to a terminal is told to an emulated one, whose cells are drawn: a file from
//! elsewhere cannot reach the terminal. Invariant: what is shown depends on file and place alone.

pub(crate) mod cast;
pub(crate) mod draw;
pub(crate) mod reel;
pub(crate) mod tape;

pub use crate::recording::tape::{Tape, TapeError};

use crate::options::ConsoleError;
use crate::recording::reel::Reel;
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
pub fn play(tape: Tape, theme: &Theme, clock: &Clock) -> Result<bool, ConsoleError> {
    let signals = Signals::listen()?;
    let mut screen = TerminalScreen::open()?;
    let mut reel = Reel::new(tape);
    let (mut last, mut is_drawn) = (clock.now(), false);
    loop {
        if signals.is_end_asked() {
            return Ok(true);
        }
        if signals.take_stop() {
            screen.suspend()?;
            (last, is_drawn) = (clock.now(), false);
        }
        let now = clock.now();
        is_drawn &= !reel.pass(now.since(std::mem::replace(&mut last, now)));
        if !is_drawn {
            let no_picture = |_| None;
            screen.draw(no_picture, |frame| draw::draw(frame, &reel, theme))?;
            is_drawn = true;
        }
        let wait = if reel.is_playing() { FRAME } else { IDLE };
        if !crate::run::poll(wait)? {
            continue;
        }
        match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => match on_key(&mut reel, key) {
                Did::Changed => is_drawn = false,
                Did::Nothing => (),
                Did::Leave => return Ok(false),
                Did::Suspend => {
                    screen.suspend()?;
                    (last, is_drawn) = (clock.now(), false);
                }
            },
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

fn on_key(reel: &mut Reel, key: KeyEvent) -> Did {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if ctrl => return Did::Leave,
        KeyCode::Char('z') if ctrl => return Did::Suspend,
        KeyCode::Char('q') | KeyCode::Esc => return Did::Leave,
        KeyCode::Char(' ') => reel.play_or_pause(),
        KeyCode::Left => reel.seek(Millis(reel.at().0.saturating_sub(LEAP_MS))),
        KeyCode::Right => reel.seek(reel.at().plus(LEAP_MS)),
        KeyCode::Char('[') => reel.seek_mark(false),
        KeyCode::Char(']') => reel.seek_mark(true),
        KeyCode::Char('.') => reel.step(),
        KeyCode::Char('<') => reel.slower(),
        KeyCode::Char('>') => reel.faster(),
        KeyCode::Char('0' | 'g') | KeyCode::Home => reel.seek(Millis(0)),
        KeyCode::Char('$' | 'G') | KeyCode::End => reel.seek(reel.length()),
        _ => return Did::Nothing,
    }
    Did::Changed
}

#[cfg(test)]
mod tests;
