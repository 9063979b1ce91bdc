//! Embeddings: texts as points, by hashing their words and letter triples into a fixed space.
//!
//! No model and no table: the same text gives the same point on every machine, for ever.

use crate::rng::mix;

/// Dimensions: enough that the few hundred words of this world seldom meet in one.
const DIMENSIONS: usize = 256;
/// Words say more than triples, of which each word has many.
const WORD_WEIGHT: f32 = 2.0;
const TRIPLE_WEIGHT: f32 = 0.5;

/// A point of length one, or zero for a text without words.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding([f32; DIMENSIONS]);

impl Embedding {
    /// The cosine between two texts, -1..=1; 0 if one of them has no words.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> f64 {
        let dot: f32 = self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum();
        f64::from(dot.clamp(-1.0, 1.0))
    }
}

/// Where a text lies.
#[must_use]
pub fn embed(text: &str) -> Embedding {
    let mut point = [0.0; DIMENSIONS];
    let text = text.to_lowercase();
    for word in text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        add(&mut point, word.as_bytes(), WORD_WEIGHT);
        let framed = format!("<{word}>");
        for triple in framed.as_bytes().windows(3) {
            add(&mut point, triple, TRIPLE_WEIGHT);
        }
    }
    let length = point.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        point.iter_mut().for_each(|x| *x /= length);
    }
    Embedding(point)
}

/// Adds one feature; its sign is hashed too, so that features that meet cancel on average.
fn add(point: &mut [f32; DIMENSIONS], feature: &[u8], weight: f32) {
    let seed = feature.len() as u64; // a word of three letters is not its own triple
    let hash = feature
        .iter()
        .fold(mix(seed), |hash, byte| mix(hash ^ u64::from(*byte)));
    let sign = if hash >> 63 == 0 { weight } else { -weight };
    point[hash as usize % DIMENSIONS] += sign;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_orders_texts_as_a_reader_would() {
        let cos = |a: &str, b: &str| embed(a).cosine(&embed(b));
        let same = cos("craft an iron pickaxe", "craft iron pickaxe");
        let near = cos("craft an iron pickaxe", "craft a stone pickaxe");
        let far = cos("craft an iron pickaxe", "cook some mutton");
        assert!(same > near && near > far + 0.2, "{same} {near} {far}");
        assert!((cos("mine coal", "mine coal") - 1.0).abs() < 1e-6);
        assert_eq!(cos("", "mine coal"), 0.0);
    }
}
