//! A small array of words that is read and written atomically.

use std::array;

use super::primitive::{AtomicU32, AtomicU64, Ordering, fence, yield_now};

/// Words that change together. A read takes no lock; writers exclude each other.
#[derive(Debug)]
pub(crate) struct Snapshot<const N: usize> {
    /// The version, which is odd during a write.
    version: AtomicU32,
    words: [AtomicU64; N],
}

impl<const N: usize> Snapshot<N> {
    /// Returns the words, each at a moment of its own.
    #[inline]
    fn words(&self) -> [u64; N] {
        let mut words = [0; N];
        for (copy, word) in words.iter_mut().zip(&self.words) {
            *copy = word.load(Ordering::Relaxed);
        }
        words
    }

    /// Returns the words at one moment.
    #[inline]
    pub(crate) fn read(&self) -> [u64; N] {
        loop {
            let before = self.version.load(Ordering::Acquire);
            let words = self.words();
            // If a word belongs to a later version, the load below sees that version too.
            fence(Ordering::Acquire);
            if before.is_multiple_of(2) && self.version.load(Ordering::Relaxed) == before {
                return words;
            }
            yield_now();
        }
    }

    /// Changes the words.
    #[inline]
    pub(crate) fn update(&self, change: impl FnOnce([u64; N]) -> [u64; N]) {
        let version = self.begin();
        self.end(version, change(self.words()));
    }

    // Like `end`, this is separate, so that it is compiled once and not for each change.
    #[inline]
    fn begin(&self) -> u32 {
        let mut version = self.version.load(Ordering::Relaxed);
        loop {
            let odd = version | 1;
            let (acquire, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
            if version == odd {
                yield_now();
                version = self.version.load(relaxed);
                continue;
            }
            match self
                .version
                .compare_exchange_weak(version, odd, acquire, relaxed)
            {
                Ok(_) => break,
                Err(now) => version = now,
            }
        }
        // The new words become visible after the odd version.
        fence(Ordering::Release);
        version
    }

    #[inline]
    fn end(&self, version: u32, words: [u64; N]) {
        for (word, value) in self.words.iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
        self.version
            .store(version.wrapping_add(2), Ordering::Release);
    }
}

impl<const N: usize> Default for Snapshot<N> {
    fn default() -> Snapshot<N> {
        Snapshot {
            version: AtomicU32::new(0),
            words: array::from_fn(|_| AtomicU64::new(0)),
        }
    }
}
