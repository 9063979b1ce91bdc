//! The parts of the Debug screen by name: what each shows.

use crate::cache::Cache;
use crate::screens::debug::inspection::{Inspection, PartContent};
use crate::screens::debug::state::DebugPart;
use crate::screens::debug::{charts, mind, observed, strips, thresholds, tree};

/// A part in so many columns.
#[must_use]
pub fn part_content(
    part: DebugPart,
    inspection: &Inspection<'_>,
    cache: &Cache,
    width: usize,
) -> PartContent {
    match part {
        DebugPart::Attempts => PartContent::default(),
        DebugPart::Observed => observed::observables_content(inspection, width),
        DebugPart::Checks => strips::checks_content(inspection, width),
        DebugPart::Charts => charts::indicators_content(inspection, width),
        DebugPart::Trace => tree::trace_content(inspection, width),
        DebugPart::Thresholds => thresholds::thresholds_content(inspection, width),
        DebugPart::Mind => mind::mind_content(inspection, cache, width),
    }
}
