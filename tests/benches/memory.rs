//! Memory: recall by ψ over 10⁴, 10⁵ and 10⁶ experiences, beside a plain scan of everything and, with
//! `--features usearch`, beside an approximate graph index; how long opening takes, how much is held,
//! and how fast experiences are appended.
//!
//! It prints its own table, since recall and memory are measured as well as time. The sizes are named
//! on the command line: `cargo bench --bench memory -- 10000 100000 1000000`.

#![allow(clippy::print_stdout, clippy::disallowed_methods)] // a benchmark reads the clock and prints

mod common;

use pithead::clock::Millis;
use pithead::domain::cell::Cells;
use pithead::domain::event::Event;
use pithead::domain::experience::Experience;
use pithead::domain::recall::RecallQuery;
use pithead::domain::signature::Signature;
use pithead::ids::{AttemptId, ExperienceId, RunId};
use pithead::journal::{Durability, Journal};
use pithead::memory::psi::{self, Keys};
use pithead::memory::{Breadth, Hashed, Memory, hashed};
use pithead::rng::Rng;
use pithead::world::space::Pos;
use rusqlite::params;
use std::time::{Duration, Instant};

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
const LIMIT: usize = 10;
/// Of each kind of query.
const QUERIES: usize = 100;
/// Queries whose hits are compared with an exact scan: at 10⁶ rows one scan takes a quarter second.
const COMPARED: usize = 100;
const BATCH: usize = 500;
/// Scores this near are the same: vectors are kept in half precision.
const SAME: f64 = 2e-4;

fn main() {
    let named: Vec<usize> = std::env::args()
        .filter_map(|arg| arg.parse().ok())
        .collect();
    let sizes = if named.is_empty() {
        SIZES.to_vec()
    } else {
        named
    };
    appends();
    bandwidth();
    for size in sizes {
        recalls(size);
    }
}

// ── data: what runs leave behind, from templates, so that texts cluster as they do ──

const TASKS: [&str; 20] = [
    "obtain a diamond",
    "craft an iron pickaxe",
    "craft a stone sword",
    "make a bucket",
    "craft 4 rails",
    "smelt 8 glass",
    "craft a compass",
    "craft an iron chestplate",
    "obtain redstone",
    "make 12 torches",
    "craft a shield",
    "get 5 leather",
    "cook 4 mutton",
    "craft a clock",
    "craft a bookshelf",
    "craft a golden apple",
    "make an anvil",
    "craft a piston",
    "make a diamond sword",
    "craft flint and steel",
];
const ITEMS: [&str; 30] = [
    "oak_log",
    "birch_log",
    "cobblestone",
    "coal",
    "iron_ore",
    "redstone",
    "diamond",
    "gold_ore",
    "sand",
    "gravel",
    "clay_ball",
    "sugar_cane",
    "oak_planks",
    "stick",
    "crafting_table",
    "wooden_pickaxe",
    "stone_pickaxe",
    "furnace",
    "iron_ingot",
    "iron_pickaxe",
    "torch",
    "bucket",
    "leather",
    "mutton",
    "white_wool",
    "flint",
    "glass",
    "gold_ingot",
    "paper",
    "book",
];
const VERBS: [&str; 7] = [
    "mine", "craft", "smelt", "collect", "dig for", "fetch", "make",
];
const TOOLS: [&str; 5] = [
    "",
    "with a wooden pickaxe",
    "with a stone pickaxe",
    "with an iron pickaxe",
    "by hand",
];
const NOTES: [&str; 12] = [
    "",
    "near the lake",
    "under the hill",
    "at night",
    "while hungry",
    "in a cave",
    "on the cliff",
    "beside lava",
    "after rain",
    "with low health",
    "close to the base",
    "far from home",
];
const BIOMES: [&str; 14] = [
    "forest",
    "plains",
    "desert",
    "taiga",
    "birch_forest",
    "savanna",
    "swamp",
    "mountains",
    "jungle",
    "beach",
    "river",
    "ocean",
    "snowy_tundra",
    "badlands",
];
const ENDS: [&str; 12] = [
    "success",
    "success",
    "success",
    "success",
    "NAV_STUCK",
    "TIMEOUT",
    "TOOL_MISSING",
    "PATH_UNREACHABLE",
    "MONITOR_NEVER_TRUE",
    "NAV_OSCILLATE",
    "GUI_BLOCKED",
    "ENV_TERMINATED",
];
/// What an operator types: few words, no hashes.
const TYPED: [&str; 20] = [
    "stuck in lava",
    "diamond",
    "iron pickaxe failed",
    "night in the desert",
    "NAV_STUCK near the lake",
    "how to get leather",
    "furnace",
    "torch at night in a cave",
    "what went wrong with redstone",
    "smelt glass",
    "sugar cane river",
    "hungry",
    "low health in a swamp",
    "compass",
    "anvil",
    "mine with a stone pickaxe",
    "beach",
    "the hill",
    "craft",
    "gold",
];

struct Attempt {
    words: String,
    keys: Keys,
    success: bool,
}

fn attempt(rng: &mut Rng) -> Attempt {
    let mut pick = |from: &[&'static str]| from[rng.below(from.len() as u64) as usize];
    let (task, verb, item, tool) = (pick(&TASKS), pick(&VERBS), pick(&ITEMS), pick(&TOOLS));
    let (note, biome, end) = (pick(&NOTES), pick(&BIOMES), pick(&ENDS));
    let (count, height) = (1 + rng.below(12), 5 + rng.below(60));
    let at = Pos::new(
        rng.between(-800, 800) as i32,
        height as i32,
        rng.between(-800, 800) as i32,
    );
    Attempt {
        words: format!(
            "{task} {verb} {count} {item} {tool} y {height} {note} {item} {biome} {verb} {biome} {end}"
        ),
        keys: Keys {
            condition: Some(Signature::of(item)),
            cells: Some(Cells::of(rng.below(20), at)),
        },
        success: end == "success",
    }
}

/// What is asked: contexts with hashes as runs ask, the same without, and what people type.
fn queries() -> Vec<(&'static str, Vec<RecallQuery>)> {
    let mut rng = Rng::new(99);
    let mut context = |hashes: bool| {
        let Attempt { words, keys, .. } = attempt(&mut rng);
        RecallQuery {
            text: words,
            condition: keys.condition.filter(|_| hashes),
            cells: keys.cells.filter(|_| hashes),
            limit: LIMIT,
        }
    };
    let typed = |text: &&str| RecallQuery {
        text: (*text).to_owned(),
        condition: None,
        cells: None,
        limit: LIMIT,
    };
    vec![
        (
            "context with hashes",
            (0..QUERIES).map(|_| context(true)).collect(),
        ),
        (
            "context without hashes",
            (0..QUERIES).map(|_| context(false)).collect(),
        ),
        (
            "typed words",
            TYPED.iter().cycle().map(typed).take(QUERIES).collect(),
        ),
    ]
}

// ── recall ──

fn recalls(size: usize) {
    let folder = common::folder();
    let path = folder.path().join("pithead.db");
    println!("\n{size} experiences");
    let rows = fill(&path, size);
    let journal = Journal::open(&path, Durability::Normal).expect("the journal opens");
    let db = journal.connection();
    let open = || Memory::open(db, journal.file(), Box::new(Hashed)).expect("the store opens");
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
    for (what, queries) in queries() {
        let mut times = Vec::new();
        let mut hits = Vec::new();
        for query in &queries {
            let began = Instant::now();
            let found = memory
                .recall(db, query, Breadth::Everywhere)
                .expect("recall works");
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
        let mut narrow = Vec::new();
        let mut kept = 0;
        for (query, hits) in queries.iter().zip(&hits) {
            let began = Instant::now();
            let found = memory
                .recall(db, query, Breadth::Summaries(32))
                .expect("recall works");
            narrow.push(began.elapsed());
            let worst = hits.last().copied().unwrap_or_default();
            kept += found
                .hits
                .iter()
                .filter(|hit| hit.score >= worst - SAME)
                .count();
        }
        println!(
            "    through 32 summaries: {} | recall {:.4}",
            told(narrow),
            kept as f64 / (queries.len() * LIMIT) as f64
        );
    }
    #[cfg(feature = "usearch")]
    graph::compare(&rows, &queries());
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

struct Rows {
    points: Vec<[f32; hashed::DIMS]>,
    keys: Vec<Keys>,
}

/// ψ of every row in full precision; the best.
fn exact(rows: &Rows, query: &RecallQuery) -> Vec<f64> {
    let wanted = hashed::point(&query.text);
    let keys = Keys {
        condition: query.condition,
        cells: query.cells,
    };
    let score = |(point, row): (&[f32; hashed::DIMS], &Keys)| {
        let dot: f32 = lanes(&wanted, point);
        psi::psi(f64::from(dot), psi::delta(keys, *row))
    };
    let mut scores: Vec<f64> = rows.points.iter().zip(&rows.keys).map(score).collect();
    let place = LIMIT.min(scores.len()) - 1;
    scores.select_nth_unstable_by(place, |a, b| b.total_cmp(a));
    scores.truncate(place + 1);
    scores.sort_by(|a, b| b.total_cmp(a));
    scores
}

/// A dot product that the compiler can spread over the lanes of a register.
fn lanes(a: &[f32], b: &[f32]) -> f32 {
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
fn fill(path: &std::path::Path, size: usize) -> Rows {
    let mut journal = Journal::open(path, Durability::Normal).expect("a journal is made");
    let run = journal
        .create_run(common::run_config(common::DIAMOND, 7), Millis(1))
        .expect("it takes a run");
    let document = experiences().swap_remove(0);
    journal
        .append(run, Millis(2), vec![ended(&document, run, 1)])
        .expect("the journal takes it");
    let db = journal.connection();
    let event: u64 = db
        .query_row("SELECT event FROM experience", [], |row| row.get(0))
        .expect("it has a row");
    db.execute_batch("DELETE FROM experience; BEGIN")
        .expect("the row goes");
    let (mut rng, mut rows) = (
        Rng::new(7),
        Rows {
            points: Vec::with_capacity(size),
            keys: Vec::with_capacity(size),
        },
    );
    let sql = "INSERT INTO experience(run, n, event, digest, outcome, reason, target, kind, tags, biome, \
               h_cond, near, region, at, words) VALUES(?,?,?,x'00',?,NULL,?,'mine','',?,?,?,?,?,?)";
    for n in 0..size {
        let Attempt {
            words,
            keys,
            success,
        } = attempt(&mut rng);
        let cells = keys.cells.expect("every attempt has a place");
        let condition = keys.condition.expect("and an aim");
        let mut said = words.split(' ');
        let (target, biome) = (said.clone().nth(4), said.nth_back(1));
        db.prepare_cached(sql)
            .and_then(|mut insert| {
                insert.execute(params![
                    run.0,
                    n as u64 + 1,
                    event,
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
        rows.points.push(hashed::point(&words));
        rows.keys.push(keys);
    }
    db.execute_batch("COMMIT").expect("the rows are kept");
    rows
}

/// Bytes of this process that are in memory, where the system tells.
fn resident() -> usize {
    let told = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = told
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}

/// What the memory gives to one thread and to two that only read: the floor of every scan.
fn bandwidth() {
    let words = vec![1_u64; (512 << 20) / 8];
    let read = |part: &[u64]| {
        part.chunks_exact(8)
            .map(|line| line.iter().sum::<u64>())
            .sum::<u64>()
    };
    for threads in [1, 2] {
        let fastest = (0..5)
            .map(|_| {
                let began = Instant::now();
                let sum: u64 = std::thread::scope(|scope| {
                    let parts = words.chunks(words.len() / threads);
                    let read: Vec<_> = parts.map(|part| scope.spawn(move || read(part))).collect();
                    read.into_iter()
                        .map(|part| part.join().expect("it only reads"))
                        .sum()
                });
                assert_eq!(sum as usize, words.len());
                began.elapsed()
            })
            .min()
            .expect("five were made");
        let rate = (512 << 20) as f64 / fastest.as_secs_f64() / 1e9;
        let floor = |bytes: usize| (bytes * 1_000_000) as f64 / rate / 1e6;
        println!(
            "memory, {threads} thread(s): {rate:.1} GB/s; floors for 10⁶ rows: f32 {:.1} ms, bytes {:.1} ms, lines of 64 bytes {:.1} ms",
            floor(hashed::DIMS * 4),
            floor(hashed::DIMS),
            floor(64)
        );
    }
}

// ── appending ──

/// Every attempt of a real run.
fn experiences() -> Vec<Experience> {
    let facts = common::record(common::DIAMOND, 7).into_iter();
    facts
        .filter_map(|fact| match fact.event {
            Event::AttemptEnded { experience, .. } => Some(*experience),
            _ => None,
        })
        .collect()
}

/// The same attempt under another number.
fn ended(experience: &Experience, run: RunId, n: u64) -> Event {
    Event::AttemptEnded {
        attempt: AttemptId(n),
        experience: Box::new(Experience {
            id: ExperienceId { run, n },
            ..experience.clone()
        }),
    }
}

/// Whole experiences, event and index row, in batches; then their vectors and summaries.
fn appends() {
    const COUNT: usize = 20_000;
    let known = experiences();
    let folder = common::folder();
    let path = folder.path().join("pithead.db");
    let mut journal = Journal::open(&path, Durability::Normal).expect("a journal is made");
    let run = journal
        .create_run(common::run_config(common::DIAMOND, 7), Millis(1))
        .expect("it takes a run");
    let (mut slowest, mut all) = (f64::MAX, Duration::ZERO);
    for first in (1..=COUNT).step_by(BATCH) {
        let numbers = first..first + BATCH;
        let events: Vec<Event> = numbers
            .map(|n| ended(&known[n % known.len()], run, n as u64))
            .collect();
        let began = Instant::now();
        journal
            .append(run, Millis(2), events)
            .expect("the journal takes it");
        let took = began.elapsed();
        slowest = slowest.min(BATCH as f64 / took.as_secs_f64());
        all += took;
    }
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    println!(
        "append, batches of {BATCH}, NORMAL: {:.0}/s (slowest batch {slowest:.0}/s), {} bytes of database each",
        COUNT as f64 / all.as_secs_f64(),
        bytes / COUNT as u64
    );
    let began = Instant::now();
    let mut memory =
        Memory::open(journal.connection(), journal.file(), Box::new(Hashed)).expect("it opens");
    let rate = COUNT as f64 / began.elapsed().as_secs_f64();
    println!("take in (embed, store vectors, summarise, shelve): {rate:.0}/s");
    memory
        .take_in(journal.connection())
        .expect("there is nothing to do");
}

/// An approximate graph index over the same points.
#[cfg(feature = "usearch")]
mod graph {
    use super::{LIMIT, RecallQuery, Rows, SAME, hashed, lanes, told};
    use std::time::Instant;
    use usearch::{Index, IndexOptions, MetricKind, ScalarKind};

    /// It knows nothing of δ, so it is asked for what it can do: the nearest by cosine.
    pub(super) fn compare(rows: &Rows, queries: &[(&'static str, Vec<RecallQuery>)]) {
        let options = IndexOptions {
            dimensions: hashed::DIMS,
            metric: MetricKind::IP,
            quantization: ScalarKind::I8,
            ..IndexOptions::default()
        };
        let index = Index::new(&options).expect("an index is made");
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        index
            .reserve_capacity_and_threads(rows.points.len(), threads)
            .expect("there is room");
        let began = Instant::now();
        let each = rows.points.len().div_ceil(threads);
        std::thread::scope(|scope| {
            for (part, first) in rows.points.chunks(each).zip((0..).step_by(each)) {
                let index = &index;
                scope.spawn(move || {
                    for (n, point) in part.iter().enumerate() {
                        index
                            .add((first + n) as u64, point)
                            .expect("a point is added");
                    }
                });
            }
        });
        println!(
            "  usearch (graph, i8): built in {:.1?}, {} MiB",
            began.elapsed(),
            index.memory_usage() >> 20
        );
        for (what, queries) in queries {
            let (mut times, mut kept, mut wanted) = (Vec::new(), 0, 0);
            for query in queries {
                let point = hashed::point(&query.text);
                let began = Instant::now();
                let found = index.search(&point, LIMIT).expect("it is searched");
                times.push(began.elapsed());
                let mut exact: Vec<f32> =
                    rows.points.iter().map(|row| lanes(&point, row)).collect();
                let (_, worst, _) = exact.select_nth_unstable_by(LIMIT - 1, |a, b| b.total_cmp(a));
                let worst = f64::from(*worst) - SAME;
                wanted += LIMIT;
                kept += found
                    .keys
                    .iter()
                    .filter(|key| f64::from(lanes(&point, &rows.points[**key as usize])) >= worst)
                    .count();
            }
            println!(
                "    {what}: {} | recall of cosine {:.4}",
                told(times),
                kept as f64 / wanted as f64
            );
        }
    }
}
