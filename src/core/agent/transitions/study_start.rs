//! The start of a study: models are asked what there is to learn, or the knowledge base at once.
//!
//! Invariant: without a model in a topic's role, the program's own drafts continue as they are.

use crate::agent::state::State;
use crate::agent::turn::Turn;
use crate::domain::knowledge::Entry;
use crate::domain::mind::role::MindRole;
use crate::domain::mind::study::Topic;
use crate::domain::run::event::{Event, Then};

/// Takes up what there is to learn; false if that is nothing.
pub(in crate::agent) fn begin_study(
    turn: &mut Turn<'_>,
    mut topics: Vec<Topic>,
    drafts: Vec<Entry>,
    then: Then,
) -> bool {
    let state = turn.state();
    topics.retain(|topic| is_answered(state, topic.role()));
    // Without topics or budget the drafts go to the knowledge base at once.
    if topics.is_empty() || state.is_spent().is_some() {
        let is_anything = !drafts.is_empty();
        if is_anything {
            turn.say(Event::LookupAsked { drafts, then });
        }
        // False tells the caller to go on by itself.
        return is_anything;
    }
    turn.say(Event::StudyBegun {
        topics,
        drafts,
        then,
    });
    true
}

/// Has the mind summarise the successes of several runs, where the base reported some; false if there are none.
pub(in crate::agent) fn begin_summaries(turn: &mut Turn<'_>, then: Then) -> bool {
    let state = turn.state();
    if !turn.config().profile.reference_plans || state.is_spent().is_some() {
        return false;
    }
    let goals = state.sequences.iter().map(|of_goal| of_goal.goal);
    let topics: Vec<Topic> = goals.map(|goal| Topic::ReferencePlan { goal }).collect();
    let is_due = !topics.is_empty();
    if is_due {
        turn.say(Event::StudyBegun {
            topics,
            drafts: Vec::new(),
            then,
        });
    }
    is_due
}

/// Whether a model answers in this role.
pub(in crate::agent) fn is_answered(state: &State, role: MindRole) -> bool {
    let config = state.config();
    // A mind of any kind answers what the program does not do by itself.
    let is_asked = !role.is_distiller() || config.is_some_and(|c| c.distillers.contains(&role));
    is_asked && !state.replaced_roles.contains(&role)
}
