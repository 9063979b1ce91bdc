//! The purse: what an evaluation may spend on its mind over all episodes and all its starts.
//!
//! Looked at before each question, with the most that it may cost; what is being asked counts as
//! spent until it is known. Invariant: neither a kill nor many workers cross a bound.

use crate::mind::{Mind, Question, Reply, Silence};
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::mind::spending::{Estimate, Spending, money};
use pithead_core::text::atomic_file::write_atomically;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Where it is kept in the folder of an evaluation.
const FILE: &str = "spending.json";

/// The bounds of an evaluation; none is without bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    pub calls: Option<u64>,
    pub tokens: Option<u64>,
    pub micros: Option<u64>,
}

/// What may be spent and what was. The second owners of what is in the lock are the other workers:
/// a bound per worker would not be a bound of the evaluation.
#[derive(Debug, Default)]
pub struct Purse {
    bounds: Bounds,
    file: Option<PathBuf>,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    spent: Spending,
    /// Of questions under way, at their dearest.
    open: Spending,
    /// Why a question was not put.
    reached: Option<String>,
}

impl Purse {
    /// A purse of these bounds; with a folder it goes on with what was spent there before.
    pub fn open(bounds: Bounds, folder: Option<&Path>) -> Result<Self, String> {
        let file = folder.map(|folder| folder.join(FILE));
        let spent = match &file {
            Some(path) if path.exists() => read(path)?,
            _ => Spending::default(),
        };
        Ok(Self {
            bounds,
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

    /// What was spent, with what is being asked at its dearest.
    #[must_use]
    pub fn spent(&self) -> Spending {
        let inner = self.lock();
        inner.spent.plus(inner.open)
    }

    /// Why the evaluation stopped, if a bound did it.
    #[must_use]
    pub fn reached(&self) -> Option<String> {
        self.lock().reached.clone()
    }

    /// The spending in words, each with its bound if there is one.
    #[must_use]
    pub fn told(&self) -> String {
        let spent = self.spent();
        let of = |spent: String, bound: Option<String>| match bound {
            Some(bound) => format!("{spent}/{bound}"),
            None => spent,
        };
        let Bounds {
            calls,
            tokens,
            micros,
        } = self.bounds;
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

    /// Sets the cost of a question aside, or says why it is not to be put.
    fn reserve(&self, estimate: Estimate) -> Result<Spending, String> {
        let mut inner = self.lock();
        let asked = Spending {
            calls: 1,
            tokens: estimate.tokens,
            micros: estimate.micros.unwrap_or(0),
        };
        let then = inner.spent.plus(inner.open).plus(asked);
        if let Some(because) = self.crossed(then, estimate) {
            inner.reached = Some(because.clone());
            return Err(because);
        }
        inner.open = inner.open.plus(asked);
        self.keep(&inner);
        Ok(asked)
    }

    /// The bound that would be crossed, in words.
    fn crossed(&self, then: Spending, estimate: Estimate) -> Option<String> {
        let Bounds {
            calls,
            tokens,
            micros,
        } = self.bounds;
        let over = |bound: Option<u64>, then: u64| bound.filter(|bound| then > *bound);
        if let Some(bound) = over(calls, then.calls) {
            return Some(format!(
                "the evaluation's budget of {bound} questions is spent"
            ));
        }
        if let Some(bound) = over(tokens, then.tokens) {
            return Some(format!(
                "the evaluation's budget of {bound} tokens might be crossed: the next question may take {}",
                estimate.tokens
            ));
        }
        let bound = micros?;
        if estimate.micros.is_none() {
            return Some(
                "the evaluation has a budget of money, and a model has no price; add [llm.prices]"
                    .to_owned(),
            );
        }
        (then.micros > bound).then(|| {
            format!(
                "the evaluation's budget of {} might be crossed: the next question may cost {}",
                money(bound),
                money(estimate.micros.unwrap_or(0))
            )
        })
    }

    /// Puts what the question cost in the place of what was set aside.
    fn settle(&self, asked: Spending, spent: Spending) {
        let mut inner = self.lock();
        inner.open = inner.open.minus(asked);
        inner.spent = inner.spent.plus(spent);
        self.keep(&inner);
    }

    /// On disk, what is being asked is spent: a kill must not forget it.
    fn keep(&self, inner: &Inner) {
        let Some(path) = &self.file else { return };
        let written = serde_json::to_string(&inner.spent.plus(inner.open))
            .map_err(std::io::Error::from)
            .and_then(|text| write_atomically(path, (text + "\n").as_bytes()));
        if let Err(error) = written {
            tracing::error!(path = %path.display(), "the spending was not written down: {error}");
        }
    }
}

fn read(path: &Path) -> Result<Spending, String> {
    let fault = |because: String| {
        format!(
            "{} cannot be read: {because}; choose another --out, or take the file away to count anew",
            path.display()
        )
    };
    let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| fault(error.to_string()))
}

/// A mind that is paid from a purse.
pub(super) struct Paid {
    mind: Box<dyn Mind>,
    purse: Arc<Purse>,
    /// Set when the purse did not let a question through.
    stopped: Arc<AtomicBool>,
}

impl Paid {
    pub(super) fn new(mind: Box<dyn Mind>, purse: Arc<Purse>, stopped: Arc<AtomicBool>) -> Self {
        Self {
            mind,
            purse,
            stopped,
        }
    }
}

impl Mind for Paid {
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

    fn estimate(&mut self, question: &Question<'_>) -> Estimate {
        self.mind.estimate(question)
    }

    fn think(&mut self, question: &Question<'_>) -> Reply {
        let estimate = self.mind.estimate(question);
        let asked = match self.purse.reserve(estimate) {
            Ok(asked) => asked,
            Err(because) => {
                self.stopped.store(true, Ordering::Relaxed);
                return Reply {
                    result: Err(Silence::Withheld(because)),
                    spent: None,
                };
            }
        };
        let reply = self.mind.think(question);
        let withheld = matches!(reply.result, Err(Silence::Withheld(_)));
        let spent = match &reply.spent {
            Some(spent) => Spending {
                calls: 1,
                tokens: spent.tokens_in.saturating_add(spent.tokens_out),
                micros: spent.micros.unwrap_or(0),
            },
            None => Spending {
                calls: u64::from(!withheld),
                ..Spending::default()
            },
        };
        self.purse.settle(asked, spent);
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
        let bounds = Bounds {
            calls: Some(3),
            tokens: Some(1_000),
            micros: None,
        };
        let purse = Purse::open(bounds, None).unwrap();
        let first = purse.reserve(estimate(600, None)).unwrap();
        assert!(purse.reserve(estimate(600, None)).is_err());
        let spent = Spending {
            calls: 1,
            tokens: 100,
            micros: 0,
        };
        purse.settle(first, spent);
        assert_eq!(purse.spent(), spent);
        assert!(purse.reserve(estimate(600, None)).is_ok());
        assert!(purse.reserve(estimate(301, None)).is_err());
        assert!(purse.reserve(estimate(300, None)).is_ok());
        let because = purse.reserve(estimate(0, None)).unwrap_err();
        assert!(because.contains("budget of 3 questions"), "{because}");
    }

    #[test]
    fn a_purse_goes_on_where_it_was_even_after_a_kill() {
        let folder = tempfile::tempdir().unwrap();
        let bounds = Bounds {
            micros: Some(50),
            ..Bounds::default()
        };
        let purse = Purse::open(bounds, Some(folder.path())).unwrap();
        assert!(purse.reserve(estimate(1, None)).is_err());
        // Asked and never answered: killed.
        purse.reserve(estimate(1, Some(30))).unwrap();
        let purse = Purse::open(bounds, Some(folder.path())).unwrap();
        assert_eq!(purse.spent().micros, 30);
        let because = purse.reserve(estimate(1, Some(30))).unwrap_err();
        assert!(because.contains("0.00005"), "{because}");
        assert_eq!(purse.reached(), Some(because));
        std::fs::write(folder.path().join(FILE), "{").unwrap();
        let fault = Purse::open(bounds, Some(folder.path())).unwrap_err();
        assert!(fault.contains(FILE), "{fault}");
    }
}
