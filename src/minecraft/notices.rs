//! Notices: what the side process has said and nobody has taken yet.
//!
//! Shared by the thread that reads and the driver's thread, hence the lock. Invariant: it is bounded however long nobody
//! takes from it: frames replace each other, and what they brought new is added up within limits.

use crate::account::SignInCode;
use crate::wire::{Hello, Line, WireFailure, WireFrame, WireReflex};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Answers that may wait; there is never more than one request and its cancellation under way.
const ANSWERS_MAX: usize = 32;
const REFLEXES_MAX: usize = 64;
/// One holds for a quarter of an hour.
const CODES_MAX: usize = 4;
/// New cells that may wait: as numbers, four to a cell.
const CELLS_MAX: usize = 80_000;
const TRAIL_MAX: usize = 64;
/// Lines that are none of ours before the side process is not listened to any more.
const FAULTS_MAX: u32 = 100;

/// What has come in since it was taken last.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) hello: Option<Hello>,
    pub(crate) answers: VecDeque<(u64, Result<Value, WireFailure>)>,
    pub(crate) frame: Option<Box<WireFrame>>,
    pub(crate) reflexes: VecDeque<WireReflex>,
    /// What the owner of an account is to type.
    pub(crate) codes: VecDeque<SignInCode>,
    /// The world is gone, and why.
    pub(crate) lost: Option<String>,
    /// Lines of any kind: a sign of life.
    pub(crate) lines: u64,
    faults: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Notices {
    said: Mutex<Said>,
    changed: Condvar,
}

impl Notices {
    fn lock(&self) -> MutexGuard<'_, Said> {
        // What is behind the lock is whole after every line, also if a thread panicked.
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a line in.
    pub(crate) fn hear(&self, line: Result<Line, String>) {
        self.lock().hear(line);
        self.changed.notify_all();
    }

    /// The side process has ended.
    pub(crate) fn end(&self) {
        self.lock().lose("the side process has ended");
        self.changed.notify_all();
    }

    /// What was said, waited for at most so long; beats alone end no wait.
    pub(crate) fn take(&self, at_most: Duration) -> Said {
        let said = self.lock();
        let waited = self
            .changed
            .wait_timeout_while(said, at_most, |said| said.is_silent());
        let (mut said, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let faults = said.faults;
        let taken = std::mem::take(&mut *said);
        said.faults = faults;
        taken
    }
}

impl Said {
    fn is_silent(&self) -> bool {
        self.hello.is_none()
            && self.answers.is_empty()
            && self.frame.is_none()
            && self.reflexes.is_empty()
            && self.codes.is_empty()
            && self.lost.is_none()
    }

    fn lose(&mut self, because: &str) {
        // The first reason is the cause, the others follow from it.
        self.lost.get_or_insert_with(|| because.to_owned());
    }

    fn hear(&mut self, line: Result<Line, String>) {
        self.lines += 1;
        match line {
            Ok(Line::Hello(hello)) => self.hello = Some(hello),
            Ok(Line::Answer { id, result }) => {
                if self.answers.len() < ANSWERS_MAX {
                    self.answers.push_back((id, result));
                }
            }
            Ok(Line::Frame(frame)) => self.see(frame),
            Ok(Line::Reflex(reflex)) => {
                if self.reflexes.len() < REFLEXES_MAX {
                    self.reflexes.push_back(reflex);
                }
            }
            Ok(Line::Code(code)) => {
                if self.codes.len() < CODES_MAX {
                    self.codes.push_back(code);
                }
            }
            Ok(Line::Lost { because } | Line::Fatal { because }) => self.lose(&because),
            Ok(Line::Warning { because }) => tracing::debug!(because, "the bridge warns"),
            Ok(Line::Beat) => (),
            Err(because) => {
                self.faults += 1;
                tracing::debug!(because, "the bridge said something unreadable");
                if self.faults > FAULTS_MAX {
                    self.lose("the side process says too much that cannot be read");
                }
            }
        }
    }

    /// The newest frame, with all that came into sight since the last one that was taken.
    fn see(&mut self, mut frame: Box<WireFrame>) {
        if let Some(earlier) = self.frame.take() {
            let news = std::mem::take(&mut frame.seen);
            let offset = i32::try_from(earlier.seen.names.len()).unwrap_or(i32::MAX);
            frame.seen = earlier.seen;
            let has_room = frame.seen.cells.len() + news.cells.len() <= CELLS_MAX;
            if has_room {
                frame.seen.names.extend(news.names);
                for cell in news.cells.chunks_exact(4) {
                    let name = cell[0].saturating_add(offset);
                    frame.seen.cells.extend([name, cell[1], cell[2], cell[3]]);
                }
            }
            let mut trail = earlier.trail;
            trail.append(&mut frame.trail);
            let old = trail.len().saturating_sub(TRAIL_MAX);
            frame.trail = trail.split_off(old);
        }
        self.frame = Some(frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::read_line;

    fn frame(tick: u64, name: &str) -> Result<Line, String> {
        read_line(&format!(
            r#"{{"ev":"frame","frame":{{"tick":{tick},"time":1,"at":[0,64,0],"yaw":0,"pitch":0,"health":20,"hunger":20,"air":300,
            "on_ground":true,"underground":false,"biome":"plains","weather":"clear","light":15,"inventory":{{}},"gui":"closed",
            "gui_opened":0,"gui_closed":0,"container_items":0,"crafted":{{}},"mobs":[],"notable":[],"trail":[[{tick},64,0]],
            "seen":{{"names":["{name}"],"cells":[0,{tick},2,3]}},"alive":true}}}}"#
        ))
    }

    #[test]
    fn frames_replace_each_other_and_what_was_seen_adds_up() {
        let notices = Notices::default();
        for n in 1..=500 {
            notices.hear(frame(n, "stone"));
        }
        let said = notices.take(Duration::ZERO);
        let newest = said.frame.unwrap();
        assert_eq!((newest.tick, newest.trail.len()), (500, TRAIL_MAX));
        assert_eq!(newest.seen.cells.len(), 4 * 500);
        assert_eq!(newest.seen.cells[4 * 499..], [499, 500, 2, 3]);
        assert!(notices.take(Duration::ZERO).frame.is_none(), "taken once");
    }

    #[test]
    fn a_flood_stays_within_bounds() {
        let notices = Notices::default();
        for id in 0..10_000_u64 {
            notices.hear(read_line(&format!(r#"{{"id":{id},"ok":true}}"#)));
            notices.hear(read_line(r#"{"ev":"reflex","what":"eat"}"#));
        }
        let said = notices.take(Duration::ZERO);
        assert_eq!(
            (said.answers.len(), said.reflexes.len()),
            (ANSWERS_MAX, REFLEXES_MAX)
        );
    }

    #[test]
    fn nonsense_ends_the_world_in_the_end() {
        let notices = Notices::default();
        for _ in 0..=FAULTS_MAX {
            assert!(notices.take(Duration::ZERO).lost.is_none());
            notices.hear(read_line("{"));
        }
        assert!(notices.take(Duration::ZERO).lost.is_some());
    }

    #[test]
    fn the_first_reason_stays() {
        let notices = Notices::default();
        notices.hear(read_line(r#"{"ev":"lost","because":"kicked"}"#));
        notices.end();
        assert_eq!(notices.take(Duration::ZERO).lost.unwrap(), "kicked");
    }
}
