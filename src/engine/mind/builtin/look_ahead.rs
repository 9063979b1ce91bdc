//! A bounded look-ahead: what slips from a planner's mind while it writes a long answer.
//!
//! A language model that is asked for one step leaves nothing out; asked for twenty it forgets a crafting
//! table that it knows of. So the chance that a fact does not come to mind grows with the number of steps
//! that the answer has to hold and the ask says nothing about. What the ask does say is read, not
//! remembered, and corrects a slip as it corrects a wrong belief (see `learnt`).
//! Invariants: each question draws anew; same level, seed and ask, same slips; one step, none.

use super::errors::{Fact, Level, weakness};
use super::learnt::Learnt;
use pithead_core::domain::plan::Plan;
use pithead_world::family::ItemSpec;
use pithead_world::rng::Streams;

/// What one answer leaves out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LookAhead {
    /// The mean chance of each thing that could slip.
    chance: f64,
    seed: u64,
    /// Tells the questions of a run apart.
    nonce: u64,
    /// What is held after each step is written down, so nothing is lost track of.
    tracks: bool,
}

impl LookAhead {
    /// For an answer of so many steps that the ask says nothing about.
    #[must_use]
    pub(super) fn over(level: Level, seed: u64, nonce: u64, steps: usize) -> Self {
        let further = u32::try_from(steps.saturating_sub(1)).unwrap_or(u32::MAX);
        Self {
            chance: 1.0 - (-level.slips() * f64::from(further)).exp(),
            seed,
            nonce,
            tracks: false,
        }
    }

    /// The same for an answer that says what is held after each step, or not.
    #[must_use]
    pub(super) fn tracking(self, tracks: bool) -> Self {
        Self { tracks, ..self }
    }

    /// Whether anything can slip.
    #[must_use]
    pub(super) fn is_bounded(self) -> bool {
        self.chance > 0.0
    }

    /// The fact does not come to mind. Heights and yields are no steps of a plan and do not slip.
    #[must_use]
    pub(super) fn loses(self, fact: &Fact) -> bool {
        match fact {
            Fact::Table(_)
            | Fact::Furnace(_)
            | Fact::Fuel(_)
            | Fact::Tool(_)
            | Fact::Count { .. } => self.slips(&fact.to_string()),
            Fact::Yield(_) | Fact::Depth(_) => false,
        }
    }

    /// It is forgotten that one of the steps which need this uses it up.
    #[must_use]
    pub(super) fn loses_track_of(self, item: ItemSpec) -> bool {
        !self.tracks && self.slips(&format!("what becomes of {item}"))
    }

    fn slips(self, what: &str) -> bool {
        let draw = format!("slip in answer {}: {what}", self.nonce);
        Streams(self.seed).get(&draw).unit() < self.chance * weakness(what)
    }
}

/// The steps of a plan that nothing in the ask says anything about.
#[must_use]
pub(super) fn own_steps(plan: &Plan, learnt: &Learnt) -> usize {
    let is_own = |(step, object)| learnt.sources(step, object).is_none();
    plan.subgoals
        .iter()
        .filter(|step| step.follows.is_empty())
        .filter_map(|step| Some((step.task_kind, step.goal.object?)))
        .filter(|told| is_own(*told))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::builtin::sim::Sim;
    use crate::mind::builtin::tests::{entry, expert, plan_ask, spec, words};
    use crate::mind::builtin::{Builtin, planner};
    use pithead_core::domain::condition::Condition;
    use pithead_core::domain::knowledge::{Body, Skill};
    use pithead_core::domain::mind::ask::PlanAsk;

    const SEEDS: u64 = 100;

    fn slips_in(level: Level, steps: usize) -> usize {
        let fact = Fact::Table(spec("furnace"));
        let loses = |seed: &u64| LookAhead::over(level, *seed, 0, steps).loses(&fact);
        (1..=SEEDS).filter(loses).count()
    }

    #[test]
    fn more_slips_in_longer_answers_and_at_lower_levels() {
        for level in [Level::Novice, Level::Competent] {
            let slips = [1, 5, 20, 60].map(|steps| slips_in(level, steps));
            assert_eq!(slips[0], 0);
            assert!(slips.is_sorted() && slips[1] < slips[3], "{slips:?}");
        }
        assert!(slips_in(Level::Novice, 10) > slips_in(Level::Competent, 10));
        assert_eq!(slips_in(Level::Expert, 60), 0);
    }

    /// Plans that fail when they are carried out, one for each seed.
    fn failing(ask: &PlanAsk) -> Vec<u64> {
        let fails = |seed: &u64| {
            let plan = Builtin::new(Level::Competent, *seed).plan(ask).unwrap();
            Sim::new("").run(&plan).1.is_some()
        };
        (1..=SEEDS).filter(fails).collect()
    }

    #[test]
    fn each_question_draws_anew() {
        let ask = plan_ask("craft an iron pickaxe", &Sim::new(""));
        let again = PlanAsk {
            nonce: ask.nonce + 1,
            ..ask.clone()
        };
        let (first, second) = (failing(&ask), failing(&again));
        assert!(first.iter().any(|seed| !second.contains(seed)), "{first:?}");
    }

    #[test]
    fn what_the_ask_shows_is_not_left_out() {
        let mut ask = plan_ask("craft an iron pickaxe", &Sim::new(""));
        let whole = planner::plan(&expert(), &ask).unwrap();
        let alone = failing(&ask).len();
        let skill = Skill {
            goal: spec("iron_pickaxe"),
            count: 1,
            success: whole.subgoals.last().unwrap().checks.clone(),
            effects: [(spec("iron_pickaxe"), 1)].into(),
            steps: whole.subgoals.clone(),
            requires: Condition::always(),
            flows: Vec::new(),
        };
        ask.knowledge = vec![entry(1, Body::Skill(skill))];
        assert!(alone > 0);
        assert_eq!(failing(&ask).len(), 0);
        let shown = Builtin::new(Level::Competent, alone as u64).plan(&ask);
        assert_eq!(words(&shown.unwrap()), words(&whole));
    }
}
