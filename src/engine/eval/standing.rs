//! Standings: how far an evaluation is and what it comes to so far, read from its folder by who looks on.
//!
//! Nothing is locked and nothing is written. Invariant: what cannot be read is told and never counted.

use super::card::{Card, Kind};
use super::curve::Curve;
use super::episode::Episode;
use super::life::{self, Life};
use super::plan::{Plan, Setting};
use super::report::Report;
use super::stats::{Tally, tally};
use super::{crew, ledger};
use pithead_world::clock::Millis;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// An evaluation, as far as it is.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Episodes of a suite, lives of a curve.
    pub done: u64,
    pub total: u64,
    pub overall: Tally,
    pub results: Results,
    pub episodes: Vec<Placed>,
    pub faults: Vec<String>,
}

/// What it comes to.
#[derive(Debug, Clone)]
pub enum Results {
    Suite(Box<Report>),
    Curve(Box<Curve>),
}

/// An episode with where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub system: String,
    /// From 1; the world of a later pass is another one.
    pub pass: usize,
    pub life: u64,
    pub episode: Episode,
}

/// Whether somebody is at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Running,
    Finished,
    /// Broken off; the same command goes on.
    Stopped,
}

impl Standing {
    /// Looks into the folder. The settings are one for each system of the card.
    #[must_use]
    pub fn of(card: &Card, settings: &[Setting], plan: &Plan) -> Self {
        match (card.kind, settings) {
            (Kind::Suite, [setting, ..]) => of_suite(&card.folder, setting, plan),
            (Kind::Curve, _) | (Kind::Suite, []) => of_curve(card, settings, plan),
        }
    }

    #[must_use]
    pub fn state(&self, runs: bool) -> State {
        match (runs, self.done >= self.total) {
            (true, _) => State::Running,
            (false, true) => State::Finished,
            (false, false) => State::Stopped,
        }
    }

    /// Milliseconds that are left, by what has been done since it was last begun.
    #[must_use]
    pub fn left_ms(&self, card: &Card, now: Millis) -> Option<u64> {
        let fresh = self.done.checked_sub(card.found).filter(|n| *n > 0)?;
        let each = now.since(card.began) as f64 / fresh as f64;
        Some((each * self.total.saturating_sub(self.done) as f64) as u64)
    }
}

/// The files whose change says that there is more to read.
#[must_use]
pub fn watched(card: &Card) -> PathBuf {
    card.folder.join(match card.kind {
        Kind::Suite => ledger::LEDGER,
        Kind::Curve => life::LIVES,
    })
}

/// The database of the episodes' runs; lives keep none.
#[must_use]
pub fn journal(card: &Card) -> Option<PathBuf> {
    (card.kind == Kind::Suite).then(|| card.folder.join(ledger::JOURNAL))
}

fn of_suite(folder: &Path, setting: &Setting, plan: &Plan) -> Standing {
    let ledger::Looked { episodes, faults } = ledger::look(folder, setting);
    let played = crew::of_plan(plan, &episodes);
    let report = Report::of(setting, plan, &played);
    let placed = |episode: Episode| Placed {
        system: setting.profile.name.clone(),
        pass: 1,
        life: episode.seed,
        episode,
    };
    Standing {
        done: played.len() as u64,
        total: plan.len() as u64,
        overall: report.overall.clone(),
        results: Results::Suite(Box::new(report)),
        episodes: played.into_iter().map(placed).collect(),
        faults,
    }
}

fn of_curve(card: &Card, settings: &[Setting], plan: &Plan) -> Standing {
    let (lives, faults) = life::look(&card.folder, settings, plan, card.passes);
    let curve = Curve::of(settings, plan, &lives);
    let episodes: Vec<Placed> = lives.iter().flat_map(placed).collect();
    Standing {
        done: lives.len() as u64,
        total: settings.len() as u64 * plan.seeds.len(),
        overall: tally(episodes.iter().map(|placed| &placed.episode)),
        results: Results::Curve(Box::new(curve)),
        episodes,
        faults,
    }
}

fn placed(life: &Life) -> impl Iterator<Item = Placed> + '_ {
    (1..).zip(&life.passes).flat_map(move |(pass, played)| {
        played.episodes.iter().map(move |episode| Placed {
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

    use crate::eval::card::SCHEMA;

    use crate::suites::SuiteName;
    use pithead_core::systems;
    use pithead_world::aids::Controller;

    fn card(kind: Kind, folder: &Path) -> Card {
        Card {
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
            learn: false,
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
        let mut episode = Episode::of(task, seed, seed);
        (episode.success, episode.ended) = (success, super::super::episode::Ended::Success);
        serde_json::to_string(&episode).unwrap()
    }

    #[test]
    fn a_ledger_that_is_being_written_counts_whole_lines_and_tells_bad_ones() {
        let home = tempfile::tempdir().unwrap();
        let card = card(Kind::Suite, home.path());
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
        std::fs::write(watched(&card), lines.join("\n")).unwrap();
        let plan = card.plan().unwrap();
        let standing = Standing::of(&card, &settings(), &plan);
        assert_eq!((standing.done, standing.total), (2, 4));
        assert_eq!(
            (standing.overall.successes, standing.overall.episodes),
            (1, 2)
        );
        assert_eq!(standing.faults.len(), 1, "{:?}", standing.faults);
        assert!(standing.faults[0].starts_with("line 3 of "));
        assert_eq!(
            (standing.state(true), standing.state(false)),
            (State::Running, State::Stopped)
        );
        // One episode in ten seconds since it went on: two are left.
        assert_eq!(standing.left_ms(&card, Millis(11_000)), Some(20_000));
        let fresh = Card { found: 2, ..card };
        assert_eq!(standing.left_ms(&fresh, Millis(11_000)), None);
    }

    #[test]
    fn a_folder_that_is_gone_and_a_ledger_of_another_setting_are_told() {
        let home = tempfile::tempdir().unwrap();
        let card = card(Kind::Suite, home.path());
        let plan = card.plan().unwrap();
        let gone = Standing::of(&card, &settings(), &plan);
        assert_eq!((gone.done, gone.faults.len()), (0, 1));
        let head = "{\"schema\":1,\"version\":\"0\",\"suite\":\"mcu70\",\"mind\":\"m\",\"system\":\"s\",\
                    \"controller\":\"scripted\",\"learn\":false}\n";
        std::fs::write(watched(&card), head).unwrap();
        let other = Standing::of(&card, &settings(), &plan);
        assert!(
            other.faults[0].contains("its version is 0"),
            "{:?}",
            other.faults
        );
    }

    #[test]
    fn a_curve_counts_finished_lives_and_tells_foreign_ones() {
        let home = tempfile::tempdir().unwrap();
        let card = card(Kind::Curve, home.path());
        let plan = card.plan().unwrap();
        std::fs::create_dir(watched(&card)).unwrap();
        let life = Life::sample(systems::DEFAULT, 1, 3, 2);
        let path = watched(&card).join(format!("{}-1.json", systems::DEFAULT));
        std::fs::write(&path, serde_json::to_string(&life).unwrap()).unwrap();
        let standing = Standing::of(&card, &settings(), &plan);
        assert_eq!((standing.done, standing.total), (0, 2));
        assert!(standing.faults[0].contains("is of another evaluation"));
        assert!(journal(&card).is_none());
    }
}
