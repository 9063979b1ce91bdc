//! The predicates of classification: what was reported, and what a whole attempt measures.
//!
//! The table that asks them in their order is in `table`; what is inferred where the body does not explain
//! itself is in `inferred`.

use super::attempt_window::stagnation;
use super::indicators::Measures;
use super::progress::{can_harvest_with, harvested, has_progressed};
use super::reports::feels;
use super::stall::{self, Stall, seconds};
use super::trace::yes;
use super::window::Window;
use super::{lacks, shelter, stall::is_oscillating};
use crate::domain::check::Check;
use crate::domain::experience::attempt::{Attempt, AttemptAction, Stop};
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::experience::earlier_try::EarlierTry;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::experience::thresholds::Thresholds;
use crate::domain::plan::{Executor, TaskKind};
use crate::text::numbers::{count_with_noun, format_blocks};
use pithead_world::action::{ActionFailure, FailureClass};
use pithead_world::drops::blocks_dropping;

/// All that the predicates may use.
#[derive(Debug)]
pub(super) struct Evidence<'a> {
    pub attempt: &'a Attempt,
    pub post: &'a StateSummary,
    pub thresholds: &'a Thresholds,
    pub measures: Measures,
    /// The failure that the body reported last, if it still matters.
    /// None if the attempt got over its last failure; see `last_report`.
    pub report: Option<&'a ActionFailure>,
    pub stall: Stall,
}

/// What one predicate found.
/// What was seen, in words; the sentence of the diagnosis if this one decides.
#[derive(Debug, Default)]
pub(super) struct Finding {
    /// Measured value and what it is held against, both in the unit that `inputs` names.
    pub inputs: String,
    pub value: Option<f64>,
    pub threshold: Option<f64>,
    pub holds: bool,
}

pub(super) fn found(holds: bool, inputs: impl Into<String>) -> Finding {
    Finding {
        inputs: inputs.into(),
        holds,
        ..Finding::default()
    }
}

pub(super) fn reported(evidence: &Evidence<'_>, is_kind: fn(&ActionFailure) -> bool) -> Finding {
    match evidence.report {
        Some(failure) => found(is_kind(failure), failure.to_string()),
        None => found(false, "no failure reported"),
    }
}

pub(super) fn ended(e: &Evidence<'_>) -> Finding {
    if let Some(Stop::Terminated { because }) = &e.attempt.stop {
        return found(true, because.as_str());
    }
    if let Some(failure) = e.report
        && (matches!(failure, ActionFailure::Died { .. }) || feels(e.report, FailureClass::Died))
    {
        return found(true, failure.to_string());
    }
    // An attempt without samples is taken to be alive: unknown is not dead.
    let alive = e.attempt.samples.last().is_none_or(|sample| sample.alive);
    found(!alive, if alive { "alive" } else { "dead" })
}

/// Only if somebody else cancelled it; the health says whether it was for its own good.
pub(super) fn called_off_hurt(e: &Evidence<'_>) -> Finding {
    let off = matches!(e.attempt.stop, Some(Stop::Aborted))
        || e.attempt.actions.last().is_some_and(was_cancelled);
    let health = f64::from(e.post.health);
    Finding {
        inputs: format!(
            "health {health:.0}, {}",
            if off { "cancelled" } else { "not cancelled" }
        ),
        value: Some(health),
        threshold: Some(e.thresholds.risk_health),
        // Stalls and time limits cancel the action too; they have their own predicates.
        holds: off && !is_own_stop(e) && health < e.thresholds.risk_health,
    }
}

fn was_cancelled(deed: &AttemptAction) -> bool {
    deed.report
        .as_ref()
        .is_some_and(|report| report.failure == Some(ActionFailure::Cancelled))
}

fn is_own_stop(e: &Evidence<'_>) -> bool {
    matches!(
        e.attempt.stop,
        Some(Stop::Stalled { .. } | Stop::TimedOut | Stop::BudgetSpent | Stop::TaskDone)
    )
}

pub(super) fn no_executor(e: &Evidence<'_>) -> Finding {
    match &e.attempt.stop {
        Some(Stop::NoExecutor { because }) => found(true, because.as_str()),
        _ => found(false, "an executor was found"),
    }
}

pub(super) fn broken_for_nothing(e: &Evidence<'_>) -> Finding {
    let Some(object) = e.attempt.subgoal.goal.object else {
        return found(false, "no item wanted");
    };
    let sources = blocks_dropping(object);
    let reports = e
        .attempt
        .actions
        .iter()
        .filter_map(|deed| deed.report.as_ref());
    let broken = reports.flat_map(|report| &report.broken);
    let mut wasted = broken.filter(|(block, _)| {
        let is_source = sources.iter().any(|source| source.block == *block);
        is_source && !can_harvest_with(*block, &e.post.inventory)
    });
    let gained = e.post.inventory.count(object) > e.attempt.baseline.inventory.count(object);
    match wasted.next() {
        Some((block, count)) => Finding {
            inputs: format!("broke {count} {block} that no tool carried harvests"),
            value: Some(f64::from(*count)),
            threshold: Some(1.0),
            holds: !gained,
        },
        None => found(false, format!("no source of {object} was lost")),
    }
}

pub(super) fn lacking(e: &Evidence<'_>) -> Finding {
    match lacks::missing(e.attempt, e.post) {
        Some(what) => found(true, what),
        None => found(false, "nothing is known to be missing"),
    }
}

pub(super) fn toggled(e: &Evidence<'_>) -> Finding {
    let toggles = e.measures.gui_toggles;
    let gained = e.measures.inv_activity;
    Finding {
        inputs: format!(
            "{} opened or closed, {} changed",
            count_with_noun(toggles, "window", "windows"),
            items(gained)
        ),
        value: Some(f64::from(toggles)),
        threshold: Some(f64::from(e.thresholds.gui_toggles)),
        holds: toggles >= e.thresholds.gui_toggles && gained <= e.thresholds.inv_change,
    }
}

pub(super) fn stayed_open(e: &Evidence<'_>) -> Finding {
    let Some(window) = last_window(e) else {
        return found(false, "no window of time to look at");
    };
    let open = window.mostly_open();
    let idle = window.inv_activity() <= e.thresholds.inv_change && !window.furnace_worked();
    found(
        open && idle && e.attempt.subgoal.task_kind != TaskKind::Wait,
        format!(
            "{} window, open throughout: {}",
            window.last_gui().name(),
            yes(open)
        ),
    )
}

/// The last W_k ticks; all of a shorter attempt that was stopped for standing still.
fn last_window<'a>(e: &Evidence<'a>) -> Option<Window<'a>> {
    let full = Window::last(e.attempt, e.thresholds.window_ticks);
    let stalled = matches!(e.attempt.stop, Some(Stop::Stalled { .. }));
    // A stalled attempt can be shorter than W_k: its patience began after a shelter.
    full.or_else(|| Window::whole(e.attempt).filter(|_| stalled))
}

/// Kinds of subgoals in which a body has to get about.
fn gets_about(e: &Evidence<'_>) -> bool {
    matches!(
        e.attempt.subgoal.task_kind,
        TaskKind::Move | TaskKind::Mine | TaskKind::Combat
    )
}

pub(super) fn stood_still(e: &Evidence<'_>) -> Finding {
    let Some(window) = last_window(e) else {
        return found(false, "no window of time to look at");
    };
    let (variance, gained) = (window.variance(), window.inv_activity());
    // The detector knows which work is slow; where it sees progress nothing is stuck.
    // A stop for a stall overrules what the detector would say now: it did say so.
    let slow = matches!(e.stall, Stall::Progressing | Stall::NotYet)
        && !matches!(e.attempt.stop, Some(Stop::Stalled { .. }));
    let still = variance < e.thresholds.nav_variance && gained <= e.thresholds.inv_change;
    Finding {
        inputs: if still {
            stall::still(window.ticks())
        } else {
            format!(
                "σ² {variance:.2} blocks² and {} changed in {} s",
                items(gained),
                seconds(window.ticks())
            )
        },
        value: Some(variance),
        threshold: Some(e.thresholds.nav_variance),
        holds: still && !slow && !harvested(e.attempt) && gets_about(e) && !ended_by_itself(e),
    }
}

pub(super) fn to_and_fro(e: &Evidence<'_>) -> Finding {
    let Some(window) = last_window(e) else {
        return found(false, "no window of time to look at");
    };
    let ratio = if window.gross() > 0.0 {
        window.net() / window.gross()
    } else {
        1.0
    };
    let idle = window.inv_activity() <= e.thresholds.inv_change && !window.came_nearer();
    let seen = is_oscillating(&window, e.thresholds);
    // All three: the movement, nothing gained by it, and a step that has to get about.
    let holds = seen.is_some() && idle && gets_about(e) && !ended_by_itself(e);
    Finding {
        inputs: seen.unwrap_or_else(|| {
            format!(
                "way {:.1} blocks, from start to end {:.1}",
                window.gross(),
                window.net()
            )
        }),
        value: Some(ratio),
        threshold: Some(e.thresholds.net_over_gross),
        holds,
    }
}

pub(super) fn ended_by_itself(e: &Evidence<'_>) -> bool {
    matches!(e.attempt.stop, Some(Stop::ActionEnded | Stop::Done))
}

fn is_out_of_time(e: &Evidence<'_>) -> bool {
    matches!(e.attempt.stop, Some(Stop::TimedOut | Stop::BudgetSpent))
}

fn items(changed: f64) -> String {
    count_with_noun(changed as u64, "item", "items")
}

fn distances(e: &Evidence<'_>) -> String {
    match (e.measures.distance_start, e.measures.distance_end) {
        (Some(start), Some(end)) => format!("{start:.0} missing at the start, {end:.0} at the end"),
        _ => "what is missing cannot be measured".to_owned(),
    }
}

pub(super) fn progressed(e: &Evidence<'_>) -> Finding {
    let whole = Window::whole(e.attempt);
    let is_place = asks_for_a_place(e);
    // On the way to a place, only who still came nearer at the end would have arrived.
    let late = e.attempt.samples.last().zip(e.attempt.samples.first());
    // The second half: a body that has stopped coming nearer would not have arrived with
    // more time.
    let half = late.and_then(|(last, first)| Window::last(e.attempt, (last.tick - first.tick) / 2));
    let window = if is_place { half } else { whole };
    Finding {
        inputs: distances(e),
        value: e.measures.distance_end,
        threshold: e.measures.distance_start,
        holds: is_out_of_time(e) && has_progressed(e.attempt, window.as_ref()),
    }
}

/// The last attempts at the same aim, this one included, if they led nowhere although this one came nearer.
fn fruitless_row(e: &Evidence<'_>) -> Option<String> {
    if !progressed(e).holds {
        return None;
    }
    let object = e.attempt.subgoal.goal.object;
    let this = EarlierTry {
        attempt: e.attempt.id,
        end: e.post.position,
        held: object.map_or(0, |item| e.post.inventory.count(item)),
        missing: e.measures.distance_end,
        reason: FailureReason::Timeout,
    };
    let tries: Vec<EarlierTry> = e
        .attempt
        .known
        .earlier
        .iter()
        .cloned()
        .chain([this])
        .collect();
    stagnation(&tries, e.thresholds)
}

pub(super) fn went_round(e: &Evidence<'_>) -> Finding {
    match fruitless_row(e).filter(|_| gets_about(e)) {
        Some(seen) => found(true, seen),
        None => found(
            false,
            "the last attempts led somewhere, or this one did not come nearer",
        ),
    }
}

pub(super) fn gained_nothing_over_attempts(e: &Evidence<'_>) -> Finding {
    match fruitless_row(e).filter(|_| !gets_about(e)) {
        Some(seen) => found(true, seen),
        None => found(
            false,
            "the last attempts gained something, or it has to get about",
        ),
    }
}

fn asks_for_a_place(e: &Evidence<'_>) -> bool {
    let checks = &e.attempt.subgoal.checks;
    e.attempt.subgoal.task_kind == TaskKind::Move
        && checks.iter().any(|check| {
            matches!(
                check,
                Check::Near { .. } | Check::YposLe { .. } | Check::YposGe { .. }
            )
        })
}

/// Exploring has no place to reach, only something to find.
pub(super) fn not_reached(e: &Evidence<'_>) -> Finding {
    let seeks = asks_for_a_place(e) && e.attempt.subgoal.executor_hint != Executor::Explore;
    // A body sent to explore has failed to find, not to reach.
    Finding {
        inputs: distances(e),
        value: e.measures.distance_end,
        threshold: Some(0.0),
        holds: seeks && is_out_of_time(e) && !progressed(e).holds,
    }
}

pub(super) fn ended_untrue(e: &Evidence<'_>) -> Finding {
    let last = e
        .attempt
        .actions
        .last()
        .and_then(|deed| deed.report.as_ref());
    let well = last.is_some_and(|report| report.failure.is_none());
    found(
        well && matches!(e.attempt.stop, Some(Stop::ActionEnded)),
        format!(
            "the last action ended well: {}; {}",
            yes(well),
            distances(e)
        ),
    )
}

pub(super) fn never_nearer(e: &Evidence<'_>) -> Finding {
    let holds = is_out_of_time(e)
        && !matches!(e.attempt.stop, Some(Stop::BudgetSpent))
        && !has_progressed(e.attempt, Window::whole(e.attempt).as_ref());
    Finding {
        inputs: format!(
            "searched {} in {} s; {}",
            format_blocks(e.measures.gross),
            seconds(e.measures.ticks),
            distances(e)
        ),
        value: e.measures.distance_end,
        threshold: e.measures.distance_start,
        holds,
    }
}

pub(super) fn nothing_happened(e: &Evidence<'_>) -> Finding {
    match (&e.attempt.stop, &e.stall) {
        (Some(Stop::Stalled { seen }), _) => found(true, seen.as_str()),
        // Only while it lasted: an action that ended by itself was not stopped for that.
        (_, Stall::Stalled { seen, .. }) => found(!ended_by_itself(e), seen.as_str()),
        (_, Stall::NotYet | Stall::Progressing) => found(false, "something happened to the end"),
    }
}

pub(super) fn out_of_time(e: &Evidence<'_>) -> Finding {
    let (used, waited) = shelter::seconds_used(e.attempt, e.measures.ticks);
    let allowed = e.attempt.subgoal.timeout_s;
    Finding {
        inputs: match e.attempt.stop {
            // The step may have had most of its own time left.
            Some(Stop::BudgetSpent) => {
                format!("the budget of the run ended after {used} s of {allowed} s{waited}")
            }
            _ => format!("{used} s of {allowed} s used{waited}"), // the step's own time is what counts
        },
        value: Some(used as f64),
        threshold: Some(f64::from(allowed)),
        holds: is_out_of_time(e),
    }
}
