//! Bandwidth: what the memory of this machine gives, the floor of every scan.
//!
//! Invariant: every word is read and summed, so that nothing of it can be left out.

use pithead_core::text::ngrams;
use std::time::Instant;

/// What the memory gives to one thread and to two that only read: the floor of every scan.
pub(super) fn bandwidth() {
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
            floor(ngrams::DIMS * 4),
            floor(ngrams::DIMS),
            floor(64)
        );
    }
}
