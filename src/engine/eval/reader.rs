//! The reader of evaluations, for the console and `pithead evals`: the registry first, then the folders that have changed.
//!
//! Invariant: nothing is returned if nothing has changed, so that a console that polls it need not draw.

use super::base::Base;
use super::episode::Ended;
use super::listing::{
    EpisodeEnding, EpisodeRow, EvalId, EvalListing, EvalState, Evaluation, SuccessRate,
};
use super::naming::{arm_names, evaluation_name};
use super::plan::{EvalPlan, Setting};
use super::registry::{EvalKind, ListedEntry, Registry, RegistryEntry};
use super::sections::{curve_sections, suite_sections};
use super::stats::Tally;
use super::status::{self, EvalReport, EvalStatus, PlacedEpisode};
use crate::config;
use crate::runtime::Keep;
use pithead_core::domain::run::budget::Budget;
use pithead_world::clock::Clock;
use pithead_world::rng::Streams;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Evaluations whose folders are read; older ones are left out, so that a long history stays quick to list.
const SHOWN_MAX: usize = 100;

/// Reads the registry of a database, and those folders that have changed. It may wait for the disk.
#[derive(Debug)]
pub struct EvalReader {
    registry: Registry,
    clock: Clock,
    cwd: Option<PathBuf>,
    /// What was read the last time, with the stamps of the files it was read from.
    seen: Vec<(ListedEntry, Stamp, Arc<Evaluation>)>,
    opened: Option<EvalId>,
    is_first: bool,
}

/// Length and time of change of the file or folder that grows.
type Stamp = Option<(u64, Option<std::time::SystemTime>)>;

impl EvalReader {
    #[must_use]
    pub fn new(database: &Path) -> Self {
        Self {
            registry: Registry::beside(database),
            clock: Clock::System,
            cwd: std::env::current_dir().ok(),
            seen: Vec::new(),
            opened: None,
            is_first: true,
        }
    }

    /// One evaluation, with its episodes if they are asked for.
    fn read(&self, found: &ListedEntry, opens: bool) -> (Evaluation, Vec<EpisodeRow>) {
        let looked = found
            .entry
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|entry| {
                let plan = entry.plan()?;
                let settings = settings(entry)?;
                Ok((
                    entry,
                    EvalStatus::read_from_folder(entry, &settings, &plan),
                    plan,
                ))
            });
        match looked {
            Ok((entry, status, plan)) => {
                let episodes = status.episodes.iter().filter(|_| opens);
                let episodes = episodes.map(|placed| episode_row(entry, placed)).collect();
                (self.summary(found, entry, &status, &plan), episodes)
            }
            Err(because) => (unreadable(found, because), Vec::new()),
        }
    }

    fn summary(
        &self,
        found: &ListedEntry,
        entry: &RegistryEntry,
        status: &EvalStatus,
        plan: &EvalPlan,
    ) -> Evaluation {
        let left_ms = status.left_ms(entry, self.clock.now());
        Evaluation {
            id: EvalId(found.id),
            name: evaluation_name(entry, plan),
            mind: entry.mind.clone(),
            system: arm_names(entry),
            controller: entry.controller.name().to_owned(),
            state: status.state(found.runs),
            done: status.done,
            total: status.total,
            unit: match entry.kind {
                EvalKind::Suite => "episodes",
                EvalKind::Curve => "lives",
            },
            rate: success_rate(&status.overall),
            left_s: left_ms.map(|ms| ms / 1000),
            command: resume_command(entry, self.cwd.as_deref()),
            folder: entry.folder.display().to_string(),
            journal: status::journal_path(entry)
                .map(|path| quote_for_shell(&path.to_string_lossy())),
            sections: match &status.report {
                EvalReport::Suite(report) => suite_sections(report),
                EvalReport::Curve(curve) => curve_sections(curve),
            },
            faults: status.faults.clone(),
        }
    }

    /// The evaluations, if anything has changed since the last call or another one is open now.
    pub fn read_changes(&mut self, opened: Option<EvalId>) -> Result<Option<EvalListing>, String> {
        let mut all = self.registry.list().map_err(|error| error.to_string())?;
        all.truncate(SHOWN_MAX);
        // The stamps are taken before the files are read: a change in between is seen at
        // the next call.
        let marked: Vec<(ListedEntry, Stamp)> = all
            .into_iter()
            .map(|found| {
                let stamp = stamp(&found);
                (found, stamp)
            })
            .collect();
        let is_same = marked.len() == self.seen.len()
            && marked
                .iter()
                .zip(&self.seen)
                .all(|((found, stamp), (known, before, _))| found == known && stamp == before);
        if is_same && opened == self.opened && !self.is_first {
            return Ok(None);
        }
        let is_newly_open = opened != self.opened;
        let (mut seen, mut listing) = (Vec::new(), EvalListing::default());
        for (found, stamp) in marked {
            let opens = opened == Some(EvalId(found.id));
            let known = self
                .seen
                .iter()
                .find(|(known, before, _)| *known == found && *before == stamp);
            let evaluation = match known {
                // Read before and unchanged; only what is newly opened needs its episodes.
                Some((_, _, known)) if !(opens && is_newly_open) => Arc::clone(known),
                _ => {
                    let (evaluation, episodes) = self.read(&found, opens);
                    listing.opened = opens
                        .then(|| (evaluation.id, Arc::new(episodes)))
                        .or(listing.opened);
                    Arc::new(evaluation)
                }
            };
            listing.evaluations.push(Arc::clone(&evaluation));
            seen.push((found, stamp, evaluation));
        }
        (self.seen, self.opened, self.is_first) = (seen, opened, false);
        Ok(Some(listing))
    }
}

fn stamp(found: &ListedEntry) -> Stamp {
    let entry = found.entry.as_ref().ok()?;
    let file = std::fs::metadata(status::growing_path(entry)).ok()?;
    Some((file.len(), file.modified().ok()))
}

/// The settings that the command line made the entry from.
fn settings(entry: &RegistryEntry) -> Result<Vec<Setting>, String> {
    let setting = |name: &String, strategy| {
        Ok(Setting {
            suite: entry.suite.suite(),
            mind: entry.mind.clone(),
            profile: config::systems::named_system(name).map_err(|error| error.to_string())?,
            world: Setting::world_of(entry.aids()),
            learn: entry.learn,
            base: entry.base.clone().map(Base::known_by_label),
            frozen: entry.frozen,
            hold_out: entry.hold_out,
            horizon_model: None, // a table says nothing of it
            strategy,
            keep: Keep::Attempts,
            // Only finished episodes are read, which cost nothing any more.
            budget: Budget::default(),
        })
    };
    // Strategies are compared with one system.
    let arms = entry.strategies.iter().zip(entry.systems.iter().cycle());
    if entry.strategies.is_empty() {
        return entry
            .systems
            .iter()
            .map(|name| setting(name, None))
            .collect();
    }
    arms.map(|(strategy, name)| setting(name, Some(*strategy)))
        .collect()
}

fn unreadable(found: &ListedEntry, because: String) -> Evaluation {
    let folder = found
        .entry
        .as_ref()
        .map(|entry| entry.folder.display().to_string());
    Evaluation {
        id: EvalId(found.id),
        name: because.clone(),
        mind: String::new(),
        system: String::new(),
        controller: String::new(),
        state: EvalState::Broken,
        done: 0,
        total: 0,
        unit: "episodes",
        rate: None,
        left_s: None,
        command: String::new(),
        folder: folder.unwrap_or_default(),
        journal: None,
        sections: Vec::new(),
        faults: vec![because],
    }
}

fn success_rate(tally: &Tally) -> Option<SuccessRate> {
    tally.rate.map(|rate| SuccessRate {
        rate,
        low: tally.wilson95.low,
        high: tally.wilson95.high,
    })
}

/// The command in full, after a `cd` if it was given in another folder.
fn resume_command(entry: &RegistryEntry, cwd: Option<&Path>) -> String {
    let words: Vec<String> = entry
        .command
        .iter()
        .map(|word| quote_for_shell(word))
        .collect();
    let words = words.join(" ");
    if cwd == Some(entry.cwd.as_path()) {
        words
    } else {
        format!(
            "cd {} && {words}",
            quote_for_shell(&entry.cwd.to_string_lossy())
        )
    }
}

/// The word as a shell reads it.
fn quote_for_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn episode_row(entry: &RegistryEntry, placed: &PlacedEpisode) -> EpisodeRow {
    let PlacedEpisode {
        system,
        pass,
        life,
        episode,
    } = placed;
    let place = format!("{system} {life} {pass} {} {}", episode.task, episode.seed);
    EpisodeRow {
        id: Streams(0).salt(&place),
        task: episode.task.clone(),
        group: episode.group.clone(),
        system: system.clone(),
        seed: episode.seed,
        pass: *pass as u64,
        run: (entry.kind == EvalKind::Suite).then_some(episode.run),
        ending: match (episode.success, episode.ended) {
            (true, _) => EpisodeEnding::Success,
            (false, Ended::Void) => EpisodeEnding::Void,
            (false, _) => EpisodeEnding::Failure,
        },
        because: episode.because.clone(),
        ticks: episode.ticks,
        attempts: episode.attempts,
        failed: episode.failed_attempts,
        replans: episode.replans,
        mind_calls: episode.mind_calls,
        reasons: episode
            .failures_by_reason
            .iter()
            .map(|(reason, n)| (reason.clone(), *n))
            .collect(),
        last_failure: episode.last_failure.clone(),
        wall_ms: episode.wall_ms,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::systems;

    fn entry(folder: &Path) -> RegistryEntry {
        RegistryEntry {
            schema: crate::eval::registry::SCHEMA,
            kind: EvalKind::Suite,
            folder: folder.to_path_buf(),
            cwd: PathBuf::from("/some where"),
            command: ["pithead", "eval", "--tasks", "mcu70/iron/*"]
                .map(str::to_owned)
                .to_vec(),
            suite: crate::suites::SuiteName::Mcu70,
            tasks: Some("mcu70/wooden/0[12]".to_owned()),
            seeds: "1..2".to_owned(),
            mind: "builtin:expert".to_owned(),
            systems: vec![systems::DEFAULT.to_owned()],
            controller: pithead_world::aids::Controller::Scripted,
            reports: pithead_world::reports::Reports::Typed,
            senses: pithead_world::aids::SenseLevel::Scout,
            given: pithead_world::counts::Counts::default(),
            powers: pithead_world::powers::Powers::default(),
            learn: false,
            base: None,
            frozen: false,
            hold_out: 0,
            own_worlds: false,
            strategies: Vec::new(),
            held_out: None,
            passes: 1,
            began: pithead_world::clock::Millis(1),
            found: 0,
        }
    }

    fn ledger(folder: &Path, episodes: usize) {
        let head = serde_json::json!({
            "schema": 1, "version": env!("CARGO_PKG_VERSION"), "suite": "mcu70", "mind": "builtin:expert",
            "system": systems::DEFAULT, "controller": "scripted", "learn": false,
        });
        let tasks = &crate::suites::SuiteName::Mcu70.suite().tasks;
        let lines = (0..episodes).map(|at| {
            serde_json::json!({
                "task": tasks[at % 2].id, "group": tasks[at % 2].group, "seed": 1 + at / 2, "run": at + 1,
                "success": at == 0, "ended": "failure", "because": "the budget is used up", "ticks": 12_000,
                "attempts": 3, "failed_attempts": 2, "failures_by_reason": {"NAV_STUCK": 2}, "replans": 1,
                "mind_calls": 2, "last_failure": "mine: NAV_STUCK", "wall_ms": 900,
            })
        });
        let text: String = std::iter::once(head)
            .chain(lines)
            .map(|line| format!("{line}\n"))
            .collect();
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("episodes.jsonl"), text).unwrap();
    }

    #[test]
    fn an_evaluation_is_listed_once_and_again_when_its_results_have_grown() {
        let home = tempfile::tempdir().unwrap();
        let (database, folder) = (home.path().join("p.db"), home.path().join("a"));
        let mut reader = EvalReader::new(&database);
        let none = reader.read_changes(None).unwrap().unwrap();
        assert!(none.evaluations.is_empty());
        assert!(
            reader.read_changes(None).unwrap().is_none(),
            "nothing has changed"
        );
        ledger(&folder, 1);
        let lock = Registry::beside(&database)
            .register(&entry(&folder))
            .unwrap();
        let listing = reader.read_changes(None).unwrap().unwrap();
        let first = Arc::clone(&listing.evaluations[0]);
        assert_eq!(
            (first.state, first.done, first.total),
            (EvalState::Running, 1, 4)
        );
        assert!(first.left_s.is_some() && listing.opened.is_none());
        assert!(reader.read_changes(None).unwrap().is_none());
        let opened = reader
            .read_changes(Some(first.id))
            .unwrap()
            .unwrap()
            .opened
            .unwrap();
        assert_eq!((opened.0, opened.1.len()), (first.id, 1));
        ledger(&folder, 3);
        let listing = reader.read_changes(Some(first.id)).unwrap().unwrap();
        assert_eq!(listing.evaluations[0].done, 3);
        assert_eq!(listing.opened.unwrap().1[2].ending, EpisodeEnding::Failure);
        drop(lock);
        let listing = reader.read_changes(Some(first.id)).unwrap().unwrap();
        let stopped = &listing.evaluations[0];
        assert_eq!(stopped.state, EvalState::Stopped);
        assert_eq!(
            stopped.command,
            "cd '/some where' && pithead eval --tasks 'mcu70/iron/*'"
        );
        ledger(&folder, 4);
        let listing = reader.read_changes(None).unwrap().unwrap();
        assert_eq!(listing.evaluations[0].state, EvalState::Finished);
    }

    #[test]
    fn an_entry_that_names_an_unknown_system_task_or_seed_is_listed_as_unreadable() {
        let home = tempfile::tempdir().unwrap();
        let database = home.path().join("p.db");
        let registry = Registry::beside(&database);
        for (n, bad) in [
            RegistryEntry {
                systems: vec!["no such".to_owned()],
                ..entry(Path::new("/1"))
            },
            RegistryEntry {
                seeds: "1..99999999999".to_owned(),
                ..entry(Path::new("/2"))
            },
            RegistryEntry {
                tasks: Some("[".to_owned()),
                ..entry(Path::new("/3"))
            },
        ]
        .into_iter()
        .enumerate()
        {
            drop(registry.register(&bad).unwrap());
            let listing = EvalReader::new(&database)
                .read_changes(None)
                .unwrap()
                .unwrap();
            assert_eq!(listing.evaluations.len(), n + 1);
            assert!(
                listing
                    .evaluations
                    .iter()
                    .all(|e| e.state == EvalState::Broken)
            );
        }
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quote_for_shell("a b"), "'a b'");
        assert_eq!(quote_for_shell("it's"), "'it'\\''s'");
        assert_eq!(
            (quote_for_shell(""), quote_for_shell("--out=x/y")),
            ("''".to_owned(), "--out=x/y".to_owned())
        );
    }
}
