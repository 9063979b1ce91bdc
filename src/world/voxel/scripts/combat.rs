//! Combat as seen by the one who fights: reach, footing, weapons, and how near is too near.
//!
//! These only look and choose keys. Attack, fight, defence and hunt are built on them.

use super::super::body::collide::BoundingBox;
use super::super::body::{sight, turn};
use super::super::controls::Controls;
use super::super::senses::{Living, Senses};
use crate::armour::{ArmourSlot, armour_of};
use crate::block as blocks;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::space::Pos;

/// A blow reaches this far from the eyes.
const REACH: f64 = 2.9;
/// Steps ahead that are looked at in a fight, and how far down one may land.
const STEPS: [f64; 3] = [0.6, 1.2, 1.8];
const DROP_MAX: i32 = 3;
/// What gets away is run after from here on.
const RUN_FROM: f64 = 2.5;
/// Health below which one without armour does not fight on.
const WEAK: f32 = 9.0;
/// The share of a blow that a point of armour keeps off.
const KEPT_OFF: f32 = 0.04;
/// What comes to strike matters from here on, what shoots and what goes off from farther away.
const NEAR: f64 = 4.0;
const SHOT: f64 = 15.5;
const THROW: f64 = 12.5;
const BLAST: f64 = 7.0;
/// Ticks to let those be that did not come.
pub(super) const TRUCE_TICKS: u64 = 25;

/// Too hurt to fight on.
pub(super) fn is_weak(s: &Senses) -> bool {
    s.health < weak_health(s)
}

/// Health below which one does not fight on: in armour the same lasts longer.
pub(super) fn weak_health(s: &Senses) -> f32 {
    let worn = ArmourSlot::ALL.into_iter().filter_map(|at| s.worn.at(at));
    let points = worn.filter_map(|stack| Some(armour_of(stack.item)?.points));
    WEAK * (1.0 - KEPT_OFF * points.sum::<f32>())
}

/// A shield is on the arm.
pub(super) fn has_shield(s: &Senses) -> bool {
    s.worn.at(ArmourSlot::OffHand).is_some()
}

/// Within reach of a blow: the nearest point of its body.
pub(crate) fn reaches(s: &Senses, mob: Living) -> bool {
    s.eyes.distance(bounds(mob).nearest(s.eyes)) < REACH
}

/// Within reach of the hand, with no block in between as far as is known.
pub(super) fn touches(s: &Senses, mob: Living) -> bool {
    let block_at = |at: Pos| s.seen.block(at).unwrap_or(blocks::AIR);
    reaches(s, mob) && sight::meets(block_at, s.eyes, &bounds(mob))
}

fn bounds(mob: Living) -> BoundingBox {
    BoundingBox::standing(mob.at, mob.width, mob.height)
}

/// Keys that walk towards a mob while looking at it, not over an edge.
pub(crate) fn chase(s: &Senses, mob: Living) -> Controls {
    let (yaw, pitch) = turn::look_at(s.eyes, mob.at.plus(0.0, 0.5, 0.0));
    let gap = s.at.distance_flat(mob.at);
    Controls {
        yaw,
        pitch,
        forward: i8::from(gap > 1.5 && may_advance(s, mob)),
        sprint: gap > RUN_FROM && !s.in_water,
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

/// How near a hostile has to be to be dealt with.
pub(super) fn alarm(enemy: Living) -> f64 {
    match enemy.kind {
        MobKind::Creeper => BLAST,
        MobKind::Witch => THROW,
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
