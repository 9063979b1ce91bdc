//! Simple actions: equip, place, eat, wait.

use super::super::controls::{Controls, Deed, Outcome};
use super::super::hand;
use super::super::path::goal::Goal;
use super::super::senses::{Hands, Senses};
use super::travel::{self, manner_here};
use super::{End, dress, reflex};
use crate::action::ActionFailure;
use crate::armour::armour_of;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::space::Pos;

/// A meal takes 32 ticks; who is pushed begins anew.
const EAT_TICKS_MAX: u32 = 80;
/// Food from which on wounds heal.
pub(super) const HEALS: f32 = 18.0;
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
pub(crate) async fn equip(hands: &Hands, item: ItemSpec) -> End {
    hand::close(hands).await?;
    match hands.with(|s| carried(s, item)) {
        Some(found) if armour_of(found).is_some() => dress::put_on(hands, found).await,
        Some(found) => hand::hold(hands, found).await,
        None if hands.with(|s| s.worn.iter().any(|worn| item.matches(worn.item))) => Ok(()),
        None => Err(ActionFailure::NotHeld { item }),
    }
}

/// Puts a block down, there or right here.
pub(crate) async fn place(hands: &Hands, item: ItemSpec, at: Option<Pos>) -> End {
    hand::close(hands).await?;
    let Some(found) = hands.with(|s| carried(s, item)) else {
        return Err(ActionFailure::NotHeld { item });
    };
    if found.facts().places.is_none() {
        return Err(ActionFailure::Invalid {
            because: format!("{found} is not a block"),
        });
    }
    let Some(at) = at else {
        hand::put_down(hands, found).await?;
        return Ok(());
    };
    if hands.with(|s| s.seen.nature(at).is_solid()) {
        return Err(ActionFailure::NoRoom { at });
    }
    travel::travel(hands, &Goal::Reach { at }, manner_here(hands)).await?;
    if hand::put_at(hands, found, at).await? {
        Ok(())
    } else {
        Err(ActionFailure::NoRoom { at })
    }
}

/// Wounds heal, or do after a meal that is carried.
pub(super) fn can_heal(s: &Senses) -> bool {
    s.hunger >= HEALS || best_food(s).is_some()
}

/// Eats the best food carried.
pub(crate) async fn eat(hands: &Hands) -> End {
    hand::close(hands).await?;
    let Some(food) = hands.with(|s| best_food(s)) else {
        let food = ItemId::named("bread").ok_or(ActionFailure::Invalid {
            because: "no food is known".to_owned(),
        })?;
        return Err(ActionFailure::NotHeld { item: food.into() });
    };
    hand::hold(hands, food).await?;
    for _ in 0..EAT_TICKS_MAX {
        match hands
            .act(Controls {
                deed: Some(Deed::Eat),
                ..Controls::default()
            })
            .await
        {
            Outcome::Ate(_) => return Ok(()),
            Outcome::Refused(because) => {
                return Err(ActionFailure::Invalid {
                    because: because.to_owned(),
                });
            }
            Outcome::Done | Outcome::Working => {}
            Outcome::Broke(..) | Outcome::Struck(_) | Outcome::Crafted(..) => {}
        }
    }
    Err(ActionFailure::Stuck {
        at: hands.with(|s| s.feet()),
    })
}

/// A meal that came to nothing is no reason to stop.
pub(crate) fn put_off(failure: ActionFailure) -> End {
    match failure {
        ActionFailure::Invalid { .. } | ActionFailure::Stuck { .. } => Ok(()),
        failure => Err(failure),
    }
}

/// The food that feeds longest and does no harm.
pub(crate) fn best_food(s: &Senses) -> Option<ItemId> {
    let foods = s.slots.stacks.iter().flatten().map(|stack| stack.item);
    let harmless = foods.filter(|item| {
        !matches!(
            item.name(),
            "rotten_flesh" | "spider_eye" | "pufferfish" | "poisonous_potato"
        )
    });
    harmless
        .filter_map(|item| item.facts().food.map(|food| (food.points, item)))
        .max()
        .map(|(_, item)| item)
}

/// Lets time pass.
pub(crate) async fn wait(hands: &Hands, ticks: u32) -> End {
    let until = hands.with(|s| s.tick) + u64::from(ticks);
    for tick in 0..ticks {
        if hands.with(|s| s.tick) >= until {
            break;
        }
        if tick % WATCH_EVERY == 0 {
            reflex::watch(hands).await?;
        }
        hands.idle().await;
    }
    Ok(())
}
