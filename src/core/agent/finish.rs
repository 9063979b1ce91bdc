//! Finish: how a run ends, and what it leaves behind.

use super::state::Phase;
use super::turn::Turn;
use super::{distil, execute, gate, recount, study};
use crate::domain::condition::situation::Situation;
use crate::domain::experience::attempt::Stop;
use crate::domain::run::decision::{GateKind, Subject};
use crate::domain::run::event::{Event, Outcome, Then};

/// The run is decided: ask at the last gate, distil, end.
pub(super) fn now(turn: &mut Turn<'_>, outcome: Outcome, because: String) {
    let subject = Subject::End {
        outcome,
        because: because.clone(),
    };
    if !gate::ask(turn, GateKind::TaskEnd, subject) {
        ended(turn, outcome, because);
    }
}

/// As `now`, unless the task turns out to be done after all.
pub(super) fn unless_won(turn: &mut Turn<'_>, outcome: Outcome, because: String) {
    let won = turn.state().frame.as_deref().is_some_and(|frame| {
        let situation = Situation::of_run(frame);
        turn.config()
            .task
            .success
            .iter()
            .all(|check| check.truth(&situation).is_true())
    });
    if !won {
        now(turn, outcome, because);
    }
}

/// Past the gate: what the run shows as a whole is distilled once, then the run ends.
pub(super) fn ended(turn: &mut Turn<'_>, outcome: Outcome, because: String) {
    let distilled = matches!(turn.state().phase, Phase::LookingUp { .. });
    if !distilled {
        let (topics, drafts) = distil::at_end(turn, outcome);
        let then = Then::End {
            outcome,
            because: because.clone(),
        };
        if study::begin(turn, topics, drafts, then) {
            return;
        }
    }
    if !recount::ask(turn, outcome, &because) {
        turn.say(Event::RunEnded { outcome, because });
    }
}

/// The world is gone.
pub(super) fn on_lost(turn: &mut Turn<'_>, because: &str) {
    if turn.state().is_over() {
        return;
    }
    turn.say(Event::WorldLost {
        because: because.to_owned(),
    });
    execute::end(
        turn,
        Stop::Terminated {
            because: because.to_owned(),
        },
    );
    if !turn.state().is_over() {
        ended(
            turn,
            Outcome::Failure,
            format!("the world is gone: {because}"),
        );
    }
}
