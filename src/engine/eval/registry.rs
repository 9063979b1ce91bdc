//! The registry of evaluations that keep results in a folder: beside the database, one small file each.
//!
//! An entry names what is evaluated, where, and the command that resumes it; the results are in the folder alone.
//! Invariant: a running evaluation holds a lock on its entry, so a killed one is not taken for a running one.

use super::base::BaseLabel;
use super::course::{HeldOut, Strategy};
use super::plan::{EvalPlan, Seeds, TaskPattern};
use crate::suites::SuiteName;
use pithead_core::text::atomic_file::replace_file;
use pithead_world::aids::{Controller, SenseLevel, WorldAids};
use pithead_world::clock::Millis;
use pithead_world::counts::Counts;
use pithead_world::powers::Powers;
use pithead_world::reports::Reports;
use pithead_world::rng::Streams;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Raised when a field changes its meaning.
pub const SCHEMA: u32 = 1;
/// An entry has some hundred bytes; a longer file is not one.
const BYTES_MAX: u64 = 64 << 10;
/// Entries read; a folder with more of them holds something else.
const ENTRIES_MAX: usize = 500;
/// Attempts to get the lock: a reader that probes it holds it for an instant only.
/// The wait is a spin of a moment, not a sleep.
const TRIES_MAX: u32 = 1_000;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvalKind {
    /// Success on the tasks of a suite.
    Suite,
    /// Learning, system by system.
    Curve,
}

/// One evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegistryEntry {
    pub schema: u32,
    pub kind: EvalKind,
    /// In full.
    pub folder: PathBuf,
    /// The command and the folder it was given in; given there again, it resumes.
    pub cwd: PathBuf,
    pub command: Vec<String>,
    pub suite: SuiteName,
    /// The pattern over tasks, if one was given.
    pub tasks: Option<String>,
    /// `A..B`, both included.
    pub seeds: String,
    pub mind: String,
    pub systems: Vec<String>,
    pub controller: Controller,
    /// Absent where the body tells everything.
    #[serde(default, skip_serializing_if = "Reports::is_typed")]
    pub reports: Reports,
    /// Absent of a scout.
    #[serde(default, skip_serializing_if = "SenseLevel::is_scout")]
    pub senses: SenseLevel,
    /// What each body begins with; absent if that is nothing.
    #[serde(default, skip_serializing_if = "Counts::is_empty")]
    pub given: Counts,
    /// Absent if they are a player's own.
    #[serde(default, skip_serializing_if = "Powers::are_players")]
    pub powers: Powers,
    pub learn: bool,
    /// What its episodes begin with; absent in entries from before there were bases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<BaseLabel>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub frozen: bool,
    #[serde(default, skip_serializing_if = "super::plan::is_no_hold_out")]
    pub hold_out: u8,
    /// Each episode has a world of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_worlds: bool,
    /// Of a curve: strategies that are compared in place of systems, and how knowledge is examined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategies: Vec<Strategy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
    /// Of a curve: passes of each life.
    pub passes: u32,
    /// When it was last started or resumed, and how much was finished then.
    pub began: Millis,
    pub found: u64,
}

impl RegistryEntry {
    /// What its worlds were made with.
    #[must_use]
    pub fn aids(&self) -> WorldAids {
        WorldAids {
            biome: None,
            controller: self.controller,
            reports: self.reports,
            senses: self.senses,
            given: self.given.clone(),
            powers: self.powers,
        }
    }

    /// The plan, read from the same words as on the command line.
    pub fn plan(&self) -> Result<EvalPlan, String> {
        let seeds: Seeds = self.seeds.parse().map_err(|e| format!("{e}"))?;
        let pattern = self.tasks.as_deref().map(str::parse::<TaskPattern>);
        let pattern = pattern.transpose().map_err(|e| e.to_string())?;
        let plan = EvalPlan::select(self.suite.suite(), pattern.as_ref(), seeds)
            .map_err(|e| e.to_string())?;
        Ok(plan.with_own_worlds(self.own_worlds))
    }
}

/// An entry of the registry, readable or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedEntry {
    /// Made from the folder, so it never changes.
    pub id: u64,
    /// A process holds the lock: the evaluation is running.
    pub runs: bool,
    /// The entry, or which file is wrong and why.
    pub entry: Result<RegistryEntry, String>,
}

/// The folder of a database's entries.
#[derive(Debug, Clone)]
pub struct Registry(PathBuf);

/// The lock of an entry, held while its evaluation runs.
#[derive(Debug)]
pub struct EntryLock {
    _held: File,
}

impl Registry {
    #[must_use]
    pub fn beside(database: &Path) -> Self {
        let mut name = database.as_os_str().to_owned();
        name.push(".evals");
        Self(PathBuf::from(name))
    }

    /// Writes the entry, in place of an older one of the same folder. The evaluation counts as running while the
    /// lock is held.
    pub fn register(&self, entry: &RegistryEntry) -> std::io::Result<EntryLock> {
        std::fs::create_dir_all(&self.0)?;
        let id = Streams(0).salt(&entry.folder.to_string_lossy());
        // The same folder has the same file, so a resumed evaluation replaces its entry.
        let path = self.0.join(format!("{id:016x}.json"));
        let text = serde_json::to_string_pretty(entry)?;
        // Locked before the rename: no reader sees a running evaluation without its lock.
        let file = replace_file(&path, |file| {
            file.write_all(text.as_bytes())?;
            lock(file)
        })?;
        Ok(EntryLock { _held: file })
    }

    /// All entries, the one started last first; none if the folder does not exist.
    pub fn list(&self) -> std::io::Result<Vec<ListedEntry>> {
        let entries = match std::fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut paths: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "json"))
            .take(ENTRIES_MAX)
            .collect();
        paths.sort_unstable();
        let mut found: Vec<ListedEntry> = paths.iter().map(|path| list_entry(path)).collect();
        let began =
            |found: &ListedEntry| found.entry.as_ref().map_or(Millis(0), |entry| entry.began);
        found.sort_by_key(|found| std::cmp::Reverse(began(found)));
        Ok(found)
    }
}

fn lock(file: &File) -> std::io::Result<()> {
    for _ in 0..TRIES_MAX {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) => std::thread::yield_now(),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(())
}

fn list_entry(path: &Path) -> ListedEntry {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let id = u64::from_str_radix(&name, 16).unwrap_or_else(|_| Streams(0).salt(&name));
    let (entry, runs) = match File::open(path) {
        Ok(file) => {
            // A shared lock fails only while the evaluation holds its own.
            let runs = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
            (read_entry(&file), runs)
        }
        Err(error) => (Err(error.to_string()), false),
    };
    let entry = entry.map_err(|because| format!("{}: {because}", path.display()));
    ListedEntry { id, runs, entry }
}

fn read_entry(file: &File) -> Result<RegistryEntry, String> {
    let mut text = String::new();
    let mut some = file.take(BYTES_MAX + 1);
    some.read_to_string(&mut text)
        .map_err(|error| error.to_string())?;
    if text.len() as u64 > BYTES_MAX {
        return Err("it is too long to be an entry of the registry".to_owned());
    }
    let entry: RegistryEntry = serde_json::from_str(&text).map_err(|error| {
        format!("not an entry of the registry: {error}; remove the file if it is something else")
    })?;
    if entry.schema == SCHEMA {
        Ok(entry)
    } else {
        Err(format!("it is of format {}, not {SCHEMA}", entry.schema))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(folder: &str, began: u64) -> RegistryEntry {
        RegistryEntry {
            schema: SCHEMA,
            kind: EvalKind::Suite,
            folder: PathBuf::from(folder),
            cwd: PathBuf::from("/here"),
            command: vec!["pithead".to_owned(), "eval".to_owned()],
            suite: SuiteName::Mcu70,
            tasks: None,
            seeds: "1..2".to_owned(),
            mind: "builtin:expert".to_owned(),
            systems: vec!["steve-evolving".to_owned()],
            controller: Controller::Scripted,
            reports: Reports::Typed,
            senses: SenseLevel::Scout,
            given: Counts::default(),
            powers: Powers::default(),
            learn: false,
            base: None,
            frozen: false,
            hold_out: 0,
            own_worlds: false,
            strategies: Vec::new(),
            held_out: None,
            passes: 1,
            began: Millis(began),
            found: 0,
        }
    }

    #[test]
    fn an_evaluation_runs_while_its_lock_is_held_and_a_folder_has_one_entry() {
        let home = tempfile::tempdir().unwrap();
        let registry = Registry::beside(&home.path().join("p.db"));
        assert_eq!(registry.list().unwrap(), []);
        let first = registry.register(&entry("/a", 5)).unwrap();
        let second = registry.register(&entry("/b", 9)).unwrap();
        let listed = |registry: &Registry| -> Vec<(PathBuf, bool)> {
            let all = registry.list().unwrap();
            all.into_iter()
                .map(|found| (found.entry.unwrap().folder, found.runs))
                .collect()
        };
        assert_eq!(
            listed(&registry),
            [("/b".into(), true), ("/a".into(), true)]
        );
        drop((first, second));
        assert_eq!(
            listed(&registry),
            [("/b".into(), false), ("/a".into(), false)]
        );
        let again = registry.register(&entry("/a", 11)).unwrap();
        assert_eq!(
            listed(&registry),
            [("/a".into(), true), ("/b".into(), false)]
        );
        drop(again);
    }

    #[test]
    fn a_file_that_is_not_an_entry_is_reported_with_its_path_and_hides_no_other() {
        let home = tempfile::tempdir().unwrap();
        let registry = Registry::beside(&home.path().join("p.db"));
        drop(registry.register(&entry("/a", 5)).unwrap());
        for (name, text) in [
            ("x.json", "{\"schema\": 1"),
            ("y.json", "\u{1b}[31m"),
            ("z.txt", "not looked at"),
        ] {
            std::fs::write(registry.0.join(name), text).unwrap();
        }
        let other = serde_json::to_string(&RegistryEntry {
            schema: 9,
            ..entry("/c", 1)
        });
        std::fs::write(registry.0.join("w.json"), other.unwrap()).unwrap();
        std::fs::write(registry.0.join("v.json"), " ".repeat(70_000)).unwrap();
        let all = registry.list().unwrap();
        assert_eq!(all.len(), 5);
        assert!(all[0].entry.is_ok());
        let faults: Vec<String> = all.into_iter().filter_map(|f| f.entry.err()).collect();
        assert!(faults.iter().any(|f| f.contains("v.json: it is too long")));
        assert!(
            faults
                .iter()
                .any(|f| f.contains("w.json: it is of format 9"))
        );
        assert!(faults.iter().any(|f| f.contains("x.json: not an entry")));
    }
}
