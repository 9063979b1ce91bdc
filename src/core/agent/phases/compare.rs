//! Compare: failures of earlier runs count with the run's own, so that K_tol is reached across runs (Eq. 7).
//!
//! Invariant: every failure that counts is in the run's own log, so a resumed or replayed run counts the same.

use crate::agent::state::Phase;
use crate::agent::turn::Turn;
use crate::domain::mind::evidence::FailedAttempt;
use crate::domain::run::event::Event;
use pithead_world::ids::SubgoalId;

/// The experience store has answered.
pub(in crate::agent) fn on_similar_failures(
    turn: &mut Turn<'_>,
    subgoal: SubgoalId,
    earlier: Vec<FailedAttempt>,
) {
    // A late answer to another comparison is passed over.
    if turn.state().phase == (Phase::Comparing { subgoal }) {
        turn.say(Event::SimilarFailuresFound { subgoal, earlier });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::state::State;
    use crate::agent::{decide, similar_failures};
    use crate::domain::mind::ask::Ask;
    use crate::domain::plan::Plan;
    use crate::domain::run::input::Input;
    use crate::domain::samples;
    use pithead_world::clock::Millis;
    use pithead_world::ids::{AttemptId, RunId};

    fn failure(run: Option<u64>) -> FailedAttempt {
        let failed = samples::experience(1, 1, "stone", false);
        FailedAttempt {
            suggestion: None,
            attempt: AttemptId(1),
            run: run.map(RunId),
            pre: failed.pre,
            diagnosis: failed.diagnosis,
        }
    }

    /// A run whose one step has failed once.
    fn state() -> State {
        let mut state = State::new();
        state.config = Some(Box::new(samples::config()));
        state.frame = Some(samples::frame(20, 0));
        state.plan = Some(Plan {
            plan_id: "p".to_owned(),
            subgoals: vec![samples::subgoal(1, "stone")],
            global_constraints: Vec::new(),
            explanation: None,
            thoughts: None,
        });
        let node = state.nodes.entry(SubgoalId(1)).or_default();
        node.failures.push(failure(None));
        state.phase = Phase::Comparing {
            subgoal: SubgoalId(1),
        };
        state
    }

    fn after(earlier: Vec<FailedAttempt>) -> Vec<Event> {
        let subgoal = SubgoalId(1);
        decide(
            &state(),
            Millis(1),
            Input::SimilarFailuresFound { subgoal, earlier },
        )
    }

    #[test]
    fn a_failure_is_compared_once_and_only_if_the_profile_learns_from_failures() {
        let is_open = |change: &dyn Fn(&mut State)| {
            let mut state = state();
            change(&mut state);
            similar_failures::to_compare(&state).is_some()
        };
        let config = |state: &mut State, change: fn(&mut crate::domain::run::event::RunConfig)| {
            change(state.config.as_mut().unwrap());
        };
        assert!(is_open(&|_| ()));
        assert!(!is_open(&|s| s
            .nodes
            .get_mut(&SubgoalId(1))
            .unwrap()
            .compared = 1));
        assert!(!is_open(&|s| config(s, |c| c.profile.k_tol = 1)));
        assert!(!is_open(&|s| config(s, |c| c.profile.recall = false)));
        assert!(!is_open(
            &|s| config(s, |c| c.profile.distil_guardrails = false)
        ));
        assert!(!is_open(
            &|s| s.counters.replans = s.config().unwrap().limits.replans_max
        ));
    }

    #[test]
    fn a_failure_of_an_earlier_run_counts_towards_k_tol_and_is_shown_to_the_mind() {
        let events = after(vec![failure(Some(7))]);
        let shown = events.iter().find_map(|event| match event {
            Event::MindAsked { ask, .. } => match &**ask {
                Ask::Diagnose(ask) => Some(ask.attempts.clone()),
                _ => None,
            },
            _ => None,
        });
        assert_eq!(shown, Some(vec![failure(Some(7)), failure(None)]));
        assert!(events.iter().any(|event| matches!(event,
            Event::ReplanStarted { because, .. } if because.contains("earlier runs"))));
    }

    #[test]
    fn without_similar_failures_the_step_is_tried_again() {
        let events = after(Vec::new());
        let tries = |event: &Event| matches!(event, Event::AttemptStarted { .. });
        let replans = |event: &Event| matches!(event, Event::ReplanStarted { .. });
        assert!(
            events.iter().any(tries) && !events.iter().any(replans),
            "{events:?}"
        );
        // A late answer changes nothing.
        let mut choosing = state();
        choosing.phase = Phase::New;
        choosing.config = None;
        let late = Input::SimilarFailuresFound {
            subgoal: SubgoalId(1),
            earlier: vec![failure(Some(7))],
        };
        assert!(decide(&choosing, Millis(1), late).is_empty());
    }
}
