//! Swarm: a silverfish that was hit and lives calls those out that are in the blocks around.
//!
//! Times and ranges are those of 1.16. Invariant: no chance is drawn before one calls.

use super::LifeEvent;
use super::mob::Mob;
use crate::infested::host;
use crate::mob::MobKind;
use crate::rng::Rng;
use crate::voxel::grid::Grid;

/// Ticks from a blow to the call; blows in between do not put it off.
const CALL_TICKS: u64 = 20;
/// So many blocks up and down, and to each side.
const HIGH: i32 = 5;
const WIDE: i32 = 10;
/// After each that comes out, it may be that no more come.
const ENOUGH: f64 = 0.5;

/// Notes a blow.
pub(super) fn ask(mob: &mut Mob, tick: u64) {
    if mob.kind == MobKind::Silverfish && mob.calls_at <= tick {
        mob.calls_at = tick + CALL_TICKS;
    }
}

/// Calls those around, the nearest level first.
pub(super) fn call(mob: &Mob, grid: &Grid, rng: &mut Rng, events: &mut Vec<LifeEvent>) {
    let from = mob.position.block();
    for y in outwards(HIGH) {
        for x in outwards(WIDE) {
            for z in outwards(WIDE) {
                let at = from.plus(x, y, z);
                if host(grid.block(at)).is_some() {
                    events.push(LifeEvent::BrokeOut { at });
                    if rng.chance(ENOUGH) {
                        return;
                    }
                }
            }
        }
    }
}

/// 0, 1, -1, 2, -2 and so on.
fn outwards(most: i32) -> impl Iterator<Item = i32> {
    std::iter::once(0).chain((1..=most).flat_map(|by| [by, -by]))
}
