//! Suites: the published sets of tasks, as data with their doubts kept visible.
//!
//! Success is exact items and counts; what no check can see is said, not guessed. Running them is
//! for `eval`. Invariant: every file of data/ reads, and every item it names exists.

#[cfg(test)]
mod tests;

use pithead_core::domain::check::Check;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::budget::Budget;
use pithead_world::aids::WorldAids;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Which published set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuiteName {
    Mcu70,
    Deps71,
    Metagent50,
    Gitm262,
    Parallel,
    Blueprints,
}

impl SuiteName {
    pub const ALL: [Self; 6] = [
        Self::Mcu70,
        Self::Deps71,
        Self::Metagent50,
        Self::Gitm262,
        Self::Parallel,
        Self::Blueprints,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mcu70 => "mcu70",
            Self::Deps71 => "deps71",
            Self::Metagent50 => "metagent50",
            Self::Gitm262 => "gitm262",
            Self::Parallel => "parallel",
            Self::Blueprints => "blueprints",
        }
    }

    /// The suite itself.
    #[must_use]
    pub fn suite(self) -> &'static Suite {
        // In the order of `SUITES`.
        &SUITES[self as usize]
    }
}

impl std::str::FromStr for SuiteName {
    type Err = UnknownSuite;

    fn from_str(text: &str) -> Result<Self, UnknownSuite> {
        let found = Self::ALL.into_iter().find(|suite| suite.name() == text);
        found.ok_or_else(|| UnknownSuite {
            given: text.to_owned(),
        })
    }
}

/// The task of a published set that has this id; none if the text is no id of a set.
pub fn task_of_id(id: &str) -> Result<Option<&'static SuiteTask>, UnknownTask> {
    let suite = id.split_once('/').and_then(|(name, _)| name.parse().ok());
    let Some(suite): Option<SuiteName> = suite else {
        return Ok(None);
    };
    let found = suite.suite().tasks.iter().find(|task| task.id == id);
    let unknown = || UnknownTask {
        given: id.to_owned(),
        suite: suite.name(),
    };
    found.map(Some).ok_or_else(unknown)
}

/// A suite has no such task.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{suite} has no task `{given}`; `pithead tasks --suite {suite}` lists those that it has")]
pub struct UnknownTask {
    pub given: String,
    pub suite: &'static str,
}

/// No suite has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown suite `{given}`; there are {}", SuiteName::ALL.map(SuiteName::name).join(", "))]
pub struct UnknownSuite {
    pub given: String,
}

/// A published set of tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suite {
    pub name: SuiteName,
    pub title: String,
    /// Where names and figures are from.
    pub source: String,
    /// What is uncertain about the set as a whole.
    pub doubts: Vec<String>,
    pub tasks: Vec<SuiteTask>,
}

/// Help that is declared, and shown with every result.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskAids {
    /// The run begins in this biome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub biome: Option<String>,
    /// What the body begins with.
    #[serde(default, skip_serializing_if = "Counts::is_empty")]
    pub given: Counts,
}

impl TaskAids {
    /// The world with what the task declares; help that was asked for besides stays.
    pub fn help(&self, world: &mut WorldAids) {
        world.biome.clone_from(&self.biome);
        for (item, count) in self.given.iter() {
            world.given.add(item, count);
        }
    }
}

/// One task of a suite.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SuiteTask {
    /// `mcu70/stone/08`; never changes.
    pub id: String,
    /// The words given to the agent.
    pub instruction: String,
    pub group: String,
    /// Any one of these lists, all of its checks: success. The first is what the agent is sent for, unless it is sent
    /// for `any`.
    pub success: Vec<Vec<Check>>,
    /// The agent is told of all the lists, and one is enough.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub any: bool,
    /// What the body holds in the end, the first is what the agent is sent for.
    pub accept: Vec<ItemSpec>,
    pub count: u32,
    pub budget_ticks: u64,
    pub aids: TaskAids,
    /// Whether an unmodified 1.16.5 Overworld allows it as worded, or why not.
    #[serde(serialize_with = "as_verdict", rename = "infeasible")]
    pub feasible: Result<(), String>,
    /// What beyond ordinary gathering it rests on.
    pub needs: Vec<String>,
    /// A part of the wording that no check sees.
    pub unseen: Option<String>,
    /// False: the checks would take a precursor for success, so a run of it must not be counted.
    pub decidable: bool,
    pub doubts: Vec<String>,
}

fn as_verdict<S: serde::Serializer>(
    feasible: &Result<(), String>,
    to: S,
) -> Result<S::Ok, S::Error> {
    feasible.as_ref().err().serialize(to)
}

impl SuiteTask {
    /// What the agent is given.
    #[must_use]
    pub fn task(&self) -> Task {
        let told = if self.any { self.success.len() } else { 1 };
        Task {
            text: self.instruction.clone(),
            goal: self.accept[0],
            count: self.count,
            success: self.success[..told].concat(),
            any: self.any,
            note: None,
            blueprints: Vec::new(), // the suites build by those of the program
        }
    }

    /// What a run of it may spend; questions to the mind are not what the papers limit.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget {
            ticks: self.budget_ticks,
            ..Budget::default()
        }
    }
}

/// A file of data/ as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SuiteFile {
    suite: SuiteName,
    title: String,
    source: String,
    doubts: Vec<String>,
    groups: BTreeMap<String, GroupRow>,
    tasks: Vec<TaskRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupRow {
    #[serde(default)]
    title: Option<String>,
    horizon_ticks: u64,
    aids: TaskAids,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskRow {
    id: String,
    instruction: String,
    group: String,
    /// Without any the instruction itself names what is wanted, several things at once.
    #[serde(default)]
    accept: Vec<ItemSpec>,
    #[serde(default = "default_count")]
    count: u32,
    budget_ticks: u64,
    /// Taken out of a furnace, not only had.
    #[serde(default)]
    smelted: bool,
    #[serde(default)]
    needs: Vec<String>,
    unseen: Option<String>,
    /// No check can tell success from a precursor.
    #[serde(default)]
    blind: bool,
    infeasible: Option<String>,
    #[serde(default)]
    doubts: Vec<String>,
}

fn default_count() -> u32 {
    1
}

/// Read at the first use: most commands need none.
static SUITES: LazyLock<[Suite; 6]> = LazyLock::new(|| {
    [
        parse_suite(include_str!("data/mcu70.json")),
        parse_suite(include_str!("data/deps71.json")),
        parse_suite(include_str!("data/metagent50.json")),
        parse_suite(include_str!("data/gitm262.json")),
        parse_suite(include_str!("data/parallel.json")),
        parse_suite(include_str!("data/blueprints.json")),
    ]
});

/// # Panics
/// If a file compiled into the program is malformed; a test reads them all.
fn parse_suite(text: &str) -> Suite {
    let file: SuiteFile =
        serde_json::from_str(text).expect("the suites compiled in read; a test reads them");
    let SuiteFile {
        suite,
        title,
        source,
        doubts,
        groups,
        tasks,
    } = file;
    let tasks = tasks
        .into_iter()
        .map(|row| task_from_row(row, &groups))
        .collect();
    Suite {
        name: suite,
        title,
        source,
        doubts,
        tasks,
    }
}

fn task_from_row(row: TaskRow, groups: &BTreeMap<String, GroupRow>) -> SuiteTask {
    let known = groups.get(&row.group);
    let group = known
        .and_then(|group| group.title.as_ref())
        .map(|title| format!("{} {title}", row.group));
    let Wanted {
        accept,
        count,
        success,
        any,
    } = wanted(&row);
    // A task's budget is that of its group; stated twice in the files.
    debug_assert!(known.is_none_or(|group| group.horizon_ticks == row.budget_ticks));
    SuiteTask {
        success,
        any,
        group: group.unwrap_or(row.group),
        aids: known.map(|group| group.aids.clone()).unwrap_or_default(),
        feasible: row.infeasible.map_or(Ok(()), Err),
        id: row.id,
        instruction: row.instruction,
        accept,
        count,
        budget_ticks: row.budget_ticks,
        needs: row.needs,
        unseen: row.unseen,
        decidable: !row.blind,
        doubts: row.doubts,
    }
}

/// What a row asks for.
struct Wanted {
    accept: Vec<ItemSpec>,
    count: u32,
    success: Vec<Vec<Check>>,
    any: bool,
}

fn wanted(row: &TaskRow) -> Wanted {
    if row.accept.is_empty() {
        let task = Task::parse(&row.instruction);
        let task = task.expect("the suites compiled in read; a test reads them");
        let items = task.success.iter().filter_map(|check| match check {
            Check::InvGe { item, .. } => Some(*item),
            _ => None,
        });
        let items: Vec<ItemSpec> = items.collect();
        return Wanted {
            // A building is no item; its material stands for it.
            accept: if items.is_empty() {
                vec![task.goal]
            } else {
                items
            },
            count: task.count,
            success: if task.any {
                task.success.into_iter().map(|check| vec![check]).collect()
            } else {
                vec![task.success]
            },
            any: task.any,
        };
    }
    let checks = row.accept.iter();
    Wanted {
        accept: row.accept.clone(),
        count: row.count,
        success: checks
            .map(|item| success_checks(*item, row.count, row.smelted))
            .collect(),
        any: false,
    }
}

fn success_checks(item: ItemSpec, count: u32, smelted: bool) -> Vec<Check> {
    let mut success_checks = vec![Check::InvGe { item, count }];
    // Had is not enough: it could have been found.
    if smelted {
        success_checks.push(Check::CraftedGe { item, count });
    }
    success_checks
}
