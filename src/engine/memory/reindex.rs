//! Reindexing: the vectors of a store made anew, by the same embedder or by another.
//!
//! Invariant: a store whose vectors are complete and of the embedder that is asked for stays as it is.

use super::embedder::Embedder;
use super::error::MemoryError;
use super::index_file::IndexFile;
use super::recall::ExperienceStore;
use super::store;
use rusqlite::Connection;
use std::path::Path;

/// Refuses an embedder other than the one whose vectors the store holds.
pub fn check(db: &Connection, embedder: &dyn Embedder) -> Result<(), MemoryError> {
    match store::current(db)? {
        Some(known) if known.name != embedder.name() => Err(MemoryError::OtherEmbedder {
            kept: known.name,
            asked: embedder.name().to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Makes all vectors anew with this embedder, and with them summaries' vectors and the vector index. The
/// number of experiences embedded; zero if the store was of this embedder and complete.
pub fn reindex(
    db: &Connection,
    database: Option<&Path>,
    embedder: Box<dyn Embedder>,
    from_scratch: bool,
) -> Result<usize, MemoryError> {
    let before = store::current(db)?;
    let same = before
        .as_ref()
        .is_some_and(|known| known.name == embedder.name());
    if !same || from_scratch {
        // Asked first, so that a server that is away costs nothing.
        let dims = embedder.embed(&["width"])?.first().map_or(0, Vec::len);
        if same {
            store::within(db, |tx| store::drop_vectors(tx))?;
        }
        store::adopt(db, embedder.name(), dims)?;
        if let (Some(path), Some(known)) = (database, before) {
            IndexFile::beside(path, &known.name, known.dims).discard();
        }
    }
    let done = match store::current(db)? {
        Some(known) => store::last_embedded(db, &known)?,
        None => 0,
    };
    let memory = ExperienceStore::open(db, database, embedder)?;
    Ok(memory.shape().rows - done as usize)
}
