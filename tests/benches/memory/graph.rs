//! Graph: an approximate graph index over the same points.
//!
//! Invariant: its recall is counted against an exact scan, as ours is.

use super::rows::{Rows, lanes};
use super::{LIMIT, SAME, told};
use pithead_core::domain::experience::recall::RecallQuery;
use pithead_core::text::ngrams;
use std::time::Instant;
use usearch::{Index, IndexOptions, MetricKind, ScalarKind};

/// It knows nothing of δ, so it is asked for what it can do: the nearest by cosine.
pub(super) fn compare(rows: &Rows, queries: &[(&'static str, Vec<RecallQuery>)]) {
    let options = IndexOptions {
        dimensions: ngrams::DIMS,
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
            let point = ngrams::ngram_vector(&query.text);
            let began = Instant::now();
            let found = index.search(&point, LIMIT).expect("it is searched");
            times.push(began.elapsed());
            let mut exact: Vec<f32> = rows.points.iter().map(|row| lanes(&point, row)).collect();
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
