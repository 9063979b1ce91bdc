//! Arms: several systems or bases on the same tasks and seeds, and what each differs from the first in.
//!
//! Episodes of one task and seed have the same world and the same wrong beliefs, so they are compared in
//! pairs; a pair with a void episode is left out. Same episodes, same figures.

use super::episode::{Ended, Episode};
use super::paired::{
    Difference, InWorld, Successes, mean_difference_by_world, successes_by_world, worlds_of,
};
use super::report::Report;
use super::table::{self, ReportTable};
use pithead_core::domain::mind::spending::Spending;
use pithead_core::text::numbers::count_with_noun;
use serde::Serialize;
use std::collections::BTreeMap;

/// Raised when a field changes its meaning or goes away.
const SCHEMA: u32 = 1;

/// What the intervals are, for readers of the files.
const METHOD: &str = "Differences are of episodes with the same task and seed. Where tasks share the world of their seed, they stand or fall together: the intervals are of worlds drawn with replacement (fewer than ten worlds give too narrow ones), and p is left out. With a world for each episode (`--own-worlds`) success has Newcombe's interval and the exact McNemar test, ticks and failed attempts a bootstrap over pairs. 95 %.";

/// An arm whose episodes are over.
#[derive(Debug)]
pub struct PlayedArm {
    pub name: String,
    pub report: Report,
    pub episodes: Vec<Episode>,
}

/// All arms.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmsReport {
    pub schema: u32,
    pub version: &'static str,
    /// False: it was interrupted, and episodes are missing.
    pub complete: bool,
    pub arms: Vec<ArmReport>,
    /// Each arm against the first.
    pub differences: Vec<ArmDifference>,
    /// What the mind took for all arms over all starts; none if it costs nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spending: Option<Spending>,
}

/// One arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmReport {
    pub arm: String,
    pub report: Report,
}

/// One arm minus another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmDifference {
    pub arm: String,
    pub than: String,
    /// Episodes of the same task and seed that both arms have played.
    pub pairs: usize,
    /// The worlds of these; fewer than pairs if tasks share them.
    pub worlds: usize,
    /// `with` is the arm, `without` the other.
    pub success: Successes,
    /// Per episode.
    pub ticks: Difference,
    /// Per episode.
    pub failed_attempts: Difference,
    pub groups: Vec<GroupDifference>,
}

/// The same for one group of tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupDifference {
    pub group: String,
    pub pairs: usize,
    pub worlds: usize,
    pub success: Successes,
}

impl ArmsReport {
    #[must_use]
    pub fn new(arms: Vec<PlayedArm>, spending: Option<Spending>) -> Self {
        let others = arms.iter().skip(1);
        let differences = others.filter_map(|arm| compare(arm, arms.first()?));
        Self {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            complete: arms.iter().all(|arm| arm.report.complete),
            differences: differences.collect(),
            arms: arms
                .into_iter()
                .map(|PlayedArm { name, report, .. }| ArmReport { arm: name, report })
                .collect(),
            spending,
        }
    }

    /// For a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for arm in &self.arms {
            let report = table::short_text(&arm.report);
            text += &format!("── {} ──\n{report}\n", arm.arm);
        }
        let first = self.arms.first().map_or("", |arm| &arm.arm);
        text + &format!("── differences, each arm minus {first}, 95 % ──\n")
            + &table::aligned(&self.by_arm())
    }

    /// For a file that people read; each arm's folder holds its own in full.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "# Evaluation of {}\n\n## Differences\n\n{}\n{METHOD}\n\nSuccess by group:\n\n{}",
            count_with_noun(self.arms.len(), "arm", "arms"),
            table::piped(&self.by_arm()),
            table::piped(&self.by_group())
        );
        for arm in &self.arms {
            text += &format!("\n## {}\n\n{}", arm.arm, table::short_markdown(&arm.report));
        }
        text
    }

    fn by_group(&self) -> ReportTable {
        let head = [
            "arm",
            "group",
            "pairs",
            "worlds",
            "success, points",
            "95 %",
            "p",
        ];
        let rows = |one: &ArmDifference| -> Vec<Vec<String>> {
            one.groups
                .iter()
                .map(|group| group_row(one, group))
                .collect()
        };
        ReportTable {
            head: head.map(str::to_owned).to_vec(),
            rows: self.differences.iter().flat_map(rows).collect(),
        }
    }

    fn by_arm(&self) -> ReportTable {
        let head = [
            "arm",
            "than",
            "pairs",
            "worlds",
            "success, points",
            "95 %",
            "p",
            "ticks",
            "95 %",
            "failed attempts",
            "95 %",
        ];
        ReportTable {
            head: head.map(str::to_owned).to_vec(),
            rows: self.differences.iter().map(row).collect(),
        }
    }
}

fn row(one: &ArmDifference) -> Vec<String> {
    let ticks = &one.ticks;
    let mut cells = vec![one.arm.clone(), one.than.clone()];
    cells.extend(success_cells(&one.success, one.pairs, one.worlds));
    cells.push(signed(ticks.value));
    cells.push(format!("{} to {}", signed(ticks.low), signed(ticks.high)));
    cells.extend(one.failed_attempts.cells(2));
    cells
}

/// The success of an arm in one group of tasks.
fn group_row(one: &ArmDifference, group: &GroupDifference) -> Vec<String> {
    let mut cells = vec![one.arm.clone(), group.group.clone()];
    cells.extend(success_cells(&group.success, group.pairs, group.worlds));
    cells
}

/// Pairs, worlds, the difference in success and p, which means nothing where pairs share worlds.
fn success_cells(success: &Successes, pairs: usize, worlds: usize) -> [String; 5] {
    let [value, interval, p] = success.cells();
    let p = if worlds < pairs { "–".to_owned() } else { p };
    [pairs.to_string(), worlds.to_string(), value, interval, p]
}

/// Two episodes of the same task and seed.
type Pair<'a> = (&'a Episode, &'a Episode);

/// None if the two have no episode in common.
fn compare(arm: &PlayedArm, than: &PlayedArm) -> Option<ArmDifference> {
    let key = |episode: &Episode| (episode.task.clone(), episode.seed);
    let counts = |episode: &&Episode| episode.ended != Ended::Void;
    let others = than.episodes.iter().filter(counts);
    let others: BTreeMap<(String, u64), &Episode> = others.map(|e| (key(e), e)).collect();
    let own = arm.episodes.iter().filter(counts);
    let pairs: Vec<Pair<'_>> = own
        .filter_map(|own| Some((own, *others.get(&key(own))?)))
        .collect();
    let each = |of: fn(&Episode) -> u64| in_worlds(&pairs, of);
    let ticks = each(|episode| episode.ticks);
    (!pairs.is_empty()).then(|| ArmDifference {
        arm: arm.name.clone(),
        than: than.name.clone(),
        pairs: pairs.len(),
        worlds: worlds_of(&ticks),
        success: success_of(&pairs),
        ticks: mean_difference_by_world(&ticks),
        failed_attempts: mean_difference_by_world(&each(|episode| episode.failed_attempts)),
        groups: by_group(&arm.report, &pairs),
    })
}

/// What is compared of each pair, with its world.
fn in_worlds<T>(pairs: &[Pair<'_>], of: impl Fn(&Episode) -> T) -> Vec<InWorld<T>> {
    let one = |(a, b): &Pair<'_>| (a.seed, (of(a), of(b)));
    pairs.iter().map(one).collect()
}

fn success_of(pairs: &[Pair<'_>]) -> Successes {
    successes_by_world(&in_worlds(pairs, |episode| episode.success))
}

fn by_group(report: &Report, pairs: &[Pair<'_>]) -> Vec<GroupDifference> {
    let difference = |group: &str| {
        let own = pairs.iter().filter(|(episode, _)| episode.group == group);
        let own: Vec<Pair<'_>> = own.copied().collect();
        (!own.is_empty()).then(|| GroupDifference {
            group: group.to_owned(),
            pairs: own.len(),
            worlds: worlds_of(&in_worlds(&own, |_| ())),
            success: success_of(&own),
        })
    };
    let groups = report.groups.iter();
    groups.filter_map(|one| difference(&one.group)).collect()
}

/// With its sign, and no sign before nothing.
fn signed(value: f64) -> String {
    let rounded = value.round();
    if rounded == 0.0 {
        "0".to_owned()
    } else {
        format!("{rounded:+.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::tests::{plan, setting};
    use crate::suites::SuiteName;

    fn arm(name: &str, won: impl Fn(u64) -> bool, void: u64) -> PlayedArm {
        let plan = plan(SuiteName::Mcu70, "mcu70/wooden/0[12]", "1..6");
        let episode = |(task, seed)| {
            let mut episode = Episode::unplayed(task, seed, seed);
            episode.success = won(seed);
            episode.ended = if episode.success {
                Ended::Success
            } else {
                Ended::Failure
            };
            (episode.ticks, episode.failed_attempts) = (if won(seed) { 100 } else { 400 }, 2);
            if seed == void {
                episode.void("no world");
            }
            episode
        };
        let episodes: Vec<Episode> = plan.episodes().map(episode).collect();
        PlayedArm {
            name: name.to_owned(),
            report: Report::from_episodes(&setting(SuiteName::Mcu70), &plan, &episodes),
            episodes,
        }
    }

    #[test]
    fn arms_are_compared_with_the_first_in_pairs_without_void_episodes() {
        let arms = vec![
            arm("less", |seed| seed > 3, 0),
            arm("more", |seed| seed > 1, 6),
            arm("same", |seed| seed > 3, 0),
        ];
        let report = ArmsReport::new(arms, None);
        assert!(report.complete && report.arms.len() == 3);
        let [more, same] = &report.differences[..] else {
            panic!("{:?}", report.differences)
        };
        assert_eq!(
            (more.arm.as_str(), more.than.as_str(), more.pairs),
            ("more", "less", 10)
        );
        // Four of ten pairs are won by the arm alone.
        assert_eq!((more.success.with_only, more.success.without_only), (4, 0));
        assert!((more.success.difference.value - 40.0).abs() < 1e-9);
        assert!((more.success.mcnemar_p - 0.125).abs() < 1e-9);
        assert!((more.ticks.value + 120.0).abs() < 1e-9);
        assert_eq!((same.pairs, same.success.difference.value), (12, 0.0));
        let (text, markdown) = (report.text(), report.markdown());
        // Both tasks of a seed share its world: five worlds, two of which the arm alone wins.
        assert_eq!(more.worlds, 5);
        let difference = more.success.difference;
        assert!(
            difference.low >= 0.0 && difference.high > 70.0,
            "{difference:?}"
        );
        for part in ["less", "+40.0", "-120"] {
            assert!(
                text.contains(part) && markdown.contains(part),
                "{part} in\n{text}"
            );
        }
        assert_eq!(more.groups[0].success, more.success);
        assert!(
            markdown.contains("| more | Wooden | 10 | 5 | +40.0 |"),
            "{markdown}"
        );
        assert_eq!([-0.3, 0.4, 1.6].map(signed), ["0", "0", "+2"]);
        assert!(markdown.contains("McNemar") && text.contains("each arm minus less"));
    }
}
