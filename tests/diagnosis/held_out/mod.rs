//! Held-out situations: labelled by reading them, before any classifier was asked, and never used to mend one.
//!
//! Invariant: whoever changes the classifier leaves this folder as it is. A situation that does not show what its
//! sentence says may be built anew, but not because of its label.

mod keyboards;
mod labels;
mod others;
mod steps;

use super::corpus::Case;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::plan::Executor;

/// How many there are at least, of each cause as well.
const CASES_MIN: usize = 100;
const OF_EACH_CAUSE_MIN: usize = 6;

fn all() -> Vec<Case> {
    labels::all().into_iter().chain(others::all()).collect()
}

#[test]
fn the_held_out_situations_are_of_every_cause_and_of_every_kind_of_action() {
    let cases = all();
    assert!(cases.len() >= CASES_MIN, "{}", cases.len());
    for reason in FailureReason::ALL {
        let count = cases.iter().filter(|case| case.label == reason).count();
        assert!(count >= OF_EACH_CAUSE_MIN, "{count} of {}", reason.name());
    }
    for executor in Executor::ALL {
        let name = format!(r#""executor_hint":"{}""#, executor.name());
        let is_there = cases.iter().any(|case| case.subgoal.contains(&name));
        assert!(is_there, "no situation of {}", executor.name());
    }
    let mut sentences: Vec<&str> = cases.iter().map(|case| case.what).collect();
    sentences.sort_unstable();
    sentences.dedup();
    assert_eq!(sentences.len(), cases.len(), "each is told once");
}
