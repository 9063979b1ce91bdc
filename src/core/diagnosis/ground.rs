//! Ground: how much of a way led where the body had hardly been before.
//!
//! It tells a search from going to and fro, which come back to their start alike: who searches comes
//! by a place once more at most, going to and fro wears it out. Invariant: only ways inside the
//! attempt count, and of those between thinned-out samples the straight line.

use crate::domain::experience::attempt::Sample;
use pithead_world::space::Point;

/// Nearer than this to an old way is the same ground, blocks.
/// Two ways a block apart are the same path; a digging body sways by that much.
const WIDTH: f64 = 3.0;
/// What lies so little back is the way one is on, ticks.
/// Two seconds: the last few steps always lie near.
const RECENT_TICKS: u64 = 40;
/// Blocks of old ways on the same ground from which it is worn: passing by once leaves six to eight.
/// Two passes by, then: the third time is worn ground.
const WORN: f64 = 12.0;

/// Of the way from sample `from` on, the share over ground that was not worn; 1 for no way.
pub(super) fn new_share(samples: &[Sample], from: usize) -> f64 {
    let (mut way, mut new) = (0.0, 0.0);
    for (index, pair) in samples.windows(2).enumerate().skip(from) {
        let [before, now] = pair else { continue };
        // In blocks, so that standing still counts for nothing.
        let step = before.position.distance(now.position);
        way += step;
        if step > 0.0 && !is_worn(samples, index + 1) {
            new += step;
        }
    }
    if way > 0.0 { new / way } else { 1.0 }
}

/// Up to a moment ago the body came by there more than once.
fn is_worn(samples: &[Sample], at: usize) -> bool {
    let now = &samples[at];
    let is_past = |sample: &Sample| sample.tick + RECENT_TICKS <= now.tick;
    let mut trodden = 0.0;
    for pair in samples[..at].windows(2) {
        let [from, to] = pair else { continue };
        // Samples are in order, so everything after this one is recent too.
        if !is_past(to) {
            break;
        }
        if from_line(now.position, from.position, to.position) < WIDTH {
            // One long step between thinned-out samples counts for no more than the ground
            // around the point.
            trodden += from.position.distance(to.position).min(2.0 * WIDTH);
        }
        if trodden >= WORN {
            return true;
        }
    }
    false
}

/// Distance of a point from the line between two others.
fn from_line(p: Point, a: Point, b: Point) -> f64 {
    let (x, y, z) = (b.x - a.x, b.y - a.y, b.z - a.z);
    let square = x * x + y * y + z * z;
    let along = (p.x - a.x) * x + (p.y - a.y) * y + (p.z - a.z) * z;
    let share = if square > 0.0 {
        // Both ends in one place: the distance to that point.
        (along / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    p.distance(a.plus(x * share, y * share, z * share))
}
