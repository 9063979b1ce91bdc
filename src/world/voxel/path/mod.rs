//! Paths: A* over what was seen, for a body two blocks high.
//!
//! It plans only; `follow` walks. Costs are tenths of a tick. Invariant: a path never enters lava,
//! never digs a block that borders lava, and never falls further than its `Means` allow.

mod around;
mod beyond;
mod board;
pub(crate) mod goal;
mod moves;
#[cfg(test)]
mod tests;
mod walking;

use super::seen::Seen;
use super::senses::DigCosts;
use crate::block::BlockId;
use crate::space::Pos;
use around::Around;
use board::Board;
use goal::PathGoal;
use moves::Moves;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cells looked at before the search contents itself with the best way so far.
const NODES_MAX: usize = 4_000;
/// The same where digging is allowed, through nothing but what was seen: of 5,362 ways that were found there 13 took more.
const NODES_DUG_MAX: usize = 1_000;
/// Beyond this the search would be blind to cost.
const WEIGHT_MAX: u32 = 24;
/// A path that only comes nearer must come nearer by this much, or it is no path.
const GAIN_MIN: u32 = 40;
/// Blocks of a fall that does no harm; damage begins with the fourth, as in the game.
pub(crate) const SAFE_FALL: i32 = 3;

/// How one step is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MoveKind {
    Walk,
    Diagonal,
    /// Jump one up.
    Rise,
    /// One or more down, over an edge.
    Drop,
    /// Dig the floor away and stand one lower.
    Sink,
    /// Jump and put a block under the feet.
    Pillar,
    /// Put a block in front and step on it.
    Bridge,
    Swim,
}

impl MoveKind {
    /// A block is put down and stood upon.
    fn builds(self) -> bool {
        matches!(self, Self::Pillar | Self::Bridge)
    }
}

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PathStep {
    pub(crate) from: Pos,
    pub(crate) to: Pos,
    pub(crate) way: MoveKind,
}

impl PathStep {
    /// The cells that must be open before the step can be made, in the order to dig them.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Pos> + use<> {
        let Self { from, to, way } = *self;
        let above = (way == MoveKind::Rise).then(|| from.up().up());
        // The rest lies in the column of the end, from the top down.
        let heights = match way {
            MoveKind::Drop => to.y..=from.y + 1,
            MoveKind::Sink => to.y..=to.y,
            MoveKind::Pillar => to.y + 1..=to.y + 1,
            MoveKind::Swim if to.y > from.y => to.y + 1..=to.y + 1,
            MoveKind::Swim if to.y < from.y => to.y..=to.y,
            _ => to.y..=to.y + 1,
        };
        let column = heights.rev().map(move |y| Pos::new(to.x, y, to.z));
        above.into_iter().chain(column)
    }
}

impl PathStep {
    /// It leads from where no lava is beside the body to where some is, be it at the head or on the way down.
    pub(crate) fn comes_to_lava(&self, mut borders_lava: impl FnMut(Pos) -> bool) -> bool {
        !borders_lava(self.from) && self.cells().any(borders_lava)
    }
}

/// What the body may do to get on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Means<'a> {
    /// Break times, if digging is allowed.
    pub(crate) dig: Option<&'a DigCosts>,
    /// Unknown cells count as rock to be dug, as below ground they mostly are.
    pub(crate) through_unknown: bool,
    /// Blocks that may be put down.
    pub(crate) blocks: u32,
    /// Where nothing was seen there may be land to walk on: the way leads there, and ends before it.
    pub(crate) over_unseen: bool,
    /// Blocks that the body may fall onto ground; beyond `SAFE_FALL` each costs half a heart.
    pub(crate) fall: i32,
}

impl Default for Means<'_> {
    /// Walks over what was seen, unharmed, and leaves all as it is.
    fn default() -> Self {
        Self {
            dig: None,
            through_unknown: false,
            blocks: 0,
            over_unseen: false,
            fall: SAFE_FALL,
        }
    }
}

/// A way, perhaps only part of one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Path {
    pub(crate) steps: Vec<PathStep>,
    /// False if it only comes nearer.
    pub(crate) complete: bool,
}

/// There is no way, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NoWay {
    /// The kind of block that was in the way nearest to the goal.
    pub(crate) blocked_by: Option<BlockId>,
    /// The step that would lead on if the land beyond it were as is hoped; nobody has seen it.
    pub(crate) unseen: Option<PathStep>,
    /// Blocks of the least fall that was left out because its `Means` do not allow it.
    pub(crate) too_deep: Option<i32>,
}

struct Node {
    at: Pos,
    cost: u32,
    parent: u32,
    way: MoveKind,
    /// Blocks put down on the way here.
    built: u32,
    is_done: bool,
}

/// Which node comes first: the price of the way through it, then the estimate of what is left of it, then its index.
/// One number, which is compared faster than three.
type Rank = u128;

fn rank(price: u32, estimate: u32, index: u32) -> Rank {
    u128::from(price) << 64 | u128::from(estimate) << 32 | u128::from(index)
}

struct Search<'a> {
    seen: &'a Seen,
    board: &'a mut Board,
    means: Means<'a>,
    goal: &'a PathGoal,
    nodes: Vec<Node>,
    /// The nodes off the board.
    far: FxHashMap<Pos, u32>,
    open: BinaryHeap<Reverse<Rank>>,
    /// Nearest to the goal: estimate, node.
    best: (u32, u32),
    refused: Option<(u32, BlockId)>,
    too_deep: Option<i32>,
    weight: u32,
    /// The head is under water where the moves begin.
    is_wet: bool,
    /// Something that does harm may be near there.
    may_harm: bool,
    /// What surrounds the cell where they begin.
    around: Around,
    /// The nodes that were gone on from, in order.
    done: Vec<u32>,
    /// Blocks left to put down there.
    blocks: u32,
}

thread_local! {
    /// One for all searches of a thread: it is large, and each search begins with a clean one.
    static BOARD: RefCell<Board> = RefCell::default();
}

/// Finds a way from the feet to the goal.
pub(crate) fn find(
    seen: &Seen,
    from: Pos,
    goal: &PathGoal,
    means: Means<'_>,
) -> Result<Path, NoWay> {
    BOARD.with_borrow_mut(|board| {
        let search = Search::begin((seen, board), from, goal, means);
        if means.leaves_all() {
            search.run(|search, at, _, into| search.walks(at, into))
        } else {
            search.run(Search::moves)
        }
    })
}

/// How many times the estimate counts: rock is so dear to dig that an honest search would fill a
/// ball with every possible tunnel; taking the estimate for rock all the way makes it go straight.
fn weight(means: Means<'_>) -> u32 {
    match means.dig {
        None => 1,
        Some(_) if !means.through_unknown => 3,
        Some(costs) => {
            let rock = u32::from(costs.ticks(crate::block::STONE)) * 10;
            (3 * rock / goal::PER_BLOCK + 4).min(WEIGHT_MAX)
        }
    }
}

impl<'a> Search<'a> {
    fn begin(
        (seen, board): (&'a Seen, &'a mut Board),
        from: Pos,
        goal: &'a PathGoal,
        means: Means<'a>,
    ) -> Self {
        board.begin();
        let mut search = Self {
            seen,
            board,
            means,
            goal,
            nodes: Vec::with_capacity(1024),
            far: FxHashMap::default(),
            open: BinaryHeap::new(),
            best: (u32::MAX, 0),
            refused: None,
            too_deep: None,
            weight: weight(means),
            is_wet: false,
            may_harm: true,
            around: Around::default(),
            done: Vec::with_capacity(1024),
            blocks: means.blocks,
        };
        search.reach(from, 0, u32::MAX, MoveKind::Walk);
        search
    }

    /// Goes on until the goal is met, or as near to it as there is a way.
    fn run(
        mut self,
        moves_from: impl Fn(&mut Self, Pos, MoveKind, &mut Moves),
    ) -> Result<Path, NoWay> {
        let start_estimate = self.best.0;
        let nodes_max = match self.means.dig {
            Some(_) if !self.means.through_unknown => NODES_DUG_MAX,
            _ => NODES_MAX,
        };
        let mut moves = Vec::with_capacity(32);
        while let Some(Reverse(rank)) = self.open.pop() {
            let index = rank as u32;
            let node = &mut self.nodes[index as usize];
            if std::mem::replace(&mut node.is_done, true) {
                continue;
            }
            let (at, cost, way) = (node.at, node.cost, node.way);
            self.blocks = self.means.blocks.saturating_sub(node.built);
            if self.goal.is_met(self.seen, at) {
                return self.path(index, true, moves);
            }
            if self.nodes.len() >= nodes_max {
                break;
            }
            self.done.push(index);
            moves.clear();
            moves_from(&mut self, at, way, &mut moves);
            self.leave_out_lava(at, &mut moves);
            for &(to, way, price) in &moves {
                self.reach(to, cost + price, index, way);
            }
        }
        let (estimate, index) = self.best;
        if index == 0 || estimate.saturating_add(GAIN_MIN) > start_estimate {
            return Err(self.no_way(moves));
        }
        self.path(index, false, moves)
    }

    /// What was in the way. A walk has noted none of it, so all its nodes are gone through again.
    fn no_way(mut self, mut moves: Moves) -> NoWay {
        if self.means.leaves_all() {
            for index in std::mem::take(&mut self.done) {
                let node = &self.nodes[index as usize];
                let (at, way) = (node.at, node.way);
                moves.clear();
                self.moves(at, way, &mut moves);
            }
        }
        NoWay {
            blocked_by: self.refused.map(|(_, block)| block),
            unseen: None,
            too_deep: self.too_deep,
        }
    }

    /// The way to a node, as far as it was seen.
    fn path(self, end: u32, complete: bool, moves: Moves) -> Result<Path, NoWay> {
        let mut steps = self.trail(end);
        let seen = self.seen_part(&steps);
        if seen == 0 && !steps.is_empty() {
            let unseen = steps.first().copied();
            return Err(NoWay {
                unseen,
                ..self.no_way(moves)
            });
        }
        let complete = complete && seen == steps.len();
        steps.truncate(seen);
        Ok(Path { steps, complete })
    }

    fn reach(&mut self, to: Pos, cost: u32, parent: u32, way: MoveKind) {
        let next = self.nodes.len() as u32;
        let before = self.nodes.get(parent as usize).map_or(0, |node| node.built);
        let built = before + u32::from(way.builds());
        let index = self.node_at(to, next);
        if index == next {
            self.nodes.push(Node {
                at: to,
                cost,
                parent,
                way,
                built,
                is_done: false,
            });
        } else {
            let node = &mut self.nodes[index as usize];
            if node.is_done || node.cost <= cost {
                return;
            }
            (node.cost, node.parent) = (cost, parent);
            (node.way, node.built) = (way, built);
        }
        let estimate = self.goal.estimate(to);
        if estimate < self.best.0 {
            self.best = (estimate, index);
        }
        let price = cost + self.ahead(estimate);
        self.open.push(Reverse(rank(price, estimate, index)));
    }

    /// The node that stands on a cell; `next` if none did.
    fn node_at(&mut self, p: Pos, next: u32) -> u32 {
        let Some(cell) = self.board.cell(p) else {
            return *self.far.entry(p).or_insert(next);
        };
        cell.node().unwrap_or_else(|| {
            cell.set_node(next);
            next
        })
    }

    fn trail(&self, end: u32) -> Vec<PathStep> {
        let mut steps = Vec::new();
        let mut at = &self.nodes[end as usize];
        while at.parent != u32::MAX {
            let from = &self.nodes[at.parent as usize];
            steps.push(PathStep {
                from: from.at,
                to: at.at,
                way: at.way,
            });
            at = from;
        }
        steps.reverse();
        steps
    }

    /// Whether a fall onto ground may be so deep; notes it if not.
    fn may_fall(&mut self, depth: i32) -> bool {
        let may = depth <= self.means.fall;
        if !may {
            self.too_deep = Some(self.too_deep.map_or(depth, |least| least.min(depth)));
        }
        may
    }

    fn refuse(&mut self, at: Pos) {
        if let Some(cell) = self.board.cell(at)
            && !cell.refuse()
        {
            // As near to the goal as the first time.
            return;
        }
        let estimate = self.goal.estimate(at);
        if self.refused.is_none_or(|(known, _)| estimate < known) {
            self.refused = self
                .seen
                .block(at)
                .map(|block| (estimate, block))
                .or(self.refused);
        }
    }
}
