//! Rows: an index of so many attempts, and their points as the database keeps them to compare with.
//!
//! Invariant: a row of the database and a row in memory are made of the same attempt, and their coordinates are the
//! same: both are rounded to half precision.

use super::LIMIT;
use super::words::Attempt;
use crate::common;
use half::f16;
use pithead_core::domain::experience::recall::RecallQuery;
use pithead_core::text::ngrams;
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::memory::psi::{self, ContextKeys};
use pithead_world::clock::Millis;
use rusqlite::params;

pub(super) struct Rows {
    pub(super) points: Vec<[f32; ngrams::DIMS]>,
    pub(super) keys: Vec<ContextKeys>,
}

/// ψ of every row; the best.
pub(super) fn exact(rows: &Rows, query: &RecallQuery) -> Vec<f64> {
    let wanted = ngrams::ngram_vector(&query.text);
    let keys = ContextKeys {
        condition: query.condition,
        cells: query.cells,
    };
    let score = |(point, row): (&[f32; ngrams::DIMS], &ContextKeys)| {
        let dot: f32 = lanes(&wanted, point);
        psi::psi(f64::from(dot.clamp(-1.0, 1.0)), psi::delta(keys, *row))
    };
    let mut scores: Vec<f64> = rows.points.iter().zip(&rows.keys).map(score).collect();
    let place = LIMIT.min(scores.len()) - 1;
    scores.select_nth_unstable_by(place, |a, b| b.total_cmp(a));
    scores.truncate(place + 1);
    scores.sort_by(|a, b| b.total_cmp(a));
    scores
}

/// A dot product that the compiler can spread over the lanes of a register.
pub(super) fn lanes(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 16];
    for (a, b) in a.chunks_exact(16).zip(b.chunks_exact(16)) {
        for lane in 0..16 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

/// Puts rows into the index tier, all pointing at one document: what is searched is real, and the
/// disk is spared a million copies.
pub(super) fn fill(
    path: &std::path::Path,
    size: usize,
    mut attempt: impl FnMut(usize) -> Attempt,
) -> Rows {
    let mut journal = Journal::open(path, Durability::Normal).expect("a journal is made");
    let run = journal
        .create_run(common::run_config(common::DIAMOND, 7), Millis(1))
        .expect("it takes a run");
    let document = common::experiences().swap_remove(0);
    journal
        .append(run, Millis(2), vec![common::ended(&document, run, 1)])
        .expect("the journal takes it");
    let db = journal.connection();
    let (event, digest): (u64, Vec<u8>) = db
        .query_row("SELECT event, digest FROM experience", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .expect("it has a row");
    db.execute_batch("DELETE FROM experience; BEGIN")
        .expect("the row goes");
    let mut rows = Rows {
        points: Vec::with_capacity(size),
        keys: Vec::with_capacity(size),
    };
    let sql = "INSERT INTO experience(run, n, event, digest, outcome, reason, target, kind, tags, biome, \
               h_cond, near, region, at, words) VALUES(?,?,?,?,?,NULL,?,'mine','',?,?,?,?,?,?)";
    for n in 0..size {
        let Attempt {
            words,
            keys,
            success,
            target,
            biome,
        } = attempt(n);
        let cells = keys.cells.expect("every attempt has a place");
        let condition = keys.condition.expect("and an aim");
        db.prepare_cached(sql)
            .and_then(|mut insert| {
                insert.execute(params![
                    run.0,
                    n as u64 + 1,
                    event,
                    digest,
                    success,
                    target,
                    biome,
                    condition.0.cast_signed(),
                    cells.near.cast_signed(),
                    cells.region.cast_signed(),
                    n as u64,
                    words
                ])
            })
            .expect("a row is written");
        let kept = |x: f32| f16::from_f32(x).to_f32();
        rows.points.push(ngrams::ngram_vector(&words).map(kept));
        rows.keys.push(keys);
    }
    db.execute_batch("COMMIT").expect("the rows are kept");
    rows
}
