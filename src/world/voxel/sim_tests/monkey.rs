//! A monkey at the keys: random hands and feet that reach every action there is, in a yard that has a use for each.
//!
//! Invariant: same seed, same world, same keys; the yard is refilled only when the caller says so.

use super::super::body::vitals::Vitals;
use super::super::body::{REACH, sight};
use super::super::controls::{AimTarget, Controls, FurnaceSlot, HandAction};
use super::super::sim::Simulation;
use super::item;
use crate::block::{self as blocks, BlockId};
use crate::inventory::Slots;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::rng::Rng;
use crate::space::{Facing, Pos};
use crate::trade::Profession;

const CARRIED: [(&str, u32); 31] = [
    ("oak_log", 16),
    ("oak_planks", 16),
    ("stick", 16),
    ("cobblestone", 64),
    ("sand", 16),
    ("iron_ore", 8),
    ("coal", 8),
    ("bread", 16),
    ("torch", 8),
    ("crafting_table", 1),
    ("furnace", 1),
    ("chest", 1),
    ("wooden_pickaxe", 1),
    ("iron_pickaxe", 1),
    ("iron_sword", 1),
    ("iron_hoe", 1),
    ("water_bucket", 1),
    ("bucket", 2),
    ("shears", 1),
    ("fishing_rod", 1),
    ("bone_meal", 16),
    ("wheat_seeds", 16),
    ("egg", 16),
    ("lime_dye", 16),
    ("wheat", 16),
    ("red_bed", 1),
    ("glass_bottle", 8),
    ("lapis_lazuli", 8),
    ("book", 2),
    ("leather_helmet", 1),
    ("emerald", 16),
];

/// What stands around the body, two steps off.
const YARD: [&str; 16] = [
    "crafting_table",
    "furnace",
    "chest",
    "enchanting_table",
    "anvil",
    "grindstone",
    "cauldron",
    "water",
    "farmland",
    "oak_log",
    "stone",
    "sand",
    "oak_leaves",
    "sweet_berry_bush",
    "pumpkin",
    "grass",
];

#[derive(Debug)]
pub(super) struct Monkey {
    rng: Rng,
    keys: Controls,
}

impl Monkey {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            keys: Controls::default(),
        }
    }

    /// The keys of the next tick.
    pub(super) fn next(&mut self, sim: &Simulation) -> Controls {
        let rng = &mut self.rng;
        if rng.chance(0.93) {
            self.keys.action = self.keys.action.take().filter(is_lasting);
            return self.keys.clone();
        }
        let near = somewhere(rng, sim);
        self.keys = Controls {
            forward: rng.between(-1, 1) as i8,
            strafe: rng.between(-1, 1) as i8,
            jump: rng.chance(0.3),
            sneak: rng.chance(0.1),
            guard: rng.chance(0.2),
            sprint: rng.chance(0.3),
            yaw: if rng.chance(0.01) {
                f32::NAN
            } else {
                rng.between(-4000, 4000) as f32 / 7.0
            },
            pitch: rng.between(-90, 90) as f32,
            attack: rng.chance(0.5),
            aim: rng.chance(0.8).then(|| any_aim(rng, sim, near)),
            action: rng.chance(0.5).then(|| any_action(rng, sim, near)),
        };
        self.keys.clone()
    }
}

/// Deeds that take several ticks of the same keys.
fn is_lasting(action: &HandAction) -> bool {
    matches!(
        action,
        HandAction::Eat
            | HandAction::Hold { .. }
            | HandAction::CraftOnce { .. }
            | HandAction::Trade { .. }
            | HandAction::Lay { .. }
            | HandAction::Enchant { .. }
            | HandAction::Join { .. }
            | HandAction::Grind { .. }
            | HandAction::Mend { .. }
            | HandAction::Dye { .. }
    )
}

/// A cell near the body, more often one with something in it that can be got at.
fn somewhere(rng: &mut Rng, sim: &Simulation) -> Pos {
    let feet = sim.body().feet();
    let mut any = || {
        let mut span = |span: i64| rng.between(-span, span) as i32;
        feet.plus(span(3), span(2), span(3))
    };
    let tries: Vec<Pos> = (0..12).map(|_| any()).collect();
    let eyes = sim.body().eyes();
    let is_used = |at: &&Pos| {
        sim.grid().block(**at) != blocks::AIR
            && sight::point_of_block(sim.grid(), eyes, **at, REACH).is_some()
    };
    *tries.iter().find(is_used).unwrap_or(&tries[0])
}

fn any_mob(rng: &mut Rng, sim: &Simulation) -> u64 {
    let near = sim.mobs().near(sim.body().at, 5.0);
    match near.len() {
        0 => rng.below(10),
        all => near[rng.below(all as u64) as usize].number,
    }
}

fn any_aim(rng: &mut Rng, sim: &Simulation, near: Pos) -> AimTarget {
    if rng.chance(0.2) {
        AimTarget::Mob(any_mob(rng, sim))
    } else {
        AimTarget::Block(near)
    }
}

fn any_item(rng: &mut Rng) -> ItemId {
    item(CARRIED[rng.below(CARRIED.len() as u64) as usize].0)
}

fn any_furnace_slot(rng: &mut Rng) -> FurnaceSlot {
    [FurnaceSlot::Input, FurnaceSlot::Fuel, FurnaceSlot::Output][rng.below(3) as usize]
}

fn any_action(rng: &mut Rng, sim: &Simulation, near: Pos) -> HandAction {
    if sim.window().gui.is_open() && rng.chance(0.8) {
        return any_click(rng);
    }
    let item = any_item(rng);
    match rng.below(16) {
        0..=2 => HandAction::Hold { item },
        3 => HandAction::HoldNothing,
        4 | 5 => HandAction::Place {
            against: near,
            side: Facing::ALL[rng.below(6) as usize],
        },
        6 | 7 => HandAction::Open { at: near },
        8 => HandAction::OpenInventory,
        9 | 10 => HandAction::Use { at: Some(near) },
        11 => HandAction::Use { at: None },
        12 => HandAction::UseOn {
            mob: any_mob(rng, sim),
        },
        13 => HandAction::Select {
            slot: rng.below(11) as u8,
        },
        14 => HandAction::Eat,
        _ => HandAction::Toss {
            item,
            count: rng.below(4) as u32,
        },
    }
}

/// A click in a window, fitting or not.
fn any_click(rng: &mut Rng) -> HandAction {
    let item = any_item(rng);
    let count = rng.below(5) as u32;
    let (slot, with) = (rng.below(38) as usize, rng.below(38) as usize);
    match rng.below(14) {
        0 => HandAction::CloseGui,
        1 | 2 => HandAction::CraftOnce { product: item },
        3 => HandAction::FurnacePut {
            slot: any_furnace_slot(rng),
            item: item.into(),
            count,
        },
        4 => HandAction::FurnaceTake {
            slot: any_furnace_slot(rng),
        },
        5 => HandAction::ChestPut {
            item: item.into(),
            count,
        },
        6 => HandAction::ChestTake {
            item: item.into(),
            count,
        },
        7 => HandAction::Trade {
            offer: rng.below(4) as usize,
        },
        8 => HandAction::Lay { slot },
        9 => HandAction::Enchant {
            offer: rng.below(4) as usize,
        },
        10 => HandAction::Join { slot, with },
        11 => HandAction::Grind {
            slot,
            with: rng.chance(0.5).then_some(with),
        },
        12 => HandAction::Mend { slot, with },
        _ => HandAction::Dye { slot, dye: item },
    }
}

/// Makes the body whole, its pockets full and the yard around it furnished.
pub(super) fn refill(sim: &mut Simulation, rng: &mut Rng) {
    let body = sim.body_mut();
    (body.vitals, body.death) = (Vitals::default(), None);
    body.vitals.hunger = 15;
    body.experience.level = 30;
    body.slots = Slots::default();
    for _ in 0..24 {
        let (name, count) = CARRIED[rng.below(CARRIED.len() as u64) as usize];
        sim.give(item(name), count);
    }
    let feet = sim.body().feet();
    for (n, name) in YARD.into_iter().enumerate() {
        let (x, z) = ((n as i32 % 4) * 2 - 3, (n as i32 / 4) * 2 - 3);
        let at = feet.plus(x, 0, z);
        let is_free = sim.grid().is_loaded(at) && sim.grid().block(at) == blocks::AIR;
        if is_free && rng.chance(0.5) {
            sim.grid_mut().set(at, name.parse::<BlockId>().unwrap());
        }
    }
    if sim.mobs().near(sim.body().at, 8.0).len() < 6 {
        for kind in [
            MobKind::Sheep,
            MobKind::Cow,
            MobKind::Mooshroom,
            MobKind::Chicken,
        ] {
            sim.mobs_mut().add(kind, feet.plus(1, 0, 1).floor());
        }
        let trades = Profession::ALL[rng.below(13) as usize];
        sim.add_villager(trades, feet.plus(-1, 0, 1));
    }
}
