//! Running: straight over ground that was seen, up and down single steps, without stopping in the middle of each cell.
//!
//! It takes as many steps of a path together as lie before the body with nothing in between, and leaps where there is
//! room and food to spare, which is quicker. Invariant: every cell that the body touches was seen, is open and has a floor
//! no more than a step higher or lower, and nothing harmful is near; every loop has a tick limit.

use super::super::body::turn;
use super::super::controls::Controls;
use super::super::path::{MoveKind, PathStep};
use super::super::senses::{BodyHandle, Senses};
use super::follow::{Halt, may_run};
use crate::block as blocks;
use crate::space::{Point, Pos};

/// Steps that are taken together at most: between two runs one looks after the body.
const STEPS_MAX: usize = 10;
/// Half the width of a body, and a little.
const HALF: f64 = 0.32;
/// Blocks between two places of the way that are looked at.
const SOUNDING: f64 = 0.2;
/// Who runs over an edge, or jumps up a step, comes down and to rest within so many blocks.
const LANDING: f64 = 3.0;
/// So far ahead a step up is jumped at.
const JUMP_AT: f64 = 0.9;
/// A leap is begun with so many blocks to go, and with more food than this: it costs half as much again as running.
const LEAP: f64 = 6.0;
const LEAP_HUNGER: f32 = 12.0;
/// Closer to the middle of the last cell than this is there: if the way goes on, and if it ends or turns.
const THERE: f64 = 0.45;
const THERE_AT_END: f64 = 0.25;
/// From so near one walks if the way ends or turns.
const SLOW: f64 = 1.0;
/// Ticks for each block, and for setting out.
const TICKS_PER_BLOCK: f64 = 6.0;
const TICKS_MORE: u32 = 12;

/// Steps that are taken in one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) steps: usize,
    /// Of its ground.
    lowest: i32,
    highest: i32,
    /// There is room over the head to leap, and no bed of a field that leaps would spoil.
    has_room: bool,
}

/// How many of the steps can be taken in one run; none if it is fewer than two.
pub(super) fn stretch(s: &Senses, steps: &[PathStep]) -> Option<Stretch> {
    let walked = steps.iter().take(STEPS_MAX).take_while(|step| is_run(step));
    let count = walked.count();
    // In caves lava may come into sight at every step.
    if count < 2 || !s.sky || !s.on_ground || s.in_water {
        return None;
    }
    let feet = s.feet();
    let far = STEPS_MAX as i32 + 1;
    let heights = || steps[..count].iter().map(|step| step.to.y);
    let lowest = heights().fold(feet.y, i32::min);
    let highest = heights().fold(feet.y, i32::max);
    let low = Pos::new(feet.x - far, lowest - 1, feet.z - far);
    let high = Pos::new(feet.x + far, highest + 1, feet.z + far);
    if s.seen.may_harm(low, high) {
        return None;
    }
    let mut best = None;
    for (n, step) in steps[..count].iter().enumerate().skip(1) {
        let Some((has_room, run_out)) = look_along(s, step.to) else {
            break;
        };
        // Not with a fall or a jump at its end: nobody looked at what is behind it.
        if run_out >= LANDING {
            best = Some(Stretch {
                steps: n + 1,
                lowest,
                highest,
                has_room,
            });
        }
    }
    best
}

fn is_run(step: &PathStep) -> bool {
    let climb = step.to.y - step.from.y;
    match step.way {
        MoveKind::Walk | MoveKind::Diagonal => climb == 0,
        MoveKind::Rise => climb == 1,
        MoveKind::Drop => climb == -1,
        _ => false,
    }
}

/// What a straight way shows: whether one may leap there, and how far from the end the last step up or down is. None if the
/// body cannot go there in a straight line on a floor.
fn look_along(s: &Senses, to: Pos) -> Option<(bool, f64)> {
    let (from, end) = (s.at, to.floor());
    let far = from.distance_flat(end);
    let count = (far / SOUNDING).ceil().max(1.0) as u32;
    let mut y = s.feet().y;
    let (mut has_room, mut run_out) = (true, f64::INFINITY);
    for n in 1..=count {
        let share = f64::from(n) / f64::from(count);
        let at = along(from, end, share);
        let (low, high) = ground_under(s, at, y)?;
        if high - low > 1 {
            return None;
        }
        if high != y {
            run_out = far * (1.0 - share);
        }
        y = high;
        let feet = Pos::new(at.block().x, y, at.block().z);
        has_room &= s.seen.nature(feet.up().up()).is_air()
            && s.seen.block(feet.down()) != Some(blocks::FARMLAND);
    }
    (y == to.y).then_some((has_room, run_out))
}

/// This share of the way to a place, at the height of its beginning.
fn along(from: Point, to: Point, share: f64) -> Point {
    from.plus((to.x - from.x) * share, 0.0, (to.z - from.z) * share)
}

/// The lowest and the highest ground under the body there, for one who comes from this height.
fn ground_under(s: &Senses, at: Point, y: i32) -> Option<(i32, i32)> {
    let mut bounds = (i32::MAX, i32::MIN);
    for (x, z) in [(-HALF, -HALF), (-HALF, HALF), (HALF, -HALF), (HALF, HALF)] {
        let cell = at.plus(x, 0.0, z).block();
        let ground = ground(s, Pos::new(cell.x, y, cell.z))?;
        bounds = (bounds.0.min(ground), bounds.1.max(ground));
    }
    Some(bounds)
}

/// The height at which one stands in this column, at most a step from this one.
fn ground(s: &Senses, at: Pos) -> Option<i32> {
    let nature = |p: Pos| s.seen.nature(p);
    let is_dry = |p: Pos| nature(p).is_open() && !nature(p).is_water();
    if !is_dry(at.up()) {
        return None;
    }
    if !is_dry(at) {
        // A jump lifts the head too.
        return (nature(at).is_floor() && is_dry(at.plus(0, 2, 0))).then_some(at.y + 1);
    }
    if nature(at.down()).is_floor() {
        return Some(at.y);
    }
    let below = at.down();
    (is_dry(below) && nature(below.down()).is_floor()).then_some(below.y)
}

/// Runs to the end of a step; `goes_on`: another step follows.
pub(super) async fn run(
    body: &BodyHandle,
    stretch: Stretch,
    end: &PathStep,
    goes_on: bool,
) -> Result<(), Halt> {
    let goal = end.to.floor();
    let far = body.with(|s| s.at.distance_flat(goal));
    // A jump lifts the feet by a block.
    let heights = stretch.lowest..=stretch.highest + 1;
    let close = if goes_on { THERE } else { THERE_AT_END };
    let mut is_there = false;
    for _ in 0..(far * TICKS_PER_BLOCK) as u32 + TICKS_MORE {
        let gap = body.with(|s| s.at.distance_flat(goal));
        // Who comes down from a leap behind it does not go back.
        is_there |= gap < close;
        if is_there && body.with(|s| s.on_ground) {
            return Ok(());
        }
        let keys = body.with(|s| Controls {
            forward: i8::from(!is_there),
            yaw: turn::yaw_along(goal.x - s.at.x, goal.z - s.at.z),
            jump: s.on_ground && (rises_ahead(s, goal, gap) || leaps(s, stretch, gap)),
            sprint: (goes_on || gap > SLOW) && may_run(s),
            ..Controls::default()
        });
        body.act(keys).await;
        if body.with(|s| s.in_lava || s.in_water || !heights.contains(&s.feet().y)) {
            return Err(Halt::Changed);
        }
    }
    Err(Halt::Stuck)
}

/// The ground is a step higher before the body.
fn rises_ahead(s: &Senses, goal: Point, gap: f64) -> bool {
    let y = s.feet().y;
    [JUMP_AT / 3.0, JUMP_AT * 2.0 / 3.0, JUMP_AT]
        .into_iter()
        .filter(|ahead| *ahead <= gap)
        .any(|ahead| {
            let at = along(s.at, goal, ahead / gap);
            ground_under(s, at, y).is_some_and(|(_, high)| high > y)
        })
}

fn leaps(s: &Senses, stretch: Stretch, gap: f64) -> bool {
    stretch.has_room && gap >= LEAP && s.hunger > LEAP_HUNGER
}
