//! Taking: from chest to chest, those in sight first, until enough is held.
//!
//! Invariant: each chest is looked into once; what is not wanted stays in it.

use super::super::controls::HandAction;
use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::travel::{self, manner_here};
use super::super::senses::{BodyHandle, Display};
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
pub(crate) async fn take_from_chests(body: &BodyHandle, item: ItemSpec, count: u32) -> End {
    handling::close(body).await?;
    let goal = body.with(|s| s.count(item)) + count;
    let target = Target::Block(blocks::CHEST);
    let mut known = Vec::new();
    let mut last = None;
    while known.len() < CHESTS_MAX {
        if body.with(|s| s.count(item)) >= goal {
            return Ok(());
        }
        let wanted = Wanted::blocks(&[blocks::CHEST], &known);
        let Some(at) = nearest_chest(body, &known) else {
            match explore::search(body, &wanted, &target).await {
                Ok(()) if body.with(|s| wanted::nearest(s, &wanted)).is_some() => continue,
                Ok(()) => break,
                // That a known one gave nothing says more than that there is no other.
                Err(ActionFailure::NoTarget { .. }) if last.is_some() => break,
                Err(failure) => return Err(failure),
            }
        };
        known.push(at);
        match take_from(body, at, item, goal).await {
            Ok(()) => {}
            Err(
                failure @ (ActionFailure::NoPath { .. }
                | ActionFailure::Stuck { .. }
                | ActionFailure::GuiBlocked { .. }),
            ) => last = Some(failure),
            Err(failure) => {
                handling::close(body).await?;
                return Err(failure);
            }
        }
    }
    if body.with(|s| s.count(item)) >= goal {
        return Ok(());
    }
    let y = body.with(|s| s.feet().y);
    Err(last.unwrap_or(ActionFailure::NoTarget { target, y }))
}

fn nearest_chest(body: &BodyHandle, known: &[Pos]) -> Option<Pos> {
    let near = body.with(|s| {
        s.seen.nearest(s.feet(), RANGE, 1 + known.len(), |block| {
            block == blocks::CHEST
        })
    });
    near.into_iter()
        .map(|(at, _)| at)
        .find(|at| !known.contains(at))
}

async fn take_from(body: &BodyHandle, at: Pos, item: ItemSpec, goal: u32) -> End {
    travel::travel(body, &PathGoal::Reach { at }, manner_here(body)).await?;
    handling::open(body, Some(at), Gui::Chest).await?;
    let (there, held) = body.with(|s| {
        let there = match &s.display {
            Display::Chest(counts) => counts.count(item),
            Display::Nothing | Display::Offers(_) | Display::Deals(_) => 0,
        };
        (there, s.count(item))
    });
    let count = there.min(goal.saturating_sub(held));
    if count > 0 {
        let action = HandAction::ChestTake { item, count };
        match work(body, action).await {
            Err(ActionFailure::Invalid { because }) if because == "no room" => {
                return Err(ActionFailure::InventoryFull);
            }
            end => end?,
        }
    }
    handling::close(body).await
}
