//! What can go wrong with memory: kinds for the caller, what-where-what-to-do for the human.

use super::embedder::EmbedError;

/// A fault of memory.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    #[error("the experience store could not be used: {0}")]
    Database(#[from] rusqlite::Error),
    #[error(transparent)]
    Embed(#[from] EmbedError),
    #[error(
        "the vectors of this store were made by {kept}, and those of {asked} are never mixed with them; \
         set PITHEAD_EMBED_URL and PITHEAD_EMBED_MODEL to that one, or make the vectors anew with `pithead memory reindex`"
    )]
    OtherEmbedder { kept: String, asked: String },
    #[error(
        "{embedder} gives points of {found} coordinates now and gave {kept} before; \
         make the vectors anew with `pithead memory reindex`"
    )]
    OtherWidth {
        embedder: String,
        kept: usize,
        found: usize,
    },
}
