//! The vector index: what is kept of every experience in memory, so that recall need not ask the disk.
//!
//! For each row a line of 32 bytes (hashes and a third of its sketch), which is all that is read of most
//! rows, the rest of its sketch, and its point in steps of one byte. Rows lie in blocks that never move. It is
//! derived from the database and never trusted over it. Invariant: the row with number n in the database is at
//! n - 1 here.

use super::columns::Columns;
use super::psi::ContextKeys;
use super::sketch::{Sketcher, WORDS};
use pithead_core::domain::experience::cell::Cells;
use pithead_core::text::signature::Signature;

/// Rows of one block: 128 KiB of lines.
pub(super) const ROWS: usize = 4_096;
/// Steps between zero and the largest coordinate.
const STEPS: f32 = 127.0;

/// Words of a sketch in a row's line, and those kept beside it.
pub(super) const FIRST: usize = 2;
pub(super) const REST: usize = WORDS - FIRST;

/// One row in brief: half a line of the processor's cache.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub(super) struct Line {
    /// The first signs of the sketch.
    pub(super) signs: [u64; FIRST],
    pub(super) hashes: Hashes,
}

/// Keys folded to 32 bits each; zero stands for "none" and equals nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hashes {
    pub(super) condition: u32,
    pub(super) near: u32,
    pub(super) region: u32,
}

/// Rows side by side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    pub(super) lines: Vec<Line>,
    /// The other signs of each row.
    pub(super) rest: Vec<[u64; REST]>,
    pub(super) levels: Columns,
}

/// The text of a row, as far as the index tells it: rows with equal ones have equal levels, or all but equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Text {
    first: [u64; FIRST],
    rest: [u64; REST],
    step: u32,
}

/// A row as it would lie in an index.
#[derive(Debug)]
pub(super) struct Encoded {
    line: Line,
    rest: [u64; REST],
    levels: Vec<i8>,
    /// One step of them.
    step: f32,
}

/// All rows of one embedder.
#[derive(Debug)]
pub(super) struct VectorIndex {
    pub(super) dims: usize,
    pub(super) blocks: Vec<Block>,
    sketcher: Sketcher,
}

impl VectorIndex {
    pub(super) fn new(dims: usize) -> Self {
        Self {
            dims,
            blocks: Vec::new(),
            sketcher: Sketcher::new(dims),
        }
    }

    pub(super) fn len(&self) -> usize {
        let full = self.blocks.len().saturating_sub(1) * ROWS;
        full + self.blocks.last().map_or(0, |block| block.lines.len())
    }

    /// What tells the text of a row apart from others: all signs of its sketch, and its step.
    pub(super) fn text(&self, at: usize) -> Text {
        let (block, row) = (&self.blocks[at / ROWS], at % ROWS);
        Text {
            first: block.lines[row].signs,
            rest: block.rest[row],
            step: block.levels.steps()[row].to_bits(),
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let of = |block: &Block| {
            block.lines.capacity() * size_of::<Line>()
                + block.rest.capacity() * size_of::<[u64; REST]>()
                + size_of_val(block.levels.steps())
                + block.levels.bytes().len()
        };
        self.blocks.iter().map(of).sum()
    }

    /// Adds the next row.
    pub(super) fn push(&mut self, point: &[f32], keys: ContextKeys) {
        let row = self.encode(point, keys);
        if self.blocks.last().is_none_or(|b| b.lines.len() == ROWS) {
            self.blocks.push(Block::empty(self.dims));
        }
        let block = self.blocks.last_mut().expect("it was just seen to");
        block.lines.push(row.line);
        block.rest.push(row.rest);
        block.levels.push(&row.levels, row.step);
    }

    /// A row as it would lie here.
    pub(super) fn encode(&self, point: &[f32], keys: ContextKeys) -> Encoded {
        let largest = point.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        let step = largest / STEPS;
        let level = |x: &f32| {
            if step > 0.0 {
                (x / step).round() as i8
            } else {
                0
            }
        };
        let sketch = self.sketch(point);
        Encoded {
            line: Line {
                signs: std::array::from_fn(|word| sketch[word]),
                hashes: Hashes::from_keys(keys),
            },
            rest: std::array::from_fn(|word| sketch[FIRST + word]),
            levels: point.iter().map(level).collect(),
            step,
        }
    }

    pub(super) fn sketch(&self, point: &[f32]) -> [u64; WORDS] {
        self.sketcher.sketch(point)
    }

    /// The point as its sketch sees it, with sizes and not only signs.
    pub(super) fn turn(&self, point: &[f32]) -> Vec<f32> {
        self.sketcher.turn(point)
    }
}

impl Block {
    /// Room for all its rows at once, so that it never moves.
    pub(super) fn empty(dims: usize) -> Self {
        Self {
            lines: Vec::with_capacity(ROWS),
            rest: Vec::with_capacity(ROWS),
            levels: Columns::empty(dims),
        }
    }

    /// Whether this is its last row.
    pub(super) fn ends_with(&self, row: &Encoded) -> bool {
        let last = self.lines.len().saturating_sub(1);
        self.lines.last() == Some(&row.line)
            && self.rest.last() == Some(&row.rest)
            && self.levels.steps().last() == Some(&row.step)
            && self.levels.row(last).eq(row.levels.iter().copied())
    }
}

impl Hashes {
    pub(super) fn from_keys(keys: ContextKeys) -> Self {
        let fold = |hash: u64| ((hash >> 32) as u32 ^ hash as u32).max(1);
        let cell = |which: fn(Cells) -> u64| keys.cells.map_or(0, |cells| fold(which(cells)));
        Self {
            condition: keys.condition.map_or(0, |Signature(hash)| fold(hash)),
            near: cell(|cells| cells.near),
            region: cell(|cells| cells.region),
        }
    }
}
