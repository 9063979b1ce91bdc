//! What is near: the nearest known block, source or mob, and what its absence means.
//!
//! The body lists notable blocks only (stations, ores, logs), so that no log in the list means no
//! log near, while no dirt in the list means nothing.

use super::{Place, Truth};
use crate::domain::condition::situation::Situation;
use pithead_world::action::Target;
use pithead_world::block::BlockId;
use pithead_world::drops::blocks_dropping;
use pithead_world::family::ItemSpec;

/// Blocks from the feet to the nearest known one, straight line.
/// None if none is known; `absence` says what that means.
pub(super) fn nearest(place: &Place, now: &Situation<'_>) -> Option<f64> {
    let here = now.position?;
    match place {
        Place::At(at) => Some(here.block().distance(*at)),
        Place::Thing(Target::Mob(kind)) => {
            let mobs = now.mobs?.iter().filter(|mob| mob.kind == *kind);
            mobs.map(|mob| here.distance(mob.at)).min_by(f64::total_cmp)
        }
        Place::Thing(Target::Block(block)) => nearest_block(now, |seen| seen == *block),
        Place::Thing(Target::Source(item)) => {
            let sources = sources(*item);
            nearest_block(now, |seen| sources.contains(&seen))
        }
    }
}

fn nearest_block(now: &Situation<'_>, fits: impl Fn(BlockId) -> bool) -> Option<f64> {
    let here = now.position?.block();
    let sights = now.notable?.iter().filter(|sight| fits(sight.block));
    sights
        .map(|sight| here.distance(sight.at))
        .min_by(f64::total_cmp)
}

/// What it means that none is known.
pub(super) fn absence(place: &Place, now: &Situation<'_>) -> Truth {
    // Whether the frame would list such a thing if it were near.
    let listed = match place {
        Place::At(_) => false,
        Place::Thing(Target::Mob(_)) => now.mobs.is_some(),
        Place::Thing(Target::Block(block)) => now.notable.is_some() && is_notable(*block),
        // All of the sources: one that is not listed could be near unseen.
        Place::Thing(Target::Source(item)) => {
            now.notable.is_some() && sources(*item).into_iter().all(is_notable)
        }
    };
    if listed { Truth::False } else { Truth::Unknown }
}

fn sources(item: ItemSpec) -> Vec<BlockId> {
    blocks_dropping(item)
        .iter()
        .map(|source| source.block)
        .collect()
}

/// Whether the body lists such blocks whenever it knows one nearby.
fn is_notable(block: BlockId) -> bool {
    let name = block.name();
    name.ends_with("_ore")
        || name.ends_with("_log")
        || matches!(name, "crafting_table" | "furnace" | "chest")
}
