//! Parallel jobs whose results are collected on the calling thread, in the order in which they end.
//!
//! Threads rather than rayon: these jobs block, on a world, a server or the collector (docs/decisions/0039).
//! Invariant: finished results that wait to be collected are bounded, so memory does not grow with the jobs.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

/// Finished results on the way to the collector, for each worker: enough that no worker waits for a
/// write to the disk, few enough that the events of long episodes do not pile up.
const WAITING_PER_WORKER: usize = 4;

/// Starts the jobs in their order on `workers` threads and hands each result to `collect`.
///
/// No further job starts once `produce` returns nothing or `collect` fails; jobs under way are finished.
pub(super) fn for_each_result<J: Sync, R: Send, E>(
    jobs: &[J],
    workers: usize,
    produce: impl Fn(&J) -> Option<R> + Sync,
    collect: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let workers = workers.clamp(1, jobs.len().max(1));
    let (send, receive) = sync_channel(workers * WAITING_PER_WORKER);
    // Relaxed: the counter hands out each job once, whatever the order; a late look at `stop` costs one job
    // more, whose result nobody receives.
    let (next, stop, produce) = (AtomicUsize::new(0), AtomicBool::new(false), &produce);
    let next_job = || {
        let is_over = stop.load(Ordering::Relaxed);
        let job = (!is_over).then(|| jobs.get(next.fetch_add(1, Ordering::Relaxed)));
        job.flatten()
    };
    let (next_job, stop) = (&next_job, &stop);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let send = send.clone();
            scope.spawn(move || {
                while let Some(job) = next_job() {
                    let sent = produce(job).map(|result| send.send(result));
                    if !matches!(sent, Some(Ok(()))) {
                        stop.store(true, Ordering::Relaxed);
                        return;
                    }
                }
            });
        }
        // Ours too: the receiver ends when the last worker has dropped its sender.
        drop(send);
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

    #[derive(Debug, PartialEq)]
    struct Refused;

    #[test]
    fn one_worker_delivers_results_in_the_order_of_the_jobs() {
        let jobs: Vec<usize> = (0..40).collect();
        let mut collected = Vec::new();
        let result: Result<(), Refused> = for_each_result(
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
        let failed = for_each_result(&jobs, 2, produce, |_| Err(Refused));
        assert!(failed == Err(Refused));
        assert!(started.load(Ordering::Relaxed) < jobs.len());
        let until_ten = |job: &usize| (*job < 10).then_some(*job);
        let mut count = 0;
        let stopped: Result<(), Refused> = for_each_result(&jobs, 1, until_ten, |_| {
            count += 1;
            Ok(())
        });
        assert!(stopped.is_ok());
        assert_eq!(count, 10);
    }
}
