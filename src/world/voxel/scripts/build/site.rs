//! Sites: where a building fits: known, dry, flat enough, and not where the body stands.

use super::super::super::building::Building;
use super::super::super::path::goal::PathGoal;
use super::super::super::primitives::looking::look_around;
use super::super::super::primitives::travel::{self, TravelMode};
use super::super::super::senses::{BodyHandle, Senses};
use super::super::depth;
use super::room::{self, Cost};
use crate::action::{ActionFailure, Unbuilt};
use crate::blueprint::BlueprintName;
use crate::family::ItemSpec;
use crate::space::{Facing, Pos};

/// A spot is looked for within these distances, over the ground and in height.
const AROUND: [i32; 2] = [8, 20];
const LEVELS: std::ops::RangeInclusive<i32> = -4..=4;
/// Elsewhere is so many blocks off, and that many times it is tried.
const ELSEWHERE: i32 = 24;
const LEGS: [Facing; 4] = [Facing::East, Facing::South, Facing::West, Facing::North];
/// The level of the sea, above which there is open land.
const SURFACE_Y: i32 = 63;
/// What is weighed: blocks to walk, plants to pluck, ground to dig, holes in the floor.
const PLANT: u32 = 1;
const GROUND: u32 = 4;
const HOLE: u32 = 4;
/// At most one cell in so many may have to be dug, and one of the lowest layer have no floor.
const DUG_SHARE: u32 = 5;
const HOLE_SHARE: u32 = 4;

/// The building at the best spot near here, or elsewhere if none is near.
pub(super) async fn find(
    body: &BodyHandle,
    blocks: &[(ItemSpec, [i32; 3])],
    clear: &[[i32; 3]],
    name: Option<&BlueprintName>,
) -> Result<Building, ActionFailure> {
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
        }
    };
    if body.with(|s| !s.sky && s.feet().y < SURFACE_Y) {
        depth::go_up(body, SURFACE_Y).await?;
    }
    let home = body.with(|s| s.feet());
    for leg in 0..=LEGS.len() {
        look_around(body).await;
        for around in AROUND {
            if let Some(at) = body.with(|s| best(s, blocks, clear, around)) {
                return Ok(building(at));
            }
        }
        let Some(facing) = LEGS.get(leg) else { break };
        let [x, _, z] = facing.step();
        let goal = PathGoal::Flat {
            x: home.x + x * ELSEWHERE,
            z: home.z + z * ELSEWHERE,
            range: 3.0,
        };
        match travel::travel(body, &goal, TravelMode::Dig).await {
            Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {}
            Err(failure) => return Err(failure),
        }
    }
    Err(ActionFailure::Unbuilt {
        because: Unbuilt::NoSite,
        stands: 0,
        of: u32::try_from(blocks.len()).unwrap_or(u32::MAX),
    })
}

/// The origin that costs least within the distance.
fn best(
    s: &mut Senses,
    blocks: &[(ItemSpec, [i32; 3])],
    clear: &[[i32; 3]],
    around: i32,
) -> Option<Pos> {
    let feet = s.feet();
    let lowest = blocks.iter().map(|(_, [_, y, _])| *y).min().unwrap_or(0);
    let side = || -around..=around;
    let mut found: Option<(u32, Pos)> = None;
    for y in LEVELS {
        for z in side() {
            for x in side() {
                let origin = feet.plus(x, y - lowest, z);
                let walk = origin.manhattan(feet).unsigned_abs();
                if found.is_some_and(|(least, _)| least <= walk) {
                    continue;
                }
                if let Some(price) = price(s, blocks, clear, origin, lowest) {
                    found = found.into_iter().chain([(walk + price, origin)]).min();
                }
            }
        }
    }
    found.map(|(_, at)| at)
}

/// What it takes to make the spot fit; none if it does not.
fn price(
    s: &Senses,
    blocks: &[(ItemSpec, [i32; 3])],
    clear: &[[i32; 3]],
    origin: Pos,
    lowest: i32,
) -> Option<u32> {
    let feet = s.feet();
    let cells = blocks.len() + clear.len();
    let (mut plants, mut dug, mut holes, mut floor) = (0, 0, 0, 0);
    let offsets = blocks.iter().map(|(item, by)| (Some(*item), by));
    for (item, [x, y, z]) in offsets.chain(clear.iter().map(|by| (None, by))) {
        let at = origin.plus(*x, *y, *z);
        if item.is_some() && (at == feet || at == feet.up()) {
            return None;
        }
        let stands = item.is_some_and(|item| Building::stands(&s.seen, item, at));
        match room::cost(&s.seen, at) {
            _ if stands => {}
            None => return None,
            Some(Cost::Nothing) => {}
            Some(Cost::Plant) => plants += 1,
            Some(Cost::Ground) => dug += 1,
        }
        if *y == lowest {
            let below = s.seen.nature(at.down());
            floor += 1;
            if below.is_unknown() || below.is_harmful() || below.is_water() {
                return None;
            }
            holes += u32::from(!below.is_floor());
        }
    }
    let is_fine = dug * DUG_SHARE <= cells as u32 && holes * HOLE_SHARE <= floor && holes < floor;
    is_fine.then_some(plants * PLANT + dug * GROUND + holes * HOLE)
}
