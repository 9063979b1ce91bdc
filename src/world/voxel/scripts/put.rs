//! Putting: into the nearest known chest, or into a carried one that is put down for it and stays.
//!
//! Invariant: what does not fit stays in the pockets.

use super::super::controls::Deed;
use super::super::hand;
use super::super::senses::Hands;
use super::work::work;
use super::{End, station};
use crate::action::ActionFailure;
use crate::block as blocks;
use crate::family::ItemSpec;
use crate::observation::Gui;

/// Puts `count` of the item away.
pub(crate) async fn put(hands: &Hands, item: ItemSpec, count: u32) -> End {
    hand::close(hands).await?;
    let before = hands.with(|s| s.count(item));
    if before < count {
        return Err(ActionFailure::NotHeld { item });
    }
    let chest = station::reach(hands, blocks::CHEST, item).await?;
    // It holds something from now on, so it is not taken along again.
    hands.with(|s| s.own.retain(|at| *at != chest.at));
    hand::open(hands, Some(chest.at), Gui::Chest).await?;
    let end = work(hands, Deed::ChestPut { item, count }).await;
    hand::close(hands).await?;
    let is_put = before.saturating_sub(hands.with(|s| s.count(item))) >= count;
    match end {
        Err(ActionFailure::Invalid { because }) if because == "no room" => {
            Err(ActionFailure::NoRoom { at: chest.at })
        }
        Ok(()) if !is_put => Err(ActionFailure::NoRoom { at: chest.at }),
        end => end,
    }
}
