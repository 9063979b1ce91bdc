//! Prospecting: ore that few kinds of land bear is dug for in such land, at the height where it lies.
//!
//! Which land bears it is common knowledge; where such land is has to be seen. Invariant: nothing is done about what lies
//! under any land.

use super::super::senses::{BodyHandle, Senses};
use super::super::terrain::biome::homes::{Biomes, homes};
use super::super::visited::patch_of;
use super::wanted::Wanted;
use super::{depth, explore};
use crate::action::ActionFailure;
use crate::ore::{best_height, is_bound_to_land};
use crate::space::Pos;

/// From so far above the height of the ore one digs down to it.
const LEVELS: i32 = 8;

/// The land that all of the wanted ore lies under; None if it lies anywhere.
pub(super) fn land(wanted: &Wanted) -> Option<Biomes> {
    let is_bound = wanted.blocks.iter().all(|block| is_bound_to_land(*block));
    homes(&wanted.blocks, &wanted.mobs).filter(|_| is_bound)
}

/// Goes to such land and down to the ore; false if there is none to be found.
pub(super) async fn go_there(body: &BodyHandle, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let Some(land) = land(wanted) else {
        return Ok(true);
    };
    if !body.with(|s| is_such(s, land, s.feet())) {
        if body.with(|s| !s.sky) {
            depth::surface(body).await?;
        }
        if !explore::wander(body, &Wanted::land(land)).await? {
            return Ok(false);
        }
    }
    let heights = wanted.blocks.iter().filter_map(|block| best_height(*block));
    let y = heights.max().unwrap_or(i32::MAX);
    if body.with(|s| s.feet().y - LEVELS > y) {
        depth::dig_down_until(body, y, &|s| super::wanted::is_found(s, wanted)).await?;
    }
    Ok(true)
}

/// It is known that the place lies in such land.
pub(super) fn is_such(s: &Senses, land: Biomes, at: Pos) -> bool {
    let known = s.lands.get(patch_of(at));
    known.is_some_and(|there| land.holds(there))
}
