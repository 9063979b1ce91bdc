//! Lands: which biome each patch of land around has, as far as it was seen from afar.
//!
//! The colours of grass, sand, snow and woods tell it long before single blocks do. Every search uses this memory and
//! it outlives the action. It says nothing of what stands there. Invariant: only what came before the eyes is known.

use super::terrain::biome::Biome;
use super::terrain::biome::homes::warmth;
use super::visited::Patch;
use std::collections::BTreeMap;

/// The memory of biomes, by patch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lands(BTreeMap<Patch, Biome>);

impl Lands {
    pub(crate) fn note(&mut self, patch: Patch, biome: Biome) {
        self.0.insert(patch, biome);
    }

    pub(crate) fn get(&self, patch: Patch) -> Option<Biome> {
        self.0.get(&patch).copied()
    }

    /// How warm a patch is, or those around it that are known: neighbours are of like climate.
    pub(crate) fn warmth(&self, patch: Patch) -> Option<i32> {
        let known = |at: Patch| self.get(at).and_then(warmth);
        known(patch).or_else(|| {
            let around = (-1..=1).flat_map(|x| (-1..=1).map(move |z| (patch.0 + x, patch.1 + z)));
            let (count, sum) = around
                .filter_map(known)
                .fold((0, 0), |(count, sum), warmth| (count + 1, sum + warmth));
            (count > 0).then(|| sum / count)
        })
    }
}
