//! Scripts: how each action is carried out, written as what a player does one thing after another.
//!
//! A script is a future that the world polls once per tick; dropping it cancels it at any tick.
//! It knows only its `Senses`. Invariant: every loop has a named limit, every end is typed.

mod ambush;
pub(crate) mod attack;
pub(crate) mod breed;
pub(crate) mod build;
pub(crate) mod burrow;
mod cast;
mod caves;
mod combat;
pub(crate) mod craft;
mod creeper;
pub(crate) mod defence;
pub(crate) mod depth;
pub(crate) mod dress;
pub(crate) mod enchant;
pub(crate) mod explore;
pub(crate) mod fight;
pub(crate) mod fish;
mod forage;
pub(crate) mod garden;
pub(crate) mod goto;
pub(crate) mod grow;
mod hunt;
pub(crate) mod lava;
pub(crate) mod mine;
mod outlook;
mod overland;
mod passing;
pub(crate) mod people;
mod pick_up;
mod pillar;
mod prospect;
mod purpose;
mod pursuit;
pub(crate) mod put;
pub(crate) mod quench;
pub(crate) mod raw;
pub(crate) mod reflex;
pub(crate) mod repair;
mod scaffold;
mod screen;
pub(crate) mod simple;
pub(crate) mod sleep;
pub(crate) mod smelt;
mod stalk;
pub(crate) mod station;
pub(crate) mod take;
pub(crate) mod trade;
pub(crate) mod tunnel;
pub(crate) mod use_on;
pub(crate) mod wanted;
pub(crate) mod work;

use super::path::goal::PathGoal;
use super::primitives::travel;
use super::senses::{BodyHandle, End, Reflexes, Script};
use crate::action::{Action, Target};
use crate::mob::MobKind;
use crate::space::Pos;

/// What every script does unbidden.
pub(crate) const REFLEXES: Reflexes = Reflexes {
    start: reflex::start,
    is_threatened: reflex::is_threatened,
};

/// A walk that digs nothing and puts nothing down.
pub(crate) fn stroll(body: BodyHandle, at: Pos) -> Script {
    Box::pin(async move {
        let goal = PathGoal::Flat {
            x: at.x,
            z: at.z,
            range: 3.0,
        };
        travel::travel(&body, &goal, travel::TravelMode::Walk).await
    })
}

/// Work in the open that can wait for the day. What comes out at night is hunted at night, and below
/// ground it is always night; who farms or fishes has a way of spending nights of its own.
fn is_roaming(action: &Action) -> bool {
    match action {
        Action::Attack { mob, .. } => !mob.facts().hostile,
        // Animals are looked for where they graze.
        Action::Use {
            on: Target::Mob(_), ..
        } => true,
        Action::Goto { .. } | Action::Approach { .. } => true,
        Action::Mine { item, .. } => !wanted::sources(*item).into_iter().any(wanted::is_rock),
        // Everything else is done near a place of its own, or below ground.
        _ => false,
    }
}

fn hunted_monster(action: &Action) -> Option<MobKind> {
    match action {
        Action::Attack { mob, .. } => Some(*mob).filter(|mob| mob.facts().hostile),
        _ => None,
    }
}

/// The script that carries out an action.
pub(crate) fn script(body: BodyHandle, action: Action) -> Script {
    Box::pin(async move {
        // A script that was cancelled amid a reflex left these flags as they were then.
        let subject = dress::subject(&action);
        body.with(|s| {
            (s.is_minding, s.is_roaming) = (false, is_roaming(&action));
            s.spends_wood = false;
            s.monster = hunted_monster(&action);
            s.broken = 0;
            s.bare = subject;
        });
        if let Some(subject) = subject {
            dress::take_off(&body, subject).await?;
        }
        match action {
            Action::Explore { targets } => explore::explore(&body, &targets).await,
            Action::Approach { target, range } => goto::approach(&body, &target, range).await,
            Action::Goto { at, range } => goto::goto(&body, at, range).await,
            Action::Mine { item, count } => mine::mine(&body, item, count).await,
            Action::Attack {
                mob,
                gain,
                count,
                also,
            } => attack::attack(&body, mob, gain, count, &also).await,
            Action::Craft {
                item,
                count,
                table_stays,
            } => craft::craft(&body, item, count, table_stays).await,
            Action::Smelt {
                item,
                count,
                fuel,
                furnaces_stay,
            } => smelt::smelt(&body, item, count, fuel, furnaces_stay).await,
            Action::Equip { item } => simple::equip(&body, item).await,
            Action::Place { item, at } => simple::place(&body, item, at).await,
            Action::DigDown { y, also } => passing::dig_down(&body, y, &also).await,
            Action::GoUp { y } => depth::go_up(&body, y).await,
            Action::Eat => simple::eat(&body).await,
            Action::Use {
                item,
                on,
                gain,
                count,
            } => use_on::use_on(&body, item, &on, gain, count).await,
            Action::Fish { item, count } => fish::fish(&body, item, count).await,
            Action::Grow { item, count } => grow::grow(&body, item, count).await,
            Action::Breed { mob } => breed::breed(&body, mob).await,
            Action::Sleep => sleep::sleep(&body).await,
            Action::Build {
                blocks,
                clear,
                blueprint,
            } => build::build(&body, &blocks, &clear, blueprint.as_ref()).await,
            Action::Raw { keys } => raw::raw(&body, &keys).await,
            Action::Trade { item, count } => trade::trade(&body, item, count).await,
            Action::Enchant { item } => enchant::enchant(&body, item).await,
            Action::Dye { item, dye } => repair::dye(&body, item, dye).await,
            Action::Repair { item } => repair::repair(&body, item).await,
            Action::Take { item, count } => take::take_from_chests(&body, item, count).await,
            Action::Put { item, count } => put::put(&body, item, count).await,
            Action::Wait { ticks } => simple::wait(&body, ticks).await,
        }
    })
}
