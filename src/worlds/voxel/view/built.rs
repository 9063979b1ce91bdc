//! Texels of what people make: boards, stones, metal, glass, stations.
//!
//! Invariant: as of `texture`.

use super::look::{Look, Pattern, Tone, scaled};
use super::plant::thin;
use super::texture::{Side, Spot, noise, rough};

/// What people make.
pub(super) fn built(look: &Look, spot: Spot) -> Option<Tone> {
    let (colour, accent) = (look.colour, look.accent);
    let Spot { side, u, v, .. } = spot;
    let edge = u == 0 || v == 0 || u == 15 || v == 15;
    match look.pattern {
        Pattern::Planks => Some(planks(colour, spot)),
        Pattern::Cobble => Some(cobble(colour, spot)),
        Pattern::Brick => {
            let joint = v % 4 == 3 || (u + (v / 4 % 2) * 4) % 8 == 7;
            Some(rough(if joint { accent } else { colour }, spot, 0.06))
        }
        Pattern::Metal => {
            let bevel = if u == 0 || v == 0 {
                1.1
            } else if edge {
                0.8
            } else {
                1.0
            };
            Some(rough(scaled(colour, bevel), spot, 0.025))
        }
        Pattern::Glass => {
            let glint = (u + v == 7 || u + v == 8) && u > 1 && v > 1;
            (edge || glint).then(|| scaled(colour, if glint { 1.15 } else { 0.95 }))
        }
        Pattern::Bench if side == Side::Top => {
            let grid = u % 5 == 0 || v % 5 == 0;
            Some(rough(
                if grid { accent } else { scaled(colour, 1.15) },
                spot,
                0.06,
            ))
        }
        Pattern::Bench => {
            let tools = (3..6).contains(&u) && (5..12).contains(&v)
                || (9..13).contains(&u) && (6..9).contains(&v);
            Some(if tools {
                rough(accent, spot, 0.2)
            } else {
                planks(colour, spot)
            })
        }
        Pattern::Furnace => {
            let mouth = side == Side::Wall && (4..12).contains(&u) && (8..14).contains(&v);
            let slit = side == Side::Wall && (3..13).contains(&u) && v == 4;
            Some(rough(
                if mouth || slit {
                    accent
                } else {
                    scaled(colour, if edge { 0.8 } else { 1.0 })
                },
                spot,
                0.08,
            ))
        }
        Pattern::Chest => {
            let latch = side == Side::Wall && (7..9).contains(&u) && (5..9).contains(&v);
            let rim = u <= 1 || u >= 14 || (side == Side::Wall && v == 6);
            let tone = if latch {
                [0.75; 3]
            } else if rim {
                accent
            } else {
                colour
            };
            Some(rough(tone, spot, 0.06))
        }
        Pattern::Shelf if side == Side::Wall => {
            let board = v % 8 < 1 || v % 8 == 7 || u == 0 || u == 15;
            let book = noise(u / 2, v / 8, 5);
            let spine = if book > 0.3 {
                accent
            } else if book > -0.3 {
                [0.25, 0.35, 0.2]
            } else {
                [0.2, 0.25, 0.45]
            };
            Some(rough(if board { colour } else { spine }, spot, 0.1))
        }
        Pattern::Shelf => Some(planks(colour, spot)),
        Pattern::Tnt => {
            let band = side == Side::Wall && (5..11).contains(&v);
            Some(rough(
                if band {
                    accent
                } else {
                    scaled(colour, if u % 4 == 3 { 0.8 } else { 1.0 })
                },
                spot,
                0.05,
            ))
        }
        Pattern::Furrows => Some(rough(
            scaled(colour, if v % 4 == 0 { 0.7 } else { 1.0 }),
            spot,
            0.1,
        )),
        _ => thin(look, spot),
    }
}

fn planks(colour: Tone, spot: Spot) -> Tone {
    let board = spot.v / 4;
    let end = (spot.u + board * 7).is_multiple_of(16);
    if spot.v % 4 == 3 || end {
        return scaled(colour, 0.72);
    }
    let grain = noise(spot.u / 3, spot.v, board);
    scaled(colour, 1.0 + 0.07 * grain + 0.05 * noise(board, 0, 2))
}

fn cobble(colour: Tone, spot: Spot) -> Tone {
    // Stones about five texels wide, told apart by the joint at the nearest two centres.
    let (mut nearest, mut second, mut stone) = (99, 99, 0.0);
    for dv in 0..3 {
        for du in 0..3 {
            let (cu, cv) = (
                (spot.u + 11 + du * 5) / 5 % 3,
                (spot.v + 11 + dv * 5) / 5 % 3,
            );
            let at_u = cu * 5 + 2 + (noise(cu, cv, 21) * 1.5 + 1.5) as u32;
            let at_v = cv * 5 + 2 + (noise(cu, cv, 22) * 1.5 + 1.5) as u32;
            let wrap = |d: u32| d.min(16 - d.min(16));
            let away = wrap(spot.u.abs_diff(at_u)) + wrap(spot.v.abs_diff(at_v));
            if away < nearest {
                (second, nearest, stone) = (nearest, away, noise(cu, cv, 23));
            } else if away < second {
                second = away;
            }
        }
    }
    let joint = second - nearest <= 1;
    rough(
        scaled(colour, if joint { 0.66 } else { 1.06 + 0.12 * stone }),
        spot,
        0.05,
    )
}
