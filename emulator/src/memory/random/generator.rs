//! Philox 4x32-10: random words as a function of a key and a counter.
//!
//! Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). The manual names this
//! generator for the card.

/// The number of rounds for a block.
const ROUNDS: usize = 10;
/// The factors of the first and the third word of a block.
const FACTORS: [u32; 2] = [0xd251_1f53, 0xcd9e_8d57];
/// The numbers that are added to the words of the key in each round.
const STEPS: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];

/// Returns the four random words of a counter.
fn block(counter: u128, key: u64) -> [u32; 4] {
    // CAST: splits the number into its words, the lowest first.
    let mut words = [
        counter as u32,
        (counter >> 32) as u32,
        (counter >> 64) as u32,
        (counter >> 96) as u32,
    ];
    // CAST: splits the key into its words, the lower first.
    let mut keys = [key as u32, (key >> 32) as u32];
    for _ in 0..ROUNDS {
        words = round(words, keys);
        let [low, high] = keys;
        let [low_step, high_step] = STEPS;
        keys = [low.wrapping_add(low_step), high.wrapping_add(high_step)];
    }
    words
}

/// Mixes a block once.
fn round(words: [u32; 4], keys: [u32; 2]) -> [u32; 4] {
    let ([first, second, third, fourth], [low_key, high_key]) = (words, keys);
    let [first_factor, third_factor] = FACTORS;
    let (low, high) = multiply(first, first_factor);
    let (other_low, other_high) = multiply(third, third_factor);
    [
        other_high ^ second ^ low_key,
        other_low,
        high ^ fourth ^ high_key,
        low,
    ]
}

/// Returns the lower and the upper word of a product.
fn multiply(one: u32, other: u32) -> (u32, u32) {
    let product = u64::from(one) * u64::from(other);
    // CAST: splits the product into its two words.
    (product as u32, (product >> 32) as u32)
}

/// The sequence of random words from a counter on.
#[derive(Debug)]
pub(super) struct Words {
    key: u64,
    /// The counter of the next block.
    counter: u128,
    /// The last block, and the number of its words that were used.
    block: [u32; 4],
    drawn: usize,
}

impl Words {
    /// Makes the sequence of random words of a key from a counter on.
    pub(super) fn new(key: u64, counter: u128) -> Words {
        let block = [0; 4];
        Words {
            key,
            counter,
            block,
            drawn: block.len(),
        }
    }

    /// Returns the next word.
    #[inline]
    pub(super) fn word(&mut self) -> u32 {
        if let Some(word) = self.block.get(self.drawn) {
            self.drawn += 1;
            return *word;
        }
        self.block = block(self.counter, self.key);
        self.counter = self.counter.wrapping_add(1);
        self.drawn = 1;
        let [first, ..] = self.block;
        first
    }

    /// Returns the next two words as one number, the lower word first.
    #[inline]
    pub(super) fn double(&mut self) -> u64 {
        let low = self.word();
        u64::from(low) | u64::from(self.word()) << 32
    }

    /// Returns the counter for the next task: the first counter whose block was not used.
    pub(super) fn counter(&self) -> u128 {
        self.counter
    }
}

#[cfg(test)]
mod tests {
    use super::{Words, block};

    /// Checks the published results of Random123 for this generator.
    #[test]
    fn known_answers() {
        assert_eq!(
            block(0, 0),
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]
        );
        assert_eq!(
            block(u128::MAX, u64::MAX),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        let counter = 0x0370_7344_1319_8a2e_85a3_08d3_243f_6a88;
        assert_eq!(
            block(counter, 0x299f_31d0_a409_3822),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn words_come_block_by_block_and_the_counter_wraps() {
        let mut words = Words::new(7, u128::MAX);
        assert_eq!(words.counter(), u128::MAX);
        let drawn: Vec<u32> = (0..4).map(|_| words.word()).collect();
        assert_eq!(drawn, block(u128::MAX, 7));
        assert_eq!(words.counter(), 0);
        let [low, high, ..] = block(0, 7);
        assert_eq!(words.double(), u64::from(low) | u64::from(high) << 32);
        assert_eq!(words.counter(), 1);
    }
}
