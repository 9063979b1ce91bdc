//! Exploring: breadth first over the land around, patch by patch, towards what was not visited.
//!
//! It takes nothing. Invariant: ends when something wanted is in sight, or after a bounded walk.

use super::super::path::goal::Goal;
use super::super::senses::{Hands, Senses};
use super::travel::{self, Manner};
use super::tunnel;
use super::wanted::{self, Wanted};
use super::{End, depth};
use crate::world::action::{ActionFailure, Target};
use crate::world::space::Pos;
use std::collections::BTreeSet;

/// Side of a patch: half of what is seen clearly to both sides of the way.
const PATCH: i32 = 32;
/// Patches visited before the search is given up.
const PATCHES_MAX: usize = 60;
/// Legs in a row that failed before the search is given up.
const FAILED_MAX: u32 = 8;
/// How close to the middle of a patch is there.
const THERE: f64 = 10.0;
/// Rays to look around with at the end of a leg.
const LOOK: u32 = 300;
/// Ticks to wait for that look.
const LOOK_TICKS: u32 = 10;

/// Looks for any of the targets.
pub(crate) async fn explore(hands: &Hands, targets: &[Target]) -> End {
    let wanted = Wanted::of(targets);
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
    search(hands, &wanted, first).await
}

/// Finds one of the wanted: above ground by wandering, in rock by tunnelling.
pub(crate) async fn search(hands: &Hands, wanted: &Wanted, target: &Target) -> End {
    if hands.with(|s| wanted::nearest(s, wanted)).is_some() {
        return Ok(());
    }
    let is_under = hands.with(|s| !s.sky);
    let found = if wanted.is_rock() {
        tunnel::search(hands, wanted).await
    } else {
        if is_under {
            depth::surface(hands).await?;
        }
        wander(hands, wanted).await
    };
    match found {
        Ok(true) => Ok(()),
        Ok(false) => Err(ActionFailure::NoTarget {
            target: target.clone(),
            y: hands.with(|s| s.feet().y),
        }),
        Err(failure) => Err(failure),
    }
}

/// Wanders; that can wait for the day, unless it is after what comes out at night.
async fn wander(hands: &Hands, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let is_night_work = wanted.mobs.iter().any(|mob| mob.facts().hostile);
    let was_roaming = hands.with(|s| std::mem::replace(&mut s.is_roaming, !is_night_work));
    let found = visit_patches(hands, wanted).await;
    hands.with(|s| s.is_roaming = was_roaming);
    found
}

/// Visits patch after patch; true once something wanted is known.
async fn visit_patches(hands: &Hands, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let mut visited: BTreeSet<(i32, i32)> = BTreeSet::new();
    let mut heading = (0.0, 0.0);
    let mut failed = 0;
    let found = |s: &Senses| wanted::nearest(s, wanted).is_some();
    look_around(hands).await;
    while visited.len() < PATCHES_MAX && failed < FAILED_MAX {
        if hands.with(|s| found(s)) {
            return Ok(true);
        }
        let here = hands.with(|s| s.feet());
        visited.insert(patch_of(here));
        let next = hands.with(|s| next_patch(s, &visited, heading));
        visited.insert(next);
        let middle = Pos::new(
            next.0 * PATCH + PATCH / 2,
            here.y,
            next.1 * PATCH + PATCH / 2,
        );
        let (dx, dz) = (f64::from(middle.x - here.x), f64::from(middle.z - here.z));
        let length = (dx * dx + dz * dz).sqrt().max(1.0);
        heading = (dx / length, dz / length);
        let goal = Goal::Flat {
            x: middle.x,
            z: middle.z,
            range: THERE,
        };
        let changes = std::sync::atomic::AtomicU64::new(0);
        let enough = |s: &Senses| {
            // Asking the memory costs; ask only when it has grown.
            let now = s.seen.changes() / 64;
            changes.swap(now, std::sync::atomic::Ordering::Relaxed) != now && found(s)
        };
        match travel::travel_until(hands, &goal, Manner::Dig, &enough).await {
            Ok(()) => failed = 0,
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => failed += 1,
            Err(failure) => return Err(failure),
        }
        look_around(hands).await;
    }
    Ok(hands.with(|s| found(s)))
}

/// One look all around, and the ticks it takes.
pub(crate) async fn look_around(hands: &Hands) {
    hands.with(|s| s.look_around = LOOK);
    for _ in 0..LOOK_TICKS {
        hands.idle().await;
    }
}

fn patch_of(p: Pos) -> (i32, i32) {
    (p.x.div_euclid(PATCH), p.z.div_euclid(PATCH))
}

/// The nearest patch not visited, rather ahead than behind; chance decides between equals.
fn next_patch(s: &mut Senses, visited: &BTreeSet<(i32, i32)>, heading: (f64, f64)) -> (i32, i32) {
    let feet = s.feet();
    let (cx, cz) = patch_of(feet);
    let mut best = ((cx + 1, cz), f64::INFINITY);
    for radius in 1_i32..=8 {
        for x in cx - radius..=cx + radius {
            for z in cz - radius..=cz + radius {
                if (x - cx).abs().max((z - cz).abs()) != radius || visited.contains(&(x, z)) {
                    continue;
                }
                let dx = f64::from(x * PATCH + PATCH / 2 - feet.x);
                let dz = f64::from(z * PATCH + PATCH / 2 - feet.z);
                let length = (dx * dx + dz * dz).sqrt().max(1.0);
                let turn = 1.0 - (dx * heading.0 + dz * heading.1) / length;
                let price = length + 24.0 * turn + s.chance.unit() * 8.0;
                if price < best.1 {
                    best = ((x, z), price);
                }
            }
        }
        if best.1.is_finite() {
            break;
        }
    }
    best.0
}
