//! Tallies: how often what occurred in a number of experiences.
//!
//! Invariant: a tally of tallies is the tally of all, up to the rarest names, which are dropped.

use pithead_core::text::numbers::count_with_noun;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Names kept of each sort.
const NAMES_MAX: usize = 12;
/// Names spoken of each sort.
const SPOKEN_MAX: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Tally {
    /// `success`, or why not.
    outcomes: BTreeMap<String, u64>,
    targets: BTreeMap<String, u64>,
    biomes: BTreeMap<String, u64>,
    tasks: BTreeMap<String, u64>,
}

impl Tally {
    pub(super) fn count(&mut self, outcome: &str, target: Option<&str>, biome: &str, task: &str) {
        let one = |into: &mut BTreeMap<String, u64>, name: &str| {
            if !name.is_empty() {
                *into.entry(name.to_owned()).or_default() += 1;
            }
        };
        one(&mut self.outcomes, outcome);
        one(&mut self.targets, target.unwrap_or_default());
        one(&mut self.biomes, biome);
        one(&mut self.tasks, task);
    }

    pub(super) fn add(&mut self, other: &Self) {
        let Self {
            outcomes,
            targets,
            biomes,
            tasks,
        } = other;
        for (into, from) in [
            (&mut self.outcomes, outcomes),
            (&mut self.targets, targets),
            (&mut self.biomes, biomes),
            (&mut self.tasks, tasks),
        ] {
            for (name, count) in from {
                *into.entry(name.clone()).or_default() += count;
            }
            for rare in often(into).split_off(NAMES_MAX.min(into.len())) {
                into.remove(&rare.0);
            }
        }
    }

    /// What the summary is found by.
    pub(super) fn words(&self) -> String {
        let names = |map| spoken(map, |(name, _)| name);
        [
            names(&self.tasks),
            names(&self.targets),
            names(&self.biomes),
            names(&self.outcomes),
        ]
        .join(" · ")
    }

    /// What people and language models read.
    pub(super) fn sentence(&self, count: u64, subject: &str) -> String {
        let names = |map| spoken(map, |(name, _)| name);
        let counted = |map| spoken(map, |(name, count)| format!("{count} {name}"));
        let tasks = if subject.is_empty() {
            names(&self.tasks)
        } else {
            subject.to_owned()
        };
        format!(
            "{} at {} ({}), in {}: {}",
            count_with_noun(count, "attempt", "attempts"),
            tasks,
            names(&self.targets),
            names(&self.biomes),
            counted(&self.outcomes)
        )
    }

    pub(super) fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A tally that cannot be read says nothing; it can be made again from the index.
    pub(super) fn from_text(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }
}

/// Most often first, then by name.
fn often(map: &BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut names: Vec<_> = map.iter().map(|(n, c)| (n.clone(), *c)).collect();
    names.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    names
}

fn spoken(map: &BTreeMap<String, u64>, say: impl Fn((String, u64)) -> String) -> String {
    let names = often(map).into_iter().take(SPOKEN_MAX);
    names.map(say).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_of_tallies_counts_all() {
        let (mut one, mut other) = (Tally::default(), Tally::default());
        one.count("success", Some("coal"), "forest", "get coal");
        other.count("TIMEOUT", Some("coal"), "desert", "get coal");
        other.count("success", None, "forest", "get coal");
        one.add(&other);
        assert_eq!(
            one.sentence(3, ""),
            "3 attempts at get coal (coal), in forest, desert: 2 success, 1 TIMEOUT"
        );
        assert_eq!(Tally::from_text(&one.to_text()), one);
    }

    #[test]
    fn the_rarest_names_are_dropped() {
        let (mut sum, mut part) = (Tally::default(), Tally::default());
        for n in 0..40 {
            part.count("success", Some(&format!("t{n}")), "forest", "x");
        }
        part.count("success", Some("t39"), "forest", "x");
        sum.add(&part);
        assert_eq!(sum.targets.len(), NAMES_MAX);
        assert!(sum.targets.contains_key("t39"));
    }
}
