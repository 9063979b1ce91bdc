//! Sequences: a mind's summary of several successes, as a reference plan.
//!
//! Invariant: a plan that leaves here consists of steps that were seen, and leads to its goal on paper.

use super::{parse_typed, record_reading, shorten};
use crate::agent::turn::Turn;
use crate::domain::knowledge::ReferencePlan;
use crate::domain::mind::reply;
use crate::domain::mind::sequences::{ReferenceDraft, Sequences};
use crate::knowledge::sequences::reference_plan;
use crate::text::numbers::count_with_noun;
use pithead_world::ids::CallId;

/// The plan, if the sequences have one in common, and a sentence for the journal.
pub(in crate::agent) fn plan_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
    seen: &Sequences,
) -> Option<(Option<ReferencePlan>, String)> {
    let read =
        parse_typed::<ReferenceDraft>(text, reply::REFERENCE).and_then(|(mut draft, repairs)| {
            shorten(&mut draft.because);
            if draft.steps.is_empty() {
                let because = format!("no plan for {}: {}", seen.goal, draft.because);
                return Ok(((None, because), repairs));
            }
            let plan = reference_plan(seen, &draft)?;
            let runs: Vec<String> = seen.seen.iter().map(|s| s.run.to_string()).collect();
            let steps = count_with_noun(plan.steps.len(), "step", "steps");
            let (word, runs) = (
                if runs.len() == 1 { "run" } else { "runs" },
                runs.join(", "),
            );
            let because = format!("a plan of {steps} for {} from {word} {runs}", seen.goal);
            Ok(((Some(plan), because), repairs))
        });
    record_reading(turn, call, read)
}
