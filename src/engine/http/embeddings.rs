//! Embeddings: the OpenAI protocol's question for points, and its answer.
//!
//! Invariant: an answer gives one point for each text, in the order of the texts, all of one length
//! and finite, or it is refused whole.

use serde::Deserialize;
use serde_json::{Value, json};

/// The path below a server's address.
pub const PATH: &str = "embeddings";
/// Coordinates of one point: more than any model in use has.
const DIMS_MAX: usize = 8_192;

/// The body of the request.
#[must_use]
pub fn request(model: &str, texts: &[&str]) -> Value {
    json!({ "model": model, "input": texts, "encoding_format": "float" })
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Point>,
}

#[derive(Deserialize)]
struct Point {
    index: usize,
    embedding: Vec<f32>,
}

/// The points, or what is wrong with the answer.
pub fn read_vectors(answer: &[u8], wanted: usize) -> Result<Vec<Vec<f32>>, String> {
    let mut answer: Answer = serde_json::from_slice(answer).map_err(|error| error.to_string())?;
    // The protocol does not promise the order.
    answer.data.sort_by_key(|point| point.index);
    let numbered = answer.data.iter().map(|point| point.index);
    if !numbered.eq(0..wanted) {
        return Err(format!(
            "{} points for {wanted} texts, or not one for each",
            answer.data.len()
        ));
    }
    let dims = answer.data.first().map_or(0, |point| point.embedding.len());
    let even = |point: &Point| point.embedding.len() == dims;
    if wanted > 0 && !((1..=DIMS_MAX).contains(&dims) && answer.data.iter().all(even)) {
        return Err(format!("points of {dims} and other numbers of coordinates"));
    }
    let finite = |point: &Point| point.embedding.iter().all(|x| x.is_finite());
    if !answer.data.iter().all(finite) {
        return Err("a coordinate is not a number".to_owned());
    }
    Ok(answer
        .data
        .into_iter()
        .map(|point| point.embedding)
        .collect())
}
