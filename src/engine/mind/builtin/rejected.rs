//! Sent back: what the verifier's errors on a plan say is missing.

use super::learnt::Point;
use super::shown::Shown;
use pithead_core::domain::knowledge::Remedy;
use pithead_core::domain::mind::evidence::Rejected;
use pithead_core::domain::plan::Subgoal;
use pithead_core::domain::plan::note::{About, Note, Severity};

/// The verifier's errors on a plan that was sent back.
pub(super) fn of_rejected(rejected: &Rejected) -> Vec<Point> {
    let subgoal = |note: &Note| note.subgoal.and_then(|id| rejected.plan.get(id));
    let errors = rejected
        .notes
        .iter()
        .filter(|note| note.severity == Severity::Error);
    errors
        .filter_map(|note| of_note(note, subgoal(note)?))
        .collect()
}

fn of_note(note: &Note, subgoal: &Subgoal) -> Option<Point> {
    let one = |remedy| vec![remedy];
    let remedies = match &note.about {
        About::JudgedToFail { missing } => missing.clone(),
        About::MissingPrerequisite { item, need, .. } | About::WrongQuantity { item, need, .. } => {
            one(Remedy::Have {
                item: *item,
                count: *need,
            })
        }
        About::WrongToolTier { tool } => {
            let tool = tool.single()?.facts().tool?;
            one(Remedy::Tool {
                kind: tool.kind,
                tier: tool.tier,
            })
        }
        // Guardrails are in the ask themselves; the rest is not about what to have.
        _ => return None,
    };
    Some(Point {
        kind: Some(subgoal.task_kind),
        target: subgoal.goal.object,
        region: None,
        pieces: Some(subgoal.goal.count).filter(|n| *n > 0),
        remedies,
        sightings: Vec::new(),
        shown: Shown::Not,
        by: "the verifier".to_owned(),
    })
}
