//! Stored views: a view as bytes, from which another console folds on.
//!
//! Invariant: what is read is equal to what was written, and was written by a program that folds alike;
//! anything else is read as nothing.

use crate::view::View;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use pithead_engine::runtime::costs::CostState;
use pithead_engine::runtime::system_record::KnownPlans;
use serde::{Deserialize, Serialize};
use std::io::{BufWriter, Read as _};

/// Names what this program makes of a list of events (`build.rs`).
pub(crate) const FOLD: &str = env!("PITHEAD_FOLD");
/// A packed file of another origin may unpack to anything.
const PLAIN_BYTES_MAX: u64 = 128 << 20;

/// What the view leaves out when it is told as JSON is written beside it.
#[derive(Debug, Serialize)]
struct Written<'v> {
    view: &'v View,
    costs: &'v CostState,
    plans: &'v KnownPlans,
}

#[derive(Debug, Deserialize)]
struct Read {
    view: View,
    costs: CostState,
    plans: KnownPlans,
}

/// The view as bytes; none if it would not come back as it is.
pub(crate) fn pack(view: &View) -> Option<Vec<u8>> {
    let written = Written {
        view,
        costs: view.costs.state(),
        plans: view.system.plans(),
    };
    let mut packed = BufWriter::new(ZlibEncoder::new(Vec::new(), Compression::fast()));
    serde_json::to_writer(&mut packed, &written).ok()?;
    let bytes = packed.into_inner().ok()?.finish().ok()?;
    (unpack(&bytes).as_ref() == Some(view)).then_some(bytes)
}

/// The view of these bytes.
pub(crate) fn unpack(bytes: &[u8]) -> Option<View> {
    let mut plain = Vec::new();
    let mut unpacked = ZlibDecoder::new(bytes).take(PLAIN_BYTES_MAX);
    unpacked.read_to_end(&mut plain).ok()?;
    let Read { view, costs, plans } = serde_json::from_slice(&plain).ok()?;
    Some(View {
        costs: view.costs.clone().with_state(costs),
        system: view.system.clone().with_plans(plans),
        ..view
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::running;
    use pithead_core::domain::run::event::Recorded;
    use pithead_engine::journal::samples::every_kind;
    use pithead_world::clock::Millis;
    use pithead_world::ids::{RunId, Seq};

    /// After every event of a run, and of one that has each kind of event.
    #[test]
    fn a_view_comes_back_as_it_was_and_is_folded_on() {
        let story = running().events;
        let kinds = every_kind(7).into_iter().zip(1..);
        let kinds: Vec<Recorded> = kinds
            .map(|(event, seq)| Recorded {
                run: RunId(7),
                seq: Seq(seq),
                at: Millis(1_000 + seq),
                event,
            })
            .collect();
        for events in [&story, &kinds] {
            let mut view = View::default();
            let mut read = View::default();
            for event in events {
                view.apply(event);
                read.apply(event);
                let packed = pack(&read);
                let packed = packed.unwrap_or_else(|| panic!("event {} is lost", event.seq));
                read = unpack(&packed).unwrap();
                assert!(read == view, "event {}", event.seq);
            }
        }
    }

    #[test]
    fn what_is_no_view_is_read_as_nothing() {
        let mut view = View::default();
        running().events.iter().for_each(|event| view.apply(event));
        let packed = pack(&view).unwrap();
        for at in [0, 1, packed.len() / 2, packed.len() - 1] {
            assert_eq!(unpack(&packed[..at]), None, "cut at {at}");
        }
        assert_eq!(unpack(b"{}"), None);
    }
}
