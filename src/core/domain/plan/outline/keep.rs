//! What an outline does not say: kept from the plan it was made of, as long as a step does the same.

use crate::domain::plan::note::{About, Note, Severity};
use crate::domain::plan::{Plan, Subgoal};
use std::collections::BTreeSet;

/// The plan of these steps with what the known one says besides.
pub(super) fn kept(steps: Vec<Subgoal>, known: &Plan) -> (Plan, Vec<Note>) {
    let mut notes = Vec::new();
    let mut subgoals = Vec::with_capacity(steps.len());
    for step in steps {
        subgoals.push(match known.get(step.id) {
            Some(before) if does_the_same(before, &step) => with_words_of(before, step),
            Some(before) => {
                notes.extend(lost_words(before));
                step
            }
            None => step,
        });
    }
    let known_id = known.plan_id.clone();
    let plan = Plan {
        plan_id: if known.subgoals.is_empty() {
            "p_1".to_owned()
        } else {
            known_id
        },
        subgoals,
        global_constraints: known.global_constraints.clone(),
        explanation: known.explanation.clone(),
        thoughts: known.thoughts.clone(),
    };
    (plan, notes)
}

/// The same to the same thing, however much of it.
fn does_the_same(before: &Subgoal, step: &Subgoal) -> bool {
    before.executor_hint == step.executor_hint && before.goal.object == step.goal.object
}

fn with_words_of(before: &Subgoal, mut step: Subgoal) -> Subgoal {
    step.goal.info.clone_from(&before.goal.info);
    if step.goal.object.is_none() {
        // Without an item the count is not in the outline.
        step.goal.count = before.goal.count;
    }
    // The words may name the count or the height.
    if before.label() == step.label() {
        step.condition.clone_from(&before.condition);
        step.expectation.clone_from(&before.expectation);
    }
    let set = |step: &Subgoal| step.needs.iter().copied().collect::<BTreeSet<_>>();
    if set(before) == set(&step) {
        step.needs.clone_from(&before.needs);
    }
    step.rationale.clone_from(&before.rationale);
    step.follows.clone_from(&before.follows);
    step.asserts.clone_from(&before.asserts);
    step
}

/// A step that does something else has no use for the words of the one before; that they went is told.
fn lost_words(before: &Subgoal) -> Option<Note> {
    let says_more = before.rationale.is_some()
        || before.expectation.is_some()
        || before.goal.info.is_some()
        || !before.follows.is_empty()
        || !before.asserts.is_empty();
    says_more.then(|| Note {
        severity: Severity::Info,
        subgoal: Some(before.id),
        about: About::UnknownField {
            field: before.id.to_string(),
        },
        text: format!(
            "{} does something else than `{}`: the reasons, citations and assertions of that are left out.",
            before.id,
            before.label()
        ),
    })
}
