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
use crate::item::ItemId;
use crate::space::{Facing, Pos};

/// Detours around what cannot be dug before it is called a danger.
const DETOURS_MAX: u32 = 6;
/// Water or lava nearer than this over the ground spoils a shaft.
const DRY: f64 = 8.0;
/// So far off they are looked for, and so many places of them are told apart.
const FLUIDS: f64 = 32.0;
const FLUIDS_MAX: usize = 256;
/// Columns looked at for dry ground: so many to each side, so many blocks apart, levels up and down.
const COLUMNS: i32 = 6;
const COLUMN_STEP: i32 = 4;
const LEVELS: i32 = 8;
/// Nearer than this to the middle of a column is there: the shaft is dug where the body stands.
const THERE: f64 = 0.5;
/// Columns that are gone to before it has to do here.
const COLUMNS_MAX: usize = 2;
/// Blocks of a detour.
const DETOUR: i32 = 7;
/// The way back to where one came from under ground is shorter than a new one up, from so near.
const BACK: f64 = 48.0;
/// Where one has come up before and from where one was led below again is a pit: so near, and so much higher is out of it.
const SAME_PIT: f64 = 16.0;
const OUT_OF_PIT: i32 = 5;
/// The surface is not higher than this; the way up ends at the sky.
const SKY_Y: i32 = 120;

/// Digs down until the feet are at or below `y`, or `enough` holds; a height that nobody gets to is refused.
pub(crate) async fn dig_down_until(
    body: &BodyHandle,
    y: i32,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    if y < 1 {
        return Err(ActionFailure::Invalid {
            because: format!("y {y} lies below the bedrock"),
        });
    }
    let goal = PathGoal::Below { y };
    let had_pickaxe = body.with(|s| has_pickaxe(s));
    // Below ground the rock around a spring is dug in, and the way to other ground may lead through the spring.
    if body.with(|s| s.sky) {
        dry_ground(body).await?;
    }
    // A pickaxe that breaks on the way ends the digging: by hand it would take all day.
    let stop = |s: &Senses| enough(s) || (had_pickaxe && !has_pickaxe(s));
    for _ in 0..DETOURS_MAX {
        match travel::travel_until(body, &goal, TravelMode::Burrow, &stop).await {
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {}
            Ok(()) if had_pickaxe && body.with(|s| !has_pickaxe(s)) => {
                return Err(worn_out(body, &[blocks::STONE]));
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

/// The tools that harvest these broke, or what is left of them is spared.
pub(crate) fn worn_out(body: &BodyHandle, wanted: &[BlockId]) -> ActionFailure {
    let harvests = |item: &ItemId| wanted.iter().any(|block| can_harvest(*block, Some(*item)));
    body.with(|s| ActionFailure::WornOut {
        held: s.held.filter(harvests),
        left: s.uses_left(wanted),
        broken: s.broken,
    })
}

/// To the nearest ground far enough from known water and lava, or the shaft floods.
async fn dry_ground(body: &BodyHandle) -> End {
    let fluids: Vec<Pos> = body.with(|s| {
        let near = s
            .seen
            .nearest(s.feet(), FLUIDS, FLUIDS_MAX, BlockId::is_fluid);
        let is_below = |at: &Pos| at.y <= s.feet().y + 2;
        let places = near.into_iter().map(|(at, _)| at);
        places.filter(is_below).collect()
    });
    if body.with(|s| gap_to(&fluids, s.feet()) >= DRY) {
        return Ok(());
    }
    let mut columns = body.with(|s| ground_around(s, &fluids));
    let feet = body.with(|s| s.feet());
    columns.sort_by_key(|at| (at.manhattan(feet), *at));
    for at in columns.into_iter().take(COLUMNS_MAX) {
        let goal = PathGoal::Near { at, range: THERE };
        // If not, then another one, or it has to do here.
        if travel::went(travel::travel(body, &goal, TravelMode::Dig).await)? {
            break;
        }
    }
    Ok(())
}

/// Known places to stand, a few blocks apart, that are far enough from all these fluids.
fn ground_around(s: &Senses, fluids: &[Pos]) -> Vec<Pos> {
    let feet = s.feet();
    let steps = || (-COLUMNS..=COLUMNS).map(|step| step * COLUMN_STEP);
    let columns = steps().flat_map(|x| steps().map(move |z| feet.plus(x, 0, z)));
    let nature = |p: Pos| s.seen.nature(p);
    let stands = |at: &Pos| {
        let floor = nature(at.down());
        nature(*at).is_air() && nature(at.up()).is_air() && floor.is_floor()
    };
    let ground = |at: Pos| {
        let mut levels = (-LEVELS..=LEVELS).map(|up| at.plus(0, up, 0));
        levels.find(stands)
    };
    columns
        .filter_map(ground)
        .filter(|at| gap_to(fluids, *at) >= DRY)
        .collect()
}

/// Blocks over the ground to the nearest fluid.
fn gap_to(fluids: &[Pos], at: Pos) -> f64 {
    let gap = |fluid: &Pos| fluid.distance(Pos::new(at.x, fluid.y, at.z));
    fluids.iter().map(gap).fold(f64::INFINITY, f64::min)
}

/// Some blocks to the side, at this level.
async fn detour(body: &BodyHandle) -> End {
    let (feet, side) = body.with(|s| (s.feet(), s.chance.below(4) as usize));
    let (x, z) = [(1, 0), (0, 1), (-1, 0), (0, -1)][side];
    let at = Pos::new(feet.x + x * DETOUR, feet.y, feet.z + z * DETOUR);
    travel::went(travel::travel(body, &PathGoal::Near { at, range: 2.0 }, TravelMode::Burrow).await)
        .map(|_| ())
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

/// Climbs so many levels, as far as there is a way up.
pub(crate) async fn climb(body: &BodyHandle, levels: i32) -> End {
    let y = body.with(|s| s.feet().y) + levels;
    travel::went(travel::travel(body, &PathGoal::Above { y }, TravelMode::Burrow).await).map(|_| ())
}

/// Back to where the sky was last overhead, if that is not far, or climbs until it is; higher than the last time from the
/// same pit.
pub(crate) async fn surface(body: &BodyHandle) -> End {
    let (back, lowest) = body.with(|s| way_up(s.feet(), s.under_sky.1, s.came_up));
    let is_out = |s: &Senses| is_on_land(s) && lowest.is_none_or(|lowest| s.feet().y >= lowest);
    if let Some(at) = back {
        let goal = PathGoal::Near { at, range: 1.0 };
        travel::went(travel::travel_until(body, &goal, TravelMode::Dig, &is_out).await)?;
    }
    up_until(body, SKY_Y, &is_out).await?;
    body.with(|s| s.came_up = Some(s.feet()));
    looking::look_around(body).await;
    Ok(())
}

/// The sky is overhead, no water stands over the head, and there is a way on but through rock: no shaft stands around.
fn is_on_land(s: &Senses) -> bool {
    let is_open = |at: Pos| s.seen.nature(at).is_open();
    let is_way = |side: Facing| {
        let beside = s.feet().side(side);
        is_open(beside.up()) && is_open(beside.plus(0, 2, 0))
    };
    s.sky && s.on_ground && !s.eyes_in_water && Facing::FLAT.into_iter().any(is_way)
}

/// The place to go back to, and the least height that counts as out; a pit that one was led below from again is climbed
/// out of.
fn way_up(feet: Pos, under_sky: Pos, came_up: Option<Pos>) -> (Option<Pos>, Option<i32>) {
    match came_up.filter(|last| last.distance(under_sky) < SAME_PIT) {
        Some(last) => (None, Some(last.y.max(under_sky.y) + OUT_OF_PIT)),
        None => (Some(under_sky).filter(|at| at.distance(feet) < BACK), None),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_goes_back_to_where_the_sky_was_and_climbs_out_of_a_pit_that_led_below_again() {
        let (pit, cave) = (Pos::new(0, 52, 0), Pos::new(9, 48, 0));
        assert_eq!(way_up(cave, pit, None), (Some(pit), None));
        assert_eq!(way_up(cave, pit, Some(pit)), (None, Some(57)));
        // Each time higher, until nothing leads below any more.
        let ledge = Pos::new(2, 57, 1);
        assert_eq!(way_up(cave, pit, Some(ledge)), (None, Some(62)));
        let elsewhere = Pos::new(40, 64, 0);
        assert_eq!(way_up(cave, pit, Some(elsewhere)), (Some(pit), None));
        assert_eq!(way_up(cave, Pos::new(90, 64, 0), None), (None, None));
    }
}
