//! Work: one action at an open station, clicked through to its end.
//!
//! Invariant: ends within a named number of ticks, done or with the reason for which it was refused.

use super::super::controls::{ControlOutcome, Controls, HandAction};
use super::super::primitives::handling;
use super::super::senses::BodyHandle;
use super::End;
use crate::action::{ActionFailure, GuiFault};

/// Ticks of clicking for one action, generously.
/// The longest action takes three ticks; windows may close in between.
const CLICK_TICKS_MAX: u32 = 12;

/// Repeats a action until it is done.
pub(crate) async fn work(body: &BodyHandle, action: HandAction) -> End {
    for _ in 0..CLICK_TICKS_MAX {
        let keys = Controls {
            action: Some(action.clone()),
            ..Controls::default()
        };
        match body.act(keys).await {
            ControlOutcome::Done => return Ok(()),
            // The text of a refusal is the only sign that it was for want of room.
            ControlOutcome::Refused(because) if because.contains("full") => {
                return Err(ActionFailure::InventoryFull);
            }
            ControlOutcome::Refused(because) => {
                return Err(ActionFailure::Invalid {
                    because: because.to_owned(),
                });
            }
            ControlOutcome::Working => {}
            ControlOutcome::Broke(..)
            | ControlOutcome::Struck(_)
            | ControlOutcome::Crafted(..)
            | ControlOutcome::Ate(_) => {}
        }
    }
    // Only reached if the window never answered.
    let gui = body.with(|s| s.gui());
    Err(handling::blocked(gui, GuiFault::NoAnswer))
}
