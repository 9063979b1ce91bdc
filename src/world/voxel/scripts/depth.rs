//! Depth: digging a staircase down, and finding the way up again.
//!
//! Invariant: never digs at lava and never steps over a drop it has not seen the floor of; when
//! that leaves no way, it ends with `Danger` and says of what.

use super::super::path::goal::PathGoal;
use super::super::primitives::looking;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Senses};
use super::End;
use crate::action::ActionFailure;
use crate::block::{self as blocks, BlockId, can_harvest};
use crate::space::Pos;

/// Detours around what cannot be dug before it is called a danger.
const DETOURS_MAX: u32 = 6;
/// Water or lava nearer than this spoils a shaft.
const WET: f64 = 6.0;
/// Blocks of a detour.
const DETOUR: i32 = 7;
/// The surface is not higher than this; the way up ends at the sky.
const SKY_Y: i32 = 120;

/// Digs down until the feet are at or below `y`.
pub(crate) async fn dig_down(body: &BodyHandle, y: i32) -> End {
    if y < 1 {
        return Err(ActionFailure::Invalid {
            because: format!("y {y} lies below the bedrock"),
        });
    }
    dig_down_until(body, y, &|_| false).await
}

/// As `dig_down`, and ends early once `enough` holds.
pub(crate) async fn dig_down_until(
    body: &BodyHandle,
    y: i32,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    let goal = PathGoal::Below { y };
    let had_pickaxe = body.with(|s| has_pickaxe(s));
    dry_ground(body).await?;
    // A pickaxe that breaks on the way ends the digging: by hand it would take all day.
    let stop = |s: &Senses| enough(s) || (had_pickaxe && !has_pickaxe(s));
    for _ in 0..DETOURS_MAX {
        match travel::travel_until(body, &goal, TravelMode::Burrow, &stop).await {
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {}
            Ok(()) if had_pickaxe && body.with(|s| !has_pickaxe(s)) => {
                return Err(worn_out(body));
            }
            end => return end,
        }
        detour(body).await?;
    }
    Err(danger(body))
}

/// True if something carried harvests rock.
pub(crate) fn has_pickaxe(s: &Senses) -> bool {
    can_harvest(blocks::STONE, s.tool_for(blocks::STONE))
}

/// The pickaxe broke and rock no longer yields.
pub(crate) fn worn_out(body: &BodyHandle) -> ActionFailure {
    ActionFailure::NoDrop {
        block: blocks::STONE,
        held: body.with(|s| s.held),
        broken: 0,
    }
}

/// Away from known water and lava before the digging begins, or the shaft floods.
async fn dry_ground(body: &BodyHandle) -> End {
    for _ in 0..DETOURS_MAX {
        let wet = body.with(|s| {
            s.seen
                .nearest(s.feet(), WET, 1, BlockId::is_fluid)
                .first()
                .map(|(at, _)| *at)
        });
        let Some(from) = wet else { return Ok(()) };
        match travel::travel(
            body,
            &PathGoal::Away {
                from,
                range: WET + 1.0,
            },
            TravelMode::Dig,
        )
        .await
        {
            Ok(()) => {}
            // Then it has to do here.
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => return Ok(()),
            Err(failure) => return Err(failure),
        }
    }
    Ok(())
}

/// Some blocks to the side, at this level.
async fn detour(body: &BodyHandle) -> End {
    let (feet, side) = body.with(|s| (s.feet(), s.chance.below(4) as usize));
    let (x, z) = [(1, 0), (0, 1), (-1, 0), (0, -1)][side];
    let at = Pos::new(feet.x + x * DETOUR, feet.y, feet.z + z * DETOUR);
    match travel::travel(body, &PathGoal::Near { at, range: 2.0 }, TravelMode::Burrow).await {
        Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => Ok(()),
        Err(failure) => Err(failure),
    }
}

fn danger(body: &BodyHandle) -> ActionFailure {
    body.with(|s| {
        let feet = s.feet();
        let near = |block| !s.seen.nearest(feet, 6.0, 1, |b| b == block).is_empty();
        let of = if near(blocks::LAVA) {
            "lava"
        } else if near(blocks::WATER) {
            "water"
        } else if near(blocks::BEDROCK) {
            "bedrock"
        } else {
            "a drop"
        };
        ActionFailure::Danger { of: of.to_owned() }
    })
}

/// Climbs until the feet are at or above `y`.
pub(crate) async fn go_up(body: &BodyHandle, y: i32) -> End {
    up_until(body, y, &|_| false).await
}

/// Climbs until the sky is overhead.
pub(crate) async fn surface(body: &BodyHandle) -> End {
    up_until(body, SKY_Y, &|s| s.sky && s.on_ground).await?;
    looking::look_around(body).await;
    Ok(())
}

async fn up_until(
    body: &BodyHandle,
    y: i32,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    let goal = PathGoal::Above { y };
    for detours in 0.. {
        match travel::travel_until(body, &goal, TravelMode::Burrow, enough).await {
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. })
                if detours < DETOURS_MAX =>
            {
                detour(body).await?;
            }
            end => return end,
        }
    }
    Ok(())
}
