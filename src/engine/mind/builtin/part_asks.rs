//! Asks for a part of a plan: the next step, or what mends an assertion.
//!
//! To name the next step a planner follows the chain from the goal down to it. So facts slip over the steps of that
//! chain, as they would over those of a plan (see `look_ahead`), although one step is written down.

use super::learnt::Learnt;
use super::look_ahead::own_steps;
use super::{Builtin, planner};
use pithead_core::domain::check::Check;
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_core::domain::mind::ask::PlanAsk;
use pithead_core::domain::mind::plan_part::GoalPart;
use pithead_core::domain::plan::form::PlanForm;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::plan::{Goal, Plan, Subgoal};
use pithead_core::text::numbers::count_with_noun;
use pithead_world::family::ItemSpec;
use pithead_world::ids::SubgoalId;

impl Builtin {
    /// The step that comes next, as far as it comes to mind.
    pub(super) fn next_step(&self, ask: &PlanAsk) -> Result<Plan, String> {
        let whole = planner::plan(&self.beliefs, ask)?;
        let steps = own_steps(&chain_to_first(&whole), ask, &Learnt::from(ask));
        Ok(only(self.with_slips(whole, ask, steps, &[]), 0))
    }

    /// A plan for one goal, with its material and tool known and its page read, and why it may be that it failed before.
    pub(super) fn for_goal(&self, ask: &PlanAsk, part: &GoalPart) -> Result<Plan, String> {
        let mut smaller = ask.clone();
        smaller.form = PlanForm::Whole;
        smaller.guide.goals = vec![part.goal.clone()];
        if let Some(object) = part.goal.object.filter(|object| *object != ask.task.goal) {
            smaller.task = Task::to_have(object, part.goal.count);
        }
        let mut plan = self.whole(&smaller, &part.pages)?;
        let failed = part.feedback.iter().rfind(|told| !told.success);
        plan.explanation = failed.map(|told| format!("{}: {}", told.action, told.said));
        plan.thoughts = Some(thoughts(&part.goal, &plan));
        for step in &mut plan.subgoals {
            step.expectation = step.checks.first().map(Check::describe);
        }
        Ok(plan)
    }

    /// The one step that makes the assertion true, with what is held.
    pub(super) fn mending(&self, ask: &PlanAsk, assertion: &Check) -> Result<Plan, String> {
        let mut smaller = ask.clone();
        smaller.form = PlanForm::Whole;
        smaller.task.success = vec![assertion.clone()];
        smaller.task.any = false;
        let plan = planner::plan(&self.beliefs, &smaller)?;
        let wanted = match assertion {
            Check::InvGe { item, .. } => Some(*item),
            _ => None, // the last step is what leads there
        };
        let makes = |step: &Subgoal| {
            let object = step.goal.object;
            wanted.is_none_or(|item| object.is_some_and(|object| overlaps(object, item)))
        };
        let at = plan.subgoals.iter().rposition(makes);
        let at = at.ok_or_else(|| format!("nothing leads to: {}", assertion.describe()))?;
        Ok(only(plan, at))
    }
}

/// What is wanted, what of, with what, and in how many steps.
fn thoughts(goal: &Goal, plan: &Plan) -> String {
    let item = |item: Option<ItemSpec>| item.map_or("nothing".to_owned(), |item| item.to_string());
    format!(
        "{} {} of {} with {}: {} from what is held",
        goal.count,
        item(goal.object),
        item(goal.material),
        item(goal.tool),
        count_with_noun(plan.subgoals.len(), "step", "steps")
    )
}

/// A plan of this one step.
fn only(plan: Plan, at: usize) -> Plan {
    let mut step: Vec<Subgoal> = plan.subgoals.into_iter().skip(at).take(1).collect();
    for step in &mut step {
        step.needs.clear();
    }
    Plan {
        subgoals: step,
        ..plan
    }
}

/// The first step, and all that wait for it, directly or by way of others.
fn chain_to_first(plan: &Plan) -> Plan {
    let mut chain: Vec<Subgoal> = Vec::new();
    for step in &plan.subgoals {
        let is_in = |need: &SubgoalId| chain.iter().any(|known| known.id == *need);
        if chain.is_empty() || step.needs.iter().any(is_in) {
            chain.push(step.clone());
        }
    }
    Plan {
        subgoals: chain,
        ..plan.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::builtin::errors::Level;
    use crate::mind::builtin::sim::Sim;
    use crate::mind::builtin::tests::{plan_ask, spec, words};
    use pithead_world::wiki::{WikiPage, page_about};

    /// Steps asked for one by one until the thing is held, and how many of them failed; none if it never was.
    fn failed_on_the_way(seed: u64, task: &str, item: &str) -> Option<usize> {
        let mind = Builtin::new(Level::Novice, seed);
        let mut sim = Sim::new("");
        let mut failed = 0;
        for nonce in 0..60 {
            let ask = PlanAsk {
                nonce,
                form: PlanForm::NextStep,
                ..plan_ask(task, &sim)
            };
            let next = mind.next_step(&ask).unwrap();
            assert_eq!(next.subgoals.len(), 1, "{}", words(&next));
            let before = sim.clone();
            if sim.run(&next).1.is_some() {
                sim = before;
                failed += 1;
            }
            if sim.inventory.count(spec(item)) > 0 {
                return Some(failed);
            }
        }
        None
    }

    #[test]
    fn steps_asked_for_one_by_one_slip_on_the_way_and_get_there_where_no_belief_is_wrong() {
        let runs: Vec<Option<usize>> = (1..=40)
            .map(|seed| failed_on_the_way(seed, "craft a stone pickaxe", "stone_pickaxe"))
            .collect();
        let arrived = runs.iter().flatten().count();
        let stumbled = runs.iter().flatten().filter(|failed| **failed > 0).count();
        assert!(arrived > 20 && arrived < 40, "{runs:?}");
        assert!(stumbled > 0, "{runs:?}");
    }

    #[test]
    fn an_assertion_is_mended_by_the_one_step_that_makes_the_thing() {
        let sim = Sim::new("oak_log=2");
        let ask = PlanAsk {
            form: PlanForm::Asserted,
            ..plan_ask("craft a wooden pickaxe", &sim)
        };
        let assertion = Check::InvGe {
            item: spec("#planks"),
            count: 3,
        };
        let mind = Builtin::new(Level::Expert, 1);
        let mended = mind.mending(&ask, &assertion).unwrap();
        assert_eq!(words(&mended), "craft 3 #planks");
    }

    #[test]
    fn a_goal_is_planned_for_by_itself_and_its_page_corrects_what_is_believed_of_it() {
        let goal = |pages: Vec<WikiPage>| GoalPart {
            goal: Goal {
                object: Some(spec("wooden_pickaxe")),
                count: 1,
                material: None,
                tool: None,
                amount: None,
                info: None,
            },
            question: 1,
            feedback: Vec::new(),
            pages,
        };
        let held = "oak_planks=9,stick=4";
        let ask = plan_ask("craft an iron pickaxe", &Sim::new(held));
        let failing = |part: &GoalPart| {
            let fails = |seed: &u64| {
                let mind = Builtin::new(Level::Novice, *seed);
                let plan = mind.for_goal(&ask, part).unwrap();
                assert!(plan.thoughts.is_some() && plan.subgoals[0].expectation.is_some());
                Sim::new(held).run(&plan).1.is_some()
            };
            (1..=100).filter(fails).count()
        };
        assert!(failing(&goal(Vec::new())) > 0);
        let page = page_about(spec("wooden_pickaxe")).unwrap();
        assert_eq!(failing(&goal(vec![page])), 0);
    }
}
