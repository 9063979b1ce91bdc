//! Attacking: after the nearest mob of a kind until it is dead, then for what it dropped.

use super::super::senses::BodyHandle;
use super::hunt::{Hunt, SPILL, hunt};
use super::pick_up::pick_up;
use super::{End, explore, forage};
use crate::action::{ActionFailure, Target};
use crate::family::ItemSpec;
use crate::mob::MobKind;

/// Kills of one action.
const KILLS_MAX: u32 = 64;
/// Mobs of the kind that are hunted before the action gives up.
const HUNTS_MAX: u32 = 6;

/// Kills mobs of the kind and takes what they drop until `count` more of `gain` are held; without
/// a gain, one.
pub(crate) async fn attack(
    body: &BodyHandle,
    kind: MobKind,
    gain: Option<ItemSpec>,
    count: u32,
) -> End {
    let Some(item) = gain else {
        return kill_one(body, kind).await;
    };
    let goal = body.with(|s| s.count(item)) + count.max(1);
    for _ in 0..KILLS_MAX {
        kill_one(body, kind).await?;
        if body.with(|s| s.count(item)) >= goal {
            return Ok(());
        }
    }
    Err(ActionFailure::NoTarget {
        target: Target::Source(item),
        y: body.with(|s| s.feet().y),
    })
}

async fn kill_one(body: &BodyHandle, kind: MobKind) -> End {
    let target = Target::Mob(kind);
    let mut sheltered: Vec<u64> = Vec::new();
    for _ in 0..HUNTS_MAX {
        if kind.facts().hostile {
            forage::make_fit(body).await?;
        }
        let prey = body.with(|s| {
            let mut herd = s.mobs.iter().filter(|mob| mob.kind == kind);
            herd.find(|mob| !sheltered.contains(&mob.id)).copied()
        });
        let Some(prey) = prey else {
            explore::explore(body, std::slice::from_ref(&target)).await?;
            continue;
        };
        match hunt(body, prey).await? {
            Hunt::Killed => return pick_up(body, SPILL, &|_| true).await,
            Hunt::Sheltered => sheltered.push(prey.id),
            Hunt::Lost => {}
        }
    }
    Err(ActionFailure::NoTarget {
        target,
        y: body.with(|s| s.feet().y),
    })
}
