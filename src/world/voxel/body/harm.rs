//! Harm and hunger: everything that hurts, and what each tick takes of food and breath.
//!
//! Normal difficulty, rules of 1.16. Invariant: a body whose health reached 0 has a cause of death.

use super::cause::Cause;
use super::physics::Moved;
use super::vitals::{AIR_MAX, HEALTH_MAX, HUNGER_MAX, effort};
use super::{PlayerBody, wearing};

/// Breath runs below zero between two gasps.
const AIR_GASP: i32 = -20;
/// Out of the water breath comes back four times as fast as it is spent.
const AIR_REGAIN: i32 = 4;
/// After a hit only what exceeds it hurts, for this long.
const SHIELD_TICKS: u8 = 10;
/// Blocks of a fall that do no harm; each further one takes half a heart.
const FALL_FREE: f64 = 3.0;
/// Ticks of flames after lava (15 s) and after fire (8 s), and between two of their burns.
const BURN_LAVA: u32 = 300;
const BURN_FIRE: u32 = 160;
const BURN_EVERY: u32 = 20;
/// So much effort uses up one point of saturation or, without any, of food.
const EXHAUSTED: f32 = 4.0;
/// Ticks from one healing to the next with full food and saturation, and otherwise; starving
/// takes the slower pace too.
const FOOD_TICKS_FAST: u32 = 10;
const FOOD_TICKS: u32 = 80;
/// Wounds heal from this food on.
const HUNGER_HEALS: u32 = 18;
/// Below this height the void kills, which also ends a fall out of the world.
/// Blocks below the world's floor.
const VOID_Y: f64 = -64.0;

/// Hurts the body; within the shield of an earlier hit only the excess counts.
pub(in crate::voxel) fn hurt(body: &mut PlayerBody, amount: f32, cause: Cause) {
    if amount <= 0.0 || !body.alive() {
        return;
    }
    let vitals = &mut body.vitals;
    let counts = if vitals.shield > 0 {
        amount - vitals.last_hurt
    } else {
        amount
    };
    if counts <= 0.0 {
        return;
    }
    if vitals.shield == 0 {
        vitals.shield = SHIELD_TICKS;
    }
    // The greater hit is what later ones are compared with.
    vitals.last_hurt = amount;
    let felt = wearing::soften(body, counts, cause);
    let vitals = &mut body.vitals;
    vitals.health = (vitals.health - felt).max(0.0);
    // As in the game, these do not exhaust.
    if !matches!(cause, Cause::Starvation | Cause::Drowning | Cause::Void) {
        vitals.tire(effort::HURT);
    }
    if vitals.health <= 0.0 {
        body.death = Some(cause);
    }
}

/// One tick of hunger and harm, after the body has moved.
pub(in crate::voxel) fn step(body: &mut PlayerBody, moved: Moved) {
    body.vitals.shield = body.vitals.shield.saturating_sub(1);
    tire_of_moving(body, moved);
    if moved.landed > FALL_FREE {
        // A hair less, because a fall of 4 blocks adds up to 4.0000001.
        // Each begun block counts.
        let harm = (moved.landed - FALL_FREE - 1e-4).ceil();
        hurt(body, harm as f32, Cause::Fall);
    }
    burn(body);
    breathe(body);
    if body.touching.head_in_block {
        hurt(body, 1.0, Cause::Suffocation);
    }
    if body.touching.cactus {
        hurt(body, 1.0, Cause::Cactus);
    }
    if body.at.y < VOID_Y {
        hurt(body, 4.0, Cause::Void);
    }
    digest(body);
}

fn tire_of_moving(body: &mut PlayerBody, moved: Moved) {
    let vitals = &mut body.vitals;
    if moved.jumped {
        vitals.tire(if body.sprinting {
            effort::JUMP_SPRINTING
        } else {
            effort::JUMP
        });
    }
    if body.touching.water > 0.0 {
        vitals.tire(moved.way as f32 * effort::SWIM_M);
    } else if body.sprinting && body.on_ground {
        vitals.tire(moved.way as f32 * effort::SPRINT_M);
    }
}

fn burn(body: &mut PlayerBody) {
    if body.touching.water > 0.0 {
        body.vitals.burning = 0;
    }
    if body.touching.lava > 0.0 {
        hurt(body, 4.0, Cause::Lava);
        body.vitals.burning = BURN_LAVA;
    } else if body.touching.fire {
        hurt(body, 1.0, Cause::Fire);
        body.vitals.burning = body.vitals.burning.max(BURN_FIRE);
    } else if body.vitals.burning > 0 {
        if body.vitals.burning.is_multiple_of(BURN_EVERY) {
            hurt(body, 1.0, Cause::Fire);
        }
        body.vitals.burning -= 1;
    }
}

fn breathe(body: &mut PlayerBody) {
    let vitals = &mut body.vitals;
    if !body.touching.eyes_in_water {
        vitals.air = (vitals.air.max(0) + AIR_REGAIN).min(AIR_MAX);
        return;
    }
    vitals.air -= 1;
    if vitals.air <= AIR_GASP {
        // Air begins anew at 0, so the next gasp comes after 20 ticks.
        vitals.air = 0;
        hurt(body, 2.0, Cause::Drowning);
    }
}

fn digest(body: &mut PlayerBody) {
    let vitals = &mut body.vitals;
    if vitals.exhaustion > EXHAUSTED {
        vitals.exhaustion -= EXHAUSTED;
        if vitals.saturation > 0.0 {
            vitals.saturation = (vitals.saturation - 1.0).max(0.0);
        } else {
            vitals.hunger = vitals.hunger.saturating_sub(1);
        }
    }
    if !body.alive() {
        return;
    }
    let vitals = &mut body.vitals;
    let wounded = vitals.health < HEALTH_MAX;
    let fast = wounded && vitals.saturation > 0.0 && vitals.hunger >= HUNGER_MAX;
    let heals = wounded && vitals.hunger >= HUNGER_HEALS;
    if !fast && !heals && vitals.hunger > 0 {
        vitals.food_timer = 0;
        return;
    }
    vitals.food_timer += 1;
    if fast && vitals.food_timer >= FOOD_TICKS_FAST {
        let spent = vitals.saturation.min(effort::HEAL);
        vitals.heal(spent / effort::HEAL);
        vitals.tire(spent);
        vitals.food_timer = 0;
    } else if heals && vitals.food_timer >= FOOD_TICKS {
        vitals.heal(1.0);
        vitals.tire(effort::HEAL);
        vitals.food_timer = 0;
    } else if vitals.food_timer >= FOOD_TICKS {
        vitals.food_timer = 0;
        // On Normal hunger weakens to half a heart and does not kill.
        if vitals.health > 1.0 {
            hurt(body, 1.0, Cause::Starvation);
        }
    }
}
