//! One row: both sides in turns, and the median of the ratios.

use std::error::Error;
use std::thread::sleep;
use std::time::{Duration, Instant};

use libloading::Library;

/// Operations of one round, and rounds.
const ROUND: u32 = 10_000;
const ROUNDS: usize = 51;
/// The time without a call after which a peer's own thread has ended its part. That thread looks each millisecond.
const SETTLED: Duration = Duration::from_millis(100);

/// A library that counts.
pub struct Counting {
    pub library: Library,
    counts: extern "C" fn(bool),
    calls: extern "C" fn() -> u64,
}

/// Prints the names of the columns.
pub fn head() {
    println!(
        "{:<38} {:>6} {:>6} {:>9} {:>9} {:>7} {:>7}",
        "operation", "calls", "raw", "ns", "ns raw", "ratio", "allocs"
    );
}

impl Counting {
    /// Opens the library that the loader finds, which every part of the comparison uses.
    pub fn open(name: &str) -> Result<Counting, Box<dyn Error>> {
        // SAFETY: one of the two libraries beside this package, which have no initialisers.
        let library = unsafe { Library::new(name) }?;
        // SAFETY: both define it so.
        let calls = unsafe { *library.get::<extern "C" fn() -> u64>("stub_calls")? };
        // SAFETY: as above.
        let counts = unsafe { *library.get::<extern "C" fn(bool)>("stub_counts")? };
        Ok(Counting {
            library,
            counts,
            calls,
        })
    }

    /// The address of a function of type `F`.
    ///
    /// # Safety
    ///
    /// The function is of that type.
    pub unsafe fn function<F: Copy>(&self, name: &str) -> Result<F, Box<dyn Error>> {
        // SAFETY: the caller's contract.
        Ok(unsafe { *self.library.get::<F>(name)? })
    }

    /// The calls of one operation, those of other threads among them.
    fn calls_of(&self, operation: &mut impl FnMut()) -> u64 {
        (self.counts)(true);
        // The first one may have more to do, and the row before may have left work to another thread.
        operation();
        let before = self.settled();
        operation();
        let after = self.settled();
        (self.counts)(false);
        after - before
    }

    /// The number of calls, once it no longer grows.
    fn settled(&self) -> u64 {
        let mut before = (self.calls)();
        loop {
            sleep(SETTLED);
            let after = (self.calls)();
            if after == before {
                return after;
            }
            before = after;
        }
    }

    /// Measures and prints a row.
    pub fn row(&self, name: &str, mut wrapped: impl FnMut(), mut raw: impl FnMut()) {
        let calls = self.calls_of(&mut wrapped);
        let raw_calls = self.calls_of(&mut raw);
        let allocations = allocation_counter::measure(&mut wrapped).count_total;
        let mut rounds: Vec<_> = (0..ROUNDS)
            .map(|_| (time(&mut wrapped), time(&mut raw)))
            .collect();
        rounds.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
        let (wrapped, raw) = rounds[ROUNDS / 2];
        let ratio = wrapped / raw;
        println!(
            "{name:<38} {calls:>6} {raw_calls:>6} {wrapped:>9.2} {raw:>9.2} {ratio:>7.2} {allocations:>7}"
        );
    }
}

/// Nanoseconds of an operation, the mean of one round.
fn time(operation: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..ROUND {
        operation();
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(ROUND)
}
