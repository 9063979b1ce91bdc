//! Memory: recall by ψ over 10⁴, 10⁵ and 10⁶ experiences, compared with a plain scan of everything and, with
//! `--features usearch`, with an approximate graph index; how long opening takes, how much is held,
//! and how fast experiences are appended.
//!
//! It prints its own table, since recall and memory are measured as well as time. The sizes are named
//! on the command line: `cargo bench --bench figures -- memory 10000 100000 1000000`. With databases named beside
//! them, rows and queries are those of their runs.

mod appends;
mod bandwidth;
#[cfg(feature = "usearch")]
mod graph;
mod rows;
mod runs;
mod words;

use crate::common;
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::memory::{ExperienceStore, Hashed};
use pithead_world::rng::Rng;
use rows::{exact, fill};
use runs::MadeByRuns;
use std::path::Path;
use std::time::{Duration, Instant};
use words::{attempt, queries};

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
const LIMIT: usize = 10;
/// Queries whose hits are compared with an exact scan: at 10⁶ rows one scan takes a quarter second.
const COMPARED: usize = 100;
/// Scores this near are the same: a sum of floats depends on its order.
const SAME: f64 = 1e-5;

/// `arguments` are the words behind the name on the command line.
pub(crate) fn print_figures(arguments: &[String]) {
    let named: Vec<usize> = arguments
        .iter()
        .filter_map(|word| word.parse().ok())
        .collect();
    let sizes = if named.is_empty() {
        SIZES.to_vec()
    } else {
        named
    };
    let is_number = |word: &&String| word.parse::<usize>().is_ok();
    let files = arguments.iter().filter(|word| !is_number(word));
    let files: Vec<&Path> = files.map(Path::new).collect();
    let made = (!files.is_empty()).then(|| MadeByRuns::read(&files));
    appends::appends();
    bandwidth::bandwidth();
    for size in sizes {
        recalls(size, made.as_ref());
    }
}

fn recalls(size: usize, made: Option<&MadeByRuns>) {
    let folder = common::folder();
    let path = folder.path().join("pithead.db");
    println!("\n{size} experiences");
    let mut rng = Rng::new(7);
    let (rows, queries) = match made {
        None => (fill(&path, size, |_| attempt(&mut rng)), queries()),
        Some(made) => {
            println!("  {}", made.told());
            (fill(&path, size, |n| made.attempt(n)), made.queries.clone())
        }
    };
    let journal = Journal::open(&path, Durability::Normal).expect("the journal opens");
    let db = journal.connection();
    let open =
        || ExperienceStore::open(db, journal.file(), Box::new(Hashed)).expect("the store opens");
    let began = Instant::now();
    drop(open());
    println!(
        "  first opening, with all rows to embed and summarise: {:.1?}",
        began.elapsed()
    );
    let mut opened: Vec<Duration> = (0..5)
        .map(|_| {
            let began = Instant::now();
            drop(open());
            began.elapsed()
        })
        .collect();
    opened.sort();
    println!(
        "  opening: median {:.0?}, slowest {:.0?}",
        opened[2], opened[4]
    );
    let before = resident();
    let mut memory = open();
    let shape = memory.shape();
    println!(
        "  held: {} MiB of rows, {} MiB more resident, {} rows",
        shape.bytes >> 20,
        resident().saturating_sub(before) >> 20,
        shape.rows
    );
    for (what, queries) in &queries {
        let mut times = Vec::new();
        let mut hits = Vec::new();
        for query in queries {
            let began = Instant::now();
            let found = memory.recall(db, query).expect("recall works");
            times.push(began.elapsed());
            hits.push(found.hits.iter().map(|hit| hit.score).collect::<Vec<f64>>());
        }
        let mut scans = Vec::new();
        let (mut kept, mut wanted) = (0, 0);
        for (query, hits) in queries.iter().zip(&hits).take(COMPARED) {
            let began = Instant::now();
            let exact = exact(&rows, query);
            scans.push(began.elapsed());
            let worst = exact.last().copied().unwrap_or_default();
            wanted += exact.len();
            kept += hits.iter().filter(|score| **score >= worst - SAME).count();
        }
        println!(
            "  {what}: {} | plain scan of f32: {} | recall {:.4}",
            told(times),
            told(scans),
            kept as f64 / wanted as f64
        );
    }
    #[cfg(feature = "usearch")]
    graph::compare(&rows, &queries);
}

fn told(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    format!(
        "median {:.2} ms, p99 {:.2} ms, fastest {:.2} ms",
        at(0.5),
        at(0.99),
        at(0.0)
    )
}

/// Resident memory of this process in bytes, if the system reports it.
fn resident() -> usize {
    let told = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = told
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}
