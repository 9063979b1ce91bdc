//! Guesses: what a mind supposed a step to lack, held against how the step went on.
//!
//! A guess binds its run and is no knowledge. Invariant: it becomes an entry only if the step failed without what
//! it asks for, succeeded with it, and did not fail in the same way with it.

use crate::domain::check::Truth;
use crate::domain::experience::Experience;
use crate::domain::knowledge::Guardrail;
use crate::domain::knowledge::hindsight::would_forbid;
use crate::domain::knowledge::pattern::fits;
use pithead_world::ids::ExperienceId;

/// The attempts that bear a guess out, oldest first; none if they do not.
#[must_use]
pub fn borne_out(
    guess: &Guardrail,
    failed: &[Experience],
    successes: &[Experience],
) -> Option<Vec<ExperienceId>> {
    let alike = |e: &&Experience| fits(&guess.forbid, &e.action);
    let same_way = |e: &&Experience| e.diagnosis.reason == Some(guess.reason);
    let failures: Vec<&Experience> = failed.iter().filter(alike).filter(same_way).collect();
    let done: Vec<&Experience> = successes.iter().filter(alike).collect();
    let is_apart = failures.iter().all(|e| would_forbid(guess, e).is_true())
        && done.iter().all(|e| would_forbid(guess, e) == Truth::False);
    if failures.is_empty() || done.is_empty() || !is_apart {
        return None;
    }
    let mut ids: Vec<ExperienceId> = failures.iter().chain(&done).map(|e| e.id).collect();
    ids.sort_unstable();
    Some(ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::check::Check;
    use crate::domain::condition::Condition;
    use crate::domain::experience::diagnosis::FailureReason;
    use crate::domain::samples::{experience, guardrail};
    use pithead_world::counts::Counts;

    fn tried(n: u64, sticks: u32, success: bool) -> Experience {
        let mut e = experience(1, n, "torch", success);
        e.diagnosis.reason = (!success).then_some(FailureReason::ToolMissing);
        e.pre.inventory = Counts::default();
        if sticks > 0 {
            e.pre.inventory.add("stick".parse().unwrap(), sticks);
        }
        e
    }

    fn guess() -> Guardrail {
        let mut guess = guardrail("torch");
        guess.reason = FailureReason::ToolMissing;
        guess.trigger = Condition::from(Check::InvLt {
            item: "stick".parse().unwrap(),
            count: 1,
        });
        guess
    }

    #[track_caller]
    fn check(failed: &[Experience], done: &[Experience], expected: Option<&[u64]>) {
        let ids = borne_out(&guess(), failed, done);
        let ids = ids.map(|ids| ids.iter().map(|id| id.n).collect::<Vec<_>>());
        assert_eq!(ids.as_deref(), expected);
    }

    #[test]
    fn a_guess_is_knowledge_once_the_step_succeeds_by_it() {
        let (without, with) = ([tried(1, 0, false)], [tried(2, 1, true)]);
        check(&without, &with, Some(&[1, 2]));
        // Nothing was made of it yet.
        check(&without, &[], None);
        // It did without.
        check(&without, &[tried(2, 1, true), tried(3, 0, true)], None);
        // It was there, and the step failed all the same: something else was lacking.
        check(&[tried(1, 0, false), tried(3, 1, false)], &with, None);
        // That another step failed says nothing.
        let failed = [tried(1, 0, false), experience(1, 4, "coal", false)];
        check(&failed, &with, Some(&[1, 2]));
    }
}
