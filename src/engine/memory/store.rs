//! The store: memory's tables in the journal's file, read and written.
//!
//! Every vector carries the number of the embedder that made it. Rows are embedded in order and
//! without gaps, so the highest number says how far the work has come; a crash loses the last batch
//! and nothing else. Invariant: a vector, once written, never changes.

use super::embedder::Embedder;
use super::error::MemoryError;
use super::psi::ContextKeys;
use half::f16;
use half::slice::HalfFloatSliceExt as _;
use pithead_core::domain::experience::cell::Cells;
use pithead_core::text::signature::Signature;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

/// Rows of one embedder: the number of an embedding is embedder × 2⁴⁰ + row.
const EMBEDDER_SHIFT: u32 = 40;
/// Experiences embedded in one transaction.
const BATCH: u64 = 1_024;

/// An embedder as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) dims: usize,
}

impl Known {
    /// The number of a row's embedding.
    pub(super) fn key(&self, row: u64) -> u64 {
        self.id << EMBEDDER_SHIFT | row
    }
}

/// The embedder whose vectors are searched, if there are any yet.
pub(super) fn current(db: &Connection) -> rusqlite::Result<Option<Known>> {
    db.prepare_cached("SELECT id, name, dims FROM embedder WHERE current = 1")?
        .query_row([], |row| {
            Ok(Known {
                id: row.get(0)?,
                name: row.get(1)?,
                dims: row.get(2)?,
            })
        })
        .optional()
}

/// Makes this embedder the one whose vectors are searched. The vectors of any other are dropped in the
/// same transaction, so that a crash leaves the one or the other.
pub(super) fn adopt(db: &Connection, name: &str, dims: usize) -> rusqlite::Result<Known> {
    within(db, |tx| {
        if current(tx)?.is_none_or(|known| known.name != name) {
            drop_vectors(tx)?;
            let sql = "INSERT INTO embedder(name, dims, current) VALUES(?, ?, 1)";
            tx.execute(sql, params![name, dims])?;
        }
        Ok(())
    })?;
    current(db)?.ok_or(rusqlite::Error::QueryReturnedNoRows)
}

/// Drops all vectors; they can be made again.
pub(super) fn drop_vectors(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch("DELETE FROM embedding; DELETE FROM summary_embedding; DELETE FROM embedder;")
}

/// The number of the last experience.
pub(super) fn last_row(db: &Connection) -> rusqlite::Result<u64> {
    db.prepare_cached("SELECT coalesce(max(row), 0) FROM experience")?
        .query_row([], |row| row.get(0))
}

/// The last experience that has a vector of this embedder.
pub(super) fn last_embedded(db: &Connection, known: &Known) -> rusqlite::Result<u64> {
    let (low, high) = (known.key(0), known.key((1 << EMBEDDER_SHIFT) - 1));
    let last: Option<u64> = db
        .prepare_cached("SELECT max(id) FROM embedding WHERE id BETWEEN ? AND ?")?
        .query_row([low, high], |row| row.get(0))?;
    Ok(last.map_or(0, |id| id - low))
}

/// Embeds the next experiences, at most a batch; the number of those done. Two programs that do the
/// same write the same.
pub(super) fn embed_next(
    db: &Connection,
    embedder: &dyn Embedder,
    known: &Known,
) -> Result<usize, MemoryError> {
    let after = last_embedded(db, known)?;
    let words: Vec<(u64, String)> = db
        .prepare_cached("SELECT row, words FROM experience WHERE row > ? ORDER BY row LIMIT ?")?
        .query_map([after, BATCH], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    if words.is_empty() {
        return Ok(0);
    }
    let texts: Vec<&str> = words.iter().map(|(_, words)| words.as_str()).collect();
    let points = embed_texts(embedder, known, &texts)?;
    within(db, |tx| {
        let sql = "INSERT INTO embedding(id, vector) VALUES(?, ?) ON CONFLICT DO NOTHING";
        let mut insert = tx.prepare_cached(sql)?;
        for ((row, _), point) in words.iter().zip(&points) {
            insert.execute(params![known.key(*row), to_bytes(point)])?;
        }
        Ok(())
    })?;
    Ok(words.len())
}

/// The points of these texts, all as wide as the store's.
pub(super) fn embed_texts(
    embedder: &dyn Embedder,
    known: &Known,
    texts: &[&str],
) -> Result<Vec<Vec<f32>>, MemoryError> {
    let points = embedder.embed(texts)?;
    match points.iter().find(|point| point.len() != known.dims) {
        None => Ok(points),
        Some(point) => Err(MemoryError::OtherWidth {
            embedder: known.name.clone(),
            kept: known.dims,
            found: point.len(),
        }),
    }
}

/// A row with what ψ is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stored {
    pub(super) point: Vec<f32>,
    pub(super) keys: ContextKeys,
}

/// Shows the rows after `after`, in order, as far as they have vectors.
pub(super) fn each_after(
    db: &Connection,
    known: &Known,
    after: u64,
    mut see: impl FnMut(Stored),
) -> rusqlite::Result<()> {
    let mut statement = db.prepare_cached(
        "SELECT h_cond, near, region, vector FROM experience \
         JOIN embedding ON embedding.id = experience.row + ?1 WHERE row > ?2 ORDER BY row",
    )?;
    let mut rows = statement.query([known.key(0), after])?;
    while let Some(row) = rows.next()? {
        see(stored(row)?);
    }
    Ok(())
}

/// One row; none if it has no vector.
pub(super) fn stored_row(
    db: &Connection,
    known: &Known,
    row: u64,
) -> rusqlite::Result<Option<Stored>> {
    db.prepare_cached(
        "SELECT h_cond, near, region, vector FROM experience \
         JOIN embedding ON embedding.id = experience.row + ?1 WHERE row = ?2",
    )?
    .query_row([known.key(0), row], stored)
    .optional()
}

fn stored(row: &Row<'_>) -> rusqlite::Result<Stored> {
    let hash = |at| row.get::<_, i64>(at).map(i64::cast_unsigned);
    let cells = Cells {
        near: hash(1)?,
        region: hash(2)?,
    };
    Ok(Stored {
        point: from_bytes(row.get_ref(3)?.as_blob()?),
        keys: ContextKeys {
            condition: Some(Signature(hash(0)?)),
            cells: Some(cells),
        },
    })
}

/// Half precision: cosines are right to about 0.0001, at half the space.
pub(super) fn to_bytes(point: &[f32]) -> Vec<u8> {
    let bytes = |x: &f32| f16::from_f32(*x).to_le_bytes();
    point.iter().flat_map(bytes).collect()
}

pub(super) fn from_bytes(bytes: &[u8]) -> Vec<f32> {
    let pairs = bytes.chunks_exact(2);
    let halves: Vec<f16> = pairs
        .map(|pair| f16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    // All at once: one by one, each asks anew what the processor can do.
    let mut point = vec![0.0; halves.len()];
    halves.convert_to_f32_slice(&mut point);
    point
}

/// One transaction. Immediate: another program's write makes us wait at the start, not fail at the end.
pub(super) fn within<T>(
    db: &Connection,
    work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    let done = work(&tx)?;
    tx.commit()?;
    Ok(done)
}
