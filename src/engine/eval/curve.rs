//! Curves: how success and failed attempts change as episodes accumulate, system beside system.
//!
//! Invariant: intervals are Wilson's over episodes, and what is simulated is named.

use super::chart::{self, Line};
use super::comparison::{self, SystemComparison};
use super::course::{HeldOut, Strategy};
use super::lives::Life;
use super::plan::{EvalPlan, Setting};
use super::stats::{Tally, tally};
use super::table::{ReportTable, piped};
use pithead_core::domain::knowledge::interval::Interval;
use pithead_core::text::numbers::count_with_noun;
use pithead_world::aids::SenseLevel;
use pithead_world::reports::Reports;
use serde::Serialize;

/// Raised when a field changes its meaning or goes away.
const SCHEMA: u32 = 1;

/// What came of a course.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    pub schema: u32,
    pub version: &'static str,
    pub suite: &'static str,
    pub pattern: Option<String>,
    pub tasks: usize,
    pub seeds: String,
    pub mind: String,
    pub controller: &'static str,
    /// How much the bodies told of their failures; absent if everything.
    #[serde(skip_serializing_if = "Reports::is_typed")]
    pub reports: Reports,
    #[serde(skip_serializing_if = "SenseLevel::is_scout")]
    pub senses: SenseLevel,
    /// How knowledge was examined; absent if a pass is what the life itself played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
    /// False: it was interrupted, and lives are missing.
    pub complete: bool,
    pub systems: Vec<SystemResult>,
    /// Every two systems, in the order in which they were named.
    /// All systems play the same tasks and seeds, so pairs can be compared life by life.
    pub against: Vec<SystemComparison>,
    /// Over all passes, best first by rate.
    pub order: Vec<String>,
    /// The order in the paper's ablation.
    pub published_order: Vec<&'static str>,
}

/// One system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemResult {
    pub system: String,
    pub about: String,
    pub lives: usize,
    pub overall: Tally,
    pub passes: Vec<PassResult>,
    pub groups: Vec<GroupTrend>,
}

/// One pass of all lives of a system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PassResult {
    pub pass: usize,
    /// Mean number of active entries after it.
    /// Active, not proposed: what can act.
    pub knowledge: f64,
    pub failed_per_episode: f64,
    #[serde(flatten)]
    pub tally: Tally,
}

/// One group of tasks: its first pass, its last, and all of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupTrend {
    pub group: String,
    /// The first pass has nothing to recall but what it learnt itself.
    pub first: Tally,
    pub last: Tally,
    pub overall: Tally,
}

/// Steve-Evolving's ablation, from best to worst on Iron, Redstone, Diamond and Armor.
const PUBLISHED_ORDER: [&str; 5] = [
    "steve-evolving",
    "no-skills",
    "no-guardrails",
    "no-visibility",
    "planning-only",
];

impl Curve {
    #[must_use]
    pub fn from_lives(
        settings: &[Setting],
        plan: &EvalPlan,
        held_out: Option<HeldOut>,
        lives: &[Life],
    ) -> Self {
        let systems: Vec<SystemResult> = settings
            .iter()
            .map(|s| system_result(s, plan, lives))
            .collect();
        let mut order: Vec<&SystemResult> = systems.iter().collect();
        // By rate; a stable sort keeps the order of names for equal rates.
        order.sort_by(|a, b| rate(&b.overall).total_cmp(&rate(&a.overall)));
        let seeds = plan.seeds.len() as usize;
        let first = settings.first();
        let names: Vec<&str> = settings.iter().map(Setting::arm_name).collect();
        Self {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            suite: first.map_or("", |s| s.suite.name.name()),
            pattern: plan.pattern.clone(),
            tasks: plan.tasks.len(),
            seeds: plan.seeds.to_string(),
            mind: first.map_or_else(String::new, |s| super::report::labelled(&s.mind)),
            controller: first.map_or("", |s| s.world.aids.controller.name()),
            reports: first.map_or(Reports::Typed, |s| s.world.aids.reports),
            senses: first.map_or(SenseLevel::Scout, |s| s.world.aids.senses),
            // Every system with every seed.
            complete: lives.len() == settings.len() * seeds,
            order: order.iter().map(|system| system.system.clone()).collect(),
            held_out,
            published_order: if first.is_some_and(|s| s.strategy.is_some()) {
                Strategy::PUBLISHED_ORDER.to_vec()
            } else {
                PUBLISHED_ORDER.to_vec()
            },
            against: comparison::compare_all(&names, lives),
            systems,
        }
    }

    /// For files that people read, and for the terminal.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "# Learning on {}\n\n{}, seeds {}, mind {}, controller {}; embedded world, not Minecraft.\n",
            self.suite,
            count_with_noun(self.tasks, "task", "tasks"),
            self.seeds,
            self.mind,
            self.controller
        );
        if !self.reports.is_typed() {
            text += &format!("Aids: {}.\n", self.reports.line());
        }
        if !self.senses.is_scout() {
            text += &format!("The body: {}.\n", self.senses.line());
        }
        text += &self.method();
        if !self.complete {
            text += "Interrupted: lives are missing.\n";
        }
        text += &format!("\n{}", piped(&self.by_pass()));
        text += "\nA system that does not replan ends with its first failed attempt, so it counts one at most.\n";
        text += &format!("\n{}", piped(&self.by_group()));
        text += &format!(
            "\nFailed attempts per task by reason, {}:\n\n",
            self.all_points()
        );
        text += &piped(&self.by_reason());
        text += "\nLife against life of the same seed; intervals by resampling lives, 95 %.\n\n";
        text += &piped(&self.by_pair());
        format!("{text}\n{}\n", self.comparison())
    }

    /// How it was measured.
    fn method(&self) -> String {
        let life = "A life plays all tasks in order, pass after pass, each episode in a world of its own, with one knowledge base and the same errors of its mind throughout.";
        let Some(parts) = self.held_out else {
            return format!("{life} Intervals are Wilson's, 95 %, over episodes.\n");
        };
        let abouts = self
            .systems
            .iter()
            .map(|system| format!("- {}: {}\n", system.system, system.about));
        format!(
            "A life learns from episodes in worlds of its own, with one knowledge base and the same errors of its mind throughout. Its course has {parts}: at each its active entries are frozen, and each task is played with them in worlds in which no life learns; this is what the tables count. Intervals are Wilson's, 95 %, over episodes.\n\n{}",
            abouts.collect::<String>()
        )
    }

    /// What one point of the curve is.
    fn point_name(&self) -> &'static str {
        match self.held_out {
            Some(_) => "checkpoint",
            None => "pass",
        }
    }

    fn all_points(&self) -> &'static str {
        match self.held_out {
            Some(_) => "all checkpoints",
            None => "all passes",
        }
    }

    /// How each system did, pass by pass.
    #[must_use]
    pub fn by_pass(&self) -> ReportTable {
        let head = [
            "system",
            "lives",
            self.point_name(),
            "success",
            "rate",
            "95 %",
            "failed attempts per task",
            "attempts per task",
            "active entries",
        ];
        let row = |system: &SystemResult, p: &PassResult| {
            let t = &p.tally;
            vec![
                system.system.clone(),
                system.lives.to_string(),
                p.pass.to_string(),
                format!("{}/{}", t.successes, t.episodes),
                format!("{:.1}", rate(t)),
                interval(t.wilson95),
                format!("{:.2}", p.failed_per_episode),
                format!("{:.2}", per_episode(t.attempts, t)),
                format!("{:.0}", p.knowledge),
            ]
        };
        let of = |system| move |point| row(system, point);
        ReportTable {
            head: head.map(str::to_owned).to_vec(),
            rows: self
                .systems
                .iter()
                .flat_map(|system| system.passes.iter().map(of(system)))
                .collect(),
        }
    }

    /// Rate at the first and at the last pass, and over all.
    #[must_use]
    pub fn by_group(&self) -> ReportTable {
        let (one, all) = (self.point_name(), self.all_points());
        let (first, last) = (format!("first {one}"), format!("last {one}"));
        let head = [
            "group",
            "system",
            &first,
            &last,
            all,
            "95 %",
            "failed per task, first",
            "last",
        ];
        let row = |system: &SystemResult, at: usize| {
            let g = &system.groups[at];
            vec![
                g.group.clone(),
                system.system.clone(),
                format!("{:.1}", rate(&g.first)),
                format!("{:.1}", rate(&g.last)),
                format!("{:.1}", rate(&g.overall)),
                interval(g.overall.wilson95),
                format!("{:.2}", per_episode(g.first.failed_attempts, &g.first)),
                format!("{:.2}", per_episode(g.last.failed_attempts, &g.last)),
            ]
        };
        let groups = self.systems.first().map_or(0, |system| system.groups.len());
        let of = |at| move |system| row(system, at);
        ReportTable {
            head: head.map(str::to_owned).to_vec(),
            rows: (0..groups)
                .flat_map(|at| self.systems.iter().map(of(at)))
                .collect(),
        }
    }

    /// Failed attempts per task and label, over all passes: knowledge can keep from what was lacking, not
    /// from what the world does.
    #[must_use]
    pub fn by_reason(&self) -> ReportTable {
        let tallies = || self.systems.iter().map(|system| &system.overall);
        let mut reasons: Vec<&String> = tallies()
            .flat_map(|t| t.failures_by_reason.keys())
            .collect();
        reasons.sort_unstable();
        reasons.dedup();
        let head = std::iter::once("system".to_owned());
        let rows = self.systems.iter().zip(tallies()).map(|(system, tally)| {
            let of = |reason: &&String| tally.failures_by_reason.get(*reason).copied().unwrap_or(0);
            let counts = reasons.iter().map(|reason| per_episode(of(reason), tally));
            let cells = counts.map(|count| format!("{count:.2}"));
            std::iter::once(system.system.clone())
                .chain(cells)
                .collect()
        });
        ReportTable {
            head: head.chain(reasons.iter().map(|r| (*r).clone())).collect(),
            rows: rows.collect(),
        }
    }

    /// What a difference between two systems is worth.
    #[must_use]
    pub fn by_pair(&self) -> ReportTable {
        comparison::comparison_table(&self.against)
    }

    /// Ours beside the paper's: `>` where intervals are apart, `≥` where they overlap, `=` for equal rates.
    #[must_use]
    pub fn comparison(&self) -> String {
        let of = |name: &String| {
            self.systems
                .iter()
                .find(|s| s.system == *name)
                .map(|s| &s.overall)
        };
        let mut ours = String::new();
        let mut is_clear = true;
        for (at, name) in self.order.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|before| of(&self.order[before]));
            if let (Some(better), Some(own)) = (before, of(name)) {
                // Apart means that the intervals do not overlap.
                let apart = better.wilson95.low > own.wilson95.high;
                is_clear &= apart;
                ours += match (apart, rate(better) > rate(own)) {
                    (true, _) => " > ",
                    (false, true) => " ≥ ",
                    (false, false) => " = ",
                };
            }
            ours += name;
        }
        let played = |name: &&&str| self.order.iter().any(|own| own == *name);
        let published: Vec<&str> = self
            .published_order
            .iter()
            .filter(played)
            .copied()
            .collect();
        let verdict = match (is_clear, self.order == published) {
            // Only a clear order can confirm or contradict.
            (true, true) => "It is the paper's",
            (true, false) => "It is not the paper's",
            (false, true) => {
                "It does not contradict the paper's, and does not confirm it where intervals overlap"
            }
            (false, false) => "It is not the paper's, but intervals overlap",
        };
        format!(
            "Order by rate over {}: {ours}. {verdict}: {}.",
            self.all_points(),
            published.join(" > ")
        )
    }

    fn x_name(&self) -> &'static str {
        match self.held_out {
            Some(_) => "checkpoint",
            None => "pass over all tasks",
        }
    }

    /// Success by pass, with intervals.
    pub fn success_svg(&self) -> Result<String, String> {
        let lines = self.chart_lines(|p| {
            let Interval { low, high } = p.tally.wilson95;
            (rate(&p.tally), Some((low, high)))
        });
        chart::svg(("success, percent", self.x_name()), 100.0, &lines)
    }

    /// Failed attempts by pass.
    pub fn failures_svg(&self) -> Result<String, String> {
        let lines = self.chart_lines(|p| (p.failed_per_episode, None));
        let most = lines
            .iter()
            .flat_map(|line| &line.points)
            .map(|p| p.1)
            // A tenth of room above the highest line.
            .fold(1.0, f64::max);
        chart::svg(
            ("failed attempts per task", self.x_name()),
            most * 1.1,
            &lines,
        )
    }

    fn chart_lines(&self, of: impl Fn(&PassResult) -> (f64, Option<(f64, f64)>)) -> Vec<Line> {
        let line = |system: &SystemResult| Line {
            name: system.system.clone(),
            points: system
                .passes
                .iter()
                .map(|point| {
                    let (y, span) = of(point);
                    (point.pass as f64, y, span)
                })
                .collect(),
        };
        self.systems.iter().map(line).collect()
    }
}

fn rate(tally: &Tally) -> f64 {
    tally.rate.unwrap_or(0.0)
}

fn interval(interval: Interval) -> String {
    format!("{:.1}-{:.1}", interval.low, interval.high)
}

fn per_episode(count: u64, tally: &Tally) -> f64 {
    if tally.episodes == 0 {
        0.0
    } else {
        count as f64 / tally.episodes as f64
    }
}

fn system_result(setting: &Setting, plan: &EvalPlan, lives: &[Life]) -> SystemResult {
    let own: Vec<&Life> = lives
        .iter()
        .filter(|l| l.system == setting.arm_name())
        .collect();
    let passes = own.iter().map(|life| life.passes.len()).max().unwrap_or(0);
    let of_pass = |n: usize| own.iter().filter_map(move |life| life.passes.get(n));
    let point = |n: usize| {
        let tally = tally(of_pass(n).flat_map(|pass| &pass.episodes));
        let known: u64 = of_pass(n).map(|pass| pass.knowledge).sum();
        PassResult {
            pass: n + 1,
            knowledge: known as f64 / own.len().max(1) as f64,
            failed_per_episode: per_episode(tally.failed_attempts, &tally),
            tally,
        }
    };
    let mut names: Vec<&str> = plan.tasks.iter().map(|task| task.group.as_str()).collect();
    // Tasks of a group stand together in the plan.
    names.dedup();
    let group = |name: &&str| {
        let within = |range: std::ops::Range<usize>| {
            let episodes = range.flat_map(of_pass).flat_map(|pass| &pass.episodes);
            tally(episodes.filter(|episode| episode.group == *name))
        };
        GroupTrend {
            group: (*name).to_owned(),
            first: within(0..passes.min(1)),
            last: within(passes.saturating_sub(1)..passes),
            overall: within(0..passes),
        }
    };
    SystemResult {
        system: setting.arm_name().to_owned(),
        about: match setting.strategy {
            Some(strategy) => strategy.about().to_owned(),
            None => setting.profile.about.clone(),
        },
        lives: own.len(),
        overall: tally(
            own.iter()
                .flat_map(|life| &life.passes)
                .flat_map(|pass| &pass.episodes),
        ),
        passes: (0..passes).map(point).collect(),
        groups: names.iter().map(group).collect(),
    }
}
