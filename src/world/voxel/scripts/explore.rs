//! Exploring: straight on over land that was not looked at yet, from patch to patch.
//!
//! Where the body has been is remembered from search to search, and so is what it saw there. It
//! takes nothing. Invariant: ends when something wanted is known near by, or after a bounded walk.

use super::super::path::goal::PathGoal;
use super::super::primitives::looking::look_around;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Senses};
use super::super::visited::{self, PATCH, Patch, PatchKnowledge};
use super::tunnel;
use super::wanted::{self, Wanted};
use super::{End, depth};
use crate::action::{ActionFailure, Target};
use crate::natural::is_sign_of_people;
use crate::space::Pos;

/// Legs of one search.
const LEGS_MAX: u32 = 30;
/// Legs in a row that failed before the search is given up.
const FAILED_MAX: u32 = 8;
/// Patches to each side that may come next.
const AHEAD: i32 = 6;
/// Ticks for a leg, and for each block of it: walking takes five.
const LEG_TICKS: u64 = 100;
const TICKS_PER_BLOCK: f64 = 12.0;
/// Turning back is as dear as so many blocks, halved; going where one has had a look, as so many.
const TURN: f64 = 24.0;
const GLANCED: f64 = 128.0;
/// A block of water is as dear as so many of land, and what is beyond it is seldom found out.
const WET: f64 = 4.0;
/// Places on the way that are asked whether they are known to be water.
const SOUNDINGS: i32 = 8;
/// The height of the sea.
const SEA_LEVEL: i32 = 62;
const CHANCE: f64 = 8.0;
/// After so long there may be other animals.
const FORGET_TICKS: u64 = 2_400;
/// How close to the middle of a patch is there.
const THERE: f64 = 10.0;
/// How far out one goes around where a search begins, blocks to each side.
const RINGS: [i32; 2] = [9, 20];
/// What people have made is gone to from so far, so many places in a row, and looked for among so many.
const SIGN_FAR: f64 = 64.0;
const VISITS_MAX: u32 = 4;
const SIGNS_MAX: usize = 64;
/// Ticks for a corner of such a round, and how close to it is there.
const COMB_TICKS: u64 = 400;
const COMB_THERE: f64 = 3.0;

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
    let found = if wanted.is_rock() {
        tunnel::search(body, wanted).await
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

/// Wanders; that can wait for the day, unless it is after what comes out at night.
async fn wander(body: &BodyHandle, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let is_night_work = wanted.mobs.iter().any(|mob| mob.facts().hostile);
    let was_roaming = body.with(|s| std::mem::replace(&mut s.is_roaming, !is_night_work));
    let found = visit_patches(body, wanted).await;
    body.with(|s| s.is_roaming = was_roaming);
    found
}

/// Returns to what was seen long ago, far off; false if nothing was or it is not there any more.
async fn go_back(body: &BodyHandle, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let Some(at) = body.with(|s| wanted::remembered(s, wanted)) else {
        return Ok(false);
    };
    if body.with(|s| !s.sky) {
        depth::surface(body).await?;
    }
    let found = |s: &Senses| wanted::nearest(s, wanted).is_some();
    let goal = PathGoal::Flat {
        x: at.x,
        z: at.z,
        range: THERE,
    };
    match travel::travel_until(body, &goal, TravelMode::Dig, &found).await {
        Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {}
        Err(failure) => return Err(failure),
    }
    Ok(body.with(|s| found(s)))
}

/// Visits patch after patch; true once something wanted is known.
async fn visit_patches(body: &BodyHandle, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let found = |s: &Senses| wanted::nearest(s, wanted).is_some();
    let mut failed = 0;
    // What stands still was found when it was passed; what moves may have come since.
    let since = match wanted.mobs.is_empty() {
        true => 0,
        false => body.with(|s| s.tick).saturating_sub(FORGET_TICKS),
    };
    look_around(body).await;
    let is_news = |s: &Senses| found(s) || (wanted.is_housed() && sign(s).is_some());
    for _ in 0..LEGS_MAX {
        if wanted.is_housed() && visit_people(body, &found).await? {
            return Ok(true);
        }
        if body.with(|s| found(s)) {
            return Ok(true);
        }
        if failed >= FAILED_MAX {
            break;
        }
        let patch = body.with(|s| next_patch(s, since));
        match leg(body, patch, &is_news).await {
            Ok(true) => failed = 0,
            Ok(false) => failed += 1,
            Err(failure) => return Err(failure),
        }
        look_around(body).await;
    }
    Ok(body.with(|s| found(s)))
}

/// Something that people have made and nobody has gone around yet.
fn sign(s: &Senses) -> Option<Pos> {
    let signs = s
        .seen
        .nearest(s.feet(), SIGN_FAR, SIGNS_MAX, is_sign_of_people);
    let mut places = signs.iter().map(|(at, _)| *at);
    places.find(|at| !s.visited.is_combed(*at) && !s.own.contains(at))
}

/// Goes to the signs of people that are known, and around there; true once something is found.
async fn visit_people(
    body: &BodyHandle,
    found: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> Result<bool, ActionFailure> {
    for _ in 0..VISITS_MAX {
        let Some(at) = body.with(|s| sign(s)) else {
            return Ok(false);
        };
        let goal = PathGoal::Flat {
            x: at.x,
            z: at.z,
            range: THERE / 2.0,
        };
        match travel::travel_until(body, &goal, TravelMode::Dig, found).await {
            Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {}
            Err(failure) => return Err(failure),
        }
        // Reached or not, it is not gone to again.
        body.with(|s| s.visited.comb(at));
        if body.with(|s| found(s)) || comb(body, found).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Goes around where the search begins, looking behind walls; true once something is found.
async fn comb(
    body: &BodyHandle,
    found: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> Result<bool, ActionFailure> {
    let from = body.with(|s| s.feet());
    body.with(|s| s.visited.comb(from));
    let sides = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
    for (dx, dz) in RINGS
        .iter()
        .flat_map(|r| sides.map(|(x, z)| (x * r, z * r)))
    {
        if body.with(|s| found(s)) {
            return Ok(true);
        }
        let late = body.with(|s| s.tick) + COMB_TICKS;
        let enough = |s: &Senses| s.tick > late || found(s);
        let goal = PathGoal::Flat {
            x: from.x + dx,
            z: from.z + dz,
            range: COMB_THERE,
        };
        match travel::travel_until(body, &goal, TravelMode::Walk, &enough).await {
            Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {}
            Err(failure) => return Err(failure),
        }
        look_around(body).await;
    }
    Ok(body.with(|s| found(s)))
}

/// Goes to the middle of a patch or until something is found; false if there was no getting there.
async fn leg(
    body: &BodyHandle,
    patch: Patch,
    found: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> Result<bool, ActionFailure> {
    let (from, tick) = body.with(|s| (s.feet(), s.tick));
    let (x, z) = middle(patch);
    let (dx, dz) = (f64::from(x - from.x), f64::from(z - from.z));
    let length = (dx * dx + dz * dz).sqrt().max(1.0);
    body.with(|s| s.visited.heading = (dx / length, dz / length));
    let late = tick + LEG_TICKS + (length * TICKS_PER_BLOCK) as u64;
    let changes = std::sync::atomic::AtomicU64::new(0);
    let enough = |s: &Senses| {
        // Asking the memory costs; ask only when it has grown.
        let now = s.seen.changes() / 64;
        let is_news = changes.swap(now, std::sync::atomic::Ordering::Relaxed) != now;
        s.tick > late || (is_news && found(s))
    };
    let goal = PathGoal::Flat { x, z, range: THERE };
    // Around the trees first, through them where there is no other way.
    for manner in [TravelMode::Walk, TravelMode::Dig] {
        match travel::travel_until(body, &goal, manner, &enough).await {
            Ok(()) => break,
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {}
            Err(failure) => return Err(failure),
        }
    }
    // There or not, the next leg leads elsewhere.
    Ok(body.with(|s| {
        s.visited.visit(patch, s.tick);
        goal.is_met(&s.seen, s.feet()) || s.feet().distance(from) >= length / 2.0
    }))
}

fn middle(patch: Patch) -> (i32, i32) {
    (patch.0 * PATCH + PATCH / 2, patch.1 * PATCH + PATCH / 2)
}

/// The patch to go to next: near, rather ahead than behind, rather never seen than glanced at,
/// rather dry than wet; chance decides between equals.
fn next_patch(s: &mut Senses, since: u64) -> Patch {
    let feet = s.feet();
    let (cx, cz) = visited::patch_of(feet);
    let (hx, hz) = s.visited.heading;
    let around = (-AHEAD..=AHEAD).flat_map(|x| (-AHEAD..=AHEAD).map(move |z| (cx + x, cz + z)));
    let mut best = ((cx + 1, cz), f64::INFINITY);
    for patch in around {
        let known = match s.visited.look(patch, since) {
            Some(PatchKnowledge::Visited) => continue,
            Some(PatchKnowledge::Glanced) => GLANCED,
            None => 0.0,
        };
        let (x, z) = middle(patch);
        let (dx, dz) = (f64::from(x - feet.x), f64::from(z - feet.z));
        let length = (dx * dx + dz * dz).sqrt().max(1.0);
        let turn = 1.0 - (dx * hx + dz * hz) / length;
        let sure = length + TURN * turn + known;
        if sure >= best.1 {
            continue;
        }
        let price = sure + wet(s, x, z) + s.chance.unit() * CHANCE;
        if price < best.1 {
            best = (patch, price);
        }
    }
    best.0
}

/// What it costs more to swim through the water known on the way and around its end.
fn wet(s: &Senses, x: i32, z: i32) -> f64 {
    let feet = s.feet();
    // From afar only every third block of a lake is seen.
    let around = || (-1..=1).flat_map(|dx| (-1..=1).map(move |dz| (dx, dz)));
    let is_wet = |x: i32, z: i32| {
        let near = |(dx, dz)| s.seen.nature(Pos::new(x + dx, SEA_LEVEL, z + dz));
        around().any(|off| near(off).is_water())
    };
    let on_the_way = (1..=SOUNDINGS).filter(|at| {
        let part = |from: i32, to: i32| from + (to - from) * at / SOUNDINGS;
        is_wet(part(feet.x, x), part(feet.z, z))
    });
    let step = PATCH / 4;
    let corners = [(step, step), (-step, step), (step, -step), (-step, -step)];
    let around = corners.iter().filter(|(dx, dz)| is_wet(x + dx, z + dz));
    let far = feet.distance(Pos::new(x, feet.y, z));
    let share = |count: usize, of: i32| count as f64 / f64::from(of);
    WET * (far * share(on_the_way.count(), SOUNDINGS) + f64::from(PATCH) * share(around.count(), 4))
}
