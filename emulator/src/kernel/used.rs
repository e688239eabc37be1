//! The accesses of a block, for the checker.

use std::ops::Range;

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Read,
    Write,
    /// Reads and writes at once: an atomic addition, and the like. Two of them are in order, whichever comes first.
    Combine,
}

impl How {
    pub(super) fn writes(self) -> bool {
        self != How::Read
    }

    pub(super) fn reads(self) -> bool {
        self != How::Write
    }

    /// Returns whether two accesses of different blocks to one byte race.
    pub(super) fn races(self, other: How) -> bool {
        (self, other) != (How::Read, How::Read) && (self, other) != (How::Combine, How::Combine)
    }
}

/// An access of a block to addresses of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Access {
    /// The number of barriers before it.
    pub(super) interval: u32,
    pub(super) range: Range<usize>,
}

/// The accesses of one kind to one memory.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    all: Vec<Access>,
    /// The number of accesses from which they are joined.
    most: usize,
}

/// The number of accesses from which those that touch each other are looked for.
const JOIN_FROM: usize = 4096;

impl Accesses {
    fn enter(&mut self, access: Access) {
        // Most kernels go through their memory in one direction.
        if let Some(last) = self.all.last_mut()
            && last.interval == access.interval
            && last.range.start <= access.range.start
            && access.range.start <= last.range.end
        {
            last.range.end = last.range.end.max(access.range.end);
            return;
        }
        self.all.push(access);
        if self.all.len() >= self.most.max(JOIN_FROM) {
            self.join();
            self.most = self.all.len() * 2;
        }
    }

    /// Joins the accesses of one interval that touch each other.
    fn join(&mut self) {
        self.all
            .sort_unstable_by_key(|one| (one.interval, one.range.start));
        self.all.dedup_by(|next, kept| {
            let joins = next.interval == kept.interval && next.range.start <= kept.range.end;
            if joins {
                kept.range.end = kept.range.end.max(next.range.end);
            }
            joins
        });
    }

    fn iter(&self) -> std::slice::Iter<'_, Access> {
        self.all.iter()
    }
}

/// Returns the first byte of a range that none of some other ranges has.
pub(super) fn first_missing(
    range: &Range<usize>,
    others: &mut dyn Iterator<Item = &Range<usize>>,
) -> Option<usize> {
    let mut left = Vec::from_iter((!range.is_empty()).then(|| range.clone()));
    for other in others {
        let mut rest = Vec::with_capacity(left.len());
        for one in left {
            if other.end <= one.start || one.end <= other.start {
                rest.push(one);
                continue;
            }
            if one.start < other.start {
                rest.push(one.start..other.start);
            }
            if other.end < one.end {
                rest.push(other.end..one.end);
            }
        }
        left = rest;
        if left.is_empty() {
            return None;
        }
    }
    left.iter().map(|one| one.start).min()
}

/// The accesses of a block.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// The reads, the writes and the combinations of each memory of the launch.
    memories: Vec<[Accesses; 3]>,
    /// Reads of memory that nothing had written before the launch, and the block not before them.
    pub(super) unwritten: Vec<Access>,
}

/// Maximum number of reads of unwritten memory that are kept.
const SUSPECTS: usize = 1024;

impl Used {
    /// Enters an access. `holes` are the addresses that nothing had written before the launch.
    pub(super) fn enter(
        &mut self,
        memory: usize,
        interval: u32,
        range: Range<usize>,
        how: How,
        holes: &[Range<usize>],
    ) {
        if self.memories.len() <= memory {
            self.memories.resize_with(memory + 1, Default::default);
        }
        if how.reads() {
            for hole in holes {
                let unwritten = hole.start.max(range.start)..hole.end.min(range.end);
                if !unwritten.is_empty()
                    && self.unwritten.len() < SUSPECTS
                    && let Some(first) = self.missing(&unwritten)
                {
                    self.unwritten.push(Access {
                        interval,
                        range: first..unwritten.end,
                    });
                }
            }
        }
        if let Some([reads, writes, combines]) = self.memories.get_mut(memory) {
            let accesses = match how {
                How::Read => reads,
                How::Write => writes,
                How::Combine => combines,
            };
            accesses.enter(Access { interval, range });
        }
    }

    /// Returns the first byte of a range that the block has not written.
    fn missing(&self, range: &Range<usize>) -> Option<usize> {
        let writes = self.all().filter(|(_, how)| how.writes());
        first_missing(range, &mut writes.map(|(one, _)| &one.range))
    }

    /// Returns all accesses, each with what it does.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Access, How)> {
        self.memories.iter().flat_map(|[reads, writes, combines]| {
            let reads = reads.iter().map(|one| (one, How::Read));
            let writes = writes.iter().map(|one| (one, How::Write));
            let combines = combines.iter().map(|one| (one, How::Combine));
            reads.chain(writes).chain(combines)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_side_by_side_is_one_access() {
        let mut used = Used::default();
        for at in (0..100).step_by(4) {
            used.enter(0, 0, at..at + 4, How::Read, &[]);
            used.enter(1, 0, 1000 + at..1004 + at, How::Write, &[]);
        }
        used.enter(1, 1, 1000..1004, How::Write, &[]);
        let all: Vec<_> = used
            .all()
            .map(|(one, how)| (one.range.clone(), how))
            .collect();
        let expected = [
            (0..100, How::Read),
            (1000..1100, How::Write),
            (1000..1004, How::Write),
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn accesses_in_no_order_are_joined_when_they_are_many() {
        let mut accesses = Accesses::default();
        for at in 0..2 * JOIN_FROM {
            let at = at * 7919 % (2 * JOIN_FROM);
            accesses.enter(Access {
                interval: 0,
                range: at..at + 1,
            });
        }
        accesses.join();
        assert_eq!(accesses.all.len(), 1);
        let missing = |range| first_missing(&range, &mut accesses.iter().map(|one| &one.range));
        assert_eq!(missing(0..2 * JOIN_FROM), None);
        assert_eq!(missing(5..2 * JOIN_FROM + 1), Some(2 * JOIN_FROM));
    }

    #[test]
    fn a_read_behind_a_write_of_the_block_is_no_suspect() {
        let (mut used, holes) = (Used::default(), vec![0..100; 1]);
        used.enter(0, 0, 0..8, How::Write, &holes);
        used.enter(0, 0, 0..8, How::Read, &holes);
        assert!(used.unwritten.is_empty());
        used.enter(0, 0, 4..12, How::Read, &holes);
        let suspect = Access {
            interval: 0,
            range: 8..12,
        };
        assert_eq!(used.unwritten, [suspect]);
        used.enter(0, 0, 200..208, How::Read, &holes);
        assert_eq!(used.unwritten.len(), 1);
    }
}
