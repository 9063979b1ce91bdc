//! Needs: memory is asked about what a plan needs, and before a replan about the step that failed.
//!
//! Invariant: in one run the same thing is asked about once, and once more when it has failed.

use crate::agent::state::Phase;
use crate::agent::turn::Turn;
use crate::domain::experience::cell::Cells;
use crate::domain::experience::recall::Need;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::run::event::Event;

/// Asks memory about what the draft needs and was not asked for yet; false if there is nothing to ask.
pub(in crate::agent) fn asks_about_needs(turn: &mut Turn<'_>) -> bool {
    let state = turn.state();
    let Some(draft) = &state.proposal else {
        return false;
    };
    let mut needs: Vec<Need> = Vec::new();
    for need in draft
        .plan
        .subgoals
        .iter()
        .filter_map(|step| Need::of_step(step, false))
    {
        let is_asked = state.needs_asked.contains(&(need.target, false));
        if !is_asked && needs.iter().all(|other| other.target != need.target) {
            needs.push(need);
        }
    }
    ask_about(turn, needs)
}

/// Asks memory once before a replan about the step that failed; false if it was asked, or there is no replan.
pub(in crate::agent) fn asks_before_replan(turn: &mut Turn<'_>) -> bool {
    let state = turn.state();
    let Phase::ToPlan(planning) = &state.phase else {
        return false;
    };
    if state.replan_recalled == state.counters.replans {
        return false;
    }
    let failed = planning.replaces.and_then(|id| state.planned(id));
    let need = failed.and_then(|step| Need::of_step(step, true));
    ask_about(turn, need.into_iter().collect())
}

fn ask_about(turn: &mut Turn<'_>, needs: Vec<Need>) -> bool {
    let (state, config) = (turn.state(), turn.config());
    let Some(frame) = state.frame.as_deref().filter(|_| !needs.is_empty()) else {
        return false;
    };
    if !config.profile.recall {
        return false;
    }
    let here = StateSummary::from_frame(frame);
    let steps: Vec<&str> = needs.iter().map(|need| need.step.as_str()).collect();
    let question = Event::RecallAsked {
        query: steps.join(" · "),
        condition: None,
        cells: Some(Cells::containing(config.world.seed, here.position)),
        needs,
    };
    turn.say(question);
    true
}
