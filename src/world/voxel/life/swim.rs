//! Swim: how squid and fish move, in water and out of it.
//!
//! Invariant: what swims never leaves the water by itself.

use super::mob::{Mob, Mood};
use crate::block as blocks;
use crate::space::Point;
use crate::voxel::grid::Grid;

/// Share of the pace that goes up or down.
const SLANT: f64 = 0.35;
const SINK: f64 = 0.25;

/// Moves a swimmer for one tick; false if water ends where it wants to go.
pub(crate) fn swim(mob: &mut Mob, grid: &Grid, (dx, dz): (f64, f64)) -> bool {
    let wet = |point: Point| grid.rock(point.block()) == blocks::WATER;
    let drift = std::mem::take(&mut mob.velocity);
    if !wet(mob.position) {
        // Stranded: it drops to the ground and stays there.
        let below = mob.position.plus(0.0, -SINK, 0.0);
        if !grid.rock(below.block()).is_solid() {
            mob.position = below;
        }
        mob.on_ground = true;
        return true;
    }
    if drift.x != 0.0 || drift.z != 0.0 {
        let carried = mob.position.plus(drift.x, 0.0, drift.z);
        if wet(carried) {
            mob.position = carried;
        }
    }
    // Only a mood with a direction moves a swimmer.
    let (Mood::Stroll { until, .. } | Mood::Flee { until, .. }) = mob.mood else {
        return true;
    };
    // Up or down for a whole stroll: its end is as good a coin as any.
    let slant = if (until ^ mob.number) & 1 == 0 {
        SLANT
    } else {
        -SLANT
    };
    let dy = slant * (dx.abs() + dz.abs());
    // Level as the second try, so that a swimmer follows the surface or the bottom.
    let tries = [(dx, dy, dz), (dx, 0.0, dz)].map(|(x, y, z)| mob.position.plus(x, y, z));
    match tries.into_iter().find(|there| wet(*there)) {
        Some(there) => mob.position = there,
        None => return false,
    }
    true
}
