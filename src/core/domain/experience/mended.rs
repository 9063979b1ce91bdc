//! Mended failures: the success that came after, and what had changed before it was begun.
//!
//! A failure says what not to do; only the success that followed says what to do instead. Invariant: only what was
//! seen before the two attempts is compared, so nothing that the success itself brought counts as its cause.

use super::state_summary::StateSummary;
use pithead_world::clock::NIGHT;
use pithead_world::ids::ExperienceId;
use serde::{Deserialize, Serialize};

/// A difference in height that may have mattered, blocks.
const HEIGHT: u32 = 8;
/// New things that are named.
const THINGS_MAX: usize = 4;

/// What came after a failure and went well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mended {
    pub by: ExperienceId,
    /// What had changed before it was begun, in words; empty if it was luck or patience.
    pub change: String,
}

/// What was different when the success was begun: `had stone_pickaxe; at y 14 instead of 40`.
#[must_use]
pub fn change_between(failed: &StateSummary, done: &StateSummary) -> String {
    let mut changes: Vec<String> = Vec::new();
    let is_new = |item| failed.inventory.count(item) == 0;
    let things = done.inventory.iter().map(|(item, _)| item);
    let new: Vec<&str> = things
        .filter(|item| is_new(*item))
        .map(|item| item.name())
        .take(THINGS_MAX)
        .collect();
    if !new.is_empty() {
        changes.push(format!("had {}", new.join(", ")));
    }
    let (before, after) = (failed.position.y, done.position.y);
    if before.abs_diff(after) > HEIGHT {
        changes.push(format!("at y {after} instead of {before}"));
    }
    if failed.biome != done.biome {
        changes.push(format!("in {} instead of {}", done.biome, failed.biome));
    }
    let is_night = |state: &StateSummary| NIGHT.contains(&u64::from(state.time));
    match (is_night(failed), is_night(done)) {
        (true, false) => changes.push("by day".to_owned()),
        (false, true) => changes.push("by night".to_owned()),
        (true, true) | (false, false) => (),
    }
    changes.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::counts::Counts;

    #[test]
    fn what_was_new_before_the_success_is_the_change() {
        let mut failed = StateSummary::holding(Counts::default());
        failed.position.y = 40;
        let mut done = failed.clone();
        assert_eq!(change_between(&failed, &done), "");
        done.inventory.add("stone_pickaxe".parse().unwrap(), 1);
        done.position.y = 14;
        failed.time = 14_000;
        assert_eq!(
            change_between(&failed, &done),
            "had stone_pickaxe; at y 14 instead of 40; by day"
        );
        assert_eq!(
            change_between(&done, &failed),
            "at y 40 instead of 14; by night"
        );
    }
}
