//! Recall: the experiences and summaries that say most about the context at hand (Eq. 9-10).
//!
//! Summaries give the broad context, the index decides, and documents are fetched for what is shown
//! only. Invariant: a hit's ψ is that of the database, whatever the vector index says; without an answer
//! from the embedder, hashes alone decide.

use super::embedder::Embedder;
use super::error::MemoryError;
use super::hit::{Scored, hit};
use super::index_file::IndexFile;
use super::probe::Probe;
use super::psi::{self, ContextKeys};
use super::reindex::check;
use super::roots::Roots;
use super::scan;
use super::shortlist::{self, ScoredRow};
use super::store::{self, Known};
use super::summary::{self, SummaryHit};
use super::vector_index::{Block, ROWS, VectorIndex};
use pithead_core::domain::experience::Hit;
use pithead_core::domain::experience::recall::RecallQuery;
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// How far levels and vectors may tell different scores before the vector index counts as wrong.
const SCORE_FAULT: f64 = 0.05;
/// Summaries found beside the experiences.
const SUMMARIES: usize = 3;

/// An open experience store. It borrows the connection anew for each question.
#[derive(Debug)]
pub struct ExperienceStore {
    embedder: Box<dyn Embedder>,
    /// None as long as nothing has been embedded by a server that did not tell its width yet.
    known: Option<Known>,
    index: VectorIndex,
    roots: Roots,
    /// Beside which the index file may stand.
    database: Option<PathBuf>,
    file: Option<IndexFile>,
    /// Full blocks that the file holds.
    blocks_in_file: usize,
}

/// What recall found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recollection {
    pub hits: Vec<Hit>,
    pub summaries: Vec<SummaryHit>,
}

impl ExperienceStore {
    /// Opens the store and takes in what has been written since. An embedder other than the one
    /// whose vectors it holds is refused. `database` is where the index file may stand.
    pub fn open(
        db: &Connection,
        database: Option<&Path>,
        embedder: Box<dyn Embedder>,
    ) -> Result<Self, MemoryError> {
        let mut memory = Self {
            known: None,
            index: VectorIndex::new(embedder.dims().unwrap_or(0)),
            roots: Roots::default(),
            database: database.map(Path::to_path_buf),
            file: None,
            blocks_in_file: 0,
            embedder,
        };
        memory.adopt_embedder(db)?;
        if memory.known.is_some() {
            memory.load_index(db)?;
        }
        memory.take_in(db)?;
        Ok(memory)
    }

    /// Settles whose vectors the store holds.
    fn adopt_embedder(&mut self, db: &Connection) -> Result<(), MemoryError> {
        check(db, self.embedder.as_ref())?;
        let name = self.embedder.name();
        let known = match (store::current(db)?, self.embedder.dims()) {
            (Some(known), _) => known,
            (None, Some(dims)) => store::adopt(db, name, dims)?,
            (None, None) if store::last_row(db)? == 0 => return Ok(()),
            (None, None) => {
                let point = self.embedder.embed(&["width"])?;
                store::adopt(db, name, point.first().map_or(0, Vec::len))?
            }
        };
        self.index = VectorIndex::new(known.dims);
        self.roots = Roots::default();
        let database = self.database.as_deref();
        self.file = database.map(|path| IndexFile::beside(path, &known.name, known.dims));
        self.known = Some(known);
        Ok(())
    }

    /// Fills the vector index: whole blocks from its file, the rest from the database.
    fn load_index(&mut self, db: &Connection) -> Result<(), MemoryError> {
        let Some(known) = &self.known else {
            return Ok(());
        };
        let mut index = VectorIndex::new(known.dims);
        if let Some(file) = &self.file {
            let empty = VectorIndex::new(known.dims);
            let agrees = |block: &Block, first: usize| {
                let row = (first + ROWS) as u64; // its last row, counted from 1
                let stored = store::stored_row(db, known, row).ok().flatten();
                stored.is_some_and(|stored| {
                    block.ends_with(&empty.encode(&stored.point, stored.keys))
                })
            };
            index.blocks = file.load(agrees);
        }
        self.blocks_in_file = index.blocks.len();
        self.index = index;
        self.index_new_rows(db)?;
        Ok(())
    }

    /// Takes in what has been written since: vectors, summaries, index. The number of experiences.
    pub fn take_in(&mut self, db: &Connection) -> Result<usize, MemoryError> {
        if self.known.is_none() {
            if store::last_row(db)? == 0 {
                return Ok(0);
            }
            self.adopt_embedder(db)?;
        }
        let Some(known) = self.known.clone() else {
            return Ok(0);
        };
        let mut taken = 0;
        loop {
            let done = store::embed_next(db, self.embedder.as_ref(), &known)?;
            if done == 0 {
                break;
            }
            taken += done;
        }
        summary::roll_up(db)?;
        summary::embed_new(db, self.embedder.as_ref(), &known)?;
        self.roots.read_new(db, &known)?;
        self.index_new_rows(db)?;
        Ok(taken)
    }

    fn index_new_rows(&mut self, db: &Connection) -> Result<(), MemoryError> {
        let Some(known) = &self.known else {
            return Ok(());
        };
        let after = self.index.len() as u64;
        let index = &mut self.index;
        store::each_after(db, known, after, |row| index.push(&row.point, row.keys))?;
        if let Some(file) = &self.file
            && index.len() / ROWS > self.blocks_in_file
        {
            match file.store(index, self.blocks_in_file) {
                Ok(()) => self.blocks_in_file = index.len() / ROWS,
                Err(error) => tracing::warn!("the index file was not written: {error}"),
            }
        }
        Ok(())
    }

    /// The best experiences and summaries for a context.
    pub fn recall(
        &mut self,
        db: &Connection,
        query: &RecallQuery,
    ) -> Result<Recollection, MemoryError> {
        let Some(known) = self.known.clone() else {
            return Ok(Recollection::default());
        };
        let point = match store::embed_texts(self.embedder.as_ref(), &known, &[&query.text]) {
            Ok(mut points) => points.pop().unwrap_or_default(),
            Err(MemoryError::Embed(error)) => {
                tracing::warn!("recall goes by condition and place alone: {error}");
                vec![0.0; known.dims]
            }
            Err(other) => return Err(other),
        };
        let keys = ContextKeys {
            condition: query.condition,
            cells: query.cells,
        };
        let summaries = self.roots.nearest(db, &known, &point, SUMMARIES)?;
        let asked = Asked {
            known: &known,
            point: &point,
            keys,
            limit: query.limit,
        };
        let mut ranked = self.ranked(db, &asked)?;
        if ranked.index_is_wrong {
            tracing::warn!("the vector index does not agree with its database; it is rebuilt");
            if let Some(file) = &self.file {
                file.discard();
            }
            self.load_index(db)?;
            ranked = self.ranked(db, &asked)?;
        }
        let hits = ranked.rows.iter().map(|scored| hit(db, scored, query.seed));
        Ok(Recollection {
            hits: hits.collect::<rusqlite::Result<_>>()?,
            summaries,
        })
    }

    /// The best rows by the database's vectors, among those that the vector index brings forward. Of rows that are
    /// alike one tells for all; the others are read if they are among the best.
    fn ranked(&self, db: &Connection, asked: &Asked<'_>) -> Result<Ranked, MemoryError> {
        let probe = Probe::new(&self.index, asked.point, asked.keys);
        let found = scan::best_rows(&self.index, &probe, asked.limit);
        let mut index_is_wrong = false;
        let mut read = |row: &ScoredRow| -> Result<Option<Scored>, MemoryError> {
            let scored = asked.score(db, row)?;
            let agrees = |s: &Scored| (s.psi - f64::from(row.score)).abs() <= SCORE_FAULT;
            index_is_wrong |= !scored.as_ref().is_some_and(agrees);
            Ok(scored)
        };
        let mut texts = Vec::new();
        for alike in shortlist::alike_together(&self.index, &found) {
            let first = alike.first().map(&mut read).transpose()?.flatten();
            texts.extend(first.map(|first| (first, alike)));
        }
        texts.sort_by(|(a, _), (b, _)| b.psi.total_cmp(&a.psi).then(b.row.cmp(&a.row)));
        let mut rows: Vec<Scored> = Vec::new();
        for (first, alike) in texts {
            // Texts with the same ψ compete for the last places by age.
            let is_worse = |worst: &Scored| first.psi < worst.psi;
            if rows.len() >= asked.limit && rows.last().is_some_and(is_worse) {
                break;
            }
            rows.push(first);
            for row in &alike[1..] {
                rows.extend(read(row)?);
            }
        }
        rows.sort_by(|a, b| b.psi.total_cmp(&a.psi).then(b.row.cmp(&a.row)));
        rows.truncate(asked.limit);
        Ok(Ranked {
            rows,
            index_is_wrong,
        })
    }

    /// What the store is made of.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape {
            embedder: self.embedder.name().to_owned(),
            dims: self.known.as_ref().map_or(0, |known| known.dims),
            rows: self.index.len(),
            bytes: self.index.bytes(),
            blocks_in_file: self.blocks_in_file * ROWS,
        }
    }
}

/// The vector index in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    pub embedder: String,
    pub dims: usize,
    /// Experiences that can be found.
    pub rows: usize,
    /// Held in memory.
    pub bytes: usize,
    /// Experiences whose block is in the index file.
    pub blocks_in_file: usize,
}

/// A query, embedded.
struct Asked<'a> {
    known: &'a Known,
    point: &'a [f32],
    keys: ContextKeys,
    limit: usize,
}

impl Asked<'_> {
    /// A row by the database's own vector and keys; none if the database does not have it.
    fn score(&self, db: &Connection, found: &ScoredRow) -> Result<Option<Scored>, MemoryError> {
        let row = found.at as u64 + 1;
        let Some(stored) = store::stored_row(db, self.known, row)? else {
            return Ok(None);
        };
        let cosine = cosine(self.point, &stored.point);
        let delta = psi::delta(self.keys, stored.keys);
        Ok(Some(Scored {
            row,
            psi: psi::psi(cosine, delta),
            cosine,
            delta,
            exact: self.keys.condition.is_some() && self.keys.condition == stored.keys.condition,
        }))
    }
}

struct Ranked {
    rows: Vec<Scored>,
    index_is_wrong: bool,
}

pub(super) fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    f64::from(dot.clamp(-1.0, 1.0))
}
