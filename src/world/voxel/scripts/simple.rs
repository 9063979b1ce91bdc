//! Simple actions: equip, place, eat, wait.

use super::super::controls::{ControlOutcome, Controls, HandAction};
use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::reflexes;
use super::super::primitives::travel::{self, manner_here};
use super::super::senses::{BodyHandle, Senses};
use super::super::time::is_day;
use super::{End, dress};
use crate::action::ActionFailure;
use crate::armour::armour_of;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::space::Pos;

/// A meal takes 32 ticks; who is pushed begins anew.
const EAT_TICKS_MAX: u32 = 80;
/// Food at which one eats what the plan needs too.
const FAMISHED: f32 = 2.0;
/// Food from which on wounds heal.
pub(super) const HEALS: f32 = 18.0;
/// A hunter of monsters carries so many points of food.
const LARDER: u32 = 24;
/// Waiting is looked after this often.
const WATCH_EVERY: u32 = 20;

/// The carried item that fits, the first in the pockets.
fn carried(s: &Senses, item: ItemSpec) -> Option<ItemId> {
    s.slots
        .find(item)
        .and_then(|slot| s.slots.stacks[slot])
        .map(|stack| stack.item)
}

/// Takes the item in hand, or puts it on.
pub(crate) async fn equip(body: &BodyHandle, item: ItemSpec) -> End {
    handling::close(body).await?;
    match body.with(|s| carried(s, item)) {
        Some(found) if armour_of(found).is_some() => dress::put_on(body, found).await,
        Some(found) => handling::hold(body, found).await,
        None if body.with(|s| s.worn.iter().any(|worn| item.matches(worn.item))) => Ok(()),
        None => Err(ActionFailure::NotHeld { item }),
    }
}

/// Puts a block down, there or right here.
pub(crate) async fn place(body: &BodyHandle, item: ItemSpec, at: Option<Pos>) -> End {
    handling::close(body).await?;
    let Some(found) = body.with(|s| carried(s, item)) else {
        return Err(ActionFailure::NotHeld { item });
    };
    if found.facts().places.is_none() {
        return Err(ActionFailure::Invalid {
            because: format!("{found} is not a block"),
        });
    }
    let Some(at) = at else {
        handling::put_down(body, found).await?;
        return Ok(());
    };
    if body.with(|s| s.seen.nature(at).is_solid()) {
        return Err(ActionFailure::NoRoom { at });
    }
    travel::travel(body, &PathGoal::Reach { at }, manner_here(body)).await?;
    if handling::put_at(body, found, at).await? {
        Ok(())
    } else {
        Err(ActionFailure::NoRoom { at })
    }
}

/// Wounds heal, or do after a meal that is carried.
pub(super) fn can_heal(s: &Senses) -> bool {
    s.hunger >= HEALS || best_food(s).is_some()
}

/// Eats the best food carried; what the plan needs only where there is no other.
pub(crate) async fn eat(body: &BodyHandle) -> End {
    handling::close(body).await?;
    let Some(food) = body.with(|s| best_food(s).or_else(|| best_of(s, |_| true))) else {
        let food = ItemId::named("bread").ok_or(ActionFailure::Invalid {
            because: "no food is known".to_owned(),
        })?;
        return Err(ActionFailure::NotHeld { item: food.into() });
    };
    handling::hold(body, food).await?;
    for _ in 0..EAT_TICKS_MAX {
        match body
            .act(Controls {
                action: Some(HandAction::Eat),
                ..Controls::default()
            })
            .await
        {
            ControlOutcome::Ate(_) => return Ok(()),
            ControlOutcome::Refused(because) => {
                return Err(ActionFailure::Invalid {
                    because: because.to_owned(),
                });
            }
            ControlOutcome::Done | ControlOutcome::Working => {}
            ControlOutcome::Broke(..) | ControlOutcome::Struck(_) | ControlOutcome::Crafted(..) => {
            }
        }
    }
    Err(ActionFailure::Stuck {
        at: body.with(|s| s.feet()),
    })
}

/// A meal that came to nothing is no reason to stop.
pub(crate) fn put_off(failure: ActionFailure) -> End {
    match failure {
        ActionFailure::Invalid { .. } | ActionFailure::Stuck { .. } => Ok(()),
        failure => Err(failure),
    }
}

/// The food that feeds longest and does no harm, of what the plan does not need.
pub(crate) fn best_food(s: &Senses) -> Option<ItemId> {
    best_of(s, |item| s.hunger <= FAMISHED || s.has_spare(item))
}

/// Points of food in what is carried, does no harm and is not needed by the plan.
pub(crate) fn food_carried(s: &Senses) -> u32 {
    let stacks = s.slots.stacks.iter().flatten();
    let spare = stacks.filter(|stack| is_harmless(stack.item) && s.has_spare(stack.item));
    let points = spare.filter_map(|stack| Some(stack.item.facts().food?.points * stack.count));
    points.sum()
}

/// Who hunts monsters lays in meat by day: after a fight wounds heal only in who has eaten.
pub(super) fn lays_in(s: &Senses) -> bool {
    s.monster.is_some() && is_day(s.time) && food_carried(s) < LARDER
}

fn is_harmless(food: ItemId) -> bool {
    !matches!(
        food.name(),
        "rotten_flesh" | "spider_eye" | "pufferfish" | "poisonous_potato"
    )
}

fn best_of(s: &Senses, may_be_eaten: impl Fn(ItemId) -> bool) -> Option<ItemId> {
    let foods = s.slots.stacks.iter().flatten().map(|stack| stack.item);
    let foods = foods.filter(|item| may_be_eaten(*item));
    let harmless = foods.filter(|item| is_harmless(*item));
    harmless
        .filter_map(|item| item.facts().food.map(|food| (food.points, item)))
        .max()
        .map(|(_, item)| item)
}

/// Lets time pass.
pub(crate) async fn wait(body: &BodyHandle, ticks: u32) -> End {
    let until = body.with(|s| s.tick) + u64::from(ticks);
    for tick in 0..ticks {
        if body.with(|s| s.tick) >= until {
            break;
        }
        if tick % WATCH_EVERY == 0 {
            reflexes::watch(body).await?;
        }
        body.idle().await;
    }
    Ok(())
}
