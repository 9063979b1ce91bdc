//! Budget: what the mind may still cost in this run, and how long the run may still last.
//!
//! Invariant: it is checked before every question to the mind. What happens at its end is in `giving_up`.

use super::state::State;
use crate::domain::mind::spending::{Allowance, money};
use crate::domain::run::budget::Budget;
use crate::text::numbers::count_with_noun;

impl State {
    /// The budget including everything that the operator has granted on top.
    fn granted(&self) -> Option<Budget> {
        let budget = self.config()?.budget;
        Some(budget.granted(self.counters.grants + 1))
    }

    /// World ticks until the budget is spent.
    #[must_use]
    pub fn ticks_left(&self) -> Option<u64> {
        let tick = self.frame.as_deref()?.tick;
        Some(self.config()?.budget.ticks.saturating_sub(tick))
    }

    /// What the next answer may cost.
    #[must_use]
    pub fn allowance(&self) -> Allowance {
        let Some(budget) = self.granted() else {
            return Allowance::default();
        };
        let counters = &self.counters;
        Allowance {
            // None where there is no bound.
            tokens: budget.tokens.map(|all| all.saturating_sub(counters.tokens)),
            micros: budget.micros.map(|all| all.saturating_sub(counters.micros)),
        }
    }

    /// Why no more may be asked, if that is so.
    pub(super) fn is_spent(&self) -> Option<String> {
        let budget = self.granted()?;
        let counters = &self.counters;
        // Reached, not exceeded: the next question would exceed it.
        if counters.calls >= budget.mind_calls {
            let calls = budget.mind_calls;
            return Some(format!(
                "the budget of {} to the mind is spent",
                count_with_noun(calls, "question", "questions")
            ));
        }
        let tokens = budget.tokens.filter(|all| counters.tokens >= *all);
        let micros = budget.micros.filter(|all| counters.micros >= *all);
        match (tokens, micros) {
            (Some(all), _) => Some(format!(
                "the budget of {} is spent",
                count_with_noun(all, "token", "tokens")
            )),
            (None, Some(all)) => Some(format!(
                "the budget of {} for the mind is spent",
                money(all)
            )),
            (None, None) => None,
        }
    }
}
