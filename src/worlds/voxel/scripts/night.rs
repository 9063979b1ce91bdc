//! Night: who works in the open and is not fit for what comes out then sits it out in a hole.
//!
//! Three blocks straight down, one block over the head. Invariant: the hole is only begun where
//! floor and walls are known to be whole, and left when it is day.

use super::super::hand::{self, Dug};
use super::super::path::goal::Goal;
use super::super::senses::{Hands, Senses};
use super::travel::{self, Manner};
use super::{End, attack, defence, simple};
use crate::world::action::ActionFailure;
use crate::world::space::{Facing, Pos};

/// From dusk, before the first of them come, until those that burn have burnt.
const NIGHT: std::ops::Range<u32> = 12_900..23_700;
/// How deep the feet come to stand.
const DEPTH: i32 = 3;
/// A place for the hole is looked for within this.
const NEAR: i32 = 6;
/// One at hand spoils the digging.
const PEACE: f64 = 5.0;
const TRY_AGAIN_TICKS: u64 = 200;
const NIGHT_TICKS_MAX: u32 = 11_000;
/// Who hits this hard, in this health, stays out.
const ARMED: f32 = 5.0;
const SOUND: f32 = 12.0;
const HUNGRY: f32 = 17.0;

/// Where a hole should be dug now.
pub(crate) fn burrow(s: &Senses) -> Option<Pos> {
    let is_due = s.is_roaming && s.sky && NIGHT.contains(&s.time) && s.tick >= s.burrow_after;
    if !is_due || !s.on_ground || s.in_water || is_fit(s) {
        return None;
    }
    if s.enemies().any(|enemy| enemy.at.distance(s.at) < PEACE) {
        return None;
    }
    place(s)
}

/// Fit to work outside at night.
fn is_fit(s: &Senses) -> bool {
    let damage = attack::best_weapon(s).map_or(1.0, |weapon| weapon.facts().attack_damage);
    damage >= ARMED && s.health >= SOUND
}

/// The nearest column that is whole down to where the feet come to stand, with no water or lava
/// at its sides.
fn place(s: &Senses) -> Option<Pos> {
    let feet = s.feet();
    let columns = (-NEAR..=NEAR).flat_map(|x| (-NEAR..=NEAR).map(move |z| (x, z)));
    let cells = columns.flat_map(|(x, z)| [0, 1, -1].map(|y| feet.plus(x, y, z)));
    cells
        .filter(|at| is_whole(s, *at))
        .min_by_key(|at| (at.manhattan(feet), *at))
}

fn is_whole(s: &Senses, at: Pos) -> bool {
    let nature = |p: Pos| s.seen.nature(p);
    let is_room = nature(at).is_air() && nature(at.up()).is_air();
    let is_solid = |p: Pos| nature(p).is_solid() && !nature(p).falls();
    // What was not seen below the sod is ground, until it is dug at.
    let is_ground = |p: Pos| nature(p).is_unknown() || is_solid(p);
    is_room
        && is_solid(at.down())
        && (1..=DEPTH).all(|down| {
            let cell = at.plus(0, -down, 0);
            is_ground(cell) && Facing::FLAT.iter().all(|f| is_ground(cell.side(*f)))
        })
        && is_ground(at.plus(0, -DEPTH - 1, 0))
}

/// Digs the hole, closes it and waits inside for the morning.
pub(crate) async fn sit_out(hands: &Hands, at: Pos) -> End {
    hands.with(|s| s.burrow_after = s.tick + TRY_AGAIN_TICKS);
    hand::close(hands).await?;
    let top = Goal::Near { at, range: 0.5 };
    if !went(travel::rush(hands, &top, Manner::Walk).await)? {
        return Ok(());
    }
    for down in 1..=DEPTH {
        let cell = at.plus(0, -down, 0);
        if !hands.with(|s| is_safe_to_sink(s, cell))
            || !matches!(hand::dig(hands, cell).await?, Dug::Broke(_))
            || !went(
                travel::rush(
                    hands,
                    &Goal::Near {
                        at: cell,
                        range: 0.5,
                    },
                    Manner::Walk,
                )
                .await,
            )?
        {
            return Ok(());
        }
    }
    if defence::close_in(hands).await? {
        wait_for_day(hands).await?;
    }
    go_out(hands, at).await
}

fn is_safe_to_sink(s: &Senses, cell: Pos) -> bool {
    let harm = |p: Pos| s.seen.nature(p).is_lava() || s.seen.nature(p).is_water();
    !Facing::FLAT.iter().any(|f| harm(cell.side(*f))) && !harm(cell.down())
}

async fn wait_for_day(hands: &Hands) -> End {
    for _ in 0..NIGHT_TICKS_MAX {
        let (is_day, is_hungry, is_hurt) = hands.with(|s| {
            let is_hungry = s.hunger <= HUNGRY && simple::best_food(s).is_some();
            (!NIGHT.contains(&s.time), is_hungry, s.in_water || s.in_lava)
        });
        if is_day || is_hurt {
            break;
        }
        if is_hungry {
            simple::eat(hands).await.or_else(simple::put_off)?;
        }
        hands.idle().await;
    }
    Ok(())
}

/// Up again, with what was dug on the way down.
async fn go_out(hands: &Hands, at: Pos) -> End {
    went(travel::rush(hands, &Goal::Above { y: at.y }, Manner::Burrow).await).map(|_| ())
}

fn went(end: End) -> Result<bool, ActionFailure> {
    match end {
        Ok(()) => Ok(true),
        Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => Ok(false),
        Err(failure) => Err(failure),
    }
}
