//! Turning: yaw and pitch to directions and back, without the platform's trigonometry.
//!
//! libm's sine may differ in the last bit between machines; these series use only + - * / and give
//! the same bits everywhere. Invariant: errors stay below 1e-9, far under what a step can show.

use crate::space::Point;
use std::f64::consts::{FRAC_PI_4, PI};

/// The direction over the ground that `yaw` looks to, as (x, z) of length 1.
#[must_use]
pub fn heading(yaw: f32) -> (f64, f64) {
    let (sin, cos) = sin_cos(f64::from(yaw));
    // Yaw 0 looks to +z (south) and grows clockwise, seen from above.
    (-sin, cos)
}

/// The direction in space that a view looks to, of length 1.
#[must_use]
pub fn view(yaw: f32, pitch: f32) -> Point {
    let (x, z) = heading(yaw);
    let (sin, cos) = sin_cos(f64::from(pitch));
    // Pitch is positive downwards.
    Point::new(x * cos, -sin, z * cos)
}

/// The yaw that looks along (x, z); 0 when there is no direction.
#[must_use]
pub fn yaw_along(x: f64, z: f64) -> f32 {
    (arc(-x, z) * (180.0 / PI)) as f32
}

/// Yaw and pitch that look from one point at another.
#[must_use]
pub fn look_at(from: Point, to: Point) -> (f32, f32) {
    let (x, y, z) = (to.x - from.x, to.y - from.y, to.z - from.z);
    (yaw_along(x, z), pitch_along(x, y, z))
}

/// The pitch that looks along (x, y, z).
#[must_use]
pub fn pitch_along(x: f64, y: f64, z: f64) -> f32 {
    let flat = (x * x + z * z).sqrt();
    (arc(-y, flat) * (180.0 / PI)) as f32
}

/// The same direction with yaw in -180..180 and pitch in -90..=90; what is not a number stays as it was.
/// NaN would spread from the view into every position.
pub(in crate::voxel) fn tidy(yaw: f32, pitch: f32, old: (f32, f32)) -> (f32, f32) {
    let yaw = if yaw.is_finite() {
        (yaw + 180.0).rem_euclid(360.0) - 180.0
    } else {
        old.0
    };
    let pitch = if pitch.is_finite() {
        pitch.clamp(-90.0, 90.0)
    } else {
        old.1
    };
    (yaw, pitch)
}

fn sin_cos(degrees: f64) -> (f64, f64) {
    // Quarter turns are exact, so that walking straight along an axis never drifts sideways.
    let quarter = (degrees / 90.0).round();
    let x = (degrees - quarter * 90.0) * (PI / 180.0);
    let y = x * x;
    // Taylor series up to the eleventh and tenth power; within 45 degrees the rest is below
    // 1e-9.
    let sin = x
        * (1.0
            - y / 6.0 * (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0 * (1.0 - y / 110.0)))));
    let cos =
        1.0 - y / 2.0 * (1.0 - y / 12.0 * (1.0 - y / 30.0 * (1.0 - y / 56.0 * (1.0 - y / 90.0))));
    // Each quarter turn swaps sine and cosine and changes one sign.
    match (quarter as i64).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The angle of the vector (cos, sin) in radians, as atan2.
fn arc(sin: f64, cos: f64) -> f64 {
    let (s, c) = (sin.abs(), cos.abs());
    if s == 0.0 && c == 0.0 {
        return 0.0;
    }
    // The smaller by the larger, so that the series gets 0 to 1.
    let first = if s <= c {
        arc_small(s / c)
    } else {
        PI / 2.0 - arc_small(c / s)
    };
    let upper = if cos < 0.0 { PI - first } else { first };
    if sin < 0.0 { -upper } else { upper }
}

/// What one is divided by 1, 3, and so on up to 23: the terms of the series of atan.
const ODD: [f64; 12] = {
    let mut parts = [1.0; 12];
    let mut n = 0;
    while n < parts.len() {
        parts[n] = 1.0 / (2 * n + 1) as f64;
        n += 1;
    }
    parts
};

/// atan on 0..=1.
fn arc_small(t: f64) -> f64 {
    // Above tan(pi/8) the series would converge slowly; the quarter formula folds it below.
    let (base, t) = if t > 0.414_213_562_373 {
        (FRAC_PI_4, (t - 1.0) / (t + 1.0))
    } else {
        (0.0, t)
    };
    let y = t * t;
    // From the last term to the first (Horner's rule).
    let sum = ODD.iter().rev().fold(0.0, |sum, part| part - y * sum);
    base + t * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_agree_with_the_platform_closely_and_with_the_axes_exactly() {
        for tenth in -7200..7200 {
            let yaw = tenth as f32 / 10.0;
            let exact = f64::from(yaw).to_radians();
            let (x, z) = heading(yaw);
            assert!(
                (x + exact.sin()).abs() < 1e-9 && (z - exact.cos()).abs() < 1e-9,
                "{yaw}"
            );
        }
        assert_eq!((heading(0.0), heading(-90.0)), ((0.0, 1.0), (1.0, 0.0)));
    }

    #[test]
    fn looking_at_a_point_looks_along_the_way_there() {
        for (x, y, z) in [
            (1.0, 0.0, 0.0),
            (-3.0, 2.0, 1.0),
            (0.1, -5.0, -4.0),
            (2.0, 0.5, 7.0),
        ] {
            let (yaw, pitch) = look_at(Point::default(), Point::new(x, y, z));
            let (seen, length) = (view(yaw, pitch), (x * x + y * y + z * z).sqrt());
            let off = seen.distance(Point::new(x / length, y / length, z / length));
            assert!(off < 1e-6, "{x} {y} {z}: {off}");
        }
    }
}
