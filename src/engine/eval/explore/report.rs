//! What explorations come to: kinds of items over tasks, system beside system.
//!
//! Invariant: intervals are by resampling lives, for the tasks of one life depend on each other.

use super::super::chart::{self, Line};
use super::super::paired::{Difference, mean_difference};
use super::super::plan::Setting;
use super::super::report::labelled;
use super::super::table::{ReportTable, piped};
use super::life::{ExploreRun, ExploredLife, ExploredTask};
use super::tasks::TASK_TICKS;
use pithead_core::text::numbers::count_with_noun;
use pithead_world::aids::SenseLevel;
use pithead_world::reports::Reports;
use serde::Serialize;

/// Raised when a field changes its meaning or goes away.
const SCHEMA: u32 = 1;
/// Rows of the table and points of the chart for each system; the JSON form has all tasks.
const ROWS_MAX: usize = 10;

/// What came of it; the JSON form is stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Exploration {
    pub schema: u32,
    pub version: &'static str,
    pub mind: String,
    pub controller: &'static str,
    /// How much the body tells of its failures.
    pub reports: Reports,
    #[serde(skip_serializing_if = "SenseLevel::is_scout")]
    pub senses: SenseLevel,
    pub seeds: String,
    pub tasks: usize,
    /// World time of one task.
    pub task_ticks: u64,
    /// False: it was interrupted, and lives are missing.
    pub complete: bool,
    pub systems: Vec<ExploredSystem>,
    /// Every two systems, in the order in which they were named.
    pub against: Vec<ItemsDifference>,
}

/// One system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExploredSystem {
    pub system: String,
    pub about: String,
    pub lives: usize,
    /// After each task; a life that found nothing left to try stays where it was.
    pub points: Vec<ExplorationPoint>,
}

/// All lives of a system after one task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplorationPoint {
    pub task: usize,
    /// Kinds of items held so far: the mean over lives with its interval.
    pub items: Difference,
    /// Percent of the tasks so far.
    pub success: f64,
    /// Mean per task so far.
    pub failed_attempts: f64,
    pub replans: f64,
    /// Mean number of active entries.
    pub knowledge: f64,
    /// Mean number of active rules.
    pub rules: f64,
    /// Mean number of attempts so far; each is an experience that can be recalled.
    pub experiences: f64,
}

/// One system minus another, life against life of the same seed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemsDifference {
    pub system: String,
    pub than: String,
    pub lives: usize,
    /// Kinds of items at the end.
    pub items: Difference,
    /// Tasks done.
    pub done: Difference,
}

impl Exploration {
    #[must_use]
    pub fn from_lives(run: &ExploreRun<'_>, lives: &[ExploredLife]) -> Self {
        let first = run.settings.first();
        let tasks = run.tasks as usize;
        let systems = run
            .settings
            .iter()
            .map(|setting| system(setting, tasks, lives));
        let names: Vec<&str> = run
            .settings
            .iter()
            .map(|s| s.profile.name.as_str())
            .collect();
        Self {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            mind: first.map_or_else(String::new, |s| labelled(&s.mind)),
            controller: first.map_or("", |s| s.world.aids.controller.name()),
            reports: first.map_or(Reports::Typed, |s| s.world.aids.reports),
            senses: first.map_or(SenseLevel::Scout, |s| s.world.aids.senses),
            seeds: run.seeds.to_string(),
            tasks,
            task_ticks: TASK_TICKS,
            complete: lives.len() as u64 == run.settings.len() as u64 * run.seeds.len(),
            systems: systems.collect(),
            against: against(&names, lives),
        }
    }

    /// For files that people read, and for the terminal.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "# Exploration\n\n{} a life, seeds {}, mind {}, controller {}, reports {}, senses {}; embedded world, not Minecraft.\n\
             Before each task the agent tries something new that it believes to be one step away from what it has had and seen. \
             Each task has a world of its own and {} ticks; knowledge and the errors of the mind last all life. \
             Intervals by resampling lives, 95 %.\n",
            count_with_noun(self.tasks, "self-chosen task", "self-chosen tasks"),
            self.seeds,
            self.mind,
            self.controller,
            self.reports.name(),
            self.senses.name(),
            self.task_ticks
        );
        if !self.complete {
            text += "Interrupted: lives are missing.\n";
        }
        text += &format!("\n{}", piped(&self.by_task()));
        if !self.against.is_empty() {
            text += "\nLife against life of the same seed.\n\n";
            text += &piped(&self.by_pair());
        }
        text
    }

    fn by_task(&self) -> ReportTable {
        let head = [
            "system",
            "lives",
            "tasks",
            "kinds of items",
            "95 %",
            "success",
            "failed attempts per task",
            "replans per task",
            "active entries",
            "rules",
            "experiences",
        ];
        let row = |system: &ExploredSystem, point: &ExplorationPoint| {
            let Difference { value, low, high } = point.items;
            vec![
                system.system.clone(),
                system.lives.to_string(),
                point.task.to_string(),
                format!("{value:.1}"),
                format!("{low:.1} to {high:.1}"),
                format!("{:.1}", point.success),
                format!("{:.2}", point.failed_attempts),
                format!("{:.2}", point.replans),
                format!("{:.0}", point.knowledge),
                format!("{:.1}", point.rules),
                format!("{:.0}", point.experiences),
            ]
        };
        let rows = self.systems.iter().flat_map(|system| {
            let points = shown(&system.points);
            points.map(move |point| row(system, point))
        });
        ReportTable {
            head: head.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        }
    }

    fn by_pair(&self) -> ReportTable {
        let head = [
            "system",
            "than",
            "lives",
            "kinds of items",
            "95 %",
            "tasks done",
            "95 %",
        ];
        let row = |a: &ItemsDifference| {
            let mut cells = vec![a.system.clone(), a.than.clone(), a.lives.to_string()];
            cells.extend(a.items.cells(1));
            cells.extend(a.done.cells(1));
            cells
        };
        ReportTable {
            head: head.map(str::to_owned).to_vec(),
            rows: self.against.iter().map(row).collect(),
        }
    }

    /// Kinds of items over tasks as an SVG.
    pub fn items_svg(&self) -> Result<String, String> {
        let line = |system: &ExploredSystem| Line {
            name: system.system.clone(),
            points: shown(&system.points)
                .map(|point| {
                    let Difference { value, low, high } = point.items;
                    (point.task as f64, value, Some((low, high)))
                })
                .collect(),
        };
        let lines: Vec<Line> = self.systems.iter().map(line).collect();
        let points = self.systems.iter().flat_map(|system| &system.points);
        let most = points.map(|point| point.items.high).fold(1.0, f64::max);
        chart::svg(("kinds of items", "self-chosen tasks"), most * 1.1, &lines)
    }
}

/// At most ten points at equal distances, the last one among them.
fn shown(points: &[ExplorationPoint]) -> impl Iterator<Item = &ExplorationPoint> {
    let every = points.len().div_ceil(ROWS_MAX).max(1);
    let is_shown = move |point: &&ExplorationPoint| {
        point.task.is_multiple_of(every) || point.task == points.len()
    };
    points.iter().filter(is_shown)
}

fn system(setting: &Setting, tasks: usize, lives: &[ExploredLife]) -> ExploredSystem {
    let name = &setting.profile.name;
    let own: Vec<&ExploredLife> = lives.iter().filter(|life| life.system == *name).collect();
    ExploredSystem {
        system: name.clone(),
        about: setting.profile.about.clone(),
        lives: own.len(),
        points: (1..=tasks).map(|task| point(task, &own)).collect(),
    }
}

fn point(task: usize, lives: &[&ExploredLife]) -> ExplorationPoint {
    let so_far: Vec<&[ExploredTask]> = lives
        .iter()
        .map(|life| &life.tasks[..task.min(life.tasks.len())])
        .collect();
    let last = |of: fn(&ExploredTask) -> u64| -> Vec<u64> {
        so_far
            .iter()
            .map(|tasks| tasks.last().map_or(0, of))
            .collect()
    };
    let items: Vec<(u64, u64)> = last(|task| task.items)
        .into_iter()
        .map(|n| (n, 0))
        .collect();
    let per_life = |sum: u64| sum as f64 / lives.len().max(1) as f64;
    let played: usize = so_far.iter().map(|tasks| tasks.len()).sum();
    let sum = |of: fn(&ExploredTask) -> u64| -> u64 {
        so_far.iter().flat_map(|tasks| tasks.iter()).map(of).sum()
    };
    let per_task = |of: fn(&ExploredTask) -> u64| sum(of) as f64 / played.max(1) as f64;
    ExplorationPoint {
        task,
        items: mean_difference(&items),
        success: 100.0 * per_task(|task| u64::from(task.success)),
        failed_attempts: per_task(|task| task.failed_attempts),
        replans: per_task(|task| task.replans),
        knowledge: per_life(last(|task| task.knowledge).iter().sum()),
        rules: per_life(last(|task| task.rules).iter().sum()),
        experiences: per_life(sum(|task| task.attempts)),
    }
}

fn against(systems: &[&str], lives: &[ExploredLife]) -> Vec<ItemsDifference> {
    let mut found = Vec::new();
    for (at, system) in systems.iter().enumerate() {
        for than in &systems[at + 1..] {
            let of = |name: &str, seed| {
                let mut lives = lives.iter();
                lives.find(|life| life.system == name && life.seed == seed)
            };
            let own = lives.iter().filter(|life| life.system == *system);
            let pairs: Vec<_> = own
                .filter_map(|one| Some((one, of(than, one.seed)?)))
                .collect();
            let counts = |count: fn(&ExploredLife) -> u64| {
                let counts: Vec<_> = pairs.iter().map(|(a, b)| (count(a), count(b))).collect();
                mean_difference(&counts)
            };
            found.push(ItemsDifference {
                system: (*system).to_owned(),
                than: (*than).to_owned(),
                lives: pairs.len(),
                items: counts(|life| life.tasks.last().map_or(0, |task| task.items)),
                done: counts(|life| life.tasks.iter().filter(|task| task.success).count() as u64),
            });
        }
    }
    found
}
