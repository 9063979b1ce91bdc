//! The budget of an evaluation: what it may spend on its mind over all episodes and all its starts.
//!
//! It is checked before each question with the most that the question may cost; that cost counts as
//! spent until the real one is known. Invariant: neither a kill nor many workers exceed a limit.

use crate::mind::{Mind, MindQuestion, MindReply, Silence};
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::mind::spending::{Estimate, Spending, money};
use pithead_core::text::atomic_file::write_atomically;
use pithead_core::text::numbers::count_with_noun;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The file in the folder of an evaluation.
const FILE: &str = "spending.json";

/// The limits of an evaluation; none means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvalLimits {
    pub calls: Option<u64>,
    pub tokens: Option<u64>,
    pub micros: Option<u64>,
}

/// What may be spent and what was spent. It is shared under a lock with all workers, because a limit per
/// worker would not limit the evaluation.
#[derive(Debug, Default)]
pub struct EvalBudget {
    limits: EvalLimits,
    file: Option<PathBuf>,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// Real costs of finished questions.
    spent: Spending,
    /// The most that the questions under way may cost.
    /// Counted at their estimate, so that many workers together stay within.
    open: Spending,
    /// Why a question was not asked, once one was not.
    reached: Option<String>,
    /// Why the mind was unavailable, once it was.
    outage: Option<String>,
}

impl EvalBudget {
    /// A budget with these limits; in a folder it continues from what was spent there before.
    /// Money spent before a restart stays spent.
    pub fn open(limits: EvalLimits, folder: Option<&Path>) -> Result<Self, String> {
        let file = folder.map(|folder| folder.join(FILE));
        let spent = match &file {
            Some(path) if path.exists() => read_spending(path)?,
            _ => Spending::default(),
        };
        Ok(Self {
            limits,
            file,
            inner: Mutex::new(Inner {
                spent,
                ..Inner::default()
            }),
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was spent, with the most that questions under way may cost.
    #[must_use]
    pub fn spent(&self) -> Spending {
        let inner = self.lock();
        inner.spent.plus(inner.open)
    }

    /// Why the evaluation stopped, if a limit stopped it.
    #[must_use]
    pub fn reached(&self) -> Option<String> {
        self.lock().reached.clone()
    }

    /// The mind is unavailable: nothing more is asked.
    pub(super) fn note_outage(&self, because: String) {
        self.lock().outage = Some(because);
    }

    /// Why the mind was unavailable, if that stopped the evaluation.
    #[must_use]
    pub fn outage(&self) -> Option<String> {
        self.lock().outage.clone()
    }

    /// The spending in words, each part with its limit if there is one.
    #[must_use]
    pub fn summary(&self) -> String {
        let spent = self.spent();
        let of = |spent: String, bound: Option<String>| match bound {
            Some(bound) => format!("{spent}/{bound}"),
            None => spent,
        };
        let EvalLimits {
            calls,
            tokens,
            micros,
        } = self.limits;
        let mut text = format!(
            "{} questions, {} tokens",
            of(spent.calls.to_string(), calls.map(|n| n.to_string())),
            of(spent.tokens.to_string(), tokens.map(|n| n.to_string())),
        );
        if spent.micros > 0 || micros.is_some() {
            let money = of(money(spent.micros), micros.map(money));
            text += &format!(", money {money}");
        }
        text
    }

    /// Reserves the cost of a question, or says why it must not be asked.
    fn reserve(&self, estimate: Estimate) -> Result<Spending, String> {
        let mut inner = self.lock();
        // The other workers stop too; what is asked now would only fail as well.
        if let Some(because) = &inner.outage {
            return Err(because.clone());
        }
        let asked = Spending {
            calls: 1,
            tokens: estimate.tokens,
            micros: estimate.micros.unwrap_or(0),
        };
        // Including everything under way.
        let then = inner.spent.plus(inner.open).plus(asked);
        if let Some(because) = self.exceeded_limit(then, estimate) {
            inner.reached = Some(because.clone());
            return Err(because);
        }
        // Written before the question is sent.
        inner.open = inner.open.plus(asked);
        self.save(&inner);
        Ok(asked)
    }

    /// The limit that would be exceeded, in words.
    fn exceeded_limit(&self, then: Spending, estimate: Estimate) -> Option<String> {
        let EvalLimits {
            calls,
            tokens,
            micros,
        } = self.limits;
        // Exactly at the limit is allowed.
        let over = |bound: Option<u64>, then: u64| bound.filter(|bound| then > *bound);
        if let Some(bound) = over(calls, then.calls) {
            return Some(format!(
                "the evaluation's budget of {} is spent",
                count_with_noun(bound, "question", "questions")
            ));
        }
        if let Some(bound) = over(tokens, then.tokens) {
            return Some(format!(
                "the evaluation's budget of {} might be exceeded: the next question may take {}",
                count_with_noun(bound, "token", "tokens"),
                estimate.tokens
            ));
        }
        // Without a price nothing can be promised.
        let bound = micros?;
        if estimate.micros.is_none() {
            return Some(
                "the evaluation has a budget of money, and a model has no price; add [llm.prices]"
                    .to_owned(),
            );
        }
        (then.micros > bound).then(|| {
            format!(
                "the evaluation's budget of {} might be exceeded: the next question may cost {}",
                money(bound),
                money(estimate.micros.unwrap_or(0))
            )
        })
    }

    /// Replaces the reserved cost by the real one.
    fn settle(&self, asked: Spending, spent: Spending) {
        let mut inner = self.lock();
        inner.open = inner.open.minus(asked);
        inner.spent = inner.spent.plus(spent);
        self.save(&inner);
    }

    /// On disk, reserved costs count as spent: a kill must not forget a question that was sent.
    /// A disk that is full must not stop the evaluation, but it is logged.
    fn save(&self, inner: &Inner) {
        let Some(path) = &self.file else { return };
        let written = serde_json::to_string(&inner.spent.plus(inner.open))
            .map_err(std::io::Error::from)
            .and_then(|text| write_atomically(path, (text + "\n").as_bytes()));
        if let Err(error) = written {
            tracing::error!(path = %path.display(), "the spending was not saved: {error}");
        }
    }
}

fn read_spending(path: &Path) -> Result<Spending, String> {
    let fault = |because: String| {
        format!(
            "{} cannot be read: {because}; choose another --out, or remove the file to start counting again",
            path.display()
        )
    };
    let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| fault(error.to_string()))
}

/// A mind whose questions are paid from the budget.
pub(super) struct BudgetedMind {
    mind: Box<dyn Mind>,
    budget: Arc<EvalBudget>,
    /// Set when the budget refused a question.
    stopped: Arc<AtomicBool>,
}

impl BudgetedMind {
    pub(super) fn new(
        mind: Box<dyn Mind>,
        budget: Arc<EvalBudget>,
        stopped: Arc<AtomicBool>,
    ) -> Self {
        Self {
            mind,
            budget,
            stopped,
        }
    }
}

impl Mind for BudgetedMind {
    fn name(&self) -> String {
        self.mind.name()
    }

    fn answer(&mut self, ask: &Ask) -> Result<String, String> {
        self.mind.answer(ask)
    }

    fn is_slow(&self) -> bool {
        self.mind.is_slow()
    }

    fn takes_pictures(&self, role: MindRole) -> bool {
        self.mind.takes_pictures(role)
    }

    fn distils(&self) -> Vec<MindRole> {
        self.mind.distils()
    }

    fn estimate(&mut self, question: &MindQuestion<'_>) -> Estimate {
        self.mind.estimate(question)
    }

    fn think(&mut self, question: &MindQuestion<'_>) -> MindReply {
        let estimate = self.mind.estimate(question);
        let asked = match self.budget.reserve(estimate) {
            Ok(asked) => asked,
            Err(because) => {
                self.stopped.store(true, Ordering::Relaxed);
                return MindReply {
                    result: Err(Silence::Withheld(because)),
                    spent: None,
                };
            }
        };
        let reply = self.mind.think(question);
        // Withheld by the mind itself: nothing was asked.
        let withheld = matches!(reply.result, Err(Silence::Withheld(_)));
        let spent = match &reply.spent {
            Some(spent) => Spending {
                calls: 1,
                tokens: spent.tokens_in.saturating_add(spent.tokens_out),
                micros: spent.micros.unwrap_or(0),
            },
            // Answers without a charge still count as questions.
            None => Spending {
                calls: u64::from(!withheld),
                ..Spending::default()
            },
        };
        self.budget.settle(asked, spent);
        reply
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(tokens: u64, micros: Option<u64>) -> Estimate {
        Estimate { tokens, micros }
    }

    #[test]
    fn what_is_being_asked_counts_until_it_is_known() {
        let limits = EvalLimits {
            calls: Some(3),
            tokens: Some(1_000),
            micros: None,
        };
        let budget = EvalBudget::open(limits, None).unwrap();
        let first = budget.reserve(estimate(600, None)).unwrap();
        assert!(budget.reserve(estimate(600, None)).is_err());
        let spent = Spending {
            calls: 1,
            tokens: 100,
            micros: 0,
        };
        budget.settle(first, spent);
        assert_eq!(budget.spent(), spent);
        assert!(budget.reserve(estimate(600, None)).is_ok());
        assert!(budget.reserve(estimate(301, None)).is_err());
        assert!(budget.reserve(estimate(300, None)).is_ok());
        let because = budget.reserve(estimate(0, None)).unwrap_err();
        assert!(because.contains("budget of 3 questions"), "{because}");
    }

    #[test]
    fn a_purse_goes_on_where_it_was_even_after_a_kill() {
        let folder = tempfile::tempdir().unwrap();
        let limits = EvalLimits {
            micros: Some(50),
            ..EvalLimits::default()
        };
        let budget = EvalBudget::open(limits, Some(folder.path())).unwrap();
        assert!(budget.reserve(estimate(1, None)).is_err());
        // Asked and never answered: killed.
        budget.reserve(estimate(1, Some(30))).unwrap();
        let budget = EvalBudget::open(limits, Some(folder.path())).unwrap();
        assert_eq!(budget.spent().micros, 30);
        let because = budget.reserve(estimate(1, Some(30))).unwrap_err();
        assert!(because.contains("0.00005"), "{because}");
        assert_eq!(budget.reached(), Some(because));
        std::fs::write(folder.path().join(FILE), "{").unwrap();
        let fault = EvalBudget::open(limits, Some(folder.path())).unwrap_err();
        assert!(fault.contains(FILE), "{fault}");
    }
}
