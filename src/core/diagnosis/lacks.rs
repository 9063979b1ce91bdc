//! What a subgoal lacks by the rules of the game: ingredients, stations, fuel, tools.
//!
//! It sees only what was carried and known at the end, and says nothing where it cannot be sure.

use crate::domain::check::{Check, Place};
use crate::domain::experience::attempt::{Attempt, Sample};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::plan::{Executor, Goal};
use pithead_world::action::Target;
use pithead_world::block::{BlockId, CRAFTING_TABLE, FURNACE, can_harvest};
use pithead_world::counts::Counts;
use pithead_world::drops::blocks_dropping;
use pithead_world::family::{FamilyId, ItemSpec};
use pithead_world::farming::{crops_giving, feed_of};
use pithead_world::item::{ItemId, ToolKind};
use pithead_world::recipe::{Recipe, recipes_for, recipes_for_spec};
use pithead_world::smelting::{burn_ticks, smelt_inputs};

/// What is missing, in words; none if nothing is known to be.
pub(super) fn missing(attempt: &Attempt, post: &StateSummary) -> Option<String> {
    let subgoal = &attempt.subgoal;
    // These executors judge by what was held at the start as well: seeds are sown and rods
    // break.
    match subgoal.executor_hint {
        Executor::Fish => return for_fishing(attempt, post),
        Executor::Breed => return for_breeding(attempt, post),
        Executor::Sleep => return for_sleeping(attempt, post),
        Executor::Use => return for_using(attempt, post),
        _ => {}
    }
    let object = subgoal.goal.object?;
    match subgoal.executor_hint {
        Executor::Craft => for_crafting(object, post),
        Executor::Smelt => for_smelting(object, &subgoal.goal, attempt.samples.last(), post),
        Executor::Equip
        | Executor::Place
        | Executor::Enchant
        | Executor::Repair
        | Executor::Dye
        | Executor::Put
        | Executor::Build
        | Executor::Eat => {
            // The larger of both: placing or eating uses it up.
            let held = attempt
                .baseline
                .inventory
                .count(object)
                .max(post.inventory.count(object));
            (held == 0).then(|| format!("{object} is not held"))
        }
        Executor::Mine => for_mining(object, post),
        Executor::Grow => for_growing(object, attempt, post),
        Executor::Attack
        | Executor::Use
        | Executor::Fish
        | Executor::Breed
        | Executor::Trade
        | Executor::Take
        | Executor::Sleep
        | Executor::Explore
        | Executor::Approach
        | Executor::DigDown
        | Executor::GoUp
        // Nothing said is better than something wrong: it would become a lesson.
        | Executor::Wait => None,
    }
}

/// What was held at the start or at the end: seeds are in the ground by then, food is eaten.
fn was_held(item: ItemSpec, attempt: &Attempt, post: &StateSummary) -> bool {
    attempt.baseline.inventory.count(item) > 0 || post.inventory.count(item) > 0
}

/// The thing to use, if it was never held; a bucket that is full now was.
fn for_using(attempt: &Attempt, post: &StateSummary) -> Option<String> {
    // Only where the step names what to use.
    let tool = attempt.subgoal.goal.tool?;
    (!was_held(tool, attempt, post)).then(|| format!("{tool} is not held"))
}

fn for_fishing(attempt: &Attempt, post: &StateSummary) -> Option<String> {
    let rod: ItemSpec = ItemId::named("fishing_rod")?.into();
    let broke = was_held(rod, attempt, post);
    (post.inventory.count(rod) == 0).then(|| {
        if broke {
            format!("the last {rod} broke")
        } else {
            format!("{rod} is not held")
        }
    })
}

/// Seeds, and a hoe for what grows on tilled ground; nothing is said while one of them was held.
fn for_growing(object: ItemSpec, attempt: &Attempt, post: &StateSummary) -> Option<String> {
    let mut crops = crops_giving(object).peekable();
    let Some(first) = crops.peek().copied() else {
        return Some(format!("{object} does not grow"));
    };
    let sown = crops.find(|crop| was_held(crop.seed.into(), attempt, post));
    let Some(crop) = sown else {
        return Some(format!("{object} grows of {}, none is held", first.seed));
    };
    // Any hoe will do.
    let hoes = |held: &Counts| held.iter().any(|(item, _)| is_hoe(item));
    let tilled = hoes(&attempt.baseline.inventory) || hoes(&post.inventory);
    (crop.wants_farmland()
        && !tilled
        && attempt.samples.last().is_some_and(|last| {
            // Ground that was tilled before takes seeds without a hoe.
            last.inventory.count(crop.seed) > 0
        }))
    .then(|| format!("{object} grows on tilled ground and no hoe is held"))
}

fn is_hoe(item: ItemId) -> bool {
    item.facts()
        .tool
        .is_some_and(|tool| tool.kind == ToolKind::Hoe)
}

/// Only where the subgoal names the animal.
fn for_breeding(attempt: &Attempt, post: &StateSummary) -> Option<String> {
    let named = attempt
        .subgoal
        .checks
        .iter()
        .find_map(|check| match check {
            Check::Near {
                place: Place::Thing(Target::Mob(mob)),
                ..
            } => Some(*mob),
            _ => None,
        })?;
    let mut foods = feed_of(named).peekable();
    let first = *foods.peek()?;
    // One kind of food is enough.
    let fed = foods.any(|food| was_held(food.into(), attempt, post));
    (!fed).then(|| format!("a {named} is bred with {first}, none is held"))
}

fn for_sleeping(attempt: &Attempt, post: &StateSummary) -> Option<String> {
    let beds = ItemSpec::Family(FamilyId::named("#beds")?);
    // A bed that was seen counts as held.
    let seen = post
        .notable
        .iter()
        .any(|sight| sight.block.name().ends_with("_bed"));
    (!seen && !was_held(beds, attempt, post)).then(|| format!("{beds} is not held"))
}

fn is_at_hand(block: BlockId, post: &StateSummary) -> bool {
    let carried = block
        .item()
        .is_some_and(|item| post.inventory.count(item) > 0);
    carried || post.notable.iter().any(|sight| sight.block == block)
}

fn for_crafting(object: ItemSpec, post: &StateSummary) -> Option<String> {
    let general = recipes_for_spec(object);
    // A family may have no recipe of its own; then those of its members count.
    let recipes: Vec<&Recipe> = if general.is_empty() {
        object
            .members()
            .iter()
            .flat_map(|item| recipes_for(*item))
            .collect()
    } else {
        general.iter().collect()
    };
    if recipes.is_empty() {
        return Some(format!("there is no recipe for {object}"));
    }
    // Of several ways the one that lacks least is the one that was meant.
    let nearest = recipes
        // In pieces short of the recipe.
        .iter()
        .min_by_key(|recipe| pieces_short(recipe, &post.inventory))?;
    let short = |(item, need): &(ItemSpec, u32)| {
        let have = post.inventory.count(*item);
        (have < *need).then(|| format!("{object} needs {need} {item}, only {have} held"))
    };
    let ingredient = nearest.ingredients.iter().find_map(short);
    let station = (nearest.needs_table && !is_at_hand(CRAFTING_TABLE, post))
        .then(|| format!("{object} needs a crafting_table and none is near or carried"));
    ingredient.or(station)
}

fn pieces_short(recipe: &Recipe, held: &Counts) -> u32 {
    recipe
        .ingredients
        .iter()
        .map(|(item, need)| need.saturating_sub(held.count(*item)))
        .sum()
}

fn for_smelting(
    object: ItemSpec,
    goal: &Goal,
    last: Option<&Sample>,
    post: &StateSummary,
) -> Option<String> {
    let furnace = last.and_then(|sample| sample.furnace.as_ref());
    let inputs = smelt_inputs(object);
    if inputs.is_empty() {
        return Some(format!("nothing smelts into {object}"));
    }
    if furnace.is_none() && !is_at_hand(FURNACE, post) {
        return Some(format!(
            "{object} needs a furnace and none is near or carried"
        ));
    }
    let holds_input = inputs.iter().any(|item| post.inventory.count(*item) > 0);
    // Input in the furnace counts, since it was taken out of the inventory.
    if !holds_input && furnace.is_none_or(|view| view.input == 0) {
        return Some(format!(
            "{object} needs {}, none is held or in the furnace",
            inputs[0]
        ));
    }
    let fuel = |item: ItemId| {
        burn_ticks(item).is_some() && goal.material.is_none_or(|wanted| wanted.matches(item))
    };
    let holds_fuel = post.inventory.iter().any(|(item, _)| fuel(item));
    // Burning now, or still to burn.
    let burns = furnace.is_some_and(|view| view.burn > 0 || view.fuel > 0);
    (!holds_fuel && !burns).then(|| "nothing to burn in the furnace".to_owned())
}

/// Only where a source is in sight: a tool is not what is missing while nothing was found.
fn for_mining(object: ItemSpec, post: &StateSummary) -> Option<String> {
    let sources = blocks_dropping(object);
    let seen: Vec<BlockId> = post
        .notable
        .iter()
        .map(|sight| sight.block)
        .filter(|block| sources.iter().any(|source| source.block == *block))
        .collect();
    let first = seen.first()?;
    let harvests = seen
        .iter()
        .any(|block| can_harvest_with(*block, &post.inventory));
    (!harvests).then(|| format!("no tool carried harvests {first}"))
}

/// Whether the hand or any tool carried takes the block's drops.
pub(super) fn can_harvest_with(block: BlockId, held: &Counts) -> bool {
    can_harvest(block, None) || held.iter().any(|(item, _)| can_harvest(block, Some(item)))
}
