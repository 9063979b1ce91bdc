//! Blows: how hard the thing in hand strikes now, and when the arm is ready again.
//!
//! Figures of 1.16. Enchantments come on top, see `enchanted`.

use super::PlayerBody;
use crate::item::ItemId;

/// Attack rates of items are blows per second.
const TICKS_PER_SECOND: f32 = 20.0;

/// How far the arm has come back since the last blow, 0 to 1.
pub(in crate::voxel) fn readiness(body: &PlayerBody, rate: f32) -> f32 {
    // Half a tick is added as in the game.
    ((body.hands.since_blow as f32 + 0.5) * rate / TICKS_PER_SECOND).min(1.0)
}

/// Half hearts that a blow would take now: less before the arm is ready, more out of a fall.
#[must_use]
pub fn blow_damage(body: &PlayerBody) -> f32 {
    let (damage, rate) = body.held().map_or((1.0, 4.0), |item| {
        let facts = item.facts();
        (facts.attack_damage, facts.attack_rate)
    });
    let ready = readiness(body, rate);
    let falling = body.fallen > 0.0 && !body.on_ground && !body.in_fluid();
    let critical = falling && !body.touching.climbable && !body.sprinting && ready > 0.9;
    let damage = damage * f32::from(body.hands.powers.strength.get());
    // The square makes an early blow weak: 20 % at once, full force when ready.
    damage * (0.2 + 0.8 * ready * ready) * if critical { 1.5 } else { 1.0 }
}

/// Ticks after a blow until the next one has its full force.
#[must_use]
pub fn blow_ticks(held: Option<ItemId>) -> u32 {
    let rate = held.map_or(4.0, |item| item.facts().attack_rate);
    (TICKS_PER_SECOND / rate).ceil() as u32
}
