//! Blast: how hard an explosion hits at a distance.
//!
//! Which blocks it breaks is in `voxel::blast`, because mobs never change blocks.

use crate::space::Point;

/// How strong a creeper is.
pub(crate) const CREEPER: f32 = 3.0;

/// Damage on Normal difficulty to a body in the open; 0 beyond twice the power.
/// The game's formula with exposure taken as 1: impact = 1 - distance / (2 × power), damage
/// = (impact² + impact) / 2 × 7 × 2 × power + 1.
pub(crate) fn damage(at: Point, body: Point, power: f32) -> f32 {
    let reach = 2.0 * f64::from(power);
    let away = at.distance(body) / reach;
    if away >= 1.0 {
        return 0.0;
    }
    let impact = 1.0 - away;
    ((impact * impact + impact) / 2.0 * 7.0 * reach + 1.0).floor() as f32
}
