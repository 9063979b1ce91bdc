//! Questions to the mind about a step that keeps failing: its cause, an explanation, a reflection.
//!
//! Invariant: nothing is asked once the budget is spent.

use super::mind_question::ask_mind;
use super::{adoption, giving_up};
use crate::agent::monitor;
use crate::agent::node::Node;
use crate::agent::reading;
use crate::agent::state::State;
use crate::agent::turn::Turn;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::mind::ask::{Ask, DiagnoseAsk, ExplainAsk};
use crate::domain::mind::evidence::FailedAttempt;
use crate::domain::mind::reflection::Trigger;
use crate::domain::mind::study::ReflectAsk;
use crate::domain::plan::{Plan, Subgoal};
use pithead_world::ids::SubgoalId;

/// Replans of one run from which on the next failure puts the plan as a whole in doubt.
const REPLANS_MANY: u32 = 3;

/// One of the questions below; `faults` is what was wrong with the answers so far.
pub(in crate::agent) type AskAboutStep =
    fn(turn: &mut Turn<'_>, subgoal: SubgoalId, faults: Vec<String>);

/// What a question may hold about the step.
/// Everything that these questions quote, or none of it: a step may be gone after a replan.
struct FailedStep<'a> {
    state: &'a State,
    card: StateSummary,
    plan: &'a Plan,
    subgoal: &'a Subgoal,
    node: &'a Node,
}

impl<'a> FailedStep<'a> {
    fn find(state: &'a State, id: SubgoalId) -> Option<Self> {
        let plan = state.plan.as_ref()?;
        Some(Self {
            state,
            card: StateSummary::from_frame(state.frame.as_deref()?),
            plan,
            subgoal: plan.get(id)?,
            node: state.nodes.get(&id)?,
        })
    }

    /// The failures that a cause must explain, the run's own last.
    fn evidence(&self) -> Vec<FailedAttempt> {
        self.node.evidence().cloned().collect()
    }
}

/// Asks for the cause and a constraint that keeps it from happening again.
pub(in crate::agent) fn ask_cause(turn: &mut Turn<'_>, subgoal: SubgoalId, faults: Vec<String>) {
    let task = turn.config().task.clone();
    ask_about(turn, subgoal, |step| {
        Ask::Diagnose(Box::new(DiagnoseAsk {
            task,
            state: step.card.clone(),
            subgoal: step.subgoal.clone(),
            attempts: step.evidence(),
            knowledge: step.state.visible().cloned().collect(),
            around: step.state.surroundings(),
            done: step.state.done.clone(),
            lessons: adoption::constraints_in_force(step.state),
            faults,
        }))
    });
}

/// Asks why, in words and without a constraint.
pub(in crate::agent) fn ask_explanation(
    turn: &mut Turn<'_>,
    subgoal: SubgoalId,
    faults: Vec<String>,
) {
    let task = turn.config().task.clone();
    ask_about(turn, subgoal, |step| {
        Ask::Explain(Box::new(ExplainAsk {
            task,
            state: step.card.clone(),
            plan: step.plan.clone(),
            done: step.state.done.clone(),
            subgoal: step.subgoal.clone(),
            attempts: step.evidence(),
            faults,
        }))
    });
}

/// Asks why the plan is stuck, and whether it can still be trusted.
pub(in crate::agent) fn ask_reflection(
    turn: &mut Turn<'_>,
    subgoal: SubgoalId,
    faults: Vec<String>,
) {
    let alarm = turn.state().planned(subgoal).and_then(|step| {
        // A step that has failed needs no alarm.
        let has_failed = turn
            .state()
            .nodes
            .get(&subgoal)
            .is_some_and(|n| !n.failures.is_empty());
        monitor::alarm_at(turn.state(), step).filter(|_| !has_failed)
    });
    let many = turn.state().counters.replans >= REPLANS_MANY;
    let (trigger, lost) = match alarm {
        Some(alarm) => (alarm.trigger, alarm.lost),
        None if many => (Trigger::Replans, Vec::new()),
        None => (Trigger::Failure, Vec::new()),
    };
    let task = turn.config().task.clone();
    ask_about(turn, subgoal, |step| {
        Ask::Reflect(Box::new(ReflectAsk {
            task,
            state: step.card.clone(),
            plan: step.plan.clone(),
            done: step.state.done.clone(),
            subgoal: Some(step.subgoal.clone()),
            failures: step.evidence(),
            attempts: step.state.summaries.clone(),
            hits: step.state.hits.clone(),
            trigger,
            lost,
            faults,
        }))
    });
}

/// Asks, if there is such a step and the budget allows it; without the step the rest is planned anew.
fn ask_about(turn: &mut Turn<'_>, subgoal: SubgoalId, make: impl FnOnce(FailedStep<'_>) -> Ask) {
    // Asked before the question is built, for building it copies much.
    if let Some(because) = turn.state().is_spent() {
        giving_up::budget_reached(turn, because);
        return;
    }
    if let Some(ask) = FailedStep::find(turn.state(), subgoal).map(make) {
        ask_mind(turn, ask);
    }
}

/// The last answer could not be read: asks again by `ask`, or says what was wrong with all of them.
pub(in crate::agent) fn ask_step_again(
    turn: &mut Turn<'_>,
    (subgoal, faults): (SubgoalId, Vec<String>),
    ask: AskAboutStep,
) -> Option<String> {
    // The faults of all answers so far go into the question.
    if giving_up::may_ask_again(turn, &faults) {
        ask(turn, subgoal, faults);
        return None;
    }
    Some(reading::list_faults(&faults))
}
