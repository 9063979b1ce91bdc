//! Travelling: plan, follow, plan again, until the goal is reached or cannot be.
//!
//! Invariant: bounded re-planning; a way that does not come nearer ends as `NoPath` or `Stuck`.

use super::super::follow::{self, Halt};
use super::super::path::goal::Goal;
use super::super::path::{self, Means, NoWay, Path};
use super::super::senses::{Hands, Senses};
use super::wanted::{self, Wanted};
use super::{End, explore, reflex};
use crate::action::{ActionFailure, Target};
use crate::space::Pos;

/// Plans for one goal before giving up.
const REPLANS_MAX: u32 = 60;
/// Plans in a row that brought the body no nearer.
const FRUITLESS_MAX: u32 = 6;
/// Steps of a part of a way that are followed before planning on: what is seen on the way counts.
const PARTIAL_STEPS_MAX: usize = 24;

/// What a traveller may do to the land.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Leave everything as it is.
    Walk,
    /// Dig through what is known, put blocks down.
    Dig,
    /// Also dig into the unknown.
    Burrow,
}

/// Goes to a goal, looking after the body on the way.
pub(crate) async fn travel(hands: &Hands, goal: &Goal, manner: Manner) -> End {
    go(hands, goal, manner, true, &|_| false).await
}

/// As `travel`, and ends early, well, once `enough` holds.
pub(crate) async fn travel_until(
    hands: &Hands,
    goal: &Goal,
    manner: Manner,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    go(hands, goal, manner, true, enough).await
}

/// Goes to a goal without minding anything else; for those who flee.
pub(crate) async fn rush(hands: &Hands, goal: &Goal, manner: Manner) -> End {
    go(hands, goal, manner, false, &|_| false).await
}

/// As `rush`, and ends early, well, once `enough` holds.
pub(crate) async fn rush_until(
    hands: &Hands,
    goal: &Goal,
    manner: Manner,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    go(hands, goal, manner, false, enough).await
}

async fn go(
    hands: &Hands,
    goal: &Goal,
    manner: Manner,
    is_watchful: bool,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    let mut best = u32::MAX;
    let mut fruitless = 0;
    for _ in 0..REPLANS_MAX {
        if is_watchful {
            reflex::watch(hands).await?;
        }
        let (is_done, estimate) = hands.with(|s| {
            let feet = s.feet();
            (goal.is_met(&s.seen, feet) || enough(s), goal.estimate(feet))
        });
        if is_done {
            return Ok(());
        }
        if estimate < best {
            (best, fruitless) = (estimate, 0);
        } else {
            fruitless += 1;
        }
        if fruitless > FRUITLESS_MAX {
            return Err(ActionFailure::Stuck {
                at: hands.with(|s| s.feet()),
            });
        }
        let path = match hands.with(|s| plan(s, goal, manner)) {
            Ok(path) => path,
            Err(NoWay { blocked_by }) => {
                if hands.with(|s| !s.on_ground && !s.in_water) {
                    // In mid-air there is no way from anywhere: land first.
                    hands.idle().await;
                    continue;
                }
                let to = hands.with(|s| goal.place(s.feet()));
                return Err(ActionFailure::NoPath { to, blocked_by });
            }
        };
        let now = hands.with(|s| s.tick);
        follow_path(hands, &path, is_watchful, enough).await?;
        if hands.with(|s| s.tick) == now {
            // Every plan costs at least a tick, or a wrong one could be made for ever in no time.
            hands.idle().await;
        }
    }
    Err(ActionFailure::Stuck {
        at: hands.with(|s| s.feet()),
    })
}

/// A body that bobs in the water is above it every other moment; it sets out from the water all
/// the same, or it would try to jump from the surface as from a floor.
fn start(s: &Senses) -> Pos {
    let feet = s.feet();
    let afloat =
        !s.on_ground && s.seen.nature(feet).is_air() && s.seen.nature(feet.down()).is_water();
    if afloat { feet.down() } else { feet }
}

fn plan(s: &mut Senses, goal: &Goal, manner: Manner) -> Result<Path, NoWay> {
    s.dig_costs.refresh(&s.slots);
    let means = Means {
        dig: (manner != Manner::Walk).then_some(&s.dig_costs),
        through_unknown: manner == Manner::Burrow,
        blocks: if manner == Manner::Walk {
            0
        } else {
            s.filler_count()
        },
    };
    path::find(&s.seen, start(s), goal, means)
}

async fn follow_path(
    hands: &Hands,
    path: &Path,
    is_watchful: bool,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    let limit = if path.complete {
        path.steps.len()
    } else {
        path.steps.len().min(PARTIAL_STEPS_MAX)
    };
    for (i, step) in path.steps[..limit].iter().enumerate() {
        if hands.with(|s| enough(s)) {
            return Ok(());
        }
        if is_watchful && reflex::watch(hands).await? {
            return Ok(());
        }
        if hands.with(|s| s.feet()) != step.from {
            return Ok(());
        }
        match follow::step(hands, step, path.steps.get(i + 1)).await {
            Ok(()) => {}
            Err(Halt::Changed) => return Ok(()),
            Err(Halt::Stuck) => return shake_free(hands).await,
            Err(Halt::Failed(failure)) => return Err(failure),
        }
    }
    Ok(())
}

/// Stuck on an edge or a corner: a step aside and a jump, by chance.
async fn shake_free(hands: &Hands) -> End {
    use super::super::controls::Controls;
    let yaw = hands.with(|s| s.chance.below(8)) as f32 * 45.0;
    for _ in 0..6 {
        let is_risky = hands.with(|s| {
            let feet = s.feet();
            [(1, 0), (-1, 0), (0, 1), (0, -1)].iter().any(|(x, z)| {
                let beside = s.seen.nature(feet.plus(*x, -1, *z));
                !beside.is_floor() && !beside.is_water()
            })
        });
        let forward = i8::from(!is_risky);
        hands
            .act(Controls {
                forward,
                jump: true,
                yaw,
                ..Controls::default()
            })
            .await;
    }
    Ok(())
}

/// Walks to within `range` blocks of a place.
pub(crate) async fn goto(hands: &Hands, at: Pos, range: u32) -> End {
    let goal = if range >= ROUGHLY {
        // What is so far from exact names a region; its height is not known before it is seen.
        let range = f64::from(range) / 2.0;
        Goal::Flat {
            x: at.x,
            z: at.z,
            range,
        }
    } else {
        Goal::Near {
            at,
            range: f64::from(range).max(0.9),
        }
    };
    travel(hands, &goal, manner_here(hands)).await
}

/// From this range on, a place is rather a direction.
const ROUGHLY: u32 = 8;

/// Below ground one digs, above one walks around.
pub(crate) fn manner_here(hands: &Hands) -> Manner {
    if hands.with(|s| s.sky) {
        Manner::Dig
    } else {
        Manner::Burrow
    }
}

/// Goes to the nearest known target, looking for one when none is known.
pub(crate) async fn approach(hands: &Hands, target: &Target, range: u32) -> End {
    let targets = std::slice::from_ref(target);
    let wanted = Wanted::of(targets);
    if hands.with(|s| wanted::nearest(s, &wanted)).is_none() {
        explore::explore(hands, targets).await?;
    }
    for _ in 0..REPLANS_MAX {
        let Some(at) = hands.with(|s| wanted::nearest(s, &wanted)) else {
            break;
        };
        if hands.with(|s| s.feet().distance(at) <= f64::from(range) + 0.9) {
            return Ok(());
        }
        let goal = Goal::Near {
            at,
            range: f64::from(range).max(1.5),
        };
        travel(hands, &goal, manner_here(hands)).await?;
    }
    Err(ActionFailure::NoTarget {
        target: target.clone(),
        y: hands.with(|s| s.feet().y),
    })
}
