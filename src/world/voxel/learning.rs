//! Experience points: what is worth some, and what the orbs that arrive are good for.
//!
//! An item in hand with Mending takes its share first. Invariant: points are credited from here only.

use super::sim::Simulation;
use super::yields::taken_whole;
use crate::block::{BlockId, can_harvest};
use crate::experience::in_block;
use crate::inventory::Stack;
use crate::space::{Point, Pos};

/// Uses that one point makes good.
/// As in the game.
const MENDED_PER_POINT: u32 = 2;

impl Simulation {
    /// One tick of the orbs; those that reach the body are credited.
    pub(super) fn let_learn(&mut self) {
        let points = self.orbs.step(&self.grid, &self.fluids, &self.body);
        if points > 0 {
            let left = mend(self, points);
            self.body.experience.gain(left);
        }
    }
}

/// Lets points between two numbers fly out of a place.
pub(super) fn between(sim: &mut Simulation, (least, most): (u32, u32), at: Point) {
    let points = sim.luck.between(least.into(), most.into()) as u32;
    sim.orbs.scatter(points, at);
}

/// Lets hundredths of points fall at the body; what is left of a whole one comes by chance.
/// 0.7 points are one point in seven of ten cases: the mean is right, and no fraction is
/// kept.
pub(super) fn hundredths(sim: &mut Simulation, hundredths: u32) {
    let rest = hundredths % 100;
    let more = rest > 0 && sim.luck.below(100) < u64::from(rest);
    let at = sim.body.at.plus(0.0, 0.5, 0.0);
    sim.orbs.scatter(hundredths / 100 + u32::from(more), at);
}

/// Lets out what was in a block that the body mined.
pub(super) fn from_block(sim: &mut Simulation, at: Pos, block: BlockId, held: Option<Stack>) {
    let Some(points) = in_block(block) else {
        return;
    };
    // Only a block that drops its ore teaches: with silk touch it is taken whole and holds
    // its points.
    if can_harvest(block, held.map(|stack| stack.item)) && taken_whole(block, held).is_none() {
        between(sim, points, at.centre());
    }
}

/// The points that are left once the thing in hand has mended itself.
fn mend(sim: &mut Simulation, points: u32) -> u32 {
    let selected = sim.body.slots.selected;
    let Some(held) = &mut sim.body.slots.stacks[selected] else {
        return points;
    };
    if held.damage == 0 || held.extra.enchants.named("mending") == 0 {
        return points;
    }
    let mended = held.damage.min(points * MENDED_PER_POINT);
    held.damage -= mended;
    // Rounded up: a started point is used.
    points - mended.div_ceil(MENDED_PER_POINT)
}
