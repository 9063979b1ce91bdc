//! The parts of the Debug screen by name: what each shows.

use crate::cache::Cache;
use crate::screens::debug::inspection::{Inspection, PartContent};
use crate::screens::debug::state::DebugPart;
use crate::screens::debug::{charts, knobs, mind, observed, strips, tree};

/// A part in so many columns.
#[must_use]
pub fn said(
    part: DebugPart,
    inspection: &Inspection<'_>,
    cache: &Cache,
    width: usize,
) -> PartContent {
    match part {
        DebugPart::Attempts => PartContent::default(),
        DebugPart::Observed => observed::said(inspection, width),
        DebugPart::Checks => strips::said(inspection, width),
        DebugPart::Charts => charts::said(inspection, width),
        DebugPart::Trace => tree::said(inspection, width),
        DebugPart::Knobs => knobs::said(inspection, width),
        DebugPart::Mind => mind::said(inspection, cache, width),
    }
}
