//! Dry runs of a policy file: what it would have said of the steps and entries of a recorded run.
//!
//! Nothing is played: what follows the first veto is as it was without the file. Invariant: a step is
//! judged by the frame that the agent had, as it would be live.

use super::open::{OpenError, fold};
use crate::journal::Journal;
use pithead_core::agent::State;
use pithead_core::domain::condition::situation::Situation;
use pithead_core::domain::plan::Goal;
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::rulebook::{Judged, PolicyRuling, Rulebook};
use pithead_world::ids::{RunId, Seq, SubgoalId};
use serde::Serialize;
use std::collections::BTreeMap;

/// One step or entry, and how the file would decide it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PolicyCase {
    pub seq: Seq,
    pub tick: u64,
    /// `mine iron_ore ×3`, or an entry's id and title.
    pub what: String,
    /// From 1; none if no rule names it, and the gates decide.
    pub rule: Option<usize>,
    pub then: Option<PolicyRuling>,
    /// False where it could not be told whether the rule fits.
    pub is_clear: bool,
}

/// All that the file would have been asked about in the run, in order.
pub fn dry_run_policy(
    journal: &Journal,
    run: RunId,
    rulebook: &Rulebook,
) -> Result<Vec<PolicyCase>, OpenError> {
    let mut cases = Vec::new();
    let mut settled = BTreeMap::new();
    let mut seq = Seq(0);
    fold(journal, run, |event, state| {
        // The fold has numbers only where an event has its place.
        seq = state.seq;
        cases.extend(
            judge(event, state, rulebook, &mut settled).map(|(what, judged)| PolicyCase {
                seq,
                tick: state.last_tick(),
                what,
                rule: judged.as_ref().map(|judged| judged.rule),
                then: judged.as_ref().map(|judged| judged.then),
                is_clear: judged.is_none_or(|judged| judged.is_clear),
            }),
        );
        Ok(())
    })?;
    Ok(cases)
}

/// Steps that were judged and would have been begun; a step is asked about once.
type Settled = BTreeMap<SubgoalId, Goal>;

fn judge(
    event: &Event,
    state: &State,
    rulebook: &Rulebook,
    settled: &mut Settled,
) -> Option<(String, Option<Judged>)> {
    let id = match event {
        Event::SubgoalSelected { subgoal, .. } if !state.is_act(*subgoal) => *subgoal,
        Event::KnowledgeProposed { entry } => {
            let what = format!("{} {}", entry.id, entry.title);
            return Some((what, rulebook.on_entry(entry)));
        }
        _ => return None, // nothing else begins a step or proposes an entry
    };
    let subgoal = state.plan.as_ref()?.get(id)?;
    if settled.get(&id) == Some(&subgoal.goal) {
        return None;
    }
    let now = Situation::of_run(state.frame.as_deref()?);
    let judged = rulebook.on_action(subgoal, &now);
    let is_vetoed = judged
        .as_ref()
        .is_some_and(|j| j.then == PolicyRuling::Veto);
    if judged.is_some() && !is_vetoed {
        settled.insert(id, subgoal.goal.clone());
    }
    Some((subgoal.label(), judged))
}
