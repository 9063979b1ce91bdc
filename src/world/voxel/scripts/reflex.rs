//! Reflexes: what the body does during every script: breathe, get out of fire, fight or flee, eat.
//!
//! Called between steps; what they do takes ticks, after which plans are stale. Invariant: a
//! reflex never calls another.

use super::super::controls::Controls;
use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::lava as known_lava;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Living, Senses};
use super::defence::{self, DefenceResponse};
use super::{End, Script, burrow, dress, forage, lava, quench, simple};
use crate::item::ItemId;
use crate::space::Pos;

/// Food at which one eats, if there is peace to do so; food below which wounds do not heal, and
/// the health below which that matters.
const HUNGRY: f32 = 14.0;
const HEALS: f32 = 17.0;
const HURT: f32 = 19.0;
/// A hostile nearer than this spoils the meal.
const PEACE: f64 = 12.0;
/// Breath at which one comes up, in ticks; farther off from the last air, what the way back takes and some more.
const BREATHLESS: i32 = 120;
const BACK_TICKS: f64 = 14.0;
const BACK_SPARE: i32 = 40;
const UP_TICKS_MAX: u32 = 200;
/// Breath with which one goes down again.
const WELL_BREATHED: i32 = 200;

/// What the body needs.
enum Need {
    Head(Pos),
    Breath,
    Out,
    Plug(Pos),
    Defence(DefenceResponse),
    Water(Pos),
    Burrow(Pos),
    Armour(ItemId),
    Food,
    Prey(Living),
}

/// The reflex that the body needs now, to be awaited. Boxed, because it is made of the primitives
/// that call it; nothing is allocated where there is no need.
pub(crate) fn start(body: &BodyHandle) -> Option<Script> {
    let need = body.with(|s| need(s))?;
    let body = body.clone();
    Some(Box::pin(async move { meet(&body, need).await }))
}

/// True if something does not let one continue with what takes long.
pub(crate) fn is_threatened(s: &Senses) -> bool {
    s.in_lava
        || is_buried(s)
        || is_breathless(s)
        || known_lava::leak(s).is_some()
        || quench::water(s).is_some()
        || defence::answer(s).is_some()
}

/// Something solid is where the head is, such as sand that came down.
fn is_buried(s: &Senses) -> bool {
    s.seen.nature(s.eyes.block()).is_solid()
}

fn is_breathless(s: &Senses) -> bool {
    let back = s.breathed_at.distance(s.feet()) * BACK_TICKS;
    s.eyes_in_water && s.air < BREATHLESS.max(back as i32 + BACK_SPARE)
}

fn need(s: &Senses) -> Option<Need> {
    if is_buried(s) {
        return Some(Need::Head(s.eyes.block()));
    }
    if is_breathless(s) {
        return Some(Need::Breath);
    }
    if s.is_harmed() {
        return Some(Need::Out);
    }
    if let Some(at) = known_lava::leak(s) {
        return Some(Need::Plug(at));
    }
    if let Some(answer) = defence::answer(s) {
        return Some(Need::Defence(answer));
    }
    if let Some(at) = quench::water(s) {
        return Some(Need::Water(at));
    }
    // What takes long is done for its own sake, never in the middle of another reflex.
    let is_free = !s.is_minding;
    if let Some(at) = burrow::wanted(s).filter(|_| is_free) {
        return Some(Need::Burrow(at));
    }
    // Who is hurt eats as long as it helps to heal.
    let hungry = if s.health < HURT { HEALS } else { HUNGRY };
    let is_peace = || s.enemies().all(|enemy| enemy.at.distance(s.at) > PEACE);
    if let Some(piece) = dress::better(s).filter(|_| is_peace()) {
        return Some(Need::Armour(piece));
    }
    let eats = s.hunger <= hungry && simple::best_food(s).is_some() && is_peace();
    let prey = || {
        forage::prey(s)
            .filter(|_| is_free && is_peace())
            .map(Need::Prey)
    };
    eats.then_some(Need::Food).or_else(prey)
}

async fn meet(body: &BodyHandle, need: Need) -> End {
    match need {
        // Sand came down on the head.
        Need::Head(at) => handling::dig(body, at).await.map(|_| ()),
        Need::Breath => come_up(body).await,
        Need::Out => lava::get_out(body).await,
        Need::Plug(at) => lava::plug(body, at).await,
        Need::Defence(answer) => defence::defend(body, answer).await,
        Need::Water(at) => quench::quench(body, at).await,
        Need::Burrow(at) => burrow::hide(body, at).await,
        Need::Armour(piece) => dress::put_on(body, piece).await.or_else(simple::put_off),
        Need::Food => simple::eat(body).await.or_else(simple::put_off),
        Need::Prey(prey) => forage::kill_for_food(body, prey).await,
    }
}

/// To the nearest air that is known, or straight up through whatever is there.
async fn come_up(body: &BodyHandle) -> End {
    // Digging under water takes longer than the breath lasts.
    travel::went(travel::rush(body, &PathGoal::Air, TravelMode::Walk).await)?;
    for _ in 0..UP_TICKS_MAX {
        let (is_well, lid) = body.with(|s| {
            let above = s.eyes.block().up();
            let is_lid = s.eyes_in_water && s.seen.nature(above).is_solid();
            (
                !s.eyes_in_water && s.air >= WELL_BREATHED,
                is_lid.then_some(above),
            )
        });
        if is_well {
            break;
        }
        match lid {
            Some(lid) => {
                handling::dig(body, lid).await?;
            }
            None => {
                body.act(Controls {
                    jump: true,
                    ..Controls::default()
                })
                .await;
            }
        }
    }
    Ok(())
}
