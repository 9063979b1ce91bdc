//! Lands: which biome each patch of land around has, as far as it was seen from afar.
//!
//! The colours of grass, sand, snow and woods tell it long before single blocks do. Every search uses this memory and
//! it outlives the action. It says nothing of what stands there. Invariant: only what came before the eyes is known.

use super::terrain::biome::Biome;
use super::terrain::biome::homes::Biomes;
use super::visited::Patch;
use std::collections::{BTreeMap, BTreeSet};

/// The memory of biomes, by patch, and the biome of the very place where the body is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lands {
    patches: BTreeMap<Patch, Biome>,
    here: Option<Biome>,
}

impl Lands {
    pub(crate) fn note(&mut self, patch: Patch, biome: Biome) {
        self.patches.insert(patch, biome);
    }

    pub(crate) fn get(&self, patch: Patch) -> Option<Biome> {
        self.patches.get(&patch).copied()
    }

    /// All patches that are known to be of such biomes.
    pub(crate) fn all_of(&self, biomes: Biomes) -> BTreeSet<Patch> {
        let of_it = self.patches.iter().filter(|(_, own)| biomes.holds(**own));
        of_it.map(|(patch, _)| *patch).collect()
    }

    pub(crate) fn stand_in(&mut self, biome: Biome) {
        self.here = Some(biome);
    }

    /// The biome where the body is; a patch may be of several.
    pub(crate) fn here(&self) -> Option<Biome> {
        self.here
    }

    /// How warm a patch is, or those around it that are known: neighbours are of like climate.
    pub(crate) fn warmth(&self, patch: Patch) -> Option<i32> {
        let known = |at: Patch| self.get(at).and_then(Biome::warmth);
        known(patch).or_else(|| {
            let around = (-1..=1).flat_map(|x| (-1..=1).map(move |z| (patch.0 + x, patch.1 + z)));
            let (count, sum) = around
                .filter_map(known)
                .fold((0, 0), |(count, sum), warmth| (count + 1, sum + warmth));
            (count > 0).then(|| sum / count)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unseen_patch_is_as_warm_as_its_neighbours() {
        let mut lands = Lands::default();
        assert_eq!(lands.warmth((0, 0)), None);
        lands.note((1, 0), Biome::SnowyTundra);
        lands.note((1, 1), Biome::River);
        assert_eq!(
            lands.warmth((0, 0)),
            Some(-2),
            "rivers are in every climate"
        );
        lands.note((0, 1), Biome::Plains);
        assert_eq!(lands.warmth((0, 0)), Some(-1));
        lands.note((0, 0), Biome::Desert);
        assert_eq!(lands.warmth((0, 0)), Some(2));
        assert_eq!(lands.warmth((9, 9)), None);
    }
}
