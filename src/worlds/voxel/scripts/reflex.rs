//! Reflexes: what every script does without being told: breathe, get out of fire, fight or flee, eat.
//!
//! Called between steps; what they do takes ticks, after which plans are stale. Invariant: a
//! reflex never calls another.

use super::super::controls::Controls;
use super::super::hand;
use super::super::path::goal::Goal;
use super::super::senses::{Hands, Senses};
use super::defence::{self, Answer};
use super::travel::{self, Manner};
use super::{End, simple};
use crate::world::action::ActionFailure;
use crate::world::space::{Facing, Pos};

/// Food at which one eats, if there is peace to do so; food below which wounds do not heal, and
/// the health below which that matters.
const HUNGRY: f32 = 14.0;
const HEALS: f32 = 17.0;
const HURT: f32 = 14.0;
/// A hostile nearer than this spoils the meal.
const PEACE: f64 = 12.0;
/// Breath at which one comes up.
const BREATHLESS: i32 = 120;
const UP_TICKS_MAX: u32 = 200;
/// Breath with which one goes down again.
const WELL_BREATHED: i32 = 200;
/// Lava that cannot be shut out is left this far behind.
const BACK_OFF: f64 = 5.0;

/// What the body needs.
enum Need {
    Head(Pos),
    Breath,
    Out,
    Plug(Pos),
    Defence(Answer),
    Food,
}

/// Looks after the body; true if that took time.
pub(crate) async fn watch(hands: &Hands) -> Result<bool, ActionFailure> {
    let Some(need) = hands.with(|s| need(s)) else {
        return Ok(false);
    };
    let was_minding = hands.with(|s| std::mem::replace(&mut s.is_minding, true));
    let end = meet(hands, need).await;
    hands.with(|s| s.is_minding = was_minding);
    end.map(|()| true)
}

/// As `watch`, for those in the middle of a long deed, and only for what cannot wait.
pub(crate) async fn watch_amid(hands: &Hands) -> Result<bool, ActionFailure> {
    if hands.with(|s| s.is_minding || !is_threatened(s)) {
        return Ok(false);
    }
    Box::pin(watch(hands)).await
}

/// True if something does not let one go on with what takes long.
pub(crate) fn is_threatened(s: &Senses) -> bool {
    s.in_lava || defence::answer(s).is_some()
}

fn need(s: &Senses) -> Option<Need> {
    let head = s.eyes.block();
    if s.seen.nature(head).is_solid() {
        return Some(Need::Head(head));
    }
    if s.eyes_in_water && s.air < BREATHLESS {
        return Some(Need::Breath);
    }
    if s.in_lava || s.seen.nature(s.feet()).is_harmful() {
        return Some(Need::Out);
    }
    if let Some(at) = leak(s) {
        return Some(Need::Plug(at));
    }
    if let Some(answer) = defence::answer(s) {
        return Some(Need::Defence(answer));
    }
    // Who is hurt eats as long as it helps to heal.
    let hungry = if s.health < HURT { HEALS } else { HUNGRY };
    let is_peace = || s.enemies().all(|enemy| enemy.at.distance(s.at) > PEACE);
    let eats = s.hunger <= hungry && simple::best_food(s).is_some() && is_peace();
    eats.then_some(Need::Food)
}

/// Boxed where it travels: travelling calls the reflexes.
async fn meet(hands: &Hands, need: Need) -> End {
    match need {
        // Sand came down on the head.
        Need::Head(at) => Box::pin(hand::dig(hands, at)).await.map(|_| ()),
        Need::Breath => Box::pin(come_up(hands)).await,
        Need::Out => get_out(hands).await,
        Need::Plug(at) => plug(hands, at).await,
        Need::Defence(answer) => Box::pin(defence::defend(hands, answer)).await,
        Need::Food => simple::eat(hands).await.or_else(simple::put_off),
    }
}

/// To the nearest air that is known, or straight up through whatever is there.
async fn come_up(hands: &Hands) -> End {
    // Digging under water takes longer than the breath lasts.
    match travel::rush(hands, &Goal::Air, Manner::Walk).await {
        Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {}
        Err(failure) => return Err(failure),
    }
    for _ in 0..UP_TICKS_MAX {
        let (is_well, lid) = hands.with(|s| {
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
                hand::dig(hands, lid).await?;
            }
            None => {
                hands
                    .act(Controls {
                        jump: true,
                        ..Controls::default()
                    })
                    .await;
            }
        }
    }
    Ok(())
}

/// Out of lava or fire: to the nearest known open cell that stands on something.
async fn get_out(hands: &Hands) -> End {
    let from = hands.with(|s| s.feet());
    let refuge = hands.with(|s| {
        let seen = &s.seen;
        let is_safe = |p: &Pos| {
            seen.nature(*p).is_open()
                && seen.nature(p.up()).is_open()
                && seen.nature(p.down()).is_floor()
        };
        let burns = |p: Pos| {
            Facing::FLAT
                .iter()
                .any(|f| seen.nature(p.side(*f)).is_lava())
        };
        let mut cells: Vec<_> = (-4..=4)
            .flat_map(|x| (-1..=3).flat_map(move |y| (-4..=4).map(move |z| from.plus(x, y, z))))
            .filter(is_safe)
            .collect();
        // Lava spreads: beside it is no refuge, unless there is no other.
        cells.sort_by_key(|p| (burns(*p), super::super::seen::square(*p, from), *p));
        cells.first().copied()
    });
    let Some(refuge) = refuge else {
        hands
            .act(Controls {
                jump: true,
                forward: 1,
                ..Controls::default()
            })
            .await;
        return Ok(());
    };
    for _ in 0..20 {
        if hands.with(|s| s.feet() == refuge) {
            break;
        }
        let keys = hands.with(|s| Controls {
            jump: true,
            forward: 1,
            ..super::super::follow::look(s, refuge)
        });
        hands.act(keys).await;
    }
    // Burning on dry land ends by itself; waiting it out beside the lava is the danger.
    Ok(())
}

/// An open cell beside the body through which lava will come, if there is something to fill it.
fn leak(s: &Senses) -> Option<Pos> {
    if s.sky || !s.on_ground {
        return None;
    }
    s.filler()?;
    let feet = s.feet();
    let beside = Facing::FLAT
        .into_iter()
        .flat_map(|f| [feet.side(f), feet.up().side(f)]);
    let comes = |at: Pos| {
        let from = Facing::FLAT.into_iter().chain([Facing::Up]);
        from.map(|f| at.side(f)).any(|p| s.seen.nature(p).is_lava())
    };
    let is_leak = |at: &Pos| {
        let nature = s.seen.nature(*at);
        nature.is_lava() || (nature.is_open() && comes(*at))
    };
    beside.chain([feet.up().up()]).find(is_leak)
}

async fn plug(hands: &Hands, at: Pos) -> End {
    let Some(filler) = hands.with(|s| s.filler()) else {
        return Ok(());
    };
    let is_done = hand::put_at(hands, filler, at).await?;
    if !is_done {
        // Nothing to put it against: away from here.
        Box::pin(back_off(hands, at)).await?;
    }
    Ok(())
}

async fn back_off(hands: &Hands, from: Pos) -> End {
    match travel::rush(
        hands,
        &Goal::Away {
            from,
            range: BACK_OFF,
        },
        Manner::Dig,
    )
    .await
    {
        Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => Ok(()),
        Err(failure) => Err(failure),
    }
}
