//! Walking straight: on towards a place although no way there is known, as far as the ground may be trod.
//!
//! It looks two blocks ahead and leads around what stands there, so the eyes come to see the land that
//! the search for a way did not know. Invariant: bounded ticks; never into what is unknown or harmful, over
//! a high edge, or from land into water.

use super::super::body::turn;
use super::super::controls::Controls;
use super::super::senses::{BodyHandle, Senses};
use crate::space::{Point, Pos};

/// Ticks of one such walk, about ten blocks.
const TICKS_MAX: u32 = 50;
/// So far one should have come in so many ticks.
const MARK_TICKS: u32 = 10;
const MARK_GAIN: f64 = 0.7;
/// Turned aside by at most so much, in degrees, and in this order.
const TURNS: [f32; 7] = [0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0];
/// Blocks ahead that are looked at.
const STEPS: [f64; 3] = [0.5, 1.0, 1.6];
/// Blocks down that do no harm.
const DROP_MAX: i32 = 3;
/// Blocks from the start that count as having got on, and blocks to the place that count as there.
const GOT_ON: f64 = 1.5;
const THERE: f64 = 1.5;

/// Walks towards a place without a known way; true if the body got on.
pub(crate) async fn walk_straight(body: &BodyHandle, to: Pos) -> bool {
    let from = body.with(|s| s.at);
    let mut mark = from;
    for tick in 1..=TICKS_MAX {
        if tick % MARK_TICKS == 0 {
            // To and fro between two headings leads nowhere.
            let now = body.with(|s| s.at);
            if now.distance_flat(mark) < MARK_GAIN {
                break;
            }
            mark = now;
        }
        let Some(keys) = body.with(|s| keys_ahead(s, to.floor(), THERE)) else {
            break;
        };
        body.act(keys).await;
    }
    body.with(|s| s.at.distance_flat(from)) >= GOT_ON
}

/// Keys for one tick; none where no heading may be trod, or within `there` blocks of the end.
pub(crate) fn keys_ahead(s: &Senses, to: Point, there: f64) -> Option<Controls> {
    let (dx, dz) = (to.x - s.at.x, to.z - s.at.z);
    if dx * dx + dz * dz < there * there {
        return None;
    }
    let wanted = turn::yaw_along(dx, dz);
    let mut headings = TURNS.into_iter().map(|by| wanted + by);
    let yaw = headings.find(|yaw| may_tread(s, *yaw))?;
    let (x, z) = turn::heading(yaw);
    let ahead = s.at.plus(x * STEPS[1], 0.1, z * STEPS[1]).block();
    let is_step = !s.seen.nature(ahead).is_open();
    Some(Controls {
        forward: 1,
        yaw,
        jump: s.in_water || (is_step && s.on_ground),
        ..Controls::default()
    })
}

/// Every cell ahead is known, open or one step up, and has ground not too far below.
fn may_tread(s: &Senses, yaw: f32) -> bool {
    let (x, z) = turn::heading(yaw);
    let nature = |p: Pos| s.seen.nature(p);
    let is_room = |p: Pos| nature(p).is_open() && nature(p.up()).is_open();
    let feet = s.feet();
    STEPS.into_iter().all(|far| {
        let at = s.at.plus(x * far, 0.1, z * far).block();
        let at = Pos::new(at.x, feet.y, at.z);
        if !is_room(at) {
            return nature(at).is_floor() && is_room(at.up()) && nature(feet.up().up()).is_open();
        }
        let mut column = (1..=DROP_MAX + 1).map(|down| nature(at.plus(0, -down, 0)));
        let ground = column.find(|below| !below.is_air());
        let bears =
            ground.is_some_and(|below| below.is_floor() || (below.is_water() && s.in_water));
        bears || (s.in_water && nature(at).is_water())
    })
}
