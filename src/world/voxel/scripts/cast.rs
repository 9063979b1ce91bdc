//! Casting: water poured over lava that stands open makes obsidian of it.
//!
//! Invariant: the water is taken back, or the bucket is known to be empty; the place of
//! lava that did not turn is returned, so that it is not tried again.

use super::super::primitives::handling;
use super::super::senses::{BodyHandle, Senses};
use super::use_on;
use crate::action::ActionFailure;
use crate::block as blocks;
use crate::item::ItemId;
use crate::space::Pos;

/// How far off known lava is worth the way, and how many cells of it are looked at.
/// Blocks.
const FAR: f64 = 64.0;
const CELLS_MAX: usize = 256;
/// Ticks in which water runs over a pool, and in which it dries up again.
const FLOW_TICKS: u32 = 40;
const DRY_TICKS: u32 = 30;

/// Water is at hand for it.
pub(crate) fn can(s: &Senses) -> bool {
    named("water_bucket").is_some_and(|water| s.slots.count(water) > 0)
}

/// Lava that water can be poured upon, nearest first, and all other that is known.
pub(crate) fn pools(s: &Senses, tried: &[Pos]) -> (Option<Pos>, Vec<Pos>) {
    let known = s
        .seen
        .nearest(s.feet(), FAR, CELLS_MAX, |block| block == blocks::LAVA);
    // Only with air above can water be poured on it.
    let is_open = |at: Pos| s.seen.nature(at.up()).is_air() && !tried.contains(&at);
    let (open, buried): (Vec<Pos>, Vec<Pos>) = known
        .into_iter()
        .map(|(at, _)| at)
        .partition(|at| is_open(*at));
    (open.first().copied(), buried)
}

/// Pours water over it, lets it run, and takes the water back; false if there was no getting there.
pub(crate) async fn cast(body: &BodyHandle, at: Pos) -> Result<bool, ActionFailure> {
    let (Some(water), Some(bucket)) = (named("water_bucket"), named("bucket")) else {
        return Ok(false);
    };
    if !use_on::approach_block(body, at).await? {
        return Ok(false);
    }
    let cell = at.up();
    handling::hold(body, water).await?;
    if !handling::click(body, cell).await {
        // Two seconds: water spreads one block in five ticks.
        return Ok(false);
    }
    wait(body, FLOW_TICKS).await;
    // The source is taken back; what has flowed dries up.
    handling::hold(body, bucket).await?;
    handling::click(body, cell).await;
    wait(body, DRY_TICKS).await;
    Ok(true)
}

async fn wait(body: &BodyHandle, ticks: u32) {
    for _ in 0..ticks {
        body.idle().await;
    }
}

fn named(name: &str) -> Option<ItemId> {
    ItemId::named(name)
}
