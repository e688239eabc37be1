//! Ranks of the emulator and of gloo, for the measurement in `main.rs`.

pub mod gloo;
pub mod memory;
pub mod ranks;

/// Every failure ends as one line on the screen.
pub type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

/// The middle of some values.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
