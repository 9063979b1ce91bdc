//! The right button: what a click does to a block or a living thing, with what is in the hand.
//!
//! The block comes first, then the thing in the hand, as in the game. Invariant: what is refused
//! changes nothing; every item gained is a row of `world::uses` or follows from the world's own rules.

use super::super::cauldron;
use super::super::controls::ControlOutcome;
use super::super::growth::hands as garden;
use super::super::sim::Simulation;
use super::super::stations::trading;
use super::collide::BoundingBox;
use super::held::{exchange, take_one_held, wear, wear_held};
use super::{REACH, angling, bed, sight, turn, vitals};
use crate::block::{self as blocks, BlockId};
use crate::inventory::Stack;
use crate::item::{ItemId, ToolKind};
use crate::mob::MobKind;
use crate::space::{Facing, Point, Pos};
use crate::uses;

const NO_USE: ControlOutcome = ControlOutcome::Refused("that has no use here");
const FAR: ControlOutcome = ControlOutcome::Refused("out of reach or out of sight");
/// A cake has seven slices, each of two points.
/// As in the game: 2 points and a saturation of 0.4 each.
const SLICES: u8 = 7;
const SLICE: (u32, f32) = (2, 0.4);
/// Thrown things fly this far at most, in steps of half a block.
const THROW_STEPS: u32 = 48;
const THROW_STEP: f64 = 0.5;
/// Blocks gained downwards at each step: the curve of a throw.
const THROW_FALL: f64 = 0.012;

/// Clicks on a block, or into the air.
pub(in crate::voxel) fn use_on_block(sim: &mut Simulation, at: Option<Pos>) -> ControlOutcome {
    if sim.window.gui.is_open() {
        return ControlOutcome::Refused("a window is open");
    }
    let Some(at) = at else {
        return use_in_air(sim);
    };
    if !in_reach(sim, at) {
        return FAR;
    }
    let there = sim.grid.block(at);
    let held = sim.body.held();
    // Before what is in hand: a bed is used whatever one holds.
    if there.name().ends_with("_bed") {
        return bed::lie_down(sim, at);
    }
    // Bone meal on a bush makes it grow, even if it is ripe.
    if there == blocks::SWEET_BERRY_BUSH && held.is_none_or(|item| item.name() != "bone_meal") {
        return pick(sim, at);
    }
    if there.name() == "cake" {
        return eat_slice(sim, at);
    }
    match held {
        Some(item) if there == blocks::CAULDRON => cauldron::use_on(sim, at, item),
        Some(item) => use_held_on(sim, at, there, item),
        None => ControlOutcome::Refused("the hand is empty"),
    }
}

/// Fluids and air are clicked where their cell is, all else on any side in sight.
fn in_reach(sim: &Simulation, at: Pos) -> bool {
    let (eyes, grid) = (sim.body.eyes(), &sim.grid);
    // A solid block can be clicked at any visible face; fluids have none.
    if sight::is_handy(grid.block(at)) {
        return sight::point_of_block(grid, eyes, at, REACH).is_some();
    }
    let met = sight::first_cell(eyes, at.centre(), |pos| {
        pos == at || sight::is_handy(grid.block(pos))
    });
    eyes.distance(at.centre()) <= REACH && met == Some(at)
}

fn use_held_on(sim: &mut Simulation, at: Pos, there: BlockId, item: ItemId) -> ControlOutcome {
    let is_source = sim.fluids.is_source(&sim.grid, at);
    match (item.name(), there) {
        // Only sources fill a bucket; flowing water cannot be taken up.
        ("bucket", blocks::WATER) if is_source => scoop(sim, at, "water_bucket"),
        ("bucket", blocks::LAVA) if is_source => scoop(sim, at, "lava_bucket"),
        ("water_bucket", there) if there.is_replaceable() => pour(sim, at, blocks::WATER),
        ("lava_bucket", there) if there.is_replaceable() => pour(sim, at, blocks::LAVA),
        // A bottle does not use the water up.
        ("glass_bottle", blocks::WATER) => exchange(sim, "potion"),
        ("bone_meal", _) => fertilise(sim, at),
        ("flint_and_steel", _) => light(sim, at),
        _ => match item.facts().tool {
            Some(tool) => work(sim, at, there, tool.kind),
            None => NO_USE,
        },
    }
}

fn scoop(sim: &mut Simulation, at: Pos, full: &str) -> ControlOutcome {
    // First the inventory, which may refuse; then the world.
    let outcome = exchange(sim, full);
    if outcome == ControlOutcome::Done {
        sim.grid.set(at, blocks::AIR);
    }
    outcome
}

fn pour(sim: &mut Simulation, at: Pos, fluid: BlockId) -> ControlOutcome {
    let outcome = exchange(sim, "bucket");
    if outcome == ControlOutcome::Done {
        sim.grid.set(at, fluid);
    }
    outcome
}

/// Tills, treads, strips or carves.
fn work(sim: &mut Simulation, at: Pos, there: BlockId, tool: ToolKind) -> ControlOutcome {
    let Some(turned) = uses::turned(tool, there) else {
        return NO_USE;
    };
    let done = match tool {
        ToolKind::Hoe => garden::till(&mut sim.grid, at),
        // As in the game, nothing is trodden into a path under another block.
        ToolKind::Shovel if sim.grid.block(at.up()) != blocks::AIR => false,
        _ => {
            sim.grid.set(at, turned.into);
            true
        }
    };
    if !done {
        return ControlOutcome::Refused("something stands on it");
    }
    // Carving a pumpkin spills seeds.
    if let Some((item, count)) = turned.spills {
        let open = open_side(sim, at);
        sim.dropped
            .spill(Stack::new(item, count), open, &mut sim.luck);
    }
    wear(sim, 1, 1);
    ControlOutcome::Done
}

/// The free cell beside a block that is nearest to the body; what falls out of a block falls there.
fn open_side(sim: &Simulation, at: Pos) -> Pos {
    let eyes = sim.body.eyes();
    let sides = Facing::ALL.into_iter().map(|side| at.side(side));
    sides
        .filter(|cell| !sim.grid.block(*cell).is_solid())
        .min_by(|a, b| {
            let far = |cell: &Pos| eyes.distance(cell.centre());
            far(a).total_cmp(&far(b))
        })
        .unwrap_or(at)
}

fn fertilise(sim: &mut Simulation, at: Pos) -> ControlOutcome {
    if !garden::fertilise(&mut sim.grid, at, &mut sim.luck) {
        return ControlOutcome::Refused("bone meal does nothing here");
    }
    take_one_held(&mut sim.body.slots);
    ControlOutcome::Done
}

/// Sets fire to the air here, or on top of the block here.
fn light(sim: &mut Simulation, at: Pos) -> ControlOutcome {
    let fire_at = if sim.grid.block(at) == blocks::AIR {
        at
    } else {
        at.up()
    };
    // Fire needs something solid below.
    let is_laid = sim.grid.block(fire_at.down()).is_solid();
    if sim.grid.block(fire_at) != blocks::AIR || !is_laid {
        return ControlOutcome::Refused("nothing burns there");
    }
    sim.grid.set(fire_at, blocks::FIRE);
    wear_held(sim, 1);
    ControlOutcome::Done
}

fn pick(sim: &mut Simulation, at: Pos) -> ControlOutcome {
    match garden::pick_berries(&mut sim.grid, at, &mut sim.luck) {
        Some(berries) => {
            sim.dropped.spill(berries, at, &mut sim.luck);
            ControlOutcome::Done
        }
        None => ControlOutcome::Refused("nothing is ripe"),
    }
}

fn eat_slice(sim: &mut Simulation, at: Pos) -> ControlOutcome {
    if sim.body.vitals.hunger >= vitals::HUNGER_MAX {
        return ControlOutcome::Refused("not hungry");
    }
    // No stage is a whole cake.
    let eaten = sim.grid.stage(at).unwrap_or(0) + 1;
    if eaten >= SLICES {
        sim.grid.set(at, blocks::AIR);
    } else {
        sim.grid.set_stage(at, Some(eaten));
    }
    sim.body.vitals.eat(SLICE.0, SLICE.1);
    ControlOutcome::Done
}

fn use_in_air(sim: &mut Simulation) -> ControlOutcome {
    match sim.body.held().map(ItemId::name) {
        Some("fishing_rod") => angling::cast_or_reel(sim),
        Some("egg") => {
            let at = throw(sim);
            // One egg in eight holds a chick, one of those in 32 holds four.
            if sim.luck.below(8) == 0 {
                // A few draws in a row: 1 in 8, then 1 in 32, as in the game.
                let chicks = if sim.luck.below(32) == 0 { 4 } else { 1 };
                (0..chicks).for_each(|_| sim.mobs.hatch(at));
            }
            ControlOutcome::Done
        }
        Some("snowball") => {
            throw(sim);
            ControlOutcome::Done
        }
        Some(_) => NO_USE,
        None => ControlOutcome::Refused("the hand is empty"),
    }
}

/// Throws one of what is held; the last free place on its way.
/// It lands in the air before the block it hits.
fn throw(sim: &mut Simulation) -> Point {
    take_one_held(&mut sim.body.slots);
    let along = turn::view(sim.body.yaw, sim.body.pitch);
    let (mut at, mut fall) = (sim.body.eyes(), 0.0);
    for _ in 0..THROW_STEPS {
        fall += THROW_FALL;
        let next = at.plus(
            along.x * THROW_STEP,
            along.y * THROW_STEP - fall,
            along.z * THROW_STEP,
        );
        if sim.grid.block(next.block()).is_solid() {
            break;
        }
        at = next;
    }
    at
}

/// Clicks on a living thing.
pub(in crate::voxel) fn use_on_mob(sim: &mut Simulation, number: u64) -> ControlOutcome {
    if sim.window.gui.is_open() {
        return ControlOutcome::Refused("a window is open");
    }
    let Some(mob) = sim.mobs.get(number) else {
        return ControlOutcome::Refused("there is no such mob");
    };
    let (at, kind, (width, height)) = (mob.position, mob.kind, mob.extent(sim.mobs.tick()));
    let bounds = BoundingBox::standing(at, width, height);
    if !sight::meets(|at| sim.grid.block(at), sim.body.eyes(), &bounds) {
        return FAR;
    }
    // Villagers open their window whatever is in hand.
    if kind == MobKind::Villager {
        return trading::open(sim, number);
    }
    let Some(item) = sim.body.held() else {
        return ControlOutcome::Refused("the hand is empty");
    };
    if item.name() == "shears" {
        return shear(sim, number, at);
    }
    // Milk before food: a bucket is no food.
    if let Some(full) = sim.mobs.milk(number, item) {
        return exchange(sim, full.name());
    }
    if sim.mobs.dye(number, item) || sim.mobs.feed(number, item) {
        take_one_held(&mut sim.body.slots);
        return ControlOutcome::Done;
    }
    ControlOutcome::Refused("that has no use on it now")
}

fn shear(sim: &mut Simulation, number: u64, at: Point) -> ControlOutcome {
    let Some(wool) = sim.mobs.shear(number, &mut sim.luck) else {
        return ControlOutcome::Refused("there is nothing to shear");
    };
    sim.dropped
        .spill(wool, at.plus(0.0, 0.5, 0.0).block(), &mut sim.luck);
    wear(sim, 1, 1);
    ControlOutcome::Done
}
