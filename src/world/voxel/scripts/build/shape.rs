//! Shape: which cells of a building are solid in the end, where one may stand beside and inside, and what comes next.
//!
//! Invariant: nobody stands where the finished building would shut him in.

use super::super::super::building::Building;
use super::super::super::seen::Seen;
use super::super::super::senses::Senses;
use crate::family::ItemSpec;
use crate::space::{Facing, Pos};
use rustc_hash::FxHashSet;

/// The finished building.
pub(super) struct Shape {
    solid: FxHashSet<Pos>,
    pub(super) low: Pos,
    pub(super) high: Pos,
    /// Cells within from which a body can walk out.
    open: FxHashSet<Pos>,
}

impl Shape {
    pub(super) fn of(building: &Building) -> Self {
        let solid: FxHashSet<Pos> = building.blocks.iter().map(|(_, at)| *at).collect();
        let cells = || solid.iter().chain(&building.clear);
        let corner = |pick: fn(i32, i32) -> i32| {
            let first = building.blocks.first().map_or(building.at, |(_, at)| *at);
            cells().fold(first, |a, b| {
                Pos::new(pick(a.x, b.x), pick(a.y, b.y), pick(a.z, b.z))
            })
        };
        let (low, high) = (corner(i32::min), corner(i32::max));
        let mut shape = Self {
            solid,
            low,
            high,
            open: FxHashSet::default(),
        };
        shape.open = shape.cells_with_a_way_out();
        shape
    }

    pub(super) fn is_solid(&self, at: Pos) -> bool {
        self.solid.contains(&at)
    }

    /// Beside and below and above there is no building.
    fn is_within(&self, at: Pos) -> bool {
        self.is_over(at) && (self.low.y..=self.high.y).contains(&at.y)
    }

    pub(super) fn is_over(&self, at: Pos) -> bool {
        (self.low.x..=self.high.x).contains(&at.x) && (self.low.z..=self.high.z).contains(&at.z)
    }

    /// A body can be there now and get away from there later.
    pub(super) fn may_stand(&self, feet: Pos) -> bool {
        let is_fine = |at: Pos| !self.is_within(at) || self.open.contains(&at);
        is_fine(feet) && !self.solid.contains(&feet.up())
    }

    fn has_room(&self, feet: Pos) -> bool {
        !self.solid.contains(&feet) && !self.solid.contains(&feet.up())
    }

    /// From outside inwards, a step up or down at most.
    fn cells_with_a_way_out(&self) -> FxHashSet<Pos> {
        let mut open = FxHashSet::default();
        let mut edge: Vec<Pos> = Vec::new();
        for y in self.low.y..=self.high.y {
            for z in self.low.z - 1..=self.high.z + 1 {
                for x in self.low.x - 1..=self.high.x + 1 {
                    let at = Pos::new(x, y, z);
                    if !self.is_over(at) {
                        edge.push(at);
                    }
                }
            }
        }
        while let Some(from) = edge.pop() {
            for facing in Facing::FLAT {
                for dy in [-1, 0, 1] {
                    let to = from.side(facing).plus(0, dy, 0);
                    // The head needs room on the way as well.
                    let passes = dy <= 0 || !self.solid.contains(&from.up().up());
                    let is_new = self.is_within(to) && self.has_room(to) && !open.contains(&to);
                    if is_new && passes && (dy >= 0 || !self.solid.contains(&to.up().up())) {
                        open.insert(to);
                        edge.push(to);
                    }
                }
            }
        }
        open
    }

    /// The block to put down next: low before high, the edge of a layer before its middle, which is seen from below as
    /// well, near before far, and none that hides another one for good.
    pub(super) fn next(
        &self,
        s: &Senses,
        missing: &[(ItemSpec, Pos)],
        deferred: &[Pos],
    ) -> Option<(ItemSpec, Pos)> {
        let feet = s.feet();
        let fits = |at: Pos| !deferred.contains(&at) && has_hold(&s.seen, at);
        let candidates = || missing.iter().filter(|(_, at)| fits(*at));
        let key = |(_, at): &&(ItemSpec, Pos)| (at.y, self.depth(*at), at.manhattan(feet), *at);
        let open = candidates().filter(|(_, at)| !self.hides_another(&s.seen, *at, missing));
        open.min_by_key(key)
            .or_else(|| candidates().min_by_key(key))
            .copied()
    }

    /// How far from the edge of the building, over the ground; all that is not at the edge is alike.
    fn depth(&self, at: Pos) -> i32 {
        let gaps = [
            at.x - self.low.x,
            self.high.x - at.x,
            at.z - self.low.z,
            self.high.z - at.z,
        ];
        gaps.into_iter().min().unwrap_or(0).min(1)
    }

    /// With a block here another one that is missing could not be reached from any side.
    fn hides_another(&self, seen: &Seen, at: Pos, missing: &[(ItemSpec, Pos)]) -> bool {
        let is_open = |cell: Pos| cell != at && !seen.nature(cell).is_solid();
        let hides = |other: Pos| {
            let beside = Facing::ALL.iter().any(|side| other.side(*side) == at);
            beside && !Facing::ALL.iter().any(|side| is_open(other.side(*side)))
        };
        missing
            .iter()
            .any(|(_, other)| *other != at && hides(*other))
    }
}

/// Something solid is known beside, below or above it.
fn has_hold(seen: &Seen, at: Pos) -> bool {
    Facing::ALL
        .iter()
        .any(|side| seen.nature(at.side(*side)).is_solid())
}
