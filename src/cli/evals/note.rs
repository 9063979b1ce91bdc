//! Registers an evaluation beside the database, so that the console lists it.
//!
//! Invariant: an evaluation that cannot be registered runs all the same.

use crate::cli::output::print_stderr;
use crate::config;
use pithead_engine::eval::registry::{EntryLock, EvalKind, Registry, RegistryEntry, SCHEMA};
use pithead_engine::eval::{BaseLabel, HeldOut, Seeds, Strategy, TaskPattern};
use pithead_engine::suites::SuiteName;
use pithead_world::aids::WorldAids;
use pithead_world::clock::Clock;
use std::path::{Path, PathBuf};

/// What is registered.
#[derive(Debug)]
pub(in crate::cli) struct Noted<'a> {
    pub(in crate::cli) kind: EvalKind,
    /// The database as it was given.
    pub(in crate::cli) database: Option<&'a PathBuf>,
    pub(in crate::cli) folder: &'a Path,
    pub(in crate::cli) suite: SuiteName,
    pub(in crate::cli) tasks: Option<&'a TaskPattern>,
    pub(in crate::cli) seeds: Seeds,
    pub(in crate::cli) mind: &'a str,
    pub(in crate::cli) systems: Vec<String>,
    pub(in crate::cli) aids: WorldAids,
    pub(in crate::cli) learn: bool,
    pub(in crate::cli) base: Option<BaseLabel>,
    pub(in crate::cli) frozen: bool,
    pub(in crate::cli) hold_out: u8,
    pub(in crate::cli) own_worlds: bool,
    pub(in crate::cli) strategies: Vec<Strategy>,
    pub(in crate::cli) held_out: Option<HeldOut>,
    pub(in crate::cli) passes: u32,
    /// Episodes or lives that were finished before this start.
    pub(in crate::cli) found: usize,
}

/// Registers it; it counts as running as long as the lock is held.
pub(in crate::cli) fn register(noted: Noted<'_>) -> Option<EntryLock> {
    let attempt = || -> Result<EntryLock, String> {
        let database = config::database(noted.database.cloned()).map_err(|e| e.to_string())?;
        let folder = std::path::absolute(noted.folder).map_err(|e| e.to_string())?;
        let cwd = std::env::current_dir().map_err(|e| e.to_string())?;
        let typed = std::env::args().skip(1);
        let entry = RegistryEntry {
            schema: SCHEMA,
            kind: noted.kind,
            folder,
            cwd,
            command: std::iter::once("pithead".to_owned()).chain(typed).collect(),
            suite: noted.suite,
            tasks: noted.tasks.map(ToString::to_string),
            seeds: noted.seeds.to_string(),
            mind: noted.mind.to_owned(),
            systems: noted.systems,
            controller: noted.aids.controller,
            reports: noted.aids.reports,
            senses: noted.aids.senses,
            given: noted.aids.given.clone(),
            powers: noted.aids.powers,
            learn: noted.learn,
            base: noted.base,
            frozen: noted.frozen,
            hold_out: noted.hold_out,
            own_worlds: noted.own_worlds,
            strategies: noted.strategies,
            held_out: noted.held_out,
            passes: noted.passes,
            began: Clock::System.now(),
            found: noted.found as u64,
        };
        let put = Registry::beside(&database).register(&entry);
        put.map_err(|error| error.to_string())
    };
    attempt()
        .inspect_err(|because| {
            print_stderr(&format!(
                "the console will not list this evaluation: {because}"
            ));
        })
        .ok()
}
