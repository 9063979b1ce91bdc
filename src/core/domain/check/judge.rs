//! Judging checks: three-valued truth, and how much is missing until a check is true.
//!
//! Distances are in natural units: items, blocks or ticks; 0 is true, `None` is not known.
//! Invariant: `distance` is 0 exactly when `truth` is true.

use super::{Check, FurnaceMeter, Truth, nearness};
use crate::domain::condition::situation::Situation;
use pithead_world::blueprint::BuildSight;
use pithead_world::clock::TICKS_PER_DAY;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::observation::Gui;

/// Ticks of a day.
const DAY_TICKS: u32 = TICKS_PER_DAY as u32;

impl Check {
    /// Whether it holds; unknown when an input is unknown.
    #[must_use]
    pub fn truth(&self, now: &Situation<'_>) -> Truth {
        // One function for both: truth follows from the distance, so they cannot disagree.
        if let Some(distance) = self.distance(now) {
            return Truth::from_bool(distance <= 0.0);
        }
        match self {
            // Known to be missing, but not how far away one would be.
            Self::Near { place, .. } => nearness::absence(place, now),
            // Known not to be begun.
            Self::Built { .. } if now.builds.is_some() => Truth::False,
            Self::InvGe { .. }
            | Self::InvLt { .. }
            | Self::InvDeltaGe { .. }
            | Self::CraftedGe { .. }
            | Self::Equipped { .. }
            | Self::YposLe { .. }
            | Self::YposGe { .. }
            | Self::GuiOpen { .. }
            | Self::GuiClosed
            | Self::FurnaceGe { .. }
            | Self::ContainerGe { .. }
            | Self::Built { .. } => Truth::Unknown,
            // One part may be known to be false while the other is not known.
            Self::WorldTime { window, elapsed } => time_part(time_missing(now, *window, None))
                .and(time_part(time_missing(now, None, *elapsed))),
        }
    }

    /// What is missing until it holds: items, blocks or ticks; 1 for a yes-or-no question.
    /// Only differences of one check are compared, so the units need not match.
    #[must_use]
    pub fn distance(&self, now: &Situation<'_>) -> Option<f64> {
        match self {
            Self::InvGe { item, count } => missing(Some(held(now, *item)?), *count),
            Self::InvLt { item, count } => {
                // Holding one less than the count is fine: what is over is one more than
                // that.
                let over = (held(now, *item)? + 1).saturating_sub(i64::from(*count).max(0));
                Some(over.max(0) as f64)
            }
            Self::InvDeltaGe { item, count } => missing(gained(now, *item), *count),
            Self::CraftedGe { item, count } => missing(crafted(now, *item), *count),
            Self::Equipped { item } => {
                // Worn counts as equipped: armour and shield are never in the hand.
                let worn = now.worn.unwrap_or_default().iter().copied();
                let mut had = worn.chain(now.held?);
                Some(yes_or_no(had.any(|had| item.matches(had))))
            }
            Self::Near { place, range } => {
                nearness::nearest(place, now).map(|away| (away - f64::from(*range)).max(0.0))
            }
            Self::YposLe { y } => feet(now).map(|feet| f64::from((feet - y).max(0))),
            Self::YposGe { y } => feet(now).map(|feet| f64::from((y - feet).max(0))),
            Self::GuiOpen { gui } => now.gui.map(|open| yes_or_no(is_showing(open, *gui))),
            Self::GuiClosed => now.gui.map(|open| yes_or_no(!open.is_open())),
            Self::FurnaceGe { meter, value } => missing(meter_now(now, *meter), *value),
            Self::ContainerGe { count } => missing(now.container_items.map(i64::from), *count),
            Self::WorldTime { window, elapsed } => time_missing(now, *window, *elapsed),
            Self::Built { blueprint } => {
                let build = BuildSight::of_name(now.builds?, blueprint)?;
                Some(f64::from(build.missing()))
            }
        }
    }
}

fn yes_or_no(holds: bool) -> f64 {
    if holds { 0.0 } else { 1.0 }
}

fn missing(have: Option<i64>, want: u32) -> Option<f64> {
    have.map(|have| (i64::from(want) - have).max(0) as f64)
}

pub(super) fn held(now: &Situation<'_>, item: ItemSpec) -> Option<i64> {
    now.inventory.map(|counts| i64::from(counts.count(item)))
}

pub(super) fn gained(now: &Situation<'_>, item: ItemSpec) -> Option<i64> {
    // Unknown without a baseline: what was held at the start is not zero.
    Some(held(now, item)? - in_baseline(now, item, |baseline| &baseline.inventory)?)
}

pub(super) fn crafted(now: &Situation<'_>, item: ItemSpec) -> Option<i64> {
    let made = i64::from(now.crafted?.count(item));
    Some(made - in_baseline(now, item, |baseline| &baseline.crafted)?)
}

fn in_baseline(
    now: &Situation<'_>,
    item: ItemSpec,
    counts: impl Fn(&crate::domain::condition::situation::Baseline) -> &Counts,
) -> Option<i64> {
    now.baseline
        .map(|baseline| i64::from(counts(baseline).count(item)))
}

pub(super) fn feet(now: &Situation<'_>) -> Option<i32> {
    now.position.map(|position| position.block().y)
}

fn is_showing(open: Gui, wanted: Option<Gui>) -> bool {
    wanted.map_or(open.is_open(), |wanted| open == wanted)
}

pub(super) fn meter_now(now: &Situation<'_>, meter: FurnaceMeter) -> Option<i64> {
    // No furnace in use: its meters stand at nothing.
    now.furnace.map(|furnace| {
        furnace.map_or(0, |furnace| match meter {
            FurnaceMeter::Burn => i64::from(furnace.burn),
            FurnaceMeter::Cook => i64::from(furnace.cook),
            FurnaceMeter::Output => i64::from(furnace.output),
        })
    })
}

fn time_part(missing: Option<f64>) -> Truth {
    missing.map_or(Truth::Unknown, |ticks| Truth::from_bool(ticks <= 0.0))
}

/// Ticks until both parts hold; a part not asked for is met.
fn time_missing(
    now: &Situation<'_>,
    window: Option<(u32, u32)>,
    elapsed: Option<u64>,
) -> Option<f64> {
    let until_window = match window {
        Some(window) => f64::from(ticks_until(now.time?, window)),
        None => 0.0,
    };
    let until_elapsed = match elapsed {
        Some(wanted) => wanted.saturating_sub(elapsed_ticks(now)?) as f64,
        None => 0.0,
    };
    // Both must hold, so the later of the two counts.
    Some(until_window.max(until_elapsed))
}

pub(super) fn elapsed_ticks(now: &Situation<'_>) -> Option<u64> {
    Some(now.tick?.saturating_sub(now.baseline?.tick))
}

fn ticks_until(time: u32, (from, to): (u32, u32)) -> u32 {
    let (time, from, to) = (time % DAY_TICKS, from % DAY_TICKS, to % DAY_TICKS);
    let inside = if from <= to {
        // A window may wrap midnight: from evening to morning.
        from <= time && time <= to
    } else {
        time >= from || time <= to
    };
    if inside {
        0
    } else {
        // Forward, to the next beginning of the window.
        (from + DAY_TICKS - time) % DAY_TICKS
    }
}

#[cfg(test)]
mod tests;
