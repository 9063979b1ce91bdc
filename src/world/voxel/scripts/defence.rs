//! Defence: what is done about a hostile in sight: strike, run, or wall oneself in.
//!
//! It goes by what is in sight, how hurt the body is and what it carries. Invariant: a shelter is
//! only begun when there are blocks enough to close it.

use super::super::controls::{AimTarget, Controls};
use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Living, Senses};
use super::combat;
use super::{End, fight, pillar, screen, simple};
use crate::action::ActionFailure;
use crate::block as blocks;
use crate::mob::MobKind;
use crate::observation::Pause;
use crate::space::{Facing, Pos};

/// Health for a fight that begins with a run under fire.
const FIT: f32 = 14.0;
/// After hiding one fights for so long what comes after.
const HIDDEN_TICKS: u64 = 200;
/// Beyond this no archer notices a body.
const OUT_OF_SHOT: f64 = 18.0;
/// One who shoots is charged from this near, and from afar only by the fit; the others get out of its sight.
const CHARGE: f64 = 6.0;
/// Walling in under fire is worth it where the place is nearly closed.
const GAPS_FEW: usize = 5;
/// From farther off a witch is run from: she takes many blows, and throws meanwhile.
const WITCH: f64 = 5.0;
/// Running this far is enough; from a witch farther, for she comes after.
const FLEE: f64 = 16.0;
const FLEE_WITCH: f64 = 24.0;
/// In the open a wall is built only against who is not at hand yet.
const ROOM_TO_BUILD: f64 = 5.0;
/// Hostiles within this keep a weak body in its shelter.
const HUNTED: f64 = 12.0;
/// A wall needs so much room; blows to make it, and ticks for what was hit to land.
const ELBOW: f64 = 2.0;
const PUSHES_MAX: u32 = 3;
const WALL_ROUNDS: u32 = 3;
const FLIGHT_TICKS: u32 = 4;
const LAVA_NEAR: f64 = 4.0;
/// Who was let be is so no longer from so near, on a level from which it strikes.
const PRESSED: f64 = 3.0;
const PRESSED_LEVELS: f64 = 1.5;
/// Hostiles that are run from at once.
const CROWD: usize = 4;
/// Whose weapon does so much damage with a blow is armed, in half hearts: a wooden sword does.
const ARMED_BLOW: f32 = 4.0;
/// What hunts loses track of who is out of sight for so long.
const LOST_TICKS: u32 = 110;
/// Who did not come to a pillar is let be for so long.
const UNMET_TICKS: u64 = 200;
/// Health that will do, and the patience for it.
const RESTED: f32 = 16.0;
const REST_TICKS_MAX: u32 = 800;

/// What to do about a hostile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum DefenceResponse {
    Fight(Living),
    Flee(Living),
    Hide(Living),
    Shelter(Living),
    Climb(Living),
}

/// The hostile that has to be dealt with now, and how.
pub(crate) fn answer(s: &Senses) -> Option<DefenceResponse> {
    if s.tick < s.truce_until && !is_pressed(s) {
        return None;
    }
    let gap = |mob: &Living| mob.at.distance(s.at);
    if (combat::is_weak(s) || !is_armed(s))
        && s.sky
        && let Some(foe) = s.enemies().find(|foe| pillar::is_worth(s, *foe))
    {
        return Some(DefenceResponse::Climb(foe));
    }
    let enemy = s.enemies().find(|mob| gap(mob) < combat::alarm(*mob));
    let Some(enemy) = enemy else {
        let hunter = s.enemies().find(|mob| gap(mob) < HUNTED)?;
        let hides = combat::is_weak(s) && can_shelter(s) && !s.sky;
        return hides.then_some(DefenceResponse::Shelter(hunter));
    };
    // Blows knock: beside lava nobody fights.
    let has_lava = || {
        let near = s
            .seen
            .nearest(s.feet(), LAVA_NEAR, 1, |b| b == blocks::LAVA);
        !near.is_empty() && can_shelter(s)
    };
    let is_witch = enemy.kind == MobKind::Witch && s.monster != Some(MobKind::Witch);
    if is_witch && gap(&enemy) > WITCH {
        return Some(DefenceResponse::Flee(enemy));
    }
    let is_far_off = combat::shoots(enemy) && gap(&enemy) > CHARGE && !may_charge(s);
    let is_to_be_shunned = combat::is_weak(s)
        || has_lava()
        || (!is_far_off && is_unequal(s, enemy))
        || (is_far_off && !s.sky && gaps(s).len() <= GAPS_FEW);
    Some(match is_to_be_shunned {
        false if is_far_off => DefenceResponse::Hide(enemy),
        false => DefenceResponse::Fight(enemy),
        true if can_shelter(s) && (!s.sky || gap(&enemy) > ROOM_TO_BUILD) => {
            DefenceResponse::Shelter(enemy)
        }
        true => DefenceResponse::Flee(enemy),
    })
}

/// One that was let be has come up, or is about to go off.
fn is_pressed(s: &Senses) -> bool {
    s.enemies().any(|enemy| {
        let is_level = (enemy.at.y - s.at.y).abs() < PRESSED_LEVELS;
        let is_near = is_level && enemy.at.distance_flat(s.at) < PRESSED;
        enemy.is_lit || is_near && !combat::shoots(enemy)
    })
}

/// Fit for a fight that begins with a run under fire, behind a shield, or out of other means.
fn may_charge(s: &Senses) -> bool {
    combat::has_shield(s) || s.tick < s.hidden_until || (is_armed(s) && s.health >= FIT)
}

/// A fight that one does not begin with bare hands: with what goes off, and in the open, where there is room to run,
/// with anything that one is not after.
fn is_unequal(s: &Senses, enemy: Living) -> bool {
    !is_armed(s) && (enemy.kind == MobKind::Creeper || (s.sky && s.monster.is_none()))
}

/// Armed well enough to kill from the length of an arm.
fn is_armed(s: &Senses) -> bool {
    combat::best_weapon(s).is_some_and(|weapon| weapon.facts().attack_damage >= ARMED_BLOW)
}

/// Carries out an answer.
pub(crate) async fn defend(body: &BodyHandle, answer: DefenceResponse) -> End {
    match answer {
        DefenceResponse::Climb(_) => climb(body).await,
        DefenceResponse::Fight(_) => fight::fight(body).await,
        DefenceResponse::Shelter(enemy) => shelter(body, enemy).await,
        DefenceResponse::Hide(enemy) => hide(body, enemy).await,
        DefenceResponse::Flee(enemy) => match flee(body, range_of_flight(enemy)).await {
            // Cornered: fight.
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {
                fight::fight(body).await
            }
            end => end,
        },
    }
}

/// Fights from a pillar; who does not come is let be.
async fn climb(body: &BodyHandle) -> End {
    if !pillar::fight(body).await? {
        body.with(|s| s.truce_until = s.tick + UNMET_TICKS);
    }
    Ok(())
}

fn range_of_flight(enemy: Living) -> f64 {
    match enemy.kind {
        MobKind::Witch => FLEE_WITCH,
        _ => FLEE,
    }
}

/// The nearest hostiles that it holds for.
fn crowd(s: &Senses, holds: fn(Living) -> bool) -> [Option<Pos>; CROWD] {
    let mut crowd = [None; CROWD];
    let enemies = s.enemies().filter(|enemy| holds(*enemy));
    for (place, enemy) in crowd.iter_mut().zip(enemies) {
        *place = Some(enemy.at.block());
    }
    crowd
}

/// Gets out of sight of those who shoot, or out of their range, whichever is nearer; behind a wall of its own, or as
/// far as it can, where no way leads there.
async fn hide(body: &BodyHandle, enemy: Living) -> End {
    body.with(|s| s.hidden_until = s.tick + HIDDEN_TICKS);
    let goal = PathGoal::Hidden {
        from: body.with(|s| crowd(s, combat::shoots)),
        range: OUT_OF_SHOT,
    };
    let is_lost = |end: &End| {
        matches!(
            end,
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. })
        )
    };
    let end = travel::rush(body, &goal, TravelMode::Walk).await;
    if !is_lost(&end) {
        return end;
    }
    if body.with(|s| s.filler().is_some()) {
        return screen::screen(body, enemy).await;
    }
    let end = flee(body, OUT_OF_SHOT).await;
    if is_lost(&end) { Ok(()) } else { end }
}

/// Runs so far from all the nearest hostiles.
pub(crate) async fn flee(body: &BodyHandle, range: f64) -> End {
    let from = body.with(|s| crowd(s, |_| true));
    travel::rush(body, &PathGoal::Clear { from, range }, TravelMode::Walk).await
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
pub(super) async fn close_in(body: &BodyHandle) -> Result<bool, ActionFailure> {
    for _ in 0..WALL_ROUNDS {
        for at in body.with(|s| gaps(s)) {
            if let Some(filler) = body.with(|s| s.filler()) {
                handling::put_at(body, filler, at).await?;
            }
        }
    }
    Ok(body.with(|s| gaps(s).is_empty()))
}

/// Walls need hold and blocks.
fn can_shelter(s: &Senses) -> bool {
    s.on_ground && !s.in_water && s.filler_count() as usize >= gaps(s).len()
}

/// What stands where the wall should be is knocked away first.
async fn push_away(body: &BodyHandle, enemy: Living) -> End {
    for _ in 0..PUSHES_MAX {
        let Some(now) = body.with(|s| s.mob(enemy.id)) else {
            break;
        };
        if body.with(|s| now.at.distance_flat(s.at) > ELBOW) {
            break;
        }
        body.act(Controls {
            attack: true,
            aim: Some(AimTarget::Mob(now.id)),
            ..body.with(|s| combat::chase(s, now))
        })
        .await;
        for _ in 0..FLIGHT_TICKS {
            body.idle().await;
        }
    }
    Ok(())
}

/// Walls itself in, the side of the enemy first, until it is forgotten, and rests as long as that
/// heals.
async fn shelter(body: &BodyHandle, enemy: Living) -> End {
    handling::close(body).await?;
    push_away(body, enemy).await?;
    // One block may need another to hold on to: what could not be put is tried again.
    for _ in 0..WALL_ROUNDS {
        let mut open = body.with(|s| gaps(s));
        let far = |at: &Pos| enemy.at.distance(at.centre());
        open.sort_by(|a, b| far(a).total_cmp(&far(b)));
        open.extend(body.with(|s| cracks(s, enemy)));
        for at in open {
            // A blow may have thrown it there meanwhile.
            if body.with(|s| s.is_harmed()) {
                return Ok(());
            }
            if let Some(filler) = body.with(|s| s.filler()) {
                handling::put_at(body, filler, at).await?;
            }
        }
    }
    for tick in 0..REST_TICKS_MAX {
        let (is_driven_out, is_done, is_hungry) = body.with(|s| {
            let is_well = s.health >= RESTED || s.hunger < simple::HEALS;
            let is_hungry = s.hunger < simple::HEALS && simple::best_food(s).is_some();
            let is_found = s.enemies().any(|e| e.at.distance(s.at) < combat::alarm(e));
            let is_driven_out = is_found || s.is_harmed();
            (is_driven_out, is_well && tick >= LOST_TICKS, is_hungry)
        });
        if is_driven_out || (is_done && !is_hungry) {
            break;
        }
        if is_hungry {
            simple::eat(body).await.or_else(simple::put_off)?;
        }
        body.pause(Pause::Wounds).await;
    }
    body.with(|s| s.truce_until = s.tick + combat::TRUCE_TICKS);
    Ok(())
}
