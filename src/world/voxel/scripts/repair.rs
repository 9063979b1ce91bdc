//! Repairing: two worn things joined in the hand's own grid, or one mended at an anvil; and dyeing, in the same grid.
//!
//! Enchanted things go to the anvil, for a grid would take their enchantments. Invariant: the worst worn is mended, and
//! nothing is used up unless it is.

use super::super::controls::HandAction;
use super::super::primitives::handling;
use super::super::senses::{BodyHandle, Senses};
use super::work::work;
use super::{End, station};
use crate::action::ActionFailure;
use crate::block::{self as blocks, BlockId};
use crate::enchant::mended_with;
use crate::extra::{Colour, takes_colour};
use crate::family::ItemSpec;
use crate::inventory::Stack;
use crate::mending;
use crate::observation::Gui;

/// An anvil that is somewhat worn is one still.
const ANVILS: [&str; 3] = ["damaged_anvil", "chipped_anvil", "anvil"];
/// An anvil known nearer than this is gone to.
const NEAR: f64 = 24.0;

fn stacks(s: &Senses) -> impl Iterator<Item = (usize, Stack)> + '_ {
    let slots = s.slots.stacks.iter().enumerate();
    slots.filter_map(|(at, stack)| Some((at, (*stack)?)))
}

/// Mends a carried thing.
pub(crate) async fn repair(body: &BodyHandle, item: ItemSpec) -> End {
    handling::close(body).await?;
    let Some((slot, worn)) = body.with(|s| {
        let worn = stacks(s).filter(|(_, stack)| item.matches(stack.item) && stack.damage > 0);
        // The most worn; of equals the first slot.
        worn.max_by_key(|(at, stack)| (stack.damage, usize::MAX - at))
    }) else {
        return Err(if body.with(|s| s.count(item)) == 0 {
            ActionFailure::NotHeld { item }
        } else {
            ActionFailure::Invalid {
                because: format!("{item} is not damaged"),
            }
        });
    };
    // A grid is free and needs no levels, but takes enchantments away.
    if worn.extra.enchants.is_empty()
        && let Some(with) = body.with(|s| another(s, slot, &worn))
    {
        handling::open(body, None, Gui::Inventory).await?;
        let end = work(body, HandAction::Mend { slot, with }).await;
        handling::close(body).await?;
        return end;
    }
    match body.with(|s| for_anvil(s, slot, &worn)) {
        Some((with, levels)) => {
            let have = body.with(|s| s.level);
            if have < levels {
                return Err(ActionFailure::TooFewLevels { have, need: levels });
            }
            at_anvil(body, item, slot, with).await
        }
        None => Err(ActionFailure::MissingIngredient {
            item,
            needs: mended_with(worn.item).unwrap_or(worn.item.into()),
            have: 0,
            need: 1,
        }),
    }
}

/// Another thing of the kind without enchantments, the most worn.
fn another(s: &Senses, slot: usize, worn: &Stack) -> Option<usize> {
    let like = |(at, stack): &(usize, Stack)| {
        *at != slot && stack.item == worn.item && stack.extra.enchants.is_empty()
    };
    let others = stacks(s).filter(like);
    others
        .max_by_key(|(at, stack)| (stack.damage, usize::MAX - at))
        .map(|(at, _)| at)
}

/// What an anvil would mend it with most cheaply, and the levels it takes.
fn for_anvil(s: &Senses, slot: usize, worn: &Stack) -> Option<(usize, u32)> {
    let helps = |(at, stack): (usize, Stack)| {
        let work = mending::at_anvil(worn, &stack).filter(|_| at != slot)?;
        // Joining may only add enchantments: that is no repair.
        (work.made.damage < worn.damage).then_some((at, work.levels))
    };
    stacks(s)
        .filter_map(helps)
        .min_by_key(|(at, levels)| (*levels, *at))
}

/// Joins two things at an anvil, known or carried.
pub(crate) async fn at_anvil(body: &BodyHandle, made: ItemSpec, slot: usize, with: usize) -> End {
    let things = body.with(|s| [s.slots.stacks[slot], s.slots.stacks[with]]);
    let anvil = station::reach(body, nearest_anvil(body), made).await?;
    let end = match handling::open(body, Some(anvil.at), Gui::Anvil).await {
        Ok(()) => {
            // Putting the anvil down may have changed which slot holds what.
            // Slots are found again by what they hold.
            let slots = body.with(|s| things.map(|thing| place_of(s, thing)));
            match slots {
                [Some(slot), Some(with)] => work(body, HandAction::Join { slot, with }).await,
                _ => Err(ActionFailure::NotHeld { item: made }),
            }
        }
        Err(failure) => Err(failure),
    };
    station::leave(body, anvil).await?;
    end
}

fn place_of(s: &Senses, thing: Option<Stack>) -> Option<usize> {
    s.slots
        .stacks
        .iter()
        .position(|stack| stack.is_some() && *stack == thing)
}

/// The kind of anvil that is near or carried.
fn nearest_anvil(body: &BodyHandle) -> BlockId {
    let kinds = || ANVILS.into_iter().filter_map(BlockId::named);
    let known = body.with(|s| {
        // The nearest that is known comes before any that is carried: putting one down
        // takes time.
        s.seen
            .nearest(s.feet(), NEAR, 1, |block| kinds().any(|kind| kind == block))
            .first()
            .map(|(_, block)| *block)
    });
    let carried = || {
        kinds().find(|kind| {
            let item = kind.item();
            item.is_some_and(|item| body.with(|s| s.slots.count(item) > 0))
        })
    };
    known.or_else(carried).unwrap_or(blocks::ANVIL)
}

/// Dyes leather clothing.
pub(crate) async fn dye(body: &BodyHandle, item: ItemSpec, dye: ItemSpec) -> End {
    handling::close(body).await?;
    let Some((slot, _)) = body.with(|s| {
        let mut all = stacks(s).filter(|(_, stack)| item.matches(stack.item));
        all.find(|(_, stack)| takes_colour(stack.item))
    }) else {
        return Err(ActionFailure::NotHeld { item });
    };
    let Some((_, with)) = body.with(|s| {
        let mut all = stacks(s).filter(|(_, stack)| dye.matches(stack.item));
        all.find(|(_, stack)| Colour::of_dye(stack.item).is_some())
    }) else {
        return Err(ActionFailure::MissingIngredient {
            item,
            needs: dye,
            have: 0,
            need: 1,
        });
    };
    handling::open(body, None, Gui::Inventory).await?;
    let action = HandAction::Dye {
        slot,
        dye: with.item,
    };
    let end = work(body, action).await;
    handling::close(body).await?;
    end
}
