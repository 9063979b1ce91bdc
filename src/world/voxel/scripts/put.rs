//! Putting: into the nearest known chest, or into a carried one that is put down for it and stays.
//!
//! Invariant: what does not fit stays in the pockets.

use super::super::controls::HandAction;
use super::super::primitives::handling;
use super::super::senses::BodyHandle;
use super::work::work;
use super::{End, station};
use crate::action::ActionFailure;
use crate::block as blocks;
use crate::family::ItemSpec;
use crate::observation::Gui;

/// Puts `count` of the item away.
pub(crate) async fn put(body: &BodyHandle, item: ItemSpec, count: u32) -> End {
    handling::close(body).await?;
    let before = body.with(|s| s.count(item));
    if before < count {
        return Err(ActionFailure::NotHeld { item });
    }
    let chest = station::reach(body, blocks::CHEST, item).await?;
    // It holds something from now on, so it is not taken along again.
    body.with(|s| s.own.retain(|at| *at != chest.at));
    handling::open(body, Some(chest.at), Gui::Chest).await?;
    let end = work(body, HandAction::ChestPut { item, count }).await;
    handling::close(body).await?;
    // Counted by what left the pockets: the chest may have had room for a part only.
    let is_put = before.saturating_sub(body.with(|s| s.count(item))) >= count;
    match end {
        // The text is that of `gui::chest_move`.
        Err(ActionFailure::Invalid { because }) if because == "no room" => {
            Err(ActionFailure::NoRoom { at: chest.at })
        }
        Ok(()) if !is_put => Err(ActionFailure::NoRoom { at: chest.at }),
        end => end,
    }
}
