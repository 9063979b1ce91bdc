//! Burrows: a hole three blocks deep with a lid, in which the body hides and waits.
//!
//! It waits for the day, if the work is in the open and the body too weak for the monsters of the
//! night; or for wounds to heal, once the attackers are left behind. Invariant: a hole is begun only
//! where floor and walls are not known to be open, and left as soon as its reason is gone.

use super::super::path::goal::PathGoal;
use super::super::primitives::handling::{self, Dug};
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Senses};
use super::combat;
use super::{End, defence, simple, sleep};
use crate::action::ActionFailure;
use crate::block::break_ticks;
use crate::observation::Pause;
use crate::space::{Facing, Pos};

/// From dusk, before the first of them come, until those that burn catch fire.
/// Ticks of the day.
const NIGHT: std::ops::Range<u32> = 12_900..23_700;
/// In the hole one waits until those that burn have burnt, ticks of the new day.
const BURNT: u32 = 20;
/// How deep the feet come to stand.
/// Three deep, so that a lid fits over the head.
const DEPTH: i32 = 3;
/// What takes longer to dig, in ticks, is left alone: rock by hand is half a night's work.
const SOFT_TICKS: u32 = 40;
/// A place for the hole is looked for within so many blocks, and so many levels up and down; where there is none, farther off.
const NEAR: (i32, i32) = (6, 1);
const FAR: (i32, i32) = (20, 5);
/// One at hand spoils the digging.
/// Blocks; digging takes longer than a monster needs for this way.
const PEACE: f64 = 8.0;
/// Who is weak hides from those seen within this.
const HUNTED: f64 = 32.0;
/// Ten seconds: the ground around does not change sooner.
const TRY_AGAIN_TICKS: u64 = 200;
/// A whole night.
const WAIT_TICKS_MAX: u32 = 11_000;
/// Who hits this hard, in this health, stays out.
const ARMED: f32 = 5.0;
const SOUND: f32 = 12.0;
/// The health that will do.
const RESTED: f32 = 16.0;

/// Where a hole should be dug now; here, if one is in it already.
pub(crate) fn wanted(s: &Senses) -> Option<Pos> {
    if !is_night_off(s) && !is_hunted(s) {
        return None;
    }
    // The hole that was begun, or left for a moment, is gone on with; a new one would lie deeper.
    if s.burrow.is_some_and(|at| is_inside(s, at)) {
        return s.burrow;
    }
    // With an enemy at hand, digging in means standing still beside it.
    let is_disturbed = || s.enemies().any(|enemy| enemy.at.distance(s.at) < PEACE);
    if !s.sky || s.tick < s.retry_after.burrow || !s.on_ground || s.in_water || is_disturbed() {
        return None;
    }
    place(s)
}

/// The feet are in the hole below this place, however deep it is yet.
fn is_inside(s: &Senses, at: Pos) -> bool {
    let feet = s.feet();
    (at.x, at.z) == (feet.x, feet.z) && (at.y - DEPTH..at.y).contains(&feet.y)
}

/// Night, and the work can wait; that of a hunter of monsters waits until it is fit for a fight, or for the morning,
/// when those that burn have burnt, with what they leave on the ground, and the others stand alone.
fn is_night_off(s: &Senses) -> bool {
    if !NIGHT.contains(&s.time) {
        return false;
    }
    let damage = || combat::best_weapon(s).map_or(1.0, |weapon| weapon.facts().attack_damage);
    let is_fit = || damage() >= ARMED && s.health >= SOUND;
    if s.monster.is_some() {
        return !is_fit();
    }
    // A bed beats fighting even for who is fit: it ends the night.
    s.is_roaming && (!is_fit() || sleep::has_bed(s))
}

/// The night is over, and what it brought may still stand around the hole.
fn is_dawn(s: &Senses) -> bool {
    (s.is_roaming || s.monster.is_some()) && (s.time >= NIGHT.end || s.time < BURNT)
}

/// Weak, and someone is about who would finish it, or will be, and rest helps.
fn is_hunted(s: &Senses) -> bool {
    let is_seen = || s.enemies().any(|enemy| enemy.at.distance(s.at) < HUNTED);
    combat::is_weak(s) && (is_seen() || NIGHT.contains(&s.time) && simple::can_heal(s))
}

/// Hides where that is possible, until wounds that heal have healed.
pub(crate) async fn rest(body: &BodyHandle) -> End {
    match body.with(|s| place(s).filter(|_| s.sky && s.on_ground && !s.in_water)) {
        Some(at) => hide(body, at).await,
        None => Ok(()),
    }
}

/// The nearest column that is whole down to where the feet come to stand, with no water or lava
/// at its sides.
fn place(s: &Senses) -> Option<Pos> {
    [NEAR, FAR]
        .into_iter()
        .find_map(|within| place_within(s, within))
}

fn place_within(s: &Senses, (near, levels): (i32, i32)) -> Option<Pos> {
    let feet = s.feet();
    let columns = (-near..=near).flat_map(|x| (-near..=near).map(move |z| (x, z)));
    let cells = columns.flat_map(|(x, z)| (-levels..=levels).map(move |y| feet.plus(x, y, z)));
    cells
        .filter(|at| is_whole(s, *at))
        // The nearest; of equals the first by position.
        .min_by_key(|at| (at.manhattan(feet), *at))
}

fn is_whole(s: &Senses, at: Pos) -> bool {
    let nature = |p: Pos| s.seen.nature(p);
    let is_room = nature(at).is_air() && nature(at.up()).is_air();
    let is_solid = |p: Pos| nature(p).is_solid() && !nature(p).falls();
    // What was not seen below the sod is ground, until it is dug at.
    // Unknown is checked again when it is dug at.
    let is_ground = |p: Pos| nature(p).is_unknown() || is_solid(p);
    is_room
        && is_solid(at.down())
        && (1..=DEPTH).all(|down| {
            let cell = at.plus(0, -down, 0);
            is_ground(cell) && Facing::FLAT.iter().all(|f| is_ground(cell.side(*f)))
        })
        && (1..=DEPTH).all(|down| is_soft(s, at.plus(0, -down, 0)))
        && is_ground(at.plus(0, -DEPTH - 1, 0))
}

/// Soon dug with what is carried, as far as is known.
fn is_soft(s: &Senses, at: Pos) -> bool {
    let ticks = |block| break_ticks(block, s.tool_for(block), false, true);
    let known = s.seen.block(at);
    known.is_none_or(|block| {
        ticks(block).is_some_and(|ticks| s.break_speed.break_ticks(ticks) <= SOFT_TICKS)
    })
}

/// Digs the hole, closes it and waits inside.
pub(crate) async fn hide(body: &BodyHandle, at: Pos) -> End {
    handling::close(body).await?;
    if body.with(|s| is_night_off(s) && s.monster.is_none() && sleep::has_bed(s)) {
        // Sleeping may have ended the night.
        sleep::through_the_night(body).await?;
        if !body.with(|s| is_night_off(s)) {
            return Ok(());
        }
    }
    if body.with(|s| s.sky) {
        // Set before digging, so that a failure is not repeated at once, and a hole that is left
        // half dug is known.
        body.with(|s| (s.retry_after.burrow, s.burrow) = (s.tick + TRY_AGAIN_TICKS, Some(at)));
        let what_for = body.with(|s| what_for(s));
        if !body.pause_during(what_for, dig_in(body, at)).await? {
            body.with(|s| s.burrow = None);
            return Ok(());
        }
    }
    if defence::close_in(body).await? {
        wait(body).await?;
    }
    body.with(|s| s.burrow = None);
    travel::went(travel::rush(body, &PathGoal::Above { y: at.y }, TravelMode::Burrow).await)
        .map(|_| ())
}

async fn dig_in(body: &BodyHandle, at: Pos) -> Result<bool, ActionFailure> {
    let top = PathGoal::Near { at, range: 0.5 };
    let is_begun = body.with(|s| is_inside(s, at));
    if !is_begun && !travel::went(travel::rush(body, &top, TravelMode::Walk).await)? {
        return Ok(false);
    }
    for down in 1..=DEPTH {
        let cell = at.plus(0, -down, 0);
        if body.with(|s| s.feet().y <= cell.y) {
            continue;
        }
        let into = PathGoal::Near {
            at: cell,
            range: 0.5,
        };
        // Asked again at each block: now its sides can be seen.
        if !body.with(|s| is_soft(s, cell) && is_safe_to_sink(s, cell))
            || !matches!(handling::dig(body, cell).await?, Dug::Broke(_))
            || !travel::went(travel::rush(body, &into, TravelMode::Walk).await)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_safe_to_sink(s: &Senses, cell: Pos) -> bool {
    let harm = |p: Pos| s.seen.nature(p).is_lava() || s.seen.nature(p).is_water();
    !Facing::FLAT.iter().any(|f| harm(cell.side(*f))) && !harm(cell.down())
}

fn is_night(s: &Senses) -> bool {
    is_night_off(s) || is_dawn(s)
}

/// What one hides for, said from the first block that is dug.
fn what_for(s: &Senses) -> Pause {
    if is_night(s) {
        Pause::Night
    } else {
        Pause::Wounds
    }
}

/// Until the night is over and what heals by itself is healed.
async fn wait(body: &BodyHandle) -> End {
    for _ in 0..WAIT_TICKS_MAX {
        let (is_over, is_hungry, what_for) = body.with(|s| {
            let has_food = simple::best_food(s).is_some();
            let heals = s.health < RESTED && simple::can_heal(s);
            let is_driven_out = s.in_water || s.in_lava;
            let is_over = is_driven_out || (!is_night(s) && !heals);
            // Only if there is food.
            (is_over, s.hunger < simple::HEALS && has_food, what_for(s))
        });
        if is_over {
            break;
        }
        if is_hungry {
            simple::eat(body).await.or_else(simple::put_off)?;
        }
        body.pause(what_for).await;
    }
    Ok(())
}
