//! What is learned: digits on a display with seven segments that shine unevenly.

/// The lit segments of each digit from 0 to 9, as in `mlp`.
const DIGITS: [u8; 10] = [119, 18, 93, 91, 58, 107, 111, 82, 127, 123];

/// The segments of a digit, which are the inputs of the network.
pub(crate) const SEGMENTS: usize = 7;
/// The digits, which are the classes.
pub(crate) const CLASSES: usize = 10;
/// The examples. The ranks share them.
pub(crate) const ROWS: u32 = 80;
/// The largest deviation of a segment's brightness.
const DEVIATION: f32 = 0.3;

/// Some of the examples.
#[derive(Debug)]
pub(crate) struct Share {
    pub(crate) rows: usize,
    /// The brightness of the segments, a row of [`SEGMENTS`] numbers for each example.
    pub(crate) inputs: Vec<f32>,
    /// The digit, a row of [`CLASSES`] probabilities for each example.
    pub(crate) labels: Vec<f32>,
}

/// Returns the examples of a rank: an even part, as far as the number can be divided.
pub(crate) fn share(rank: u32, ranks: u32) -> Share {
    let mut random = Random(20);
    let (mut inputs, mut labels) = (Vec::new(), Vec::new());
    let start = |rank: u32| u64::from(ROWS) * u64::from(rank) / u64::from(ranks);
    let own = start(rank)..start(rank + 1);
    let digits = (0_u64..u64::from(ROWS)).zip((0..).zip(DIGITS).cycle());
    for (row, (digit, lit)) in digits {
        let bright = [0, 1, 2, 3, 4, 5, 6]
            .map(|segment| f32::from(lit >> segment & 1) + DEVIATION * random.next());
        if own.contains(&row) {
            inputs.extend(bright);
            labels.extend((0..CLASSES).map(|class| f32::from(u8::from(class == digit))));
        }
    }
    Share {
        rows: labels.len() / CLASSES,
        inputs,
        labels,
    }
}

/// Numbers that look random, and are the same in each run.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u32);

impl Random {
    /// Returns a number from -1 to 1.
    pub(crate) fn next(&mut self) -> f32 {
        // The generator of Numerical Recipes. Its upper bits are the better ones.
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // CAST: 24 bits, which a single-precision number holds.
        (self.0 >> 8) as f32 / 8_388_608.0 - 1.0
    }
}
