//! The shadow of an allocation: for each byte its writers, its readers, and whether it was ever written.
//!
//! Bytes with the same state form a segment. A write makes its range one segment again, so the number of segments
//! stays near the number of ranges that a program uses.

use std::ops::Range;
use std::sync::Arc;

use crate::ordered::Ordered;

use super::clock::StreamId;
use super::site::Site;
use crate::results::list_of;

/// An access of a task to some bytes.
#[derive(Debug, Clone)]
pub(super) struct Access {
    pub(super) stream: StreamId,
    pub(super) number: u64,
    pub(super) write: bool,
    /// Whether the access touches every byte of its range.
    pub(super) dense: bool,
    /// Whether the bytes are a workspace, which has no content after the access.
    pub(super) scratch: bool,
    /// Whether a function of the program may write the bytes between the last queued write and this access.
    pub(super) after_function: bool,
    pub(super) site: Arc<Site>,
}

impl Access {
    fn is(&self, stream: StreamId, number: u64) -> bool {
        self.stream == stream && self.number == number
    }
}

#[derive(Debug, Clone)]
struct Segment {
    end: usize,
    /// Whether the bytes were written since they were allocated.
    written: bool,
    /// The task that should have written the bytes and failed.
    failed: Option<Access>,
    /// The last queued write.
    writer: Option<Access>,
    /// Queued reads since the last write, one for each stream.
    readers: Vec<Access>,
}

/// The state of the bytes of one allocation.
#[derive(Debug)]
pub(super) struct Shadow {
    /// The segments, by their first byte. They cover the allocation without gaps.
    segments: Ordered<Segment>,
}

impl Shadow {
    /// Creates the state of new memory. `written` is true for memory that the host writes without a call.
    pub(super) fn new(size: usize, written: bool) -> Shadow {
        let all = Segment {
            end: size,
            written,
            failed: None,
            writer: None,
            readers: Vec::new(),
        };
        let mut segments = Ordered::default();
        segments.insert(0, all);
        Shadow { segments }
    }

    fn overlapping(&self, range: &Range<usize>) -> impl Iterator<Item = (Range<usize>, &Segment)> {
        let (start, end) = (range.start, range.end);
        let first = self.segments.up_to(start).map_or(start, |(first, _)| first);
        self.segments
            .inside(&(first..end))
            .filter(move |(_, segment)| segment.end > start)
            .map(move |(first, segment)| (first.max(start)..segment.end.min(end), segment))
    }

    /// Splits segments at the ends of the range.
    fn isolate(&mut self, range: &Range<usize>) {
        for cut in [range.start, range.end] {
            if let Some((_, segment)) = self.segments.below_mut(cut)
                && cut < segment.end
            {
                let behind = segment.clone();
                segment.end = cut;
                self.segments.insert(cut, behind);
            }
        }
    }

    /// Returns a queued access that conflicts with a new one and for which `ordered` returns false. Two reads never
    /// conflict.
    pub(super) fn conflict(
        &self,
        range: &Range<usize>,
        write: bool,
        ordered: &dyn Fn(&Access) -> bool,
    ) -> Option<&Access> {
        self.overlapping(range).find_map(|(_, segment)| {
            let readers = segment.readers.iter().filter(|_| write);
            segment
                .writer
                .iter()
                .chain(readers)
                .find(|access| !ordered(access))
        })
    }

    /// Returns a queued access for which `over` returns false.
    pub(super) fn busy(&self, over: &dyn Fn(&Access) -> bool) -> Option<&Access> {
        self.conflict(&(0..usize::MAX), true, over)
    }

    /// Returns the parts of a range that were not written.
    pub(super) fn unwritten(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        list_of(
            self.overlapping(range)
                .filter(|(_, segment)| !segment.written)
                .map(|(range, _)| range),
        )
    }

    /// Returns the failed tasks whose results lie in a range, with the bytes of each result.
    pub(super) fn failed(
        &self,
        range: &Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, &Access)> {
        self.overlapping(range)
            .filter_map(|(range, segment)| Some((range, segment.failed.as_ref()?)))
    }

    /// Returns the last queued writes of the bytes of a range.
    pub(super) fn writers(&self, range: &Range<usize>) -> impl Iterator<Item = &Access> {
        self.overlapping(range)
            .filter_map(|(_, segment)| segment.writer.as_ref())
    }

    /// Returns whether tasks that failed should have written all of a range.
    pub(super) fn is_failed(&self, range: &Range<usize>) -> bool {
        self.overlapping(range)
            .all(|(_, segment)| segment.failed.is_some())
    }

    /// Records a queued read.
    pub(super) fn read(&mut self, range: &Range<usize>, access: &Access) {
        self.isolate(range);
        self.segments.each_inside(range, |segment| {
            segment
                .readers
                .retain(|other| other.stream != access.stream);
            segment.readers.push(access.clone());
        });
    }

    /// Returns the queued accesses of a range for which `ordered` returns false, each with the bytes of the range that it has.
    #[cfg(feature = "kernels")]
    pub(super) fn conflicts(
        &self,
        range: &Range<usize>,
        ordered: &dyn Fn(&Access) -> bool,
    ) -> Vec<(Range<usize>, Access)> {
        let mut conflicts = Vec::new();
        for (part, segment) in self.overlapping(range) {
            let all = segment.writer.iter().chain(&segment.readers);
            for access in all.filter(|access| !ordered(access)) {
                conflicts.push((part.clone(), access.clone()));
            }
        }
        conflicts
    }

    /// Records a queued use that may be made or not. It hides no other use.
    #[cfg(feature = "kernels")]
    pub(super) fn may_use(&mut self, range: &Range<usize>, access: &Access) {
        self.isolate(range);
        self.segments.each_inside(range, |segment| {
            segment
                .readers
                .retain(|other| other.stream != access.stream || other.dense);
            segment.readers.push(access.clone());
            segment.written |= access.write;
        });
    }

    /// Records a write: a queued one, or one of the host that is over. `holes` stay unwritten.
    pub(super) fn write(
        &mut self,
        range: &Range<usize>,
        writer: Option<&Access>,
        holes: &[Range<usize>],
    ) {
        if range.is_empty() {
            return;
        }
        self.isolate(range);
        self.segments.remove_inside(range);
        let all = Segment {
            end: range.end,
            written: true,
            failed: None,
            writer: writer.cloned(),
            readers: Vec::new(),
        };
        self.segments.insert(range.start, all);
        for hole in holes {
            self.isolate(hole);
            self.segments
                .each_inside(hole, |segment| segment.written = false);
        }
    }

    /// Records that a queued write failed, for the bytes that were not written again since. Returns the accesses that
    /// read them as the write has left them.
    pub(super) fn fail(&mut self, stream: StreamId, number: u64) -> Vec<Access> {
        let mut readers = Vec::new();
        for segment in self.segments.values_mut() {
            if let Some(writer) = segment
                .writer
                .as_ref()
                .filter(|w| w.dense && w.is(stream, number))
            {
                segment.failed = Some(writer.clone());
                let readers_of_it = segment.readers.iter();
                readers.extend(
                    readers_of_it
                        .filter(|reader| !reader.after_function)
                        .cloned(),
                );
            }
        }
        readers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(stream: StreamId, number: u64, write: bool) -> Access {
        Access {
            stream,
            number,
            write,
            dense: true,
            scratch: false,
            after_function: false,
            site: Site::here("a test"),
        }
    }

    #[test]
    fn writes_leave_no_gaps_and_no_dust() {
        let mut shadow = Shadow::new(100, false);
        assert_eq!(shadow.unwritten(&(0..100)), vec![0..100; 1]);
        for first in (0..100).step_by(10) {
            shadow.write(&(first..first + 5), None, &[]);
        }
        assert_eq!(shadow.unwritten(&(0..20)), [5..10, 15..20]);
        assert_eq!(shadow.unwritten(&(7..8)), vec![7..8; 1]);
        shadow.write(&(0..100), None, &[]);
        assert_eq!(shadow.segments.len(), 1);
        assert!(shadow.unwritten(&(0..100)).is_empty());
        shadow.write(&(20..60), None, &[30..40, 50..60]);
        assert_eq!(shadow.unwritten(&(0..100)), [30..40, 50..60]);
    }

    #[test]
    fn only_bytes_that_are_shared_conflict_and_only_with_a_write() {
        let mut shadow = Shadow::new(100, true);
        shadow.read(&(10..20), &access(0, 1, false));
        shadow.write(&(40..50), Some(&access(0, 2, true)), &[]);
        let nobody = &|_: &Access| false;
        assert!(shadow.conflict(&(15..30), false, nobody).is_none());
        let found = shadow.conflict(&(15..30), true, nobody);
        assert_eq!(found.map(|access| access.number), Some(1));
        assert!(shadow.conflict(&(20..40), true, nobody).is_none());
        let found = shadow.conflict(&(49..60), false, nobody);
        assert_eq!(found.map(|access| access.number), Some(2));
        assert!(shadow.conflict(&(0..100), true, &|_| true).is_none());
        assert!(shadow.busy(&|access| access.number == 1).is_some());
    }

    #[test]
    fn a_failure_marks_what_is_still_the_tasks_and_names_its_readers() {
        let mut shadow = Shadow::new(100, false);
        shadow.write(&(0..50), Some(&access(0, 1, true)), &[]);
        shadow.write(&(0..10), Some(&access(0, 2, true)), &[]);
        shadow.read(&(20..30), &access(1, 9, false));
        let readers = shadow.fail(0, 1);
        let readers: Vec<_> = readers.iter().map(|access| access.stream).collect();
        assert_eq!(readers, [1]);
        assert_eq!(shadow.failed(&(0..10)).count(), 0);
        let failed: Vec<_> = shadow.failed(&(5..11)).map(|(range, _)| range).collect();
        assert_eq!(failed, vec![10..11; 1]);
        assert!(shadow.is_failed(&(10..50)) && !shadow.is_failed(&(5..11)));
        shadow.write(&(10..50), None, &[]);
        assert_eq!(shadow.failed(&(0..100)).count(), 0);
    }
}
