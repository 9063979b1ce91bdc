//! The table of classification: every predicate with the label that it speaks for, in the order in which they decide.
//!
//! What the body reported comes before what is inferred, and what is missing comes before
//! standing still: a craft that lacks an ingredient is TOOL_MISSING although nothing moved.

use super::inferred;
use super::predicates::{self, *};
use super::reports::{feels, is_invalid, is_late, is_missing, is_vain_search};
use crate::domain::experience::diagnosis::FailureReason;
use FailureReason as R;
use pithead_world::action::{ActionFailure, FailureClass};

/// When a predicate is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Always,
    /// Where the body told less than it knew.
    IfCut,
    /// Where the same was tried often enough before.
    IfTriedBefore,
}

/// One predicate.
#[derive(Debug)]
pub(super) struct Row {
    pub name: &'static str,
    pub speaks_for: FailureReason,
    /// 3 for reports, 2 for measures that leave little doubt, 1 for what remains, less for a mere guess.
    pub weight: f64,
    pub find: fn(&Evidence<'_>) -> Finding,
    pub asked: Asked,
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
        asked: Asked::Always,
    }
}

/// A predicate that infers what a body did not say.
const fn inferring(
    name: &'static str,
    speaks_for: FailureReason,
    weight: f64,
    find: fn(&Evidence<'_>) -> Finding,
) -> Row {
    Row {
        asked: Asked::IfCut,
        ..row(name, speaks_for, weight, find)
    }
}

/// A predicate over the last attempts at the same aim.
const fn over_attempts(
    name: &'static str,
    speaks_for: FailureReason,
    find: fn(&Evidence<'_>) -> Finding,
) -> Row {
    Row {
        asked: Asked::IfTriedBefore,
        ..row(name, speaks_for, 2.0, find)
    }
}

/// The order is the decision: the first that holds names the label. Reports first, since
/// the body knows what stopped it; then what is missing, because it explains the standing
/// still that follows; then movement, from the surest sign to the weakest; what remains
/// comes last.
pub(super) static TABLE: [Row; 40] = [
    row(
        "the world ended or the body died",
        R::EnvTerminated,
        3.0,
        ended,
    ),
    row("reported danger", R::RiskAbort, 3.0, |e| {
        reported(e, |f| {
            feels(Some(f), FailureClass::InDanger)
                || matches!(f, ActionFailure::Danger { .. }) && !f.is_barred()
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
    row("reported trouble with a window", R::GuiBlocked, 3.0, |e| {
        reported(e, |f| matches!(f, ActionFailure::GuiBlocked { .. }))
    }),
    row("reported no way", R::PathUnreachable, 3.0, |e| {
        reported(e, |f| {
            matches!(f, ActionFailure::NoPath { .. }) || f.is_barred()
        })
    }),
    row("reported stuck", R::NavStuck, 3.0, |e| {
        reported(e, |f| matches!(f, ActionFailure::Stuck { .. }))
    }),
    row("reported nothing found", R::MonitorNeverTrue, 3.0, |e| {
        reported(e, is_vain_search)
    }),
    row(
        "reported being in the water",
        R::MonitorNeverTrue,
        3.0,
        |e| reported(e, |f| matches!(f, ActionFailure::InWater { .. })),
    ),
    row("reported out of time", R::Timeout, 3.0, |e| {
        reported(e, |f| feels(Some(f), FailureClass::OutOfTime) || is_late(f))
    }),
    inferring(
        "gave up hurt or beside a danger",
        R::RiskAbort,
        2.0,
        inferred::afraid,
    ),
    inferring(
        "gave up with a full bag",
        R::ActionInvalid,
        2.0,
        inferred::bag_full,
    ),
    inferring(
        "its sources broken and nothing gained",
        R::ToolMissing,
        2.0,
        inferred::broke_in_vain,
    ),
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
    inferring(
        "its source in reach and left unbroken",
        R::ToolMissing,
        2.0,
        inferred::left_unbroken,
    ),
    inferring(
        "gathered before with a tool that is not carried now",
        R::ToolMissing,
        2.0,
        inferred::other_tool,
    ),
    inferring(
        "gave up with a window open to no effect",
        R::GuiBlocked,
        2.0,
        inferred::left_open,
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
    inferring(
        "the thing was held and did not go",
        R::ActionInvalid,
        1.0,
        inferred::held_in_vain,
    ),
    inferring(
        "nothing was made of what is carried",
        R::ToolMissing,
        1.0,
        inferred::made_nothing,
    ),
    inferring(
        "pushed on one spot and gave up",
        R::NavStuck,
        2.0,
        inferred::pushed,
    ),
    inferring("gave up the way", R::PathUnreachable, 2.0, inferred::no_way),
    inferring(
        "came back before anything was tried",
        R::ActionInvalid,
        1.0,
        inferred::refused,
    ),
    inferring(
        "broken off while it came nearer",
        R::Timeout,
        1.0,
        inferred::cut_short,
    ),
    inferring(
        "went about and found nothing",
        R::MonitorNeverTrue,
        1.0,
        inferred::found_nothing,
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
    over_attempts(
        "came nearer each time, and the last attempts ended in one spot",
        R::NavOscillate,
        predicates::went_round,
    ),
    over_attempts(
        "was at work each time, and the last attempts gained nothing",
        R::MonitorNeverTrue,
        predicates::gained_nothing_over_attempts,
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
    inferring(
        "it did not work, and nothing shows why",
        R::ActionInvalid,
        0.2,
        inferred::did_not_work,
    ),
];

/// The name of each predicate, as traces hold it, with the label that it speaks for; in their order.
pub fn predicate_names() -> impl Iterator<Item = (&'static str, FailureReason)> {
    TABLE.iter().map(|row| (row.name, row.speaks_for))
}
