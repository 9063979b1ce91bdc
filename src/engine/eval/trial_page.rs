//! What a trial found, as it is shown and stored as JSON; and the trial that the console plays.

use super::paired::Difference;
use super::plan::Seeds;
use super::trial::{Trial, TrialError, TrialResult, run_trial};
use crate::config;
use crate::journal::{EntryFilter, Journal};
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::plan::task::Task;
use pithead_core::systems;
use pithead_core::text::numbers::count_with_noun;
use pithead_world::ids::KnowledgeId;
use serde::Serialize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The result of a trial with its setting; the JSON form is stable.
#[derive(Debug, Serialize)]
pub struct TrialPage {
    schema: u32,
    id: KnowledgeId,
    task: String,
    mind: String,
    system: String,
    seeds: String,
    /// Other entries that both arms had.
    others: usize,
    methods: Methods,
    #[serde(flatten)]
    pub findings: TrialResult,
}

#[derive(Debug, Serialize)]
struct Methods {
    success: &'static str,
    failed_attempts: &'static str,
}

const METHODS: Methods = Methods {
    success: "paired difference, Newcombe's score interval (method 10), 95 %; exact McNemar test",
    failed_attempts: "mean paired difference, percentile bootstrap over pairs (10,000 resamples), 95 %",
};

/// Seeds of a trial that the console plays: enough for an interval, few enough to wait for.
const CONSOLE_SEEDS: Seeds = Seeds { first: 1, last: 20 };

/// Plays a trial of an entry of this database with the defaults of `pithead kb trial`, until it is told to
/// stop. One core is left to the screen and to runs.
pub fn play_console_trial(
    database: &Path,
    id: KnowledgeId,
    stop: &AtomicBool,
) -> Result<TrialPage, TrialError> {
    let base = Journal::look(database)?.knowledge(EntryFilter::default())?;
    let entry = base.iter().find(|entry| entry.id == id);
    let entry = entry.ok_or(TrialError::NoEntry(id))?;
    let words = entry.provenance.task.as_str();
    if words.is_empty() {
        return Err(TrialError::NoTask(id));
    }
    let profile = systems::named(systems::DEFAULT)?;
    let config = config::run_config(Task::parse(words)?, 0, config::MIND, profile);
    let active = |e: &&Entry| e.status == Status::Active && e.id != id;
    let others: Vec<Entry> = base.iter().filter(active).cloned().collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let trial = Trial {
        // All other active entries are in both arms: the trial measures the entry on top of
        // them.
        entry,
        others: &others,
        config,
        seeds: (CONSOLE_SEEDS.first..=CONSOLE_SEEDS.last).collect(),
        jobs: cores.saturating_sub(1).max(1),
        interrupt: stop,
    };
    let findings = run_trial(&trial, |_| ())?;
    Ok(TrialPage::new(
        &trial,
        CONSOLE_SEEDS,
        words.to_owned(),
        findings,
    ))
}

impl TrialPage {
    /// The page of a trial; `task` is shown as it was named.
    #[must_use]
    pub fn new(trial: &Trial<'_>, seeds: Seeds, task: String, findings: TrialResult) -> Self {
        Self {
            schema: 1,
            id: trial.entry.id,
            task,
            mind: format!("{} (simulated planner)", trial.config.mind),
            system: trial.config.profile.name.clone(),
            seeds: seeds.to_string(),
            others: trial.others.len(),
            methods: METHODS,
            findings,
        }
    }

    /// The page for people.
    #[must_use]
    pub fn text(&self) -> String {
        let (found, wins) = (&self.findings, &self.findings.successes);
        let n = found.pairs.len();
        let (with, without) = (wins.both + wins.with_only, wins.both + wins.without_only);
        let interval = |d: &Difference, unit: &str| {
            format!(
                "{:+.1}{unit} (95 %: {:+.1} to {:+.1})",
                d.value, d.low, d.high
            )
        };
        let mut text = format!(
            "\n{} on \"{}\", seeds {}, {}, system {}, together with {}\n",
            self.id,
            self.task,
            self.seeds,
            self.mind,
            self.system,
            count_with_noun(self.others, "other entry", "other entries")
        );
        text += &format!(
            "success          {with} of {n} with, {without} of {n} without: {}, exact p {:.3}\n",
            interval(&wins.difference, " points"),
            wins.mcnemar_p
        );
        text += &format!(
            "failed attempts  {} per run\n",
            interval(&found.failed_attempts, "")
        );
        text += &format!(
            "replans          {} per run\n",
            interval(&found.replans, "")
        );
        let blocked: u64 = found.pairs.iter().map(|p| p.with.blocked).sum();
        if blocked == 0 && found.failed_attempts.value == 0.0 {
            text += "no visible effect in any of these runs\n";
        }
        if !found.complete {
            text += "interrupted; some pairs are missing\n";
        }
        text + &format!(
            "{}\n{}\n",
            self.methods.success, self.methods.failed_attempts
        )
    }
}
