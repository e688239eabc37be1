//! Random numbers that are the same in each run, on each machine: SplitMix64.

/// A sequence of numbers that its seed determines.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of a seed. Two numbers make one seed, such as a run and a program of it.
    pub(crate) fn new(seed: u64, number: u64) -> Random {
        let (seed, number) = (Random(seed).next(), Random(!number).next());
        Random(seed ^ number.rotate_left(32))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let end = end.max(1) as u64;
        usize::try_from(self.next() % end).unwrap_or(0)
    }

    /// Returns true in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_seed_determines_the_numbers() {
        let take = |seed, number| {
            let mut random = Random::new(seed, number);
            [random.below(1000), random.below(1000), random.below(1000)]
        };
        assert_eq!(take(1, 2), take(1, 2));
        assert_ne!(take(1, 2), take(2, 1));
        assert_ne!(take(1, 2), take(1, 3));
    }
}
