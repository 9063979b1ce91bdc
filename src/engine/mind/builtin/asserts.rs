//! Asserts: what the planner writes down as having to hold before a step, where it is asked for that.
//!
//! Invariant: an assertion holds what came to mind when the step was planned, so what slipped from the one slipped
//! from the other too.

use super::demand::Step;
use super::ways::Way;
use pithead_core::domain::check::Check;
use pithead_core::domain::plan::form::PlanForm;
use pithead_world::family::ItemSpec;

/// What this step asserts in a plan of this form.
pub(super) fn of_step(step: &Step, form: PlanForm) -> Vec<Check> {
    if !form.asserts() {
        return Vec::new();
    }
    let used = used(step, form).into_iter();
    let used = used.map(|(item, count)| Check::InvGe { item, count });
    let stays = holds(step).into_iter();
    let stays = stays.map(|item| Check::InvGe { item, count: 1 });
    used.chain(stays).collect()
}

/// What is used up: by all pieces together, or in a program by one pass of its loop.
fn used(step: &Step, form: PlanForm) -> Vec<(ItemSpec, u32)> {
    let all = step.uses.iter().map(|(item, count)| (*item, *count));
    match (&step.way, form) {
        (Way::Craft(recipe), PlanForm::Program) => recipe.ingredients.clone(),
        (Way::Smelt { .. }, PlanForm::Program) => all.map(|(item, _)| (item, 1)).collect(),
        _ => all.collect(),
    }
}

/// The tool or station; what is taken along besides is a precaution.
fn holds(step: &Step) -> Vec<ItemSpec> {
    match &step.way {
        Way::Mine { tool, .. } => tool.map(ItemSpec::Item).into_iter().collect(),
        Way::OtherWay(other) => other.tool.into_iter().collect(),
        Way::Craft(_) | Way::Smelt { .. } => step.holds.clone(),
        Way::Attack { .. } | Way::Pick(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::mind::builtin::planner;
    use crate::mind::builtin::sim::Sim;
    use crate::mind::builtin::tests::{expert, plan_ask};
    use pithead_core::domain::mind::ask::PlanAsk;
    use pithead_core::domain::plan::form::PlanForm;

    /// What the step on this thing asserts.
    fn asserted(form: PlanForm, task: &str, of: &str) -> String {
        let ask = PlanAsk {
            form,
            ..plan_ask(task, &Sim::new(""))
        };
        let plan = planner::plan(&expert(), &ask).unwrap();
        let name = |item: pithead_world::family::ItemSpec| item.to_string();
        let step = plan
            .subgoals
            .iter()
            .find(|step| step.goal.object.map(name).as_deref() == Some(of));
        let asserts: Vec<String> = step.unwrap().asserts.iter().map(|c| c.describe()).collect();
        asserts.join("; ")
    }

    #[test]
    fn a_plan_asserts_what_all_pieces_take_and_a_program_what_one_pass_takes() {
        let task = "craft an iron pickaxe";
        let of = |form| asserted(form, task, "iron_ingot");
        assert_eq!(of(PlanForm::Whole), "");
        assert_eq!(
            of(PlanForm::Asserted),
            "inv_ge iron_ore 3; inv_ge #planks 3; inv_ge furnace 1"
        );
        assert_eq!(
            of(PlanForm::Program),
            "inv_ge iron_ore 1; inv_ge #planks 1; inv_ge furnace 1"
        );
        let tool = asserted(PlanForm::Program, task, "iron_ore");
        assert_eq!(tool, "inv_ge stone_pickaxe 1");
        let one_pass = asserted(PlanForm::Program, task, "stick");
        assert_eq!(one_pass, "inv_ge #planks 2");
    }
}
