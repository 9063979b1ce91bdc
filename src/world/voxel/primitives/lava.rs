//! Lava as far as it is known: what a broken block would let in, and where it leaks already.
//!
//! These only look. What is done about it is in `scripts::lava`.

use super::super::senses::Senses;
use crate::block as blocks;
use crate::space::{Facing, Pos};

/// Rock this near to lava is left alone while there is other.
const SHY: f64 = 3.0;

/// The known lava that would come through if the block were broken.
pub(crate) fn beside(s: &Senses, at: Pos) -> impl Iterator<Item = Pos> {
    let sides = Facing::FLAT.into_iter().chain([Facing::Up]);
    sides
        .map(move |facing| at.side(facing))
        .filter(|p| s.seen.nature(*p).is_lava())
}

/// True if breaking the block lets lava in, or opens a way into it.
pub(crate) fn touches(s: &Senses, at: Pos) -> bool {
    beside(s, at).next().is_some() || s.seen.nature(at.down()).is_lava()
}

/// True if lava is known close to a place.
pub(crate) fn is_near(s: &Senses, at: Pos) -> bool {
    let lava = s.seen.nearest(at, SHY, 1, |b| b == blocks::LAVA);
    !lava.is_empty()
}

/// An open cell beside the body through which lava will come, if there is something to fill it.
pub(crate) fn leak(s: &Senses) -> Option<Pos> {
    if !s.on_ground {
        return None;
    }
    let feet = s.feet();
    // Nearly everywhere no lava is known as far off as this looks.
    if !s.seen.may_harm(feet.plus(-2, 0, -2), feet.plus(2, 3, 2)) {
        return None;
    }
    s.filler()?;
    let around = Facing::FLAT
        .into_iter()
        .flat_map(|f| [feet.side(f), feet.up().side(f)]);
    let comes = |at: Pos| {
        let from = Facing::FLAT.into_iter().chain([Facing::Up]);
        from.map(|f| at.side(f)).any(|p| s.seen.nature(p).is_lava())
    };
    let is_leak = |at: &Pos| {
        let nature = s.seen.nature(*at);
        nature.is_lava() || (nature.is_open() && !s.lava_rests.contains(at) && comes(*at))
    };
    around.chain([feet.up().up()]).find(is_leak)
}
