//! Ground: how much of a way led where the body had not been before.
//!
//! It tells a search from going to and fro, which come back to their start alike. Invariant: the
//! answer is the same whether old samples were thinned out or not, as far as they still show the way.

use crate::domain::attempt::Sample;
use crate::world::space::Point;

/// Nearer than this to an old way is the same ground, blocks.
const WIDTH: f64 = 3.0;
/// What lies so little back is the way one is on, ticks.
const RECENT_TICKS: u64 = 40;

/// Of the way from sample `from` on, the share that was new to all samples; 1 for no way.
pub(super) fn new_share(samples: &[Sample], from: usize) -> f64 {
    let (mut way, mut new) = (0.0, 0.0);
    for (index, pair) in samples.windows(2).enumerate().skip(from) {
        let [before, now] = pair else { continue };
        let step = before.position.distance(now.position);
        way += step;
        if step > 0.0 && is_new(samples, index + 1) {
            new += step;
        }
    }
    if way > 0.0 { new / way } else { 1.0 }
}

/// Nothing of the way up to a moment ago passes there.
fn is_new(samples: &[Sample], at: usize) -> bool {
    let now = &samples[at];
    let is_past = |sample: &Sample| sample.tick + RECENT_TICKS <= now.tick;
    let past = samples.windows(2).take(at);
    let mut past = past.take_while(|pair| pair.last().is_some_and(is_past));
    // Between two samples the body went straight, as far as anybody knows.
    !past.any(|pair| from_line(now.position, pair[0].position, pair[1].position) < WIDTH)
}

/// Distance of a point from the line between two others.
fn from_line(p: Point, a: Point, b: Point) -> f64 {
    let (x, y, z) = (b.x - a.x, b.y - a.y, b.z - a.z);
    let square = x * x + y * y + z * z;
    let along = (p.x - a.x) * x + (p.y - a.y) * y + (p.z - a.z) * z;
    let share = if square > 0.0 {
        (along / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    p.distance(a.plus(x * share, y * share, z * share))
}
