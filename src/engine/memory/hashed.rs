//! The built-in embedder: hashed words and runs of letters, without a model.
//!
//! Its name changes with the vectors that `text::ngrams` makes, so old and new ones never meet.

use super::embedder::{EmbedError, Embedder};
use pithead_core::text::ngrams::{DIMS, ngram_vector};

/// The default embedder.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hashed;

impl Embedder for Hashed {
    fn name(&self) -> &'static str {
        "builtin:ngrams-384-v1"
    }

    fn dims(&self) -> Option<usize> {
        Some(DIMS)
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts
            .iter()
            .map(|text| ngram_vector(text).to_vec())
            .collect())
    }
}
