//! Flows: how thick water and lava are where they run, and near which places any run.
//!
//! Invariant: a cell of fluid that is absent is a source; where `are_near` says no, nothing runs.

use super::section::section_at;
use crate::rng::{hash3, mix};
use crate::space::Pos;
use rustc_hash::{FxHashMap, FxHashSet};

/// A place is near a flow that is not more blocks away along any axis: more than any box is wide or high.
const NEAR: i32 = 4;

/// The cells in which fluid runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Flows {
    /// 1..=8, where 8 comes down from above.
    thickness: FxHashMap<Pos, u8>,
    /// Sections of the land in or near which fluid runs or has run.
    sections: FxHashSet<Pos>,
    /// The highest y in any of them: most of what lives stands on the land above.
    highest: Option<i32>,
    /// Kept as cells come and go: there are thousands, and every frame asks for it.
    checksum: u64,
}

impl Flows {
    pub(super) fn get(&self, at: Pos) -> Option<u8> {
        self.thickness.get(&at).copied()
    }

    pub(super) fn runs_in(&self, at: Pos) -> bool {
        self.thickness.contains_key(&at)
    }

    /// True if fluid may run near here.
    #[inline]
    pub(super) fn are_near(&self, at: Pos) -> bool {
        Some(at.y) <= self.highest && self.sections.contains(&section_at(at))
    }

    pub(super) fn set(&mut self, at: Pos, thickness: u8) {
        let before = self.thickness.insert(at, thickness);
        self.checksum ^= imprint(at, thickness) ^ before.map_or(0, |before| imprint(at, before));
        if before.is_none() {
            let around = [-NEAR, NEAR];
            let corners = around.into_iter().flat_map(|x| {
                around
                    .into_iter()
                    .flat_map(move |y| around.into_iter().map(move |z| at.plus(x, y, z)))
            });
            self.sections.extend(corners.map(section_at));
            self.highest = self.highest.max(Some((at.y + NEAR) | 15));
        }
    }

    pub(super) fn end(&mut self, at: Pos) {
        if let Some(before) = self.thickness.remove(&at) {
            self.checksum ^= imprint(at, before);
        }
    }

    /// XOR of all cells, in whatever order they came.
    pub(super) fn checksum(&self) -> u64 {
        self.checksum
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.thickness.is_empty()
    }
}

fn imprint(at: Pos, thickness: u8) -> u64 {
    hash3(mix(u64::from(thickness)), at.x, at.y, at.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_flows_have_equal_sums_in_whatever_order_they_came() {
        let (a, b) = (Pos::new(1, 2, 3), Pos::new(-4, 5, 6));
        let flows = |cells: &[(Pos, u8)]| {
            let mut flows = Flows::default();
            cells.iter().for_each(|(at, thick)| flows.set(*at, *thick));
            flows
        };
        let mut long = flows(&[(b, 7), (a, 3), (b, 5), (a.up(), 2)]);
        long.end(a.up());
        assert_eq!(long.checksum(), flows(&[(a, 3), (b, 5)]).checksum());
        assert_ne!(long.checksum(), flows(&[(a, 5), (b, 3)]).checksum());
        long.end(a);
        long.end(b);
        assert_eq!(long.checksum(), 0);
    }

    #[test]
    fn a_place_a_few_blocks_from_a_flow_is_near_it_also_in_another_section() {
        let mut flows = Flows::default();
        flows.set(Pos::new(15, 31, 0), 3);
        for near in [(15, 31, 0), (18, 34, -3), (12, 28, 3)] {
            let (x, y, z) = near;
            assert!(flows.are_near(Pos::new(x, y, z)), "{near:?}");
        }
        assert!(!flows.are_near(Pos::new(40, 31, 0)));
        assert!(flows.are_near(Pos::new(15, 47, 0)) && !flows.are_near(Pos::new(15, 48, 0)));
    }
}
