//! Enchanting: the best offer that can be paid at a table, or a carried book at an anvil.
//!
//! Invariant: nothing is paid unless the thing is enchanted.

use super::super::controls::HandAction;
use super::super::primitives::handling;
use super::super::senses::{BodyHandle, Display, Senses};
use super::station::{self, PlacedStation};
use super::work::work;
use super::{End, repair};
use crate::action::ActionFailure;
use crate::block as blocks;
use crate::enchanting::{EnchantingOffer, OFFERS, can_lay};
use crate::family::ItemSpec;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::mending;
use crate::observation::Gui;

/// Puts an enchantment on a carried thing.
pub(crate) async fn enchant(body: &BodyHandle, item: ItemSpec) -> End {
    handling::close(body).await?;
    // An enchanted book is asked for by its result, a table makes it of a plain one.
    let wanted = match ItemId::named("enchanted_book") {
        Some(book) if item == book.into() => ItemId::named("book").map_or(item, ItemSpec::from),
        _ => item,
    };
    if let Some((slot, with)) = body.with(|s| book_for(s, wanted)) {
        return repair::at_anvil(body, item, slot, with).await;
    }
    let Some(slot) = body.with(|s| slot_for_table(s, wanted)) else {
        return Err(lacking(body, wanted));
    };
    let (lapis, level) = body.with(|s| (lapis(s), s.level));
    let Some(needs) = ItemId::named("lapis_lazuli").filter(|_| lapis == 0) else {
        if level == 0 {
            return Err(ActionFailure::TooFewLevels { have: 0, need: 1 });
        }
        let table = station::reach(body, blocks::ENCHANTING_TABLE, item).await?;
        let end = at_table(body, table, slot).await;
        station::leave(body, table).await?;
        return end;
    };
    Err(ActionFailure::MissingIngredient {
        item,
        needs: needs.into(),
        have: 0,
        need: 1,
    })
}

fn lapis(s: &Senses) -> u32 {
    ItemId::named("lapis_lazuli").map_or(0, |item| s.slots.count(item))
}

/// Why nothing carried can be enchanted.
fn lacking(body: &BodyHandle, item: ItemSpec) -> ActionFailure {
    if body.with(|s| s.count(item)) == 0 {
        return ActionFailure::NotHeld { item };
    }
    ActionFailure::Invalid {
        because: format!("{item} takes no enchantment, or no more"),
    }
}

fn stacks(s: &Senses) -> impl Iterator<Item = (usize, Stack)> + '_ {
    let slots = s.slots.stacks.iter().enumerate();
    slots.filter_map(|(at, stack)| Some((at, (*stack)?)))
}

fn slot_for_table(s: &Senses, item: ItemSpec) -> Option<usize> {
    let fits = |stack: &Stack| item.matches(stack.item) && can_lay(&Stack { count: 1, ..*stack });
    stacks(s).find(|(_, stack)| fits(stack)).map(|(at, _)| at)
}

/// A thing and a carried book that an anvil would put on it for the levels there are.
fn book_for(s: &Senses, item: ItemSpec) -> Option<(usize, usize)> {
    let is_book = |stack: &Stack| stack.item.name() == "enchanted_book";
    let things = stacks(s).filter(|(_, stack)| item.matches(stack.item) && !is_book(stack));
    let pairs = things.flat_map(|thing| {
        let books = stacks(s).filter(move |(_, stack)| is_book(stack));
        books.map(move |book| (thing, book))
    });
    pairs
        .filter(|((_, thing), (_, book))| {
            mending::at_anvil(thing, book).is_some_and(|work| work.levels <= s.level)
        })
        .map(|((slot, _), (with, _))| (slot, with))
        .next()
}

async fn at_table(body: &BodyHandle, table: PlacedStation, slot: usize) -> End {
    handling::open(body, Some(table.at), Gui::EnchantingTable).await?;
    work(body, HandAction::Lay { slot }).await?;
    let offers = body.with(|s| match &s.display {
        Display::Offers(offers) => *offers,
        Display::Nothing | Display::Chest(_) | Display::Deals(_) => [None; OFFERS],
    });
    let (lapis, have) = body.with(|s| (lapis(s), s.level));
    let Some(offer) = best(&offers, have, lapis) else {
        let need = offers.iter().flatten().map(|offer| offer.level).min();
        return Err(ActionFailure::TooFewLevels {
            have,
            need: need.unwrap_or(1),
        });
    };
    work(body, HandAction::Enchant { offer }).await
}

/// The dearest offer that can be paid.
fn best(offers: &[Option<EnchantingOffer>], level: u32, lapis: u32) -> Option<usize> {
    let pays = |(at, offer): &(usize, Option<EnchantingOffer>)| {
        let price = *at as u32 + 1;
        offer.is_some_and(|offer| level >= offer.level.max(price)) && lapis >= price
    };
    let mut all = offers.iter().copied().enumerate().rev();
    all.find(pays).map(|(at, _)| at)
}
