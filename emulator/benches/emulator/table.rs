//! Timing two sides in turns, and printing the table.

use std::env;
use std::hint::black_box;
use std::time::Instant;

/// The rows that are asked for.
pub(crate) struct Table {
    /// A row is timed when its name contains this.
    word: String,
    /// How many times as many rounds as usual, for a profiler.
    times: usize,
}

/// What a row has to reach.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// At most so many nanoseconds.
    Time(f64),
    /// At most so many times the reference's time.
    Ratio(f64),
    /// None; the row is for comparison.
    None,
}

impl Table {
    /// The rows that the command line names, after printing the head.
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

    /// Whether a row of this name is timed.
    pub(crate) fn wants(&self, name: &str) -> bool {
        name.contains(&self.word)
    }

    /// Times a row: both sides give the nanoseconds of one operation, in `rounds` rounds.
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

/// Nanoseconds of one of `count` operations.
pub(crate) fn each(count: u32, mut operation: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        operation();
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(count)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
