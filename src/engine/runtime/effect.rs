//! Observed effects: runs that were given an entry beside runs that were not, as they happened.
//!
//! Nothing was assigned by chance: runs differ in tasks, seeds, minds and in what else they knew, so a
//! difference may have other causes. A trial answers what this cannot. Invariant: only runs that are
//! over count.

use crate::journal::{Journal, JournalError, RunRow};
use pithead_core::domain::knowledge::interval::{Interval, wilson};
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::knowledge::history::steps;
use pithead_world::clock::Millis;
use pithead_world::ids::{KnowledgeId, RunId};
use serde::Serialize;
use std::collections::BTreeSet;

/// What has to be said with the figures.
/// Shown with every figure, so that nobody takes it for the result of an experiment.
pub const LABEL: &str = "observed, not a trial";

/// What was seen; the JSON form is stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObservedEffect {
    /// Raised when a field changes its meaning or goes away.
    pub schema: u32,
    pub id: KnowledgeId,
    pub label: &'static str,
    /// When it first acted; none if it never did.
    pub active_since_ms: Option<u64>,
    /// Over all runs, and over those of the task that it was learnt in.
    /// The second one compares like with like: runs of one task.
    pub splits: Vec<Split>,
}

/// The same runs, divided in two ways.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Split {
    /// The task; none for all.
    pub task: Option<String>,
    pub with: RunGroup,
    pub without: RunGroup,
    /// Begun before it first acted, and since.
    pub before: RunGroup,
    pub since: RunGroup,
}

/// Some runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RunGroup {
    pub runs: u64,
    /// Aborted runs are in no group.
    pub successes: u64,
    /// Percent; none without runs.
    pub rate: Option<f64>,
    pub wilson95: Interval,
    /// Mean; none without runs.
    pub failed_attempts_per_run: Option<f64>,
}

/// Reads what was seen of an entry.
pub fn observe_effect(journal: &Journal, entry: &Entry) -> Result<ObservedEffect, JournalError> {
    // Runs are counted by what they were given, not by what was active when they began.
    let given = journal.runs_given(entry.id)?;
    Ok(observed_effect(entry, &journal.runs()?, &given))
}

fn observed_effect(entry: &Entry, runs: &[RunRow], given: &BTreeSet<RunId>) -> ObservedEffect {
    let since = active_since(entry);
    let task = &entry.provenance.task;
    let mut splits = vec![split(None, runs, given, since)];
    if !task.is_empty() {
        splits.push(split(Some(task), runs, given, since));
    }
    ObservedEffect {
        schema: 1,
        id: entry.id,
        label: LABEL,
        active_since_ms: since.map(|at| at.0),
        splits,
    }
}

/// When it first became active. What a policy waved through at once did so when it was made.
fn active_since(entry: &Entry) -> Option<Millis> {
    let steps = steps(entry, |_| String::new());
    let mut moves = steps
        .iter()
        .filter_map(|step| Some((step.at, step.status?)));
    let first = moves
        .clone()
        .next()
        // Without any change of status it still has the one it was made with.
        .map_or(entry.status, |(_, (from, _))| from);
    if first == Status::Active {
        return Some(entry.created);
    }
    let found = moves.find(|(_, (_, to))| *to == Status::Active);
    found.map(|(at, _)| at)
}

fn split(
    task: Option<&String>,
    runs: &[RunRow],
    given: &BTreeSet<RunId>,
    since: Option<Millis>,
) -> Split {
    // A run that was stopped by a person says nothing about the entry.
    let over = |row: &&RunRow| {
        let is_counted = matches!(row.outcome, Some(Outcome::Success | Outcome::Failure));
        is_counted && task.is_none_or(|task| row.task == *task)
    };
    let over: Vec<&RunRow> = runs.iter().filter(over).collect();
    let side = |is_in: &dyn Fn(&RunRow) -> bool| {
        let runs: Vec<&RunRow> = over.iter().copied().filter(|row| is_in(row)).collect();
        let won = |row: &&&RunRow| row.outcome == Some(Outcome::Success);
        let (n, successes) = (runs.len() as u64, runs.iter().filter(won).count() as u64);
        let failed: u64 = runs.iter().map(|row| row.failed).sum();
        let mean = |sum: u64| (n > 0).then(|| sum as f64 / n as f64);
        RunGroup {
            runs: n,
            successes,
            rate: mean(100 * successes),
            wilson95: wilson(successes, n),
            failed_attempts_per_run: mean(failed),
        }
    };
    let acts = |row: &RunRow| since.is_some_and(|since| row.started >= since);
    Split {
        task: task.cloned(),
        with: side(&|row| given.contains(&row.id)),
        without: side(&|row| !given.contains(&row.id)),
        before: side(&|row| !acts(row)),
        since: side(&acts),
    }
}

impl ObservedEffect {
    /// For people, the label first.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut out = vec![format!(
            "{}: runs differ in more than this entry; a trial plays the same runs with and without it",
            self.label
        )];
        for split in &self.splits {
            out.push(match &split.task {
                None => "all runs that are over".to_owned(),
                Some(task) => format!("runs of \"{task}\""),
            });
            let sides = [
                ("with it", split.with),
                ("without it", split.without),
                ("begun before it acted", split.before),
                ("begun since", split.since),
            ];
            out.extend(sides.map(|(name, side)| format!("  {name}: {}", side.words())));
        }
        out
    }
}

impl RunGroup {
    fn words(&self) -> String {
        let (Some(rate), Some(failed)) = (self.rate, self.failed_attempts_per_run) else {
            return "no runs".to_owned();
        };
        format!(
            "{} of {} succeeded, {rate:.0} % (95 %: {:.0} to {:.0}), {failed:.1} failed attempts per run",
            self.successes, self.runs, self.wilson95.low, self.wilson95.high
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::EntryFilter;
    use pithead_core::domain::knowledge::{Author, ChangeNote, EntryUse};
    use pithead_core::domain::run::event::Event;
    use pithead_core::domain::samples::{config, entry};

    /// Four runs: the first two had the entry, the third had not, the fourth is under way.
    fn journal() -> (Journal, KnowledgeId) {
        let mut journal = Journal::in_memory().unwrap();
        let mut known = None;
        for (at, outcome) in [
            (10, Some(Outcome::Failure)),
            (20, Some(Outcome::Success)),
            (30, Some(Outcome::Success)),
            (40, None),
        ] {
            let run = journal.create_run(config(), Millis(at)).unwrap();
            let mut events = Vec::new();
            if run == RunId(1) {
                let mut entry = entry(1, 1, "stone");
                (entry.created, entry.provenance.task) = (Millis(10), config().task.text);
                known = Some(entry.id);
                events.push(Event::KnowledgeProposed {
                    entry: Box::new(entry),
                });
            }
            if run.0 < 3 {
                let id = known.unwrap();
                let how = EntryUse::Retrieved;
                events.push(Event::KnowledgeUsed {
                    id,
                    how,
                    subgoal: None,
                });
            }
            events.extend(outcome.map(|outcome| Event::RunEnded {
                outcome,
                because: String::new(),
            }));
            journal.append(run, Millis(at), events).unwrap();
        }
        (journal, known.unwrap())
    }

    fn counts(side: RunGroup) -> (u64, u64) {
        (side.successes, side.runs)
    }

    #[test]
    fn runs_that_are_over_are_divided_by_what_they_had_and_when_they_began() {
        let (mut journal, id) = journal();
        let approved = Event::KnowledgeMoved {
            id,
            to: Status::Active,
            reason: "good".to_owned(),
            by: Author::Operator("ann".to_owned()),
            other: None,
        };
        journal
            .curate(Millis(25), |_| Ok(vec![approved.clone()]))
            .unwrap()
            .unwrap();
        let known = journal.knowledge(EntryFilter::default()).unwrap().remove(0);
        let seen = observe_effect(&journal, &known).unwrap();
        assert_eq!((seen.label, seen.active_since_ms), (LABEL, Some(25)));
        assert_eq!(seen.splits.len(), 2);
        for split in &seen.splits {
            let told = [split.with, split.without, split.before, split.since];
            assert_eq!(told.map(counts), [(1, 2), (1, 1), (1, 2), (1, 1)]);
        }
        let lines = seen.lines();
        assert!(lines[0].starts_with("observed, not a trial"));
        assert!(
            lines[2].contains("1 of 2 succeeded, 50 % (95 %: 9 to 91)"),
            "{}",
            lines[2]
        );
    }

    #[test]
    fn what_a_policy_waved_through_acted_from_the_beginning() {
        let by = Author::Operator("ann".to_owned());
        let mut known = Entry {
            status: Status::Active,
            created: Millis(7),
            ..entry(1, 1, "stone")
        };
        assert_eq!(active_since(&known), Some(Millis(7)));
        let said = ChangeNote {
            at: Millis(9),
            by: &by,
            reason: "no",
        };
        known.become_status(Status::Retired, said, None);
        assert_eq!(active_since(&known), Some(Millis(7)));
        assert_eq!(active_since(&entry(1, 2, "coal")), None);
    }
}
