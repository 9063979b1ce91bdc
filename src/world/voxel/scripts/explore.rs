//! Exploring: straight on over land that was not looked at yet, from patch to patch.
//!
//! Where the body has been is remembered from search to search, and so is what it saw there. It
//! takes nothing. Invariant: ends when something wanted is known near by, or after a bounded walk.

use super::super::lands::Lands;
use super::super::path::goal::PathGoal;
use super::super::primitives::looking::look_for;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Senses};
use super::super::terrain::biome::Biome;
use super::super::terrain::biome::homes::{Biomes, homes};
use super::super::terrain::spawn::is_log;
use super::super::visited::{self, PATCH, Patch, PatchKnowledge};
use super::ambush::{self, Ambush};
use super::outlook::Outlook;
use super::overland::{self, is_lost_below};
use super::people;
use super::prospect;
use super::tunnel;
use super::wanted::{self, Wanted};
use super::{End, depth};
use crate::action::{ActionFailure, Target};
use crate::block::{self as blocks, BlockId};
use crate::ore::LAVA_LEVEL;
use crate::space::{Facing, Pos};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Legs of one search.
const LEGS_MAX: u32 = 30;
/// Legs in a row that failed before the search is given up.
const FAILED_MAX: u32 = 8;
/// So many failed before one digs; until then another direction is quicker.
const ROUND_MAX: u32 = 2;
/// Patches to each side that may come next, and where what is wanted shows from afar.
const AHEAD: i32 = 6;
const AHEAD_HOUSED: i32 = 10;
/// Ticks for a leg, and for each block of it: walking takes five.
const LEG_TICKS: u64 = 100;
const TICKS_PER_BLOCK: f64 = 12.0;
/// Turning back is as dear as so many blocks, halved; going where one has had a look, as so many.
const TURN: f64 = 24.0;
const GLANCED: f64 = 128.0;
/// Land that bears what is wanted is worth so many blocks of way, and other land as dear.
const HOME: f64 = 192.0;
const FOREIGN: f64 = 32.0;
/// So is land of another climate, for each step between snow and desert: the way to the desert does not lead through snow.
const CLIMATE: f64 = 32.0;
/// A block of water is as dear as so many of land, and what is beyond it is seldom found out.
const WET: f64 = 5.0;
/// The share of water behind land, where nothing was seen yet.
const UNSEEN_WET: f64 = 0.25;
/// Places on the way that are asked whether they are known to be water.
const SOUNDINGS: i32 = 12;
/// A leg that turns out so much wetter, as a share of its way, ends where it is.
const WETTER: f64 = 0.3;
/// From the water one sees hardly any of the land beyond, so a swim is judged only after so many ticks: by then rivers
/// are crossed.
const SWIM_TICKS: u64 = 200;
/// Levels that one climbs where no way leads on, between walls so high that stand so near.
const HOLLOW: i32 = 5;
const WALL: i32 = 2;
const HOLLOW_WIDTH: i32 = 12;
/// The height of the sea, and blocks above it at which dry land is looked for.
const SEA_LEVEL: i32 = 62;
const SHORE: i32 = 10;
const CHANCE: f64 = 8.0;
/// After a day there may be other animals.
const FORGET_TICKS: u64 = 24_000;
/// How close to the middle of a patch is there.
const THERE: f64 = 10.0;
/// Places in a row where something was once seen, and how far around an empty one is forgotten.
const RETURNS_MAX: u32 = 4;
const GONE: f64 = 24.0;
/// From so far above the height of the lava its caves are not far.
const LAVA_CAVES: i32 = 8;
/// Looks for any of the targets.
pub(crate) async fn explore(body: &BodyHandle, targets: &[Target]) -> End {
    let wanted = Wanted::from_targets(targets);
    let Some(first) = targets.first() else {
        return Err(ActionFailure::Invalid {
            because: "nothing to look for".to_owned(),
        });
    };
    if wanted.blocks.is_empty() && wanted.mobs.is_empty() {
        return Err(ActionFailure::Invalid {
            because: format!("no block or mob gives {first}"),
        });
    }
    search(body, &wanted, first).await
}

/// Finds one of the wanted: above ground by wandering, in rock by tunnelling.
pub(crate) async fn search(body: &BodyHandle, wanted: &Wanted, target: &Target) -> End {
    if body.with(|s| wanted::nearest(s, wanted)).is_some() {
        return Ok(());
    }
    if !wanted.is_rock() && go_back(body, wanted).await? {
        return Ok(());
    }
    let is_under = body.with(|s| !s.sky);
    let found = if wanted.is_rock() || (is_under && body.with(|s| is_in_caves_below(s, wanted))) {
        match prospect::go_there(body, wanted).await? {
            true => tunnel::search(body, wanted).await,
            false => Ok(false),
        }
    } else {
        if is_under {
            depth::surface(body).await?;
        }
        wander(body, wanted).await
    };
    match found {
        Ok(true) => Ok(()),
        Ok(false) => Err(ActionFailure::NoTarget {
            target: target.clone(),
            y: body.with(|s| s.feet().y),
        }),
        Err(failure) => Err(failure),
    }
}

/// It stands in the caves down here.
fn is_in_caves_below(s: &Senses, wanted: &Wanted) -> bool {
    let is_lava = wanted.mobs.is_empty() && wanted.blocks == [blocks::LAVA];
    is_lava && s.feet().y <= LAVA_LEVEL + LAVA_CAVES
}

/// Wanders; that can wait for the day, unless it is after what comes out at night.
pub(super) async fn wander(body: &BodyHandle, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let is_night_work = wanted.mobs.iter().any(|mob| mob.facts().hostile);
    let was_roaming = body.with(|s| std::mem::replace(&mut s.is_roaming, !is_night_work));
    let found = visit_patches(body, wanted).await;
    body.with(|s| s.is_roaming = was_roaming);
    found
}

/// Returns to what was seen long ago, far off; false if nothing was or it is not there any more.
async fn go_back(body: &BodyHandle, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let found = |s: &Senses| wanted::nearest(s, wanted).is_some();
    let mut last = None;
    for _ in 0..RETURNS_MAX {
        let place = body.with(|s| wanted::remembered(s, wanted));
        let Some(at) = place.filter(|_| place != last) else {
            return Ok(false);
        };
        last = place;
        if body.with(|s| !s.sky) {
            depth::surface(body).await?;
        }
        let goal = PathGoal::Flat {
            x: at.x,
            z: at.z,
            range: THERE,
        };
        travel::went(overland::walk(body, &goal, &found).await)?;
        look(body, wanted).await;
        if body.with(|s| found(s)) {
            return Ok(true);
        }
        body.with(|s| s.herds.forget(at, GONE));
    }
    Ok(false)
}

/// Visits patch after patch; true once something wanted is known.
async fn visit_patches(body: &BodyHandle, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let found = |s: &Senses| wanted::is_found(s, wanted);
    let mut failed = 0;
    // What stands still was found when it was passed; what moves may have come since.
    let since = match wanted.mobs.is_empty() {
        true => 0,
        false => body.with(|s| s.tick).saturating_sub(FORGET_TICKS),
    };
    let homes = wanted.land.or_else(|| homes(&wanted.blocks, &wanted.mobs));
    let ambush = body.with(|s| ambush::land(s, wanted, homes));
    look(body, wanted).await;
    let is_news = |s: &Senses| found(s) || (wanted.is_housed() && people::is_known(s, wanted));
    let (mut legs, mut moments) = (0, 0);
    while legs < LEGS_MAX && moments < ambush::MOMENTS_MAX {
        if wanted.is_housed() && people::visit(body, wanted).await? {
            return Ok(true);
        }
        if body.with(|s| found(s)) {
            return Ok(true);
        }
        if failed >= FAILED_MAX {
            break;
        }
        if body.with(|s| is_lost_below(s)) {
            depth::surface(body).await?;
        }
        let mut patch = body.with(|s| next_patch(s, since, homes, wanted.is_housed()));
        match ambush.and_then(|land| body.with(|s| ambush::lie_in(s, land, patch))) {
            Some(Ambush::Wait) => {
                ambush::wait(body).await?;
                look(body, wanted).await;
                moments += 1;
                continue;
            }
            Some(Ambush::Go(there)) => {
                patch = there;
                moments += 1;
            }
            None => legs += 1,
        }
        match leg(body, patch, failed >= ROUND_MAX, &is_news).await {
            Ok(true) => failed = 0,
            Ok(false) => {
                failed += 1;
                if body.with(|s| is_in_hollow(s)) {
                    depth::climb(body, HOLLOW).await?;
                }
            }
            Err(failure) => return Err(failure),
        }
        look(body, wanted).await;
    }
    Ok(body.with(|s| found(s)))
}

/// Looks around, all around for what stands still; prey that comes into sight must not be lost by going on.
pub(super) async fn look(body: &BodyHandle, wanted: &Wanted) {
    let is_prey = |s: &Senses| s.mobs.iter().any(|mob| wanted.is_mob(mob));
    look_for(body, &is_prey).await;
}

/// Walls stand around that are higher than a jump; trees are gone round.
fn is_in_hollow(s: &Senses) -> bool {
    let feet = s.feet();
    let is_earth = |block: BlockId| block.is_opaque() && !is_log(block);
    let is_wall = |at: Pos| s.seen.block(at).is_some_and(is_earth);
    let is_walled = |facing: &Facing| {
        let mut at = feet.plus(0, WALL, 0);
        (0..HOLLOW_WIDTH).any(|_| {
            at = at.side(*facing);
            is_wall(at)
        })
    };
    Facing::FLAT.iter().filter(|f| is_walled(f)).count() >= 3
}

/// Goes to the middle of a patch or until something is found, digging only if it may; false if there was no getting there.
async fn leg(
    body: &BodyHandle,
    patch: Patch,
    may_dig: bool,
    found: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> Result<bool, ActionFailure> {
    let (from, tick) = body.with(|s| (s.feet(), s.tick));
    let (x, z) = visited::middle(patch);
    let (dx, dz) = (f64::from(x - from.x), f64::from(z - from.z));
    let length = (dx * dx + dz * dz).sqrt().max(1.0);
    body.with(|s| s.visited.heading = (dx / length, dz / length));
    let late = tick + LEG_TICKS + (length * TICKS_PER_BLOCK) as u64;
    let dry = body.with(|s| water_towards(s, x, z).0) + WETTER;
    let (changes, ends) = (AtomicU64::new(0), AtomicBool::new(false));
    let ashore = AtomicU64::new(tick);
    let enough = |s: &Senses| {
        if !s.in_water {
            ashore.store(s.tick, Ordering::Relaxed);
        }
        // Asking the memory costs; ask only when it has grown.
        let now = s.seen.changes() / 64;
        if changes.swap(now, Ordering::Relaxed) != now {
            let may_judge = !s.in_water || s.tick > ashore.load(Ordering::Relaxed) + SWIM_TICKS;
            let is_wetter = may_judge && water_towards(s, x, z).0 > dry;
            ends.store(found(s) || is_wetter, Ordering::Relaxed);
        }
        s.tick > late || is_lost_below(s) || ends.load(Ordering::Relaxed)
    };
    let goal = PathGoal::Flat { x, z, range: THERE };
    let end = match may_dig {
        true => travel::walk_until(body, &goal, &enough).await,
        false => travel::travel_until(body, &goal, TravelMode::Walk, &enough).await,
    };
    travel::went(end)?;
    // There or not, the next leg leads elsewhere.
    Ok(body.with(|s| {
        s.visited.visit(patch, s.tick);
        goal.is_met(&s.seen, s.feet()) || s.feet().distance(from) >= length / 2.0
    }))
}

/// The patch to go to next: near, rather ahead than behind, rather never seen than glanced at,
/// rather dry than wet, rather land that bears what is wanted than other land; chance decides between equals.
fn next_patch(s: &mut Senses, since: u64, homes: Option<Biomes>, is_housed: bool) -> Patch {
    let feet = s.feet();
    let (cx, cz) = visited::patch_of(feet);
    let (hx, hz) = s.visited.heading;
    let far = if is_housed { AHEAD_HOUSED } else { AHEAD };
    let around = (-far..=far).flat_map(|x| (-far..=far).map(move |z| (cx + x, cz + z)));
    let view = is_housed.then(|| Outlook::around(&s.lands, &s.villages, (cx, cz), far));
    let mut best = ((cx + 1, cz), f64::INFINITY);
    for patch in around {
        let known = match s.visited.look(patch, since) {
            Some(PatchKnowledge::Visited) => continue,
            Some(PatchKnowledge::Glanced) => GLANCED,
            None => 0.0,
        };
        let (x, z) = visited::middle(patch);
        let (dx, dz) = (f64::from(x - feet.x), f64::from(z - feet.z));
        let length = (dx * dx + dz * dz).sqrt().max(1.0);
        let turn = 1.0 - (dx * hx + dz * hz) / length;
        let land = homes.map_or(0.0, |homes| foreign(&s.lands, homes, patch, known));
        let sure = length + TURN * turn + known + land;
        // What shows from afar is looked for where most new land comes into sight on the way.
        let share = view
            .as_ref()
            .map_or(1.0, |view| 1.0 / (1.0 + view.from(patch)));
        if sure * share >= best.1 {
            continue;
        }
        let price = (sure + wet(s, x, z) + s.chance.unit() * CHANCE) * share;
        if price < best.1 {
            best = (patch, price);
        }
    }
    best.0
}

/// What speaks against a patch, by the land that it is or lies in: negative for land that bears what is wanted.
fn foreign(lands: &Lands, homes: Biomes, patch: Patch, known: f64) -> f64 {
    let land = lands.get(patch);
    if land.is_some_and(|biome| homes.holds(biome)) {
        // What was glanced at would have shown some of it.
        return HOME * (known / GLANCED - 1.0);
    }
    let warmth = lands.warmth(patch);
    let climate = warmth.map_or(0, |warmth| homes.out_of_climate(warmth));
    CLIMATE * f64::from(climate) + if land.is_some() { FOREIGN } else { 0.0 }
}

/// What it costs more to swim through the water on the way and around its end.
fn wet(s: &Senses, x: i32, z: i32) -> f64 {
    let feet = s.feet();
    let far = feet.distance(Pos::new(x, feet.y, z));
    let (on_the_way, at_end) = water_towards(s, x, z);
    let step = PATCH / 4;
    let corners = [(step, step), (-step, step), (step, -step), (-step, -step)];
    let share = |(dx, dz): &(i32, i32)| wet_at(s, x + dx, z + dz).map_or(at_end, f64::from);
    let around: f64 = corners.iter().map(share).sum();
    WET * (far * on_the_way + f64::from(PATCH) * around / 4.0)
}

/// The share of water on the straight way to a place, and what is to be expected at its end. What was not
/// seen is taken to be as the land that it lies in, else as what is known before it: behind a coast there is more sea.
fn water_towards(s: &Senses, x: i32, z: i32) -> (f64, f64) {
    let feet = s.feet();
    let part = |from: i32, to: i32, at: i32| from + (to - from) * at / SOUNDINGS;
    let places = (1..=SOUNDINGS).map(|at| (part(feet.x, x, at), part(feet.z, z, at)));
    let known = places.map(|(x, z)| {
        let land = s.lands.get(visited::patch_of(Pos::new(x, 0, z)));
        (land, wet_at(s, x, z))
    });
    water_along(s.lands.here(), known)
}

/// The same for places of which the land may be known and whether there is water, and the land that they begin in.
fn water_along(
    land: Option<Biome>,
    places: impl Iterator<Item = (Option<Biome>, Option<bool>)>,
) -> (f64, f64) {
    let mut here = land.map_or(UNSEEN_WET, unseen_wet);
    let mut sum = 0.0;
    for (land, wet) in places {
        here = match (land, wet) {
            (Some(land), _) => unseen_wet(land),
            (None, Some(false)) => UNSEEN_WET,
            (None, _) => here,
        };
        sum += wet.map_or(here, f64::from);
    }
    (sum / f64::from(SOUNDINGS), here)
}

/// The share of water where such land was not seen: seas are wide, and rivers are not.
fn unseen_wet(land: Biome) -> f64 {
    if land.is_ocean() { 1.0 } else { UNSEEN_WET }
}

/// Whether there is water at a place or dry land, if either is known.
fn wet_at(s: &Senses, x: i32, z: i32) -> Option<bool> {
    // From afar only every third block of a lake is seen.
    let mut around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dz| (dx, dz)));
    let nature = |x: i32, y: i32, z: i32| s.seen.nature(Pos::new(x, y, z));
    if around.any(|(dx, dz)| nature(x + dx, SEA_LEVEL, z + dz).is_water()) {
        return Some(true);
    }
    let mut levels = SEA_LEVEL..=SEA_LEVEL + SHORE;
    levels.any(|y| nature(x, y, z).is_solid()).then_some(false)
}

#[cfg(test)]
mod tests {
    use super::super::super::terrain::biome::Biome;
    use super::*;
    use crate::block as blocks;

    #[test]
    fn a_river_tells_of_no_sea_behind_it_and_a_coast_does() {
        let (river, sea) = (Some(Biome::River), Some(Biome::Ocean));
        let unseen = |n: usize| std::iter::repeat_n((None, None), n);
        let wet = |land, places: Vec<_>| water_along(land, places.into_iter()).0;
        let beyond = |land| [(land, Some(true))].into_iter().chain(unseen(11)).collect();
        let [river, pond] = [river, None].map(|land| wet(Some(Biome::Plains), beyond(land)));
        assert!(river < 0.4 && pond < 0.4, "{river} {pond}");
        assert_eq!(wet(Some(Biome::Beach), beyond(sea)), 1.0);
        assert_eq!(wet(sea, unseen(12).collect()), 1.0);
    }

    #[test]
    fn land_that_bears_what_is_wanted_comes_before_unknown_land_and_that_before_other_climates() {
        let wanted = homes(&[blocks::CACTUS], &[]).unwrap();
        let mut lands = Lands::default();
        for (x, biome) in [(0, Biome::Desert), (9, Biome::Savanna), (18, Biome::Plains)] {
            lands.note((x, 0), biome);
        }
        lands.note((27, 0), Biome::SnowyTundra);
        let price = |x, known| foreign(&lands, wanted, (x, 0), known);
        // The desert, glanced at or not; unknown land; what bears no cactus, ever colder; what lies beside snow.
        let [desert, glanced] = [price(0, 0.0), price(0, GLANCED)];
        let [unknown, savanna, plains, snow] = [99, 9, 18, 27].map(|x| price(x, 0.0));
        assert!(desert < glanced && glanced <= unknown, "{desert} {glanced}");
        assert!(unknown < savanna && savanna < plains && plains < snow);
        assert!(unknown < price(28, 0.0), "beside snow there is no desert");
    }
}
