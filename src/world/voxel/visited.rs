//! Which patches of land the body has visited or glanced at, and when.
//!
//! Every search uses this memory and it outlives the action, so that no search begins where an
//! earlier one ended. It knows no blocks. Invariant: a visited patch never becomes a glanced one.

use crate::space::Pos;
use std::collections::BTreeMap;

/// Side of a patch.
pub(crate) const PATCH: i32 = 32;

/// A patch of the land, in units of patches.
pub(crate) type Patch = (i32, i32);

/// How well a patch is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PatchKnowledge {
    /// Seen from the patch beside it.
    Glanced,
    /// Walked through, or tried in vain.
    Visited,
}

/// A place that one has gone around.
#[derive(Debug, Clone, Copy)]
struct Combed {
    middle: Pos,
    /// In blocks.
    reach: f64,
    fields_only: bool,
}

/// The memory of patches.
#[derive(Debug, Clone, Default)]
pub(crate) struct VisitedPatches {
    /// With the tick of the last look: land changes, and old looks expire.
    patches: BTreeMap<Patch, (PatchKnowledge, u64)>,
    last: Option<Patch>,
    /// Where one has gone around.
    combed: Vec<Combed>,
    /// The direction of the last leg; a search goes straight on.
    pub(crate) heading: (f64, f64),
}

impl VisitedPatches {
    /// The body is there; `is_clear`: it sees far around.
    pub(crate) fn pass(&mut self, feet: Pos, is_clear: bool, tick: u64) {
        let here = patch_of(feet);
        if self.last == Some(here) {
            // Only a new patch changes anything.
            return;
        }
        self.last = Some(here);
        self.visit(here, tick);
        if is_clear {
            let around = (-1..=1).flat_map(|x| (-1..=1).map(move |z| (here.0 + x, here.1 + z)));
            for patch in around {
                let (look, at) = self
                    .patches
                    .entry(patch)
                    .or_insert((PatchKnowledge::Glanced, tick));
                // A visited patch keeps its rank and its time.
                if *look == PatchKnowledge::Glanced {
                    *at = tick;
                }
            }
        }
    }

    /// Nothing more is to be found there, or there is no getting there.
    pub(crate) fn visit(&mut self, patch: Patch, tick: u64) {
        self.patches.insert(patch, (PatchKnowledge::Visited, tick));
    }

    /// One has gone around there, as far as `reach`: to see its fields only, or behind the walls too.
    pub(crate) fn comb(&mut self, middle: Pos, reach: f64, fields_only: bool) {
        self.combed.push(Combed {
            middle,
            reach,
            fields_only,
        });
    }

    /// That was done around there; of a place whose fields were seen nothing is known that is behind walls.
    pub(crate) fn is_combed(&self, at: Pos, in_fields: bool) -> bool {
        let mut fit = self.combed.iter().filter(|c| in_fields || !c.fields_only);
        fit.any(|combed| combed.middle.distance(at) < combed.reach)
    }

    /// When it was last seen or visited; 0 if never.
    pub(crate) fn last_look(&self, patch: Patch) -> u64 {
        self.patches.get(&patch).map_or(0, |(_, at)| *at)
    }

    /// How well it is known by looks not older than `since`.
    /// Too old counts as never.
    pub(crate) fn look(&self, patch: Patch, since: u64) -> Option<PatchKnowledge> {
        let known = self.patches.get(&patch);
        known.filter(|(_, at)| *at >= since).map(|(look, _)| *look)
    }
}

/// The patch that a place lies in.
pub(crate) fn patch_of(p: Pos) -> Patch {
    (p.x.div_euclid(PATCH), p.z.div_euclid(PATCH))
}

/// The column in the middle of a patch.
pub(crate) fn middle(patch: Patch) -> (i32, i32) {
    (patch.0 * PATCH + PATCH / 2, patch.1 * PATCH + PATCH / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_counts_for_more_than_a_glance_and_both_grow_old() {
        let mut visited = VisitedPatches::default();
        visited.pass(Pos::new(5, 64, 5), true, 100);
        visited.pass(Pos::new(40, 64, 5), false, 200);
        let look = |patch, since| visited.look(patch, since);
        assert_eq!(look((0, 0), 0), Some(PatchKnowledge::Visited));
        assert_eq!(look((0, -1), 0), Some(PatchKnowledge::Glanced));
        assert_eq!(look((1, 0), 150), Some(PatchKnowledge::Visited));
        assert_eq!(look((0, 0), 150), None, "what moves may be there by now");
        assert_eq!(look((2, 0), 0), None, "the second look was in the dark");
        visited.comb(Pos::new(5, 64, 5), 24.0, true);
        let combed = |in_fields| [20, 40].map(|x| visited.is_combed(Pos::new(x, 64, 5), in_fields));
        assert_eq!(combed(true), [true, false]);
        assert_eq!(combed(false), [false, false], "not behind the walls");
    }
}
