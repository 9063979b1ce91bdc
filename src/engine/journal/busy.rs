//! Waiting while another program writes: as long as it takes, and said to whoever waits.
//!
//! A lock of the operating system is gone with the process that held it, so whoever is waited for lives.
//! Invariant: no write is given up because another program is slow.

use pithead_world::clock::{Clock, Millis};
use rusqlite::Connection;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Pauses between tries, the last one repeated: commits take milliseconds, so the first ones are short.
const PAUSES_MS: [u64; 8] = [1, 1, 2, 5, 10, 15, 20, 25];
/// A wait of this length is said: the program would seem to hang.
const SAY_AFTER_MS: u64 = 1_000;
/// Whoever wants to leave waits for so long: most writers have finished by then.
const LEAVE_AFTER_MS: u64 = 2_000;

/// A wait that goes on is heard of again within this time: some of the longest pauses.
const HEARD_WITHIN_MS: u64 = 250;

/// Between two transactions of one piece of work: long enough that others, who ask every 25 ms at the latest, get
/// their turn after a few tries.
const BETWEEN_WRITES: Duration = Duration::from_millis(5);

/// What is said of a wait, once.
pub const WAIT_NOTICE: &str = "waiting for another program that is writing to the database";

static IS_LEAVING: AtomicBool = AtomicBool::new(false);
/// When a long wait was last heard of, in milliseconds of the system's clock.
static WAITED_AT: AtomicU64 = AtomicU64::new(0);
static SAY: Mutex<Option<fn(&str)>> = Mutex::new(None);
static PAUSE: Mutex<Option<fn(Duration)>> = Mutex::new(None);

/// How a long wait is said besides in the log; none in a process that has the terminal to itself.
pub fn say_waits_with(say: Option<fn(&str)>) {
    *SAY.lock().unwrap_or_else(PoisonError::into_inner) = say;
}

/// How a pause is spent, if not asleep: where time is simulated, the others go on meanwhile.
pub fn pause_with(pause: Option<fn(Duration)>) {
    *PAUSE.lock().unwrap_or_else(PoisonError::into_inner) = pause;
}

/// Whether some thread of this process has waited for long and still does.
#[must_use]
pub fn is_waiting_for_others() -> bool {
    let last = Millis(WAITED_AT.load(Ordering::Relaxed));
    Clock::System.now().since(last) < HEARD_WITHIN_MS
}

/// From now on a write that has waited for two seconds fails: the program is about to end, and what was
/// not written was not acknowledged either.
pub fn stop_waiting() {
    IS_LEAVING.store(true, Ordering::Relaxed);
}

/// Says what the operator should know at once, as a wait is said.
pub(super) fn say(notice: &str) {
    tracing::warn!("{notice}");
    if let Some(say) = *SAY.lock().unwrap_or_else(PoisonError::into_inner) {
        say(notice);
    }
}

/// Makes a connection wait for others.
pub(super) fn wait_for_others(db: &mut Connection) -> rusqlite::Result<()> {
    db.busy_handler(Some(wait))
}

/// Called by SQLite each time that the database is locked, with the number of calls before.
fn wait(calls: i32) -> bool {
    let calls = usize::try_from(calls).unwrap_or(0);
    let (before, pause) = (waited_ms(calls), pause_ms(calls));
    if IS_LEAVING.load(Ordering::Relaxed) && before >= LEAVE_AFTER_MS {
        return false;
    }
    if before >= SAY_AFTER_MS {
        WAITED_AT.store(Clock::System.now().0, Ordering::Relaxed);
    }
    if (before..before + pause).contains(&SAY_AFTER_MS) {
        say(WAIT_NOTICE);
    }
    spend(Duration::from_millis(pause));
    true
}

/// Leaves the write lock to others for a moment.
pub(super) fn pause_between_writes() {
    spend(BETWEEN_WRITES);
}

fn spend(pause: Duration) {
    let spend = *PAUSE.lock().unwrap_or_else(PoisonError::into_inner);
    spend.unwrap_or(sleep)(pause);
}

fn pause_ms(call: usize) -> u64 {
    PAUSES_MS[call.min(PAUSES_MS.len() - 1)]
}

/// The pauses of the calls before; without a clock, so that they are the same each time.
fn waited_ms(calls: usize) -> u64 {
    let listed: u64 = PAUSES_MS.iter().take(calls).sum();
    let repeated = calls.saturating_sub(PAUSES_MS.len()) as u64;
    listed + repeated * PAUSES_MS[PAUSES_MS.len() - 1]
}

#[expect(
    clippy::disallowed_methods,
    reason = "SQLite calls and nothing can wake"
)]
fn sleep(pause: Duration) {
    std::thread::sleep(pause);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_add_up_and_a_wait_is_said_once() {
        let mut waited = 0;
        let mut said = 0;
        for call in 0..2_000 {
            assert_eq!(waited_ms(call), waited);
            let next = waited + pause_ms(call);
            said += usize::from((waited..next).contains(&SAY_AFTER_MS));
            waited = next;
        }
        assert_eq!(said, 1);
    }
}
