//! What a subgoal lacks, by what its plan said and by what was seen of it: ingredients, stations, fuel, tools.
//!
//! It sees only what was carried and known at the end, and says nothing where it cannot be sure. Invariant: no table
//! of recipes, fuels, crops or tools is read; what nobody planned and nobody saw is not called missing.

use crate::domain::experience::attempt::{Attempt, Sample};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::plan::{Executor, Subgoal};
use pithead_world::block::{BlockId, FURNACE};
use pithead_world::drops::blocks_dropping;
use pithead_world::family::{FamilyId, ItemSpec};
use pithead_world::item::{ItemId, Tool};

/// What is missing, in words; none if nothing is known to be.
pub(super) fn missing(attempt: &Attempt, post: &StateSummary) -> Option<String> {
    let subgoal = &attempt.subgoal;
    // These executors judge by what was held at the start as well: seeds are sown and rods
    // break.
    match subgoal.executor_hint {
        Executor::Fish => return for_fishing(attempt, post),
        Executor::Sleep => return for_sleeping(attempt, post),
        Executor::Use | Executor::Grow | Executor::Breed => return for_using(attempt, post),
        _ => {}
    }
    let object = subgoal.goal.object?;
    match subgoal.executor_hint {
        Executor::Craft => for_making(object, attempt, post).or_else(|| of_plan(attempt, post)),
        Executor::Smelt => for_smelting(object, attempt, post).or_else(|| of_plan(attempt, post)),
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
        Executor::Mine => for_mining(object, attempt, post),
        Executor::Attack
        | Executor::Use
        | Executor::Fish
        | Executor::Breed
        | Executor::Grow
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

/// The thing to use, or what another step made for it, if it was never held; a bucket that is full now was.
fn for_using(attempt: &Attempt, post: &StateSummary) -> Option<String> {
    // Only where the step or its plan names what to use.
    let tool = attempt.subgoal.goal.tool;
    let never_held = tool.filter(|tool| !was_held(*tool, attempt, post));
    never_held
        .map(|tool| format!("{tool} is not held"))
        .or_else(|| of_plan(attempt, post))
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

/// By how the same was made before: what one more piece took, and where.
fn for_making(object: ItemSpec, attempt: &Attempt, post: &StateSummary) -> Option<String> {
    let seen = attempt.known.seen.as_ref()?;
    // One piece, the least that a further try would take.
    let short = seen.common().taken_for(1).find_map(|(item, need)| {
        let have = post.inventory.count(item);
        (have < need).then(|| format!("{object} took {need} {item} before, only {have} held"))
    });
    let mut stations = seen.held.iter().filter_map(|item| station(*item));
    let absent = stations.find(|block| !is_at_hand(*block, post));
    short.or_else(|| {
        let block = absent?;
        Some(format!(
            "{object} was made at a {block} before, and none is near or carried"
        ))
    })
}

/// A block that is worked at; a tool is no block.
fn station(item: ItemSpec) -> Option<BlockId> {
    item.single()?.name().parse().ok()
}

fn for_smelting(object: ItemSpec, attempt: &Attempt, post: &StateSummary) -> Option<String> {
    let last: Option<&Sample> = attempt.samples.last();
    let furnace = last.and_then(|sample| sample.furnace.as_ref());
    if furnace.is_none() && !is_at_hand(FURNACE, post) {
        return Some(format!(
            "{object} needs a furnace and none is near or carried"
        ));
    }
    // What was put into the furnace was taken out of the inventory.
    if furnace.is_none_or(|view| view.input == 0)
        && let Some(short) = for_making(object, attempt, post)
    {
        return Some(short);
    }
    let burns = furnace.is_some_and(|view| view.burn > 0 || view.fuel > 0);
    let fuels = attempt
        .known
        .seen
        .iter()
        .flat_map(|seen| seen.alternatives());
    let fuels = fuels.flat_map(|inputs| inputs.used.into_keys());
    // Any that was seen to burn will do, or the one that the plan names.
    let fuels: Vec<ItemSpec> = fuels.chain(attempt.subgoal.goal.material).collect();
    let holds_fuel = fuels.iter().any(|fuel| post.inventory.count(*fuel) > 0);
    (!fuels.is_empty() && !holds_fuel && !burns)
        .then(|| "nothing to burn in the furnace".to_owned())
}

/// What the plan names for the step, or had another step make for it, and the body never held nor saw.
fn of_plan(attempt: &Attempt, post: &StateSummary) -> Option<String> {
    let Subgoal { goal, .. } = &attempt.subgoal;
    let is_fuel = attempt.subgoal.executor_hint == Executor::Smelt;
    let material = goal.material.filter(|_| !is_fuel);
    let mut named = material
        .into_iter()
        .chain(attempt.known.made_for_it.iter().copied());
    let lacking = named.find(|item| {
        let stands = station(*item).is_some_and(|block| is_at_hand(block, post));
        !stands && Some(*item) != goal.object && !was_held(*item, attempt, post)
    })?;
    Some(format!(
        "the plan has {lacking} for it, and none is held or near"
    ))
}

/// Only where a source is in sight: a tool is not what is missing while nothing was found.
fn for_mining(object: ItemSpec, attempt: &Attempt, post: &StateSummary) -> Option<String> {
    // What the thing drops from is what the body was told to look for.
    let sources = blocks_dropping(object);
    let in_sight = |block: BlockId| sources.iter().any(|source| source.block == block);
    let seen = post
        .notable
        .iter()
        .map(|sight| sight.block)
        .find(|block| in_sight(*block))?;
    let tool_of = |item: ItemSpec| item.single()?.facts().tool;
    let planned = attempt.subgoal.goal.tool.into_iter();
    let planned = planned.chain(attempt.known.made_for_it.iter().copied());
    let (item, wanted) = planned
        .filter_map(|item| Some((item, tool_of(item)?)))
        .next()?;
    let will_do = |tool: Tool| tool.will_do(wanted.kind, wanted.tier);
    let carried = |item: ItemId| item.facts().tool.is_some_and(will_do);
    let has_one = post.inventory.iter().any(|(item, _)| carried(item));
    (!has_one).then(|| format!("the plan has {item} for {seen}, and none as good is carried"))
}
