//! The status of an evaluation: how far it is and its results so far, read from its folder by other processes.
//!
//! Nothing is locked and nothing is written. Invariant: what cannot be read is reported and never counted.

use super::curve::Curve;
use super::episode::Episode;
use super::listing::EvalState;
use super::lives::{self, Life};
use super::plan::{EvalPlan, Setting};
use super::registry::{EvalKind, RegistryEntry};
use super::report::Report;
use super::stats::{Tally, tally};
use super::{results, workers};
use pithead_world::clock::Millis;
use std::path::{Path, PathBuf};

/// How far an evaluation is, and its results so far.
#[derive(Debug, Clone)]
pub struct EvalStatus {
    /// Episodes of a suite, lives of a curve.
    pub done: u64,
    pub total: u64,
    pub overall: Tally,
    pub report: EvalReport,
    pub episodes: Vec<PlacedEpisode>,
    pub faults: Vec<String>,
}

/// The results so far, as the report that the finished evaluation would give.
#[derive(Debug, Clone)]
pub enum EvalReport {
    Suite(Box<Report>),
    Curve(Box<Curve>),
}

/// An episode with its place in the evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedEpisode {
    pub system: String,
    /// From 1; the world of a later pass is another one.
    pub pass: usize,
    pub life: u64,
    pub episode: Episode,
}

impl EvalStatus {
    /// Reads the folder. There is one setting for each system of the entry.
    #[must_use]
    pub fn read_from_folder(entry: &RegistryEntry, settings: &[Setting], plan: &EvalPlan) -> Self {
        match (entry.kind, settings) {
            (EvalKind::Suite, [setting, ..]) => suite_status(&entry.folder, setting, plan),
            (EvalKind::Curve, _) | (EvalKind::Suite, []) => curve_status(entry, settings, plan),
        }
    }

    #[must_use]
    pub fn state(&self, runs: bool) -> EvalState {
        // The lock decides first: a running evaluation may be writing its last line.
        match (runs, self.done >= self.total) {
            (true, _) => EvalState::Running,
            (false, true) => EvalState::Finished,
            (false, false) => EvalState::Stopped,
        }
    }

    /// Milliseconds left, judged by what was done since the last start.
    #[must_use]
    pub fn left_ms(&self, entry: &RegistryEntry, now: Millis) -> Option<u64> {
        // None until something is done since the start: there is no rate yet.
        let fresh = self.done.checked_sub(entry.found).filter(|n| *n > 0)?;
        let each = now.since(entry.began) as f64 / fresh as f64;
        Some((each * self.total.saturating_sub(self.done) as f64) as u64)
    }
}

/// The file or folder that grows with the results: if it has not changed, there is nothing new to read.
#[must_use]
pub fn growing_path(entry: &RegistryEntry) -> PathBuf {
    entry.folder.join(match entry.kind {
        EvalKind::Suite => results::RESULTS_FILE,
        EvalKind::Curve => lives::LIVES_FOLDER,
    })
}

/// The database of the episodes' runs; lives keep none.
#[must_use]
pub fn journal_path(entry: &RegistryEntry) -> Option<PathBuf> {
    (entry.kind == EvalKind::Suite).then(|| entry.folder.join(results::JOURNAL_FILE))
}

fn suite_status(folder: &Path, setting: &Setting, plan: &EvalPlan) -> EvalStatus {
    let results::PartialResults { episodes, faults } = results::read_without_lock(folder, setting);
    let played = workers::episodes_of_plan(plan, &episodes);
    let report = Report::from_episodes(setting, plan, &played);
    let placed = |episode: Episode| PlacedEpisode {
        system: setting.profile.name.clone(),
        pass: 1,
        life: episode.seed,
        episode,
    };
    EvalStatus {
        done: played.len() as u64,
        total: plan.len() as u64,
        overall: report.overall.clone(),
        report: EvalReport::Suite(Box::new(report)),
        episodes: played.into_iter().map(placed).collect(),
        faults,
    }
}

fn curve_status(entry: &RegistryEntry, settings: &[Setting], plan: &EvalPlan) -> EvalStatus {
    let (lives, faults) = lives::lives_in_folder(entry, settings, plan);
    let curve = Curve::from_lives(settings, plan, entry.held_out, &lives);
    let episodes: Vec<PlacedEpisode> = lives.iter().flat_map(placed).collect();
    EvalStatus {
        done: lives.len() as u64,
        // A life is a system and a seed.
        total: settings.len() as u64 * plan.seeds.len(),
        overall: tally(episodes.iter().map(|placed| &placed.episode)),
        report: EvalReport::Curve(Box::new(curve)),
        episodes,
        faults,
    }
}

fn placed(life: &Life) -> impl Iterator<Item = PlacedEpisode> + '_ {
    (1..).zip(&life.passes).flat_map(move |(pass, played)| {
        played.episodes.iter().map(move |episode| PlacedEpisode {
            system: life.system.clone(),
            pass,
            life: life.seed,
            episode: episode.clone(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::setting;
    use super::*;

    use crate::eval::registry::SCHEMA;

    use crate::suites::SuiteName;
    use pithead_core::systems;
    use pithead_world::aids::Controller;

    fn entry(kind: EvalKind, folder: &Path) -> RegistryEntry {
        RegistryEntry {
            schema: SCHEMA,
            kind,
            folder: folder.to_path_buf(),
            cwd: PathBuf::from("/"),
            command: Vec::new(),
            suite: SuiteName::Mcu70,
            tasks: Some("mcu70/wooden/0[12]".to_owned()),
            seeds: "1..2".to_owned(),
            mind: "builtin:expert".to_owned(),
            systems: vec![systems::DEFAULT.to_owned()],
            controller: Controller::Scripted,
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
            began: Millis(1_000),
            found: 1,
        }
    }

    fn settings() -> Vec<Setting> {
        vec![setting(SuiteName::Mcu70)]
    }

    fn episode(task: usize, seed: u64, success: bool) -> String {
        let task = &SuiteName::Mcu70.suite().tasks[task];
        let mut episode = Episode::unplayed(task, seed, seed);
        (episode.success, episode.ended) = (success, super::super::episode::Ended::Success);
        serde_json::to_string(&episode).unwrap()
    }

    #[test]
    fn results_that_are_being_written_count_whole_lines_and_report_bad_ones() {
        let home = tempfile::tempdir().unwrap();
        let entry = entry(EvalKind::Suite, home.path());
        let head = "{\"schema\":1,\"version\":\"V\",\"suite\":\"mcu70\",\"mind\":\"builtin:expert\",\"system\":\"S\",\
                    \"controller\":\"scripted\",\"learn\":false}"
            .replace('V', env!("CARGO_PKG_VERSION"))
            .replace("\"S\"", &format!("\"{}\"", systems::DEFAULT));
        let lines = [
            head,
            episode(0, 1, true),
            "{\"task\": 7}".to_owned(),
            episode(1, 1, false),
            episode(0, 2, true)[..40].to_owned(),
        ];
        std::fs::write(growing_path(&entry), lines.join("\n")).unwrap();
        let plan = entry.plan().unwrap();
        let status = EvalStatus::read_from_folder(&entry, &settings(), &plan);
        assert_eq!((status.done, status.total), (2, 4));
        assert_eq!((status.overall.successes, status.overall.episodes), (1, 2));
        assert_eq!(status.faults.len(), 1, "{:?}", status.faults);
        assert!(status.faults[0].starts_with("line 3 of "));
        assert_eq!(
            (status.state(true), status.state(false)),
            (EvalState::Running, EvalState::Stopped)
        );
        // One episode in ten seconds since the last start: two are left.
        assert_eq!(status.left_ms(&entry, Millis(11_000)), Some(20_000));
        let fresh = RegistryEntry { found: 2, ..entry };
        assert_eq!(status.left_ms(&fresh, Millis(11_000)), None);
    }

    #[test]
    fn a_missing_folder_and_results_of_another_setting_are_reported() {
        let home = tempfile::tempdir().unwrap();
        let entry = entry(EvalKind::Suite, home.path());
        let plan = entry.plan().unwrap();
        let gone = EvalStatus::read_from_folder(&entry, &settings(), &plan);
        assert_eq!((gone.done, gone.faults.len()), (0, 1));
        let head = "{\"schema\":1,\"version\":\"0\",\"suite\":\"mcu70\",\"mind\":\"m\",\"system\":\"s\",\
                    \"controller\":\"scripted\",\"learn\":false}\n";
        std::fs::write(growing_path(&entry), head).unwrap();
        let other = EvalStatus::read_from_folder(&entry, &settings(), &plan);
        assert!(
            other.faults[0].contains("its version is 0"),
            "{:?}",
            other.faults
        );
    }

    #[test]
    fn a_curve_counts_finished_lives_and_reports_those_of_other_evaluations() {
        let home = tempfile::tempdir().unwrap();
        let entry = entry(EvalKind::Curve, home.path());
        let plan = entry.plan().unwrap();
        std::fs::create_dir(growing_path(&entry)).unwrap();
        let life = Life::sample(systems::DEFAULT, 1, 3, 2);
        let path = growing_path(&entry).join(format!("{}-1.json", systems::DEFAULT));
        std::fs::write(&path, serde_json::to_string(&life).unwrap()).unwrap();
        let status = EvalStatus::read_from_folder(&entry, &settings(), &plan);
        assert_eq!((status.done, status.total), (0, 2));
        assert!(status.faults[0].contains("is of another evaluation"));
        assert!(journal_path(&entry).is_none());
    }
}
