//! Recall: what is known already, fetched in two stages: by the task before the first plan, condensed into a capsule,
//! and by what a plan needs once it is drafted, and before each replan.
//!
//! Invariant: only active entries take part, whatever the store returns; a withheld entry is not given.

use crate::agent::hold_out;
use crate::agent::reading;
use crate::agent::state::{Phase, State};
use crate::agent::transitions::mind_question::ask_mind;
use crate::agent::transitions::{adoption, ending, giving_up};
use crate::agent::turn::Turn;
use crate::domain::experience::Hit;
use crate::domain::experience::cell::Cells;
use crate::domain::experience::option::TriedOptions;
use crate::domain::experience::recall;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::knowledge::{Body, Entry, EntryUse, Status};
use crate::domain::mind::ask::{Ask, CapsuleAsk};
use crate::domain::plan::Subgoal;
use crate::domain::run::event::{Event, RunConfig};
use pithead_world::ids::{CallId, KnowledgeId};
use pithead_world::observation::Frame;
use serde::Serialize;
use std::collections::BTreeSet;

/// Letters of what was recalled from which a model is asked to condense it: about 1,500 tokens.
const CONDENSED_MIN: usize = 5_250;
/// Times as many hits for all needs of a plan as for a task.
const HITS_BY_NEED: usize = 2;

/// The world is ready: ask memory, if the profile has one.
pub(in crate::agent) fn on_ready(turn: &mut Turn<'_>, frame: Box<Frame>) {
    // A world that comes back after a loss does not start the run again.
    if turn.state().phase != Phase::Opening {
        return;
    }
    let state = StateSummary::from_frame(&frame);
    turn.say(Event::WorldReady { frame });
    // A body on a server keeps what earlier runs got; then there may be nothing to plan.
    if let Some((outcome, because)) = giving_up::run_outcome(turn.state()) {
        let because = format!("{because} when the run began");
        ending::end_run(turn, outcome, because);
        return;
    }
    if turn.config().profile.recall {
        let question = recall_question(turn.config(), &state);
        turn.say(question);
    // Stated all the same, so that every run has the event and phases need no second way
    // in.
    } else {
        on_recalled_nothing(turn);
    }
}

/// What memory is asked before there is a plan: what is to become true in the end, and where the
/// agent stands.
fn recall_question(config: &RunConfig, state: &StateSummary) -> Event {
    let task = &config.task;
    Event::RecallAsked {
        // Text, condition and place: the three parts of Eq. 9.
        query: recall::context(&task.text, task.goal, state),
        condition: Some(recall::h_cond(&task.success)),
        cells: Some(Cells::containing(config.world.seed, state.position)),
        needs: Vec::new(),
    }
}

fn on_recalled_nothing(turn: &mut Turn<'_>) {
    turn.say(Event::Recalled {
        hits: Vec::new(),
        knowledge: Vec::new(),
        options: TriedOptions::default(),
    });
}

/// Recall came back: keep what may act, and have it condensed.
pub(in crate::agent) fn on_recalled(
    turn: &mut Turn<'_>,
    hits: Vec<Hit>,
    knowledge: Vec<Entry>,
    options: TriedOptions,
) {
    let is_by_need = match turn.state().phase {
        Phase::Recalling => false,
        Phase::RecallingNeeds { .. } => true,
        _ => return, // not the answer to an open question
    };
    let limits = turn.config().limits;
    // Fail closed: an entry that is not active must not act, even if the store returns it.
    let mut knowledge: Vec<Entry> = knowledge
        .into_iter()
        .filter(|e| e.status == Status::Active)
        .collect();
    // The journal keeps what was given, so the bound is applied here and not at the store.
    knowledge.truncate(limits.shown_max);
    let before: BTreeSet<KnowledgeId> = turn.state().knowledge.iter().map(|e| e.id).collect();
    knowledge.retain(|entry| !before.contains(&entry.id));
    let withheld = hold_out::withhold(turn.config(), &mut knowledge);
    let hits_max = match (turn.config().profile.recalls_experience(), is_by_need) {
        (true, false) => limits.recalled_max,
        (true, true) => limits.recalled_max * HITS_BY_NEED,
        (false, _) => 0,
    };
    let hits: Vec<Hit> = hits.into_iter().take(hits_max).collect();
    let options = if turn.config().profile.uses_options() {
        options.searched()
    } else {
        TriedOptions::default()
    };
    turn.say(Event::Recalled {
        hits,
        knowledge,
        options,
    });
    if !withheld.is_empty() {
        turn.say(Event::KnowledgeWithheld { ids: withheld });
    }
    count_uses(turn, &before);
    if is_by_need {
        // Without a draft `advance` asks for a plan; with one standing nothing new was said about it.
        if turn.state().proposal.is_some() {
            adoption::weigh_proposal(turn);
        }
        return;
    }
    // Without a capsule the planner gets the entries themselves; its question asks for more budget.
    if turn.state().is_spent().is_some() {
        return;
    }
    if let Some(ask) = capsule_ask(turn.state()) {
        ask_mind(turn, ask);
    }
}

/// Says which entries have come with this recall. Retrieved and shown are counted apart: a profile may hide what was
/// retrieved.
fn count_uses(turn: &mut Turn<'_>, before: &BTreeSet<KnowledgeId>) {
    let is_new = |e: &&Entry| !before.contains(&e.id);
    let ids = |entries: &mut dyn Iterator<Item = &Entry>| -> Vec<KnowledgeId> {
        entries.filter(is_new).map(|e| e.id).collect()
    };
    let retrieved = ids(&mut turn.state().knowledge.iter());
    let shown = ids(&mut turn.state().visible());
    let uses = retrieved
        .into_iter()
        .map(|id| (id, EntryUse::Retrieved))
        .chain(shown.into_iter().map(|id| (id, EntryUse::Shown)));
    for (id, how) in uses {
        turn.say(Event::KnowledgeUsed {
            id,
            how,
            subgoal: None,
        });
    }
}

/// The question for a capsule; none if nothing was recalled.
fn capsule_ask(state: &State) -> Option<Ask> {
    let knowledge: Vec<Entry> = state.visible().cloned().collect();
    // Nothing to condense.
    if knowledge.is_empty() && state.hits.is_empty() {
        return None;
    }
    // A model reads little faster than it condenses it.
    if state.asks_models() && shown_letters(&state.hits, &knowledge) < CONDENSED_MIN {
        return None;
    }
    Some(Ask::Capsule(CapsuleAsk {
        task: state.config()?.task.clone(),
        state: StateSummary::from_frame(state.frame.as_deref()?),
        hits: state.hits.clone(),
        knowledge,
    }))
}

/// About what a planner is shown of these: the rest of what is stored goes into no prompt.
fn shown_letters(hits: &[Hit], knowledge: &[Entry]) -> usize {
    /// Names of fields, quotes and brackets of one row.
    const ROW: usize = 80;
    let of_steps = |steps: &[Subgoal]| {
        steps
            .iter()
            .map(|step| step.label().len() + 3)
            .sum::<usize>()
    };
    let of_hit =
        |hit: &Hit| ROW + hit.summary.len() + letters(&hit.inv_delta) + letters(&hit.mended);
    let of_entry = |entry: &Entry| {
        let body = match &entry.body {
            Body::Skill(skill) => skill.requires.to_string().len() + of_steps(&skill.steps),
            Body::ReferencePlan(plan) => plan.requires.to_string().len() + of_steps(&plan.steps),
            Body::Guardrail(guardrail) => letters(guardrail),
            Body::TaskGuardrail(guardrail) => letters(guardrail),
            Body::Rule(rule) => rule.when.to_string().len() + rule.required().len(),
            Body::Note(note) => note.text.len(),
        };
        ROW + entry.title.len() + body
    };
    hits.iter().map(of_hit).sum::<usize>() + knowledge.iter().map(of_entry).sum::<usize>()
}

fn letters(told: &impl Serialize) -> usize {
    serde_json::to_string(told).map_or(0, |text| text.len())
}

/// The capsule came; without one the planner gets the entries themselves.
pub(in crate::agent) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    if let Some(capsule) = reading::capsule_from_answer(turn, call, text) {
        turn.say(Event::CapsuleMade { capsule });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::decide;
    use crate::domain::run::input::Input;
    use crate::domain::run::outcome::Outcome;
    use crate::domain::samples;
    use pithead_world::clock::Millis;

    #[test]
    fn a_task_that_is_done_when_the_run_begins_asks_nobody() {
        let mut state = State::new();
        let config = Box::new(samples::config());
        state.fold(&Event::RunStarted { config });
        state.fold(&Event::WorldAsked);
        let mut frame = samples::frame(0, 1);
        frame.inventory = "oak_log=1".parse().unwrap();
        let events = decide(&state, Millis(1), Input::Ready(frame));
        let kinds: Vec<&Event> = events.iter().skip(1).collect();
        let ended = Event::RunEnded {
            outcome: Outcome::Success,
            because: "get a log done when the run began".to_owned(),
        };
        assert!(kinds.contains(&&ended), "{kinds:?}");
        assert!(!kinds.iter().any(|e| matches!(e, Event::MindAsked { .. })));
    }
}
