//! Hashes the words, pairs of words and runs of letters of a text into a vector of fixed length.
//!
//! No model, no table, no network. Invariant: the same text gives the same vector on every machine,
//! for ever; stored vectors are compared with it, so a change needs a new embedder name.

use pithead_world::rng::mix;

/// Enough that the few thousand features of this world seldom meet in one coordinate.
pub const DIMS: usize = 384;
/// What a text's features weigh. Words say most; letters forgive spelling and inflection.
const WORD: f32 = 2.0;
const PAIR: f32 = 1.0;
const TRIPLE: f32 = 0.5;
const QUADRUPLE: f32 = 0.35;
/// Longer texts are cut: the words that tell experiences apart come first.
const WORDS_MAX: usize = 256;

/// The vector of a text, of length one; an empty text has the zero vector.
#[must_use]
pub fn ngram_vector(text: &str) -> [f32; DIMS] {
    let mut point = [0.0; DIMS];
    let text = text.to_lowercase();
    let mut before: Option<u64> = None;
    let mut framed = Vec::with_capacity(32);
    for word in text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(WORDS_MAX)
    {
        let hash = hash(1, word.as_bytes());
        add(&mut point, hash, WORD);
        if let Some(before) = before {
            add(&mut point, mix(before ^ hash.rotate_left(17)), PAIR);
        }
        before = Some(hash);
        framed.clear();
        framed.push(b'<');
        framed.extend_from_slice(word.as_bytes());
        framed.push(b'>');
        letters(&mut point, &framed, 3, TRIPLE);
        letters(&mut point, &framed, 4, QUADRUPLE);
    }
    normalise(&mut point);
    point
}

fn letters(point: &mut [f32; DIMS], word: &[u8], length: usize, weight: f32) {
    for run in word.windows(length) {
        add(point, hash(length as u64, run), weight);
    }
}

fn hash(kind: u64, feature: &[u8]) -> u64 {
    let packed = feature.chunks(8).fold(mix(kind), |hash, bytes| {
        let word = bytes.iter().fold(bytes.len() as u64, |word, byte| {
            word << 8 | u64::from(*byte)
        });
        mix(hash ^ word)
    });
    mix(packed)
}

/// Adds one feature; its sign is hashed too, so that features that meet cancel on average.
fn add(point: &mut [f32; DIMS], hash: u64, weight: f32) {
    let at = ((hash & u64::from(u32::MAX)) * DIMS as u64) >> 32;
    point[at as usize] += if hash >> 63 == 0 { weight } else { -weight };
}

/// Brings a vector to length one; zero stays zero.
pub fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cos(a: &str, b: &str) -> f32 {
        ngram_vector(a)
            .iter()
            .zip(&ngram_vector(b))
            .map(|(a, b)| a * b)
            .sum()
    }

    #[test]
    fn likeness_orders_texts_as_a_reader_would() {
        let same = cos("craft an iron pickaxe", "craft iron pickaxe");
        let near = cos("craft an iron pickaxe", "craft a stone pickaxe");
        let far = cos("craft an iron pickaxe", "cook some mutton");
        assert!(same > near && near > far + 0.2, "{same} {near} {far}");
        assert!((cos("mine coal", "Mine, coal!") - 1.0).abs() < 1e-6);
        assert_eq!(cos("", "mine coal"), 0.0);
    }

    /// Stored points are compared with points made later, so these must never move.
    #[test]
    fn points_stay_where_they_are() {
        let sum = ngram_vector("mine 3 iron_ore with a stone_pickaxe")
            .iter()
            .enumerate()
            .map(|(i, x)| i as f64 * f64::from(*x))
            .sum::<f64>();
        assert_eq!(format!("{sum:.3}"), "-298.142");
    }
}
