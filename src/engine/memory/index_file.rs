//! The index file: full blocks of the vector index beside the database, so that a large store opens fast.
//!
//! It is a copy and never the truth: each block has a checksum and one row that must agree with the
//! database, and from the first block that does not, all is made anew. Blocks are written whole and in
//! order; one that was cut off by a crash fails its checksum.

use super::columns::Columns;
use super::sketch::WORDS;
use super::vector_index::{Block, FIRST, Hashes, Line, REST, ROWS, VectorIndex};
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// "PITHSHLF" and a number raised with every change of layout, sketch or levels.
const MAGIC: &[u8; 8] = b"PITHSHL3";
// The file is one header and then full blocks, each of which can be read or refused without the others.
// Numbers are little-endian:
//   header  magic 8 · dims 8 · hash of the embedder's name 8 · zeros up to 64
//   block   ROWS lines · ROWS × dims levels · checksum 8
//   line    sign words, 8 bytes each · hashes of condition, near, region, 4 each · step 4
const HEADER_BYTES: usize = 64;
const LINE_BYTES: usize = 64;
const CHECK_BYTES: usize = 8;

/// Where the file of a database is, and whose points it holds.
#[derive(Debug, Clone)]
pub(super) struct IndexFile {
    path: PathBuf,
    header: [u8; HEADER_BYTES],
    dims: usize,
}

impl IndexFile {
    pub(super) fn beside(database: &Path, embedder: &str, dims: usize) -> Self {
        let mut path = database.as_os_str().to_owned();
        path.push("-shelf"); // the stored name, which never changes
        let mut header = [0; HEADER_BYTES];
        header[..8].copy_from_slice(MAGIC);
        header[8..16].copy_from_slice(&(dims as u64).to_le_bytes());
        header[16..24].copy_from_slice(&checksum(&[embedder.as_bytes()]).to_le_bytes());
        Self {
            path: PathBuf::from(path),
            header,
            dims,
        }
    }

    /// The whole blocks of the file, as far as `agrees` says yes to each.
    pub(super) fn load(&self, agrees: impl Fn(&Block, usize) -> bool) -> Vec<Block> {
        let mut blocks = Vec::new();
        let Ok(mut file) = File::open(&self.path) else {
            return blocks;
        };
        let mut header = [0; HEADER_BYTES];
        if file.read_exact(&mut header).is_err() || header != self.header {
            return blocks;
        }
        let mut lines = vec![0; ROWS * LINE_BYTES];
        while let Some(block) = self.next(&mut file, &mut lines) {
            if !agrees(&block, blocks.len() * ROWS) {
                tracing::warn!(
                    "the index file {} does not agree with its database from block {} on",
                    self.path.display(),
                    blocks.len()
                );
                break;
            }
            blocks.push(block);
        }
        blocks
    }

    fn next(&self, file: &mut File, lines: &mut [u8]) -> Option<Block> {
        let mut levels = vec![0; ROWS * self.dims];
        let mut check = [0; CHECK_BYTES];
        file.read_exact(lines).ok()?;
        file.read_exact(&mut levels).ok()?;
        file.read_exact(&mut check).ok()?;
        (u64::from_le_bytes(check) == checksum(&[lines, &levels])).then(|| {
            let mut block = Block {
                levels: Columns::full(levels),
                ..Block::empty(0)
            };
            for line in lines.chunks_exact(LINE_BYTES) {
                let (line, rest, step) = read_line(line);
                block.lines.push(line);
                block.rest.push(rest);
                block.levels.step(step);
            }
            block
        })
    }

    /// Writes the full blocks from number `from` on; those before are in the file already.
    pub(super) fn store(&self, index: &VectorIndex, from: usize) -> io::Result<()> {
        let full = index.len() / ROWS;
        if from >= full {
            return Ok(());
        }
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&self.path)?;
        let mut header = [0; HEADER_BYTES];
        // The file of another embedder or version is begun again; its rows are still in the database.
        let ours = file.read_exact(&mut header).is_ok() && header == self.header;
        let from = if ours { from } else { 0 };
        if !ours {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(&self.header)?;
        }
        let block_bytes = ROWS * (LINE_BYTES + self.dims) + CHECK_BYTES;
        file.seek(SeekFrom::Start((HEADER_BYTES + from * block_bytes) as u64))?;
        for block in &index.blocks[from..full] {
            let rows = block.lines.iter().zip(&block.rest);
            let lines: Vec<u8> = rows
                .zip(block.levels.steps())
                .flat_map(|((line, rest), step)| write_line(line, rest, *step))
                .collect();
            file.write_all(&lines)?;
            file.write_all(block.levels.bytes())?;
            file.write_all(&checksum(&[&lines, block.levels.bytes()]).to_le_bytes())?;
        }
        // No fsync: the checksum finds a block that was torn, and the database can fill it again.
        file.flush()
    }

    /// Removes the file; a new one is made when there are blocks for it.
    pub(super) fn discard(&self) {
        if let Err(error) = std::fs::remove_file(&self.path)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(
                "the index file {} cannot be removed: {error}",
                self.path.display()
            );
        }
    }
}

fn write_line(line: &Line, rest: &[u64; REST], step: f32) -> [u8; LINE_BYTES] {
    let mut bytes = [0; LINE_BYTES];
    let (signs, tail) = bytes.split_at_mut(8 * WORDS);
    let words = line.signs.iter().chain(rest);
    for (word, into) in words.zip(signs.chunks_exact_mut(8)) {
        into.copy_from_slice(&word.to_le_bytes());
    }
    let Hashes {
        condition,
        near,
        region,
    } = line.hashes;
    let words = [condition, near, region, step.to_bits()];
    for (word, into) in words.into_iter().zip(tail.chunks_exact_mut(4)) {
        into.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

fn read_line(bytes: &[u8]) -> (Line, [u64; REST], f32) {
    let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
    let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
    let tail = 8 * WORDS;
    let line = Line {
        signs: std::array::from_fn(|i| long(8 * i)),
        hashes: Hashes {
            condition: word(tail),
            near: word(tail + 4),
            region: word(tail + 8),
        },
    };
    let rest = std::array::from_fn(|i| long(8 * (FIRST + i)));
    (line, rest, f32::from_bits(word(tail + 12)))
}

/// Against accidents, not against malice: whoever may write the file may write the database.
fn checksum(parts: &[&[u8]]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    parts.iter().for_each(|part| hasher.write(part));
    hasher.finish()
}
