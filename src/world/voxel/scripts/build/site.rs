//! Sites: where a building fits: known, dry, flat enough, to be walked around, and not where the body stands.

use super::super::super::building::Building;
use super::super::super::path::goal::PathGoal;
use super::super::super::primitives::looking::look_around;
use super::super::super::primitives::travel::{self, TravelMode};
use super::super::super::senses::{BodyHandle, Senses};
use super::super::depth;
use super::room::{self, Cost, PLUCKED_UP_TO};
use crate::action::{ActionFailure, Unbuilt};
use crate::blueprint::BlueprintName;
use crate::family::ItemSpec;
use crate::space::{Facing, Pos};
use std::sync::Arc;

/// A spot is looked for within these distances, over the ground and in height.
const AROUND: [i32; 2] = [8, 20];
const LEVELS: std::ops::RangeInclusive<i32> = -4..=4;
/// Spots that are walked to before one looks elsewhere.
const TRIES_MAX: u32 = 4;
/// Elsewhere is so many blocks off.
const ELSEWHERE: i32 = 24;
const LEGS: [Facing; 4] = [Facing::East, Facing::South, Facing::West, Facing::North];
/// The level of the sea, above which there is open land.
const SURFACE_Y: i32 = 63;
/// What is weighed: blocks to walk, plants to pluck, ground to dig, holes in the floor, sides where nobody can stand.
const PLANT: u32 = 2;
const GROUND: u32 = 4;
const HOLE: u32 = 4;
const SIDE: u32 = 2;
/// At most one cell in so many may have to be dug, and one of the lowest layer have no floor; and of the cells beside the
/// building one in so many may be no place to stand.
const DUG_SHARE: u32 = 5;
const HOLE_SHARE: u32 = 4;
const SIDE_SHARE: u32 = 3;

/// What is to stand somewhere.
struct Wanted<'a> {
    blocks: &'a [(ItemSpec, [i32; 3])],
    clear: &'a [[i32; 3]],
    lowest: i32,
    /// Corners over the ground.
    low: [i32; 2],
    high: [i32; 2],
}

impl<'a> Wanted<'a> {
    fn new(blocks: &'a [(ItemSpec, [i32; 3])], clear: &'a [[i32; 3]]) -> Self {
        let over = |pick: fn(i32, i32) -> i32| {
            let cells = blocks.iter().map(|(_, at)| at).chain(clear);
            let flat = cells.map(|[x, _, z]| [*x, *z]);
            flat.reduce(|a, b| [pick(a[0], b[0]), pick(a[1], b[1])])
        };
        Self {
            blocks,
            clear,
            lowest: blocks.iter().map(|(_, [_, y, _])| *y).min().unwrap_or(0),
            low: over(i32::min).unwrap_or_default(),
            high: over(i32::max).unwrap_or_default(),
        }
    }

    /// The columns right beside the building.
    fn beside(&self, origin: Pos) -> impl Iterator<Item = Pos> {
        let ([west, north], [east, south]) = (self.low, self.high);
        let y = self.lowest;
        let all =
            (north - 1..=south + 1).flat_map(move |z| (west - 1..=east + 1).map(move |x| (x, z)));
        let outside =
            move |(x, z): &(i32, i32)| !(west..=east).contains(x) || !(north..=south).contains(z);
        all.filter(outside).map(move |(x, z)| origin.plus(x, y, z))
    }
}

/// The building at the best spot near here, or elsewhere if none is near; the body is beside it then.
pub(super) async fn find(
    body: &BodyHandle,
    blocks: &[(ItemSpec, [i32; 3])],
    clear: &[[i32; 3]],
    name: Option<&BlueprintName>,
) -> Result<Building, ActionFailure> {
    let wanted = Wanted::new(blocks, clear);
    let building = |at: Pos| {
        let place = |[x, y, z]: [i32; 3]| at.plus(x, y, z);
        Building {
            blueprint: name.cloned(),
            at,
            blocks: blocks
                .iter()
                .map(|(item, by)| (*item, place(*by)))
                .collect(),
            clear: clear.iter().map(|by| place(*by)).collect(),
            vain: 0,
        }
    };
    if body.with(|s| !s.sky && s.feet().y < SURFACE_Y) {
        depth::go_up(body, SURFACE_Y).await?;
    }
    let home = body.with(|s| s.feet());
    let mut in_vain: Vec<Pos> = Vec::new();
    for leg in 0..=LEGS.len() {
        look_around(body).await;
        for _ in 0..TRIES_MAX {
            let near = |around| body.with(|s| best(s, &wanted, around, &in_vain));
            let Some(at) = AROUND.into_iter().find_map(near) else {
                break;
            };
            if goes_beside(body, &wanted, at).await? {
                return Ok(building(at));
            }
            in_vain.push(at);
        }
        let Some(facing) = LEGS.get(leg) else { break };
        let [x, _, z] = facing.step();
        let goal = PathGoal::Flat {
            x: home.x + x * ELSEWHERE,
            z: home.z + z * ELSEWHERE,
            range: 3.0,
        };
        goes(body, &goal, TravelMode::Dig).await?;
    }
    Err(ActionFailure::Unbuilt {
        because: Unbuilt::NoSite,
        stands: 0,
        of: u32::try_from(blocks.len()).unwrap_or(u32::MAX),
    })
}

/// Walks to the spot, by digging where there is no other way; false if it cannot be reached.
async fn goes_beside(
    body: &BodyHandle,
    wanted: &Wanted<'_>,
    at: Pos,
) -> Result<bool, ActionFailure> {
    let places: Vec<Pos> = body.with(|s| {
        wanted
            .beside(at)
            .filter_map(|side| stand(s, side))
            .collect()
    });
    if places.is_empty() {
        return Ok(false);
    }
    let goal = PathGoal::OneOf {
        places: Arc::from(places),
    };
    Ok(goes(body, &goal, TravelMode::Walk).await? || goes(body, &goal, TravelMode::Dig).await?)
}

async fn goes(body: &BodyHandle, goal: &PathGoal, mode: TravelMode) -> Result<bool, ActionFailure> {
    travel::went(travel::travel(body, goal, mode).await)
}

/// Where one stands in a column beside the building, a step up or down at most.
fn stand(s: &Senses, side: Pos) -> Option<Pos> {
    let is_open = |at: Pos| s.seen.nature(at).is_open() && !s.seen.nature(at).is_water();
    let stands = |at: &Pos| is_open(*at) && is_open(at.up()) && s.seen.nature(at.down()).is_floor();
    [side, side.up(), side.down()].into_iter().find(stands)
}

/// The origin that costs least within the distance.
fn best(s: &mut Senses, wanted: &Wanted<'_>, around: i32, in_vain: &[Pos]) -> Option<Pos> {
    let feet = s.feet();
    let side = || -around..=around;
    let mut found: Option<(u32, Pos)> = None;
    for y in LEVELS {
        for z in side() {
            for x in side() {
                let origin = feet.plus(x, y - wanted.lowest, z);
                let walk = origin.manhattan(feet).unsigned_abs();
                let is_dearer = found.is_some_and(|(least, _)| least <= walk);
                // What lies beside a spot that could not be reached cannot be reached either.
                if is_dearer || in_vain.iter().any(|at| at.manhattan(origin) < AROUND[0]) {
                    continue;
                }
                if let Some(price) = price(s, wanted, origin) {
                    found = found.into_iter().chain([(walk + price, origin)]).min();
                }
            }
        }
    }
    found.map(|(_, at)| at)
}

/// What it takes to make the spot fit; none if it does not.
fn price(s: &Senses, wanted: &Wanted<'_>, origin: Pos) -> Option<u32> {
    let feet = s.feet();
    let cells = wanted.blocks.len() + wanted.clear.len();
    let (mut plants, mut dug, mut holes, mut floor) = (0, 0, 0, 0);
    let offsets = wanted.blocks.iter().map(|(item, by)| (Some(*item), by));
    for (item, [x, y, z]) in offsets.chain(wanted.clear.iter().map(|by| (None, by))) {
        let at = origin.plus(*x, *y, *z);
        if item.is_some() && (at == feet || at == feet.up()) {
            return None;
        }
        let stands = item.is_some_and(|item| Building::stands(&s.seen, item, at));
        match room::cost(&s.seen, at) {
            _ if stands => {}
            Some(Cost::Nothing) => {}
            Some(Cost::Plant) if *y - wanted.lowest <= PLUCKED_UP_TO => plants += 1,
            Some(Cost::Ground) if *y == wanted.lowest => dug += 1,
            _ => return None,
        }
        if *y == wanted.lowest {
            let below = s.seen.nature(at.down());
            floor += 1;
            if below.is_unknown() || below.is_harmful() || below.is_water() {
                return None;
            }
            holes += u32::from(!below.is_floor());
        }
    }
    let (mut sides, mut blocked) = (0, 0);
    for side in wanted.beside(origin) {
        sides += 1;
        blocked += u32::from(stand(s, side).is_none());
        // One jumps beside what is built, so what hangs there is in the way as well.
        let over = (0..=PLUCKED_UP_TO + 1).map(|y| side.plus(0, y, 0));
        let hangs = |at: &Pos| s.seen.block(*at).is_some_and(|block| block.is_solid());
        plants += u32::from(over.skip(1).any(|at| hangs(&at)));
    }
    let is_flat = dug * DUG_SHARE <= cells as u32 && holes * HOLE_SHARE <= floor && holes < floor;
    let is_open = blocked * SIDE_SHARE <= sides;
    (is_flat && is_open).then_some(plants * PLANT + dug * GROUND + holes * HOLE + blocked * SIDE)
}
