//! The embedder port: who turns texts into points.
//!
//! Invariant: points of two embedders are never compared; a store remembers by name whose it holds.

/// Turns texts into points, so that like texts lie near each other.
pub trait Embedder: std::fmt::Debug + Send {
    /// Names the embedder and whatever changes its points: method, version, server, model.
    fn name(&self) -> &str;

    /// Coordinates of a point; `None` until a server has told.
    fn dims(&self) -> Option<usize>;

    /// One point for each text, of length one, or zero for a text without words.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Why an embedder has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    #[error("the embeddings server {url} did not answer: {because}")]
    Unreachable { url: String, because: String },
    #[error("the embeddings server {url} refused: HTTP {status}: {body}")]
    Refused {
        url: String,
        status: u16,
        body: String,
    },
    #[error("the answer of the embeddings server {url} cannot be parsed: {fault}")]
    Misread { url: String, fault: String },
}
