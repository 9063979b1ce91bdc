//! Pace: how fast world time may pass beside real time.
//!
//! A pacer only says how long to wait; waiting itself is done in one place, the driver's inbox,
//! which an operator's command ends at once.

use pithead_world::clock::{Millis, TICKS_PER_SECOND};
use std::time::Duration;

/// How fast the world passes. Text forms: `max`, `realtime`, `x8`, `x0.5`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// As fast as it can.
    Max,
    /// So many times real time.
    Times(f64),
}

/// Faster than any world can pass; a larger number is a slip of the finger.
/// A million times real time.
const TIMES_MAX: f64 = 1e6;
/// How far the world may lag behind before the lost time is forgotten: it must not race afterwards.
/// A tenth of a second; after a longer stop the world goes on at its pace.
const LAG_MS_MAX: f64 = 100.0;
/// Real time of one tick.
const TICK_MS: f64 = 1000.0 / TICKS_PER_SECOND as f64;

impl Pace {
    /// From the number in `Command::SetPace`, where 0 is as fast as it can.
    #[must_use]
    pub fn from_factor(times_realtime: f64) -> Self {
        if times_realtime > 0.0 {
            Self::Times(times_realtime)
        } else {
            Self::Max
        }
    }

    /// For `Command::SetPace`.
    /// 0 stands for "max" in events, since JSON has no infinity.
    #[must_use]
    pub fn times_realtime(self) -> f64 {
        match self {
            Self::Max => 0.0,
            Self::Times(times) => times,
        }
    }
}

impl std::fmt::Display for Pace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Max => f.write_str("max"),
            Self::Times(1.0) => f.write_str("realtime"),
            Self::Times(times) => write!(f, "x{times}"),
        }
    }
}

impl std::str::FromStr for Pace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let times = match text {
            "max" => return Ok(Self::Max),
            "realtime" => return Ok(Self::Times(1.0)),
            other => other
                .strip_prefix('x')
                .and_then(|digits| digits.parse::<f64>().ok()),
        };
        match times {
            Some(times) if times > 0.0 && times <= TIMES_MAX => Ok(Self::Times(times)),
            Some(_) | None => Err(format!(
                "`{text}` is no pace; use max, realtime, or a factor such as x8 or x0.5"
            )),
        }
    }
}

/// Says how long the world has to wait for real time.
#[derive(Debug)]
pub(super) struct Pacer {
    pace: Pace,
    /// When the next tick may pass, in milliseconds since the epoch.
    /// A fraction, or the rounding of each tick would add up at high factors.
    due_ms: f64,
}

impl Pacer {
    pub(super) fn new(pace: Pace) -> Self {
        Self { pace, due_ms: 0.0 }
    }

    pub(super) fn pace(&self) -> Pace {
        self.pace
    }

    pub(super) fn set(&mut self, pace: Pace) {
        // Anew, with nothing due: a faster pace must not wait for a slower tick.
        *self = Self::new(pace);
    }

    /// Nothing if world time may pass now.
    pub(super) fn wait(&self, now: Millis) -> Option<Duration> {
        let ahead_ms = self.due_ms - now.0 as f64;
        (ahead_ms > 0.0).then(|| Duration::from_micros((ahead_ms * 1000.0) as u64))
    }

    /// So many ticks have passed just now.
    pub(super) fn passed(&mut self, now: Millis, ticks: u64) {
        let Pace::Times(times) = self.pace else {
            return;
        };
        // Counted from when the tick was due, not from now, so that the pace holds on
        // average.
        let from = self.due_ms.max(now.0 as f64 - LAG_MS_MAX);
        self.due_ms = from + ticks as f64 * TICK_MS / times;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_forms_are_read_and_written() {
        for text in ["max", "realtime", "x8", "x0.5"] {
            assert_eq!(text.parse::<Pace>().unwrap().to_string(), text);
        }
        for text in ["", "x", "x0", "x-1", "xNaN", "8", "xinf"] {
            assert!(
                text.parse::<Pace>().unwrap_err().contains("use max"),
                "{text}"
            );
        }
    }

    #[test]
    fn ten_ticks_at_twice_real_time_take_a_quarter_second() {
        let mut pacer = Pacer::new(Pace::Times(2.0));
        pacer.passed(Millis(10_000), 10);
        assert_eq!(pacer.wait(Millis(10_000)), Some(Duration::from_millis(150)));
        pacer.passed(Millis(10_150), 10);
        assert_eq!(pacer.wait(Millis(10_150)), Some(Duration::from_millis(250)));
        assert_eq!(pacer.wait(Millis(10_400)), None);
    }

    #[test]
    fn time_lost_in_a_pause_is_not_made_up_for() {
        let mut pacer = Pacer::new(Pace::Times(1.0));
        pacer.passed(Millis(0), 20);
        pacer.passed(Millis(60_000), 20);
        assert_eq!(pacer.wait(Millis(60_000)), Some(Duration::from_millis(900)));
    }
}
