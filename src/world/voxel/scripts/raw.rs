//! Raw keys: the hands of a player tick by tick, without any script's help.
//!
//! What the crosshair is on is found by a ray through what is seen, as a player would see it.
//! Invariant: one `KeyPresses` per tick; the body does nothing else.

use super::super::body::collide::BoundingBox;
use super::super::body::turn;
use super::super::controls::{AimTarget, Controls, HandAction};
use super::super::ray::Ray;
use super::super::senses::{BodyHandle, Living, Senses};
use super::End;
use crate::action::ActionFailure;
use crate::block::{self as blocks, BlockId};
use crate::item::{ItemId, ToolKind};
use crate::keys::KeyPresses;
use crate::observation::Gui;
use crate::space::{Facing, Point, Pos};
use crate::uses;

/// Ticks of one order.
/// One day of the world.
const KEYS_MAX: usize = 24_000;
/// The hand reaches this far to blocks and to living things.
const REACH: f64 = 4.5;
const REACH_MOB: f64 = 3.0;

/// What the crosshair is on.
enum Crosshair {
    Nothing,
    Mob(Living),
    Block {
        at: Pos,
        side: Facing,
        block: BlockId,
    },
}

/// Presses the keys, one set a tick.
pub(crate) async fn raw(body: &BodyHandle, keys: &[KeyPresses]) -> End {
    if keys.len() > KEYS_MAX {
        return Err(ActionFailure::Invalid {
            because: format!("at most {KEYS_MAX} ticks of keys in one order"),
        });
    }
    // Between two keys nothing is checked: raw means raw, also under attack.
    for key in keys {
        let controls = body.with(|s| controls(s, key));
        body.act(controls).await;
    }
    Ok(())
}

fn controls(s: &mut Senses, keys: &KeyPresses) -> Controls {
    let [right, down] = keys.camera;
    // Relative movements of the mouse, in degrees; down is positive.
    let (yaw, pitch) = turn::tidy(s.view.0 + right, s.view.1 + down, s.view);
    let crosshair = crosshair(s, yaw, pitch);
    let aim = match crosshair {
        Crosshair::Nothing => None,
        Crosshair::Mob(mob) => Some(AimTarget::Mob(mob.id)),
        Crosshair::Block { at, .. } => Some(AimTarget::Block(at)),
    };
    let action = action(s, keys, &crosshair);
    Controls {
        // The same button: the shield goes up only if there is nothing else to use.
        guard: keys.r#use && action.is_none(),
        forward: i8::from(keys.forward) - i8::from(keys.back),
        strafe: i8::from(keys.right) - i8::from(keys.left),
        jump: keys.jump,
        sneak: keys.sneak,
        sprint: keys.sprint,
        yaw,
        pitch,
        // A blow into the air is not sent, because the simulation would refuse it.
        attack: keys.attack && aim.is_some(),
        aim,
        action,
    }
}

/// One action a tick: the window, then the hotbar, then throwing, then the right button.
fn action(s: &Senses, keys: &KeyPresses, crosshair: &Crosshair) -> Option<HandAction> {
    // As with a real keyboard, one key opens and closes.
    if keys.inventory {
        return Some(match s.gui() {
            Gui::Closed => HandAction::OpenInventory,
            _ => HandAction::CloseGui,
        });
    }
    if let Some(slot @ 1..=9) = keys.hotbar {
        return Some(HandAction::Select { slot: slot - 1 });
    }
    if keys.drop {
        let item = s.held?;
        return Some(HandAction::Toss { item, count: 1 });
    }
    keys.r#use
        .then(|| click(s, keys.sneak, crosshair))
        .flatten()
}

/// What a right click does: the block's own use first, unless one sneaks, then the thing in hand.
fn click(s: &Senses, sneaks: bool, crosshair: &Crosshair) -> Option<HandAction> {
    match *crosshair {
        Crosshair::Mob(mob) => Some(HandAction::UseOn { mob: mob.id }),
        Crosshair::Block { at, block, .. } if Gui::opened_by(block).is_some() && !sneaks => {
            Some(HandAction::Open { at })
        }
        Crosshair::Block { at, block, .. } if answers(block, s.held) && !sneaks => {
            Some(HandAction::Use { at: Some(at) })
        }
        Crosshair::Block { at, side, block } => Some(on_block(s.held?, at, side, block)),
        Crosshair::Nothing => {
            let held = s.held?;
            Some(if held.facts().food.is_some() {
                HandAction::Eat
            } else {
                HandAction::Use { at: None }
            })
        }
    }
}

/// What is clicked on a side: the block is placed there, the fluid poured there.
fn on_block(held: ItemId, at: Pos, side: Facing, block: BlockId) -> HandAction {
    let poured = matches!(held.name(), "water_bucket" | "lava_bucket");
    let kind: Option<ToolKind> = held.facts().tool.map(|tool| tool.kind);
    let is_place = held.facts().places.is_some_and(|b| b != blocks::FIRE) && !poured;
    if is_place {
        return HandAction::Place { against: at, side };
    }
    if poured {
        return HandAction::Use {
            at: Some(at.side(side)),
        };
    }
    let works = kind.is_some_and(|kind| uses::turned(kind, block).is_some());
    // Food in hand is eaten, unless it also works on the block.
    if held.facts().food.is_some() && !works {
        return HandAction::Eat;
    }
    let in_air = matches!(held.name(), "fishing_rod" | "egg" | "snowball");
    HandAction::Use {
        at: (!in_air).then_some(at),
    }
}

/// Blocks with a use of their own; a cauldron has one only for what is not built with.
fn answers(block: BlockId, held: Option<ItemId>) -> bool {
    let builds = |held: ItemId| held.facts().places.is_some_and(|block| !block.is_fluid());
    match block {
        blocks::SWEET_BERRY_BUSH => true,
        blocks::CAULDRON => !held.is_some_and(builds),
        _ => block.name() == "cake" || block.name().ends_with("_bed"),
    }
}

/// What the look meets first: a living thing within its reach, or a block.
fn crosshair(s: &mut Senses, yaw: f32, pitch: f32) -> Crosshair {
    let along = turn::view(yaw, pitch);
    // Only empty vessels see fluids; everything else looks through them.
    let scoops = matches!(s.held.map(ItemId::name), Some("bucket" | "glass_bottle"));
    let block = block_in_view(s, along, scoops);
    let met = s
        .mobs
        .iter()
        .filter_map(|mob| Some((mob_distance(s, mob, along)?, *mob)))
        .filter(|(far, _)| *far <= REACH_MOB)
        .min_by(|a, b| a.0.total_cmp(&b.0));
    match (met, block) {
        // Of a mob and a block the nearer one counts.
        (Some((far, mob)), Some((at, ..))) if far <= s.eyes.distance(at.centre()) => {
            Crosshair::Mob(mob)
        }
        (Some((_, mob)), None) => Crosshair::Mob(mob),
        (_, Some((at, side, block))) => Crosshair::Block { at, side, block },
        (None, None) => Crosshair::Nothing,
    }
}

fn block_in_view(s: &Senses, along: Point, scoops: bool) -> Option<(Pos, Facing, BlockId)> {
    let mut ray = Ray::new(s.eyes, [along.x, along.y, along.z]);
    loop {
        let visit = ray.advance();
        if visit.distance > REACH {
            return None;
        }
        // What was never seen ends the look: a player cannot click on what is dark.
        let block = s.seen.block(visit.at)?;
        let nature = s.seen.nature(visit.at);
        if !nature.is_air() && (scoops || !block.is_fluid()) {
            return Some((visit.at, visit.side, block));
        }
    }
}

/// Distance to where the look enters the box of a living thing; None if it passes by.
fn mob_distance(s: &Senses, mob: &Living, along: Point) -> Option<f64> {
    let facts = mob.kind.facts();
    let (width, height) = (f64::from(facts.width), f64::from(facts.height));
    BoundingBox::standing(mob.at, width, height).met(s.eyes, along)
}
