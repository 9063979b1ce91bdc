//! Running: straight over level ground that was seen, without stopping in the middle of each cell.
//!
//! It takes as many steps of a path together as lie before the body with nothing in between. Invariant: every cell that
//! the body touches was seen, is open and has a floor, and nothing harmful is near; every loop has a tick limit.

use super::super::body::turn;
use super::super::controls::Controls;
use super::super::path::{MoveKind, PathStep};
use super::super::senses::{BodyHandle, Senses};
use super::follow::{Halt, may_run};
use crate::space::{Point, Pos};

/// Steps that are taken together at most: between two runs one looks after the body.
const STEPS_MAX: usize = 6;
/// Half the width of a body, and a little.
const HALF: f64 = 0.32;
/// Blocks between two places of the way that are looked at.
const SOUNDING: f64 = 0.2;
/// Closer to the middle of the last cell than this is there: if the way goes on, and if it ends or turns.
const THERE: f64 = 0.45;
const THERE_AT_END: f64 = 0.25;
/// From so near one walks if the way ends or turns.
const SLOW: f64 = 1.0;
/// Ticks for each block, and for setting out.
const TICKS_PER_BLOCK: f64 = 6.0;
const TICKS_MORE: u32 = 12;

/// How many of the steps can be taken in one run; none if it is fewer than two.
pub(super) fn stretch(s: &Senses, steps: &[PathStep]) -> Option<usize> {
    let level = steps.iter().take(STEPS_MAX).take_while(|step| {
        matches!(step.way, MoveKind::Walk | MoveKind::Diagonal) && step.to.y == step.from.y
    });
    let count = level.count();
    // In caves lava may come into sight at every step.
    if count < 2 || !s.sky || !s.on_ground || s.in_water {
        return None;
    }
    let feet = s.feet();
    let far = STEPS_MAX as i32 + 1;
    if s.seen
        .may_harm(feet.plus(-far, -1, -far), feet.plus(far, 1, far))
    {
        return None;
    }
    let mut free = 1;
    while free < count && is_free(s, steps[free].to) {
        free += 1;
    }
    (free > 1).then_some(free)
}

/// The body can go there in a straight line, on a floor all the way.
fn is_free(s: &Senses, to: Pos) -> bool {
    let (from, end) = (s.at, to.floor());
    let (dx, dz) = (end.x - from.x, end.z - from.z);
    let count = ((dx * dx + dz * dz).sqrt() / SOUNDING).ceil().max(1.0);
    let nature = |p: Pos| s.seen.nature(p);
    let is_dry = |p: Pos| nature(p).is_open() && !nature(p).is_water();
    let bears = |p: Pos| is_dry(p) && is_dry(p.up()) && nature(p.down()).is_floor();
    let mut last = [None; 4];
    (1..=count as u32).all(|n| {
        let share = f64::from(n) / count;
        let at = Point::new(from.x + dx * share, from.y, from.z + dz * share);
        let corners = [(-HALF, -HALF), (-HALF, HALF), (HALF, -HALF), (HALF, HALF)];
        let mut cells = last.iter_mut().zip(corners);
        cells.all(|(last, (x, z))| {
            let cell = at.plus(x, 0.0, z).block();
            let cell = Pos::new(cell.x, to.y, cell.z);
            *last == Some(cell) || {
                *last = Some(cell);
                bears(cell)
            }
        })
    })
}

/// Runs to the end of a step; `goes_on`: another step follows.
pub(super) async fn run(body: &BodyHandle, end: &PathStep, goes_on: bool) -> Result<(), Halt> {
    let goal = end.to.floor();
    let far = body.with(|s| s.at.distance_flat(goal));
    let close = if goes_on { THERE } else { THERE_AT_END };
    for _ in 0..(far * TICKS_PER_BLOCK) as u32 + TICKS_MORE {
        let gap = body.with(|s| s.at.distance_flat(goal));
        if gap < close {
            return Ok(());
        }
        let keys = body.with(|s| Controls {
            forward: 1,
            yaw: turn::yaw_along(goal.x - s.at.x, goal.z - s.at.z),
            sprint: (goes_on || gap > SLOW) && may_run(s),
            ..Controls::default()
        });
        body.act(keys).await;
        if body.with(|s| s.in_lava || s.in_water || s.feet().y != end.to.y) {
            return Err(Halt::Changed);
        }
    }
    Err(Halt::Stuck)
}
