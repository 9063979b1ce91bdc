//! Outlook: how much land that may hold a village comes into sight from a place for the first time.
//!
//! A village shows as far as the land does, so it is not looked for where the land was seen already, nor near another
//! one. Invariant: it asks the memory of what was seen, and how far apart villages stand, and nothing else.

use super::super::lands::Lands;
use super::super::terrain::village;
use super::super::visited::{self, Patch};
use crate::space::Pos;
use std::collections::BTreeSet;

/// Patches to each side that come into sight from the middle of one.
const SIGHT: i32 = 4;
/// What a patch counts that lies beside land with villages, far from all known land, and beside other land.
const BESIDE_HOME: f64 = 1.0;
const FAR_OFF: f64 = 0.6;
const BESIDE_FOREIGN: f64 = 0.3;

/// What the patches around promise.
pub(super) struct Outlook {
    middle: Patch,
    /// Patches to each side.
    reach: i32,
    /// How likely each bears a village that nobody has seen, row by row.
    promises: Vec<f64>,
}

impl Outlook {
    /// For places up to so many patches from the middle.
    pub(super) fn around(lands: &Lands, villages: &[Pos], middle: Patch, ahead: i32) -> Self {
        let square = |at: &Pos| village::square_at(at.x, at.z);
        let known: BTreeSet<_> = villages.iter().map(square).collect();
        let reach = ahead + SIGHT;
        let side = || -reach..=reach;
        let patches = side().flat_map(|x| side().map(move |z| (middle.0 + x, middle.1 + z)));
        let promises = patches.map(|patch| {
            let (x, z) = visited::middle(patch);
            let is_new = lands.get(patch).is_none()
                && village::may_stand_at(x, z)
                && !known.contains(&village::square_at(x, z));
            if is_new { promise(lands, patch) } else { 0.0 }
        });
        Self {
            middle,
            reach,
            promises: promises.collect(),
        }
    }

    /// Patches in sight from this one that were not seen yet; less for those beside land that bears no village.
    pub(super) fn from(&self, patch: Patch) -> f64 {
        let at = |x: i32, z: i32| (x + self.reach) * (2 * self.reach + 1) + z + self.reach;
        let (dx, dz) = (patch.0 - self.middle.0, patch.1 - self.middle.1);
        let side = || -SIGHT..=SIGHT;
        let around = side().flat_map(|x| side().map(move |z| (x, z)));
        let near = around.filter(|(x, z)| x * x + z * z <= SIGHT * SIGHT);
        near.map(|(x, z)| self.promises[at(dx + x, dz + z) as usize])
            .sum()
    }
}

/// How likely an unseen patch bears a village, by the land beside it.
fn promise(lands: &Lands, patch: Patch) -> f64 {
    let beside = (-1..=1).flat_map(|x| (-1..=1).map(move |z| (patch.0 + x, patch.1 + z)));
    let (mut known, mut homes) = (0, 0);
    for biome in beside.filter_map(|patch| lands.get(patch)) {
        known += 1;
        homes += i32::from(village::stands_in(biome));
    }
    if known == 0 {
        return FAR_OFF;
    }
    let share = f64::from(homes) / f64::from(known);
    BESIDE_FOREIGN + (BESIDE_HOME - BESIDE_FOREIGN) * share
}

#[cfg(test)]
mod tests {
    use super::super::super::terrain::biome::Biome;
    use super::*;

    fn outlook(lands: &Lands, villages: &[Pos], from: Patch) -> f64 {
        Outlook::around(lands, villages, from, 0).from(from)
    }

    #[test]
    fn unseen_land_beside_plains_promises_more_than_beside_the_sea_and_seen_land_nothing() {
        let beside = |biome: Biome| {
            let mut lands = Lands::default();
            lands.note((5, 5), biome);
            outlook(&lands, &[], (8, 5))
        };
        let (plains, sea) = (beside(Biome::Plains), beside(Biome::Ocean));
        assert!(plains > sea, "{plains} {sea}");
        let mut seen = Lands::default();
        for (x, z) in (0..16).flat_map(|x| (-9..=9).map(move |z| (x, z))) {
            seen.note((x, z), Biome::Plains);
        }
        assert_eq!(outlook(&seen, &[], (8, 0)), 0.0);
        assert!(outlook(&seen, &[], (16, 6)) > outlook(&seen, &[], (14, 6)));
    }

    #[test]
    fn land_near_a_village_promises_no_other() {
        let lands = Lands::default();
        let middle = |patch: Patch| visited::middle(patch);
        let (x, z) = middle((3, 12));
        let village = [Pos::new(x, 64, z)];
        assert_eq!(outlook(&lands, &village, (7, 7)), 0.0, "in the same square");
        assert!(outlook(&lands, &[], (7, 7)) > 0.0);
        // Of the land between two squares only what is farther off counts.
        let [between, within] = [(15, 8), (8, 8)].map(|from| outlook(&lands, &[], from));
        assert!(between < within, "{between} {within}");
    }
}
