//! Stall detection while an attempt runs (Eq. 3), with a strategy per kind of subgoal.
//!
//! It may answer "not yet". What stands still is not always stuck: hard blocks take their time to
//! break, furnaces cook, and crafting happens on the spot.

use super::shelter;
use super::window::Window;
use crate::domain::experience::attempt::{Attempt, Sample};
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::experience::thresholds::Thresholds;
use crate::domain::plan::{Executor, Mode, Subgoal, TaskKind};
use crate::text::numbers::count_with_noun;
use pithead_world::block::{BlockId, STONE, break_ticks};
use pithead_world::drops::blocks_dropping;

/// What a look at a running attempt says.
#[derive(Debug, Clone, PartialEq)]
pub enum Stall {
    /// Too early to say.
    NotYet,
    Progressing,
    /// The label that a cancelled attempt gets, and what was seen, as a sentence.
    Stalled {
        reason: FailureReason,
        seen: String,
    },
}

/// An egg takes no longer.
/// Ten minutes, as in the game.
const LAYING_TICKS: u64 = 12_000;
/// Blocks that one step of a staircase takes.
/// A step down a staircase opens two cells for the body and one for the head to pass.
const BLOCKS_PER_STEP: u64 = 3;
const TICKS_PER_S: u64 = 20;

/// Looks at the last W_k ticks of the attempt.
#[must_use]
pub fn watch(attempt: &Attempt, thresholds: &Thresholds) -> Stall {
    if waits(attempt) {
        // Waiting is the progress; its time limit ends it.
        return Stall::Progressing;
    }
    let patience = patience_ticks(attempt, thresholds);
    // Patience begins anew when the body comes out of its shelter.
    // Otherwise the morning would find every body stalled that hid through the night.
    let out = shelter::out_since(attempt, patience);
    let Some(window) = Window::last_since(attempt, patience, out) else {
        return Stall::NotYet;
    };
    // Before any measure of movement: who gains is not stuck, however it moves.
    if window.came_nearer() || window.is_active(thresholds.inv_change) {
        return Stall::Progressing;
    }
    match attempt.subgoal.task_kind {
        TaskKind::Move | TaskKind::Mine => on_the_way(attempt, &window, thresholds),
        // A fight shows in the health of either side.
        TaskKind::Combat if window.health_changed() => Stall::Progressing,
        TaskKind::Combat => standing(attempt, &window, thresholds),
        TaskKind::Smelt if window.furnace_worked() => Stall::Progressing,
        TaskKind::Smelt | TaskKind::Craft | TaskKind::Use => on_the_spot(&window, thresholds),
        TaskKind::Wait => Stall::Progressing,
    }
}

/// Work that consists of waiting: for a bite, for crops, for the morning.
fn waits(attempt: &Attempt) -> bool {
    let subgoal = &attempt.subgoal;
    subgoal.task_kind == TaskKind::Wait
        || matches!(
            subgoal.executor_hint,
            Executor::Fish | Executor::Grow | Executor::Sleep
        )
}

/// W_k, or longer where the work at hand is slow.
fn patience_ticks(attempt: &Attempt, thresholds: &Thresholds) -> u64 {
    let subgoal = &attempt.subgoal;
    let breaking = match (subgoal.executor_hint, subgoal.goal.object) {
        (Executor::DigDown | Executor::GoUp, _) => step_ticks(attempt),
        (Executor::Mine, Some(object)) => blocks_dropping(object)
            .iter()
            // The tail of unlikely sources (leaves for sticks) says nothing about the work.
            .filter(|source| source.drop.chance >= 1.0)
            .map(|source| ticks_to_break(attempt, source.block))
            .max()
            .unwrap_or(0),
        _ => 0,
    };
    let breaking = breaking.max(if digs_its_way(attempt) {
        step_ticks(attempt)
    } else {
        0
    });
    let working = breaking + thresholds.break_margin_ticks;
    thresholds
        // The longest of all: one slow part of the work must not look like standing still.
        .window_ticks
        .max(working)
        .max(quiet_ticks(subgoal))
}

/// A step of a staircase through rock.
fn step_ticks(attempt: &Attempt) -> u64 {
    // The best tool carried decides, so a body without a pickaxe gets more time.
    BLOCKS_PER_STEP * ticks_to_break(attempt, STONE)
}

/// On the way to something, and under ground.
fn digs_its_way(attempt: &Attempt) -> bool {
    let is_under = attempt.samples.last().is_some_and(|s| s.underground);
    let executor = attempt.subgoal.executor_hint;
    is_under
        && matches!(
            executor,
            Executor::Mine | Executor::Explore | Executor::Approach
        )
}

/// With the bare hand one waits for what an animal leaves lying, and nothing is to be seen of that.
fn quiet_ticks(subgoal: &Subgoal) -> u64 {
    let is_bare = subgoal.executor_hint == Executor::Use && subgoal.goal.tool.is_none();
    if is_bare { LAYING_TICKS } else { 0 }
}

/// With the best tool carried.
fn ticks_to_break(attempt: &Attempt, block: BlockId) -> u64 {
    let inventory = attempt.samples.last().map(|sample| &sample.inventory);
    let tools = inventory
        .into_iter()
        .flat_map(|counts| counts.iter())
        .map(|(item, _)| item);
    let tools = tools.filter(|item| item.facts().tool.is_some()).map(Some);
    // The bare hand is always among the tools.
    let each = std::iter::once(None)
        .chain(tools)
        .filter_map(|held| break_ticks(block, held, false, true));
    each.min().map_or(0, u64::from)
}

fn on_the_way(attempt: &Attempt, window: &Window<'_>, thresholds: &Thresholds) -> Stall {
    let oscillates = is_oscillating(window, thresholds);
    match oscillates {
        Some(seen) => Stall::Stalled {
            reason: FailureReason::NavOscillate,
            seen,
        },
        None => standing(attempt, window, thresholds),
    }
}

/// To and fro over the same ground in one spot; what it looks like. Who sweeps an area is soon back
/// near the start too, but by another way.
pub(super) fn is_oscillating(window: &Window<'_>, thresholds: &Thresholds) -> Option<String> {
    let (gross, net, variance) = (window.gross(), window.net(), window.variance());
    // A way that is long enough to mean something, an end near its start, over an area that
    // is neither a point (standing) nor wide (a search), on ground that was worn before.
    let holds = gross >= thresholds.oscillation_way
        && net / gross < thresholds.net_over_gross
        && (thresholds.nav_variance..thresholds.search_variance).contains(&variance)
        && window.new_ground() < thresholds.new_ground;
    holds.then(|| {
        let s = seconds(window.ticks());
        format!(
            "in the last {s} s {gross:.0} blocks back and forth, {net:.1} from start to end, no item gained"
        )
    })
}

/// It moves, or breaks blocks: who digs a shaft stands on one spot for long and may pick nothing up.
fn gets_on(window: &Window<'_>, thresholds: &Thresholds) -> bool {
    // ε_nav of Eq. 3.
    window.variance() >= thresholds.nav_variance || window.has_dug()
}

fn standing(attempt: &Attempt, window: &Window<'_>, thresholds: &Thresholds) -> Stall {
    if gets_on(window, thresholds) {
        return Stall::Progressing;
    }
    // A body told to stay is not stuck because it stays.
    let reason = match attempt.subgoal.mode {
        Mode::Move => FailureReason::NavStuck,
        Mode::Stay => FailureReason::MonitorNeverTrue,
    };
    Stall::Stalled {
        reason,
        seen: still(window.ticks()),
    }
}

/// `in the last 20 s no movement, no item gained`: the attempt may be older, and have gained much before.
pub(super) fn still(ticks: u64) -> String {
    format!(
        "in the last {} s no movement, no item gained",
        seconds(ticks)
    )
}

/// Crafting, smelting, placing, equipping, eating.
fn on_the_spot(window: &Window<'_>, thresholds: &Thresholds) -> Stall {
    let s = seconds(window.ticks());
    // Toggles before movement: a body that opens windows moves its hands, not its feet.
    if window.toggles() >= thresholds.gui_toggles {
        let seen = format!(
            "in the last {s} s {} opened or closed, no item gained",
            count_with_noun(window.toggles(), "window", "windows")
        );
        return Stall::Stalled {
            reason: FailureReason::GuiBlocked,
            seen,
        };
    }
    if gets_on(window, thresholds) {
        return Stall::Progressing;
    }
    if window.mostly_open() {
        let seen = format!(
            "in the last {s} s the {} window open, no item gained",
            window.last_gui().name()
        );
        return Stall::Stalled {
            reason: FailureReason::GuiBlocked,
            seen,
        };
    }
    let seen = match furnace(window.last) {
        Some(furnace) => format!("in the last {s} s {furnace}, no item gained"),
        None => still(window.ticks()),
    };
    Stall::Stalled {
        reason: FailureReason::MonitorNeverTrue,
        seen,
    }
}

fn furnace(sample: &Sample) -> Option<String> {
    let view = sample.furnace.as_ref()?;
    Some(format!(
        "the furnace stood at burn {} cook {}",
        view.burn, view.cook
    ))
}

pub(super) fn seconds(ticks: u64) -> u64 {
    // Rounded up: less than a second is shown as one.
    ticks.div_ceil(TICKS_PER_S)
}
