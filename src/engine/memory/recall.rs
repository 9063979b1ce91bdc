//! Recall: the experiences and summaries that say most about the context at hand (Eq. 9-10).
//!
//! Summaries give the broad context, the index decides, and documents are fetched for what is shown
//! only. Invariant: a hit's ψ is that of the database, whatever the shelf says; without an answer
//! from the embedder, hashes alone decide.

use super::embedder::Embedder;
use super::error::MemoryError;
use super::hit::{Scored, hit};
use super::probe::Probe;
use super::psi::{self, Keys};
use super::reindex::check;
use super::roots::Roots;
use super::scan::{self, Found};
use super::shelf::{Block, ROWS, Shelf};
use super::shelf_file::ShelfFile;
use super::store::{self, Known};
use super::summary::{self, SummaryHit};
use pithead_core::domain::experience::Hit;
use pithead_core::domain::experience::recall::RecallQuery;
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// How far levels and vectors may tell different scores before the shelf counts as wrong.
const SHELF_FAULT: f64 = 0.05;
/// Summaries found beside the experiences.
const SUMMARIES: usize = 3;

/// An open experience store. It borrows the connection anew for each question.
#[derive(Debug)]
pub struct Memory {
    embedder: Box<dyn Embedder>,
    /// None as long as nothing has been embedded by a server that did not tell its width yet.
    known: Option<Known>,
    shelf: Shelf,
    roots: Roots,
    /// Beside which the shelf's file may stand.
    database: Option<PathBuf>,
    file: Option<ShelfFile>,
    /// Full blocks that the file holds.
    filed: usize,
}

/// What recall found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recollection {
    pub hits: Vec<Hit>,
    pub summaries: Vec<SummaryHit>,
}

/// Where the index looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breadth {
    /// At every experience.
    Everywhere,
    /// At the members of so many best summaries only.
    Summaries(usize),
}

impl Memory {
    /// Opens the store and takes in what has been written since. An embedder other than the one
    /// whose vectors it holds is refused. `database` is where the shelf's file may stand.
    pub fn open(
        db: &Connection,
        database: Option<&Path>,
        embedder: Box<dyn Embedder>,
    ) -> Result<Self, MemoryError> {
        let mut memory = Self {
            known: None,
            shelf: Shelf::new(embedder.dims().unwrap_or(0)),
            roots: Roots::default(),
            database: database.map(Path::to_path_buf),
            file: None,
            filed: 0,
            embedder,
        };
        memory.meet(db)?;
        if memory.known.is_some() {
            memory.fill(db)?;
        }
        memory.take_in(db)?;
        Ok(memory)
    }

    /// Settles whose vectors the store holds.
    fn meet(&mut self, db: &Connection) -> Result<(), MemoryError> {
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
        self.shelf = Shelf::new(known.dims);
        self.roots = Roots::default();
        let database = self.database.as_deref();
        self.file = database.map(|path| ShelfFile::beside(path, &known.name, known.dims));
        self.known = Some(known);
        Ok(())
    }

    /// Fills the shelf: whole blocks from its file, the rest from the database.
    fn fill(&mut self, db: &Connection) -> Result<(), MemoryError> {
        let Some(known) = &self.known else {
            return Ok(());
        };
        let mut shelf = Shelf::new(known.dims);
        if let Some(file) = &self.file {
            let empty = Shelf::new(known.dims);
            let agrees = |block: &Block, first: usize| {
                let row = (first + ROWS) as u64; // its last row, counted from 1
                let stored = store::one(db, known, row).ok().flatten();
                stored.is_some_and(|stored| {
                    block.ends_with(&empty.encode(&stored.point, stored.keys))
                })
            };
            shelf.blocks = file.load(agrees);
        }
        self.filed = shelf.blocks.len();
        self.shelf = shelf;
        self.shelve_new(db)?;
        Ok(())
    }

    /// Takes in what has been written since: vectors, summaries, shelf. The number of experiences.
    pub fn take_in(&mut self, db: &Connection) -> Result<usize, MemoryError> {
        if self.known.is_none() {
            if store::last_row(db)? == 0 {
                return Ok(0);
            }
            self.meet(db)?;
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
        self.roots.read_on(db, &known)?;
        self.shelve_new(db)?;
        Ok(taken)
    }

    fn shelve_new(&mut self, db: &Connection) -> Result<(), MemoryError> {
        let Some(known) = &self.known else {
            return Ok(());
        };
        let after = self.shelf.len() as u64;
        let shelf = &mut self.shelf;
        store::each_after(db, known, after, |row| shelf.push(&row.point, row.keys))?;
        if let Some(file) = &self.file
            && shelf.len() / ROWS > self.filed
        {
            match file.store(shelf, self.filed) {
                Ok(()) => self.filed = shelf.len() / ROWS,
                Err(error) => tracing::warn!("the shelf's file was not written: {error}"),
            }
        }
        Ok(())
    }

    /// The best experiences and summaries for a context.
    pub fn recall(
        &mut self,
        db: &Connection,
        query: &RecallQuery,
        breadth: Breadth,
    ) -> Result<Recollection, MemoryError> {
        let Some(known) = self.known.clone() else {
            return Ok(Recollection::default());
        };
        let point = match store::embedded(self.embedder.as_ref(), &known, &[&query.text]) {
            Ok(mut points) => points.pop().unwrap_or_default(),
            Err(MemoryError::Embed(error)) => {
                tracing::warn!("recall goes by condition and place alone: {error}");
                vec![0.0; known.dims]
            }
            Err(other) => return Err(other),
        };
        let keys = Keys {
            condition: query.condition,
            cells: query.cells,
        };
        let (wanted, narrow) = match breadth {
            Breadth::Everywhere => (SUMMARIES, false),
            Breadth::Summaries(count) => (count.max(SUMMARIES), true),
        };
        let mut summaries = self.roots.nearest(db, &known, &point, wanted)?;
        let rows = narrow.then(|| SummaryHit::rows(&summaries));
        let asked = Asked {
            known: &known,
            point: &point,
            keys,
            limit: query.limit,
        };
        let mut ranked = self.ranked(db, &asked, rows.as_deref())?;
        if ranked.shelf_is_wrong {
            tracing::warn!("the shelf does not agree with its database; it is made anew");
            if let Some(file) = &self.file {
                file.discard();
            }
            self.fill(db)?;
            ranked = self.ranked(db, &asked, rows.as_deref())?;
        }
        summaries.truncate(SUMMARIES);
        let hits = ranked.rows.iter().map(|scored| hit(db, scored));
        Ok(Recollection {
            hits: hits.collect::<rusqlite::Result<_>>()?,
            summaries,
        })
    }

    /// The best rows by the database's vectors, among those that the shelf brings forward.
    fn ranked(
        &self,
        db: &Connection,
        asked: &Asked<'_>,
        rows: Option<&[std::ops::Range<usize>]>,
    ) -> Result<Ranked, MemoryError> {
        let probe = Probe::new(&self.shelf, asked.point, asked.keys);
        let found = match rows {
            None => scan::best(&self.shelf, &probe, asked.limit),
            Some(rows) => scan::best_within(&self.shelf, &probe, rows, asked.limit),
        };
        let mut ranked = Ranked::default();
        for Found { score, at } in found {
            let row = at as u64 + 1;
            let Some(stored) = store::one(db, asked.known, row)? else {
                ranked.shelf_is_wrong = true;
                continue;
            };
            let cosine = cosine(asked.point, &stored.point);
            let delta = psi::delta(asked.keys, stored.keys);
            let psi = psi::psi(cosine, delta);
            ranked.shelf_is_wrong |= (psi - f64::from(score)).abs() > SHELF_FAULT;
            ranked.rows.push(Scored {
                row,
                psi,
                cosine,
                delta,
                exact: asked.keys.condition.is_some()
                    && asked.keys.condition == stored.keys.condition,
            });
        }
        ranked
            .rows
            .sort_by(|a, b| b.psi.total_cmp(&a.psi).then(b.row.cmp(&a.row)));
        ranked.rows.truncate(asked.limit);
        Ok(ranked)
    }

    /// What the store is made of.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape {
            embedder: self.embedder.name().to_owned(),
            dims: self.known.as_ref().map_or(0, |known| known.dims),
            rows: self.shelf.len(),
            bytes: self.shelf.bytes(),
            filed: self.filed * ROWS,
        }
    }
}

/// The shelf in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    pub embedder: String,
    pub dims: usize,
    /// Experiences that can be found.
    pub rows: usize,
    /// Held in memory.
    pub bytes: usize,
    /// Experiences whose block is in the shelf's file.
    pub filed: usize,
}

/// A query, embedded.
struct Asked<'a> {
    known: &'a Known,
    point: &'a [f32],
    keys: Keys,
    limit: usize,
}

#[derive(Default)]
struct Ranked {
    rows: Vec<Scored>,
    shelf_is_wrong: bool,
}

pub(super) fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    f64::from(dot.clamp(-1.0, 1.0))
}
