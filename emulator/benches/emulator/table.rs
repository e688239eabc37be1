//! The alternate timing of two sides, and the table of the results.

use std::env;
use std::hint::black_box;
use std::sync::OnceLock;
use std::time::Instant;

/// The selected rows of the table.
pub(crate) struct Table {
    /// Rows are timed if their names contain this word.
    word: String,
    /// Factor of the number of rounds, for a profiler.
    times: usize,
}

/// The goal of a row.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// At most this number of nanoseconds.
    Time(f64),
    /// At most this multiple of the time of the reference.
    Ratio(f64),
    /// No goal; the row is for comparison.
    None,
}

impl Table {
    /// Returns the rows that the command line selects, and prints the head of the table.
    pub(crate) fn from_args() -> Table {
        // Cargo adds options of its own.
        let mut words = env::args()
            .skip(1)
            .filter(|argument| !argument.starts_with('-'));
        let word = words.next().unwrap_or_default();
        let times = words.next().and_then(|word| word.parse().ok()).unwrap_or(1);
        println!(
            "{:<44} {:>12} {:>12} {:>7} {:>14}",
            "operation", "ns", "reference", "ratio", "goal"
        );
        Table { word, times }
    }

    /// Returns whether a row of this name is timed.
    pub(crate) fn wants(&self, name: &str) -> bool {
        name.contains(&self.word)
    }

    /// Times a row in `rounds` rounds. Both sides return the nanoseconds of one operation.
    pub(crate) fn row(
        &self,
        name: &str,
        goal: Goal,
        rounds: usize,
        mut ours: impl FnMut() -> f64,
        mut reference: impl FnMut() -> f64,
    ) {
        if !self.wants(name) {
            return;
        }
        let rounds = rounds * self.times;
        let _ = black_box((ours(), reference()));
        let pairs: Vec<_> = (0..rounds).map(|_| (ours(), reference())).collect();
        let time = median(pairs.iter().map(|pair| pair.0));
        let other = median(pairs.iter().map(|pair| pair.1));
        let ratio = median(pairs.iter().map(|pair| pair.0 / pair.1));
        let (text, met) = match goal {
            Goal::Time(most) => (format!("{most} ns"), time <= most),
            Goal::Ratio(most) => (format!("{most:.2} x"), ratio <= most),
            Goal::None => (String::new(), true),
        };
        let mark = if met { "" } else { " missed" };
        println!("{name:<44} {time:>12.1} {other:>12.1} {ratio:>7.2} {text:>14}{mark}");
    }
}

/// Runs `count` operations and returns the nanoseconds of one.
pub(crate) fn each(count: u32, mut operation: impl FnMut()) -> f64 {
    let start = now();
    for _ in 0..count {
        operation();
    }
    (now() - start) * 1e9 / f64::from(count)
}

/// Returns the seconds since the first call. With `ASCENDCL_BENCH_CLOCK=processor` this is the time of the processors,
/// which other programs on the machine disturb less: it is for one processor, `taskset -c 0`.
fn now() -> f64 {
    static START: OnceLock<Option<Instant>> = OnceLock::new();
    let is_processor = || env::var_os("ASCENDCL_BENCH_CLOCK").is_some_and(|one| one == "processor");
    let start = START.get_or_init(|| (!is_processor()).then(Instant::now));
    start.map_or_else(processor_time, |start| start.elapsed().as_secs_f64())
}

/// Returns the time that all threads of this process have used, in seconds.
fn processor_time() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the structure is valid for a write.
    let code = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(code, 0);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
