//! The 13 observables of the paper's Table 4: of a whole attempt, or of its beginning up to one sample.
//!
//! Invariant: both are built by one function, so that the debugger shows what the diagnosis saw.

use super::window::Window;
use crate::domain::experience::attempt::{Attempt, Sample};
use crate::domain::experience::diagnosis::{GuiEvents, Observables};
use crate::domain::experience::state_summary::StateSummary;
use pithead_world::counts::Counts;
use pithead_world::space::Point;

/// How things stood when the stretch ended.
/// What differs between an attempt that has ended and one that is cut off at a sample; all
/// else is computed alike.
struct Ending<'a> {
    inventory: &'a Counts,
    is_gui_open: bool,
    tick: u64,
    /// Where it began and ended.
    coords: (Point, Point),
    /// In blocks; the middle of the feet.
    variance: f64,
}

/// The observables of an ended attempt. The state after it may be newer than the last sample.
#[must_use]
pub(super) fn observables_at_end(
    attempt: &Attempt,
    post: &StateSummary,
    variance: f64,
) -> Observables {
    let (first, last) = (attempt.samples.first(), attempt.samples.last());
    let ending = Ending {
        inventory: &post.inventory,
        is_gui_open: post.gui.is_open(),
        tick: post.tick,
        // Without samples the places of the state summaries stand in: an attempt can end
        // before its first frame.
        coords: (
            first.map_or_else(|| attempt.pre.position.floor(), |sample| sample.position),
            last.map_or_else(|| post.position.floor(), |sample| sample.position),
        ),
        variance,
    };
    build_observables(attempt, &attempt.samples, &ending)
}

/// The observables as they stood at the last of these samples, as if the attempt had ended there.
#[must_use]
pub fn observables_until(attempt: &Attempt, samples: &[Sample]) -> Option<Observables> {
    let window = Window::over(attempt, samples)?;
    let ending = Ending {
        inventory: &window.last.inventory,
        is_gui_open: window.last.gui.is_open(),
        tick: window.last.tick,
        coords: (window.first.position, window.last.position),
        variance: window.variance(),
    };
    Some(build_observables(attempt, samples, &ending))
}

fn build_observables(attempt: &Attempt, samples: &[Sample], ending: &Ending<'_>) -> Observables {
    let (first, last) = (samples.first(), samples.last());
    // Counters of the body only grow, so the difference counts what happened in between.
    let gui_events = first
        .zip(last)
        .map_or_else(GuiEvents::default, |(first, last)| GuiEvents {
            open: last.gui_opened.saturating_sub(first.gui_opened),
            close: last.gui_closed.saturating_sub(first.gui_closed),
        });
    let furnace = last.and_then(|sample| sample.furnace.as_ref());
    // Only gains: what was put back into a furnace is no craft.
    let crafted = last.map(|sample| sample.crafted.delta(&attempt.baseline.crafted));
    let crafted = crafted.into_iter().flatten();
    let gained = crafted.filter_map(|(item, count)| Some((item, u32::try_from(count).ok()?)));
    Observables {
        coords_start: ending.coords.0,
        coords_end: ending.coords.1,
        coords_variance: ending.variance,
        inventory: ending.inventory.clone(),
        inv_delta: ending.inventory.delta(&attempt.baseline.inventory),
        is_gui_open: ending.is_gui_open,
        gui_state: if ending.is_gui_open { "open" } else { "closed" }.to_owned(),
        gui_events,
        world_time: ending.tick,
        furnace_burn: furnace.map(|view| view.burn),
        furnace_cook: furnace.map(|view| view.cook),
        container_items: last.map_or(0, |sample| sample.container_items),
        crafted_items: gained.collect(),
    }
}
