//! Backtest: what a guardrail would have done to the recorded attempts, added up.
//!
//! A guardrail that would have blocked failures and no successes is a good one. What was not recorded
//! (mobs in sight, for one) makes some answers unknown: those are counted apart, and never as blocked.

use crate::domain::check::Truth;
use crate::text::numbers::count_with_noun;
use pithead_world::ids::ExperienceId;
use serde::Serialize;

/// Attempts listed of each kind; the counts are of all.
pub const LISTED_MAX: usize = 50;

/// What it came to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Backtest {
    pub attempts: u64,
    pub failures: BacktestSide,
    pub successes: BacktestSide,
}

/// The failed attempts, or those that succeeded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BacktestSide {
    pub attempts: u64,
    pub blocked: u64,
    /// Of these it is unknown whether they would have been blocked.
    pub unknown: u64,
    /// The latest that would have been blocked, newest first.
    pub blocked_attempts: Vec<ExperienceId>,
    /// The latest of which it is unknown, newest first.
    pub unknown_attempts: Vec<ExperienceId>,
}

impl Backtest {
    /// Takes in attempts, oldest first.
    pub fn take(&mut self, id: ExperienceId, success: bool, forbidden: Truth) {
        self.attempts += 1;
        let side = if success {
            &mut self.successes
        } else {
            &mut self.failures
        };
        side.attempts += 1;
        match forbidden {
            Truth::True => {
                side.blocked += 1;
                side.blocked_attempts.push(id);
            }
            Truth::Unknown => {
                side.unknown += 1;
                side.unknown_attempts.push(id);
            }
            Truth::False => (),
        }
    }

    /// Adds what came after.
    pub fn join(&mut self, later: Self) {
        self.attempts += later.attempts;
        self.failures.join(later.failures);
        self.successes.join(later.successes);
    }

    /// Newest first, and no longer than is shown.
    #[must_use]
    pub fn listed(mut self) -> Self {
        for side in [&mut self.failures, &mut self.successes] {
            for list in [&mut side.blocked_attempts, &mut side.unknown_attempts] {
                list.reverse();
                list.truncate(LISTED_MAX);
            }
        }
        self
    }

    /// In one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (f, s) = (&self.failures, &self.successes);
        if self.attempts == 0 {
            return "nothing is recorded to hold it against".to_owned();
        }
        let unknown = match f.unknown + s.unknown {
            0 => String::new(),
            n => format!("; for {n} this is unknown"),
        };
        format!(
            "it would have blocked {} of {} and {} of {}{unknown}",
            f.blocked,
            count_with_noun(f.attempts, "failure", "failures"),
            s.blocked,
            count_with_noun(s.attempts, "success", "successes")
        )
    }
}

impl BacktestSide {
    fn join(&mut self, later: Self) {
        self.attempts += later.attempts;
        self.blocked += later.blocked;
        self.unknown += later.unknown;
        self.blocked_attempts.extend(later.blocked_attempts);
        self.unknown_attempts.extend(later.unknown_attempts);
    }
}
