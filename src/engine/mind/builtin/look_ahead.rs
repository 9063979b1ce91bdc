//! A bounded look-ahead: what slips from a planner's mind while it writes a long answer.
//!
//! A language model that is asked for one step leaves nothing out; asked for twenty it forgets a crafting
//! table that it knows of. So the chance that a fact does not come to mind grows with the number of steps
//! that the answer has to hold and the ask says nothing about. What the ask does say is read, not
//! remembered, and corrects a slip as it corrects a wrong belief (see `learnt`).
//! Invariants: each question draws anew; same level, seed and ask, same slips; one step, none.

use super::errors::{Fact, Level, weakness};
use super::learnt::Learnt;
use pithead_core::domain::knowledge::Body;
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_core::domain::mind::ask::PlanAsk;
use pithead_core::domain::plan::{Goal, Plan};
use pithead_world::block;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use pithead_world::rng::Streams;

/// What one answer leaves out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LookAhead {
    /// The mean chance of each thing that could slip.
    chance: f64,
    seed: u64,
    /// Tells the questions of a run apart.
    nonce: u64,
    /// What is held after each step is written down, so nothing is lost track of.
    tracks: bool,
    /// Goals that the task was taken apart into, with their tools and counts.
    goals: Vec<Goal>,
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
            goals: Vec::new(),
        }
    }

    /// The same, helped by what this question asks for and tells besides what was learnt.
    #[must_use]
    pub(super) fn helped_by(self, ask: &PlanAsk) -> Self {
        Self {
            tracks: ask.track,
            goals: [ask.guide.goals.clone(), reference_goals(ask)].concat(),
            ..self
        }
    }

    /// Whether anything can slip.
    #[must_use]
    pub(super) fn is_bounded(&self) -> bool {
        self.chance > 0.0
    }

    /// The fact does not come to mind. Heights and yields are no steps of a plan and do not slip.
    #[must_use]
    pub(super) fn loses(&self, fact: &Fact) -> bool {
        if self.is_told(fact) {
            return false;
        }
        match fact {
            Fact::Table(_)
            | Fact::Furnace(_)
            | Fact::Fuel(_)
            | Fact::Tool(_)
            | Fact::Count { .. } => self.slips(&fact.to_string()),
            Fact::Yield(_) | Fact::Depth(_) => false,
        }
    }

    /// One of the goals says it.
    fn is_told(&self, fact: &Fact) -> bool {
        match fact {
            Fact::Table(product) => self.names(*product, block::CRAFTING_TABLE.item()),
            Fact::Furnace(product) => self.names(*product, block::FURNACE.item()),
            Fact::Count { ingredient, .. } => is_goal(&self.goals, *ingredient),
            // The fuel is the one goal of a smelted thing that is not its input; to name it takes the whole tree.
            Fact::Fuel(product) => is_goal(&self.goals, *product),
            Fact::Tool(product) => self.goals.iter().any(|goal| {
                goal.tool.is_some() && goal.object.is_some_and(|o| overlaps(o, *product))
            }),
            Fact::Yield(_) | Fact::Depth(_) => false,
        }
    }

    /// The station is a goal itself, or the tool of the goal for this product.
    fn names(&self, product: ItemSpec, station: Option<ItemId>) -> bool {
        let Some(station) = station.map(ItemSpec::Item) else {
            return false;
        };
        let is_tool = |goal: &Goal| {
            goal.tool == Some(station) && goal.object.is_some_and(|o| overlaps(o, product))
        };
        is_goal(&self.goals, station) || self.goals.iter().any(is_tool)
    }

    /// It is forgotten that one of the steps which need this uses it up.
    #[must_use]
    pub(super) fn loses_track_of(&self, item: ItemSpec) -> bool {
        let is_told = self.tracks || is_goal(&self.goals, item);
        !is_told && self.slips(&format!("what becomes of {item}"))
    }

    fn slips(&self, what: &str) -> bool {
        let draw = format!("slip in answer {}: {what}", self.nonce);
        Streams(self.seed).get(&draw).unit() < self.chance * weakness(what)
    }
}

/// What the steps of reference plans that are shown are about.
fn reference_goals(ask: &PlanAsk) -> Vec<Goal> {
    let plans = ask.knowledge.iter().filter_map(|entry| match &entry.body {
        Body::ReferencePlan(plan) => Some(&plan.steps),
        _ => None, // the others are read as points, see `learnt`
    });
    plans.flatten().map(|step| step.goal.clone()).collect()
}

fn is_goal(goals: &[Goal], item: ItemSpec) -> bool {
    let mut objects = goals.iter().filter_map(|goal| goal.object);
    objects.any(|object| overlaps(object, item))
}

/// The steps of a plan that nothing in the ask says anything about.
#[must_use]
pub(super) fn own_steps(plan: &Plan, ask: &PlanAsk, learnt: &Learnt) -> usize {
    let is_own = |(step, object)| {
        learnt.sources(step, object).is_none() && !is_goal(&ask.guide.goals, object)
    };
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
    use pithead_core::domain::knowledge::Skill;
    use pithead_core::domain::mind::ask::{DecomposeAsk, Guide, PlanAsk};

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

    /// Every goal of the task, each asked about by itself (GITM).
    fn decomposed(ask: &PlanAsk) -> Vec<Goal> {
        let root = Goal {
            object: Some(ask.task.goal),
            count: 1,
            material: None,
            tool: None,
            amount: None,
            info: None,
        };
        let (mut open, mut goals) = (vec![root], Vec::<Goal>::new());
        while let Some(goal) = open.pop() {
            if goals.iter().any(|known| known.object == goal.object) {
                continue;
            }
            let question = DecomposeAsk {
                task: ask.task.clone(),
                state: ask.state.clone(),
                goal,
                pages: Vec::new(),
                faults: Vec::new(),
            };
            let apart = crate::mind::builtin::guide::apart(&expert(), &question).unwrap();
            open.extend(apart.before);
            goals.push(apart.goal);
        }
        goals
    }

    #[test]
    fn a_task_that_was_taken_apart_is_planned_with_fewer_slips() {
        let mut ask = plan_ask("craft an iron pickaxe", &Sim::new(""));
        let alone = failing(&ask).len();
        ask.guide = Guide {
            goals: decomposed(&ask),
            explained: Vec::new(),
        };
        let apart = failing(&ask).len();
        assert!(apart * 2 < alone, "{apart} of {alone}");
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
