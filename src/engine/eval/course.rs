//! Courses of lives: which tasks a life learns from, in which order, and when its knowledge is examined.
//!
//! The four strategies are those of Table 6 of Steve-Evolving. Invariant: the same plan, strategy and seed give
//! the same course, and no course plays a world that is kept for examinations.

use super::plan::{EvalPlan, Seeds};
use crate::suites::{Suite, SuiteTask};
use pithead_core::text::numbers::count_with_noun;
use pithead_world::naming::UnknownName;
use pithead_world::rng::Streams;
use serde::{Deserialize, Serialize};

/// The first of the seeds on which no life learns.
const HELD_OUT_FIRST: u64 = 1_000_000_000;
/// Lives have seeds below this; their worlds, a thousand seeds apart, then stay below the held-out ones.
pub const LIFE_SEEDS_END: u64 = 900_000_000;
/// The groups of tasks below Diamond, in order.
const LOWER_TIERS: [&str; 5] = ["Wooden", "Stone", "Iron", "Gold", "Redstone"];

/// What the knowledge of a life is examined by: after each of so many equal parts, frozen, on held-out seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOut {
    pub checkpoints: u32,
    /// How many seeds each task is played with.
    pub seeds: u32,
}

impl std::fmt::Display for HeldOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = |n: u32, one: &str| count_with_noun(n as usize, one, &format!("{one}s"));
        let checkpoints = count(self.checkpoints, "checkpoint");
        write!(f, "{checkpoints} on {}", count(self.seeds, "held-out seed"))
    }
}

impl HeldOut {
    /// The seeds of the examinations, the same for every life and checkpoint.
    pub(super) fn world_seeds(self) -> impl Iterator<Item = u64> {
        (HELD_OUT_FIRST..).take(self.seeds as usize)
    }

    /// The part of the course before the checkpoint of this number, from 0, and after the one before it.
    pub(super) fn part<T>(self, course: &[T], number: u32) -> &[T] {
        let end = |parts: u32| course.len() * parts as usize / self.checkpoints.max(1) as usize;
        &course[end(number)..end(number + 1)]
    }
}

/// How the knowledge for the examined tasks is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Nothing is learned.
    Cold,
    /// Only the examined tasks are learned from.
    DiamondOnly,
    /// Only lower tiers are learned from, tier by tier.
    Freeze,
    /// Examined tasks and lower tiers take turns.
    Mixed,
}

impl Strategy {
    pub const ALL: [Self; 4] = [Self::Cold, Self::DiamondOnly, Self::Freeze, Self::Mixed];
    /// From best to worst in the paper.
    pub(super) const PUBLISHED_ORDER: [&'static str; 4] =
        ["mixed", "freeze", "diamond-only", "cold"];

    /// The name as it is typed and stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::DiamondOnly => "diamond-only",
            Self::Freeze => "freeze",
            Self::Mixed => "mixed",
        }
    }

    /// One line for reports.
    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Cold => "the knowledge base stays empty",
            Self::DiamondOnly => "learns from Diamond tasks only",
            Self::Freeze => {
                "learns from Wooden to Redstone tasks, tier by tier; never from Diamond"
            }
            Self::Mixed => "learns from Diamond and lower tasks in turn, one to one",
        }
    }

    /// The tasks of a life in order; as many as so many passes over the examined ones.
    pub(super) fn course(
        self,
        suite: &'static Suite,
        plan: &EvalPlan,
        passes: u32,
        seed: u64,
    ) -> Vec<&'static SuiteTask> {
        let (examined, lower) = (&plan.tasks, lower_tiers(suite));
        let episodes = examined.len() * passes as usize;
        if lower.is_empty() {
            return Vec::new();
        }
        let mut draws = Streams(seed).get("course");
        let task = |at: usize| match self {
            Self::Cold => None,
            Self::DiamondOnly => Some(examined[at % examined.len()]),
            Self::Freeze => Some(lower[at * lower.len() / episodes]),
            Self::Mixed if at.is_multiple_of(2) => Some(examined[at / 2 % examined.len()]),
            Self::Mixed => {
                let drawn = draws.below(lower.len() as u64);
                lower.get(usize::try_from(drawn).unwrap_or(0)).copied()
            }
        };
        (0..episodes).filter_map(task).collect()
    }
}

impl std::str::FromStr for Strategy {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = Self::ALL.into_iter().find(|known| known.name() == name);
        known.ok_or_else(|| UnknownName {
            what: "strategy",
            given: name.to_owned(),
            nearest: Self::ALL.map(Self::name).to_vec(),
        })
    }
}

/// The tasks that can be played and judged below Diamond.
fn lower_tiers(suite: &'static Suite) -> Vec<&'static SuiteTask> {
    let any = Seeds { first: 1, last: 1 };
    let tasks = EvalPlan::select(suite, None, any).map_or(Vec::new(), |plan| plan.tasks);
    let tier = |name: &'static str| tasks.iter().filter(move |task| task.group == name);
    LOWER_TIERS.into_iter().flat_map(tier).copied().collect()
}

/// Passes over all tasks of the plan.
pub(super) fn passes_over(plan: &EvalPlan, passes: u32) -> Vec<&'static SuiteTask> {
    (0..passes)
        .flat_map(|_| plan.tasks.iter().copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::tests::plan;
    use crate::suites::SuiteName;

    fn course(strategy: Strategy, seed: u64) -> Vec<&'static str> {
        let plan = plan(SuiteName::Mcu70, "mcu70/diamond/*", "1");
        let course = strategy.course(SuiteName::Mcu70.suite(), &plan, 4, seed);
        course.iter().map(|task| task.group.as_str()).collect()
    }

    #[test]
    fn strategies_differ_in_what_is_learned_from_and_not_in_how_much() {
        assert!(course(Strategy::Cold, 1).is_empty());
        let diamond = course(Strategy::DiamondOnly, 1);
        assert!(diamond.len() == 28 && diamond.iter().all(|group| *group == "Diamond"));
        let freeze = course(Strategy::Freeze, 1);
        let place = |group: &&str| LOWER_TIERS.iter().position(|tier| tier == group).unwrap();
        assert_eq!(freeze.len(), 28);
        assert!(freeze.is_sorted_by_key(place), "{freeze:?}");
        assert_eq!((freeze[0], freeze[27]), ("Wooden", "Redstone"));
        let mixed = course(Strategy::Mixed, 1);
        assert_eq!(
            mixed.iter().filter(|group| **group == "Diamond").count(),
            14
        );
        assert_eq!(mixed, course(Strategy::Mixed, 1));
        for strategy in Strategy::ALL {
            assert_eq!(strategy.name().parse(), Ok(strategy));
        }
    }

    #[test]
    fn the_parts_of_a_course_are_equal_and_leave_nothing_out() {
        let course: Vec<usize> = (0..13).collect();
        let held_out = HeldOut {
            checkpoints: 5,
            seeds: 2,
        };
        let parts: Vec<&[usize]> = (0..5).map(|n| held_out.part(&course, n)).collect();
        assert_eq!(parts.concat(), course);
        assert!(
            parts.iter().all(|part| matches!(part.len(), 2 | 3)),
            "{parts:?}"
        );
        let seeds: Vec<u64> = held_out.world_seeds().collect();
        assert_eq!(seeds, [HELD_OUT_FIRST, HELD_OUT_FIRST + 1]);
    }
}
