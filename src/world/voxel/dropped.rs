//! Dropped items: stacks that lie or fly about until someone walks over them.
//!
//! Invariant: at most `ITEMS_MAX` exist; what lies still costs a few comparisons per tick.

use super::body::PlayerBody;
use super::body::collide;
use super::currents::{self, Drifter};
use super::fluids::Fluids;
use super::grid::Grid;
use super::loose::{LIFE_TICKS, Loose};
use crate::block as blocks;
use crate::inventory::Stack;
use crate::rng::Rng;
use crate::space::{Point, Pos};

/// More than this many lie about only after an explosion in a warehouse; the oldest go first.
/// A bound for the list: each item costs time in every tick.
const ITEMS_MAX: usize = 1_000;
const ITEM: Loose = Loose {
    size: 0.25,
    gravity: 0.04,
    bounce: None,
};
/// Ticks until what fell out of a block or a mob can be picked up.
/// Half a second, as in the game.
const PICKUP_DELAY: u8 = 10;
/// Thrown away by hand: long enough to walk off.
const TOSS_DELAY: u8 = 40;
const TOSS_SPEED: f64 = 0.3;
/// In blocks; items merge at half a block, as in the game.
const MERGE_NEAR: f64 = 0.5;
/// Items at rest look for lost ground and for company this often.
/// Ticks. Ids shift the phase, so the checks of many items spread over the ticks.
const CHECK_TICKS: u32 = 8;
#[derive(Debug, Clone, PartialEq)]
pub struct Dropped {
    pub id: u64,
    pub stack: Stack,
    /// The middle of its underside.
    pub at: Point,
    pub velocity: Point,
    /// Ticks since it was dropped.
    pub age: u32,
    /// Ticks until it can be picked up.
    pub delay: u8,
    /// Lies still on firm ground and is not moved until a check finds the ground gone.
    pub resting: bool,
}

/// All loose items, oldest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DroppedItems {
    pub items: Vec<Dropped>,
    next_id: u64,
}

impl DroppedItems {
    /// Lets a stack fall out of a block.
    pub(super) fn spill(&mut self, stack: Stack, from: Pos, luck: &mut Rng) {
        let mut off = |span: f64| (luck.unit() - 0.5) * span;
        let at = from
            .centre()
            .plus(off(0.5), off(0.5) - ITEM.size / 2.0, off(0.5));
        let velocity = Point::new(off(0.2), 0.2, off(0.2));
        self.launch(stack, at, velocity, PICKUP_DELAY);
    }

    /// Throws a stack along a direction.
    pub(super) fn toss(&mut self, stack: Stack, from: Point, along: Point) {
        let velocity = Point::new(
            along.x * TOSS_SPEED,
            along.y * TOSS_SPEED + 0.1,
            along.z * TOSS_SPEED,
        );
        self.launch(stack, from.plus(0.0, -0.3, 0.0), velocity, TOSS_DELAY);
    }

    /// Lets a stack fly off with a given speed.
    pub(super) fn fling(&mut self, stack: Stack, from: Point, velocity: Point) {
        // No delay: what flies to the body is picked up as soon as it arrives.
        self.launch(stack, from, velocity, 0);
    }

    fn launch(&mut self, stack: Stack, at: Point, velocity: Point, delay: u8) {
        if self.items.len() >= ITEMS_MAX {
            self.items.remove(0);
        }
        let id = self.next_id;
        self.next_id += 1;
        self.items.push(Dropped {
            id,
            stack,
            at,
            velocity,
            age: 0,
            delay,
            resting: false,
        });
    }

    /// One tick: drift, fall, lie, merge, burn, be picked up.
    pub(super) fn step(&mut self, grid: &Grid, fluids: &Fluids, body: &mut PlayerBody) {
        let mut at = 0;
        while at < self.items.len() {
            let item = &mut self.items[at];
            item.age += 1;
            item.delay = item.delay.saturating_sub(1);
            let checks = (item.age + item.id as u32).is_multiple_of(CHECK_TICKS);
            if checks && item.resting {
                // A little below the box: free there means that the ground is gone.
                item.resting =
                    !collide::is_free(grid, &ITEM.bounds(item.at).moved([0.0, -0.05, 0.0]));
            }
            drift(item, grid, fluids);
            if !item.resting {
                fly(item, grid);
            }
            // The order matters: what is too old is not picked up, and what was picked up
            // neither burns nor merges.
            let gone = item.age >= LIFE_TICKS
                || (item.delay == 0
                    && body.alive()
                    && ITEM.is_in_grasp(item.at, body.at)
                    && !pick_up(item, body))
                || (checks && burns(item.at, grid))
                || (checks && self.merge(at));
            if gone {
                self.items.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Adds the item to an older one nearby; true if nothing of it is left.
    fn merge(&mut self, at: usize) -> bool {
        let (older, rest) = self.items.split_at_mut(at);
        let item = &rest[0];
        let room = item
            .stack
            .item
            .facts()
            .stack_max
            .saturating_sub(item.stack.count);
        // Whole stacks only. Items are never split between two stacks on the ground.
        let partner = older.iter_mut().find(|other| {
            other.stack.is_like(&item.stack)
                && other.stack.count <= room
                && other.at.distance(item.at) <= MERGE_NEAR
        });
        let Some(partner) = partner else { return false };
        partner.stack.count += item.stack.count;
        // The merged stack can be picked up only when both could, and lives as long as the
        // younger.
        partner.delay = partner.delay.max(item.delay);
        partner.age = partner.age.min(item.age);
        true
    }
}

/// Takes the item along with the current that it is in.
fn drift(item: &mut Dropped, grid: &Grid, fluids: &Fluids) {
    let by = currents::push(
        fluids,
        grid,
        ITEM.bounds(item.at),
        item.velocity,
        Drifter::Other,
    );
    if by != Point::default() {
        item.velocity = item.velocity.plus(by.x, by.y, by.z);
        item.resting = false;
    }
}

fn fly(item: &mut Dropped, grid: &Grid) {
    let v = &mut item.velocity;
    ITEM.sink(grid, item.at, v);
    let lies = ITEM.slide(grid, &mut item.at, v);
    item.resting = lies && v.x.abs() < 0.003 && v.z.abs() < 0.003;
    if item.resting {
        *v = Point::default();
    }
}

fn burns(at: Point, grid: &Grid) -> bool {
    let block = grid.block(at.block());
    // The void below the world counts as fire.
    block == blocks::LAVA || block == blocks::FIRE || at.y < -64.0
}

/// Moves what fits into the inventory; true if something stays behind.
fn pick_up(item: &mut Dropped, body: &mut PlayerBody) -> bool {
    match body.slots.add(item.stack) {
        None => false,
        Some(rest) => {
            item.stack = rest;
            true
        }
    }
}
