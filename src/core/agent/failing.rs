//! Questions about a step that keeps failing, whoever is asked and whatever for.
//!
//! Invariant: nothing is asked once the budget is spent.

use super::state::{Node, State};
use super::turn::Turn;
use super::{planning, reading, spending};
use crate::domain::experience::state_card::StateCard;
use crate::domain::mind::ask::{Ask, Failure};
use crate::domain::plan::{Plan, Subgoal};
use crate::domain::run::event::Event;
use pithead_world::ids::SubgoalId;

/// What there is to tell about the step.
pub(super) struct Step<'a> {
    pub(super) state: &'a State,
    pub(super) card: StateCard,
    pub(super) plan: &'a Plan,
    pub(super) subgoal: &'a Subgoal,
    pub(super) node: &'a Node,
}

impl Step<'_> {
    /// What speaks for a cause, the run's own failures last.
    pub(super) fn evidence(&self) -> Vec<Failure> {
        self.node.evidence().cloned().collect()
    }
}

/// Asks, if there is such a step and the budget allows it.
pub(super) fn ask(turn: &mut Turn<'_>, subgoal: SubgoalId, make: impl FnOnce(Step<'_>) -> Ask) {
    if let Some(because) = turn.state().is_spent() {
        spending::reached(turn, because);
        return;
    }
    let Some(ask) = step(turn.state(), subgoal).map(make) else {
        return;
    };
    let call = planning::next_call(turn.state());
    turn.say(Event::MindAsked {
        call,
        ask: Box::new(ask),
    });
}

/// The last answer could not be read: asks again by `ask`, or says what was wrong with all of them.
pub(super) fn again(
    turn: &mut Turn<'_>,
    (subgoal, faults): (SubgoalId, Vec<String>),
    ask: fn(&mut Turn<'_>, SubgoalId, Vec<String>),
) -> Option<String> {
    if reading::may_ask_again(turn, &faults) {
        ask(turn, subgoal, faults);
        return None;
    }
    Some(reading::told(&faults))
}

fn step(state: &State, id: SubgoalId) -> Option<Step<'_>> {
    let plan = state.plan.as_ref()?;
    Some(Step {
        state,
        card: StateCard::of(state.frame.as_deref()?),
        plan,
        subgoal: plan.get(id)?,
        node: state.nodes.get(&id)?,
    })
}
