//! From failure to lesson: what a person would conclude from the reports of the failed attempts.
//!
//! One step at a time and only from evidence: after "no drop with a wooden pickaxe" the next
//! better one is tried, not the one that the true table names.

use super::beliefs::{Beliefs, LAVA_EDGE};
use super::guess;
use super::shortage::{any_kind, lacking, no_drop, no_fuel, no_station, short_of, worn_out};
use pithead_core::domain::check::Check;
use pithead_core::domain::condition::Condition;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::{Guardrail, Pattern, Region, Remedy};
use pithead_core::domain::mind::ask::{DiagnoseAsk, Lesson};
use pithead_core::domain::mind::evidence::FailedAttempt;
use pithead_core::domain::plan::{Subgoal, TaskKind};
use pithead_core::text::numbers::count_with_noun;
use pithead_world::action::{ActionFailure, GuiFault, Target, Unbuilt};
use pithead_world::block::{BlockId, STONE};
use pithead_world::family::ItemSpec;
use pithead_world::space::Pos;

/// Within so many blocks a station serves.
pub(super) const STATION_NEAR: u32 = 6;
/// One lesson sends so many blocks deeper.
const DEEPER: i32 = 24;
/// A place that did not work out is left by so many blocks, and is to be avoided within a region. A search
/// covers more ground than a mishap. The region is smaller than the way out of it, so that a body that moved
/// away stands outside.
const FAR_AWAY: u32 = 64;
const REGION_OF_SEARCH: u32 = 48;
const JUST_AWAY: u32 = 24;
const REGION_OF_TROUBLE: u32 = 10;

/// What the failed attempts teach.
#[must_use]
pub(super) fn lesson(beliefs: &Beliefs, ask: &DiagnoseAsk) -> Lesson {
    // The most telling report speaks; of equals the latest.
    // `max_by_key` keeps the last of equals.
    let Some(last) = ask.attempts.iter().max_by_key(|failure| weight(failure)) else {
        return words("there is no failed attempt to learn from", Vec::new());
    };
    match &last.diagnosis.report {
        Some(report) => from_report(beliefs, ask, last, report),
        None => from_reason(beliefs, ask, last),
    }
}

/// How much a report says of the cause: what was missing says more than where it showed.
fn weight(failure: &FailedAttempt) -> u32 {
    match &failure.diagnosis.report {
        Some(
            ActionFailure::MissingIngredient { .. }
            | ActionFailure::NoStation { .. }
            | ActionFailure::NoDrop { .. }
            | ActionFailure::WornOut { .. }
            | ActionFailure::NoFuel
            | ActionFailure::NotHeld { .. },
        ) => 3,
        Some(ActionFailure::NoTarget { .. }) => 2,
        Some(ActionFailure::Cancelled | ActionFailure::Felt { .. } | ActionFailure::Untold)
        | None => 0,
        Some(_) => 1,
    }
}

fn words(root_cause: &str, next_actions: Vec<Remedy>) -> Lesson {
    Lesson {
        root_cause: root_cause.to_owned(),
        constraint: None,
        next_actions,
        is_guess: false,
    }
}

pub(super) fn advice(root_cause: &str, text: &str) -> Lesson {
    words(
        root_cause,
        vec![Remedy::Advice {
            text: text.to_owned(),
        }],
    )
}

/// A guardrail about the subgoal at hand, with its cure.
pub(super) struct Finding {
    pub(super) cause: String,
    pub(super) trigger: Condition,
    pub(super) region: Option<Region>,
    pub(super) text: Option<String>,
    pub(super) avoid: String,
    pub(super) recovery: Vec<Remedy>,
}

pub(super) fn conclude(subgoal: &Subgoal, failure: &FailedAttempt, finding: Finding) -> Lesson {
    let Finding {
        cause,
        trigger,
        region,
        text,
        avoid,
        recovery,
    } = finding;
    let forbid = Pattern {
        // The kind and target of the step: the lesson holds for steps like it, in this run
        // and later.
        kind: Some(subgoal.task_kind),
        target: subgoal.goal.object,
        tool: None,
        region,
        text,
    };
    let reason = failure.diagnosis.reason.unwrap_or(FailureReason::Unknown);
    let constraint = Guardrail {
        trigger,
        forbid,
        avoid,
        recovery: recovery.clone(),
        reason,
    };
    Lesson {
        root_cause: cause,
        constraint: Some(constraint),
        next_actions: recovery,
        is_guess: false,
    }
}

fn from_report(
    beliefs: &Beliefs,
    ask: &DiagnoseAsk,
    last: &FailedAttempt,
    report: &ActionFailure,
) -> Lesson {
    let subgoal = &ask.subgoal;
    let here = last.pre.position;
    match report {
        ActionFailure::MissingIngredient {
            needs, have, need, ..
        } => {
            let needs = any_kind(beliefs, subgoal, *needs);
            short_of(beliefs, ask, last, needs, *have, *need)
        }
        ActionFailure::NoStation { station, .. } => no_station(subgoal, last, *station),
        ActionFailure::NoDrop {
            block,
            held,
            broken,
        } => match worn_out(beliefs, last, *block) {
            // Nothing broken: that is how older journals say that the last tool broke.
            Some((tool, carried)) if *broken == 0 => lacking(subgoal, last, tool, carried + 1),
            _ => no_drop(beliefs, subgoal, last, *block, *held),
        },
        ActionFailure::WornOut { held, .. } => match worn_out(beliefs, last, STONE) {
            // What was missing is a spare.
            Some((tool, carried)) => lacking(subgoal, last, tool, carried + 1),
            None => no_drop(beliefs, subgoal, last, STONE, *held),
        },
        ActionFailure::InWater { .. } => {
            trouble(subgoal, last, here, "the body was in the water there")
        }
        ActionFailure::NoFuel => no_fuel(beliefs, ask, last),
        ActionFailure::NotHeld { item } => lacking(subgoal, last, *item, 1),
        ActionFailure::NoTarget { target, y } => no_target(beliefs, ask, last, target, *y),
        ActionFailure::NoPath { to, .. } => trouble(subgoal, last, *to, "no way leads there"),
        ActionFailure::Stuck { at } => trouble(subgoal, last, *at, "the body got stuck there"),
        ActionFailure::NoRoom { at } => {
            trouble(subgoal, last, *at, "there was no room for a block")
        }
        ActionFailure::Unbuilt { because, .. } => unbuilt(subgoal, last, because),
        ActionFailure::Danger { of } | ActionFailure::Died { of } => {
            trouble(subgoal, last, here, &format!("{of} threatened there"))
        }
        ActionFailure::InventoryFull => advice("the inventory was full", "drop what is not needed"),
        ActionFailure::GuiBlocked { gui, fault } => blocked_by_window(gui, *fault),
        ActionFailure::TooFewLevels { have, need } => advice(
            &format!(
                "{} of experience, and it takes {need}",
                count_with_noun(*have, "level", "levels")
            ),
            "mine coal or kill mobs for experience first",
        ),
        ActionFailure::NoRecipe { item } => advice(
            &format!("there is no recipe for {item}"),
            "get it in another way",
        ),
        ActionFailure::OutOfTime { .. }
        | ActionFailure::Cancelled
        | ActionFailure::Felt { .. }
        | ActionFailure::Untold => from_reason(beliefs, ask, last),
        ActionFailure::Invalid { because } => advice(because, "plan this step in another way"),
    }
}

/// What to do about a window.
fn blocked_by_window(gui: &str, fault: GuiFault) -> Lesson {
    match fault {
        GuiFault::StaysOpen => advice(
            &format!("the {gui} window stayed open"),
            "close the window first",
        ),
        GuiFault::StaysShut => advice(
            &format!("the {gui} window did not open"),
            "go to another one, or come back later",
        ),
        GuiFault::NoAnswer => advice(
            &format!("the {gui} window did not answer"),
            "try it once more",
        ),
    }
}

/// What to do about a building that was not finished.
fn unbuilt(subgoal: &Subgoal, last: &FailedAttempt, because: &Unbuilt) -> Lesson {
    match because {
        Unbuilt::Short { item, need, .. } => lacking(subgoal, last, *item, *need),
        Unbuilt::NoSite => advice(
            "no spot near there was fit to build on",
            "go elsewhere and build there",
        ),
        Unbuilt::Blocked { .. } | Unbuilt::OutOfTime { .. } => {
            advice(&because.to_string(), "go on with what stands")
        }
    }
}

/// The body reported nothing: the label alone speaks.
fn from_reason(beliefs: &Beliefs, ask: &DiagnoseAsk, last: &FailedAttempt) -> Lesson {
    let subgoal = &ask.subgoal;
    let here = last.pre.position;
    if is_of_lack(last)
        && let Some(lesson) = guess::what_was_lacking(beliefs, ask, last)
    {
        return lesson;
    }
    match last.diagnosis.reason {
        Some(FailureReason::NavStuck | FailureReason::PathUnreachable) => {
            trouble(subgoal, last, here, "the body did not get on")
        }
        Some(FailureReason::NavOscillate) => {
            trouble(subgoal, last, here, "the body moved back and forth")
        }
        Some(FailureReason::RiskAbort | FailureReason::EnvTerminated) => {
            trouble(subgoal, last, here, "it was too dangerous")
        }
        Some(FailureReason::Timeout | FailureReason::MonitorNeverTrue)
            if subgoal.task_kind == TaskKind::Mine =>
        {
            match subgoal.goal.object {
                Some(item) => no_target(beliefs, ask, last, &Target::Source(item), here.y),
                None => nothing_here(subgoal, last, here),
            }
        }
        Some(FailureReason::ToolMissing) if subgoal.task_kind == TaskKind::Mine => {
            let named = |item: ItemSpec| BlockId::named(&item.to_string());
            let believed = |item| beliefs.gatherings(item).first().map(|found| found.block);
            let object = subgoal.goal.object;
            let block = object.and_then(|item| named(item).or_else(|| believed(item)));
            // Where nothing is known of it stone is the common case.
            no_drop(beliefs, subgoal, last, block.unwrap_or(STONE), None)
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

/// The label leaves it open what was lacking.
fn is_of_lack(failure: &FailedAttempt) -> bool {
    matches!(
        failure.diagnosis.reason,
        Some(FailureReason::ToolMissing | FailureReason::ActionInvalid | FailureReason::Unknown)
    )
}

pub(super) fn inv_lt(item: ItemSpec, count: u32) -> Condition {
    Condition::from(Check::InvLt { item, count })
}

fn no_target(
    beliefs: &Beliefs,
    ask: &DiagnoseAsk,
    failure: &FailedAttempt,
    target: &Target,
    y: i32,
) -> Lesson {
    let subgoal = &ask.subgoal;
    let item = match target {
        Target::Source(item) => Some(*item),
        Target::Block(block) => block.item().map(ItemSpec::Item),
        Target::Mob(_) => None,
    };
    // Only what is mined lies deeper.
    let deep = item
        .or(subgoal.goal.object)
        .filter(|_| subgoal.task_kind == TaskKind::Mine);
    let deep = deep.is_some_and(|item| beliefs.gatherings(item).iter().any(|g| g.depth.is_some()));
    let lowest = ask
        // The deepest place that was tried.
        .attempts
        .iter()
        .map(|a| a.pre.position.y)
        .fold(y, i32::min);
    // Never into the lava.
    let deeper = (lowest - DEEPER).max(LAVA_EDGE);
    if !deep || deeper >= lowest {
        return nothing_here(subgoal, failure, failure.pre.position);
    }
    conclude(
        subgoal,
        failure,
        Finding {
            cause: format!("there was no {target} around y {lowest}: it lies deeper"),
            trigger: Condition::from(Check::YposLe { y: deeper }).not(),
            region: None,
            text: None,
            avoid: format!("above y {deeper} the search for {target} is in vain"),
            recovery: vec![Remedy::GoBelow { y: deeper }],
        },
    )
}

fn nothing_here(subgoal: &Subgoal, failure: &FailedAttempt, here: Pos) -> Lesson {
    let what = &subgoal.condition;
    conclude(
        subgoal,
        failure,
        Finding {
            cause: format!("\"{what}\" found nothing around {here}"),
            // No trigger: the place alone is what was wrong.
            trigger: Condition::always(),
            region: Some(Region {
                centre: here,
                radius: REGION_OF_SEARCH,
            }),
            text: None,
            avoid: format!("around {here} the search is in vain"),
            recovery: vec![Remedy::MoveAway { blocks: FAR_AWAY }],
        },
    )
}

fn trouble(subgoal: &Subgoal, failure: &FailedAttempt, at: Pos, why: &str) -> Lesson {
    let what = &subgoal.condition;
    conclude(
        subgoal,
        failure,
        Finding {
            cause: format!("\"{what}\" failed at {at}: {why}"),
            trigger: Condition::always(),
            region: Some(Region {
                centre: at,
                radius: REGION_OF_TROUBLE,
            }),
            text: None,
            avoid: format!("around {at} {why}"),
            recovery: vec![Remedy::MoveAway { blocks: JUST_AWAY }],
        },
    )
}
