//! Reports: what an evaluation found, as one document; the JSON form is stable.
//!
//! It holds no wall time and no numbers of runs, so that the same evaluation gives the same report.

use super::base::BaseLabel;
use super::episode::{Ended, Episode};
use super::plan::{EvalPlan, LeftOut, Setting};
use super::published::{self, Published};
use super::stats::{Tally, tally};
use super::table::{self, ReportTable};
use pithead_core::domain::mind::spending::Spending;
use serde::Serialize;

/// Raised when a field changes its meaning or goes away.
const SCHEMA: u32 = 1;

/// One evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    pub schema: u32,
    pub version: &'static str,
    pub suite: &'static str,
    pub title: String,
    pub source: String,
    pub tasks: usize,
    pub pattern: Option<String>,
    pub seeds: String,
    /// Each episode had a world and wrong beliefs of its own; otherwise the tasks of a seed shared both.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_worlds: bool,
    pub mind: String,
    pub system: String,
    pub controller: &'static str,
    /// `alone`: each episode begins without knowledge; `shared`: all learn in one base, in order.
    pub knowledge: &'static str,
    /// What each episode, or with shared knowledge the first, began with; none if nothing was known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<BaseLabel>,
    /// The episodes learned nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub frozen: bool,
    /// The percentage with which each entry was withheld from an episode.
    #[serde(skip_serializing_if = "super::plan::is_no_hold_out")]
    pub hold_out: u8,
    /// What helps, and what is simulated.
    pub aids: Vec<String>,
    /// False: it was interrupted, and episodes are missing.
    pub complete: bool,
    pub overall: Tally,
    /// The rate if each task left out counts as a failure on every seed, percent.
    pub rate_of_all: Option<f64>,
    pub groups: Vec<GroupResult>,
    pub by_task: Vec<TaskResult>,
    pub left_out: Vec<LeftOut>,
    pub published: Vec<Published>,
    pub doubts: Vec<String>,
    /// What the mind took over all starts of this evaluation; none if it costs nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spending: Option<Spending>,
}

/// One group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupResult {
    pub group: String,
    pub tasks: usize,
    pub left_out: usize,
    #[serde(flatten)]
    pub tally: Tally,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskResult {
    pub task: String,
    pub instruction: String,
    #[serde(flatten)]
    pub tally: Tally,
    /// Of the episodes without success, the commonest last failure or end.
    pub obstacle: Option<String>,
}

impl Report {
    /// The report of the plan's episodes.
    #[must_use]
    pub fn from_episodes(setting: &Setting, plan: &EvalPlan, episodes: &[Episode]) -> Self {
        let suite = setting.suite;
        let overall = tally(episodes.iter());
        let seeds = plan.seeds.len();
        let all = overall.episodes + plan.left_out.len() as u64 * seeds;
        let rate_of_all = (all > 0).then(|| 100.0 * overall.successes as f64 / all as f64);
        Self {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            suite: suite.name.name(),
            title: suite.title.clone(),
            source: suite.source.clone(),
            tasks: plan.tasks.len(),
            pattern: plan.pattern.clone(),
            seeds: plan.seeds.to_string(),
            own_worlds: plan.own_worlds,
            mind: labelled(&setting.mind),
            system: setting.profile.name.clone(),
            controller: setting.world.aids.controller.name(),
            knowledge: if setting.learn { "shared" } else { "alone" },
            base: setting.base.as_ref().map(|base| base.label.clone()),
            frozen: setting.frozen,
            hold_out: setting.hold_out,
            aids: aids(setting, plan),
            complete: episodes.len() == plan.len(),
            overall,
            rate_of_all,
            groups: groups(plan, episodes),
            by_task: by_task(plan, episodes),
            left_out: plan.left_out.clone(),
            published: published::published_for(suite.name).cloned().collect(),
            doubts: suite.doubts.clone(),
            spending: None,
        }
    }

    /// Success by group.
    #[must_use]
    pub fn by_group(&self) -> ReportTable {
        table::groups(self)
    }

    /// Failed attempts by group and label.
    #[must_use]
    pub fn by_reason(&self) -> ReportTable {
        table::failures(self)
    }

    /// What set reflections off, and what was at fault.
    #[must_use]
    pub fn reflections(&self) -> ReportTable {
        table::reflections(self)
    }

    /// Ours above the papers' rates.
    #[must_use]
    pub fn beside_papers(&self) -> ReportTable {
        table::published(self)
    }

    /// Task by task, with what stood in the way.
    #[must_use]
    pub fn each_task(&self) -> ReportTable {
        table::tasks(self)
    }

    /// How many tasks are not played, and the rate with them; none if all are.
    #[must_use]
    pub fn not_played(&self) -> Option<String> {
        (!self.left_out.is_empty()).then(|| table::left_out(self))
    }

    /// For a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        table::text(self)
    }

    /// For a file that people read.
    #[must_use]
    pub fn markdown(&self) -> String {
        table::markdown(self)
    }
}

/// The builtin mind is never shown without saying what it is.
pub(super) fn labelled(mind: &str) -> String {
    if mind.starts_with("builtin:") {
        format!("{mind} (simulated planner)")
    } else {
        mind.to_owned()
    }
}

fn aids(setting: &Setting, plan: &EvalPlan) -> Vec<String> {
    let kind = &setting.world.kind;
    let mut lines = vec![match &setting.world.server {
        None => format!("world {kind}: embedded and simulated, not Minecraft"),
        Some(server) => format!("world {kind}: the server at {server}, which waits for nobody"),
    }];
    let place = setting
        .world
        .server
        .as_ref()
        .and_then(|server| server.place);
    lines.extend(place.map(|place| {
        let spread = place.spread;
        format!("spread {spread}: each body walks to a place of its own, {spread} blocks from the next, before its episode begins")
    }));
    let controller = setting.world.aids.controller;
    lines.push(format!(
        "controller {}: {}",
        controller.name(),
        controller.about()
    ));
    let reports = setting.world.aids.reports;
    lines.extend((!reports.is_typed()).then(|| reports.line()));
    // Always named: a scout sees more than a player would.
    lines.push(setting.world.aids.senses.line());
    lines.extend(setting.world.aids.given_line());
    lines.extend(setting.world.aids.powers.line());
    lines.extend(setting.profile.aid_line());
    let mut biomes: Vec<(&str, Vec<&str>)> = Vec::new();
    // A server puts the body where it likes.
    let embedded = plan.tasks.iter().filter(|_| setting.world.server.is_none());
    for task in embedded {
        let Some(biome) = task.aids.biome.as_deref() else {
            continue;
        };
        match biomes.iter_mut().find(|(known, _)| *known == biome) {
            Some((_, groups)) if groups.contains(&task.group.as_str()) => (),
            Some((_, groups)) => groups.push(&task.group),
            None => biomes.push((biome, vec![&task.group])),
        }
    }
    lines.extend(biomes.into_iter().map(|(biome, groups)| {
        format!(
            "biome {biome}: {} begin at the place in it nearest to 0,0 that the rules of spawn allow",
            groups.join(", ")
        )
    }));
    lines
}

fn groups(plan: &EvalPlan, episodes: &[Episode]) -> Vec<GroupResult> {
    let mut names: Vec<&str> = Vec::new();
    let left = plan.left_out.iter().map(|task| task.group.as_str());
    for group in plan
        .tasks
        .iter()
        .map(|task| task.group.as_str())
        .chain(left)
    {
        if !names.contains(&group) {
            names.push(group);
        }
    }
    let result = |group: &str| GroupResult {
        group: group.to_owned(),
        tasks: plan.tasks.iter().filter(|task| task.group == group).count(),
        left_out: plan.left_out.iter().filter(|t| t.group == group).count(),
        tally: tally(episodes.iter().filter(|episode| episode.group == group)),
    };
    names.into_iter().map(result).collect()
}

fn by_task(plan: &EvalPlan, episodes: &[Episode]) -> Vec<TaskResult> {
    let result = |task: &&'static crate::suites::SuiteTask| {
        let own = || episodes.iter().filter(|episode| episode.task == task.id);
        TaskResult {
            task: task.id.clone(),
            instruction: task.instruction.clone(),
            tally: tally(own()),
            obstacle: obstacle(own().filter(|episode| !episode.success)),
        }
    };
    plan.tasks.iter().map(result).collect()
}

fn obstacle<'a>(failed: impl Iterator<Item = &'a Episode>) -> Option<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for episode in failed {
        let what = match (&episode.last_failure, episode.ended) {
            (_, Ended::Void) | (None, _) => episode.because.clone(),
            (Some(failure), _) => failure.clone(),
        };
        match counts.iter_mut().find(|(known, _)| *known == what) {
            Some((_, count)) => *count += 1,
            None => counts.push((what, 1)),
        }
    }
    // Of equals the first, so that the report is the same every time.
    let most = counts.iter().map(|(_, count)| *count).max()?;
    counts
        .into_iter()
        .find(|(_, n)| *n == most)
        .map(|(what, _)| what)
}
