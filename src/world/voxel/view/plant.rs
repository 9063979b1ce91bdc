//! Texels of plants, and of other things that have more holes than texels.
//!
//! Invariant: as of `texture`; `None` is a hole.

use super::appearance::{BlockAppearance, Pattern, Tone, blend, scaled};
use super::texture::{Side, Spot, noise, rough};

/// What has more holes than texels.
pub(super) fn thin(look: &BlockAppearance, spot: Spot) -> Option<Tone> {
    let Spot { u, v, .. } = spot;
    let solid = match look.pattern {
        Pattern::Bars => u % 4 < 2 || v % 8 == 0,
        Pattern::Rungs => u == 2 || u == 13 || (v % 4 < 2 && (1..15).contains(&u)),
        Pattern::Vine => noise(u / 2, v / 3, spot.seed) + 0.5 * noise(u, v, spot.seed) > 0.0,
        Pattern::Pad => {
            u.abs_diff(8).pow(2) + v.abs_diff(8).pow(2) < 60 && !(u.abs_diff(8) < 2 && v > 8)
        }
        Pattern::Web => {
            u == v || u + v == 15 || u == 8 || v == 8 || u.abs_diff(8) + v.abs_diff(8) == 6
        }
        Pattern::Torch => return Some(torch(look, spot)),
        Pattern::Ribs | Pattern::Cactus => return Some(ribs(look, spot)),
        _ => return plant(look, spot),
    };
    solid.then(|| rough(look.colour, spot, 0.15))
}

fn plant(look: &BlockAppearance, spot: Spot) -> Option<Tone> {
    let Spot { u, v, .. } = spot;
    let lift = noise(u, 3, spot.seed);
    let stem = u.abs_diff(8) <= u32::from(v > 11) && v >= 7;
    let green = |solid: bool| {
        solid.then(|| scaled(rough(look.colour, spot, 0.18), 1.12 - v as f32 * 0.025))
    };
    match look.pattern {
        Pattern::Blades => {
            // Blades of uneven height that lean a little.
            let lean = (u + v / 5) % 16;
            let height = 8.0 + 6.0 * noise(lean, 1, spot.seed);
            green((lean % 3 != 0 || lift > 0.5) && (16 - v) as f32 <= height)
        }
        Pattern::Flower if u.abs_diff(8) + v.abs_diff(5) < 4 => {
            let heart = u.abs_diff(8) + v.abs_diff(5) == 0;
            Some(rough(
                if heart {
                    [0.95, 0.85, 0.3]
                } else {
                    look.accent
                },
                spot,
                0.1,
            ))
        }
        Pattern::Flower => green(stem || (v == 12 && u.abs_diff(8) < 4)),
        Pattern::Toadstool if (6..10).contains(&v) && u.abs_diff(8) < 2 + v - 5 => {
            Some(rough(look.accent, spot, 0.12))
        }
        Pattern::Toadstool => (stem && v >= 10).then(|| rough(look.colour, spot, 0.06)),
        Pattern::Cane => (u % 5 < 3 && u > 0).then(|| {
            let knot = (v + u / 5 * 3) % 6 == 0;
            rough(
                scaled(look.colour, if knot { 0.7 } else { 1.0 }),
                spot,
                0.08,
            )
        }),
        Pattern::Crop => {
            let blade = u % 4 != 3 && (16 - v) as f32 <= 11.0 + 3.0 * lift;
            let ripe = v < 8 && noise(u, v, spot.seed) > 0.0;
            blade.then(|| rough(if ripe { look.accent } else { look.colour }, spot, 0.15))
        }
        Pattern::Twigs => {
            let branch = (u.abs_diff(8) * 2 == 16 - v) || (u.abs_diff(8) + 4 == v) || stem;
            branch.then(|| rough(look.colour, spot, 0.15))
        }
        Pattern::Flame => {
            let heat = 16.0 - v as f32 + 5.0 * noise(u / 2, v / 3, spot.seed);
            (heat < 12.0).then(|| blend(look.accent, look.colour, (heat / 12.0).clamp(0.0, 1.0)))
        }
        // A bush: a ragged ball on a stem, with berries.
        _ => {
            let away = (u.abs_diff(8).pow(2) + v.abs_diff(7).pow(2)) as f32;
            if v > 11 && u.abs_diff(8) <= 1 {
                return Some(rough(scaled(look.colour, 0.6), spot, 0.2));
            }
            let berry = noise(u, v, spot.seed ^ 9) > 0.86;
            (away < 34.0 + 22.0 * noise(u, v, spot.seed))
                .then(|| rough(if berry { look.accent } else { look.colour }, spot, 0.2))
        }
    }
}

fn torch(look: &BlockAppearance, spot: Spot) -> Tone {
    match spot.v {
        0..=7 => look.accent,
        _ if spot.side == Side::Top => look.accent,
        _ => rough(look.colour, spot, 0.1),
    }
}

fn ribs(look: &BlockAppearance, spot: Spot) -> Tone {
    let spine = look.pattern == Pattern::Cactus && spot.u % 4 == 1 && spot.v % 3 == 1;
    let furrow = spot.u % 4 == 3;
    let tone = if spine || furrow {
        look.accent
    } else {
        look.colour
    };
    rough(
        if spine {
            scaled(look.colour, 1.6)
        } else {
            tone
        },
        spot,
        0.07,
    )
}
