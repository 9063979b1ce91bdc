//! Screening: a wall against one who shoots and cannot be got at.

use super::End;
use super::combat::TRUCE_TICKS;
use crate::voxel::primitives::handling;
use crate::voxel::senses::{BodyHandle, Living};

/// Puts a wall between oneself and one who shoots and cannot be got at, and continues with the work.
pub(super) async fn screen(body: &BodyHandle, enemy: Living) -> End {
    let feet = body.with(|s| s.feet());
    let (x, z) = (enemy.at.x - feet.centre().x, enemy.at.z - feet.centre().z);
    let step = |v: f64| if v < 0.0 { -1 } else { 1 };
    let (near, wide) = if x.abs() > z.abs() {
        (feet.plus(step(x), 0, 0), feet.plus(0, 0, step(z)))
    } else {
        (feet.plus(0, 0, step(z)), feet.plus(step(x), 0, 0))
    };
    for at in [near, near.up(), wide, wide.up()] {
        let is_open = body.with(|s| !s.seen.nature(at).is_solid());
        if let Some(filler) = body.with(|s| s.filler()).filter(|_| is_open) {
            handling::put_at(body, filler, at).await?;
        }
    }
    body.with(|s| s.truce_until = s.tick + TRUCE_TICKS);
    Ok(())
}
