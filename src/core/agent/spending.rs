//! Spending: what the mind may still cost, and what happens when that is used up.
//!
//! A budget is looked at before a question is put. When it is reached the operator is asked; where
//! nobody can be, the run ends with that reason: money is never granted by silence.

use super::state::{Phase, State};
use super::turn::Turn;
use super::{finish, gate};
use crate::domain::mind::spending::{Allowance, money};
use crate::domain::run::budget::Budget;
use crate::domain::run::decision::{GateKind, Policy, Subject};
use crate::domain::run::event::{Event, Outcome};
use pithead_world::ids::CallId;

impl State {
    /// The budget with everything that the operator granted besides.
    fn granted(&self) -> Option<Budget> {
        let budget = self.config()?.budget;
        Some(budget.granted(self.counters.grants + 1))
    }

    /// What the next answer may cost.
    #[must_use]
    pub fn allowance(&self) -> Allowance {
        let Some(budget) = self.granted() else {
            return Allowance::default();
        };
        let counters = &self.counters;
        Allowance {
            tokens: budget.tokens.map(|all| all.saturating_sub(counters.tokens)),
            micros: budget.micros.map(|all| all.saturating_sub(counters.micros)),
        }
    }

    /// Why no more may be asked, if that is so.
    pub(super) fn is_spent(&self) -> Option<String> {
        let budget = self.granted()?;
        let counters = &self.counters;
        if counters.calls >= budget.mind_calls {
            let calls = budget.mind_calls;
            return Some(format!(
                "the budget of {calls} questions to the mind is spent"
            ));
        }
        let tokens = budget.tokens.filter(|all| counters.tokens >= *all);
        let micros = budget.micros.filter(|all| counters.micros >= *all);
        match (tokens, micros) {
            (Some(all), _) => Some(format!("the budget of {all} tokens is spent")),
            (None, Some(all)) => Some(format!(
                "the budget of {} for the mind is spent",
                money(all)
            )),
            (None, None) => None,
        }
    }
}

/// The mind would not ask: it might have cost more than is left.
pub(super) fn on_withheld(turn: &mut Turn<'_>, call: CallId, because: String) {
    if turn.state().open_call() != Some(call) {
        return;
    }
    turn.say(Event::MindWithheld {
        call,
        because: because.clone(),
    });
    // Not worth asking for more: the run goes on without a summary, and with its own distiller.
    let phase = &turn.state().phase;
    if !matches!(phase, Phase::Recounting { .. } | Phase::Studying(_)) {
        reached(turn, because);
    }
}

/// A budget is reached: ask for more, or end.
pub(super) fn reached(turn: &mut Turn<'_>, because: String) {
    let subject = Subject::Budget {
        because: because.clone(),
    };
    let asks = turn.state().gates.of(GateKind::Budget) != Policy::Auto;
    if asks && gate::ask(turn, GateKind::Budget, subject) {
        return;
    }
    finish::now(turn, Outcome::Failure, because);
}
