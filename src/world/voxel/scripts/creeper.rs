//! Creepers: away from one that hisses before it goes off.
//!
//! Invariant: bounded ticks; never over an edge as long as another heading is open, and never into lava or to where no floor
//! was seen.

use super::super::body::turn;
use super::super::controls::Controls;
use super::super::senses::{BodyHandle, Living, Senses};
use super::combat;
use crate::space::Pos;

/// Beyond this a creeper forgets to go off.
pub(super) const OUT_OF_BLAST: f64 = 7.5;
/// One does not run farther, or for longer, even if it has not forgotten.
const AWAY: f64 = 14.0;
const RUN_TICKS_MAX: u32 = 60;
/// A fall of so many blocks takes less than half the health.
const FALL_MAX: i32 = 8;
/// So many blocks ahead one looks for edges.
const AHEAD: [f64; 6] = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0];
/// So many of these places one needs to come to a stop.
const STOP: usize = 3;
/// The fuse burns for thirty ticks: after so many, within so many blocks, running is too late.
const LATE_TICKS: u32 = 18;
const IN_BLAST: f64 = 5.5;

/// Straight away from a creeper that hisses, or as straight as the ground allows, until it forgets; behind the shield
/// where that came too late.
pub(super) async fn run_off(body: &BodyHandle, creeper: Living) {
    for tick in 0..RUN_TICKS_MAX {
        let Some(keys) = body.with(|s| keys(s, creeper, tick >= LATE_TICKS)) else {
            return;
        };
        body.act(keys).await;
    }
}

/// Keys for one tick of running, or of standing behind the shield; none once it has forgotten: beyond the range it counts
/// down as it has counted up.
fn keys(s: &Senses, creeper: Living, is_late: bool) -> Option<Controls> {
    let now = s.mob(creeper.id)?;
    let (x, z) = (s.at.x - now.at.x, s.at.z - now.at.z);
    let away = (x * x + z * z).sqrt();
    if !now.is_lit || away > AWAY {
        return None;
    }
    if is_late && away < IN_BLAST && combat::has_shield(s) {
        let (yaw, pitch) = turn::look_at(s.eyes, now.at.plus(0.0, now.height * 0.5, 0.0));
        return Some(Controls {
            guard: true,
            yaw,
            pitch,
            ..Controls::default()
        });
    }
    let straight = turn::yaw_along(x, z);
    let heading = heading(s, straight);
    // With lava or edges all around the blast is the lesser evil.
    Some(Controls {
        forward: i8::from(heading.is_some()),
        sprint: heading.is_some(),
        jump: s.in_water,
        yaw: heading.unwrap_or(straight),
        ..Controls::default()
    })
}

/// The heading nearest to a wanted one that leads over known, open ground, or else one that leads over no edge to what was
/// not seen or does harm.
fn heading(s: &Senses, wanted: f32) -> Option<f32> {
    let is_clear = |yaw: &f32| {
        let (x, z) = turn::heading(*yaw);
        [1.0, 2.0].into_iter().all(|far| {
            let at = s.at.plus(x * far, 0.1, z * far).block();
            let nature = |p: Pos| s.seen.nature(p);
            let has_floor = nature(at.down()).is_floor() || nature(at.down().down()).is_floor();
            nature(at).is_open() && nature(at.up()).is_open() && has_floor
        })
    };
    let is_safe = |yaw: &f32, ahead: &[f64]| {
        let (x, z) = turn::heading(*yaw);
        let mut cells = ahead
            .iter()
            .map(|far| s.at.plus(x * far, 0.1, z * far).block());
        !cells.any(|at| may_kill(s, at))
    };
    let turns = [0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0];
    let headings = turns.map(|by| wanted + by);
    let first = |holds: &dyn Fn(&f32) -> bool| headings.into_iter().find(holds);
    first(&|yaw| is_clear(yaw) && is_safe(yaw, &AHEAD))
        // On to where the ground ends.
        .or_else(|| first(&|yaw| is_clear(yaw) && is_safe(yaw, &AHEAD[..STOP])))
        .or_else(|| first(&|yaw| is_safe(yaw, &AHEAD)))
}

/// True if who is there falls into lava, or farther than does little harm, as far as anybody has seen.
fn may_kill(s: &Senses, at: Pos) -> bool {
    let mut column = (0..=FALL_MAX).map(|down| s.seen.nature(at.plus(0, -down, 0)));
    let bottom = column.find(|nature| !nature.is_open() || nature.is_water());
    !bottom.is_some_and(|nature| nature.is_solid() || nature.is_water())
}
