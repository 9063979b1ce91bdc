//! The checksum of a world as a frame carries it: a number, or the parts that it is summed from.
//!
//! Taking the parts is cheap and summing them is not: each step of the sum waits for the one before, and names go in
//! letter by letter. So a frame that nobody keeps or compares is never summed. Invariant: the sum depends on the
//! parts and their order alone, whenever it is asked for; it is written as a number.

use crate::rng::mix;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

/// Equal worlds have equal sums.
#[derive(Clone)]
pub struct Checksum(Held);

#[derive(Clone)]
enum Held {
    Summed(u64),
    // Shared, because the state of a run copies every frame that it sees.
    Parts(Arc<Parts>),
}

/// What a sum is made of, in order.
#[derive(Debug)]
pub(crate) struct Parts {
    first: u64,
    rest: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Number(u64),
    Text(&'static str),
}

/// Room for most worlds' parts, so that the list rarely moves.
const ROOM: usize = 256;

impl Checksum {
    /// The sum.
    #[must_use]
    pub fn value(&self) -> u64 {
        match &self.0 {
            Held::Summed(sum) => *sum,
            Held::Parts(parts) => parts.sum(),
        }
    }

    /// Sums up and lets the parts go: for who keeps the frame.
    pub fn settle(&mut self) {
        self.0 = Held::Summed(self.value());
    }
}

impl Parts {
    pub(crate) fn new(first: u64) -> Self {
        let rest = Vec::with_capacity(ROOM);
        Self { first, rest }
    }

    pub(crate) fn add(&mut self, value: u64) {
        self.rest.push(Part::Number(value));
    }

    pub(crate) fn add_text(&mut self, text: &'static str) {
        self.rest.push(Part::Text(text));
    }

    fn sum(&self) -> u64 {
        // The rotation makes the order matter: two values that change places give another sum.
        let add = |sum: u64, value: u64| mix(sum.rotate_left(23) ^ value);
        self.rest.iter().fold(self.first, |sum, part| match part {
            Part::Number(value) => add(sum, *value),
            Part::Text(text) => text
                .bytes()
                .fold(sum, |sum, letter| add(sum, u64::from(letter))),
        })
    }
}

impl From<u64> for Checksum {
    fn from(sum: u64) -> Self {
        Self(Held::Summed(sum))
    }
}

impl From<Parts> for Checksum {
    fn from(parts: Parts) -> Self {
        Self(Held::Parts(Arc::new(parts)))
    }
}

impl PartialEq for Checksum {
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

impl Eq for Checksum {}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

impl Serialize for Checksum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Checksum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::ItemId;
    use crate::rng::Rng;

    /// Random parts, and their sum made on the way as frames had it before parts were kept.
    fn random(rng: &mut Rng) -> (Parts, u64) {
        let first = rng.next_u64();
        let (mut parts, mut sum) = (Parts::new(first), first);
        for _ in 0..rng.below(400) {
            let mut add = |value: u64| sum = mix(sum.rotate_left(23) ^ value);
            if rng.below(3) == 0 {
                let item = ItemId::all().nth(rng.below(300) as usize);
                let name = item.map_or("", ItemId::name);
                parts.add_text(name);
                name.bytes().for_each(|letter| add(u64::from(letter)));
            } else {
                let value = rng.next_u64();
                parts.add(value);
                add(value);
            }
        }
        (parts, sum)
    }

    #[test]
    fn parts_summed_late_give_the_sum_made_at_once() {
        let mut rng = Rng::new(7);
        for _ in 0..200 {
            let (parts, sum) = random(&mut rng);
            let late = Checksum::from(parts);
            let mut kept = late.clone();
            kept.settle();
            let written = serde_json::to_string(&late).unwrap();
            assert_eq!((late.value(), kept.value()), (sum, sum));
            assert_eq!((&late, &kept), (&sum.into(), &sum.into()));
            assert_eq!(written, sum.to_string());
            assert_eq!(serde_json::from_str::<Checksum>(&written).unwrap(), kept);
        }
    }
}
