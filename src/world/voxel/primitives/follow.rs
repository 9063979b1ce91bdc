//! Following: one step of a path at a time, tick by tick, with the keys of a player.
//!
//! It trusts the path only as far as it is seen to hold: an unforeseen drop, lava or a wall ends
//! the walk with `Halt`, and the caller plans anew. Invariant: every loop has a tick limit.

use super::super::body::sight::is_handy;
use super::super::body::turn;
use super::super::controls::{ControlOutcome, Controls, HandAction};
use super::super::path::{MoveKind, PathStep};
use super::super::senses::{BodyHandle, Senses};
use super::handling::{self, Dug};
use super::looking;
use crate::action::ActionFailure;
use crate::space::{Facing, Pos};

/// Ticks one step may take beyond digging.
const STEP_TICKS_MAX: u32 = 50;
/// A fall and a dive take longer, per block.
const FALL_TICKS: u32 = 12;
/// Blocks that may slide into one cell while it is dug.
const SLIDES_MAX: u32 = 24;
/// Ticks to wait for a look at what was dug free.
const LOOK_TICKS: u32 = 4;
/// Ticks in which sand and gravel comes down and that is seen.
const SETTLE_TICKS: u32 = 6;
/// How far out of the middle one leans over an edge, to dig and to look straight down, and ticks for it.
const LEAN: f64 = 0.25;
const LEAN_OUT: f64 = 0.4;
const LEAN_TICKS: u32 = 10;
/// Ticks to come to rest, and how far one still moves in a tick then.
const REST_TICKS: u32 = 6;
const AT_REST: f64 = 0.03;
/// Closer to the middle than this counts as there, before a turn and on a straight way.
const CLOSE: f64 = 0.2;
const CLOSE_STRAIGHT: f64 = 0.48;
/// How far above the bottom of its cell a swimmer may float.
const FLOATS: f64 = 0.5;
/// Food above which running is worth its hunger.
const SPRINT_HUNGER: f32 = 8.0;

/// Why a step was not made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Halt {
    /// The way is not as it was planned.
    Changed,
    /// Pressed on and did not move.
    Stuck,
    Failed(ActionFailure),
}

impl From<ActionFailure> for Halt {
    fn from(failure: ActionFailure) -> Self {
        Self::Failed(failure)
    }
}

/// Makes one step; `next` decides how exactly it has to end and whether to run.
pub(crate) async fn step(
    body: &BodyHandle,
    step: &PathStep,
    next: Option<&PathStep>,
) -> Result<(), Halt> {
    let has_dug = clear(body, step).await?;
    match step.way {
        MoveKind::Pillar => {
            if has_dug {
                look_up(body, step).await?;
            }
            pillar(body, step).await
        }
        MoveKind::Bridge => {
            bridge(body, step).await?;
            walk(body, step, next).await
        }
        MoveKind::Walk
        | MoveKind::Diagonal
        | MoveKind::Rise
        | MoveKind::Drop
        | MoveKind::Sink
        | MoveKind::Swim => {
            body.with(|s| is_safe(s, step))
                .await_look(body, step)
                .await?;
            if has_dug {
                let_settle(body, step).await?;
            }
            walk(body, step, next).await
        }
    }
}

/// What the eyes say of the end of a step.
enum Footing {
    Good,
    Bad,
    Unseen,
}

impl Footing {
    /// What was just dug free is looked at in the next ticks.
    async fn await_look(self, body: &BodyHandle, step: &PathStep) -> Result<(), Halt> {
        let mut footing = self;
        for _ in 0..LOOK_TICKS {
            match footing {
                Self::Good => return Ok(()),
                Self::Bad => return Err(Halt::Changed),
                Self::Unseen => body.idle().await,
            }
            footing = body.with(|s| is_safe(s, step));
        }
        Err(Halt::Changed)
    }
}

/// Before one jumps into what was dug over the head: lava may hang above it, and takes a moment to come down.
async fn look_up(body: &BodyHandle, step: &PathStep) -> Result<(), Halt> {
    body.idle().await;
    if body.with(|s| comes_to_lava(s, step)) {
        return Err(Halt::Changed);
    }
    Ok(())
}

fn comes_to_lava(s: &Senses, step: &PathStep) -> bool {
    let is_lava = |at: Pos| s.seen.nature(at).is_lava();
    step.comes_to_lava(|at| Facing::ALL.iter().any(|side| is_lava(at.side(*side))))
}

fn is_safe(s: &mut Senses, step: &PathStep) -> Footing {
    let (to, floor) = (s.seen.nature(step.to), s.seen.nature(step.to.down()));
    if comes_to_lava(s, step) || !to.is_open() {
        return Footing::Bad;
    }
    if to.is_water() || floor.is_floor() || floor.is_water() {
        return Footing::Good;
    }
    if floor.is_unknown() {
        Footing::Unseen
    } else {
        Footing::Bad
    }
}

/// Sand and gravel that was dug at falls in the next moment or stays: one does not step onto it before.
async fn let_settle(body: &BodyHandle, step: &PathStep) -> Result<(), Halt> {
    if !body.with(|s| s.seen.nature(step.to.down()).falls()) {
        return Ok(());
    }
    for _ in 0..SETTLE_TICKS {
        let keys = Controls {
            sneak: true,
            ..Controls::default()
        };
        body.act(keys).await;
    }
    let footing = body.with(|s| is_safe(s, step));
    footing.await_look(body, step).await
}

/// Digs the cells of the step free; true if there was anything to dig.
async fn clear(body: &BodyHandle, step: &PathStep) -> Result<bool, Halt> {
    let mut has_dug = false;
    for cell in step.cells() {
        if cell.y < step.from.y - 1 {
            lean(body, step, LEAN).await;
        }
        for _ in 0..SLIDES_MAX {
            let (nature, is_open) =
                body.with(|s| (s.seen.nature(cell), s.seen.nature(cell).is_open()));
            if is_open {
                break;
            }
            if nature.is_unknown() {
                // Feet and hands know what they touch; what is still unknown is out of reach.
                return Err(Halt::Changed);
            }
            let borders_lava = body.with(|s| {
                Facing::ALL
                    .iter()
                    .any(|f| s.seen.nature(cell.side(*f)).is_lava())
            });
            if borders_lava || nature.is_lava() {
                return Err(Halt::Changed);
            }
            match handling::dig(body, cell).await? {
                Dug::Broke(_) | Dug::Gone => handling::let_slide(body, cell).await,
                Dug::OutOfReach => clear_view(body, cell).await?,
            }
            has_dug = true;
        }
    }
    Ok(has_dug)
}

/// Steps up to the edge, without falling off: only from there one sees down into a hole.
async fn lean(body: &BodyHandle, step: &PathStep, far: f64) {
    sneak(body, step, 1, &|out| out < far).await;
}

/// Back from the edge, to where one does not slip off it.
async fn lean_back(body: &BodyHandle, step: &PathStep) {
    sneak(body, step, -1, &|out| out > LEAN).await;
}

/// Sneaks to or fro along a step, looking its way, as long as one is so far out of the middle.
async fn sneak(
    body: &BodyHandle,
    step: &PathStep,
    forward: i8,
    goes_on: &(dyn Fn(f64) -> bool + Send + Sync),
) {
    for _ in 0..LEAN_TICKS {
        let keys = body.with(|s| {
            let (from, to) = (step.from.floor(), step.to.floor());
            let (dx, dz) = (to.x - from.x, to.z - from.z);
            let out = (s.at.x - from.x) * dx + (s.at.z - from.z) * dz;
            goes_on(out).then(|| Controls {
                forward,
                sneak: true,
                yaw: turn::yaw_along(dx, dz),
                ..Controls::default()
            })
        });
        let Some(keys) = keys else { return };
        body.act(keys).await;
    }
}

/// Steps up to the edge of a step that nobody has seen the end of, and looks over it.
pub(crate) async fn look_over(body: &BodyHandle, step: &PathStep) {
    lean(body, step, LEAN).await;
    looking::look_at_feet(body, yaw_of(step)).await;
}

/// Leans out over a hole, looks straight down and steps back.
pub(crate) async fn look_into(body: &BodyHandle, step: &PathStep) {
    lean(body, step, LEAN_OUT).await;
    looking::look_straight_down(body, yaw_of(step)).await;
    lean_back(body, step).await;
}

fn yaw_of(step: &PathStep) -> f32 {
    let (dx, dz) = heading(step);
    turn::yaw_along(f64::from(dx), f64::from(dz))
}

/// Breaks the plant that the head is in: one can stand in reeds, and the hand meets them first.
async fn clear_view(body: &BodyHandle, cell: Pos) -> Result<(), Halt> {
    let before = body.with(|s| {
        let own = s.eyes.block();
        let stands_in = s.seen.block(own).filter(|block| is_handy(*block));
        stands_in.map(|_| own).filter(|own| *own != cell)
    });
    let Some(obstacle) = before else {
        return Err(Halt::Changed);
    };
    match handling::dig(body, obstacle).await? {
        Dug::Broke(_) => Ok(()),
        Dug::Gone | Dug::OutOfReach => Err(Halt::Changed),
    }
}

/// Walks, jumps, falls or swims to the middle of the step's end.
async fn walk(body: &BodyHandle, step: &PathStep, next: Option<&PathStep>) -> Result<(), Halt> {
    // Who flees runs askew too; who travels would see less of the land.
    let flees = body.with(|s| s.is_minding);
    let goes_on = next.is_some_and(|n| {
        let is_level =
            |way: MoveKind| way == MoveKind::Walk || (flees && way == MoveKind::Diagonal);
        is_level(n.way) && heading(n) == heading(step) && is_level(step.way)
    });
    let close = if goes_on { CLOSE_STRAIGHT } else { CLOSE };
    let fall = (step.from.y - step.to.y).max(0) as u32;
    for _ in 0..STEP_TICKS_MAX + fall * FALL_TICKS {
        let keys = body.with(|s| {
            let gap = s.at.distance_flat(step.to.floor());
            let has_hold = s.on_ground || s.in_water;
            let is_there = s.feet() == step.to && gap < close && has_hold;
            (!is_there).then(|| keys_towards(s, step, gap, goes_on))
        });
        let Some(keys) = keys else { return Ok(()) };
        body.act(keys).await;
        let is_off = body.with(|s| {
            let feet = s.feet();
            // Once over the edge there is no way back; before it, one looks where one will land.
            let is_falling = step.way == MoveKind::Drop && s.feet() != step.from;
            let is_gone = !is_falling && s.feet() != step.to && !has_footing(s, step.to);
            s.in_lava
                || is_gone
                || (feet.x - step.to.x).abs() > 2
                || (feet.z - step.to.z).abs() > 2
                || feet.y < step.to.y - 1
        });
        if is_off {
            return Err(Halt::Changed);
        }
    }
    Err(Halt::Stuck)
}

/// Something to stand or swim on is still there.
fn has_footing(s: &Senses, at: Pos) -> bool {
    let floor = s.seen.nature(at.down());
    s.seen.nature(at).is_water() || floor.is_floor() || floor.is_water()
}

fn heading(step: &PathStep) -> (i32, i32) {
    (step.to.x - step.from.x, step.to.z - step.from.z)
}

fn keys_towards(s: &Senses, step: &PathStep, gap: f64, goes_on: bool) -> Controls {
    let goal = step.to.floor();
    let (dx, dz) = (goal.x - s.at.x, goal.z - s.at.z);
    let must_rise = goal.y > s.at.y + 0.1;
    // Walking against the wall before the jump is high enough costs nothing: one slides up it.
    let forward = i8::from(gap > 0.08);
    // Under a low roof one fits through only close to the floor; elsewhere one floats as one likes.
    let is_low = !s.seen.nature(step.to.up().up()).is_open();
    let afloat = if is_low { 0.0 } else { FLOATS };
    let swims_level = s.in_water && goal.y > s.at.y - afloat;
    let dives = step.to.y < step.from.y || (is_low && s.at.y > goal.y + afloat);
    Controls {
        forward,
        yaw: turn::yaw_along(dx, dz),
        jump: (must_rise && s.on_ground && gap < 1.35) || swims_level,
        sneak: s.in_water && !swims_level && dives,
        sprint: goes_on && may_run(s) && !s.in_water,
        ..Controls::default()
    }
}

/// Lets what is left of a walk run out, on the ground: in a jump it would lead over the edge.
async fn come_to_rest(body: &BodyHandle) {
    for _ in 0..REST_TICKS {
        let before = body.with(|s| s.at);
        body.act(Controls {
            sneak: true,
            ..Controls::default()
        })
        .await;
        if body.with(|s| s.at.distance_flat(before) < AT_REST) {
            return;
        }
    }
}

/// Running is worth its hunger; who minds the body, as in flight, runs as long as it can.
pub(super) fn may_run(s: &Senses) -> bool {
    s.hunger > SPRINT_HUNGER || s.is_minding
}

/// Jumps and puts a block under the feet.
async fn pillar(body: &BodyHandle, step: &PathStep) -> Result<(), Halt> {
    come_to_rest(body).await;
    handling::hold_filler(body).await?;
    let health = body.with(|s| s.health);
    for _ in 0..STEP_TICKS_MAX {
        let (is_placed, is_up, keys) = body.with(|s| {
            let is_placed = s.seen.nature(step.from).is_solid();
            let gap = s.at.distance_flat(step.to.floor());
            let goal = step.to.floor();
            let action =
                (!is_placed && s.at.y >= f64::from(step.to.y)).then(|| HandAction::Place {
                    against: step.from.down(),
                    side: Facing::Up,
                });
            let keys = Controls {
                forward: i8::from(gap > 0.1),
                yaw: turn::yaw_along(goal.x - s.at.x, goal.z - s.at.z),
                pitch: 90.0,
                jump: !is_placed && gap < 0.25,
                action,
                ..Controls::default()
            };
            (is_placed, s.feet() == step.to && s.on_ground, keys)
        });
        if is_placed && is_up {
            return Ok(());
        }
        body.act(keys).await;
        // Sand came down on the head, or something strikes: that comes first.
        if body.with(|s| s.seen.nature(s.eyes.block()).is_solid() || s.health < health) {
            return Err(Halt::Changed);
        }
    }
    Err(Halt::Stuck)
}

/// Leans over the edge and puts a block in front of the floor.
async fn bridge(body: &BodyHandle, step: &PathStep) -> Result<(), Halt> {
    let floor = step.to.down();
    if body.with(|s| s.seen.nature(floor).is_floor()) {
        return Ok(());
    }
    handling::hold_filler(body).await?;
    let Some(side) = Facing::FLAT
        .into_iter()
        .find(|f| step.from.side(*f) == step.to)
    else {
        return Err(Halt::Changed);
    };
    for _ in 0..STEP_TICKS_MAX {
        let keys = body.with(|s| {
            let goal = step.to.floor();
            Controls {
                forward: 1,
                sneak: true,
                yaw: turn::yaw_along(goal.x - s.at.x, goal.z - s.at.z),
                pitch: 75.0,
                action: Some(HandAction::Place {
                    against: step.from.down(),
                    side,
                }),
                ..Controls::default()
            }
        });
        let outcome = body.act(keys).await;
        if outcome == ControlOutcome::Done || body.with(|s| s.seen.nature(floor).is_floor()) {
            return Ok(());
        }
        // Pushed off the edge: now something else comes first.
        if body.with(|s| s.in_lava || s.feet().y < step.from.y) {
            return Err(Halt::Changed);
        }
    }
    Err(Halt::Stuck)
}
