//! ψ = α·cos + β·δ (Eq. 9): how much an experience says about the context at hand.
//!
//! δ compares hashes only: what is to become true, and where. Invariant: ψ of a row depends on that
//! row and the query alone.

use pithead_core::domain::experience::cell::Cells;
use pithead_core::text::signature::Signature;

/// α: the share of likeness in words.
pub const ALPHA: f64 = 0.7;
/// β: the share of likeness in hashes.
pub const BETA: f64 = 0.3;
/// What an equal condition gives of δ, and an equal place gives the rest: knowing what was wanted
/// says more than knowing where.
pub const CONDITION: f64 = 0.75;
pub const NEAR: f64 = 0.25;
/// The same region without the same small cell.
pub const REGION: f64 = 0.125;

/// The hashes of a row or of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextKeys {
    pub condition: Option<Signature>,
    pub cells: Option<Cells>,
}

/// δ, 0 to 1.
#[must_use]
pub fn delta(query: ContextKeys, row: ContextKeys) -> f64 {
    let condition = query.condition.is_some() && query.condition == row.condition;
    let place = match (query.cells, row.cells) {
        (Some(here), Some(there)) if here.near == there.near => NEAR,
        (Some(here), Some(there)) if here.region == there.region => REGION,
        _ => 0.0,
    };
    place + if condition { CONDITION } else { 0.0 }
}

/// ψ from its two parts.
#[must_use]
pub fn psi(cosine: f64, delta: f64) -> f64 {
    ALPHA * cosine + BETA * delta
}
