//! Ambush: who hunts what comes out at night in few kinds of land does not leave such land once it is there.
//!
//! By day it stays where it is, at night it goes around in that land. Invariant: only hunts do so, and only while the
//! search would lead to other land.

use super::super::primitives::reflexes;
use super::super::senses::{BodyHandle, Senses};
use super::super::terrain::biome::homes::Biomes;
use super::super::time::is_day;
use super::super::visited::{Patch, patch_of};
use super::End;
use super::wanted::Wanted;
use crate::mob::MobKind;
use crate::observation::Pause;

/// Ticks of waiting between two looks around, and between two glances at what happens.
const WAIT_TICKS: u32 = 100;
const WATCH_EVERY: u32 = 10;
/// Waits and ways of one search, as many as there are waits in a day.
pub(super) const MOMENTS_MAX: u32 = 24_000 / WAIT_TICKS;
/// Patches to each side among which one goes around.
const AROUND: i32 = 3;

/// What there is to do in an ambush.
pub(super) enum Ambush {
    /// It is day: the prey will come.
    Wait,
    /// Go there: nobody has been there for the longest time.
    Go(Patch),
}

/// The land in which the prey of a hunt is waited for; None if it comes out by day or in most kinds of land.
pub(super) fn land(s: &Senses, wanted: &Wanted, homes: Option<Biomes>) -> Option<Biomes> {
    let is_of_night = |mob: &MobKind| mob.facts().hostile;
    let is_hunt = s.monster.is_some() && wanted.mobs.iter().all(is_of_night);
    homes.filter(|_| is_hunt)
}

/// What to do near such land; `next` is where a search would go from here.
pub(super) fn lie_in(s: &Senses, land: Biomes, next: Patch) -> Option<Ambush> {
    let is_such = |patch: &Patch| s.lands.get(*patch).is_some_and(|biome| land.holds(biome));
    if is_such(&next) {
        return None;
    }
    let here = patch_of(s.feet());
    let side = || -AROUND..=AROUND;
    let around = side().flat_map(|x| side().map(move |z| (here.0 + x, here.1 + z)));
    let around = around.filter(is_such);
    if is_day(s.time) {
        let far = |patch: &Patch| (patch.0 - here.0).abs() + (patch.1 - here.1).abs();
        let nearest = around.min_by_key(|patch| (far(patch), *patch))?;
        return Some(if nearest == here {
            Ambush::Wait
        } else {
            Ambush::Go(nearest)
        });
    }
    let others = around.filter(|patch| *patch != here);
    let stalest = others.min_by_key(|patch| (s.visited.last_look(*patch), *patch))?;
    Some(Ambush::Go(stalest))
}

/// Waits for a moment, and deals with what comes meanwhile.
pub(super) async fn wait(body: &BodyHandle) -> End {
    for tick in 0..WAIT_TICKS {
        if tick % WATCH_EVERY == 0 {
            reflexes::watch(body).await?;
        }
        body.pause(Pause::Dusk).await;
    }
    Ok(())
}
