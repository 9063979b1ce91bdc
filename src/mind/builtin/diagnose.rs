//! From failure to lesson: what a person would conclude from the reports of the failed attempts.
//!
//! One step at a time and only from evidence: after "no drop with a wooden pickaxe" the next
//! better one is tried, not the one that the true table names.

use super::beliefs::{Beliefs, LAVA_EDGE, higher};
use super::learnt::Learnt;
use super::ways::COOKING;
use crate::domain::ask::{DiagnoseAsk, Failure, Lesson};
use crate::domain::check::{Check, Place};
use crate::domain::condition::{Condition, Predicate};
use crate::domain::diagnosis::FailureReason;
use crate::domain::knowledge::{Guardrail, Pattern, Region, Remedy};
use crate::domain::pattern::overlaps;
use crate::domain::plan::{Subgoal, TaskKind};
use crate::world::action::{ActionFailure, Target};
use crate::world::block::BlockId;
use crate::world::family::ItemSpec;
use crate::world::item::{ItemId, Tier};
use crate::world::space::Pos;

/// Within so many blocks a station serves.
const STATION_NEAR: u32 = 6;
/// One lesson sends so many blocks deeper.
const DEEPER: i32 = 12;
/// A place that did not work out is left by so many blocks.
const FAR_AWAY: u32 = 64;
const REGION_OF_SEARCH: u32 = 48;
const JUST_AWAY: u32 = 24;
const REGION_OF_TROUBLE: u32 = 10;

/// What the failed attempts teach.
#[must_use]
pub(super) fn lesson(beliefs: &Beliefs, ask: &DiagnoseAsk) -> Lesson {
    let Some(last) = ask.attempts.last() else {
        return words("there is no failed attempt to learn from", Vec::new());
    };
    match &last.diagnosis.report {
        Some(report) => from_report(beliefs, ask, last, report),
        None => from_reason(ask, last),
    }
}

fn words(root_cause: &str, next_actions: Vec<Remedy>) -> Lesson {
    Lesson { root_cause: root_cause.to_owned(), constraint: None, next_actions }
}

fn advice(root_cause: &str, text: &str) -> Lesson {
    words(root_cause, vec![Remedy::Advice { text: text.to_owned() }])
}

/// A guardrail about the subgoal at hand, with its cure.
struct Finding {
    cause: String,
    trigger: Condition,
    region: Option<Region>,
    text: Option<String>,
    avoid: String,
    recovery: Vec<Remedy>,
}

fn conclude(subgoal: &Subgoal, failure: &Failure, finding: Finding) -> Lesson {
    let Finding { cause, trigger, region, text, avoid, recovery } = finding;
    let forbid = Pattern {
        kind: Some(subgoal.task_kind),
        target: subgoal.goal.object,
        tool: None,
        region,
        text,
    };
    let reason = failure.diagnosis.reason.unwrap_or(FailureReason::Unknown);
    let constraint = Guardrail { trigger, forbid, avoid, recovery: recovery.clone(), reason };
    Lesson { root_cause: cause, constraint: Some(constraint), next_actions: recovery }
}

fn from_report(
    beliefs: &Beliefs,
    ask: &DiagnoseAsk,
    last: &Failure,
    report: &ActionFailure,
) -> Lesson {
    let subgoal = &ask.subgoal;
    let here = last.pre.position;
    match report {
        ActionFailure::MissingIngredient { needs, have, need, .. } => {
            short_of(beliefs, ask, last, *needs, *have, *need)
        }
        ActionFailure::NoStation { station, .. } => no_station(subgoal, last, *station),
        ActionFailure::NoDrop { block, held, .. } => no_drop(beliefs, subgoal, last, *block, *held),
        ActionFailure::NoFuel => no_fuel(beliefs, ask, last),
        ActionFailure::NotHeld { item } => lacking(subgoal, last, *item, 1),
        ActionFailure::NoTarget { target, y } => no_target(beliefs, ask, last, target, *y),
        ActionFailure::NoPath { to, .. } => trouble(subgoal, last, *to, "no way leads there"),
        ActionFailure::Stuck { at } => trouble(subgoal, last, *at, "the body got stuck there"),
        ActionFailure::NoRoom { at } => trouble(subgoal, last, *at, "there was no room for a block"),
        ActionFailure::Danger { of } | ActionFailure::Died { of } => {
            trouble(subgoal, last, here, &format!("{of} threatened there"))
        }
        ActionFailure::InventoryFull => advice("the inventory was full", "drop what is not needed"),
        ActionFailure::GuiBlocked { gui } => {
            advice(&format!("the {gui} window stayed open"), "close the window first")
        }
        ActionFailure::NoRecipe { item } => {
            advice(&format!("there is no recipe for {item}"), "get it in another way")
        }
        ActionFailure::Cancelled => from_reason(ask, last),
        ActionFailure::Invalid { because } => advice(because, "plan this step in another way"),
    }
}

/// The body reported nothing: the label alone speaks.
fn from_reason(ask: &DiagnoseAsk, last: &Failure) -> Lesson {
    let subgoal = &ask.subgoal;
    let here = last.pre.position;
    match last.diagnosis.reason {
        Some(FailureReason::NavStuck | FailureReason::PathUnreachable) => {
            trouble(subgoal, last, here, "the body did not get on")
        }
        Some(FailureReason::NavOscillate) => {
            trouble(subgoal, last, here, "the body went to and fro")
        }
        Some(FailureReason::RiskAbort | FailureReason::EnvTerminated) => {
            trouble(subgoal, last, here, "it was too dangerous")
        }
        Some(FailureReason::Timeout | FailureReason::MonitorNeverTrue)
            if subgoal.task_kind == TaskKind::Mine && subgoal.goal.object.is_some() =>
        {
            nothing_here(subgoal, last, here)
        }
        Some(FailureReason::Timeout) => advice("the time was too short", "allow more time"),
        Some(FailureReason::GuiBlocked) => advice("a window stayed open", "close the window first"),
        Some(FailureReason::ToolMissing | FailureReason::ActionInvalid) => {
            advice(&last.diagnosis.summary, "get what is missing first")
        }
        Some(FailureReason::MonitorNeverTrue | FailureReason::Unknown) | None => {
            advice(&last.diagnosis.summary, "try it in another way")
        }
    }
}

fn inv_lt(item: ItemSpec, count: u32) -> Condition {
    Condition::from(Check::InvLt { item, count })
}

fn lacking(subgoal: &Subgoal, failure: &Failure, item: ItemSpec, count: u32) -> Lesson {
    let what = &subgoal.condition;
    conclude(subgoal, failure, Finding {
        cause: format!("\"{what}\" takes {count} {item} at hand"),
        trigger: inv_lt(item, count),
        region: None,
        text: None,
        avoid: format!("without {count} {item} it fails for want of {item}"),
        recovery: vec![Remedy::Have { item, count }],
    })
}

fn short_of(
    beliefs: &Beliefs,
    ask: &DiagnoseAsk,
    last: &Failure,
    needs: ItemSpec,
    have: u32,
    need: u32,
) -> Lesson {
    let subgoal = &ask.subgoal;
    let Some(product) = subgoal.goal.object else { return lacking(subgoal, last, needs, need) };
    if let Some((used, made)) = ask.attempts.iter().find_map(|a| rate(a, needs, product)) {
        let count = (subgoal.goal.count * used).div_ceil(made);
        return for_this_many(subgoal, last, needs, need, count, &format!("{used} {needs} gave {made}"));
    }
    let learnt = Learnt::of_entries(&ask.knowledge, &ask.task);
    let floors = learnt.floors(subgoal.task_kind, product);
    let remembered = beliefs.recipes(product).into_iter().flat_map(|recipe| recipe.ingredients);
    let told = floors.iter().map(|floor| (floor.item, floor.count));
    let known = remembered.chain(told).filter(|(item, _)| overlaps(*item, needs)).map(|(_, n)| n).max();
    match known.filter(|known| *known >= need) {
        // It was planned for and is gone: something else takes more than thought.
        Some(known) => {
            let count = known.max(need) + need.saturating_sub(have);
            for_this_many(subgoal, last, needs, need, count, "an earlier step used up more than planned")
        }
        None => lacking(subgoal, last, needs, need),
    }
}

/// How many pieces were used and made before it ran out.
fn rate(failure: &Failure, used: ItemSpec, made: ItemSpec) -> Option<(u32, u32)> {
    let change = |spec: ItemSpec| -> i64 {
        let all = failure.diagnosis.delta.inventory.iter();
        all.filter(|(item, _)| spec.matches(**item)).map(|(_, n)| n).sum()
    };
    let (used, made) = (-change(used), change(made));
    let positive = |n: i64| u32::try_from(n).ok().filter(|n| *n > 0);
    Some((positive(used)?, positive(made)?))
}

/// A lesson about this number of pieces; the number in its words lets the planner scale it.
fn for_this_many(
    subgoal: &Subgoal,
    failure: &Failure,
    needs: ItemSpec,
    need: u32,
    count: u32,
    why: &str,
) -> Lesson {
    let what = &subgoal.condition;
    conclude(subgoal, failure, Finding {
        cause: format!("{why}: \"{what}\" takes {count} {needs}"),
        trigger: inv_lt(needs, need),
        region: None,
        text: Some(what.clone()),
        avoid: format!("with fewer than {count} {needs} it runs short"),
        recovery: vec![Remedy::Have { item: needs, count }],
    })
}

fn no_station(subgoal: &Subgoal, failure: &Failure, station: BlockId) -> Lesson {
    let near = Check::Near { place: Place::Thing(Target::Block(station)), range: STATION_NEAR };
    let carried = station.item().map(|item| Check::InvGe { item: item.into(), count: 1 });
    let at_hand = carried.into_iter().fold(Condition::from(near), |all, check| all.or(check));
    conclude(subgoal, failure, Finding {
        cause: format!("\"{}\" takes a {station}", subgoal.condition),
        trigger: at_hand.not(),
        region: None,
        text: None,
        avoid: format!("without a {station} near or carried it cannot be done"),
        recovery: vec![Remedy::Station { block: station }],
    })
}

fn no_drop(
    beliefs: &Beliefs,
    subgoal: &Subgoal,
    failure: &Failure,
    block: BlockId,
    held: Option<ItemId>,
) -> Lesson {
    let kind = beliefs.tool_kind(block);
    let tool = held.and_then(|item| item.facts().tool).filter(|tool| tool.kind == kind);
    let Some(tier) = higher(tool.map(|tool| tool.tier)) else {
        return advice(&format!("{block} drops nothing"), "get it in another way");
    };
    let name = if tier == Tier::Wood { "a" } else { "a better" };
    conclude(subgoal, failure, Finding {
        cause: format!("{block} broke and dropped nothing: it takes {name} {}", kind.word()),
        trigger: Condition::from(Predicate::ToolGe { kind, tier }).not(),
        region: None,
        text: None,
        avoid: format!("{block} is destroyed and nothing drops"),
        recovery: vec![Remedy::Tool { kind, tier }],
    })
}

fn no_fuel(beliefs: &Beliefs, ask: &DiagnoseAsk, failure: &Failure) -> Lesson {
    let subgoal = &ask.subgoal;
    if let Some(fuel) = subgoal.goal.material
        && let Some(ticks) = beliefs.burns(fuel)
    {
        // It was planned for and is gone.
        let need = (subgoal.goal.count * COOKING).div_ceil(ticks.max(1));
        let have = failure.pre.inventory.count(fuel).min(need);
        let learnt = Learnt::of_entries(&ask.knowledge, &ask.task);
        let floors = subgoal.goal.object.map_or_else(Vec::new, |o| learnt.floors(subgoal.task_kind, o));
        let told = floors.iter().filter(|f| overlaps(f.item, fuel)).map(|f| f.count).max();
        let count = told.unwrap_or(need).max(need) + (need - have).max(1);
        return for_this_many(subgoal, failure, fuel, need, count, "an earlier step used up the fuel");
    }
    // Wood burns 300 ticks, a smelt takes 200: common knowledge, as is that coal burns.
    let planks = (subgoal.goal.count * 2).div_ceil(3).max(1);
    let named = |name: &str| name.parse::<ItemSpec>().ok();
    let fuels = [named("#coals"), named("#logs")].into_iter().flatten().map(|item| (item, 1));
    let fuels: Vec<_> = fuels.chain(named("#planks").map(|item| (item, planks))).collect();
    let any = fuels.iter().map(|(item, count)| Check::InvGe { item: *item, count: *count }.into());
    conclude(subgoal, failure, Finding {
        cause: format!("\"{}\" takes something to burn", subgoal.condition),
        trigger: Condition::Any(any.collect()).not(),
        region: None,
        text: None,
        avoid: "the furnace stays cold".to_owned(),
        recovery: fuels.last().map(|(item, count)| Remedy::Have { item: *item, count: *count }).into_iter().collect(),
    })
}

fn no_target(
    beliefs: &Beliefs,
    ask: &DiagnoseAsk,
    failure: &Failure,
    target: &Target,
    y: i32,
) -> Lesson {
    let subgoal = &ask.subgoal;
    let item = match target {
        Target::Source(item) => Some(*item),
        Target::Block(block) => block.item().map(ItemSpec::Item),
        Target::Mob(_) => None,
    };
    let deep = item.or(subgoal.goal.object).filter(|_| subgoal.task_kind == TaskKind::Mine);
    let deep = deep.is_some_and(|item| beliefs.gatherings(item).iter().any(|g| g.depth.is_some()));
    let lowest = ask.attempts.iter().map(|a| a.pre.position.y).fold(y, i32::min);
    let deeper = (lowest - DEEPER).max(LAVA_EDGE);
    if !deep || deeper >= lowest {
        return nothing_here(subgoal, failure, failure.pre.position);
    }
    conclude(subgoal, failure, Finding {
        cause: format!("there was no {target} around y {lowest}: it lies deeper"),
        trigger: Condition::from(Check::YposLe { y: deeper }).not(),
        region: None,
        text: None,
        avoid: format!("above y {deeper} the search for {target} is in vain"),
        recovery: vec![Remedy::GoBelow { y: deeper }],
    })
}

fn nothing_here(subgoal: &Subgoal, failure: &Failure, here: Pos) -> Lesson {
    let what = &subgoal.condition;
    conclude(subgoal, failure, Finding {
        cause: format!("\"{what}\" found nothing around {here}"),
        trigger: Condition::always(),
        region: Some(Region { centre: here, radius: REGION_OF_SEARCH }),
        text: None,
        avoid: format!("around {here} the search is in vain"),
        recovery: vec![Remedy::MoveAway { blocks: FAR_AWAY }],
    })
}

fn trouble(subgoal: &Subgoal, failure: &Failure, at: Pos, why: &str) -> Lesson {
    let what = &subgoal.condition;
    conclude(subgoal, failure, Finding {
        cause: format!("\"{what}\" failed at {at}: {why}"),
        trigger: Condition::always(),
        region: Some(Region { centre: at, radius: REGION_OF_TROUBLE }),
        text: None,
        avoid: format!("around {at} {why}"),
        recovery: vec![Remedy::MoveAway { blocks: JUST_AWAY }],
    })
}
