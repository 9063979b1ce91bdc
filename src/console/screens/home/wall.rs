//! The wall: what each live run is doing now, in a few words, for the Home screen.
//!
//! Invariant: each event is read once, and a run that is no longer live is forgotten.

use pithead_core::domain::run::event::Event;
use pithead_engine::journal::{Journal, JournalError, RunRow};
use pithead_world::ids::{RunId, Seq, SubgoalId};
use std::collections::BTreeMap;

/// The kinds of events that change what is told.
const KINDS: &[&str] = &[
    "plan.proposed",
    "attempt.started",
    "replan.started",
    "pace.set",
    "run.paused",
    "run.resumed",
];
/// Events read in one go.
const PAGE: usize = 256;

/// A live run, as far as its row does not tell it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LiveRun {
    /// The step under way, or `planning`.
    pub doing: String,
    pub is_paused: bool,
    /// 0 is as fast as it can; none before the run has told it.
    pub pace: Option<f64>,
}

/// By run.
pub type Wall = BTreeMap<RunId, LiveRun>;

/// What has been read of the runs that are live.
#[derive(Debug, Default)]
pub struct WallReader {
    runs: BTreeMap<RunId, Reading>,
}

#[derive(Debug, Default)]
struct Reading {
    seen: Seq,
    labels: BTreeMap<SubgoalId, String>,
    told: LiveRun,
}

impl WallReader {
    /// Reads what is new of the live runs.
    pub fn read(&mut self, journal: &Journal, runs: &[RunRow]) -> Result<Wall, JournalError> {
        let is_live = |id: &RunId| runs.iter().any(|row| row.id == *id && row.alive);
        self.runs.retain(|id, _| is_live(id));
        for row in runs.iter().filter(|row| row.alive) {
            let reading = self.runs.entry(row.id).or_default();
            loop {
                let facts = journal.events_of_kinds(row.id, reading.seen, KINDS, PAGE)?;
                let is_end = facts.len() < PAGE;
                for fact in facts {
                    reading.seen = fact.seq;
                    reading.take(&fact.event);
                }
                if is_end {
                    break;
                }
            }
        }
        let told = self.runs.iter();
        Ok(told.map(|(id, read)| (*id, read.told.clone())).collect())
    }
}

impl Reading {
    fn take(&mut self, event: &Event) {
        match event {
            Event::PlanProposed { plan, .. } => {
                let steps = plan.subgoals.iter();
                self.labels
                    .extend(steps.map(|step| (step.id, step.label())));
            }
            Event::AttemptStarted { subgoal, .. } => {
                let label = self.labels.get(subgoal);
                self.told.doing = label.map_or_else(|| subgoal.to_string(), Clone::clone);
            }
            Event::ReplanStarted { .. } => self.told.doing = "planning anew".to_owned(),
            Event::PaceSet { times_realtime, .. } => self.told.pace = Some(*times_realtime),
            Event::Paused { .. } => self.told.is_paused = true,
            Event::Resumed { .. } => self.told.is_paused = false,
            _ => (), // no other kind is read
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::plan::Plan;
    use pithead_core::domain::samples;
    use pithead_world::clock::Millis;
    use pithead_world::ids::{AttemptId, Revision};

    #[test]
    fn what_a_live_run_does_is_told_until_it_is_over() {
        let mut journal = Journal::in_memory().unwrap();
        let run = journal.create_run(samples::config(), Millis(1)).unwrap();
        let by = || "ada".to_owned();
        let step = samples::subgoal(4, "stone");
        let plan = Plan {
            plan_id: "p".to_owned(),
            subgoals: vec![step.clone()],
            global_constraints: Vec::new(),
            explanation: None,
            thoughts: None,
        };
        let events = vec![
            Event::PaceSet {
                times_realtime: 8.0,
                by: by(),
            },
            Event::PlanProposed {
                revision: Revision(1),
                plan,
                replaces: None,
            },
            Event::AttemptStarted {
                attempt: AttemptId(1),
                subgoal: step.id,
            },
            Event::Paused { by: by() },
        ];
        journal.append(run, Millis(2), events).unwrap();
        let mut rows = journal.runs().unwrap();
        let mut reader = WallReader::default();
        assert_eq!(reader.read(&journal, &rows).unwrap(), Wall::new());
        rows[0].alive = true;
        let told = &reader.read(&journal, &rows).unwrap()[&run];
        assert_eq!(
            (told.doing.clone(), told.is_paused, told.pace),
            (step.label(), true, Some(8.0))
        );
        let resumed = vec![Event::Resumed { by: by() }];
        journal.append(run, Millis(3), resumed).unwrap();
        assert!(!reader.read(&journal, &rows).unwrap()[&run].is_paused);
        rows[0].alive = false;
        assert_eq!(reader.read(&journal, &rows).unwrap(), Wall::new());
    }
}
