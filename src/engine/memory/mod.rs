//! Memory: finds the experiences that are like the situation at hand (Eq. 4-5, 9-10).
//!
//! Three tiers: the document is the journal's event, the index row is the journal's projection, and
//! vectors, summaries and the vector index are derived here and can be rebuilt at any time.
//! Invariant: same store, same query, same hits in the same order.

mod columns;
mod embedder;
mod error;
mod hashed;
mod hit;
mod http;
mod index_file;
mod kernels;
mod planes;
mod probe;
pub mod psi;
mod recall;
mod reindex;
mod roots;
mod scan;
mod shortlist;
mod sketch;
mod stats;
mod store;
mod summary;
mod tally;
#[cfg(test)]
mod tests;
mod vector_index;
mod whole;

pub use embedder::{EmbedError, Embedder};
pub use error::MemoryError;
pub use hashed::Hashed;
pub use http::HttpEmbedder;
pub use recall::{ExperienceStore, Recollection, Shape};
pub use reindex::{check, reindex};
pub use stats::{Stats, stats};
pub use summary::{SummaryHit, summary};
