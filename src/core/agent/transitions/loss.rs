//! Loss of the world: the attempt under way ends with it, and so does the run unless the world can be joined again.

use super::attempt::end_attempt;
use super::ending;
use crate::agent::turn::Turn;
use crate::domain::experience::attempt::Stop;
use crate::domain::run::event::Event;
use crate::domain::run::outcome::Outcome;

pub(in crate::agent) fn lose_world(turn: &mut Turn<'_>, because: &str) {
    turn.say(Event::WorldLost {
        because: because.to_owned(),
    });
    let stop = Stop::Terminated {
        because: because.to_owned(),
    };
    end_attempt(turn, stop);
    // One that goes on by itself can be joined again: the run is left as it is.
    if !turn.state().is_over() && !turn.state().is_away {
        let because = format!("the world is gone: {because}");
        ending::end_past_gate(turn, Outcome::Failure, because);
    }
}
