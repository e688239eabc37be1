//! The table: sizes, times and bandwidths.

/// The head of the table.
pub(crate) fn head() -> String {
    format!(
        "{:>12} {:>12} {:>12} {:>15} {:>14}",
        "bytes", "elements", "time", "algorithm", "bus"
    )
}

/// A row of the table.
pub(crate) fn row(bytes: usize, seconds: f64, ranks: u32) -> String {
    let (algorithm, bus) = bandwidths(bytes, seconds, ranks);
    format!(
        "{bytes:>12} {:>12} {:>9.1} us {algorithm:>10.3} GB/s {bus:>9.3} GB/s",
        bytes / size_of::<f32>(),
        seconds * 1e6,
    )
}

/// The bandwidths of nccl-tests in GB/s: of the algorithm, and of the bus.
pub(crate) fn bandwidths(bytes: usize, seconds: f64, ranks: u32) -> (f64, f64) {
    // CAST: a rate for the eye.
    let algorithm = bytes as f64 / seconds / 1e9;
    let ranks = f64::from(ranks);
    (algorithm, algorithm * 2.0 * (ranks - 1.0) / ranks)
}
