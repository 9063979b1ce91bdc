//! Parallel jobs whose results are collected on the calling thread, in the order in which they end.
//!
//! Invariant: finished results that wait to be collected are bounded, so memory does not grow with the jobs.

use rayon::iter::{ParallelBridge, ParallelIterator};
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;

/// Finished results on the way to the collector, for each worker: enough that no worker waits for a
/// write to the disk, few enough that the events of long episodes do not pile up.
const WAITING_PER_WORKER: usize = 4;

/// Starts the jobs in their order on `workers` threads and hands each result to `collect`.
///
/// No further job starts once `produce` returns nothing or `collect` fails; jobs under way are finished.
pub(super) fn for_each_result<J, R, E>(
    jobs: &[J],
    workers: usize,
    produce: impl Fn(&J) -> Option<R> + Sync,
    collect: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    J: Sync,
    R: Send,
    E: From<ThreadPoolBuildError>,
{
    let workers = workers.clamp(1, jobs.len().max(1));
    // A pool of its own: its threads block on the channel, which would starve a shared pool.
    let pool = ThreadPoolBuilder::new()
        .num_threads(workers)
        .thread_name(|n| format!("eval-{n}"))
        .build()?;
    let (stop, produce) = (AtomicBool::new(false), &produce);
    pool.in_place_scope(|scope| {
        let (send, receive) = sync_channel(workers * WAITING_PER_WORKER);
        let stop = &stop;
        scope.spawn(move |_| {
            // `par_bridge` hands jobs out one at a time and in order; a split range would not.
            let _all_started: Option<()> =
                jobs.iter()
                    .par_bridge()
                    .try_for_each_with(send, |send, job| {
                        if stop.load(Ordering::Relaxed) {
                            return None;
                        }
                        send.send(produce(job)?).ok()
                    });
        });
        let collected = receive.iter().try_for_each(collect);
        stop.store(true, Ordering::Relaxed);
        // A worker may wait to send, and the scope waits for the workers: without the receiver its send fails.
        drop(receive);
        collected
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[derive(Debug, thiserror::Error)]
    enum Failure {
        #[error("refused")]
        Refused,
        #[error(transparent)]
        Threads(#[from] ThreadPoolBuildError),
    }

    #[test]
    fn one_worker_delivers_results_in_the_order_of_the_jobs() {
        let jobs: Vec<usize> = (0..40).collect();
        let mut collected = Vec::new();
        let result: Result<(), Failure> = for_each_result(
            &jobs,
            1,
            |job| Some(job * 2),
            |result| {
                collected.push(result);
                Ok(())
            },
        );
        assert!(result.is_ok());
        assert_eq!(
            collected,
            jobs.iter().map(|job| job * 2).collect::<Vec<_>>()
        );
    }

    #[test]
    fn no_job_starts_after_the_collector_has_failed_or_a_job_has_stopped() {
        let jobs: Vec<usize> = (0..1_000).collect();
        let started = AtomicUsize::new(0);
        let produce = |job: &usize| {
            started.fetch_add(1, Ordering::Relaxed);
            Some(*job)
        };
        let failed = for_each_result(&jobs, 2, produce, |_| Err(Failure::Refused));
        assert!(matches!(failed, Err(Failure::Refused)));
        assert!(started.load(Ordering::Relaxed) < jobs.len());
        let until_ten = |job: &usize| (*job < 10).then_some(*job);
        let mut count = 0;
        let stopped: Result<(), Failure> = for_each_result(&jobs, 1, until_ten, |_| {
            count += 1;
            Ok(())
        });
        assert!(stopped.is_ok());
        assert_eq!(count, 10);
    }
}
