//! Spending: what an answer of a mind cost, and what may still be spent.
//!
//! Money is whole millionths of the currency of the price table, so that sums are exact.
//! Invariant: what is not priced is `None`, never zero.

use crate::domain::mind::role::MindRole;
use serde::{Deserialize, Serialize};

/// Millionths of one unit of money.
pub const MICROS: f64 = 1_000_000.0;

/// What one answer cost, all tries together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    pub role: MindRole,
    /// The server's name in the config, and the model that answered there.
    pub server: String,
    pub model: String,
    pub tokens_in: u64,
    pub tokens_out: u64,
    /// Of the tokens in, those that the server had in its cache, if it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_cached: Option<u64>,
    /// False if the server did not say and the tokens are an estimate.
    pub counted: bool,
    /// Money, if the model has a price.
    pub micros: Option<u64>,
    /// Requests made for this answer.
    pub tries: u32,
    /// From the request to the first token of the answer that counted.
    pub first_token_ms: Option<u64>,
    pub ms: u64,
    /// How the form was asked for: `json_schema`, `json_object` or `text`.
    pub form: String,
    /// Why the first choice of model did not answer, if another did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

/// What may still be spent; none is without bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Allowance {
    pub tokens: Option<u64>,
    pub micros: Option<u64>,
}

/// The most that an answer may cost, before it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    pub tokens: u64,
    /// None if one of the models has no price.
    pub micros: Option<u64>,
}

impl Estimate {
    /// Of minds that cost nothing.
    pub const NOTHING: Self = Self {
        tokens: 0,
        micros: Some(0),
    };
}

/// A sum over answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Spending {
    pub calls: u64,
    pub tokens: u64,
    pub micros: u64,
}

impl Spending {
    #[must_use]
    pub fn plus(self, more: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(more.calls),
            tokens: self.tokens.saturating_add(more.tokens),
            micros: self.micros.saturating_add(more.micros),
        }
    }

    #[must_use]
    pub fn minus(self, less: Self) -> Self {
        Self {
            calls: self.calls.saturating_sub(less.calls),
            tokens: self.tokens.saturating_sub(less.tokens),
            micros: self.micros.saturating_sub(less.micros),
        }
    }
}

/// Money in words, for example `0.0123`; trailing zeros beyond the cents are left out.
#[must_use]
pub fn money(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    let cents = text.len() - 4;
    let kept = text[cents..].trim_end_matches('0').len();
    text[..cents + kept].to_owned()
}

#[cfg(test)]
mod tests {
    use super::money;

    #[test]
    fn money_is_written_to_the_cent_or_finer() {
        for (micros, text) in [
            (0, "0.00"),
            (12_300, "0.0123"),
            (1_500_000, "1.50"),
            (1, "0.000001"),
        ] {
            assert_eq!(money(micros), text);
        }
    }
}
