//! Outlook: how much land that may hold a village comes into sight from a place for the first time.
//!
//! A village shows as far as the land does, so it is not looked for where the land was seen already. Invariant: it asks
//! the memory of lands and nothing else.

use super::super::lands::Lands;
use super::super::terrain::village;
use super::super::visited::Patch;

/// Patches to each side that come into sight from the middle of one.
const SIGHT: i32 = 4;
/// What a patch counts that lies beside land with villages, far from all known land, and beside other land.
const BESIDE_HOME: f64 = 1.0;
const FAR_OFF: f64 = 0.6;
const BESIDE_FOREIGN: f64 = 0.3;

/// Patches in sight from this one that were not seen yet; less for those beside land that bears no village.
pub(super) fn outlook(lands: &Lands, from: Patch) -> f64 {
    let side = || -SIGHT..=SIGHT;
    let around = side().flat_map(|x| side().map(move |z| (x, z)));
    let near = around.filter(|(x, z)| x * x + z * z <= SIGHT * SIGHT);
    let patches = near.map(|(x, z)| (from.0 + x, from.1 + z));
    patches
        .filter(|patch| lands.get(*patch).is_none())
        .map(|patch| promise(lands, patch))
        .sum()
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

    #[test]
    fn unseen_land_beside_plains_promises_more_than_beside_the_sea_and_seen_land_nothing() {
        let beside = |biome: Biome| {
            let mut lands = Lands::default();
            lands.note((0, 0), biome);
            outlook(&lands, (3, 0))
        };
        let (plains, sea) = (beside(Biome::Plains), beside(Biome::Ocean));
        assert!(plains > sea, "{plains} {sea}");
        let mut seen = Lands::default();
        for (x, z) in (-9..=9).flat_map(|x| (-9..=9).map(move |z| (x, z))) {
            seen.note((x, z), Biome::Plains);
        }
        assert_eq!(outlook(&seen, (0, 0)), 0.0);
        assert!(outlook(&seen, (9, 0)) > outlook(&seen, (6, 0)));
    }
}
