//! The distribution of large work over the cores.
//!
//! The parts of the work have to be independent: no part reads results of another one. Each result is computed in the
//! same way in each distribution, so the number of cores changes no bit. The threads end before the work does: there
//! is no pool that lives longer.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::OnceLock;
use std::thread;

use crate::sync::threads::Job;

/// The number of pieces for each thread. A thread that another program delays then leaves its pieces to the others.
const PIECES: usize = 4;

/// Returns the number of cores that this process may use. The system is asked once.
fn cores() -> usize {
    #[cfg(test)]
    if let Some(cores) = tests::forced() {
        return cores;
    }
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// Calls `work` with ranges that together are `0..count`, on several threads if `count` is at least two times `grain`.
/// The caller chooses `grain` so that its computation takes longer than the start of a thread, which is about 0.02 ms. The
/// lengths of all ranges but the last are multiples of `unit`.
pub(crate) fn distribute(
    count: usize,
    grain: usize,
    unit: usize,
    work: &(dyn Fn(Range<usize>) + Sync),
) {
    let threads = cores().min(count / grain.max(1));
    let piece = count.div_ceil(threads.max(1) * PIECES);
    run(count, piece.next_multiple_of(unit.max(1)), threads, work);
}

/// Calls `work` with ranges that together are `0..count`, one range for each thread. The lengths of all ranges but the
/// last are multiples of `unit`. There is one range if `count` is less than two times `grain`.
pub(crate) fn divide(
    count: usize,
    grain: usize,
    unit: usize,
    work: &(dyn Fn(Range<usize>) + Sync),
) {
    let threads = cores().min(count / grain.max(1));
    let piece = count.div_ceil(threads.max(1));
    run(count, piece.next_multiple_of(unit.max(1)), threads, work);
}

/// Calls `work` with parts of `results` and the index of the first result, on several threads if there are at least two
/// times `grain`.
pub(crate) fn fill<T: Send>(
    results: &mut [T],
    grain: usize,
    work: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    let first = Results(results.as_mut_ptr());
    distribute(results.len(), grain, 1, &|range| {
        let place = first.at(range.start);
        // SAFETY: the results are borrowed exclusively, and each index is in one range only.
        let part = unsafe { core::slice::from_raw_parts_mut(place, range.len()) };
        work(range.start, part);
    });
}

/// Results that several threads write.
struct Results<T>(*mut T);

// SAFETY: the address is a value, and results may be written on any thread.
unsafe impl<T: Send> Sync for Results<T> {}

impl<T> Results<T> {
    /// Returns the place of a result.
    fn at(&self, index: usize) -> *mut T {
        self.0.wrapping_add(index)
    }
}

fn run(count: usize, piece: usize, threads: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
    let threads = threads.min(count.div_ceil(piece.max(1)));
    if threads <= 1 {
        return work(0..count);
    }
    let next = AtomicUsize::new(0);
    let take = || {
        // The threads share nothing but this number; the end of the scope orders their results before its return.
        while let first = next.fetch_add(piece, Ordering::Relaxed)
            && first < count
        {
            work(first..count.min(first.saturating_add(piece)));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            let helper = thread::Builder::new().name("ascendcl-core".into());
            // If the system has no more threads, the others do the whole work.
            let job: Job<'_> = Box::new(take);
            if helper.spawn_scoped(scope, job).is_err() {
                break;
            }
        }
        take();
    });
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::sync::{Mutex, lock};
    use core::cell::Cell;

    std::thread_local! {
        static FORCED: Cell<Option<usize>> = const { Cell::new(None) };
    }

    pub(super) fn forced() -> Option<usize> {
        FORCED.get()
    }

    /// Calls a function as if the machine had this number of cores.
    pub(crate) fn on<R>(cores: usize, function: impl FnOnce() -> R) -> R {
        FORCED.set(Some(cores));
        let result = function();
        FORCED.set(None);
        result
    }

    fn ranges(run: impl FnOnce(&(dyn Fn(Range<usize>) + Sync))) -> Vec<(usize, usize)> {
        let seen = Mutex::new(Vec::new());
        run(&|range| lock(&seen).push((range.start, range.end)));
        let mut seen = seen.into_inner();
        seen.sort_unstable();
        seen
    }

    #[test]
    fn the_ranges_cover_the_work_once() {
        for cores in [1, 2, 3, 8] {
            for count in [0, 1, 7, 64, 1000, 1001] {
                for grain in [0, 1, 10, 600] {
                    let all = on(cores, || ranges(|work| distribute(count, grain, 4, work)));
                    let others = on(cores, || ranges(|work| divide(count, grain, 8, work)));
                    for ranges in [all, others] {
                        let mut end = 0;
                        for (from, to) in &ranges {
                            assert_eq!(*from, end, "{cores} {count} {grain}: {ranges:?}");
                            end = *to;
                        }
                        assert_eq!(end, count, "{cores} {count} {grain}: {ranges:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn each_result_is_filled_once() {
        for (cores, count) in [(1, 10), (3, 10), (3, 1001), (8, 0), (8, 17)] {
            let mut results = vec![0; count];
            on(cores, || {
                fill(&mut results, 2, &|first, part| {
                    for (index, one) in (first..).zip(part) {
                        *one += index + 1;
                    }
                });
            });
            assert!(results.into_iter().eq(1..=count), "{cores} {count}");
        }
    }

    #[test]
    fn small_work_stays_on_the_thread_of_the_caller() {
        let caller = thread::current().id();
        on(8, || {
            distribute(199, 100, 1, &|_| assert_eq!(thread::current().id(), caller));
            divide(199, 100, 1, &|_| assert_eq!(thread::current().id(), caller));
        });
    }

    #[test]
    fn a_range_for_each_thread_is_a_multiple_of_the_unit() {
        let divided = on(3, || ranges(|work| divide(100, 10, 8, work)));
        assert_eq!(divided, [(0, 40), (40, 80), (80, 100)]);
    }

    #[test]
    fn a_panic_of_a_part_reaches_the_caller() {
        let result = std::panic::catch_unwind(|| {
            on(2, || {
                distribute(100, 1, 1, &|range| assert!(range.start < 50, "a part"));
            });
        });
        assert!(result.is_err());
    }
}
