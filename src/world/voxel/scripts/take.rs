//! Taking: from chest to chest, those in sight first, until enough is held.
//!
//! Invariant: each chest is looked into once; what is not wanted stays in it.

use super::super::controls::Deed;
use super::super::hand;
use super::super::path::goal::Goal;
use super::super::senses::{Display, Hands};
use super::travel::{self, manner_here};
use super::wanted::{self, Wanted};
use super::work::work;
use super::{End, explore};
use crate::action::{ActionFailure, Target};
use crate::block as blocks;
use crate::family::ItemSpec;
use crate::observation::Gui;
use crate::space::Pos;

/// Chests looked into in one action.
const CHESTS_MAX: usize = 32;
/// How far off a chest that was seen is still worth the way.
const RANGE: f64 = 96.0;

/// Takes until `count` more of the item are held.
pub(crate) async fn take(hands: &Hands, item: ItemSpec, count: u32) -> End {
    hand::close(hands).await?;
    let goal = hands.with(|s| s.count(item)) + count;
    let target = Target::Block(blocks::CHEST);
    let mut known = Vec::new();
    let mut last = None;
    while known.len() < CHESTS_MAX {
        if hands.with(|s| s.count(item)) >= goal {
            return Ok(());
        }
        let wanted = Wanted::blocks(&[blocks::CHEST], &known);
        let Some(at) = nearest_chest(hands, &known) else {
            match explore::search(hands, &wanted, &target).await {
                Ok(()) if hands.with(|s| wanted::nearest(s, &wanted)).is_some() => continue,
                Ok(()) => break,
                // That a known one gave nothing says more than that there is no other.
                Err(ActionFailure::NoTarget { .. }) if last.is_some() => break,
                Err(failure) => return Err(failure),
            }
        };
        known.push(at);
        match take_from(hands, at, item, goal).await {
            Ok(()) => {}
            Err(
                failure @ (ActionFailure::NoPath { .. }
                | ActionFailure::Stuck { .. }
                | ActionFailure::GuiBlocked { .. }),
            ) => last = Some(failure),
            Err(failure) => {
                hand::close(hands).await?;
                return Err(failure);
            }
        }
    }
    if hands.with(|s| s.count(item)) >= goal {
        return Ok(());
    }
    let y = hands.with(|s| s.feet().y);
    Err(last.unwrap_or(ActionFailure::NoTarget { target, y }))
}

fn nearest_chest(hands: &Hands, known: &[Pos]) -> Option<Pos> {
    let near = hands.with(|s| {
        s.seen.nearest(s.feet(), RANGE, 1 + known.len(), |block| {
            block == blocks::CHEST
        })
    });
    near.into_iter()
        .map(|(at, _)| at)
        .find(|at| !known.contains(at))
}

async fn take_from(hands: &Hands, at: Pos, item: ItemSpec, goal: u32) -> End {
    travel::travel(hands, &Goal::Reach { at }, manner_here(hands)).await?;
    hand::open(hands, Some(at), Gui::Chest).await?;
    let (there, held) = hands.with(|s| {
        let there = match &s.display {
            Display::Chest(counts) => counts.count(item),
            Display::Nothing | Display::Offers(_) | Display::Deals(_) => 0,
        };
        (there, s.count(item))
    });
    let count = there.min(goal.saturating_sub(held));
    if count > 0 {
        let deed = Deed::ChestTake { item, count };
        match work(hands, deed).await {
            Err(ActionFailure::Invalid { because }) if because == "no room" => {
                return Err(ActionFailure::InventoryFull);
            }
            end => end?,
        }
    }
    hand::close(hands).await
}
