//! The map: blocks the agent has seen, its path, and where it got stuck.
//!
//! Cells live in shared chunks, so that a snapshot of the view costs little.
//! Invariant: it holds what frames said and nothing else; chunks, path and marks are bounded.

use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_world::action::{ActionFailure, FailureClass};
use pithead_world::block;
use pithead_world::block::BlockId;
use pithead_world::observation::Frame;
use pithead_world::space::{Point, Pos};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// Columns along one side of a chunk.
const SIDE: i32 = 16;
/// Chunks kept; the farthest is dropped first. A day's walk sees a few hundred.
const CHUNKS_MAX: usize = 1024;
/// Cells kept in all of them: a few in each column. A world can name every height of a column.
const CELLS_MAX: usize = 1_000_000;
const TRAIL_MAX: usize = 512;
const STUCK_MAX: usize = 64;

/// What has been seen of the world.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct MapView {
    #[serde(with = "pairs")]
    chunks: FxHashMap<(i32, i32), Arc<Chunk>>,
    /// Where the feet have been, oldest first.
    pub trail: VecDeque<Pos>,
    /// Places where attempts failed to get on.
    pub stuck: VecDeque<Pos>,
    /// What the last attempt that ran in circles walked again and again.
    pub repeated: Option<RepeatedStretch>,
    /// Places of the trail since the attempt under way began.
    walked: usize,
    /// Feet now.
    pub feet: Option<Pos>,
    pub yaw: f32,
    pub underground: bool,
    /// Cells ever seen.
    pub cells: u64,
    /// Cells that the chunks hold.
    kept: usize,
}

/// Places that were walked over more than once in one attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatedStretch {
    pub places: Vec<Pos>,
    /// How often the one that was met most.
    pub times: usize,
}

impl RepeatedStretch {
    /// Of a walk; none if nothing was met twice.
    fn of(walk: impl Iterator<Item = Pos>) -> Option<Self> {
        let mut met: FxHashMap<Pos, usize> = FxHashMap::default();
        let mut places = Vec::new();
        for at in walk {
            let times = met.entry(at).or_default();
            *times += 1;
            if *times == 2 {
                places.push(at);
            }
        }
        let times = met.into_values().max().filter(|times| *times > 1)?;
        Some(Self { places, times })
    }
}

/// Columns of seen blocks, each sorted by height.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Chunk {
    #[serde(with = "pairs")]
    columns: FxHashMap<u8, Vec<(i16, BlockId)>>,
}

/// What one column shows at the agent's height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapSight {
    pub block: BlockId,
    /// Height of the block relative to the feet; -1 is what one stands on.
    pub above_feet: i32,
}

impl MapView {
    pub(crate) fn observe(&mut self, frame: &Frame) {
        let feet = frame.position.block();
        for (pos, block) in &frame.seen.0 {
            self.see(*pos, *block);
        }
        for pos in frame.trail.iter().copied().chain([feet]) {
            self.walk(pos);
        }
        self.feet = Some(feet);
        self.yaw = frame.yaw;
        self.underground = frame.underground;
        while self.chunks.len() > CHUNKS_MAX || self.kept > CELLS_MAX {
            self.forget_farthest(feet);
        }
    }

    fn see(&mut self, pos: Pos, block: BlockId) {
        let Ok(y) = i16::try_from(pos.y) else { return };
        let key = (pos.x.div_euclid(SIDE), pos.z.div_euclid(SIDE));
        let cell = u8::try_from(pos.x.rem_euclid(SIDE) * SIDE + pos.z.rem_euclid(SIDE));
        let chunk = Arc::make_mut(self.chunks.entry(key).or_default());
        let column = chunk.columns.entry(cell.unwrap_or(0)).or_default();
        match column.binary_search_by_key(&y, |(height, _)| *height) {
            Ok(at) => column[at].1 = block,
            Err(at) => {
                column.insert(at, (y, block));
                self.kept += 1;
            }
        }
        self.cells += 1;
    }

    fn walk(&mut self, pos: Pos) {
        if self.trail.back() == Some(&pos) {
            return;
        }
        if self.trail.len() == TRAIL_MAX {
            self.trail.pop_front();
        }
        self.trail.push_back(pos);
        self.walked = (self.walked + 1).min(TRAIL_MAX);
    }

    fn forget_farthest(&mut self, feet: Pos) {
        let home = (feet.x.div_euclid(SIDE), feet.z.div_euclid(SIDE));
        let away = |key: &&(i32, i32)| ((key.0 - home.0).abs().max((key.1 - home.1).abs()), **key);
        if let Some(key) = self.chunks.keys().max_by_key(away).copied() {
            let chunk = self.chunks.remove(&key).unwrap_or_default();
            let cells: usize = chunk.columns.values().map(Vec::len).sum();
            self.kept = self.kept.saturating_sub(cells);
        }
    }

    /// An attempt begins: what is walked from now on is its own.
    pub(crate) fn begin_attempt(&mut self) {
        self.walked = usize::from(!self.trail.is_empty());
    }

    pub(crate) fn stuck(&mut self, at: Pos, reason: Option<FailureReason>) {
        use FailureReason::{NavOscillate, NavStuck, PathUnreachable};
        if matches!(reason, Some(NavStuck | NavOscillate | PathUnreachable)) {
            self.mark(at);
        }
        if reason == Some(NavOscillate) {
            let own = self.trail.len().saturating_sub(self.walked);
            self.repeated = RepeatedStretch::of(self.trail.iter().skip(own).copied());
        }
    }

    pub(crate) fn failed(&mut self, failure: &ActionFailure, feet: Pos) {
        match failure {
            ActionFailure::Stuck { at } => self.mark(*at),
            ActionFailure::NoPath { .. }
            | ActionFailure::Felt {
                class: FailureClass::NoWay,
            } => self.mark(feet),
            _ => (), // other failures are not about a place
        }
    }

    fn mark(&mut self, at: Pos) {
        if self.stuck.contains(&at) {
            return;
        }
        if self.stuck.len() == STUCK_MAX {
            self.stuck.pop_front();
        }
        self.stuck.push_back(at);
    }

    #[must_use]
    pub fn chunks_seen(&self) -> usize {
        self.chunks.len()
    }

    /// Cells that are kept.
    #[must_use]
    pub fn cells_kept(&self) -> usize {
        self.kept
    }

    /// What the column shows: the highest seen block up to the agent's head, so that a roof does
    /// not hide the tunnel; above ground a hill that is only seen from below counts too.
    #[must_use]
    pub fn sight(&self, x: i32, z: i32) -> Option<MapSight> {
        let feet = self.feet?;
        let key = (x.div_euclid(SIDE), z.div_euclid(SIDE));
        let cell = u8::try_from(x.rem_euclid(SIDE) * SIDE + z.rem_euclid(SIDE)).ok()?;
        let column = self.chunks.get(&key)?.columns.get(&cell)?;
        let head = feet.y + 1;
        let solid = |(_, block): &&(i16, BlockId)| *block != block::AIR;
        let below = column
            .iter()
            .rev()
            .filter(|(y, _)| i32::from(*y) <= head)
            .find(solid);
        let above = || column.iter().find(solid).filter(|_| !self.underground);
        let (y, block) = below.or_else(above)?;
        Some(MapSight {
            block: *block,
            above_feet: i32::from(*y) - feet.y,
        })
    }
}

/// Maps whose keys are not text are stored as lists of pairs.
mod pairs {
    use rustc_hash::FxHashMap;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::hash::Hash;

    pub(super) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &FxHashMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, K, V, D>(deserializer: D) -> Result<FxHashMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Eq + Hash,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        let pairs = Vec::<(K, V)>::deserialize(deserializer)?;
        Ok(pairs.into_iter().collect())
    }
}

/// Direction and distance over the ground, for example `12 NE`.
#[must_use]
pub fn bearing(from: Point, to: Pos) -> String {
    let (dx, dz) = (
        f64::from(to.x) + 0.5 - from.x,
        f64::from(to.z) + 0.5 - from.z,
    );
    let distance = dx.hypot(dz).round();
    if distance < 1.0 {
        return "here".to_owned();
    }
    // Eight winds, clockwise from east; z grows to the south.
    let eighth = (dz.atan2(dx) / std::f64::consts::FRAC_PI_4)
        .round()
        .rem_euclid(8.0);
    let winds = ["E", "SE", "S", "SW", "W", "NW", "N", "NE"];
    format!("{distance} {}", winds[eighth as usize % winds.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::seen::SeenCells;

    fn map(feet: Pos, cells: &[(Pos, BlockId)]) -> MapView {
        let mut map = MapView {
            feet: Some(feet),
            underground: true,
            ..MapView::default()
        };
        for (pos, block) in cells {
            map.see(*pos, *block);
        }
        map
    }

    #[test]
    fn the_roof_of_a_tunnel_does_not_hide_it() {
        let feet = Pos::new(0, 40, 0);
        let floor = (feet.down(), block::STONE);
        let roof = (feet.plus(0, 2, 0), block::DIRT);
        let map = map(feet, &[floor, roof, (feet, block::AIR)]);
        assert_eq!(
            map.sight(0, 0),
            Some(MapSight {
                block: block::STONE,
                above_feet: -1
            })
        );
        assert_eq!(map.sight(1, 0), None);
    }

    #[test]
    fn what_is_walked_again_and_again_is_the_repeated_stretch_of_its_attempt() {
        let at = |x| Pos::new(x, 64, 0);
        let mut map = MapView::default();
        // An attempt before it walked to and fro as well.
        for x in [0, 1, 0, 1, 2] {
            map.walk(at(x));
        }
        map.begin_attempt();
        for x in [3, 4, 5, 4, 3, 4, 5] {
            map.walk(at(x));
        }
        map.stuck(at(5), Some(FailureReason::NavStuck));
        assert_eq!(map.repeated, None, "it stood still");
        map.stuck(at(5), Some(FailureReason::NavOscillate));
        let expected = RepeatedStretch {
            places: vec![at(4), at(3), at(5)],
            times: 3,
        };
        assert_eq!(map.repeated, Some(expected));
    }

    #[test]
    fn a_broken_block_is_seen_through() {
        let feet = Pos::new(-5, 40, -17);
        let wall = feet.plus(1, 0, 0);
        let mut map = map(feet, &[(wall, block::STONE), (wall.down(), block::GRAVEL)]);
        assert_eq!(map.sight(-4, -17).map(|s| s.block), Some(block::STONE));
        map.see(wall, block::AIR);
        assert_eq!(map.sight(-4, -17).map(|s| s.block), Some(block::GRAVEL));
    }

    #[test]
    fn the_map_of_a_long_walk_is_bounded() {
        let mut map = MapView::default();
        for x in 0..40_000 {
            map.see(Pos::new(x * 4, 64, 0), block::GRASS_BLOCK);
            while map.chunks.len() > CHUNKS_MAX {
                map.forget_farthest(Pos::new(x * 4, 64, 0));
            }
            map.walk(Pos::new(x, 64, 0));
        }
        assert!(map.chunks_seen() <= CHUNKS_MAX && map.trail.len() <= TRAIL_MAX);
        assert!(
            map.chunks.contains_key(&(39_999 * 4 / SIDE, 0)),
            "the newest part is kept"
        );
    }

    #[test]
    fn the_cells_of_a_world_that_names_every_height_are_bounded() {
        let mut map = MapView::default();
        for n in 0..36 {
            let heights = -16_000..16_000;
            let seen = heights.map(|y| (Pos::new(n * 16, y, 0), block::STONE));
            let seen = SeenCells(seen.collect());
            map.observe(&Frame {
                position: Pos::new(n * 16, 64, 0).floor(),
                seen,
                ..Frame::standing()
            });
        }
        let held = |chunk: &Arc<Chunk>| chunk.columns.values().map(Vec::len).sum::<usize>();
        let cells: usize = map.chunks.values().map(held).sum();
        assert_eq!(cells, map.kept);
        assert!(map.kept <= CELLS_MAX && map.chunks_seen() > 10, "{cells}");
    }

    #[test]
    fn bearings_name_the_wind() {
        let here = Point::new(0.5, 64.0, 0.5);
        assert_eq!(bearing(here, Pos::new(12, 0, 0)), "12 E");
        assert_eq!(bearing(here, Pos::new(0, 0, -7)), "7 N");
        assert_eq!(bearing(here, Pos::new(-3, 0, 3)), "4 SW");
        assert_eq!(bearing(here, Pos::new(0, 9, 0)), "here");
    }
}
