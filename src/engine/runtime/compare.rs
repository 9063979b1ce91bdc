//! Comparing: some runs beside each other, each a fold of the few of its events that count.
//!
//! Invariant: an overruled label counts as what it was overruled to, and each run is read by itself.

use super::costs::{Cost, Costs};
use crate::journal::{Journal, JournalError, RunRow};
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::EntryUse;
use pithead_core::domain::mind::spending::money;
use pithead_core::domain::run::event::Event;
use pithead_world::ids::{AttemptId, KnowledgeId, RunId, Seq};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Runs that fit beside each other.
pub const RUNS_MAX: usize = 8;
/// The kinds of events that count.
const KINDS: [&str; 16] = [
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
}

/// One line of the comparison: what, and what each run has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonLine {
    pub name: String,
    pub values: Vec<String>,
}

impl ComparisonLine {
    /// The runs are not alike in this.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.values.windows(2).any(|two| two[0] != two[1])
    }
}

/// Reads the runs in the order given.
pub fn compare(journal: &Journal, runs: &[RunId]) -> Result<Vec<ComparedRun>, JournalError> {
    runs.iter().map(|run| side(journal, *run)).collect()
}

fn side(journal: &Journal, run: RunId) -> Result<ComparedRun, JournalError> {
    let row = journal.run(run)?;
    let mut side = ComparedRun::from_row(&row);
    let mut labels: BTreeMap<AttemptId, FailureReason> = BTreeMap::new();
    let mut overruled = BTreeMap::new();
    let mut used: BTreeSet<KnowledgeId> = BTreeSet::new();
    let (mut costs, mut last) = (Costs::default(), Seq(0));
    loop {
        let page = journal.events_of_kinds(run, last, &KINDS, PAGE)?;
        let Some(end) = page.last() else { break };
        last = end.seq;
        for fact in &page {
            costs.apply(fact);
            match &fact.event {
                Event::AttemptEnded { experience, .. } => {
                    let label = experience.diagnosis.reason;
                    labels.extend(label.map(|label| (experience.attempt, label)));
                }
                Event::LabelOverruled { attempt, label, .. } => {
                    overruled.insert(*attempt, *label);
                }
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
    Ok(side)
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
        }
    }
}

/// The sides, line by line.
#[must_use]
pub fn lines(sides: &[ComparedRun]) -> Vec<ComparisonLine> {
    let mut out = Vec::new();
    let mut line = |name: &str, of: &dyn Fn(&ComparedRun) -> String| {
        out.push(ComparisonLine {
            name: name.to_owned(),
            values: sides.iter().map(of).collect(),
        });
    };
    line("run", &|s| s.run.to_string());
    line("task", &|s| s.task.clone());
    line("forked from", &|s| {
        s.forked_from
            .map_or("–".to_owned(), |(run, at)| format!("{run} at {at}"))
    });
    line("mind", &|s| s.mind.clone());
    line("system", &|s| s.system.clone());
    line("seed", &|s| s.seed.to_string());
    line("outcome", &|s| s.outcome.to_owned());
    line("because", &|s| s.because.clone().unwrap_or_default());
    line("ticks", &|s| s.ticks.to_string());
    line("attempts", &|s| s.attempts.to_string());
    line("failed", &|s| s.failed_attempts.to_string());
    let reasons: BTreeSet<&str> = sides
        .iter()
        .flat_map(|side| side.failures_by_reason.keys().copied())
        .collect();
    for reason in reasons {
        line(&format!("  {reason}"), &|s| {
            let n = s.failures_by_reason.get(reason);
            n.copied().unwrap_or(0).to_string()
        });
    }
    line("replans", &|s| s.replans.to_string());
    line("entries learned", &|s| s.knowledge_added.to_string());
    line("entries used", &|s| s.knowledge_used.len().to_string());
    line("  only here", &|s| only(s, sides).join(" "));
    line("questions", &|s| s.costs.questions.to_string());
    line("tokens in", &|s| s.costs.tokens_in.to_string());
    line("tokens out", &|s| s.costs.tokens_out.to_string());
    line("money", &|s| money(s.costs.micros));
    line("mind, ms", &|s| s.costs.ms.to_string());
    line("took, ms", &|s| {
        s.wall_ms.map_or("–".to_owned(), |ms| ms.to_string())
    });
    out
}

/// Entries that this run used and none of the others.
fn only<'a>(side: &'a ComparedRun, sides: &[ComparedRun]) -> Vec<&'a str> {
    let elsewhere = |id: &str| {
        let others = sides.iter().filter(|other| other.run != side.run);
        others
            .flat_map(|other| &other.knowledge_used)
            .any(|used| used == id)
    };
    let own = side.knowledge_used.iter().map(String::as_str);
    own.filter(|id| !elsewhere(id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::samples::every_kind;
    use pithead_core::domain::samples::config;
    use pithead_world::clock::Millis;

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
        let lines = lines(&sides);
        let of = |name: &str| lines.iter().find(|line| line.name == name).unwrap();
        assert!(!of("task").differs() && of("attempts").differs());
        assert_eq!(of("  only here").values[1], "");
        assert!(!of("  only here").values[0].is_empty());
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
