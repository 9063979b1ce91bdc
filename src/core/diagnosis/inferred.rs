//! What is inferred of an action that failed without the body saying why.
//!
//! It reads what was to be seen of the attempt: gains, blocks broken, the way, windows, wounds, what was carried and
//! what stood near. Invariant: nothing here holds where the body explained itself.

use super::predicates::{Evidence, Finding, ended_by_itself, found};
use super::progress::has_progressed;
use super::reports::{Explained, feels};
use super::stall::seconds;
use super::window::Window;
use crate::domain::experience::attempt::Sample;
use crate::domain::plan::Executor;
use crate::text::numbers::{count_with_noun, format_blocks};
use pithead_world::action::FailureClass;
use pithead_world::block::BlockId;
use pithead_world::counts::Counts;
use pithead_world::drops::blocks_dropping;
use pithead_world::inventory::SLOTS;
use pithead_world::item::{ItemId, Tool};

/// Wounds and gains this shortly before the end belong to it, ticks.
const LATELY_TICKS: u64 = 100;
/// Health lost at once that makes a body give up, half hearts: less is a scratch.
const WOUND: f32 = 2.0;
/// Lava so near is a reason to turn back, blocks.
const LAVA_NEAR: f64 = 4.0;
/// A block so near can be worked on, blocks.
const IN_REACH: f64 = 5.5;
/// A body that is stuck pushes for a while before it gives up; one that finds no way does not set out, ticks.
const PUSHING_TICKS: u64 = 40;
/// A way or a time from which on a body went about looking for something, blocks and ticks.
const WENT_ABOUT: f64 = 8.0;
const LOOKED_ABOUT_TICKS: u64 = 60;
/// An order that comes back within this was refused before anything was tried, ticks.
const REFUSED_TICKS: u64 = 10;

/// True if the body gave no reason, or only that it did not work.
fn is_unexplained(e: &Evidence<'_>) -> bool {
    ended_by_itself(e)
        && matches!(
            Explained::of(e.report),
            Explained::No | Explained::DidNotWork
        )
}

/// True if the body gave no reason at all.
fn is_silent(e: &Evidence<'_>) -> bool {
    ended_by_itself(e) && Explained::of(e.report) == Explained::No
}

fn explained() -> Finding {
    found(
        false,
        "the body said as much, or the step is of another kind",
    )
}

/// Hurt a moment ago, weak, or with an enemy or lava at hand: a body that gives up then is afraid.
pub(super) fn afraid(e: &Evidence<'_>) -> Finding {
    if !is_silent(e) {
        return explained();
    }
    let lost = health_lost_lately(&e.attempt.samples);
    let enemies = e.attempt.samples.last().map_or(0, |last| last.enemies);
    let lava = nearest(e, |block| block.name() == "lava");
    let is_lava_near = lava.is_some_and(|blocks| blocks <= LAVA_NEAR);
    let weak = f64::from(e.post.health) < e.thresholds.risk_health;
    Finding {
        inputs: format!(
            "gave up with health {:.0}, {lost:.0} of it lost just before, {enemies} enemies near, lava {}",
            e.post.health,
            if is_lava_near { "near" } else { "not near" }
        ),
        value: Some(f64::from(lost)),
        threshold: Some(f64::from(WOUND)),
        holds: lost >= WOUND || weak || enemies > 0 || is_lava_near,
    }
}

fn health_lost_lately(samples: &[Sample]) -> f32 {
    let Some(last) = samples.last() else {
        return 0.0;
    };
    let lately = samples
        .iter()
        .filter(|s| s.tick + LATELY_TICKS >= last.tick);
    let steps = lately.clone().zip(lately.skip(1));
    steps.map(|(a, b)| (a.health - b.health).max(0.0)).sum()
}

/// Blocks to the nearest such block that was seen.
fn nearest(e: &Evidence<'_>, fits: impl Fn(BlockId) -> bool) -> Option<f64> {
    let sights = e.post.notable.iter().filter(|sight| fits(sight.block));
    sights
        .map(|sight| sight.at.distance(e.post.position))
        .min_by(f64::total_cmp)
}

/// No slot is free: nothing more can be taken up.
pub(super) fn bag_full(e: &Evidence<'_>) -> Finding {
    if !is_unexplained(e) {
        return explained();
    }
    let slots = slots_taken(&e.post.inventory);
    Finding {
        inputs: format!("{slots} of {SLOTS} slots taken"),
        value: Some(slots as f64),
        threshold: Some(SLOTS as f64),
        holds: slots >= SLOTS,
    }
}

fn slots_taken(inventory: &Counts) -> usize {
    let stacks = inventory
        .iter()
        .map(|(item, count)| count.div_ceil(item.facts().stack_max.max(1)));
    stacks.sum::<u32>() as usize
}

/// What it was to gain is no more than at the start.
fn gained(e: &Evidence<'_>) -> bool {
    let object = e.attempt.subgoal.goal.object;
    object
        .is_some_and(|item| e.post.inventory.count(item) > e.attempt.baseline.inventory.count(item))
}

fn is_source(e: &Evidence<'_>, block: BlockId) -> bool {
    let object = e.attempt.subgoal.goal.object;
    // What the thing drops from is what the body was told to look for.
    object.is_some_and(|item| blocks_dropping(item).iter().any(|s| s.block == block))
}

/// Blocks that give the thing were broken, and nothing of it came.
pub(super) fn broke_in_vain(e: &Evidence<'_>) -> Finding {
    if !is_unexplained(e) || e.attempt.subgoal.executor_hint != Executor::Mine {
        return explained();
    }
    let reports = e.attempt.actions.iter().filter_map(|a| a.report.as_ref());
    let broken = reports.flat_map(|report| &report.broken);
    let lost: u32 = broken
        .filter(|(block, _)| is_source(e, *block))
        .map(|(_, count)| count)
        .sum();
    Finding {
        inputs: format!("broke {lost} of its sources and gained nothing of it"),
        value: Some(f64::from(lost)),
        threshold: Some(1.0),
        holds: lost > 0 && !gained(e),
    }
}

/// Its source was within reach, or at least known to be one, and was left as it is.
pub(super) fn left_unbroken(e: &Evidence<'_>) -> Finding {
    if !is_unexplained(e) || e.attempt.subgoal.executor_hint != Executor::Mine {
        return explained();
    }
    let blocks = nearest(e, |block| is_source(e, block));
    let refused = is_refused(e) && e.attempt.subgoal.goal.object.is_some_and(has_source);
    Finding {
        inputs: match blocks {
            Some(blocks) => {
                let far = format_blocks(blocks);
                format!("gave up {far} from its source, which still stands")
            }
            None if refused => "gave up at once, though there are blocks that give it".to_owned(),
            None => "no source of it in sight".to_owned(),
        },
        value: blocks,
        threshold: Some(IN_REACH),
        holds: !gained(e) && (blocks.is_some_and(|blocks| blocks <= IN_REACH) || refused),
    }
}

/// The same was gathered before with a tool as good as which none is carried now.
pub(super) fn other_tool(e: &Evidence<'_>) -> Finding {
    if !is_unexplained(e) {
        return explained();
    }
    let tools = e.attempt.known.gathered_with.iter();
    let mut missing = tools.filter(|tool| !carries_as_good(&e.post.inventory, **tool));
    // Each time: one time with a lesser tool shows that the lesser one will do.
    let all = missing.clone().count() == e.attempt.known.gathered_with.len();
    let named = missing.next_back().filter(|_| all && !gained(e));
    found(
        named.is_some(),
        match named {
            Some(tool) => {
                format!("it was gathered with {tool} before, and none as good is carried")
            }
            None => "no other tool is known to have done it".to_owned(),
        },
    )
}

fn carries_as_good(held: &Counts, wanted: ItemId) -> bool {
    let Some(wanted) = wanted.facts().tool else {
        return true;
    };
    let will_do = |tool: Tool| tool.will_do(wanted.kind, wanted.tier);
    held.iter()
        .any(|(item, _)| item.facts().tool.is_some_and(will_do))
}

fn has_source(item: pithead_world::family::ItemSpec) -> bool {
    !blocks_dropping(item).is_empty()
}

fn is_refused(e: &Evidence<'_>) -> bool {
    e.measures.ticks <= REFUSED_TICKS && e.measures.gross < 1.0
}

fn went_about(e: &Evidence<'_>) -> bool {
    e.measures.gross >= WENT_ABOUT || e.measures.ticks >= LOOKED_ABOUT_TICKS
}

/// A window was open at the end, and no item had changed its place.
pub(super) fn left_open(e: &Evidence<'_>) -> Finding {
    if !is_unexplained(e) {
        return explained();
    }
    let last = e.attempt.samples.last();
    let open = last.filter(|last| last.gui.is_open());
    found(
        open.is_some() && e.measures.inv_activity <= e.thresholds.inv_change,
        match open {
            Some(last) => format!(
                "ended with the {} window open, no item changed",
                last.gui.name()
            ),
            None => "no window open at the end".to_owned(),
        },
    )
}

/// What the work is done with when it is the very thing that was named.
fn takes_the_thing_alone(executor: Executor) -> bool {
    matches!(
        executor,
        Executor::Place | Executor::Build | Executor::Put | Executor::Equip | Executor::Eat
    )
}

/// The thing was held, nothing else is asked for, and it did not go.
pub(super) fn held_in_vain(e: &Evidence<'_>) -> Finding {
    let subgoal = &e.attempt.subgoal;
    if !is_unexplained(e) || !takes_the_thing_alone(subgoal.executor_hint) {
        return explained();
    }
    let held = subgoal
        .goal
        .object
        .map_or(0, |item| e.post.inventory.count(item));
    Finding {
        inputs: format!("{held} held, and it could not be done with that"),
        value: Some(f64::from(held)),
        threshold: Some(1.0),
        holds: held > 0,
    }
}

/// Work in which something carried becomes something else.
fn makes_of_what_is_carried(executor: Executor) -> bool {
    matches!(
        executor,
        Executor::Craft | Executor::Smelt | Executor::Enchant | Executor::Dye | Executor::Repair
    )
}

/// Work with animals, fields, water and people, for which something has to be brought along.
fn takes_something_along(executor: Executor) -> bool {
    matches!(
        executor,
        Executor::Grow | Executor::Breed | Executor::Trade | Executor::Fish | Executor::Use
    )
}

/// Nothing was made, and nothing says what else was wrong: something that goes into it is not there.
pub(super) fn made_nothing(e: &Evidence<'_>) -> Finding {
    let executor = e.attempt.subgoal.executor_hint;
    let is_made = makes_of_what_is_carried(executor);
    if !is_unexplained(e) || !(is_made || takes_something_along(executor)) {
        return explained();
    }
    // Who walked about for it has looked for an animal, a field or a person; only work on what is carried
    // needs no more than a station.
    let on_the_spot = e.measures.gross < WENT_ABOUT;
    found(
        !gained(e) && (is_made || on_the_spot),
        format!(
            "nothing made in {} s over {}, with {} carried",
            seconds(e.measures.ticks),
            format_blocks(e.measures.gross),
            count_with_noun(
                e.post.inventory.iter().count(),
                "kind of thing",
                "kinds of things"
            )
        ),
    )
}

/// Orders to look for something or somebody that come back before a step is taken.
pub(super) fn refused(e: &Evidence<'_>) -> Finding {
    let executor = e.attempt.subgoal.executor_hint;
    let looks = matches!(
        executor,
        Executor::Explore | Executor::Attack | Executor::Take | Executor::Mine | Executor::Sleep
    );
    if !is_unexplained(e) || !looks {
        return explained();
    }
    Finding {
        inputs: format!(
            "came back after {}, nothing was tried",
            count_with_noun(e.measures.ticks, "tick", "ticks")
        ),
        value: Some(e.measures.ticks as f64),
        threshold: Some(REFUSED_TICKS as f64),
        holds: is_refused(e),
    }
}

/// The body said or showed that it did not get somewhere.
fn did_not_arrive(e: &Evidence<'_>) -> bool {
    let goes = matches!(
        e.attempt.subgoal.executor_hint,
        Executor::Approach | Executor::DigDown | Executor::GoUp
    );
    let sighted = e.attempt.subgoal.executor_hint == Executor::Mine
        && nearest(e, |block| is_source(e, block)).is_some_and(|blocks| blocks > IN_REACH);
    feels(e.report, FailureClass::NoWay) || (is_silent(e) && !gained(e) && (goes || sighted))
}

/// It pushed against something until it gave up.
pub(super) fn pushed(e: &Evidence<'_>) -> Finding {
    if !did_not_arrive(e) {
        return explained();
    }
    Finding {
        inputs: format!(
            "{} s on one spot before it gave up",
            seconds(e.measures.still)
        ),
        value: Some(e.measures.still as f64),
        threshold: Some(PUSHING_TICKS as f64),
        holds: e.measures.still >= PUSHING_TICKS,
    }
}

/// It gave the way up without pushing.
pub(super) fn no_way(e: &Evidence<'_>) -> Finding {
    found(
        did_not_arrive(e),
        format!("gave up the way after {}", format_blocks(e.measures.gross)),
    )
}

/// It was gaining to the end: whoever broke off then had no more time.
pub(super) fn cut_short(e: &Evidence<'_>) -> Finding {
    if !is_silent(e) {
        return explained();
    }
    let window = Window::last(e.attempt, LATELY_TICKS);
    let nearer = window.is_some_and(|window| window.came_nearer());
    let holds = nearer && has_progressed(e.attempt, Window::whole(e.attempt).as_ref());
    found(
        holds,
        if holds {
            "came nearer to the last, and then it ended"
        } else {
            "came no nearer at the end"
        },
    )
}

/// It went about for a while, and what was looked for is not in sight.
pub(super) fn found_nothing(e: &Evidence<'_>) -> Finding {
    if !is_silent(e) {
        return explained();
    }
    Finding {
        inputs: format!(
            "went {} in {} s and came back with nothing",
            format_blocks(e.measures.gross),
            seconds(e.measures.ticks)
        ),
        value: Some(e.measures.gross),
        threshold: Some(WENT_ABOUT),
        holds: went_about(e),
    }
}

/// It did not work, and it is not to be seen what was missing or in the way.
pub(super) fn did_not_work(e: &Evidence<'_>) -> Finding {
    found(
        is_unexplained(e),
        "it was tried and did not work, nothing shows why",
    )
}
