//! From what is held: whatever can be crafted and smelted forward from a random stock, an expert plans backward
//! from that stock, by crafting and smelting alone.

use super::sim::{Sim, take_as_the_body_does};
use super::tests::{expert, plan_ask, words};
use super::{beliefs::Beliefs, planner};
use pithead_core::domain::check::Check;
use pithead_core::domain::plan::{Executor, Plan};
use pithead_world::block::{CRAFTING_TABLE, FURNACE};
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use pithead_world::recipe::{Recipe, all_recipes};
use pithead_world::rng::Rng;
use pithead_world::smelting::{COOK_TICKS, burn_ticks, smelts_to};

/// Stocks that are tried.
const STOCKS: u64 = 500;

/// A stock, what was made of it, and how many there were of the last product then.
#[derive(Debug)]
struct Case {
    stock: Counts,
    made: Vec<String>,
    product: ItemId,
    count: u32,
}

/// What may lie in a stock: the ingredients of some recipes, mixed where a recipe allows it, and some of anything.
fn random_stock(chance: &mut Rng) -> Counts {
    let recipes: Vec<&Recipe> = all_recipes().collect();
    let items: Vec<ItemId> = ItemId::all().collect();
    let burning: Vec<ItemId> = items
        .iter()
        .copied()
        .filter(|item| burn_ticks(*item).is_some())
        .collect();
    let smelted: Vec<ItemId> = items
        .iter()
        .copied()
        .filter(|item| smelts_to(*item).is_some())
        .collect();
    let mut stock = Counts::default();
    for _ in 0..1 + chance.below(3) {
        let recipe = recipes[one_of(chance, recipes.len())];
        let times = 1 + chance.below(3);
        for (spec, count) in &recipe.ingredients {
            for _ in 0..u64::from(*count) * times {
                let members = spec.members();
                stock.add(members[one_of(chance, members.len())], 1);
            }
        }
    }
    if chance.chance(0.4) {
        stock.add(FURNACE.item().unwrap(), 1);
        let raw = smelted[one_of(chance, smelted.len())];
        stock.add(raw, 1 + chance.below(8) as u32);
        let fuel = burning[one_of(chance, burning.len())];
        stock.add(fuel, 1 + chance.below(4) as u32);
    }
    if chance.chance(0.8) {
        stock.add(CRAFTING_TABLE.item().unwrap(), 1);
    }
    for _ in 0..chance.below(4) {
        stock.add(
            items[one_of(chance, items.len())],
            1 + chance.below(9) as u32,
        );
    }
    stock
}

fn one_of(chance: &mut Rng, length: usize) -> usize {
    chance.below(length as u64) as usize
}

/// What was made of what, for nothing is made of itself here: slabs of blocks of slabs.
#[derive(Debug, Default)]
struct MadeOf(Vec<(ItemId, ItemId)>);

impl MadeOf {
    fn reaches(&self, product: ItemId, part: ItemId) -> bool {
        product == part
            || self
                .0
                .iter()
                .any(|(of, other)| *of == product && self.reaches(*other, part))
    }

    fn allows(&self, product: ItemId, parts: impl IntoIterator<Item = ItemId>) -> bool {
        parts.into_iter().all(|part| !self.reaches(part, product))
    }
}

fn lost(before: &Counts, after: &Counts) -> Vec<ItemId> {
    let change = after.delta(before).into_iter();
    change
        .filter(|(_, n)| *n < 0)
        .map(|(item, _)| item)
        .collect()
}

/// One thing more, made of what there is.
fn make_something(
    chance: &mut Rng,
    stock: &mut Counts,
    made_of: &mut MadeOf,
) -> Option<(ItemId, String)> {
    let before = stock.clone();
    let (product, words) = make_one(chance, stock, made_of)?;
    made_of
        .0
        .extend(lost(&before, stock).into_iter().map(|part| (product, part)));
    Some((product, words))
}

fn make_one(chance: &mut Rng, stock: &mut Counts, made_of: &MadeOf) -> Option<(ItemId, String)> {
    let has_table = stock.count(CRAFTING_TABLE.item()?) > 0;
    let can_craft = |recipe: &&Recipe| {
        let parts = &recipe.ingredients;
        (has_table || !recipe.needs_table)
            && parts.iter().all(|(spec, n)| stock.count(*spec) >= *n)
            && {
                let mut left = stock.clone();
                take(&mut left, recipe)
                    && made_of.allows(recipe.product.members()[0], lost(stock, &left))
            }
    };
    let crafted: Vec<&Recipe> = all_recipes().filter(can_craft).collect();
    let has_furnace = stock.count(FURNACE.item()?) > 0;
    let raw = stock.iter().filter(|(item, _)| smelts_to(*item).is_some());
    let smelted: Vec<(ItemId, ItemId, u32)> = raw
        .filter(|_| has_furnace)
        .flat_map(|(input, _)| {
            let mut left = stock.clone();
            left.remove(input, 1);
            let heat = |(fuel, n): (ItemId, u32)| Some((fuel, n * burn_ticks(fuel)? / COOK_TICKS));
            let fuels: Vec<(ItemId, u32)> = left.iter().filter_map(heat).collect();
            fuels
                .into_iter()
                .map(move |(fuel, pieces)| (input, fuel, pieces))
        })
        .filter(|(input, fuel, pieces)| {
            let product = smelts_to(*input);
            *pieces > 0 && product.is_some_and(|made| made_of.allows(made, [*input, *fuel]))
        })
        .collect();
    let all = crafted.len() + smelted.len();
    if all == 0 {
        return None;
    }
    let at = one_of(chance, all);
    if let Some(recipe) = crafted.get(at) {
        let product = recipe.product.single()?;
        assert!(take(stock, recipe));
        stock.add(product, recipe.count);
        for (item, count) in &recipe.returns {
            stock.add(*item, *count);
        }
        return Some((product, format!("craft {product}")));
    }
    let (input, fuel, most) = smelted[at - crafted.len()];
    let product = smelts_to(input)?;
    let count = 1 + chance.below(u64::from(most.min(stock.count(input)))) as u32;
    let mut burnt = (count * COOK_TICKS).div_ceil(burn_ticks(fuel)?);
    // What is cooked is not burnt as well.
    let count = if fuel == input {
        burnt = 1;
        1
    } else {
        count
    };
    stock.remove(fuel, burnt);
    stock.remove(input, count);
    stock.add(product, count);
    Some((product, format!("smelt {count} {product} over {fuel}")))
}

/// Takes the ingredients of one crafting, of families the kinds that the body takes.
fn take(stock: &mut Counts, recipe: &Recipe) -> bool {
    let named = |(spec, _): &&(ItemSpec, u32)| matches!(spec, ItemSpec::Item(_));
    let families = recipe.ingredients.iter().filter(|part| !named(part));
    let mut parts = recipe.ingredients.iter().filter(named).chain(families);
    parts.all(|(spec, count)| take_as_the_body_does(stock, *spec, *count))
}

/// One case for each product on the way.
fn cases(seed: u64) -> Vec<Case> {
    let mut chance = Rng::new(seed);
    let stock = random_stock(&mut chance);
    let mut now = stock.clone();
    let (mut made, mut made_of) = (Vec::new(), MadeOf::default());
    let mut cases = Vec::new();
    for _ in 0..1 + chance.below(9) {
        let made_now = make_something(&mut chance, &mut now, &mut made_of);
        let Some((product, words)) = made_now else {
            break;
        };
        made.push(words);
        // What was there from the start in that number asks for nothing.
        if now.count(product) > stock.count(product) {
            cases.push(Case {
                count: now.count(product),
                stock: stock.clone(),
                made: made.clone(),
                product,
            });
        }
    }
    cases
}

fn planned(beliefs: &Beliefs, case: &Case) -> Result<Plan, String> {
    let sim = Sim::new(&case.stock.to_string());
    let mut ask = plan_ask("get a log", &sim);
    ask.task.goal = case.product.into();
    ask.task.success = vec![Check::InvGe {
        item: case.product.into(),
        count: case.count,
    }];
    let plan = planner::plan(beliefs, &ask)?;
    let made_by_hand = |executor: &Executor| matches!(executor, Executor::Craft | Executor::Smelt);
    if !plan.subgoals.iter().all(|s| made_by_hand(&s.executor_hint)) {
        return Err(format!("gathers: {}", words(&plan)));
    }
    let mut sim = sim;
    match sim.run(&plan).1 {
        Some(failed) => Err(format!("fails: {} in {}", failed.report, words(&plan))),
        None => Ok(plan),
    }
}

#[test]
fn what_can_be_made_of_the_stock_is_planned_from_the_stock_alone() {
    let beliefs = expert();
    let cases: Vec<Case> = (1..=STOCKS).flat_map(cases).collect();
    assert!(cases.len() > 1_000, "{}", cases.len());
    let mut failed = Vec::new();
    for case in &cases {
        if let Err(why) = planned(&beliefs, case) {
            failed.push(format!(
                "{} {} from {} by {}: {why}",
                case.count,
                case.product,
                case.stock,
                case.made.join(", ")
            ));
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {} are not planned for:\n{}",
        failed.len(),
        cases.len(),
        failed.join("\n")
    );
}
