//! Summarise: before the run ends the mind sums it up, if the profile asks for that.
//!
//! Invariant: it decides nothing; how the run ends was settled before it is asked.

use crate::agent::reading::guidance;
use crate::agent::state::{Phase, State};
use crate::agent::transitions::ending::{ask_summary, end_measured};
use crate::agent::transitions::giving_up;
use crate::agent::turn::Turn;
use crate::domain::mind::ask::RunSummary;
use crate::domain::run::event::Event;
use pithead_world::ids::CallId;

/// The last answer could not be read: ask again, or end without a summary.
pub(in crate::agent) fn ask_again(turn: &mut Turn<'_>) {
    let Phase::Summarising {
        outcome,
        because,
        faults,
        ..
    } = &turn.state().phase
    else {
        return;
    };
    let (outcome, because, faults) = (*outcome, because.clone(), faults.clone());
    // Three bounds: retries, the budget, and a question that was withheld.
    let may_ask = giving_up::may_ask_again(turn, &faults) && turn.state().is_spent().is_none();
    if may_ask && !turn.state().is_withheld() {
        ask_summary(turn, outcome, because, faults);
    } else {
        end_with_summary(turn, RunSummary::default());
    }
}

/// The summary came: the run ends as was decided before.
pub(in crate::agent) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    if let Some(summary) = guidance::summary_from_answer(turn, call, text) {
        end_with_summary(turn, summary);
    }
}

fn end_with_summary(turn: &mut Turn<'_>, summary: RunSummary) {
    let Phase::Summarising {
        outcome, because, ..
    } = &turn.state().phase
    else {
        return;
    };
    let (outcome, because) = (*outcome, because.clone());
    // The summary is stated also when it is empty, so a run of this profile always has one.
    turn.say(Event::RunSummarised { summary });
    end_measured(turn, outcome, because);
}

impl State {
    /// The question of this phase was withheld: it might have cost more than is left.
    fn is_withheld(&self) -> bool {
        matches!(self.phase, Phase::Summarising { withheld: true, .. })
    }
}
