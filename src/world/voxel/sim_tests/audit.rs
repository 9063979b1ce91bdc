//! Audit: whatever comes into being in a tick has a cause that the tables allow, and what is only moved stays.
//!
//! The auditor does not ask the world why: it holds the worlds before and after side by side, looks what changed (blocks,
//! mobs, furnaces, actions), and adds up what the tables give for that. Worlds are deterministic, so "before" is played again.

use super::super::body::fishing_line::Float;
use super::super::controls::{ControlOutcome, Controls, FurnaceSlot, HandAction};
use super::super::grid::Grid;
use super::super::sim::Simulation;
use super::monkey::{Monkey, refill};
use super::{HERE, action, item, scene};
use crate::block::{self as blocks, BlockId};
use crate::counts::Counts;
use crate::drops::{drops_of, silk_touch_drop, unripe_drop};
use crate::fishing;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::rng::Rng;
use crate::smelting::smelts_to;
use crate::space::{Point, Pos};
use crate::uses;

/// Ticks between two points from which the world can be played again.
const STRETCH: u32 = 100;

/// Everything there is: carried, lying about, in furnaces and chests.
fn stacks(sim: &Simulation) -> impl Iterator<Item = Stack> {
    let furnaces = sim.furnaces.values().flat_map(|furnace| {
        [FurnaceSlot::Input, FurnaceSlot::Fuel, FurnaceSlot::Output].map(|slot| furnace.slot(slot))
    });
    let chests = sim
        .chests
        .values()
        .flat_map(|chest| chest.slots.stacks.clone());
    let carried = sim.body().slots.stacks.clone().into_iter();
    let loose = sim.dropped().iter().map(|loose| Some(loose.stack));
    carried.chain(loose).chain(furnaces).chain(chests).flatten()
}

fn holdings(sim: &Simulation) -> Counts {
    let mut all = Counts::default();
    for stack in stacks(sim) {
        all.add(stack.item, stack.count);
    }
    all
}

/// One tick under audit.
struct Tick<'a> {
    before: &'a Simulation,
    after: &'a Simulation,
    keys: &'a Controls,
    outcome: &'a ControlOutcome,
}

impl Tick<'_> {
    /// The most of an item that may have come into being.
    fn allowed(&self, item: ItemId) -> u32 {
        let causes = [
            self.by_action(item),
            self.by_furnaces(item),
            self.by_mobs(item),
            self.by_new_chests(item),
            self.by_blocks(item),
        ];
        causes.iter().sum()
    }

    /// What the hands did, as far as the name of the outcome or action tells.
    fn cause(&self) -> String {
        let told = match (self.outcome, &self.keys.action) {
            (ControlOutcome::Done, Some(action)) => format!("{action:?}"),
            (outcome, _) => format!("{outcome:?}"),
        };
        let name = told.split([' ', '(', '{']).next().unwrap_or_default();
        name.to_owned()
    }

    fn held(&self) -> Option<ItemId> {
        self.before.body().held()
    }

    fn by_action(&self, wanted: ItemId) -> u32 {
        if let ControlOutcome::Crafted(made, count) = self.outcome
            && *made == wanted
        {
            return *count;
        }
        if *self.outcome != ControlOutcome::Done {
            return 0;
        }
        let held = self.held().map_or("", ItemId::name);
        match &self.keys.action {
            Some(HandAction::Use { at }) => {
                let berries =
                    at.is_some_and(|at| self.before.grid().block(at) == blocks::SWEET_BERRY_BUSH);
                let bites = matches!(
                    self.before.bobber().map(|b| b.float),
                    Some(Float::Bitten { .. })
                );
                let caught = bites && fishing::catches().iter().any(|row| row.item == wanted);
                let emptied = match held {
                    "water_bucket" | "lava_bucket" => wanted.name() == "bucket",
                    "potion" => wanted.name() == "glass_bottle",
                    _ => false,
                };
                let picked = if berries && wanted.name() == "sweet_berries" {
                    3
                } else {
                    0
                };
                u32::from(caught) + u32::from(emptied) + u32::from(fills(held, wanted)) + picked
            }
            Some(HandAction::UseOn { mob }) => {
                let mob = self.before.mobs().get(*mob);
                let wool = mob.and_then(|mob| mob.coat.wool().filter(|_| !mob.coat.shorn));
                let shorn = mob.map_or(0, |mob| {
                    let rows = mob.kind.facts().sheared.iter();
                    let plain = rows
                        .filter(|row| row.item == wanted)
                        .map(|row| row.max)
                        .sum();
                    if wool == Some(wanted) { 3 } else { plain }
                });
                let cut = if held == "shears" { shorn } else { 0 };
                cut + u32::from(fills(held, wanted))
            }
            Some(HandAction::Trade { offer }) => {
                let mob = self
                    .before
                    .window()
                    .mob
                    .and_then(|mob| self.before.villagers().get(mob));
                let deal = mob.and_then(|one| one.deals().get(*offer).copied());
                deal.map(|deal| deal.terms.get)
                    .filter(|got| got.item == wanted)
                    .map_or(0, |got| got.count)
            }
            Some(HandAction::Enchant { .. }) => u32::from(wanted.name() == "enchanted_book"),
            Some(HandAction::Grind { .. }) => u32::from(wanted.name() == "book"),
            _ => 0,
        }
    }

    fn by_furnaces(&self, wanted: ItemId) -> u32 {
        let made = |at: &Pos| {
            let furnace = self.before.furnaces.get(at);
            let slot = |slot| furnace.and_then(|f| f.slot(slot)).map(|stack| stack.item);
            // What is put in this very tick may catch fire in it.
            let input = slot(FurnaceSlot::Input).and_then(smelts_to) == Some(wanted);
            let lava = wanted.name() == "bucket"
                && self.after.furnaces.get(at).is_some_and(|f| f.is_lit());
            u32::from(input) + u32::from(lava)
        };
        self.after.furnaces.keys().map(made).sum()
    }

    fn by_mobs(&self, wanted: ItemId) -> u32 {
        let left = |rows: &[crate::drops::Drop]| -> u32 {
            rows.iter()
                .filter(|row| row.item == wanted)
                .map(|row| row.max)
                .sum()
        };
        let gave = |mob: &super::super::life::mob::Mob| {
            let facts = mob.kind.facts();
            let lays = left(&facts.lays);
            if self.after.mobs().get(mob.number).is_some() {
                return lays;
            }
            let rows: Vec<_> = facts.drops.iter().map(|row| row.drop).collect();
            let times = facts.rolls.map_or(1, |(_, most)| most);
            lays + times * (left(&rows) + looting(self.before))
                + u32::from(mob.coat.wool() == Some(wanted))
                + u32::from(mob.held == Some(wanted))
        };
        self.before.mobs().iter().map(gave).sum()
    }

    fn by_new_chests(&self, wanted: ItemId) -> u32 {
        let new = self
            .after
            .chests
            .iter()
            .filter(|(at, _)| !self.before.chests.contains_key(at));
        new.map(|(_, chest)| chest.slots.count(wanted)).sum()
    }

    /// What the blocks give that are no longer what they were.
    fn by_blocks(&self, wanted: ItemId) -> u32 {
        let (old, new) = (self.before.grid(), self.after.grid());
        let feet = self.before.body().feet();
        let cells = (-40..=40).flat_map(|z| {
            (-40..=40).flat_map(move |x| (-24..=24).map(move |y| feet.plus(x, y, z)))
        });
        let changed = cells.filter(|at| old.is_loaded(*at) && old.block(*at) != new.block(*at));
        changed.map(|at| self.given_by(old.block(at), wanted)).sum()
    }

    fn given_by(&self, block: BlockId, wanted: ItemId) -> u32 {
        let held = self.before.body().slots.held();
        let named = |name: &str| held.map_or(0, |stack| stack.extra.enchants.named(name));
        let by_hand = drops_of(block, held.map(|stack| stack.item)).iter();
        let by_world = drops_of(block, None).iter();
        let most = by_hand
            .chain(by_world)
            .filter(|row| row.item == wanted)
            .map(|row| row.max)
            .max();
        let whole = named("silk_touch") > 0 && silk_touch_drop(block) == Some(wanted);
        let tool = held.and_then(|stack| stack.item.facts().tool);
        let spilt = tool
            .and_then(|tool| uses::turned(tool.kind, block))
            .and_then(|turned| turned.spills);
        let spilt = spilt
            .filter(|(item, _)| *item == wanted)
            .map_or(0, |(_, count)| count);
        let seed = u32::from(unripe_drop(block) == Some(wanted));
        most.unwrap_or(0) * (1 + u32::from(named("fortune"))) + u32::from(whole) + spilt + seed
    }
}

fn fills(held: &str, wanted: ItemId) -> bool {
    uses::FILLS
        .iter()
        .any(|(vessel, _, full)| *vessel == held && *full == wanted.name())
}

fn looting(sim: &Simulation) -> u32 {
    sim.body()
        .slots
        .held()
        .map_or(0, |stack| u32::from(stack.extra.enchants.named("looting")))
}

/// Lets a monkey play under audit; how many ticks brought something into being.
fn audit(mut sim: Simulation, seed: u64, ticks: u32) -> u32 {
    let (mut monkey, mut rng) = (Monkey::new(seed), Rng::new(seed ^ 77));
    let (mut begun, mut played, mut gains) = (sim.clone(), Vec::<Controls>::new(), 0);
    let mut owned = holdings(&sim);
    let mut causes = std::collections::BTreeSet::new();
    for tick in 0..ticks {
        if tick % STRETCH == 0 || !sim.body().alive() {
            refill(&mut sim, &mut rng);
            (begun, owned) = (sim.clone(), holdings(&sim));
            played.clear();
        }
        let keys = monkey.next(&sim);
        let outcome = sim.step(&keys);
        let now = holdings(&sim);
        let gained: Vec<(ItemId, i64)> = now
            .delta(&owned)
            .into_iter()
            .filter(|(_, by)| *by > 0)
            .collect();
        if !gained.is_empty() {
            gains += 1;
            let mut before = begun.clone();
            for keys in &played {
                before.step(keys);
            }
            let one = Tick {
                before: &before,
                after: &sim,
                keys: &keys,
                outcome: &outcome,
            };
            causes.insert(one.cause());
            for (what, by) in gained {
                let may = i64::from(one.allowed(what));
                assert!(
                    by <= may,
                    "seed {seed} tick {tick}: {by} {what} came, {may} may: {keys:?} {outcome:?}"
                );
            }
        }
        played.push(keys);
        owned = now;
    }
    assert!(
        causes.contains("Broke"),
        "seed {seed}: only {causes:?} were seen"
    );
    gains
}

#[test]
fn nothing_comes_into_being_but_by_a_rule() {
    let flat = Simulation::with_grid(Grid::flat(40), Point::new(8.5, 41.0, 8.5));
    let monkeys = [1, 2, 3];
    let gains: u32 = monkeys
        .map(|seed| audit(flat.clone(), seed, 12_000))
        .iter()
        .sum();
    println!("{gains} gains");
    assert!(gains > 20, "the audit saw only {gains} gains");
}

/// The auditor itself must notice what has no cause.
#[test]
fn the_audit_sees_what_comes_from_nowhere() {
    let before = scene();
    let mut after = before.clone();
    after.step(&Controls::default());
    after.give(item("diamond"), 1);
    let one = Tick {
        before: &before,
        after: &after,
        keys: &Controls::default(),
        outcome: &ControlOutcome::Done,
    };
    assert_eq!(one.allowed(item("diamond")), 0);
}

/// What there is of each thing in each state of wear.
fn ledger(sim: &Simulation) -> Vec<(ItemId, u32, u64, u32)> {
    let mut rows = std::collections::BTreeMap::new();
    for stack in stacks(sim) {
        let key = (stack.item, stack.damage, stack.extra.bits());
        *rows.entry(key).or_insert(0) += stack.count;
    }
    rows.into_iter()
        .map(|((item, damage, extra), count)| (item, damage, extra, count))
        .collect()
}

fn any_move(rng: &mut Rng, things: &[&str], places: &[Pos]) -> HandAction {
    let thing = item(things[rng.below(things.len() as u64) as usize]);
    let count = 1 + rng.below(70) as u32;
    let slot = [FurnaceSlot::Input, FurnaceSlot::Fuel][rng.below(2) as usize];
    match rng.below(9) {
        0 => HandAction::Hold { item: thing },
        1 => HandAction::HoldNothing,
        2 => HandAction::Select {
            slot: rng.below(9) as u8,
        },
        3 => HandAction::Toss { item: thing, count },
        4 => HandAction::Open {
            at: places[rng.below(places.len() as u64) as usize],
        },
        5 => HandAction::ChestPut {
            item: thing.into(),
            count,
        },
        6 => HandAction::ChestTake {
            item: thing.into(),
            count,
        },
        7 => HandAction::FurnacePut {
            slot,
            item: thing.into(),
            count,
        },
        _ if rng.chance(0.3) => HandAction::CloseGui,
        _ => HandAction::FurnaceTake { slot },
    }
}

#[test]
fn what_is_only_moved_is_conserved_to_the_piece_at_every_tick() {
    // Nothing of this can be smelted, so nothing burns; worn tools must not mix with whole ones.
    let things = [
        "stick",
        "dirt",
        "bread",
        "wooden_pickaxe",
        "coal",
        "oak_planks",
    ];
    let places = [HERE.plus(2, 0, 0), HERE.plus(0, 0, 2), HERE.plus(-2, 0, 0)];
    for seed in 1..=4 {
        let mut sim = scene();
        for (at, name) in places.iter().zip(["chest", "furnace", "chest"]) {
            sim.grid_mut().set(*at, name.parse().unwrap());
        }
        for name in things {
            sim.give(item(name), item(name).facts().stack_max.min(40));
        }
        let worn = Stack {
            damage: 20,
            ..Stack::new(item("wooden_pickaxe"), 1)
        };
        assert_eq!(sim.body_mut().slots.add(worn), None);
        let (mut rng, first) = (Rng::new(seed), ledger(&sim));
        let mut moved = 0;
        for tick in 0..5_000 {
            let outcome = action(&mut sim, any_move(&mut rng, &things, &places));
            moved += u32::from(outcome == ControlOutcome::Done);
            assert_eq!(ledger(&sim), first, "seed {seed} tick {tick}");
        }
        assert!(moved > 1_000, "only {moved} moves were possible");
    }
}
