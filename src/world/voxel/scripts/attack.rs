//! Attacking: after the nearest mob of a kind until it is dead, then for what it dropped.

use super::super::body::turn;
use super::super::controls::{Aim, Controls, Outcome};
use super::super::hand;
use super::super::path::goal::Goal;
use super::super::senses::{Hands, Living, Senses};
use super::pick_up::pick_up;
use super::travel::{self, Manner};
use super::{End, explore, fight, forage};
use crate::action::{ActionFailure, Target};
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::space::{Point, Pos};

/// Ticks of one hunt.
const HUNT_TICKS_MAX: u64 = 2_400;
/// A blow reaches this far from the eyes.
const REACH: f64 = 2.9;
/// From here on a hostile is fought, not hunted.
const DUEL: f64 = 5.0;
/// Out of sight for so long, it is lost.
const LOST_TICKS: u64 = 60;
/// What it drops lies within this.
const SPILL: f64 = 8.0;
/// Steps ahead that are looked at in a fight, and how far down one may land.
const STEPS: [f64; 3] = [0.6, 1.2, 1.8];
const DROP_MAX: i32 = 3;
/// Kills of one action.
const KILLS_MAX: u32 = 64;
/// Mobs of the kind that are hunted before the action gives up.
const HUNTS_MAX: u32 = 6;

/// Blows in a row that did not land before one goes nearer, and how often one does.
const MISSES_MAX: u32 = 4;
const APPROACHES_MAX: u32 = 2;

/// How a hunt ended.
enum Hunt {
    Killed,
    Lost,
    /// Near enough, and something is between.
    Sheltered,
}

/// Kills mobs of the kind and takes what they drop until `count` more of `gain` are held; without
/// a gain, one.
pub(crate) async fn attack(
    hands: &Hands,
    kind: MobKind,
    gain: Option<ItemSpec>,
    count: u32,
) -> End {
    let Some(item) = gain else {
        return kill_one(hands, kind).await;
    };
    let goal = hands.with(|s| s.count(item)) + count.max(1);
    for _ in 0..KILLS_MAX {
        kill_one(hands, kind).await?;
        if hands.with(|s| s.count(item)) >= goal {
            return Ok(());
        }
    }
    Err(ActionFailure::NoTarget {
        target: Target::Source(item),
        y: hands.with(|s| s.feet().y),
    })
}

async fn kill_one(hands: &Hands, kind: MobKind) -> End {
    let target = Target::Mob(kind);
    let mut sheltered: Vec<u64> = Vec::new();
    for _ in 0..HUNTS_MAX {
        if kind.facts().hostile {
            forage::make_fit(hands).await?;
        }
        let prey = hands.with(|s| {
            let mut herd = s.mobs.iter().filter(|mob| mob.kind == kind);
            herd.find(|mob| !sheltered.contains(&mob.id)).copied()
        });
        let Some(prey) = prey else {
            explore::explore(hands, std::slice::from_ref(&target)).await?;
            continue;
        };
        match hunt(hands, prey).await? {
            Hunt::Killed => return pick_up(hands, SPILL, &|_| true).await,
            Hunt::Sheltered => sheltered.push(prey.id),
            Hunt::Lost => {}
        }
    }
    Err(ActionFailure::NoTarget {
        target,
        y: hands.with(|s| s.feet().y),
    })
}

/// Kills this one and takes what it leaves; false if it got away.
pub(super) async fn slay(hands: &Hands, prey: Living) -> Result<bool, ActionFailure> {
    match hunt(hands, prey).await? {
        Hunt::Killed => pick_up(hands, SPILL, &|_| true).await.map(|()| true),
        Hunt::Lost | Hunt::Sheltered => Ok(false),
    }
}

async fn hunt(hands: &Hands, prey: Living) -> Result<Hunt, ActionFailure> {
    hand::close(hands).await?;
    let start = hands.with(|s| s.tick);
    let (mut seen_at, mut last) = (start, prey);
    let mut struck = false;
    let (mut misses, mut approaches) = (0, 0);
    while hands.with(|s| s.tick) < start + HUNT_TICKS_MAX {
        match hands.with(|s| s.mobs.iter().find(|mob| mob.id == prey.id).copied()) {
            Some(now) => (last, seen_at) = (now, hands.with(|s| s.tick)),
            None if struck && hands.with(|s| s.at.distance(last.at)) < 6.0 => {
                return Ok(Hunt::Killed);
            }
            None if hands.with(|s| s.tick) > seen_at + LOST_TICKS => return Ok(Hunt::Lost),
            None => {}
        }
        if last.kind.facts().hostile && hands.with(|s| s.at.distance(last.at) < DUEL) {
            fight::fight(hands).await?;
            struck = true;
            hands.idle().await;
        } else if misses < MISSES_MAX && hands.with(|s| reaches(s, last)) {
            let has_landed = strike(hands, last).await?;
            struck |= has_landed;
            misses = if has_landed { 0 } else { misses + 1 };
        } else {
            let is_screened = std::mem::take(&mut misses) >= MISSES_MAX;
            approaches += u32::from(is_screened);
            if approaches > APPROACHES_MAX {
                return Ok(Hunt::Sheltered);
            }
            let goal = Goal::Near {
                at: last.at.block(),
                range: if is_screened { 0.9 } else { 1.8 },
            };
            let came_close = |s: &Senses| {
                let now = s.mobs.iter().find(|mob| mob.id == prey.id);
                let will_do = |now: Living| !is_screened && reaches(s, now);
                now.is_some_and(|now| will_do(*now) || now.at.distance(last.at) > 3.0)
            };
            match travel::travel_until(hands, &goal, Manner::Dig, &came_close).await {
                Ok(()) => {}
                Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {
                    return Ok(if is_screened {
                        Hunt::Sheltered
                    } else {
                        Hunt::Lost
                    });
                }
                Err(failure) => return Err(failure),
            }
            hands.idle().await;
        }
    }
    Ok(Hunt::Lost)
}

/// Within reach of a blow: the nearest point of its body.
pub(crate) fn reaches(s: &Senses, mob: Living) -> bool {
    let half = mob.width / 2.0;
    let nearest = Point::new(
        s.eyes.x.clamp(mob.at.x - half, mob.at.x + half),
        s.eyes.y.clamp(mob.at.y, mob.at.y + mob.height),
        s.eyes.z.clamp(mob.at.z - half, mob.at.z + half),
    );
    s.eyes.distance(nearest) < REACH
}

/// One full blow, walking after the mob meanwhile; true if it landed.
pub(crate) async fn strike(hands: &Hands, mob: Living) -> Result<bool, ActionFailure> {
    if let Some(weapon) = hands
        .with(|s| best_weapon(s))
        .filter(|weapon| hands.with(|s| s.held) != Some(*weapon))
    {
        hand::hold(hands, weapon).await?;
    }
    let rest = hands.with(|s| s.held.map_or(4.0, |item| item.facts().attack_rate));
    let keys = hands.with(|s| chase(s, mob));
    let outcome = hands
        .act(Controls {
            attack: true,
            aim: Some(Aim::Mob(mob.id)),
            ..keys
        })
        .await;
    // A blow before the arm is back does little harm.
    for _ in 0..(20.0 / rest).ceil() as u32 {
        let Some(now) = hands.with(|s| s.mobs.iter().find(|m| m.id == mob.id).copied()) else {
            break;
        };
        let keys = hands.with(|s| chase(s, now));
        hands.act(keys).await;
    }
    Ok(matches!(outcome, Outcome::Struck(_)))
}

/// Keys that walk towards a mob while looking at it, not over an edge.
pub(crate) fn chase(s: &Senses, mob: Living) -> Controls {
    let (yaw, pitch) = turn::look_at(s.eyes, mob.at.plus(0.0, 0.5, 0.0));
    let gap = s.at.distance_flat(mob.at);
    Controls {
        yaw,
        pitch,
        forward: i8::from(gap > 1.5 && may_advance(s, mob)),
        ..Controls::default()
    }
}

/// One step towards the mob and the next end on something, not too far below.
pub(crate) fn may_advance(s: &Senses, mob: Living) -> bool {
    let bears = |at: Pos| {
        let nature = s.seen.nature(at);
        nature.is_floor() || nature.is_water()
    };
    let is_ground = |at: Pos| (0..=DROP_MAX).any(|down| bears(at.plus(0, -down, 0)));
    STEPS
        .into_iter()
        .all(|by| is_ground(cell_towards(s, mob, by)))
}

/// There are open cells with a floor behind one who looks at the mob.
pub(crate) fn has_room_behind(s: &Senses, mob: Living) -> bool {
    [-0.5, -1.0].into_iter().all(|by| {
        let behind = cell_towards(s, mob, by);
        s.seen.nature(behind).is_open() && s.seen.nature(behind.down()).is_floor()
    })
}

/// The cell so many blocks from the body on the way to the mob, level; less than 0 is away from it.
fn cell_towards(s: &Senses, mob: Living, by: f64) -> Pos {
    let gap = s.at.distance_flat(mob.at).max(0.1);
    let (x, z) = (mob.at.x - s.at.x, mob.at.z - s.at.z);
    s.at.plus(x / gap * by, 0.1, z / gap * by).block()
}

/// The carried thing that hits hardest.
pub(crate) fn best_weapon(s: &Senses) -> Option<ItemId> {
    let items = s.slots.stacks.iter().flatten().map(|stack| stack.item);
    let armed = items.filter(|item| item.facts().attack_damage > 1.0);
    armed.max_by(|a, b| {
        a.facts()
            .attack_damage
            .total_cmp(&b.facts().attack_damage)
            .then(b.cmp(a))
    })
}
