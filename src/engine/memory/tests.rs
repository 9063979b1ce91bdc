//! Tests of the scan and the vector index: against an exact scan of everything, and against damage.

use super::embedder::Embedder;
use super::hashed::Hashed;
use super::index_file::IndexFile;
use super::probe::Probe;
use super::psi::{ContextKeys, delta, psi};
use super::recall::cosine;
use super::scan::best_rows;
use super::vector_index::{ROWS, VectorIndex};
use pithead_core::domain::experience::cell::Cells;
use pithead_core::text::ngrams::normalise;
use pithead_core::text::ngrams::{DIMS, ngram_vector};
use pithead_core::text::signature::Signature;
use pithead_world::rng::Rng;
use pithead_world::space::Pos;
use proptest::prelude::*;

const VERBS: [&str; 5] = ["mine", "craft", "smelt", "fetch", "dig for"];
const THINGS: [&str; 9] = [
    "oak_log", "coal", "iron_ore", "torch", "stick", "bucket", "redstone", "diamond", "sand",
];
const BIOMES: [&str; 6] = ["forest", "desert", "taiga", "swamp", "plains", "jungle"];
const ENDS: [&str; 5] = [
    "success",
    "NAV_STUCK",
    "TIMEOUT",
    "TOOL_MISSING",
    "PATH_UNREACHABLE",
];

/// A text as attempts have them, and its hashes.
fn attempt(rng: &mut Rng) -> (String, ContextKeys) {
    let mut pick = |from: &[&'static str]| from[rng.below(from.len() as u64) as usize];
    let (verb, thing, task) = (pick(&VERBS), pick(&THINGS), pick(&THINGS));
    let (biome, end) = (pick(&BIOMES), pick(&ENDS));
    let text = format!(
        "obtain a {task} {verb} {} {thing} {biome} {end}",
        rng.below(20)
    );
    let at = Pos::new(rng.between(-400, 400) as i32, 64, 0);
    let keys = ContextKeys {
        condition: Some(Signature::from_normal_form(thing)),
        cells: Some(Cells::containing(rng.below(3), at)),
    };
    (text, keys)
}

struct Rows {
    index: VectorIndex,
    all: Vec<(Vec<f32>, ContextKeys)>,
}

fn rows(seed: u64, count: usize) -> Rows {
    let (mut rng, mut index, mut all) = (Rng::new(seed), VectorIndex::new(DIMS), Vec::new());
    for _ in 0..count {
        let (text, keys) = attempt(&mut rng);
        let point = ngram_vector(&text).to_vec();
        index.push(&point, keys);
        all.push((point, keys));
    }
    Rows { index, all }
}

/// The ψ of all rows, best first.
fn exact(rows: &Rows, wanted: &[f32], keys: ContextKeys) -> Vec<f64> {
    let score =
        |(point, row): &(Vec<f32>, ContextKeys)| psi(cosine(wanted, point), delta(keys, *row));
    let mut scores: Vec<f64> = rows.all.iter().map(score).collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    scores
}

/// The ten best of these rows are those of an exact scan.
fn assert_best_are_found(rows: &Rows, text: &str, keys: ContextKeys) {
    let wanted = ngram_vector(text);
    let probe = Probe::new(&rows.index, &wanted, keys);
    let found = best_rows(&rows.index, &probe, 10);
    let mut scores: Vec<f64> = found
        .iter()
        .map(|found| {
            let (point, row) = &rows.all[found.at];
            let exact = psi(cosine(&wanted, point), delta(keys, *row));
            assert!(
                (exact - f64::from(found.score)).abs() < 0.02,
                "{exact} {}",
                found.score
            );
            exact
        })
        .collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    scores.truncate(10);
    let expected = exact(rows, &wanted, keys);
    for (found, expected) in scores.iter().zip(&expected) {
        assert!(found + 1e-9 >= *expected, "{found} for {expected}");
    }
    assert_eq!(scores.len(), expected.len().min(10));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_scan_finds_the_same_as_an_exact_scan(seed in any::<u64>(), count in 1_usize..9_000, hashes in any::<bool>(), words in 1_usize..9) {
        let rows = rows(seed, count);
        let (text, keys) = attempt(&mut Rng::new(seed ^ 1));
        // A query of few words takes another way than a long one.
        let text = text.split(' ').rev().take(words).collect::<Vec<_>>().join(" ");
        let keys = if hashes { keys } else { ContextKeys { condition: None, cells: None } };
        assert_best_are_found(&rows, &text, keys);
    }
}

/// Runs say the same again and again: what is told a little less than a text of which there are hundreds may be
/// better, and must not be pushed out.
#[test]
fn texts_that_stand_in_many_rows_leave_room_for_others() {
    let mut rng = Rng::new(17);
    let texts: Vec<String> = (0..60).map(|_| attempt(&mut rng).0).collect();
    let mut rows = Rows {
        index: VectorIndex::new(DIMS),
        all: Vec::new(),
    };
    for n in 0..12_000 {
        let point = ngram_vector(&texts[n % texts.len()]).to_vec();
        let keys = ContextKeys {
            cells: Some(Cells::containing(n as u64, Pos::new(0, 64, 0))),
            ..attempt(&mut rng).1
        };
        rows.index.push(&point, keys);
        rows.all.push((point, keys));
    }
    let no_keys = ContextKeys {
        condition: None,
        cells: None,
    };
    for _ in 0..6 {
        let (text, keys) = attempt(&mut rng);
        let long = format!("{text} {}", attempt(&mut rng).0);
        for (text, keys) in [(&text, keys), (&long, keys), (&text, no_keys)] {
            assert_best_are_found(&rows, text, keys);
        }
    }
}

/// Points as a server's embeddings are: every coordinate is used, and most rows lie in a few tight heaps.
/// The estimates tell the rows of a heap apart by noise alone, which is the hardest case for them.
#[test]
fn rows_in_heaps_are_found_as_an_exact_scan_finds_them() {
    const HEAPS: usize = 40;
    let mut rng = Rng::new(11);
    let mut normal = |spread: f32, about: &[f32]| -> Vec<f32> {
        let mut point: Vec<f32> = about
            .iter()
            .map(|x| {
                // Twelve even chances less six are nearly normal.
                let sum: u64 = (0..12).map(|_| rng.below(1 << 20)).sum();
                x + spread * (sum as f32 / (1 << 20) as f32 - 6.0)
            })
            .collect();
        normalise(&mut point);
        point
    };
    let centres: Vec<Vec<f32>> = (0..HEAPS).map(|_| normal(1.0, &[0.0; DIMS])).collect();
    let none = ContextKeys {
        condition: None,
        cells: None,
    };
    let mut rows = Rows {
        index: VectorIndex::new(DIMS),
        all: Vec::new(),
    };
    for n in 0..20_000 {
        let point = normal(0.03, &centres[n % HEAPS]);
        rows.index.push(&point, none);
        rows.all.push((point, none));
    }
    let (mut kept, mut wanted) = (0, 0);
    for centre in &centres {
        let query = normal(0.03, centre);
        let probe = Probe::new(&rows.index, &query, none);
        let found = best_rows(&rows.index, &probe, 10);
        let worst = exact(&rows, &query, none)[9];
        let exact = found
            .iter()
            .map(|f| psi(cosine(&query, &rows.all[f.at].0), 0.0));
        kept += exact.filter(|score| *score >= worst).count().min(10);
        wanted += 10;
    }
    assert_eq!(kept, wanted);
}

#[test]
fn an_equal_condition_outweighs_a_like_text() {
    let mut rows = rows(3, 6_000);
    let keys = ContextKeys {
        condition: Some(Signature::from_normal_form("nowhere else")),
        cells: None,
    };
    let odd = ngram_vector("zzz").to_vec();
    rows.index.push(&odd, keys);
    let wanted = ngram_vector("who knows why");
    let probe = Probe::new(&rows.index, &wanted, keys);
    let found = best_rows(&rows.index, &probe, 10);
    assert!(found.iter().any(|found| found.at == 6_000), "{found:?}");
}

#[test]
fn of_equals_the_newest_come_first() {
    let mut index = VectorIndex::new(DIMS);
    let (text, keys) = attempt(&mut Rng::new(5));
    let point = ngram_vector(&text);
    for _ in 0..20_000 {
        index.push(&point, keys);
    }
    let probe = Probe::new(&index, &point, keys);
    let found: Vec<usize> = best_rows(&index, &probe, 3)
        .iter()
        .map(|found| found.at)
        .collect();
    assert_eq!(found[..3], [19_999, 19_998, 19_997]);
    // A few words are held against every row; estimates of many do not tell equal rows apart either.
    let many = [&VERBS[..], &THINGS, &BIOMES, &ENDS].concat().join(" ");
    for (words, is_few) in [("obtain", true), (many.as_str(), false)] {
        let probe = Probe::new(
            &index,
            &pithead_core::text::ngrams::ngram_vector(words),
            keys,
        );
        assert_eq!(probe.has_few(&index), is_few, "{words}");
        let found: Vec<usize> = best_rows(&index, &probe, 3)
            .iter()
            .map(|found| found.at)
            .collect();
        let newest: Vec<usize> = (0..20_000).rev().take(3).collect();
        assert_eq!(found, newest, "{words}");
    }
}

#[test]
fn a_text_without_words_goes_by_hashes() {
    let rows = rows(9, 500);
    let keys = rows.all[123].1;
    let probe = Probe::new(&rows.index, &ngram_vector(""), keys);
    let found = best_rows(&rows.index, &probe, 1);
    assert!((f64::from(found[0].score) - psi(0.0, 1.0)).abs() < 1e-6);
}

#[test]
fn the_file_gives_back_whole_blocks_and_nothing_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("x.db");
    let file = IndexFile::beside(&database, Hashed.name(), DIMS);
    let rows = rows(1, 2 * ROWS + 100);
    file.store(&rows.index, 0).unwrap();
    let load = || file.load(|_, _| true);
    assert!(load() == rows.index.blocks[..2]);
    assert_eq!(file.load(|_, first| first == 0).len(), 1);
    let other = IndexFile::beside(&database, "another", DIMS);
    assert_eq!(other.load(|_, _| true).len(), 0);

    let path = folder.path().join("x.db-shelf");
    let whole = std::fs::read(&path).unwrap();
    for cut in [0, 7, 64, 5_000, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let blocks = load();
        assert!(
            blocks == rows.index.blocks[..blocks.len()] && blocks.len() < 2,
            "{cut}"
        );
        // What is missing is written again.
        file.store(&rows.index, blocks.len()).unwrap();
        assert!(std::fs::read(&path).unwrap() == whole, "{cut}");
    }
    for flipped in [70, 300_000, whole.len() - 4] {
        let mut bytes = whole.clone();
        bytes[flipped] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert!(load().len() < 2, "{flipped}");
    }
}
