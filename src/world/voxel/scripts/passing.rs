//! Passing: who digs down takes the ore that later steps of the plan mine, where it shows close to the way.
//!
//! A way back up to it would cost more than the way there. Invariant: what cannot be got at is left, and nothing is looked
//! for.

use super::super::senses::{BodyHandle, Senses};
use super::{End, depth, mine, wanted};
use crate::action::OtherOre;
use crate::block::can_harvest;
use crate::space::Pos;

/// So far from the way, in blocks over the ground, ore is worth the tunnel to it.
const ASIDE: i32 = 12;
/// Each level above the head costs as much as so many blocks over the ground.
const LEVEL_PRICE: i32 = 3;
/// What lies farther below is reached by digging on.
const BELOW: i32 = 1;
/// So many known pieces of ore are looked at, and so many are taken on one way down.
const CANDIDATES: usize = 12;
const PIECES_MAX: u32 = 64;

/// Ore beside the way, and what it is taken for.
#[derive(Debug, Clone, Copy)]
struct Find {
    at: Pos,
    ore: OtherOre,
}

/// Digs down until the feet are at or below `y`, and takes what is wanted of the ore beside the way.
pub(crate) async fn dig_down(body: &BodyHandle, y: i32, also: &[OtherOre]) -> End {
    let mut left: Vec<Pos> = Vec::new();
    for _ in 0..PIECES_MAX {
        depth::dig_down_until(body, y, &|s| find(s, also, &left).is_some()).await?;
        let Some(Find { at, ore }) = body.with(|s| find(s, also, &left)) else {
            return Ok(());
        };
        mine::mine_at(body, ore.item, ore.hold, at).await?;
        left.push(at);
    }
    depth::dig_down_until(body, y, &|_| false).await
}

/// The nearest ore of which there is not enough yet, if it is worth the way and the tools at hand suffice.
fn find(s: &Senses, also: &[OtherOre], left: &[Pos]) -> Option<Find> {
    let feet = s.feet();
    let near = |ore: &OtherOre| {
        let sources = wanted::sources(ore.item);
        let is_ore = |block| sources.contains(&block) && can_harvest(block, s.tool_for(block));
        let known = s
            .seen
            .nearest(feet, f64::from(ASIDE), CANDIDATES + left.len(), is_ore);
        let fits = |(at, _): &(Pos, _)| {
            price(*at, feet) <= ASIDE && at.y >= feet.y - BELOW && !left.contains(at)
        };
        let ore = *ore;
        known
            .into_iter()
            .filter(fits)
            .map(move |(at, _)| Find { at, ore })
    };
    let lacking = also.iter().filter(|ore| s.count(ore.item) < ore.hold);
    lacking
        .flat_map(near)
        .min_by_key(|find| (price(find.at, feet), find.at))
}

/// Blocks of tunnel to what lies there.
fn price(at: Pos, feet: Pos) -> i32 {
    let above = (at.y - feet.y - 1).max(0);
    (at.x - feet.x).abs() + (at.z - feet.z).abs() + above * LEVEL_PRICE
}
