//! Attacking: after the nearest mob of a kind until it is dead, then for what it dropped.

use super::super::senses::{BodyHandle, Senses};
use super::hunt::{Hunt, SPILL, hunt};
use super::pick_up::pick_up;
use super::purpose::Purpose;
use super::stalk::stalk;
use super::wanted::{self, Wanted};
use super::{End, explore, forage};
use crate::action::{ActionFailure, OtherPrey, Target};
use crate::family::ItemSpec;
use crate::mob::MobKind;
use crate::space::Pos;

/// What lies so near is picked up, in blocks.
const SEEN: f64 = 48.0;
/// Kills of one action.
const KILLS_MAX: u32 = 64;
/// Hunts and searches for one kill before the action gives up.
const HUNTS_MAX: u32 = 16;
/// So many blocks from where there was no getting at a mob, it is tried again.
const ELSEWHERE: f64 = 12.0;

/// Kills mobs of the kind and takes what they drop until `count` more of `gain` are held; without
/// a gain, one. Whatever else is wanted is taken where it is met first.
pub(crate) async fn attack(
    body: &BodyHandle,
    kind: MobKind,
    gain: Option<ItemSpec>,
    count: u32,
    also: &[OtherPrey],
) -> End {
    let Some(item) = gain else {
        return kill_one(body, kind, None, &[]).await;
    };
    let goal = body.with(|s| s.count(item)) + count.max(1);
    for _ in 0..KILLS_MAX {
        if kind.facts().hostile && body.with(|s| lies_about(s, item)) {
            pick_up(body, SEEN, &|loose| item.matches(loose)).await?;
        } else {
            kill_one(body, kind, Some(item), also).await?;
        }
        if body.with(|s| s.count(item)) >= goal {
            return Ok(());
        }
    }
    Err(ActionFailure::NoTarget {
        target: Target::Source(item),
        y: body.with(|s| s.feet().y),
    })
}

/// Some of what is wanted lies on the ground in sight: the sun has killed too.
fn lies_about(s: &Senses, item: ItemSpec) -> bool {
    let mut loose = s.loose.iter();
    loose.any(|loose| item.matches(loose.item) && loose.at.distance(s.at) < SEEN)
}

async fn kill_one(
    body: &BodyHandle,
    kind: MobKind,
    gain: Option<ItemSpec>,
    also: &[OtherPrey],
) -> End {
    let target = Target::Mob(kind);
    let still = |other: &&OtherPrey| body.with(|s| s.count(other.gain)) < other.hold;
    let others = also
        .iter()
        .filter(still)
        .map(|other| Target::Mob(other.mob));
    let targets: Vec<Target> = std::iter::once(target.clone()).chain(others).collect();
    let mut wanted = Wanted::from_targets(&targets);
    wanted.loose = gain.filter(|_| kind.facts().hostile);
    wanted.purpose = gain.map_or(Purpose::Any, |gain| Purpose::Kill { gain });
    let mut aside: Vec<(u64, Pos)> = Vec::new();
    let mut out_of_reach = None;
    for _ in 0..HUNTS_MAX {
        // From elsewhere there may be a way to it.
        let feet = body.with(|s| s.feet());
        let is_here = |(_, from): &&(u64, Pos)| from.distance(feet) < ELSEWHERE;
        wanted.spent = aside.iter().filter(is_here).map(|(id, _)| *id).collect();
        if kind.facts().hostile {
            forage::make_fit(body).await?;
        }
        let Some(prey) = body.with(|s| wanted::nearest_mob(s, &wanted)) else {
            // That a known one cannot be got at says more than that there is no other.
            match explore::search(body, &wanted, &target).await {
                Err(ActionFailure::NoTarget { target, y }) => {
                    return Err(out_of_reach.unwrap_or(ActionFailure::NoTarget { target, y }));
                }
                end => end?,
            }
            if wanted
                .loose
                .is_some_and(|item| body.with(|s| lies_about(s, item)))
            {
                return Ok(());
            }
            continue;
        };
        if wanted.purpose.waits_for(&prey) {
            stalk(body, prey).await?;
            continue;
        }
        match hunt(body, prey).await? {
            Hunt::Killed => return pick_up(body, SPILL, &|_| true).await,
            Hunt::OutOfReach(failure) => {
                aside.push((prey.id, body.with(|s| s.feet())));
                out_of_reach = Some(failure);
            }
            Hunt::Lost => {}
        }
    }
    let y = body.with(|s| s.feet().y);
    Err(out_of_reach.unwrap_or(ActionFailure::NoTarget { target, y }))
}
