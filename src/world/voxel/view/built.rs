//! Texels of what people make: boards, stones, metal, glass, stations.
//!
//! Invariant: as of `texture`.

use super::appearance::{BlockAppearance, Pattern, Tone, scaled};
use super::plant::thin;
use super::texture::{Side, Spot, noise, rough};

/// What people make.
/// Numbers are texels of a 16 by 16 face.
pub(super) fn built(look: &BlockAppearance, spot: Spot) -> Option<Tone> {
    let (tone, by) = match look.pattern {
        Pattern::Planks => return Some(planks(look.colour, spot)),
        Pattern::Cobble => return Some(cobble(look.colour, spot)),
        Pattern::Glass => return glass(look, spot),
        Pattern::Brick => (brick(look, spot), 0.06),
        Pattern::Metal => (metal(look, spot), 0.025),
        Pattern::Bench => (bench(look, spot), 0.06),
        Pattern::Furnace => (furnace(look, spot), 0.08),
        Pattern::Chest => (chest(look, spot), 0.06),
        Pattern::Shelf => (shelf(look, spot), 0.08),
        Pattern::Tnt => (dynamite(look, spot), 0.05),
        Pattern::Furrows => (striped(look.colour, spot.v.is_multiple_of(4), 0.7), 0.1),
        _ => return thin(look, spot),
    };
    Some(rough(tone, spot, by))
}

fn is_edge(spot: Spot) -> bool {
    [spot.u, spot.v].iter().any(|at| *at == 0 || *at == 15)
}

fn striped(tone: Tone, dark: bool, by: f32) -> Tone {
    if dark { scaled(tone, by) } else { tone }
}

fn glass(look: &BlockAppearance, spot: Spot) -> Option<Tone> {
    let Spot { u, v, .. } = spot;
    // A diagonal glint in the upper left corner.
    let glint = (u + v == 7 || u + v == 8) && u > 1 && v > 1;
    (is_edge(spot) || glint).then(|| scaled(look.colour, if glint { 1.15 } else { 0.95 }))
}

fn brick(look: &BlockAppearance, spot: Spot) -> Tone {
    // Courses of four texels, every other one shifted by half a brick.
    let joint = spot.v % 4 == 3 || (spot.u + (spot.v / 4 % 2) * 4) % 8 == 7;
    if joint { look.accent } else { look.colour }
}

fn metal(look: &BlockAppearance, spot: Spot) -> Tone {
    // Lit from the upper left, as in the game.
    let lit = spot.u == 0 || spot.v == 0;
    scaled(
        look.colour,
        if lit {
            1.1
        } else if is_edge(spot) {
            0.8
        } else {
            1.0
        },
    )
}

/// A grid on top, tools on the sides.
fn bench(look: &BlockAppearance, spot: Spot) -> Tone {
    let Spot { u, v, .. } = spot;
    if spot.side == Side::Top {
        let grid = u % 5 == 0 || v % 5 == 0;
        return if grid {
            look.accent
        } else {
            scaled(look.colour, 1.15)
        };
    }
    let saw = (3..6).contains(&u) && (5..12).contains(&v);
    let hammer = (9..13).contains(&u) && (6..9).contains(&v);
    if saw || hammer {
        look.accent
    } else {
        planks(look.colour, spot)
    }
}

/// A mouth and a slit above it.
fn furnace(look: &BlockAppearance, spot: Spot) -> Tone {
    let Spot { u, v, .. } = spot;
    let mouth = (4..12).contains(&u) && (8..14).contains(&v);
    let slit = (3..13).contains(&u) && v == 4;
    if spot.side == Side::Wall && (mouth || slit) {
        return look.accent;
    }
    striped(look.colour, is_edge(spot), 0.8)
}

/// A rim, a lid, and a latch of metal.
fn chest(look: &BlockAppearance, spot: Spot) -> Tone {
    let Spot { u, v, .. } = spot;
    let wall = spot.side == Side::Wall;
    if wall && (7..9).contains(&u) && (5..9).contains(&v) {
        return [0.75; 3];
    }
    let rim = u <= 1 || u >= 14 || (wall && v == 6);
    if rim { look.accent } else { look.colour }
}

/// Two rows of books.
fn shelf(look: &BlockAppearance, spot: Spot) -> Tone {
    let Spot { u, v, .. } = spot;
    if spot.side != Side::Wall {
        return planks(look.colour, spot);
    }
    if v % 8 == 0 || v % 8 == 7 || u == 0 || u == 15 {
        return look.colour;
    }
    match noise(u / 2, v / 8, 5) {
        n if n > 0.3 => look.accent,
        n if n > -0.3 => [0.25, 0.35, 0.2],
        _ => [0.2, 0.25, 0.45],
    }
}

/// Sticks in a paper band.
fn dynamite(look: &BlockAppearance, spot: Spot) -> Tone {
    if spot.side == Side::Wall && (5..11).contains(&spot.v) {
        return look.accent;
    }
    striped(look.colour, spot.u % 4 == 3, 0.8)
}

fn planks(colour: Tone, spot: Spot) -> Tone {
    let board = spot.v / 4;
    // Boards end at different places.
    let end = (spot.u + board * 7).is_multiple_of(16);
    if spot.v % 4 == 3 || end {
        return scaled(colour, 0.72);
    }
    let grain = noise(spot.u / 3, spot.v, board);
    scaled(colour, 1.0 + 0.07 * grain + 0.05 * noise(board, 0, 2))
}

fn cobble(colour: Tone, spot: Spot) -> Tone {
    // Stones about five texels wide, distinguished by the joint at the nearest two centres.
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
