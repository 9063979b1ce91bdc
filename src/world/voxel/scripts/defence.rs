//! Defence: what is done about a hostile in sight: strike, run, or wall oneself in.
//!
//! It goes by what is in sight, how hurt the body is and what it carries. Invariant: a shelter is
//! only begun when there are blocks enough to close it.

use super::super::controls::{Aim, Controls};
use super::super::hand;
use super::super::path::goal::Goal;
use super::super::senses::{Hands, Living, Senses};
use super::travel::{self, Manner};
use super::{End, attack, fight, simple};
use crate::action::ActionFailure;
use crate::block as blocks;
use crate::mob::MobKind;
use crate::observation::Pause;
use crate::space::{Facing, Pos};

/// Health below which one does not fight on.
pub(super) const WEAK: f32 = 9.0;
/// What comes to strike matters from here on, what shoots and what goes off from farther away.
const NEAR: f64 = 4.0;
const SHOT: f64 = 12.5;
const SHOT_OUTSIDE: f64 = 8.0;
const BLAST: f64 = 7.0;
/// One who shoots is charged from this near, else hidden from.
const CHARGE: f64 = 6.0;
/// Walling in under fire is worth it where the place is nearly closed.
const GAPS_FEW: usize = 5;
/// Running this far is enough.
const FLEE: f64 = 16.0;
/// Hostiles within this keep a weak body in its shelter.
const HUNTED: f64 = 12.0;
/// A wall needs so much room; blows to make it, and ticks for what was hit to land.
const ELBOW: f64 = 2.0;
const PUSHES_MAX: u32 = 3;
const WALL_ROUNDS: u32 = 3;
const FLIGHT_TICKS: u32 = 4;
const LAVA_NEAR: f64 = 4.0;
/// Ticks to let those be that did not come.
const TRUCE_TICKS: u64 = 25;
/// Hostiles that are run from at once.
const CROWD: usize = 4;
/// A weapon that kills a creeper in so few blows is worth going at it with.
const CREEPER_BLOW: f32 = 4.0;
/// What hunts loses track of who is out of sight for so long.
const LOST_TICKS: u32 = 110;
/// Health that will do, and the patience for it.
const RESTED: f32 = 16.0;
const REST_TICKS_MAX: u32 = 800;

/// What to do about a hostile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Answer {
    Fight(Living),
    Flee(Living),
    Shelter(Living),
}

/// The hostile that has to be dealt with now, and how.
pub(crate) fn answer(s: &Senses) -> Option<Answer> {
    if s.tick < s.truce_until {
        return None;
    }
    let gap = |mob: &Living| mob.at.distance(s.at);
    // In the open one walks out of range; in a cave there is no way round.
    let is_far = |mob: &Living| s.sky && shoots(*mob) && gap(mob) > SHOT_OUTSIDE;
    let enemy = s
        .enemies()
        .find(|mob| gap(mob) < alarm(*mob) && !is_far(mob));
    let Some(enemy) = enemy else {
        let hunter = s.enemies().find(|mob| gap(mob) < HUNTED)?;
        let hides = s.health < WEAK && can_shelter(s) && !s.sky;
        return hides.then_some(Answer::Shelter(hunter));
    };
    // Blows knock: beside lava nobody fights.
    let has_lava = || {
        let near = s
            .seen
            .nearest(s.feet(), LAVA_NEAR, 1, |b| b == blocks::LAVA);
        !near.is_empty() && can_shelter(s)
    };
    let is_to_be_shunned = s.health < WEAK
        || has_lava()
        || (enemy.kind == MobKind::Creeper && !is_armed(s))
        || (shoots(enemy) && !s.sky && gap(&enemy) > CHARGE && gaps(s).len() <= GAPS_FEW);
    Some(match is_to_be_shunned {
        false => Answer::Fight(enemy),
        true if can_shelter(s) && !s.sky => Answer::Shelter(enemy),
        true => Answer::Flee(enemy),
    })
}

/// Armed well enough to kill from the length of an arm.
fn is_armed(s: &Senses) -> bool {
    attack::best_weapon(s).is_some_and(|weapon| weapon.facts().attack_damage >= CREEPER_BLOW)
}

/// How near a hostile has to be to be dealt with.
pub(super) fn alarm(enemy: Living) -> f64 {
    match enemy.kind {
        MobKind::Creeper => BLAST,
        _ if shoots(enemy) => SHOT,
        _ => NEAR,
    }
}

pub(super) fn shoots(enemy: Living) -> bool {
    matches!(
        enemy.kind,
        MobKind::Skeleton | MobKind::Stray | MobKind::Witch
    )
}

/// Carries out an answer.
pub(crate) async fn defend(hands: &Hands, answer: Answer) -> End {
    match answer {
        Answer::Fight(_) => fight::fight(hands).await,
        Answer::Shelter(enemy) => shelter(hands, enemy).await,
        Answer::Flee(_) => match flee(hands, FLEE).await {
            // Cornered: fight.
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {
                fight::fight(hands).await
            }
            end => end,
        },
    }
}

/// Runs so far from all the nearest hostiles.
pub(crate) async fn flee(hands: &Hands, range: f64) -> End {
    let from = hands.with(|s| {
        let mut from = [None; CROWD];
        for (place, enemy) in from.iter_mut().zip(s.enemies()) {
            *place = Some(enemy.at.block());
        }
        from
    });
    travel::rush(hands, &Goal::Clear { from, range }, Manner::Walk).await
}

/// The cells around a standing body that have to be closed, those open now.
fn gaps(s: &Senses) -> Vec<Pos> {
    let feet = s.feet();
    Facing::FLAT
        .into_iter()
        .flat_map(|f| [feet.side(f), feet.up().side(f)])
        .chain([feet.up().up()])
        .filter(|at| !s.seen.nature(*at).is_solid())
        .collect()
}

/// The corner towards the enemy, past which it would look in, and what a roof can be hung on.
fn cracks(s: &Senses, enemy: Living) -> Vec<Pos> {
    let feet = s.feet();
    let sign = |v: f64| if v < 0.0 { -1 } else { 1 };
    let (x, z) = (sign(enemy.at.x - s.at.x), sign(enemy.at.z - s.at.z));
    let roof = feet.up().up();
    let hook = (!s.seen.nature(roof).is_solid()).then_some([roof.plus(x, 0, 0), roof]);
    [feet.plus(x, 0, z), feet.plus(x, 1, z)]
        .into_iter()
        .chain(hook.into_iter().flatten())
        .filter(|at| !s.seen.nature(*at).is_solid())
        .collect()
}

/// Closes what is open around the body; true if nothing is left open.
pub(super) async fn close_in(hands: &Hands) -> Result<bool, ActionFailure> {
    for _ in 0..WALL_ROUNDS {
        for at in hands.with(|s| gaps(s)) {
            if let Some(filler) = hands.with(|s| s.filler()) {
                hand::put_at(hands, filler, at).await?;
            }
        }
    }
    Ok(hands.with(|s| gaps(s).is_empty()))
}

/// Walls need hold and blocks.
fn can_shelter(s: &Senses) -> bool {
    s.on_ground && !s.in_water && s.filler_count() as usize >= gaps(s).len()
}

/// Puts a wall between oneself and one who shoots and cannot be got at, and goes on with the work.
pub(super) async fn screen(hands: &Hands, enemy: Living) -> End {
    let feet = hands.with(|s| s.feet());
    let (x, z) = (enemy.at.x - feet.centre().x, enemy.at.z - feet.centre().z);
    let step = |v: f64| if v < 0.0 { -1 } else { 1 };
    let (near, wide) = if x.abs() > z.abs() {
        (feet.plus(step(x), 0, 0), feet.plus(0, 0, step(z)))
    } else {
        (feet.plus(0, 0, step(z)), feet.plus(step(x), 0, 0))
    };
    for at in [near, near.up(), wide, wide.up()] {
        let is_open = hands.with(|s| !s.seen.nature(at).is_solid());
        if let Some(filler) = hands.with(|s| s.filler()).filter(|_| is_open) {
            hand::put_at(hands, filler, at).await?;
        }
    }
    hands.with(|s| s.truce_until = s.tick + TRUCE_TICKS);
    Ok(())
}

/// What stands where the wall should be is knocked away first.
async fn push_away(hands: &Hands, enemy: Living) -> End {
    let find = |s: &mut Senses| s.mobs.iter().find(|mob| mob.id == enemy.id).copied();
    for _ in 0..PUSHES_MAX {
        let Some(now) = hands.with(find) else { break };
        if hands.with(|s| now.at.distance_flat(s.at) > ELBOW) {
            break;
        }
        hands
            .act(Controls {
                attack: true,
                aim: Some(Aim::Mob(now.id)),
                ..hands.with(|s| attack::chase(s, now))
            })
            .await;
        for _ in 0..FLIGHT_TICKS {
            hands.idle().await;
        }
    }
    Ok(())
}

/// Walls itself in, the side of the enemy first, until it is forgotten, and rests as long as that
/// heals.
async fn shelter(hands: &Hands, enemy: Living) -> End {
    hand::close(hands).await?;
    push_away(hands, enemy).await?;
    // One block may need another to hold on to: what could not be put is tried again.
    for _ in 0..WALL_ROUNDS {
        let mut open = hands.with(|s| gaps(s));
        let far = |at: &Pos| enemy.at.distance(at.centre());
        open.sort_by(|a, b| far(a).total_cmp(&far(b)));
        open.extend(hands.with(|s| cracks(s, enemy)));
        for at in open {
            if let Some(filler) = hands.with(|s| s.filler()) {
                hand::put_at(hands, filler, at).await?;
            }
        }
    }
    for tick in 0..REST_TICKS_MAX {
        let (is_found, is_done, is_hungry) = hands.with(|s| {
            let is_well = s.health >= RESTED || s.hunger < simple::HEALS;
            let is_hungry = s.hunger < simple::HEALS && simple::best_food(s).is_some();
            let is_found = s.enemies().any(|e| e.at.distance(s.at) < alarm(e));
            (is_found, is_well && tick >= LOST_TICKS, is_hungry)
        });
        if is_found || (is_done && !is_hungry) {
            break;
        }
        if is_hungry {
            simple::eat(hands).await.or_else(simple::put_off)?;
        }
        hands.pause(Pause::Wounds).await;
    }
    hands.with(|s| s.truce_until = s.tick + TRUCE_TICKS);
    Ok(())
}
