//! Houses: how each differs from its neighbours, and how it is built, block by block.
//!
//! Invariant: a house follows from its plot only, and reaches no farther than plots are apart.

use super::Plot;
use super::plots::{Site, place};
use super::style::Style;
use crate::block::{self as blocks, BlockId};
use crate::space::Pos;
use crate::trade::Profession;
use crate::voxel::terrain::shape::TerrainRegion;

// The floor of a house; B and W are `behind` and `beside`, the front is always at 3:
//
//   C w w w w w C  -B     b bed   s where the villager works   k chest
//   w b . . . s w         t torch   the gap in the wall is the door, towards the street
//   w . . . . . w
//   w . . . . . w   0
//   w . . . . . w
//   w t . . . k w
//   C w w   w w C   3
//  -W     0     W
/// From the middle of a plot to the front wall.
const AHEAD: i32 = 3;
/// From the front wall to where the street may be.
const STEPS: i32 = 4;

/// How the roof rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Roof {
    /// Two low layers.
    Flat,
    /// Inwards from all four walls.
    Hipped,
    /// Inwards from the side walls, up to a ridge.
    Gabled,
}

/// What is drawn for a house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct House {
    behind: i32,
    beside: i32,
    walls: i32,
    roof: Roof,
    /// The lowest course of the walls is of the stone of the floor.
    on_stone: bool,
    /// Two panes in each wall instead of one.
    paired: bool,
}

impl House {
    pub(super) fn of(plot: &Plot) -> Self {
        let draw = |shift: u32, of: u64| (plot.look >> shift & 0xFF) % of;
        Self {
            behind: 2 + draw(0, 3) as i32,
            beside: 2 + i32::from(draw(8, 3) > 0),
            walls: 3 + i32::from(draw(16, 3) == 0),
            roof: [Roof::Flat, Roof::Hipped, Roof::Gabled][draw(24, 3) as usize],
            on_stone: draw(32, 2) == 0,
            paired: draw(40, 2) == 0,
        }
    }

    /// Where the chest stands.
    pub(super) fn chest(self, plot: &Plot) -> Pos {
        place(plot, self.beside - 1, 1, AHEAD - 1)
    }

    /// The block of a wall so far up; none within the house.
    fn wall(self, style: &Style, [aside, up, ahead]: [i32; 3]) -> Option<BlockId> {
        let across = ahead == AHEAD || ahead == -self.behind;
        let along = aside.abs() == self.beside;
        let window = if self.paired { 1 } else { 0 };
        let is_window = |at: i32| up == 2 && at.abs() == window;
        match (across, along) {
            (false, false) => None,
            (true, true) => Some(style.corner),
            (true, false) if is_window(aside) => Some(blocks::GLASS),
            (false, true) if is_window(ahead) => Some(blocks::GLASS),
            _ if up == 1 && self.on_stone => Some(style.floor),
            _ => Some(style.wall),
        }
    }

    /// Whether the roof is there, so many layers above its lowest.
    fn is_roofed(self, [aside, layer, ahead]: [i32; 3]) -> bool {
        let within = |side: i32, depth: i32| {
            aside.abs() <= self.beside - side
                && (-self.behind + depth..=AHEAD - depth).contains(&ahead)
        };
        match self.roof {
            Roof::Flat => layer < 2 && within(layer, layer),
            Roof::Hipped => within(layer, layer),
            Roof::Gabled => within(layer, 0),
        }
    }
}

/// Builds what of a house lies in the chunk of the site.
pub(super) fn build(site: &mut Site<'_>, region: &TerrainRegion, plot: &Plot, who: Profession) {
    let (house, style) = (House::of(plot), site.style);
    for ahead in -house.behind..=AHEAD {
        for aside in -house.beside..=house.beside {
            let floor = place(plot, aside, 0, ahead);
            site.level(floor, style.floor);
            for up in 1..=house.walls {
                if let Some(block) = house.wall(style, [aside, up, ahead]) {
                    site.put(floor.plus(0, up, 0), block);
                }
            }
            for layer in (0..=house.beside).take_while(|l| house.is_roofed([aside, *l, ahead])) {
                site.put(floor.plus(0, house.walls + 1 + layer, 0), style.roof);
            }
        }
    }
    for up in 1..=2 {
        site.put(place(plot, 0, up, AHEAD), blocks::AIR);
    }
    furnish(site, plot, house, who);
    for ahead in AHEAD + 1..=AHEAD + STEPS {
        let at = place(plot, 0, 0, ahead);
        site.pave(region, at.x, at.z);
    }
}

fn furnish(site: &mut Site<'_>, plot: &Plot, house: House, who: Profession) {
    let (side, back) = (house.beside - 1, 1 - house.behind);
    let bed = site.style.bed;
    site.put(place(plot, -side, 1, back), bed);
    site.put(place(plot, side, 1, back), who.site());
    site.put(house.chest(plot), blocks::CHEST);
    site.put(place(plot, -side, 1, AHEAD - 1), blocks::TORCH);
    if who == Profession::Librarian {
        for up in 1..=2 {
            site.put(place(plot, 0, up, back), blocks::BOOKSHELF);
        }
    }
}
