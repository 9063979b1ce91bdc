//! Scripts: how each action is carried out, written as what a player does one thing after another.
//!
//! A script is a future that the world polls once per tick; dropping it calls it off at any tick.
//! It knows only its `Senses`. Invariant: every loop has a named limit, every end is typed.

pub(crate) mod attack;
pub(crate) mod craft;
pub(crate) mod depth;
pub(crate) mod enchant;
pub(crate) mod explore;
pub(crate) mod mine;
pub(crate) mod pick_up;
pub(crate) mod put;
pub(crate) mod reflex;
pub(crate) mod repair;
pub(crate) mod simple;
pub(crate) mod smelt;
pub(crate) mod station;
pub(crate) mod take;
pub(crate) mod trade;
pub(crate) mod travel;
pub(crate) mod tunnel;
pub(crate) mod wanted;
pub(crate) mod work;

use super::senses::Hands;
use crate::world::action::{Action, ActionFailure};
use std::pin::Pin;

/// How a script ends.
pub(crate) type End = Result<(), ActionFailure>;

/// A script under way.
pub(crate) type Script = Pin<Box<dyn Future<Output = End> + Send>>;

/// The script that carries out an action.
pub(crate) fn script(hands: Hands, action: Action) -> Script {
    Box::pin(async move {
        match action {
            Action::Explore { targets } => explore::explore(&hands, &targets).await,
            Action::Approach { target, range } => travel::approach(&hands, &target, range).await,
            Action::Goto { at, range } => travel::goto(&hands, at, range).await,
            Action::Mine { item, count } => mine::mine(&hands, item, count).await,
            Action::Attack { mob } => attack::attack(&hands, mob).await,
            Action::Craft { item, count } => craft::craft(&hands, item, count).await,
            Action::Smelt { item, count, fuel } => smelt::smelt(&hands, item, count, fuel).await,
            Action::Equip { item } => simple::equip(&hands, item).await,
            Action::Place { item, at } => simple::place(&hands, item, at).await,
            Action::DigDown { y } => depth::dig_down(&hands, y).await,
            Action::GoUp { y } => depth::go_up(&hands, y).await,
            Action::Eat => simple::eat(&hands).await,
            Action::Trade { item, count } => trade::trade(&hands, item, count).await,
            Action::Enchant { item } => enchant::enchant(&hands, item).await,
            Action::Dye { item, dye } => repair::dye(&hands, item, dye).await,
            Action::Repair { item } => repair::repair(&hands, item).await,
            Action::Take { item, count } => take::take(&hands, item, count).await,
            Action::Put { item, count } => put::put(&hands, item, count).await,
            Action::Use { .. }
            | Action::Fish { .. }
            | Action::Grow { .. }
            | Action::Breed { .. }
            | Action::Sleep
            | Action::Build { .. }
            | Action::Raw { .. } => Err(ActionFailure::Invalid {
                because: "this body has not learnt that".to_owned(),
            }),
            Action::Wait { ticks } => simple::wait(&hands, ticks).await,
        }
    })
}
