//! System against system: the difference between two of them and how certain it is, life by life.
//!
//! Lives of one seed have the same tasks, worlds and wrong beliefs, so they are compared in pairs. Episodes
//! of one life depend on each other, so the bootstrap resamples lives. Same lives, same figures.

use super::lives::Life;
use super::paired::{Difference, mean_difference};
use super::table::ReportTable;
use serde::Serialize;

/// One system minus another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemComparison {
    pub system: String,
    pub than: String,
    /// Seeds of which both lives are there.
    /// Without a twin a life cannot be compared.
    pub lives: usize,
    /// Percentage points.
    pub success: Difference,
    pub failed_per_episode: Difference,
}

/// The counts of one life that are compared.
struct Sums {
    episodes: u64,
    successes: u64,
    failed: u64,
}

/// Every two of the systems, in the order given.
#[must_use]
pub(super) fn compare_all(systems: &[&str], lives: &[Life]) -> Vec<SystemComparison> {
    // Each two once.
    let mut found = Vec::new();
    for (at, system) in systems.iter().enumerate() {
        let others = &systems[at + 1..];
        found.extend(
            others
                .iter()
                .filter_map(|than| compare_two(system, than, lives)),
        );
    }
    found
}

fn compare_two(system: &str, than: &str, lives: &[Life]) -> Option<SystemComparison> {
    // By seed: tasks, worlds and wrong beliefs are the same.
    let pairs: Vec<(Sums, Sums)> = lives
        .iter()
        .filter(|life| life.system == system)
        .filter_map(|one| {
            let is_twin = |life: &&Life| life.system == than && life.seed == one.seed;
            lives
                .iter()
                .find(is_twin)
                .map(|twin| (sum_life(one), sum_life(twin)))
        })
        .collect();
    // All lives of a run have the same number of episodes.
    let episodes = pairs.first()?.0.episodes.max(1);
    let per_episode = |of: fn(&Sums) -> u64| {
        let counts: Vec<(u64, u64)> = pairs.iter().map(|(a, b)| (of(a), of(b))).collect();
        scaled(mean_difference(&counts), 1.0 / episodes as f64)
    };
    Some(SystemComparison {
        system: system.to_owned(),
        than: than.to_owned(),
        lives: pairs.len(),
        // In percent.
        success: scaled(per_episode(|sums| sums.successes), 100.0),
        failed_per_episode: per_episode(|sums| sums.failed),
    })
}

fn sum_life(life: &Life) -> Sums {
    let mut sums = Sums {
        episodes: 0,
        successes: 0,
        failed: 0,
    };
    for episode in life.passes.iter().flat_map(|pass| &pass.episodes) {
        sums.episodes += 1;
        sums.successes += u64::from(episode.success);
        sums.failed += episode.failed_attempts;
    }
    sums
}

fn scaled(difference: Difference, by: f64) -> Difference {
    let Difference { value, low, high } = difference;
    Difference {
        value: value * by,
        low: low * by,
        high: high * by,
    }
}

/// As a table for people.
#[must_use]
pub(super) fn comparison_table(all: &[SystemComparison]) -> ReportTable {
    let head = [
        "system",
        "than",
        "lives",
        "success, points",
        "95 %",
        "failed attempts per task",
        "95 %",
    ];
    let row = |a: &SystemComparison| {
        let mut cells = vec![a.system.clone(), a.than.clone(), a.lives.to_string()];
        cells.extend(a.success.cells(1));
        cells.extend(a.failed_per_episode.cells(2));
        cells
    };
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: all.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::paired::Difference;

    #[test]
    fn a_difference_of_every_life_is_certain_and_scaled_to_an_episode() {
        let life = |system: &str, seed, won: usize, failed| Life::sample(system, seed, won, failed);
        let lives: Vec<Life> = (1..=6)
            .flat_map(|seed| [life("full", seed, 3, 1), life("less", seed, 2, 3)])
            .chain([life("full", 7, 4, 0)])
            .collect();
        let found = compare_all(&["full", "less", "absent"], &lives);
        assert_eq!(found.len(), 1, "{found:?}");
        // Four episodes each, one more won and eight attempts fewer failed.
        let same = |value: f64| Difference {
            value,
            low: value,
            high: value,
        };
        assert_eq!((found[0].lives, found[0].success), (6, same(25.0)));
        assert_eq!(found[0].failed_per_episode, same(-2.0));
        assert_eq!(
            comparison_table(&found).rows[0][..4],
            ["full", "less", "6", "+25.0"]
        );
    }
}
