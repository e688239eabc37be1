//! What the process uses: plain copies as the limit of the memory, resident memory, and processor time.

use std::hint::black_box;
use std::time::Instant;

/// Returns the seconds of a copy of this many numbers from one vector to another.
#[must_use]
pub fn copy(elements: usize, iterations: u32) -> f64 {
    let from = black_box(vec![1.0_f32; elements]);
    let mut to = black_box(vec![0.0_f32; elements]);
    // The system gives the process the pages at the first one.
    to.copy_from_slice(&from);
    let start = Instant::now();
    for _ in 0..iterations {
        to.copy_from_slice(black_box(&from));
        black_box(&mut to);
    }
    start.elapsed().as_secs_f64() / f64::from(iterations)
}

/// Returns the kibibytes of memory that the process has now, as Linux counts them.
#[must_use]
pub fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    number.unwrap_or_default()
}

/// Returns the seconds of processor time that the threads of the process have had.
#[must_use]
pub fn processor() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    let nanoseconds = threads.flatten().filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() * 1e-9
}
