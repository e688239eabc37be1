//! The bytes of a buffer that each rank gets, or that each rank gives.

use std::ops::Range;

/// A range of bytes for each rank. Ranks without a range have no bytes.
#[derive(Debug, Clone)]
pub(super) enum Shares {
    /// So many ranks have `len` bytes each, and the ranges begin `step` bytes apart. Lists of all ranks on each rank would make
    /// the cost of an operation the square of their number.
    Even {
        start: usize,
        len: usize,
        step: usize,
        ranks: usize,
    },
    List(Vec<Range<usize>>),
}

impl Shares {
    /// The bytes for one rank.
    pub(super) fn one(range: Range<usize>) -> Shares {
        Shares::same(range, 1)
    }

    /// The same bytes for each rank.
    pub(super) fn same(range: Range<usize>, ranks: usize) -> Shares {
        Shares::Even {
            start: range.start,
            len: range.end - range.start,
            step: 0,
            ranks,
        }
    }

    pub(super) fn ranks(&self) -> usize {
        match self {
            Shares::Even { ranks, .. } => *ranks,
            Shares::List(ranges) => ranges.len(),
        }
    }

    pub(super) fn get(&self, rank: usize) -> Option<Range<usize>> {
        match self {
            Shares::Even {
                start,
                len,
                step,
                ranks,
            } => {
                if rank >= *ranks {
                    return None;
                }
                let start = start + rank * step;
                Some(start..start + len)
            }
            Shares::List(ranges) => ranges.get(rank).cloned(),
        }
    }

    /// Returns the number of bytes of a rank.
    pub(super) fn len(&self, rank: usize) -> u64 {
        match self.get(rank) {
            Some(range) => (range.end - range.start) as u64,
            None => 0,
        }
    }

    /// Returns the number of bytes of each of all ranks, if it is known to be one.
    pub(super) fn each(&self, all: usize) -> Option<usize> {
        match self {
            Shares::Even { len, ranks, .. } if *ranks == all => Some(*len),
            _ => None,
        }
    }

    /// Returns whether the ranks are known to have the same bytes.
    pub(super) fn are_same(&self) -> bool {
        matches!(self, Shares::Even { step: 0, .. })
    }

    /// Returns the bytes of the buffer up to the last one that a rank has.
    pub(super) fn reach(&self) -> usize {
        let mut reach = 0;
        let last = self.get(self.ranks().wrapping_sub(1));
        let ranges = match self {
            Shares::Even { .. } => last.as_slice(),
            Shares::List(ranges) => ranges,
        };
        for range in ranges {
            if !range.is_empty() {
                reach = reach.max(range.end);
            }
        }
        reach
    }
}

impl Default for Shares {
    fn default() -> Shares {
        Shares::List(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::Shares;

    #[test]
    fn even_shares_are_those_of_their_list() {
        for (len, step, ranks) in [
            (4, 4, 3),
            (4, 0, 3),
            (4, 0, 1),
            (0, 0, 2),
            (7, 9, 5),
            (3, 3, 0),
        ] {
            let even = Shares::Even {
                start: 2,
                len,
                step,
                ranks,
            };
            let list = (0..ranks).map(|rank| 2 + rank * step..2 + rank * step + len);
            let list = Shares::List(list.collect());
            assert_eq!(even.ranks(), list.ranks());
            assert_eq!(even.reach(), list.reach(), "{even:?}");
            for rank in 0..ranks + 2 {
                assert_eq!(even.get(rank), list.get(rank), "{even:?} {rank}");
                assert_eq!(even.len(rank), list.len(rank), "{even:?} {rank}");
            }
            assert_eq!(even.each(ranks), Some(len));
            assert_eq!((even.each(ranks + 1), list.each(ranks)), (None, None));
            assert_eq!((even.are_same(), list.are_same()), (step == 0, false));
        }
    }
}
