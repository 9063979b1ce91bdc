//! Fighting from a pillar: two blocks up, where what comes on foot does not strike and is struck.
//!
//! Invariant: nobody climbs while something in sight shoots, goes off or climbs too. The blocks are taken along again, unless
//! such a one comes up meanwhile.

use super::super::body::{blow, turn};
use super::super::controls::{AimTarget, ControlOutcome, Controls};
use super::super::senses::{BodyHandle, Living, Senses};
use super::combat;
use super::fight::take_weapon;
use super::scaffold::Scaffold;
use crate::action::ActionFailure;
use crate::mob::MobKind;
use crate::space::Pos;

/// Blocks: from one level more no hand reaches down, from one less theirs reach up.
const HEIGHT: i32 = 2;
/// Cells above the feet that are open, for the head at the top of the last jump.
const ROOM: i32 = 5;
/// Nearer it strikes before one is up, farther off it may not come at all.
const CLIMB_FROM: f64 = 4.4;
const CLIMB_TO: f64 = 9.0;
/// Others within this are reckoned with.
const IN_SIGHT: f64 = 16.0;
/// What is below within this may come.
const BELOW: f64 = 9.0;
/// Ticks up there, and those without a blow that lands before one comes down.
const TICKS_MAX: u32 = 900;
const QUIET_TICKS: u32 = 60;
/// So far from the middle of the block one stands on it well; ticks to get there.
const MIDDLE: f64 = 0.2;
const BACK_TICKS: u32 = 12;

/// A pillar helps against this one, and there is time, room and rubble for it.
pub(super) fn is_worth(s: &Senses, foe: Living) -> bool {
    let gap = foe.at.distance_flat(s.at);
    let feet = s.feet();
    let has_room = || (HEIGHT..ROOM).all(|up| s.seen.nature(feet.plus(0, up, 0)).is_air());
    comes_on_foot(foe)
        && (CLIMB_FROM..CLIMB_TO).contains(&gap)
        && s.on_ground
        && !s.in_water
        && s.filler_count() >= HEIGHT as u32
        && s.seen.nature(feet.down()).is_solid()
        && !is_spoilt(s)
        && has_room()
}

/// It strikes with its hands and cannot climb.
fn comes_on_foot(foe: Living) -> bool {
    matches!(foe.kind, MobKind::Zombie | MobKind::Husk | MobKind::Drowned)
}

/// Something is in sight that a pillar is no help against.
fn is_spoilt(s: &Senses) -> bool {
    s.is_shot_at
        || s.enemies()
            .any(|enemy| !comes_on_foot(enemy) && enemy.at.distance(s.at) < IN_SIGHT)
}

/// Climbs, strikes down at what comes, and comes down when nothing does any more; true if a blow has landed.
pub(super) async fn fight(body: &BodyHandle) -> Result<bool, ActionFailure> {
    take_weapon(body).await?;
    let top = body.with(|s| s.feet()).plus(0, HEIGHT, 0);
    let mut pillar = Scaffold::default();
    let mut struck = false;
    if pillar.climb(body, HEIGHT).await? {
        struck = strike_down(body, top).await?;
        step_back(body, top).await;
    }
    if !body.with(|s| is_spoilt(s)) {
        pillar.come_down(body).await?;
    }
    Ok(struck)
}

/// Strikes at what is below, leaning over the edge where that keeps a blow off.
async fn strike_down(body: &BodyHandle, top: Pos) -> Result<bool, ActionFailure> {
    let health = body.with(|s| s.health);
    let (mut struck, mut is_screened, mut quiet) = (false, false, 0);
    for _ in 0..TICKS_MAX {
        let is_over = body.with(|s| {
            let is_up = s.at.y > f64::from(top.y) - 0.5;
            !is_up || s.health < health - 2.0 || is_spoilt(s)
        });
        if is_over || quiet > QUIET_TICKS {
            break;
        }
        take_weapon(body).await?;
        let keys = body.with(|s| stance(s, is_screened));
        let is_blow = keys.attack;
        let outcome = body.act(keys).await;
        quiet += 1;
        if is_blow {
            let has_landed = matches!(outcome, ControlOutcome::Struck(_));
            is_screened = !has_landed;
            struck |= has_landed;
            quiet = if has_landed { 0 } else { quiet };
        }
    }
    Ok(struck)
}

/// Keys for one tick up there: never off the edge.
fn stance(s: &Senses, is_screened: bool) -> Controls {
    let mut below = s.enemies().filter(|foe| foe.at.distance(s.at) < BELOW);
    let Some(foe) = below.next() else {
        return Controls {
            sneak: true,
            ..Controls::default()
        };
    };
    let (yaw, pitch) = turn::look_at(s.eyes, foe.at.plus(0.0, foe.height * 0.8, 0.0));
    let is_ready = s.since_blow >= blow::blow_ticks(s.held);
    let reaches = combat::reaches(s, foe);
    Controls {
        yaw,
        pitch,
        sneak: true,
        forward: i8::from(is_screened || !reaches),
        attack: is_ready && reaches,
        aim: Some(AimTarget::Mob(foe.id)),
        ..Controls::default()
    }
}

/// From the edge back to the middle of the block.
async fn step_back(body: &BodyHandle, top: Pos) {
    for _ in 0..BACK_TICKS {
        let keys = body.with(|s| {
            let goal = top.floor();
            let is_off = s.at.distance_flat(goal) > MIDDLE;
            is_off.then(|| Controls {
                sneak: true,
                forward: 1,
                yaw: turn::yaw_along(goal.x - s.at.x, goal.z - s.at.z),
                ..Controls::default()
            })
        });
        let Some(keys) = keys else { break };
        body.act(keys).await;
    }
}
