//! Memory: finds the experiences that are like the situation at hand (Eq. 9).
//!
//! ψ = α·cos + β·δ over the rows that the journal keeps; both parts are in every hit. The scan is
//! exact and bounded. Invariant: same rows, same query, same hits in the same order.

mod embed;
mod recall;

pub use embed::{Embedding, embed};
pub use recall::recall;
