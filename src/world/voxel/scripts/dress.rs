//! Dressing: the best armour that is carried is put on, piece by piece, and taken off for work on it.
//!
//! Invariant: the item that the action is about stays in the inventory.

use super::super::controls::{ControlOutcome, Controls, HandAction};
use super::super::primitives::handling;
use super::super::senses::{BodyHandle, Senses};
use super::End;
use crate::action::{Action, ActionFailure};
use crate::armour::{ArmourSlot, armour_of};
use crate::family::ItemSpec;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::observation::Gui;

/// After a piece that would not go on.
const TRY_AGAIN_TICKS: u64 = 1_200;

/// The thing an action is about, where it has to be carried and not worn.
pub(crate) fn subject(action: &Action) -> Option<ItemSpec> {
    match action {
        Action::Dye { item, .. } | Action::Enchant { item } => Some(*item),
        Action::Repair { item } | Action::Put { item, .. } => Some(*item),
        Action::Use { item, .. } => *item,
        _ => None,
    }
}

/// A carried piece that is better than what is worn in its place.
pub(crate) fn better(s: &Senses) -> Option<ItemId> {
    if s.tick < s.retry_after.dress {
        return None;
    }
    let carried = s.slots.stacks.iter().flatten();
    let is_free = |stack: &&Stack| !s.bare.is_some_and(|bare| bare.matches(stack.item));
    let gains = carried.filter(is_free).filter_map(|stack| {
        let place = armour_of(stack.item)?.place;
        let gain = worth(stack) - s.worn.at(place).map_or(-1.0, |worn| worth(&worn));
        (gain > 0.0).then_some((gain, stack.item))
    });
    gains
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        .map(|(_, item)| item)
}

fn worth(stack: &Stack) -> f32 {
    let armour = armour_of(stack.item);
    let protection = f32::from(stack.extra.enchants.named("protection"));
    armour.map_or(0.0, |armour| {
        armour.points + armour.toughness + 0.5 * protection
    })
}

/// Puts a carried piece on.
pub(crate) async fn put_on(body: &BodyHandle, item: ItemId) -> End {
    handling::close(body).await?;
    let place = armour_of(item).map(|armour| armour.place);
    let is_taken = body.with(|s| place.is_some_and(|place| s.worn.at(place).is_some()));
    if is_taken {
        handling::open(body, None, Gui::Inventory).await?;
    } else {
        handling::hold(body, item).await?;
    }
    let outcome = act(body, HandAction::Wear { item }).await;
    handling::close(body).await?;
    match outcome {
        ControlOutcome::Refused(because) => {
            body.with(|s| s.retry_after.dress = s.tick + TRY_AGAIN_TICKS);
            Err(ActionFailure::Invalid {
                because: because.to_owned(),
            })
        }
        _ => Ok(()),
    }
}

/// Takes off what is to be worked on, if it is worn and not carried besides.
pub(crate) async fn take_off(body: &BodyHandle, wanted: ItemSpec) -> End {
    let worn = |s: &mut Senses| {
        let is_worn = |place: &ArmourSlot| {
            let worn = s.worn.at(*place);
            worn.is_some_and(|worn| wanted.matches(worn.item))
        };
        ArmourSlot::ALL
            .into_iter()
            .find(is_worn)
            .filter(|_| s.count(wanted) == 0)
    };
    let Some(place) = body.with(worn) else {
        return Ok(());
    };
    handling::open(body, None, Gui::Inventory).await?;
    act(body, HandAction::TakeOff { place }).await;
    handling::close(body).await
}

async fn act(body: &BodyHandle, action: HandAction) -> ControlOutcome {
    body.act(Controls {
        action: Some(action),
        ..Controls::default()
    })
    .await
}
