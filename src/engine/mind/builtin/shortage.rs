//! Lessons from shortages: an ingredient, a station, a tool or fuel that was not there.
//!
//! Each names what would have helped, in the amount that the evidence speaks for and no more.

use super::beliefs::{Beliefs, higher};
use super::diagnose::{Finding, STATION_NEAR, advice, conclude, inv_lt};
use super::learnt::Learnt;
use super::ways::COOKING;
use pithead_core::domain::check::{Check, Place};
use pithead_core::domain::condition::{Condition, Predicate};
use pithead_core::domain::knowledge::Remedy;
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_core::domain::mind::ask::{DiagnoseAsk, Lesson};
use pithead_core::domain::mind::evidence::FailedAttempt;
use pithead_core::domain::plan::{Subgoal, TaskKind};
use pithead_world::action::Target;
use pithead_world::block::BlockId;
use pithead_world::family::ItemSpec;
use pithead_world::item::{ItemId, Tier};

/// Cheap tools that spare a dear one.
const SPARES: u32 = 2;

pub(super) fn lacking(
    subgoal: &Subgoal,
    failure: &FailedAttempt,
    item: ItemSpec,
    count: u32,
) -> Lesson {
    let what = &subgoal.condition;
    conclude(
        subgoal,
        failure,
        Finding {
            cause: format!("\"{what}\" takes {count} {item} at hand"),
            trigger: inv_lt(item, count),
            region: None,
            text: None,
            avoid: format!("without {count} {item} it fails for want of {item}"),
            recovery: vec![Remedy::Have { item, count }],
        },
    )
}

/// The widest kind of what was missing that would have done. The body names the wood that it was
/// nearest to having; a lesson about oak is of no use among birches.
pub(super) fn any_kind(beliefs: &Beliefs, subgoal: &Subgoal, missing: ItemSpec) -> ItemSpec {
    let (Some(product), Some(item)) = (subgoal.goal.object, missing.single()) else {
        return missing;
    };
    if subgoal.goal.material == Some(missing) {
        return missing;
    }
    let known = match subgoal.task_kind {
        TaskKind::Smelt => beliefs.smelted_from(product).to_vec(),
        _ => beliefs
            .recipes(product)
            .into_iter()
            .flat_map(|recipe| recipe.ingredients.into_iter().map(|(spec, _)| spec))
            .collect(),
    };
    // Any member of a family is made from any member of its counterpart: planks from logs.
    let counterpart = matches!(product, ItemSpec::Family(_)).then(|| ItemSpec::family_of(item));
    let wider = known.into_iter().chain(counterpart.flatten());
    wider
        .filter(|spec| spec.matches(item))
        // The widest that fits.
        .max_by_key(|spec| spec.members().len())
        .unwrap_or(missing)
}

pub(super) fn short_of(
    beliefs: &Beliefs,
    ask: &DiagnoseAsk,
    last: &FailedAttempt,
    needs: ItemSpec,
    have: u32,
    need: u32,
) -> Lesson {
    let subgoal = &ask.subgoal;
    let Some(product) = subgoal.goal.object else {
        return lacking(subgoal, last, needs, need);
    };
    // What was used and made is better evidence than any belief.
    if let Some((used, made)) = ask.attempts.iter().find_map(|a| rate(a, needs, product)) {
        // Rounded up to whole pieces.
        let count = (subgoal.goal.count * used).div_ceil(made);
        let why = format!("{used} {needs} gave {made}");
        let amount = Amount {
            short_at: need,
            takes: count,
            get: count,
        };
        return for_this_many(subgoal, last, needs, amount, &why);
    }
    let planned = planned(beliefs, ask, product, needs);
    // At hand in the plan and gone in the world: the step before used more, unless it was never got.
    if planned >= need && brought(ask, needs).is_none_or(|brought| brought >= need) {
        // It was planned for and is gone: something else takes more than thought.
        // At least one more than planned, so that a replan changes something.
        let count = planned + need.saturating_sub(have).max(1);
        let amount = Amount {
            get: count,
            ..Amount::needed(need)
        };
        return for_this_many(subgoal, last, needs, amount, USED_UP);
    }
    match subgoal.goal.count {
        // The body counts what all pieces take together.
        2.. => {
            let planned = brought(ask, needs).unwrap_or(planned);
            let why = format!("{planned} {needs} were planned");
            for_this_many(subgoal, last, needs, Amount::needed(need), &why)
        }
        _ => lacking(subgoal, last, needs, need),
    }
}

/// How much of an ingredient the planner thought to need for the subgoal.
fn planned(beliefs: &Beliefs, ask: &DiagnoseAsk, product: ItemSpec, needs: ItemSpec) -> u32 {
    let pieces = ask.subgoal.goal.count;
    if ask.subgoal.task_kind == TaskKind::Smelt {
        return pieces;
    }
    let recipes = beliefs.recipes(product);
    let yields = recipes.first().map_or(1, |recipe| recipe.yields.max(1));
    let batches = pieces.div_ceil(yields);
    let remembered = recipes.iter().flat_map(|recipe| {
        let parts = recipe
            .ingredients
            .iter()
            .filter(|(item, _)| overlaps(*item, needs));
        parts.map(|(_, count)| count * pieces.div_ceil(recipe.yields.max(1)))
    });
    let learnt = Learnt::of_entries(&ask.knowledge, &ask.task);
    let floors = learnt.floors(ask.subgoal.task_kind, product);
    let told = floors
        .iter()
        .filter(|floor| overlaps(floor.item, needs))
        .map(|floor| match floor.pieces {
            Some(some) => (floor.count * pieces).div_ceil(some.max(1)),
            None => floor.count * batches,
        });
    // The largest estimate: planning too much costs little.
    remembered.chain(told).max().unwrap_or(0)
}

/// How much of an ingredient the steps before were to bring; none if no step brought it.
fn brought(ask: &DiagnoseAsk, needs: ItemSpec) -> Option<u32> {
    let goals = ask.done.iter().map(|step| &step.goal);
    let counts = goals.filter(|goal| goal.object.is_some_and(|object| overlaps(object, needs)));
    counts.map(|goal| goal.count).reduce(u32::saturating_add)
}

/// What all pieces take of a part, as those show that were made before it ran out; none if it did not run out.
pub(super) fn rated(
    ask: &DiagnoseAsk,
    last: &FailedAttempt,
    (part, yields): (ItemSpec, u32),
    product: ItemSpec,
) -> Option<Lesson> {
    let (used, made) = rate(last, part, product)?;
    let left = last.pre.inventory.count(part).saturating_sub(used);
    let count = (ask.subgoal.goal.count * used).div_ceil(made);
    // Less was left than another crafting takes.
    (left * made < used * yields && last.pre.inventory.count(part) < count).then(|| {
        let amount = Amount {
            short_at: used.div_ceil(made),
            takes: count,
            get: count,
        };
        let why = format!("{used} {part} gave {made}");
        for_this_many(&ask.subgoal, last, part, amount, &why)
    })
}

/// It may take so many of a part for all of its pieces.
pub(super) fn supposed_to_take(
    subgoal: &Subgoal,
    last: &FailedAttempt,
    part: ItemSpec,
    count: u32,
) -> Lesson {
    match subgoal.goal.count {
        // The body counts what all pieces take together.
        2.. => for_this_many(
            subgoal,
            last,
            part,
            Amount::needed(count),
            "it was not enough",
        ),
        _ => lacking(subgoal, last, part, count),
    }
}

/// How many pieces were used and made before it ran out.
fn rate(failure: &FailedAttempt, used: ItemSpec, made: ItemSpec) -> Option<(u32, u32)> {
    let change = |spec: ItemSpec| -> i64 {
        let all = failure.diagnosis.delta.inventory.iter();
        all.filter(|(item, _)| spec.matches(**item))
            .map(|(_, n)| n)
            // Net changes of the inventory.
            .sum()
    };
    let (used, made) = (-change(used), change(made));
    let positive = |n: i64| u32::try_from(n).ok().filter(|n| *n > 0);
    // Nothing made or nothing used gives no rate.
    Some((positive(used)?, positive(made)?))
}

const USED_UP: &str = "an earlier step used up more than planned";

/// How much of an ingredient a number of pieces takes.
#[derive(Debug, Clone, Copy)]
struct Amount {
    /// With less than this at hand the body stopped.
    short_at: u32,
    /// What the pieces take.
    takes: u32,
    /// What has to be got for that: more, if others help themselves first.
    get: u32,
}

impl Amount {
    fn needed(need: u32) -> Self {
        Self {
            short_at: need,
            takes: need,
            get: need,
        }
    }
}

/// A lesson about this number of pieces; the number in its words lets the planner scale it.
fn for_this_many(
    subgoal: &Subgoal,
    failure: &FailedAttempt,
    needs: ItemSpec,
    amount: Amount,
    why: &str,
) -> Lesson {
    let what = &subgoal.condition;
    let Amount {
        short_at,
        takes,
        get,
    } = amount;
    let plan_for = if get > takes {
        format!("; {get} have to be got for that")
    } else {
        String::new()
    };
    conclude(
        subgoal,
        failure,
        Finding {
            cause: format!("{why}: \"{what}\" takes {takes} {needs}{plan_for}"),
            trigger: inv_lt(needs, short_at),
            region: None,
            text: Some(what.clone()),
            avoid: format!("with fewer than {takes} {needs} at hand it runs short"),
            recovery: vec![Remedy::Have {
                item: needs,
                count: get,
            }],
        },
    )
}

pub(super) fn no_station(subgoal: &Subgoal, failure: &FailedAttempt, station: BlockId) -> Lesson {
    let near = Check::Near {
        place: Place::Thing(Target::Block(station)),
        range: STATION_NEAR,
    };
    let carried = station.item().map(|item| Check::InvGe {
        item: item.into(),
        count: 1,
    });
    let at_hand = carried
        .into_iter()
        // Near or carried: either will do.
        .fold(Condition::from(near), |all, check| all.or(check));
    conclude(
        subgoal,
        failure,
        Finding {
            cause: format!("\"{}\" takes a {station}", subgoal.condition),
            trigger: at_hand.not(),
            region: None,
            text: None,
            avoid: format!("without a {station} near or carried it cannot be done"),
            recovery: vec![Remedy::Station { block: station }],
        },
    )
}

pub(super) fn no_drop(
    beliefs: &Beliefs,
    subgoal: &Subgoal,
    failure: &FailedAttempt,
    block: BlockId,
    held: Option<ItemId>,
) -> Lesson {
    let kind = beliefs.tool_kind(block);
    let carried = failure.pre.inventory.iter().map(|(item, _)| item);
    let tools = held
        .into_iter()
        .chain(carried)
        .filter_map(|item| item.facts().tool);
    let best = tools
        .filter(|tool| tool.kind == kind)
        .map(|tool| tool.tier)
        .max();
    // Above the best tier nothing more can be asked for.
    let Some(tier) = higher(best) else {
        return advice(&format!("{block} drops nothing"), "get it in another way");
    };
    let name = if tier == Tier::Wood { "a" } else { "a better" };
    conclude(
        subgoal,
        failure,
        Finding {
            cause: format!(
                "{block} broke and dropped nothing: it takes {name} {}",
                kind.word()
            ),
            trigger: Condition::from(Predicate::ToolGe { kind, tier }).not(),
            region: None,
            text: None,
            avoid: format!("{block} is destroyed and nothing drops"),
            recovery: vec![Remedy::Tool { kind, tier }],
        },
    )
}

/// What would not have lasted either: of a cheap tool that was carried one more, of a dear one as many cheap ones as
/// were carried to spare it, or some.
pub(super) fn worn_out(
    beliefs: &Beliefs,
    failure: &FailedAttempt,
    block: BlockId,
) -> Option<(ItemSpec, u32)> {
    let kind = beliefs.tool_kind(block);
    let tier = |item: ItemId| {
        item.facts()
            .tool
            .filter(|tool| tool.kind == kind)
            .map(|tool| tool.tier)
    };
    let carried = &failure.pre.inventory;
    let tools = carried.iter().filter(|(item, _)| tier(*item).is_some());
    let (item, count) = tools.max_by_key(|(item, _)| tier(*item))?;
    // Only above stone: a spare of stone costs three cobblestones.
    let cheap = ItemId::of_tool(kind, Tier::Stone).filter(|_| tier(item) > Some(Tier::Stone));
    Some(match cheap {
        Some(cheap) => (cheap.into(), carried.count(cheap).max(SPARES)),
        None => (item.into(), count + 1),
    })
}

pub(super) fn no_fuel(beliefs: &Beliefs, ask: &DiagnoseAsk, failure: &FailedAttempt) -> Lesson {
    let subgoal = &ask.subgoal;
    if let Some(fuel) = subgoal.goal.material
        && let Some(ticks) = beliefs.burns(fuel)
    {
        // It was planned for and is gone.
        let need = (subgoal.goal.count * COOKING).div_ceil(ticks.max(1));
        let have = failure.pre.inventory.count(fuel).min(need);
        let learnt = Learnt::of_entries(&ask.knowledge, &ask.task);
        let floors = subgoal
            .goal
            .object
            .map_or_else(Vec::new, |o| learnt.floors(subgoal.task_kind, o));
        let told = floors
            .iter()
            .filter(|f| overlaps(f.item, fuel))
            .map(|f| f.count)
            .max();
        // More than was learnt before, by what was short.
        let count = told.unwrap_or(need).max(need) + (need - have).max(1);
        let amount = Amount {
            get: count,
            ..Amount::needed(need)
        };
        return for_this_many(subgoal, failure, fuel, amount, USED_UP);
    }
    // Wood burns 300 ticks, a smelt takes 200: common knowledge, as is that coal burns.
    // 200 × count / 300 = count × 2 / 3, rounded up.
    let planks = (subgoal.goal.count * 2).div_ceil(3).max(1);
    let named = |name: &str| name.parse::<ItemSpec>().ok();
    let carried = &failure.pre.inventory;
    let wood = named("#planks").map(|planks| beliefs.fuel_with(planks, carried));
    let fuels = [named("#coals"), named("#logs")]
        .into_iter()
        .flatten()
        .map(|item| (item, 1));
    let fuels: Vec<_> = fuels.chain(wood.map(|item| (item, planks))).collect();
    let any = fuels.iter().map(|(item, count)| {
        Check::InvGe {
            item: *item,
            count: *count,
        }
        .into()
    });
    conclude(
        subgoal,
        failure,
        Finding {
            cause: format!("\"{}\" takes something to burn", subgoal.condition),
            trigger: Condition::Any(any.collect()).not(),
            region: None,
            text: None,
            avoid: "the furnace stays cold".to_owned(),
            recovery: fuels
                .last()
                .map(|(item, count)| Remedy::Have {
                    item: *item,
                    count: *count,
                })
                .into_iter()
                .collect(),
        },
    )
}
