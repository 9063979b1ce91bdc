//! Guesses: what a step may have lacked, where the body does not say what it was.
//!
//! A person at the bench tries one thing after the other: a station, one more of each part, something to burn.
//! Each lesson is one guess. Invariant: no guess is made twice in a run, nor one that was so when the step failed.

use super::beliefs::{Beliefs, BelievedRecipe};
use super::shortage::{no_fuel, no_station, rated, supposed_to_take};
use pithead_core::domain::check::Truth;
use pithead_core::domain::knowledge::hindsight::situation;
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_core::domain::knowledge::{Body, Guardrail, Remedy};
use pithead_core::domain::mind::ask::{DiagnoseAsk, Lesson};
use pithead_core::domain::mind::evidence::FailedAttempt;
use pithead_core::domain::plan::TaskKind;
use pithead_world::block;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;

/// Parts that fit into the hand's grid of two by two, however they lie.
const FITS_THE_HAND: u32 = 2;

/// What work on things carried may have lacked: what its changes show, or the next guess; none if all were tried.
pub(super) fn what_was_lacking(
    beliefs: &Beliefs,
    ask: &DiagnoseAsk,
    last: &FailedAttempt,
) -> Option<Lesson> {
    let product = ask.subgoal.goal.object?;
    let guesses = match ask.subgoal.task_kind {
        TaskKind::Craft => {
            let recipes = beliefs.recipes(product);
            let each = |recipe: &BelievedRecipe| {
                let parts = recipe.ingredients.iter();
                parts
                    .map(|(part, _)| (*part, recipe.yields))
                    .collect::<Vec<_>>()
            };
            let mut parts = recipes.iter().flat_map(each);
            // Some were made until a part ran out: no guess is needed.
            if let Some(shown) = parts.find_map(|part| rated(ask, last, part, product)) {
                return Some(shown);
            }
            at_the_bench(beliefs, ask, last, product, &recipes)
        }
        TaskKind::Smelt => at_the_furnace(beliefs, ask, last, product),
        _ => return None,
    };
    guesses
        .into_iter()
        .find(|lesson| is_open(ask, last, lesson))
        .map(|lesson| Lesson {
            root_cause: format!("the body does not say why; a guess: {}", lesson.root_cause),
            is_guess: true,
            ..lesson
        })
}

fn at_the_bench(
    beliefs: &Beliefs,
    ask: &DiagnoseAsk,
    last: &FailedAttempt,
    product: ItemSpec,
    recipes: &[BelievedRecipe],
) -> Vec<Lesson> {
    let of_parts =
        |recipe: &BelievedRecipe| -> u32 { recipe.ingredients.iter().map(|(_, n)| n).sum() };
    let is_small = recipes
        .iter()
        .any(|recipe| of_parts(recipe) <= FITS_THE_HAND);
    // A table is not made at a table.
    let is_table =
        |item: &ItemSpec| block::CRAFTING_TABLE.item().map(ItemSpec::Item) == Some(*item);
    let table = Some(product)
        .filter(|item| !is_table(item))
        .map(|_| no_station(&ask.subgoal, last, block::CRAFTING_TABLE));
    let more = one_more_of_each(beliefs, recipes);
    let forgotten = parts_of_kin(beliefs, product, recipes);
    let parts = more.into_iter().chain(forgotten);
    let yields = recipes.first().map_or(1, |recipe| recipe.yields.max(1));
    let batches = ask.subgoal.goal.count.div_ceil(yields);
    let parts: Vec<Lesson> = parts
        .map(|(part, count)| supposed_to_take(&ask.subgoal, last, part, count * batches))
        .collect();
    if is_small {
        parts.into_iter().chain(table).collect()
    } else {
        table.into_iter().chain(parts).collect()
    }
}

fn at_the_furnace(
    beliefs: &Beliefs,
    ask: &DiagnoseAsk,
    last: &FailedAttempt,
    product: ItemSpec,
) -> Vec<Lesson> {
    let input = beliefs.smelted_from(product).first().copied();
    let input =
        input.map(|input| supposed_to_take(&ask.subgoal, last, input, ask.subgoal.goal.count + 1));
    [
        no_station(&ask.subgoal, last, block::FURNACE),
        no_fuel(beliefs, ask, last),
    ]
    .into_iter()
    .chain(input)
    .collect()
}

/// One more of each part of a single crafting, what is easily had first.
fn one_more_of_each(beliefs: &Beliefs, recipes: &[BelievedRecipe]) -> Vec<(ItemSpec, u32)> {
    let mut more: Vec<(ItemSpec, u32)> = Vec::new();
    for (part, count) in recipes.iter().flat_map(|recipe| &recipe.ingredients) {
        if !more.iter().any(|(known, _)| overlaps(*known, *part)) {
            more.push((*part, count + 1));
        }
    }
    more.sort_by_key(|(part, _)| is_dear(beliefs, *part));
    more
}

/// Mined in the depth or smelted.
fn is_dear(beliefs: &Beliefs, item: ItemSpec) -> bool {
    let places = beliefs.gatherings(item);
    let is_deep = !places.is_empty() && places.iter().all(|place| place.depth.is_some());
    is_deep || !beliefs.smelted_from(item).is_empty()
}

/// Parts that things of its kind take, and it is not believed to: as other pickaxes take sticks.
fn parts_of_kin(
    beliefs: &Beliefs,
    product: ItemSpec,
    recipes: &[BelievedRecipe],
) -> Vec<(ItemSpec, u32)> {
    let last_word = |name: &str| name.rsplit('_').next().unwrap_or_default().to_owned();
    let kind = last_word(product.name());
    let kin = ItemId::all()
        .filter(|item| last_word(item.name()) == kind)
        .filter(|item| !product.matches(*item));
    let known = |part: ItemSpec| {
        let mut own = recipes.iter().flat_map(|recipe| &recipe.ingredients);
        own.any(|(own, _)| overlaps(*own, part))
    };
    let mut seen: Vec<(ItemSpec, u32, usize)> = Vec::new();
    for item in kin {
        let theirs = beliefs.recipes(item.into()).into_iter().next();
        for (part, count) in theirs.into_iter().flat_map(|recipe| recipe.ingredients) {
            match seen.iter_mut().find(|(known, ..)| *known == part) {
                Some((_, _, times)) => *times += 1,
                None if !known(part) => seen.push((part, count, 1)),
                None => (),
            }
        }
    }
    // What two of them share belongs to the kind; what one alone takes is its own material.
    seen.retain(|(_, _, times)| *times > 1);
    seen.sort_by_key(|(_, _, times)| std::cmp::Reverse(*times));
    seen.into_iter().map(|(part, n, _)| (part, n)).collect()
}

/// It was not so already when the step failed, and nothing in force asks for it yet.
fn is_open(ask: &DiagnoseAsk, last: &FailedAttempt, lesson: &Lesson) -> bool {
    let Some(guess) = &lesson.constraint else {
        return false;
    };
    let then = situation(&last.pre, &ask.subgoal);
    let learnt = ask.knowledge.iter().filter_map(|entry| match &entry.body {
        Body::Guardrail(guardrail) => Some(guardrail),
        _ => None,
    });
    let mut in_force = ask.lessons.iter().chain(learnt);
    guess.trigger.truth(&then) != Truth::False && !in_force.any(|known| asks_as_much(known, guess))
}

/// The one advises all that the other does, about such steps.
fn asks_as_much(known: &Guardrail, guess: &Guardrail) -> bool {
    let covers = |remedy: &Remedy| {
        known.recovery.iter().any(|told| match (told, remedy) {
            (
                Remedy::Have { item, count },
                Remedy::Have {
                    item: part,
                    count: n,
                },
            ) => overlaps(*item, *part) && count >= n,
            _ => told == remedy,
        })
    };
    known.forbid.kind == guess.forbid.kind
        && known.forbid.target == guess.forbid.target
        && guess.recovery.iter().all(covers)
}
