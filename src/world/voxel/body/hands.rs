//! Hands: digging, hitting, eating, and changing what is held.
//!
//! One action or one button per tick. Invariant: work that is not continued in the next tick is
//! abandoned.

use super::super::controls::{AimTarget, ControlOutcome, Controls, HandAction};
use super::super::growth::hands as garden;
use super::super::gui::{self, ChestDirection};
use super::super::life::mob::HitOutcome;
use super::super::sim::Simulation;
use super::super::{enchanted, infested, learning, stations, yields};
use super::blow::blow_damage;
use super::collide::BoundingBox;
use super::hand_state::Digging;
use super::held::{take_one_held, wear};
use super::vitals::effort;
use super::{REACH, button, placing, sight, turn, wearing};
use crate::block::{self as blocks, BlockId, break_ticks_with};
use crate::inventory::{HOTBAR, Stack};
use crate::item::ItemId;
use crate::space::Pos;

/// Rest after a block that took longer than one blow: five ticks, and the tick of the break itself.
/// The game waits five ticks between blocks, but none after one that breaks at once.
const REST_TICKS: u8 = 6;
/// The backpack is opened, what is wanted put into the hotbar, and the backpack closed.
const PACK_TICKS: u32 = 3;
/// 1.6 seconds, as in the game.
const EAT_TICKS: u32 = 32;
/// Sums of n times 1/n may end a hair below one.
const DONE: f64 = 1.0 - 1e-9;

/// Does what the hands are told in this tick.
pub(in crate::voxel) fn act(sim: &mut Simulation, keys: &Controls) -> ControlOutcome {
    let guards = keys.guard && keys.action.is_none() && !keys.attack && !sim.window.gui.is_open();
    wearing::raise(&mut sim.body, guards);
    let hands = &mut sim.body.hands;
    hands.since_blow = hands.since_blow.saturating_add(1);
    hands.rest = hands.rest.saturating_sub(1);
    // Each tick names again what goes on; whatever it does not name is given up here.
    if !matches!(keys.action, Some(HandAction::Eat)) {
        hands.eating = 0;
    }
    if !matches!(keys.action, Some(HandAction::CraftOnce { .. })) {
        sim.window.clicks = None;
    }
    if keys.action.as_ref() != sim.window.busy.as_ref().map(|(action, _)| action) {
        sim.window.busy = None;
    }
    if let Some(action) = &keys.action {
        // The left button cannot dig while the right one works.
        sim.body.hands.digging = None;
        return do_action(sim, action);
    }
    if !keys.attack {
        sim.body.hands.digging = None;
        return ControlOutcome::Done;
    }
    match keys.aim {
        _ if sim.window.gui.is_open() => ControlOutcome::Refused("a window is open"),
        Some(AimTarget::Block(at)) => dig(sim, at),
        Some(AimTarget::Mob(mob)) => {
            sim.body.hands.digging = None;
            strike(sim, mob)
        }
        None => ControlOutcome::Refused("nothing is aimed at"),
    }
}

fn do_action(sim: &mut Simulation, action: &HandAction) -> ControlOutcome {
    match *action {
        HandAction::Hold { item } => hold(sim, item),
        HandAction::HoldNothing => hold_nothing(sim),
        HandAction::Place { against, side } => placing::place(sim, against, side),
        HandAction::Open { at } => gui::open_block(sim, at),
        HandAction::OpenInventory => gui::open_inventory(sim),
        HandAction::CloseGui => gui::close(sim),
        HandAction::CraftOnce { product } => gui::craft_once(sim, product),
        HandAction::FurnacePut { slot, item, count } => gui::furnace_put(sim, slot, item, count),
        HandAction::FurnaceTake { slot } => gui::furnace_take(sim, slot),
        HandAction::ChestPut { item, count } => {
            gui::chest_move(sim, ChestDirection::Put, item, count)
        }
        HandAction::ChestTake { item, count } => {
            gui::chest_move(sim, ChestDirection::Take, item, count)
        }
        HandAction::Trade { .. }
        | HandAction::Lay { .. }
        | HandAction::Enchant { .. }
        | HandAction::Join { .. }
        | HandAction::Grind { .. }
        | HandAction::Mend { .. }
        | HandAction::Dye { .. } => stations::work(sim, action),
        HandAction::Toss { item, count } => toss(sim, item, count),
        HandAction::Wear { item } => wearing::put_on(sim, item),
        HandAction::TakeOff { place } => wearing::take_off(sim, place),
        HandAction::Eat => eat(sim),
        HandAction::Use { at } => button::use_on_block(sim, at),
        HandAction::UseOn { mob } => button::use_on_mob(sim, mob),
        HandAction::Select { slot } => select(sim, slot),
    }
}

fn dig(sim: &mut Simulation, at: Pos) -> ControlOutcome {
    // Held down, the button waits out the rest.
    if sim.body.hands.rest > 0 {
        return ControlOutcome::Working;
    }
    let block = sim.grid.block(at);
    if !sight::is_handy(block) {
        sim.body.hands.digging = None;
        return ControlOutcome::Refused("there is no block");
    }
    // Checked in each tick: the body may have been pushed away.
    if sight::point_of_block(&sim.grid, sim.body.eyes(), at, REACH).is_none() {
        sim.body.hands.digging = None;
        return ControlOutcome::Refused("out of reach or out of sight");
    }
    let Some(mut work) = go_on(sim, at, block) else {
        return ControlOutcome::Refused("it cannot be broken");
    };
    work.progress += work.rate;
    if work.progress < DONE {
        sim.body.hands.digging = Some(work);
        return ControlOutcome::Working;
    }
    sim.body.hands.digging = None;
    // A block of one tick leaves no rest.
    sim.body.hands.rest = if work.rate >= 1.0 { 0 } else { REST_TICKS };
    break_by_hand(sim, at, block);
    ControlOutcome::Broke(at, block)
}

/// The work on this block so far, at the rate that holds now; None for what cannot be broken.
fn go_on(sim: &Simulation, at: Pos, block: BlockId) -> Option<Digging> {
    let body = &sim.body;
    let (held, wet, grounded) = (body.held(), body.touching.eyes_in_water, body.on_ground);
    let before = body
        // The same block, place and tool: else the progress is lost.
        .hands
        .digging
        .filter(|work| work.at == at && work.block == block && work.held == held);
    if let Some(work) = before
        && work.wet == wet
        && work.grounded == grounded
    {
        return Some(work);
    }
    let efficiency = body
        .slots
        .held()
        .map_or(0, |stack| stack.extra.enchants.named("efficiency"));
    let ticks = break_ticks_with(block, held, efficiency, wet, grounded)?;
    let ticks = body.hands.powers.break_speed.break_ticks(ticks);
    // Getting wet or jumping changes the rate, not what was done.
    let progress = before.map_or(0.0, |work| work.progress);
    let rate = 1.0 / f64::from(ticks.max(1));
    Some(Digging {
        at,
        block,
        progress,
        held,
        wet,
        grounded,
        rate,
    })
}

fn break_by_hand(sim: &mut Simulation, at: Pos, block: BlockId) {
    let held = sim.body.slots.held();
    // Asked before the block is gone.
    let ripe = garden::is_ripe(&sim.grid, at);
    sim.grid.set(at, blocks::AIR);
    // Drops first, then what it held, then what hung on it.
    yields::spill_drops(sim, at, block, held, ripe);
    infested::let_out(sim, at, block, held);
    placing::spill_contents(sim, at);
    placing::drop_unsupported(sim, at);
    sim.body.vitals.tire(effort::MINE);
    learning::from_block(sim, at, block, held);
    // Grass and torches break without wear.
    if block.facts().hardness > 0.0 {
        wear(sim, 1, 2);
    }
}

fn strike(sim: &mut Simulation, number: u64) -> ControlOutcome {
    let Some(mob) = sim.mobs.get(number) else {
        return ControlOutcome::Refused("there is no such mob");
    };
    let (width, height) = mob.extent(sim.mobs.tick());
    let bounds = BoundingBox::standing(mob.position, width, height);
    if !sight::meets(|at| sim.grid.block(at), sim.body.eyes(), &bounds) {
        return ControlOutcome::Refused("out of reach or out of sight");
    }
    let weapon = sim.body.slots.held();
    let damage = blow_damage(&sim.body) + enchanted::sharper(&sim.body, weapon.as_ref(), mob.kind);
    sim.body.hands.since_blow = 0;
    let looting = weapon.map_or(0, |stack| stack.extra.enchants.named("looting"));
    match sim.mobs.hit(number, damage, sim.body.at, looting) {
        HitOutcome::Gone => ControlOutcome::Refused("there is no such mob"),
        HitOutcome::Immune => ControlOutcome::Refused("it was hit just before"),
        HitOutcome::Hurt { .. } | HitOutcome::Killed => {
            sim.body.vitals.tire(effort::STRIKE);
            // A sword is made for this, a tool is not.
            wear(sim, 2, 1);
            ControlOutcome::Struck(number)
        }
    }
}

fn eat(sim: &mut Simulation) -> ControlOutcome {
    let food = sim
        .body
        .held()
        .and_then(|item| Some((item, item.facts().food?)));
    let refusal = match food {
        _ if sim.window.gui.is_open() => "a window is open",
        None => "no food is in hand",
        Some(_) if sim.body.vitals.hunger >= super::vitals::HUNGER_MAX => "not hungry",
        Some((item, food)) => {
            sim.body.hands.eating += 1;
            if sim.body.hands.eating < EAT_TICKS {
                return ControlOutcome::Working;
            }
            sim.body.hands.eating = 0;
            take_one_held(&mut sim.body.slots);
            sim.body.vitals.eat(food.points, food.saturation);
            return ControlOutcome::Ate(item);
        } // Reached only by refusals; every other arm has returned.
    };
    sim.body.hands.eating = 0;
    ControlOutcome::Refused(refusal)
}

fn hold(sim: &mut Simulation, item: ItemId) -> ControlOutcome {
    let is_open = sim.window.gui.is_open();
    let slots = &mut sim.body.slots;
    if slots.held().is_some_and(|stack| stack.item == item) {
        return ControlOutcome::Done;
    }
    let Some(found) = slots.find_for_use(item) else {
        return ControlOutcome::Refused("not carried");
    };
    if found < HOTBAR {
        slots.selected = found;
    } else {
        // Where a window is open already, a click is enough.
        let worked = sim.window.busy.as_ref().map_or(0, |(_, ticks)| *ticks) + 1;
        if worked < PACK_TICKS && !is_open {
            sim.window.busy = Some((HandAction::Hold { item }, worked));
            return ControlOutcome::Working;
        }
        sim.window.busy = None;
        // A free slot of the hotbar, else what is in hand goes to the back.
        let spare = (0..HOTBAR).find(|at| slots.stacks[*at].is_none());
        slots.selected = spare.unwrap_or(slots.selected);
        slots.swap(found, slots.selected);
    }
    // A change of weapon starts the wait for a full blow anew, as in the game.
    sim.body.hands.since_blow = 0;
    ControlOutcome::Done
}

/// Takes a slot of the hotbar into the hand.
fn select(sim: &mut Simulation, slot: u8) -> ControlOutcome {
    if usize::from(slot) >= HOTBAR {
        return ControlOutcome::Refused("there is no such slot");
    }
    if sim.body.slots.selected != usize::from(slot) {
        sim.body.slots.selected = usize::from(slot);
        sim.body.hands.since_blow = 0;
    }
    ControlOutcome::Done
}

fn hold_nothing(sim: &mut Simulation) -> ControlOutcome {
    let slots = &mut sim.body.slots;
    if slots.held().is_none() {
        return ControlOutcome::Done;
    }
    let Some(free) = slots.stacks.iter().position(Option::is_none) else {
        return ControlOutcome::Refused("no slot is free");
    };
    if free < HOTBAR {
        slots.selected = free;
    } else {
        slots.swap(free, slots.selected);
    }
    sim.body.hands.since_blow = 0;
    ControlOutcome::Done
}

fn toss(sim: &mut Simulation, item: ItemId, count: u32) -> ControlOutcome {
    let (eyes, along) = (sim.body.eyes(), turn::view(sim.body.yaw, sim.body.pitch));
    let Some(slot) = sim.body.slots.find(item) else {
        return ControlOutcome::Refused("not carried");
    };
    let Some(stack) = sim.body.slots.stacks[slot] else {
        return ControlOutcome::Refused("not carried");
    };
    let thrown = count.min(stack.count);
    if thrown == 0 {
        return ControlOutcome::Refused("none to throw");
    }
    let left = stack.count - thrown;
    sim.body.slots.stacks[slot] = (left > 0).then_some(Stack {
        count: left,
        ..stack
    });
    sim.dropped.toss(
        Stack {
            count: thrown,
            ..stack
        },
        eyes,
        along,
    );
    ControlOutcome::Done
}
