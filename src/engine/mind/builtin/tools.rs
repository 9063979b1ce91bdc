//! Tools: as many as last through a plan, and better ones where the whole plan costs less with them.
//!
//! The search takes one of the plainest that will do; here whole plans are compared. Invariant: a plan whose tools
//! last stays as it is, unless a better tool can be made of what is held and the plan with it costs less, or of the
//! first rock of much that is dug near the land.

use super::beliefs::Beliefs;
use super::demand::{Step, Want, wanders};
use super::stock::Stock;
use super::ways::Way;
use pithead_core::domain::knowledge::pattern::within;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use pithead_world::natural::Lie;
use std::collections::BTreeSet;

/// Going to where a thing is costs so much besides its pieces, in the unit of `price`: as much as looking for a pond.
const ERRAND: u64 = 60;

/// So many blocks of plain rock pay for a better tool of the first of them.
/// Stone breaks in 12 ticks instead of 23 under a pickaxe of stone, which takes three blocks more and some ticks at a table.
const ROCK_MIN: u32 = 12;

/// The steps to what is wanted, from what is held.
type StepsTo<'a> = dyn Fn(&Counts, &[Want]) -> Result<Vec<Step>, ItemSpec> + 'a;

/// A plan whose tools are looked at.
struct Tooled<'a> {
    beliefs: &'a Beliefs,
    held: &'a Counts,
    path: Vec<Step>,
}

/// The same plan, or one that makes other tools first and costs less, or lasts where this one does not.
pub(super) fn with_tools_that_pay(
    beliefs: &Beliefs,
    path: Vec<Step>,
    held: &Counts,
    wants: &[Want],
    steps_to: &StepsTo<'_>,
) -> Vec<Step> {
    let plan = Tooled {
        beliefs,
        held,
        path,
    };
    for tool in plan.tools() {
        let short = plan.uses_short(tool);
        let with = |want: &Want| {
            let first = steps_to(held, std::slice::from_ref(want)).ok()?;
            let rest = steps_to(&Stock::after(held, &first), wants).ok()?;
            let whole = [first.clone(), rest.clone()].concat();
            let lasts = Tooled {
                path: whole,
                ..plan
            }
            .uses_short(tool)
                == 0;
            lasts.then_some((first, rest))
        };
        let others = plan.instead_of(tool, short);
        let found = others.iter().filter_map(with);
        let best = found.min_by_key(|(first, rest)| price([first, rest]));
        if let Some((mut first, rest)) = best
            && (short > 0
                || plan.quarried(tool).is_some()
                || price([&first, &rest]) < price([&plan.path]))
        {
            let then = Stock::after(held, &first);
            first.extend(with_tools_that_pay(beliefs, rest, &then, wants, steps_to));
            return first;
        }
    }
    plan.path
}

impl Tooled<'_> {
    /// Tools that are taken to where things are got.
    fn tools(&self) -> BTreeSet<ItemId> {
        let errands = self.path.iter().filter(|step| wanders(step));
        let tools = errands.flat_map(|step| {
            let taken = step.holds.iter().filter_map(|item| item.single());
            taken.chain(mines_with(step))
        });
        tools.filter(|item| item.facts().tool.is_some()).collect()
    }

    /// Uses of this tool, or of a better one, that no tool is left for; those carried count as new.
    fn uses_short(&self, tool: ItemId) -> u32 {
        let uses = self.path.iter().filter_map(|step| {
            let used = mines_with(step)?;
            will_do(used, tool).then(|| self.blocks_of(step))
        });
        let carried = self.held.iter();
        let made = self
            .path
            .iter()
            .filter_map(|step| Some((step.item.single()?, step.make)));
        let lasting = carried.chain(made).filter(|(item, _)| will_do(*item, tool));
        let lasts = lasting.map(|(item, count)| count.saturating_mul(lasts(item)));
        let all = lasts.fold(0, u32::saturating_add);
        uses.fold(0, u32::saturating_add).saturating_sub(all)
    }

    /// Blocks that the step breaks.
    fn blocks_of(&self, step: &Step) -> u32 {
        let sources = self.beliefs.gatherings(step.item);
        let each_x10 = sources.iter().map(|source| source.breaks_x10).min();
        let all = u64::from(step.make) * each_x10.unwrap_or_default();
        u32::try_from(all.div_ceil(10)).unwrap_or(u32::MAX)
    }

    /// Tools that might be made first: better ones of the rock that is dug with this one, if it is enough; else more of this
    /// and better ones if it is short; else better ones of which some part is held that this one does not take.
    fn instead_of(&self, tool: ItemId, short: u32) -> Vec<Want> {
        let made = self.made(tool);
        let better = ItemId::all().filter(|item| *item != tool && will_do(*item, tool));
        let want = |item: ItemId, count: u32| Want {
            item: item.into(),
            count: self.held.count(item) + count,
            fresh: false,
        };
        // The way to a better tool wears out this one: it may take one more.
        let lasting_for = |item: ItemId| {
            let count = short.div_ceil(lasts(item)).max(1);
            [want(item, count), want(item, count + 1)]
        };
        if let Some(rock) = self.quarried(tool) {
            let of_rock = better.filter(|item| self.takes(*item, rock));
            return of_rock.flat_map(lasting_for).collect();
        }
        if short > 0 {
            let lasting = better.filter(|item| lasts(*item) > lasts(tool));
            let more = lasting.flat_map(lasting_for);
            let same = want(tool, made + short.div_ceil(lasts(tool)));
            return std::iter::once(same).chain(more).collect();
        }
        let at_hand = better.filter(|item| made > 0 && self.holds_part(*item, tool));
        let as_long = |item| (made * lasts(tool)).div_ceil(lasts(item));
        at_hand.map(|item| want(item, as_long(item))).collect()
    }

    /// The plain rock that is dug with this very tool, if it is enough for a better one and nothing is dug deep down:
    /// on the way there much more is dug (see `descent`).
    fn quarried(&self, tool: ItemId) -> Option<ItemSpec> {
        let is_deep = |step: &Step| matches!(step.way, Way::Mine { depth: Some(_), .. });
        let rock = self.path.iter().find(|step| {
            let is_rock = matches!(step.way, Way::Mine { lie: Lie::Rock, .. });
            is_rock && mines_with(step) == Some(tool) && self.blocks_of(step) >= ROCK_MIN
        })?;
        let of_it = |item: ItemId| will_do(item, tool) && self.takes(item, rock.item);
        let can_be_made = ItemId::all().any(of_it) && !self.takes(tool, rock.item);
        let is_held = self.held.iter().any(|(item, _)| of_it(item));
        // Where this one is made, the table and the sticks for another are at hand.
        let pays = can_be_made && !is_held && self.made(tool) > 0;
        (pays && !self.path.iter().any(is_deep)).then_some(rock.item)
    }

    /// Whether some way to make the tool takes this.
    fn takes(&self, tool: ItemId, part: ItemSpec) -> bool {
        let recipes = self.beliefs.recipes(tool.into()).into_iter();
        let mut parts = recipes.flat_map(|recipe| recipe.ingredients);
        parts.any(|(taken, _)| within(part, taken))
    }

    fn made(&self, tool: ItemId) -> u32 {
        let steps = self.path.iter().filter(|step| step.item == tool.into());
        steps.map(|step| step.make).sum()
    }

    /// Whether all that one takes of some part is held, of a part that the other does not take.
    fn holds_part(&self, tool: ItemId, other: ItemId) -> bool {
        let parts = |tool: ItemId| {
            let recipes = self.beliefs.recipes(tool.into()).into_iter();
            recipes.flat_map(|recipe| recipe.ingredients)
        };
        let is_shared = |part: ItemSpec| parts(other).any(|(taken, _)| taken == part);
        parts(tool).any(|(part, count)| self.held.count(part) >= count && !is_shared(part))
    }
}

fn mines_with(step: &Step) -> Option<ItemId> {
    match step.way {
        Way::Mine { tool, .. } => tool,
        _ => None,
    }
}

/// Whether the one does all that the other does.
fn will_do(item: ItemId, other: ItemId) -> bool {
    let (tool, other) = (item.facts().tool, other.facts().tool);
    tool.zip(other)
        .is_some_and(|(tool, other)| tool.will_do(other.kind, other.tier))
}

/// Uses of a new one.
fn lasts(tool: ItemId) -> u32 {
    tool.facts().durability.unwrap_or(u32::MAX).max(1)
}

/// What all steps cost, and the errands for what they get.
fn price<'a>(parts: impl IntoIterator<Item = &'a Vec<Step>>) -> u64 {
    let steps: Vec<&Step> = parts.into_iter().flatten().collect();
    let errands = steps.iter().filter(|step| wanders(step));
    let places: BTreeSet<ItemSpec> = errands.map(|step| step.item).collect();
    let own = steps.iter().map(|step| step.price);
    own.fold(ERRAND * places.len() as u64, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::super::asks::{first, plan};
    use super::super::sim::Sim;
    use super::super::tests::{expert, plan_ask, spec, words};
    use pithead_core::domain::knowledge::Remedy;
    use pithead_core::domain::plan::TaskKind;

    #[track_caller]
    fn check(task: &str, held: &str, expected: &str) {
        let plan = plan(&expert(), &plan_ask(task, &Sim::new(held)));
        assert_eq!(words(&plan), expected, "{task} from {held}");
    }

    #[test]
    fn a_better_tool_is_made_of_what_is_held_where_that_costs_less() {
        check(
            "obtain coal",
            "cobblestone=49,stick=4,crafting_table=1",
            "craft 1 stone_pickaxe; mine 1 coal",
        );
        check(
            "obtain coal",
            "iron_ingot=3,stick=2,crafting_table=1",
            "craft 1 iron_pickaxe; mine 1 coal",
        );
        check(
            "obtain 20 cobblestone",
            "cobblestone=3,stick=2,crafting_table=1",
            "craft 1 stone_pickaxe; mine 20 cobblestone",
        );
        // Iron that the goal takes is dug for again: that costs more than a tool of wood.
        check(
            "craft an iron axe",
            "iron_ingot=3,stick=2,crafting_table=1",
            "craft 1 iron_axe",
        );
        let axe = "iron_ingot=3,stick=2,crafting_table=1,furnace=1";
        let plan = words(&plan(
            &expert(),
            &plan_ask("craft 2 iron axes", &Sim::new(axe)),
        ));
        assert!(!plan.contains("iron_pickaxe"), "{plan}");
    }

    #[test]
    fn so_many_tools_are_made_as_last() {
        let made = |count: u32, held: &str, tool: &str| {
            let task = format!("obtain {count} cobblestone");
            let plan = plan(&expert(), &plan_ask(&task, &Sim::new(held)));
            let steps = plan.subgoals.iter().filter(|s| s.condition.ends_with(tool));
            steps.map(|step| step.goal.count).sum::<u32>()
        };
        let pickaxes = |count: u32, held: &str| {
            ["wooden_pickaxe", "stone_pickaxe"].map(|tool| made(count, held, tool))
        };
        assert_eq!(pickaxes(10, ""), [1, 0]);
        assert_eq!(pickaxes(59, ""), [1, 1]);
        assert_eq!(pickaxes(64, ""), [1, 1]);
        // A log more costs more than three stones on the way.
        assert_eq!(pickaxes(128, ""), [1, 1]);
        assert_eq!(pickaxes(256, ""), [1, 2]);
        assert_eq!(pickaxes(64, "wooden_pickaxe=2"), [0, 0]);
        assert_eq!(pickaxes(64, "stone_pickaxe=1"), [0, 0]);
    }

    #[test]
    fn a_pickaxe_of_the_first_stone_digs_much_of_it() {
        let ends = |task: &str, held: &str, end: &str| {
            let plan = words(&plan(&expert(), &plan_ask(task, &Sim::new(held))));
            assert!(plan.ends_with(end), "{task}: {plan}");
        };
        let pays = "mine 3 cobblestone; craft 1 stone_pickaxe; mine 30 cobblestone";
        ends("obtain 30 cobblestone", "", pays);
        let little = "craft 1 wooden_pickaxe; mine 8 cobblestone; craft 1 furnace";
        ends("craft a furnace", "", little);
    }

    #[test]
    fn advice_to_have_more_tools_is_met_by_better_ones() {
        let worn = Remedy::Have {
            item: spec("wooden_pickaxe"),
            count: 3,
        };
        let held = "cobblestone=49,stick=4,crafting_table=1";
        let mut ask = plan_ask("obtain 60 cobblestone", &Sim::new(held));
        ask.lessons = vec![first(TaskKind::Mine, "cobblestone", worn)];
        let plan = words(&plan(&expert(), &ask));
        assert!(
            plan.contains("craft 2 stone_pickaxe") && !plan.contains("wooden"),
            "{plan}"
        );
    }
}
