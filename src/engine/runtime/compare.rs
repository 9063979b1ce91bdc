//! Comparing: some runs beside each other, each a fold of the few of its events that count.
//!
//! Their steps are aligned in `steps`, their lines are in `sections`. Invariant: an overruled label counts as what it was overruled to, and each run is read by itself.

mod sections;
mod steps;

use super::costs::{Cost, Costs};
use crate::journal::{EntryFilter, Journal, JournalError, RunRow};
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::{EntryUse, title};
use pithead_core::domain::run::event::Event;
use pithead_world::ids::{AttemptId, KnowledgeId, RunId, Seq};
pub use sections::{ComparisonLine, ComparisonSection, sections};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
pub use steps::StepOutcome;
use steps::{StepFold, align};

/// Runs that fit beside each other.
pub const RUNS_MAX: usize = 8;
/// The kinds of events that count.
const KINDS: [&str; 20] = [
    "run.forked",
    "plan.proposed",
    "plan.adopted",
    "subgoal.done",
    "attempt.ended",
    "label.overruled",
    "replan.started",
    "knowledge.proposed",
    "knowledge.used",
    "mind.asked",
    "mind.answered",
    "mind.failed",
    "mind.rejected",
    "mind.repaired",
    "mind.charged",
    "mind.withheld",
    "mind.unavailable",
    "mind.replaced",
    "study.begun",
    "lookup.asked",
];
/// Events read in one go.
const PAGE: usize = 512;

/// One of the runs; the JSON form is stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedRun {
    pub run: u64,
    pub task: String,
    pub mind: String,
    pub system: String,
    pub seed: u64,
    /// `success`, `failure`, `aborted`; `running` or `left` if it is not over.
    pub outcome: &'static str,
    pub because: Option<String>,
    pub ticks: u64,
    pub attempts: u64,
    pub failed_attempts: u64,
    pub failures_by_reason: BTreeMap<&'static str, u64>,
    pub replans: u64,
    pub knowledge_added: u64,
    /// Entries that were shown, matched or blocked something.
    pub knowledge_used: Vec<String>,
    pub costs: Cost,
    pub wall_ms: Option<u64>,
    /// The run and the event that it was forked from.
    pub forked_from: Option<(u64, u64)>,
    /// Entries that this run was not given because it is a fork without them.
    pub left_out: Vec<OmittedEntry>,
    /// The steps of all its plans, in the order in which they came up.
    pub steps: Vec<StepOutcome>,
}

/// An entry that a fork was not given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OmittedEntry {
    pub id: String,
    pub title: String,
}

/// A run with the run that it was forked from and all forks of that, the original first; no more than fit beside each
/// other.
#[must_use]
pub fn family(rows: &[RunRow], run: RunId) -> Vec<RunId> {
    let origin_of = |id: RunId| {
        let row = rows.iter().find(|row| row.id == id);
        row.and_then(|row| row.origin.map(|(from, _)| from))
    };
    // A fork of a fork belongs to the fork that it was made of.
    let first = origin_of(run).unwrap_or(run);
    let mut forks: Vec<RunId> = rows
        .iter()
        .filter(|row| row.origin.is_some_and(|(from, _)| from == first))
        .map(|row| row.id)
        .collect();
    forks.sort_unstable();
    // The run itself is always among those that are shown.
    forks.sort_by_key(|id| *id != run);
    forks.truncate(RUNS_MAX - 1);
    forks.sort_unstable();
    std::iter::once(first).chain(forks).collect()
}

/// Reads the runs in the order given.
pub fn compare(journal: &Journal, runs: &[RunId]) -> Result<Vec<ComparedRun>, JournalError> {
    let sides = runs.iter().map(|run| side(journal, *run));
    let mut sides = sides.collect::<Result<Vec<_>, _>>()?;
    let mut steps: Vec<_> = sides.iter_mut().map(|side| &mut side.steps).collect();
    align(&mut steps);
    name_left_out(journal, &mut sides)?;
    Ok(sides)
}

/// Titles come from the base; what it no longer has keeps its id alone.
fn name_left_out(journal: &Journal, sides: &mut [ComparedRun]) -> Result<(), JournalError> {
    if sides.iter().all(|side| side.left_out.is_empty()) {
        return Ok(());
    }
    let base = journal.knowledge(EntryFilter::default())?;
    for out in sides.iter_mut().flat_map(|side| &mut side.left_out) {
        let entry = base.iter().find(|entry| entry.id.to_string() == out.id);
        out.title = entry.map_or_else(String::new, |entry| title::title_of(&entry.body));
    }
    Ok(())
}

fn side(journal: &Journal, run: RunId) -> Result<ComparedRun, JournalError> {
    let row = journal.run(run)?;
    let mut side = ComparedRun::from_row(&row);
    let mut labels: BTreeMap<AttemptId, FailureReason> = BTreeMap::new();
    let mut overruled = BTreeMap::new();
    let mut used: BTreeSet<KnowledgeId> = BTreeSet::new();
    let (mut costs, mut last) = (Costs::default(), Seq(0));
    let mut steps = StepFold::default();
    loop {
        let page = journal.events_of_kinds(run, last, &KINDS, PAGE)?;
        let Some(end) = page.last() else { break };
        last = end.seq;
        for fact in &page {
            costs.apply(fact);
            steps.apply(&fact.event);
            match &fact.event {
                Event::AttemptEnded { experience, .. } => {
                    let label = experience.diagnosis.reason;
                    labels.extend(label.map(|label| (experience.attempt, label)));
                }
                Event::LabelOverruled { attempt, label, .. } => {
                    overruled.insert(*attempt, *label);
                }
                Event::RunForked { fork } => side.left_out = left_out(&fork.without),
                Event::ReplanStarted { .. } => side.replans += 1,
                Event::KnowledgeProposed { .. } => side.knowledge_added += 1,
                Event::KnowledgeUsed { id, how, .. } if *how != EntryUse::Retrieved => {
                    used.insert(*id);
                }
                _ => (), // what it cost is counted above
            }
        }
    }
    labels.extend(overruled);
    for label in labels.values() {
        *side.failures_by_reason.entry(label.name()).or_default() += 1;
    }
    side.knowledge_used = used.iter().map(ToString::to_string).collect();
    side.costs = costs.total;
    side.steps = steps.outcomes();
    Ok(side)
}

fn left_out(without: &[KnowledgeId]) -> Vec<OmittedEntry> {
    let named = |id: &KnowledgeId| OmittedEntry {
        id: id.to_string(),
        title: String::new(),
    };
    without.iter().map(named).collect()
}

impl ComparedRun {
    fn from_row(row: &RunRow) -> Self {
        Self {
            run: row.id.0,
            task: row.task.clone(),
            mind: row.mind.clone(),
            system: row.system.clone(),
            seed: row.seed,
            outcome: row.state(),
            because: row.because.clone(),
            ticks: row.ticks,
            attempts: row.attempts,
            failed_attempts: row.failed,
            failures_by_reason: BTreeMap::new(),
            replans: 0,
            knowledge_added: 0,
            knowledge_used: Vec::new(),
            costs: Cost::default(),
            wall_ms: row.ended.map(|ended| ended.since(row.started)),
            forked_from: row.origin.map(|(run, at)| (run.0, at.0)),
            left_out: Vec::new(),
            steps: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::samples::every_kind;
    use pithead_core::domain::plan::Plan;
    use pithead_core::domain::run::fork::Fork;
    use pithead_core::domain::samples;
    use pithead_core::domain::samples::config;
    use pithead_world::clock::Millis;
    use pithead_world::ids::{Revision, SubgoalId};

    fn journal() -> Journal {
        let mut journal = Journal::in_memory().unwrap();
        for at in [1, 2] {
            let run = journal.create_run(config(), Millis(at)).unwrap();
            if run == RunId(2) {
                let mut events = every_kind(run.0);
                events.retain(|event| !matches!(event, Event::RunStarted { .. }));
                journal.append(run, Millis(9), events).unwrap();
            }
        }
        journal
    }

    #[test]
    fn runs_stand_in_the_same_lines_and_differences_are_told() {
        let journal = journal();
        let sides = compare(&journal, &[RunId(2), RunId(1)]).unwrap();
        assert_eq!((sides[0].run, sides[1].run), (2, 1));
        assert_eq!((sides[0].attempts, sides[1].attempts), (1, 0));
        assert_eq!((sides[0].replans, sides[0].costs.questions), (1, 1));
        let sections = sections(&sides);
        let titles: Vec<&str> = sections.iter().map(|section| section.title).collect();
        // Who they are, then what differs, then the rest.
        assert_eq!(titles[0], "");
        let place = |title: &str| titles.iter().position(|other| *other == title).unwrap();
        assert!(place("Figures that differ") < place("Figures that are alike"));
        let of = |name: &str| {
            let mut lines = sections.iter().flat_map(|section| &section.lines);
            lines.find(|line| line.name == name).unwrap()
        };
        assert!(!of("task").differs() && of("attempts").differs());
        assert_eq!(of("used only here").values[1], "");
        assert!(!of("used only here").values[0].is_empty());
        // The plan of one run is in no plan of the other.
        let step = sides[0].steps.first().expect("a plan was adopted");
        assert_eq!(of(&step.what).values[1], "– in no plan");
    }

    #[test]
    fn a_fork_says_what_was_left_out_and_its_steps_stand_beside_those_of_its_origin() {
        let mut journal = Journal::in_memory().unwrap();
        let plan = |n: u64, targets: &[&str]| {
            let steps = (n..)
                .zip(targets)
                .map(|(n, target)| samples::subgoal(n, target));
            let plan = Plan {
                subgoals: steps.collect(),
                ..Plan::default()
            };
            let revision = Revision(1);
            let proposed = Event::PlanProposed {
                revision,
                plan,
                replaces: None,
            };
            [proposed, Event::PlanAdopted { revision }]
        };
        let mut tell = |events: Vec<Event>| {
            let run = journal.create_run(config(), Millis(1)).unwrap();
            journal.append(run, Millis(2), events).unwrap();
            run
        };
        let done = Event::SubgoalDone {
            subgoal: SubgoalId(1),
        };
        let first = tell(
            plan(1, &["stone", "sand"])
                .into_iter()
                .chain([done])
                .collect(),
        );
        // Other ids, one step more in between, and one less.
        let forked = Event::RunForked {
            fork: Box::new(Fork {
                from: first,
                at: Seq(1),
                without: vec!["k1.1".parse().unwrap()],
                thresholds: None,
                kept: Vec::new(),
                policies: Vec::new(),
                by: "ada".to_owned(),
            }),
        };
        let events = std::iter::once(forked).chain(plan(7, &["stone", "dirt", "stone"]));
        let second = tell(events.collect());
        let sides = compare(&journal, &[first, second]).unwrap();
        let rows = |side: usize| -> Vec<(usize, &str)> {
            let steps = sides[side].steps.iter();
            steps.map(|step| (step.row, step.state)).collect()
        };
        assert_eq!(rows(0), [(0, "done"), (3, "not_begun")]);
        assert_eq!(
            rows(1),
            [(0, "not_begun"), (1, "not_begun"), (2, "not_begun")]
        );
        assert_eq!(sides[1].left_out[0].id, "k1.1");
        assert!(sides[0].left_out.is_empty());
    }

    #[test]
    fn an_overruled_label_counts_as_what_it_became() {
        let journal = journal();
        let side = compare(&journal, &[RunId(2)]).unwrap().remove(0);
        let overruled = journal.overruled(Some(RunId(2))).unwrap();
        let label = overruled.last().unwrap().label;
        assert_eq!(side.failures_by_reason.get(label.name()), Some(&1));
        assert_eq!(side.failures_by_reason.values().sum::<u64>(), 1);
    }

    #[test]
    fn a_run_that_is_not_there_is_said() {
        let fault = compare(&journal(), &[RunId(2), RunId(9)]).unwrap_err();
        assert!(fault.to_string().contains('9'), "{fault}");
    }
}
