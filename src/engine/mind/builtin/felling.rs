//! Felling: an axe of the first wood where much more of it is cut.
//!
//! It cuts what is left in half the time, and a table that is taken along from place to place. Invariant: the plan ends
//! with what it ended with before; where the axe would not come first, nothing changes.

use super::demand::{Step, Want};
use super::stock::Stock;
use super::ways::Way;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::item::{ItemId, Tier, ToolKind};

/// So many logs in all pay for an axe.
const LOGS_MIN: u32 = 5;

/// The steps to the tools of wood and then those to the rest, if that spares wood cut by hand; else the same steps.
pub(super) fn axe_first(
    path: Vec<Step>,
    held: &Counts,
    wants: &[Want],
    steps_to: impl Fn(&Counts, &[Want]) -> Result<Vec<Step>, ItemSpec>,
) -> Vec<Step> {
    let is_axe = |item: ItemId| item.facts().tool.is_some_and(|t| t.kind == ToolKind::Axe);
    let has_axe = held.iter().any(|(item, _)| is_axe(item));
    let Some(axe) = ItemId::of_tool(ToolKind::Axe, Tier::Wood).filter(|_| !has_axe) else {
        return path;
    };
    let logs = logs_of(&path);
    if logs < LOGS_MIN {
        return path;
    }
    let first_wants: Vec<Want> = of_wood(&path)
        .chain([(axe.into(), 1)])
        .map(|(item, count)| Want {
            item,
            count,
            fresh: false,
        })
        .collect();
    let two_legs = || {
        let mut first = steps_to(held, &first_wants)?;
        let rest = steps_to(&Stock::after(held, &first), wants)?;
        let is_worth = logs_of(&first) < logs && logs_of(&rest) > 0;
        first.extend(rest);
        Ok::<_, ItemSpec>((first, is_worth))
    };
    match two_legs() {
        Ok((legs, true)) => legs,
        Ok(_) | Err(_) => path,
    }
}

/// Logs that are cut.
fn logs_of(path: &[Step]) -> u32 {
    let Ok(logs) = "#logs".parse::<ItemSpec>() else {
        return 0;
    };
    let cut = path
        .iter()
        .filter(|step| step.item == logs && matches!(step.way, Way::Mine { .. }));
    cut.map(|step| step.make).sum()
}

/// Tools of wood that are made on the way, and how many.
fn of_wood(path: &[Step]) -> impl Iterator<Item = (ItemSpec, u32)> {
    let is_of_wood = |item: ItemId| item.facts().tool.is_some_and(|t| t.tier == Tier::Wood);
    let made = path.iter().map(|step| (step.item, step.make));
    made.filter(move |(item, _)| item.single().is_some_and(is_of_wood))
}

#[cfg(test)]
mod tests {
    use super::super::planner;
    use super::super::sim::Sim;
    use super::super::tests::{expert, plan_ask, words};

    fn plan(task: &str, held: &str) -> String {
        let mut ask = plan_ask(task, &Sim::new(held));
        ask.ticks_left = Some(12_000);
        words(&planner::plan(&expert(), &ask).unwrap())
    }

    #[test]
    fn an_axe_of_the_first_wood_cuts_the_rest() {
        let gold = plan("get 1 golden_pickaxe", "");
        let tools =
            "craft 1 crafting_table; craft 1 wooden_pickaxe; craft 1 wooden_axe; mine 3 #logs";
        assert!(gold.starts_with("mine 3 #logs"), "{gold}");
        assert!(gold.contains(tools), "{gold}");
        // Two logs more are cut as quickly by hand.
        let little = plan("get 1 stone_pickaxe", "");
        assert!(!little.contains("wooden_axe"), "{little}");
        let carried = plan("get 1 golden_pickaxe", "iron_axe=1");
        assert!(!carried.contains("wooden_axe"), "{carried}");
    }
}
