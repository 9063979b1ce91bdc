//! Work: one deed at an open station, clicked through to its end.
//!
//! Invariant: ends within a named number of ticks, done or with the reason for which it was refused.

use super::super::controls::{Controls, Deed, Outcome};
use super::super::senses::Hands;
use super::End;
use crate::action::ActionFailure;

/// Ticks of clicking for one deed, generously.
const CLICK_TICKS_MAX: u32 = 12;

/// Repeats a deed until it is done.
pub(crate) async fn work(hands: &Hands, deed: Deed) -> End {
    for _ in 0..CLICK_TICKS_MAX {
        let keys = Controls {
            deed: Some(deed.clone()),
            ..Controls::default()
        };
        match hands.act(keys).await {
            Outcome::Done => return Ok(()),
            Outcome::Refused(because) if because.contains("full") => {
                return Err(ActionFailure::InventoryFull);
            }
            Outcome::Refused(because) => {
                return Err(ActionFailure::Invalid {
                    because: because.to_owned(),
                });
            }
            Outcome::Working => {}
            Outcome::Broke(..) | Outcome::Struck(_) | Outcome::Crafted(..) | Outcome::Ate(_) => {}
        }
    }
    let gui = hands.with(|s| s.gui().name().to_owned());
    Err(ActionFailure::GuiBlocked { gui })
}
