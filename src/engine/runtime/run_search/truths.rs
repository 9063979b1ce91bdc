//! Truths: the moments at which a condition becomes true.

use super::FoundMoment;
use super::walk::walk;
use crate::journal::{Journal, JournalError};
use pithead_core::domain::check::Truth;
use pithead_core::domain::condition::Condition;
use pithead_core::domain::condition::situation::Situation;
use pithead_world::ids::{RunId, Seq};
use std::ops::ControlFlow;

/// The first `most` moments after `after` at which the condition is true and was not at the frame before.
pub fn became_true(
    journal: &Journal,
    run: RunId,
    condition: &Condition,
    after: Seq,
    most: usize,
) -> Result<Vec<FoundMoment>, JournalError> {
    let (mut found, mut was_true) = (Vec::new(), false);
    walk(journal, run, |underway, seq, frame| {
        let mut now = Situation::of(frame).since(&underway.baseline);
        if let Some(subgoal) = &underway.subgoal {
            now = now.pursuing(subgoal);
        }
        let is_true = condition.truth(&now) == Truth::True;
        let became = is_true && !was_true;
        was_true = is_true;
        if became && seq > after {
            found.push(underway.moment(seq, frame.tick));
        }
        if found.len() < most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })?;
    Ok(found)
}
