//! The predicates of classification, in the order in which they decide.
//!
//! What the body reported comes before what is inferred, and what is missing comes before
//! standing still: a craft that lacks an ingredient is TOOL_MISSING although nothing moved.

use super::indicators::Measures;
use super::progress::{can_harvest_with, harvested, has_progressed};
use super::reports::{is_barred, is_invalid, is_missing, is_vain_search};
use super::stall::{self, Stall, seconds};
use super::trace::yes;
use super::window::Window;
use super::{lacks, shelter, stall::is_oscillating};
use crate::domain::check::Check;
use crate::domain::experience::attempt::{Attempt, AttemptAction, Stop};
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::experience::thresholds::Thresholds;
use crate::domain::plan::{Executor, TaskKind};
use FailureReason as R;
use pithead_world::action::ActionFailure;
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

/// One predicate.
#[derive(Debug)]
pub(super) struct Row {
    pub name: &'static str,
    pub speaks_for: FailureReason,
    /// 3 for reports, 2 for measures that leave little doubt, 1 for what remains.
    pub weight: f64,
    pub find: fn(&Evidence<'_>) -> Finding,
}

const fn row(
    name: &'static str,
    speaks_for: FailureReason,
    weight: f64,
    find: fn(&Evidence<'_>) -> Finding,
) -> Row {
    Row {
        name,
        speaks_for,
        weight,
        find,
    }
}

/// The order is the decision: the first that holds names the label. Reports first, since
/// the body knows what stopped it; then what is missing, because it explains the standing
/// still that follows; then movement, from the surest sign to the weakest; what remains
/// comes last.
pub(super) static TABLE: [Row; 23] = [
    row(
        "the world ended or the body died",
        R::EnvTerminated,
        3.0,
        ended,
    ),
    row("reported danger", R::RiskAbort, 3.0, |e| {
        reported(e, |f| {
            matches!(f, ActionFailure::Danger { .. }) && !is_barred(f)
        })
    }),
    row(
        "called off at low health",
        R::RiskAbort,
        2.0,
        called_off_hurt,
    ),
    row(
        "reported a missing tool, ingredient, station, fuel or recipe",
        R::ToolMissing,
        3.0,
        |e| reported(e, is_missing),
    ),
    row("no executor fits", R::ActionInvalid, 3.0, no_executor),
    row(
        "reported that it cannot be done",
        R::ActionInvalid,
        3.0,
        |e| reported(e, is_invalid),
    ),
    row("reported a window in the way", R::GuiBlocked, 3.0, |e| {
        reported(e, |f| matches!(f, ActionFailure::GuiBlocked { .. }))
    }),
    row("reported no way", R::PathUnreachable, 3.0, |e| {
        reported(e, |f| {
            matches!(f, ActionFailure::NoPath { .. }) || is_barred(f)
        })
    }),
    row("reported stuck", R::NavStuck, 3.0, |e| {
        reported(e, |f| matches!(f, ActionFailure::Stuck { .. }))
    }),
    row("reported nothing found", R::MonitorNeverTrue, 3.0, |e| {
        reported(e, is_vain_search)
    }),
    row("reported out of time", R::Timeout, 3.0, |e| {
        reported(e, |f| matches!(f, ActionFailure::OutOfTime { .. }))
    }),
    row(
        "blocks broken and nothing dropped",
        R::ToolMissing,
        2.0,
        broken_for_nothing,
    ),
    row(
        "by the rules something is missing",
        R::ToolMissing,
        2.0,
        lacking,
    ),
    row(
        "windows opened and closed to no effect",
        R::GuiBlocked,
        2.0,
        toggled,
    ),
    row(
        "a window stayed open to no effect",
        R::GuiBlocked,
        2.0,
        stayed_open,
    ),
    row(
        "σ²_coord < ε_nav and Σ‖Δ_inv‖₁ ≤ ε_inv over W_k",
        R::NavStuck,
        2.0,
        stood_still,
    ),
    row(
        "net over gross displacement below its threshold",
        R::NavOscillate,
        2.0,
        to_and_fro,
    ),
    row(
        "nearer to true until the time was used up",
        R::Timeout,
        2.0,
        progressed,
    ),
    row(
        "the place was not reached and came no nearer",
        R::PathUnreachable,
        2.0,
        not_reached,
    ),
    row(
        "the action ended well and the checks are not true",
        R::MonitorNeverTrue,
        2.0,
        ended_untrue,
    ),
    row(
        "the checks came no nearer to true all the time",
        R::MonitorNeverTrue,
        2.0,
        never_nearer,
    ),
    row(
        "nothing happened",
        R::MonitorNeverTrue,
        1.0,
        nothing_happened,
    ),
    row("the time was used up", R::Timeout, 1.0, out_of_time),
];

/// The name of each predicate, as traces hold it, with the label that it speaks for; in their order.
pub fn predicate_names() -> impl Iterator<Item = (&'static str, FailureReason)> {
    TABLE.iter().map(|row| (row.name, row.speaks_for))
}

fn found(holds: bool, inputs: impl Into<String>) -> Finding {
    Finding {
        inputs: inputs.into(),
        holds,
        ..Finding::default()
    }
}

fn reported(evidence: &Evidence<'_>, is_kind: fn(&ActionFailure) -> bool) -> Finding {
    match evidence.report {
        Some(failure) => found(is_kind(failure), failure.to_string()),
        None => found(false, "no failure reported"),
    }
}

fn ended(e: &Evidence<'_>) -> Finding {
    if let Some(Stop::Terminated { because }) = &e.attempt.stop {
        return found(true, because.as_str());
    }
    if let Some(failure @ ActionFailure::Died { .. }) = e.report {
        return found(true, failure.to_string());
    }
    // An attempt without samples is taken to be alive: unknown is not dead.
    let alive = e.attempt.samples.last().is_none_or(|sample| sample.alive);
    found(!alive, if alive { "alive" } else { "dead" })
}

/// Only if somebody else cancelled it; the health says whether it was for its own good.
fn called_off_hurt(e: &Evidence<'_>) -> Finding {
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
        Some(Stop::Stalled { .. } | Stop::TimedOut | Stop::BudgetSpent)
    )
}

fn no_executor(e: &Evidence<'_>) -> Finding {
    match &e.attempt.stop {
        Some(Stop::NoExecutor { because }) => found(true, because.as_str()),
        _ => found(false, "an executor was found"),
    }
}

fn broken_for_nothing(e: &Evidence<'_>) -> Finding {
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

fn lacking(e: &Evidence<'_>) -> Finding {
    match lacks::missing(e.attempt, e.post) {
        Some(what) => found(true, what),
        None => found(false, "nothing is known to be missing"),
    }
}

fn toggled(e: &Evidence<'_>) -> Finding {
    let toggles = e.measures.gui_toggles;
    let gained = e.measures.inv_activity;
    Finding {
        inputs: format!("{toggles} windows opened or closed, {gained:.0} items changed"),
        value: Some(f64::from(toggles)),
        threshold: Some(f64::from(e.thresholds.gui_toggles)),
        holds: toggles >= e.thresholds.gui_toggles && gained <= e.thresholds.inv_change,
    }
}

fn stayed_open(e: &Evidence<'_>) -> Finding {
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

fn stood_still(e: &Evidence<'_>) -> Finding {
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
                "σ² {variance:.2} blocks² and {gained:.0} items changed in {} s",
                seconds(window.ticks())
            )
        },
        value: Some(variance),
        threshold: Some(e.thresholds.nav_variance),
        holds: still && !slow && !harvested(e.attempt) && gets_about(e) && !ended_by_itself(e),
    }
}

fn to_and_fro(e: &Evidence<'_>) -> Finding {
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

fn ended_by_itself(e: &Evidence<'_>) -> bool {
    matches!(e.attempt.stop, Some(Stop::ActionEnded | Stop::Done))
}

fn is_out_of_time(e: &Evidence<'_>) -> bool {
    matches!(e.attempt.stop, Some(Stop::TimedOut | Stop::BudgetSpent))
}

fn distances(e: &Evidence<'_>) -> String {
    match (e.measures.distance_start, e.measures.distance_end) {
        (Some(start), Some(end)) => format!("{start:.0} missing at the start, {end:.0} at the end"),
        _ => "what is missing cannot be measured".to_owned(),
    }
}

fn progressed(e: &Evidence<'_>) -> Finding {
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
fn not_reached(e: &Evidence<'_>) -> Finding {
    let seeks = asks_for_a_place(e) && e.attempt.subgoal.executor_hint != Executor::Explore;
    // A body sent to explore has failed to find, not to reach.
    Finding {
        inputs: distances(e),
        value: e.measures.distance_end,
        threshold: Some(0.0),
        holds: seeks && is_out_of_time(e) && !progressed(e).holds,
    }
}

fn ended_untrue(e: &Evidence<'_>) -> Finding {
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

fn never_nearer(e: &Evidence<'_>) -> Finding {
    let holds = is_out_of_time(e)
        && !matches!(e.attempt.stop, Some(Stop::BudgetSpent))
        && !has_progressed(e.attempt, Window::whole(e.attempt).as_ref());
    Finding {
        inputs: format!(
            "searched {:.0} blocks in {} s; {}",
            e.measures.gross,
            seconds(e.measures.ticks),
            distances(e)
        ),
        value: e.measures.distance_end,
        threshold: e.measures.distance_start,
        holds,
    }
}

fn nothing_happened(e: &Evidence<'_>) -> Finding {
    match (&e.attempt.stop, &e.stall) {
        (Some(Stop::Stalled { seen }), _) => found(true, seen.as_str()),
        // Only while it lasted: an action that ended by itself was not stopped for that.
        (_, Stall::Stalled { seen, .. }) => found(!ended_by_itself(e), seen.as_str()),
        (_, Stall::NotYet | Stall::Progressing) => found(false, "something happened to the end"),
    }
}

fn out_of_time(e: &Evidence<'_>) -> Finding {
    let (used, waited) = shelter::seconds_used(e.attempt, e.measures.ticks);
    let allowed = e.attempt.subgoal.timeout_s;
    Finding {
        inputs: format!("{used} s of {allowed} s used{waited}"),
        value: Some(used as f64),
        threshold: Some(f64::from(allowed)),
        holds: is_out_of_time(e),
    }
}
