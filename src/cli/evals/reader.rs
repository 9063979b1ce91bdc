//! Reads evaluations for the console and for `pithead evals`: cards first, then the folders that have changed.

use super::parts::{of_curve, of_suite};
use crate::config;
use pithead_console::screens::evaluate::{
    Ending, EpisodeRow, EvalId, Evaluation, Gazette, News, Rate, State,
};
use pithead_core::domain::run::budget::Budget;
use pithead_core::systems;
use pithead_engine::eval::registry::{EvalKind, ListedEntry, Registry, RegistryEntry};
use pithead_engine::eval::status::{self, EvalReport, EvalStatus, PlacedEpisode};
use pithead_engine::eval::{Ended, EvalPlan, Setting, Tally};
use pithead_engine::runtime::Keep;
use pithead_world::aids::WorldAids;
use pithead_world::clock::Clock;
use pithead_world::port::WorldSpec;
use pithead_world::rng::Streams;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Evaluations whose folders are looked into; older ones are left out.
const SHOWN_MAX: usize = 100;

/// Makes the reader of the console.
pub(crate) fn reader_for_console(database: &Path) -> Box<dyn Gazette> {
    Box::new(Reader::new(database))
}

/// Looks at the cards of a database, and into the folders that have changed.
#[derive(Debug)]
pub(super) struct Reader {
    registry: Registry,
    clock: Clock,
    cwd: Option<PathBuf>,
    /// What was found the last time, with what its files looked like.
    seen: Vec<(ListedEntry, Mark, Arc<Evaluation>)>,
    opened: Option<EvalId>,
    is_first: bool,
}

/// Length and time of change of the file or folder that grows.
type Mark = Option<(u64, Option<std::time::SystemTime>)>;

impl Reader {
    pub(super) fn new(database: &Path) -> Self {
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
                let episodes = episodes.map(|placed| row(entry, placed)).collect();
                (self.summary(found, entry, &status, &plan), episodes)
            }
            Err(because) => (broken(found, because), Vec::new()),
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
            name: name(entry, plan),
            mind: entry.mind.clone(),
            system: entry.systems.join(","),
            controller: entry.controller.name().to_owned(),
            state: match status.state(found.runs) {
                status::EvalState::Running => State::Running,
                status::EvalState::Finished => State::Finished,
                status::EvalState::Stopped => State::Stopped,
            },
            done: status.done,
            total: status.total,
            unit: match entry.kind {
                EvalKind::Suite => "episodes",
                EvalKind::Curve => "lives",
            },
            rate: rate(&status.overall),
            left_s: left_ms.map(|ms| ms / 1000),
            command: command(entry, self.cwd.as_deref()),
            folder: entry.folder.display().to_string(),
            journal: status::journal_path(entry).map(|path| quoted(&path.to_string_lossy())),
            parts: match &status.report {
                EvalReport::Suite(report) => of_suite(report),
                EvalReport::Curve(curve) => of_curve(curve),
            },
            faults: status.faults.clone(),
        }
    }
}

impl Gazette for Reader {
    fn look(&mut self, opened: Option<EvalId>) -> Result<Option<News>, String> {
        let mut all = self.registry.list().map_err(|error| error.to_string())?;
        all.truncate(SHOWN_MAX);
        let marked: Vec<(ListedEntry, Mark)> = all
            .into_iter()
            .map(|found| {
                let mark = mark(&found);
                (found, mark)
            })
            .collect();
        let is_same = marked.len() == self.seen.len()
            && marked
                .iter()
                .zip(&self.seen)
                .all(|((found, mark), (known, before, _))| found == known && mark == before);
        if is_same && opened == self.opened && !self.is_first {
            return Ok(None);
        }
        let is_newly_open = opened != self.opened;
        let (mut seen, mut news) = (Vec::new(), News::default());
        for (found, mark) in marked {
            let opens = opened == Some(EvalId(found.id));
            let known = self
                .seen
                .iter()
                .find(|(known, before, _)| *known == found && *before == mark);
            let evaluation = match known {
                Some((_, _, known)) if !(opens && is_newly_open) => Arc::clone(known),
                _ => {
                    let (evaluation, episodes) = self.read(&found, opens);
                    news.opened = opens
                        .then(|| (evaluation.id, Arc::new(episodes)))
                        .or(news.opened);
                    Arc::new(evaluation)
                }
            };
            news.evaluations.push(Arc::clone(&evaluation));
            seen.push((found, mark, evaluation));
        }
        (self.seen, self.opened, self.is_first) = (seen, opened, false);
        Ok(Some(news))
    }
}

fn mark(found: &ListedEntry) -> Mark {
    let entry = found.entry.as_ref().ok()?;
    let file = std::fs::metadata(status::growing_path(entry)).ok()?;
    Some((file.len(), file.modified().ok()))
}

/// What the command line would have made of the card.
fn settings(entry: &RegistryEntry) -> Result<Vec<Setting>, String> {
    let setting = |name: &String| {
        Ok(Setting {
            suite: entry.suite.suite(),
            mind: entry.mind.clone(),
            profile: systems::named(name).map_err(|error| error.to_string())?,
            world: WorldSpec {
                kind: config::VOXEL.to_owned(),
                seed: 0, // each episode has its own
                frame_ticks: config::FRAME_TICKS,
                aids: WorldAids {
                    biome: None,
                    controller: entry.controller,
                },
            },
            learn: entry.learn,
            keep: Keep::Attempts,
            // What is past costs nothing.
            budget: Budget::default(),
        })
    };
    entry.systems.iter().map(setting).collect()
}

fn broken(found: &ListedEntry, because: String) -> Evaluation {
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
        state: State::Broken,
        done: 0,
        total: 0,
        unit: "episodes",
        rate: None,
        left_s: None,
        command: String::new(),
        folder: folder.unwrap_or_default(),
        journal: None,
        parts: Vec::new(),
        faults: vec![because],
    }
}

/// `mcu70/iron/* · seeds 1..20 · 16 tasks · shared knowledge`
fn name(entry: &RegistryEntry, plan: &EvalPlan) -> String {
    let suite = entry.suite.name();
    let mut name = match &entry.tasks {
        // Most patterns name their suite.
        Some(pattern) if pattern.starts_with(suite) => pattern.clone(),
        Some(pattern) => format!("{suite} {pattern}"),
        None => suite.to_owned(),
    };
    name += &format!(" · seeds {} · {} tasks", plan.seeds, plan.tasks.len());
    match (entry.kind, entry.learn) {
        (EvalKind::Curve, _) => name += &format!(" · curve, {} passes", entry.passes),
        (EvalKind::Suite, true) => name += " · shared knowledge",
        (EvalKind::Suite, false) => (),
    }
    name
}

fn rate(tally: &Tally) -> Option<Rate> {
    tally.rate.map(|rate| Rate {
        rate,
        low: tally.wilson95.low,
        high: tally.wilson95.high,
    })
}

/// The command in full; from another folder the way there goes before it.
fn command(entry: &RegistryEntry, cwd: Option<&Path>) -> String {
    let words: Vec<String> = entry.command.iter().map(|word| quoted(word)).collect();
    let words = words.join(" ");
    if cwd == Some(entry.cwd.as_path()) {
        words
    } else {
        format!("cd {} && {words}", quoted(&entry.cwd.to_string_lossy()))
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn row(entry: &RegistryEntry, placed: &PlacedEpisode) -> EpisodeRow {
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
            (true, _) => Ending::Success,
            (false, Ended::Void) => Ending::Void,
            (false, _) => Ending::Failure,
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

    fn entry(folder: &Path) -> RegistryEntry {
        RegistryEntry {
            schema: pithead_engine::eval::registry::SCHEMA,
            kind: EvalKind::Suite,
            folder: folder.to_path_buf(),
            cwd: PathBuf::from("/some where"),
            command: ["pithead", "eval", "--tasks", "mcu70/iron/*"]
                .map(str::to_owned)
                .to_vec(),
            suite: pithead_engine::suites::SuiteName::Mcu70,
            tasks: Some("mcu70/wooden/0[12]".to_owned()),
            seeds: "1..2".to_owned(),
            mind: "builtin:expert".to_owned(),
            systems: vec![systems::DEFAULT.to_owned()],
            controller: pithead_world::aids::Controller::Scripted,
            learn: false,
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
        let tasks = &pithead_engine::suites::SuiteName::Mcu70.suite().tasks;
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
    fn what_is_under_way_is_told_once_and_again_when_it_has_grown() {
        let home = tempfile::tempdir().unwrap();
        let (database, folder) = (home.path().join("p.db"), home.path().join("a"));
        let mut reader = Reader::new(&database);
        let none = reader.look(None).unwrap().unwrap();
        assert!(none.evaluations.is_empty());
        assert!(reader.look(None).unwrap().is_none(), "nothing has changed");
        ledger(&folder, 1);
        let lock = Registry::beside(&database)
            .register(&entry(&folder))
            .unwrap();
        let news = reader.look(None).unwrap().unwrap();
        let first = Arc::clone(&news.evaluations[0]);
        assert_eq!(
            (first.state, first.done, first.total),
            (State::Running, 1, 4)
        );
        assert!(first.left_s.is_some() && news.opened.is_none());
        assert!(reader.look(None).unwrap().is_none());
        let opened = reader
            .look(Some(first.id))
            .unwrap()
            .unwrap()
            .opened
            .unwrap();
        assert_eq!((opened.0, opened.1.len()), (first.id, 1));
        ledger(&folder, 3);
        let news = reader.look(Some(first.id)).unwrap().unwrap();
        assert_eq!(news.evaluations[0].done, 3);
        assert_eq!(news.opened.unwrap().1[2].ending, Ending::Failure);
        drop(lock);
        let news = reader.look(Some(first.id)).unwrap().unwrap();
        let stopped = &news.evaluations[0];
        assert_eq!(stopped.state, State::Stopped);
        assert_eq!(
            stopped.command,
            "cd '/some where' && pithead eval --tasks 'mcu70/iron/*'"
        );
        ledger(&folder, 4);
        let news = reader.look(None).unwrap().unwrap();
        assert_eq!(news.evaluations[0].state, State::Finished);
    }

    #[test]
    fn a_card_that_asks_for_what_is_not_there_is_one_broken_line() {
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
            let news = Reader::new(&database).look(None).unwrap().unwrap();
            assert_eq!(news.evaluations.len(), n + 1);
            assert!(news.evaluations.iter().all(|e| e.state == State::Broken));
        }
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(
            (quoted(""), quoted("--out=x/y")),
            ("''".to_owned(), "--out=x/y".to_owned())
        );
    }
}
