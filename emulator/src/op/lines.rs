//! A row of single precision where it lies in the memory of its tensor, and the place of its results. A kernel reads the row
//! there as often as it needs it, and its last loop stores the results: no step only copies numbers.

use core::array;
use core::ops::Range;

use super::call::{Input, Output};
use super::machine::{LINE, STREAM_ALIGN, aligned, finish_streaming, prefetch, spare, stream};
use super::rows::{GRAIN, Group, LONG, ROWS, distance};
use super::view::{Room, Views};
use super::walk::Walk;
use crate::sync::cores::distribute;

/// The number of numbers in a line of the cache.
pub(super) const CHUNK: usize = LINE / size_of::<f32>();

/// A row and the place of its results.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// The numbers of the row.
    pub(super) from: &'a [f32],
    /// Memory for as many numbers, which begins with a line of the cache. It is empty if the kernel asked for none.
    pub(super) room: &'a mut [f32],
    /// What the processor has to read next.
    pub(super) ahead: Ahead,
    to: &'a mut [f32],
    /// Whether results bypass the caches.
    is_streaming: bool,
}

impl<'a> Line<'a> {
    /// Makes a row with a place for its results.
    pub(super) fn new(from: &'a [f32], to: &'a mut [f32]) -> Self {
        Self {
            from,
            to,
            room: &mut [],
            ahead: Ahead::of(from),
            is_streaming: false,
        }
    }

    /// Gives the kernel memory of its own.
    pub(super) fn with_room(self, room: &'a mut [f32]) -> Self {
        Self { room, ..self }
    }

    /// Lets the kernel ask for numbers that are computed later.
    pub(super) fn with_ahead(self, ahead: Ahead) -> Self {
        Self { ahead, ..self }
    }

    /// Lets the results bypass the caches if the place is aligned for that. The caller calls `finish_streaming` after the
    /// last ones.
    pub(super) fn streaming(self, is_streaming: bool) -> Self {
        let is_aligned = self.to.as_ptr().addr().is_multiple_of(STREAM_ALIGN);
        let is_streaming = is_streaming && is_aligned;
        Self {
            is_streaming,
            ..self
        }
    }

    /// Stores a function of the numbers at the same position of two more rows. It is inlined into code for wide vectors.
    #[inline(always)]
    pub(super) fn store(&mut self, others: [&[f32]; 2], function: impl Fn(f32, f32, f32) -> f32) {
        put(self.to, self.is_streaming, self.from, others, function);
    }

    /// Stores a function of the numbers in the room.
    #[inline(always)]
    pub(super) fn store_room(&mut self, function: impl Fn(f32) -> f32) {
        let row = &*self.room;
        put(self.to, self.is_streaming, row, [row; 2], |one, _, _| {
            function(one)
        });
    }
}

/// Stores a function of the numbers of three rows.
#[inline(always)]
fn put(
    to: &mut [f32],
    is_streaming: bool,
    row: &[f32],
    others: [&[f32]; 2],
    function: impl Fn(f32, f32, f32) -> f32,
) {
    let compute = |row: &[f32; CHUNK], second: &[f32; CHUNK], third: &[f32; CHUNK]| {
        // The compiler knows of an array of its own that no row is in the same memory, and computes vectors.
        let (mut results, mut lane) = ([0.0; CHUNK], 0);
        #[expect(clippy::indexing_slicing, reason = "all have the length of the loop")]
        while lane < CHUNK {
            results[lane] = function(row[lane], second[lane], third[lane]);
            lane += 1;
        }
        results
    };
    let (places, last) = to.as_chunks_mut::<CHUNK>();
    let (row, row_end) = row.as_chunks::<CHUNK>();
    let (second, second_end) = others[0].as_chunks::<CHUNK>();
    let (third, third_end) = others[1].as_chunks::<CHUNK>();
    // A loop with an index: the adapters for four lists are most of what the compiler would translate for each function.
    let mut index = 0;
    while let (Some(place), Some(row), Some(second), Some(third)) = (
        places.get_mut(index),
        row.get(index),
        second.get(index),
        third.get(index),
    ) {
        put_chunk(place, &compute(row, second, third), is_streaming);
        index += 1;
    }
    if !last.is_empty() {
        let results = compute(&filled(row_end), &filled(second_end), &filled(third_end));
        put_some(last, &results);
    }
}

/// Stores results in their place, or past the caches.
#[inline(always)]
fn put_chunk(place: &mut [f32; CHUNK], results: &[f32; CHUNK], is_streaming: bool) {
    if is_streaming {
        // SAFETY: the place is borrowed. The first one is aligned, because `Line::streaming` compared it, and the size
        // of a chunk is a multiple of the alignment.
        unsafe { stream(place.as_mut_ptr(), results) };
    } else {
        *place = *results;
    }
}

/// Stores the first results.
fn put_some(places: &mut [f32], results: &[f32; CHUNK]) {
    for (to, from) in places.iter_mut().zip(results) {
        *to = *from;
    }
}

/// Returns the last numbers of a row, and zeros behind them.
fn filled(numbers: &[f32]) -> [f32; CHUNK] {
    let mut chunk = [0.0; CHUNK];
    for (to, from) in chunk.iter_mut().zip(numbers) {
        *to = *from;
    }
    chunk
}

/// Numbers that the processor reads into its caches while it computes others.
#[derive(Debug, Clone)]
pub(super) struct Ahead(Range<*const u8>);

impl Ahead {
    /// The number of bytes that are asked for at most: half of a small first-level cache belongs to two rows.
    const MOST: usize = 8 << 10;

    /// The first of these numbers.
    pub(super) fn of(numbers: &[f32]) -> Self {
        let first = numbers.as_ptr().cast::<u8>();
        let len = size_of_val(numbers).min(Self::MOST);
        Self(first..first.wrapping_add(len))
    }

    /// Asks for the next line. After the last one it asks for the end again, which takes no branch.
    #[inline(always)]
    pub(super) fn next(&mut self) {
        prefetch(self.0.start);
        self.0.start = self.0.start.wrapping_add(LINE).min(self.0.end);
    }
}

/// The function that computes a few rows together. It gets the number of the first one.
pub(super) type Compute<'a> = &'a (dyn Fn(usize, &mut [Line<'_>]) + Sync);

/// Computes each row and stores its results in `out`, which has the shape of `input`. Rows of other types, or with gaps, are
/// converted before and after. `is_row` returns whether a dimension belongs to a row; the others count the rows. With
/// `has_room` the kernel gets memory of its own. The rows are on several threads if there are many.
pub(super) fn each_line(
    views: &Views<'_>,
    (input, out): (&Input, &Output),
    is_row: &dyn Fn(usize) -> bool,
    has_room: bool,
    compute: Compute<'_>,
) {
    let (walk, count, size) = Walk::<f32>::new(views, (input, out), is_row);
    // Without this, a result may be in the memory of a row that is read later.
    let is_apart = views.is_apart(out.slot, &[input.slot]);
    let distance = distance::<f32>(size);
    let together = if is_apart && distance < LONG { ROWS } else { 1 };
    // A row in the memory of its results is copied before.
    let is_alone = views.is_alone(out.slot, &[input.slot]);
    // SAFETY: the kernel writes nothing of a tensor that shares no memory with the output.
    let is_read_there = is_alone && unsafe { walk.source(0, size) }.is_some();
    let is_stored_there = walk.target(0, size).is_some();
    let work = |range: Range<usize>| {
        let most = together.min(range.len()) * distance;
        let memory = |is_used| vec![0.0; if is_used { most + spare::<f32>() } else { 0 }];
        let (mut read, mut stored) = (memory(!is_read_there), memory(!is_stored_there));
        let mut rooms = memory(has_room);
        let (read, stored) = (aligned(&mut read, most), aligned(&mut stored, most));
        let rooms = aligned(&mut rooms, most);
        let mut conversion = Room::new();
        for first in range.clone().step_by(together) {
            let rows = first..range.end.min(first + together);
            let (mut read, mut stored) = (Group::new(read, size), Group::new(stored, size));
            let mut rooms = Group::new(rooms, size);
            for (index, row) in rows.clone().zip(read.rows()) {
                // SAFETY: the ranges of the threads are apart, and `is_apart` says that a thread writes no row of another.
                unsafe { walk.read(index, row) };
                walk.prefetch(index + together, size);
            }
            {
                let (mut copies, mut results, mut rooms) =
                    (read.rows(), stored.rows(), rooms.rows());
                let mut lines: [Line<'_>; ROWS] = array::from_fn(|_| Line::new(&[], &mut []));
                for (index, line) in rows.clone().zip(&mut lines) {
                    // SAFETY: as above for the first row.
                    let source = |index| unsafe { walk.source(index, size) };
                    let from = match is_read_there {
                        true => source(index),
                        false => copies.next().map(|row| &*row),
                    };
                    let to = match is_stored_there {
                        // SAFETY: the place is valid for writes, and device memory has no bits that are no number. The row is
                        // in no other slice: it is not read there, or the tensors share no memory. The ranges of the threads
                        // are apart, and so are the rows if there is more than one at a time, because of `is_apart`.
                        true => walk.target(index, size).map(|place| unsafe { &mut *place }),
                        false => results.next(),
                    };
                    let (Some(from), Some(to)) = (from, to) else {
                        continue;
                    };
                    // The processor reads the next rows while it computes these.
                    let next = is_read_there.then(|| source(index + together)).flatten();
                    *line = Line::new(from, to)
                        .with_room(rooms.next().unwrap_or_default())
                        .with_ahead(Ahead::of(next.unwrap_or(from)))
                        .streaming(walk.is_streaming && is_stored_there);
                }
                compute(first, lines.get_mut(..rows.len()).unwrap_or_default());
            }
            for (index, row) in rows.zip(stored.rows()) {
                // SAFETY: the ranges of the threads are apart, and so are the rows, because of `is_apart`.
                unsafe { walk.store(index, row, 1.0, &mut conversion) };
            }
        }
        if walk.is_streaming {
            finish_streaming();
        }
    };
    if is_apart {
        distribute(count, GRAIN / size.max(1), 1, &work);
    } else {
        work(0..count);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::indexing_slicing, reason = "a failed step is a failed test")]
    use super::*;

    #[test]
    fn results_are_stored_in_their_places_alone() {
        const LENGTH: usize = 1000;
        let rows: [Vec<f32>; 3] = array::from_fn(|row| {
            // CAST: small numbers, which are exact.
            let numbers = 0..LENGTH;
            numbers.map(|one| (one * (row + 3)) as f32).collect()
        });
        let function = |one: f32, second: f32, third: f32| one * 3.0 + second * second - third;
        for len in [0, 1, 15, 16, 17, 32, 33, LENGTH] {
            let [from, second, third] = rows.each_ref().map(|row| &row[..len]);
            let of_row = |index| function(from[index], second[index], third[index]);
            for shift in [0, 1, 4] {
                for is_streaming in [false, true] {
                    let mut memory = vec![-1.0; LENGTH + 4 + spare::<f32>()];
                    let memory = aligned(&mut memory, LENGTH + 4);
                    let to = &mut memory[shift..shift + len];
                    let mut line = Line::new(from, to).streaming(is_streaming);
                    line.store([second, third], function);
                    finish_streaming();
                    let (before, others) = memory.split_at(shift);
                    let (got, behind) = others.split_at(len);
                    assert!(
                        got.iter().copied().eq((0..len).map(of_row)),
                        "{len} {shift}"
                    );
                    assert!(before.iter().chain(behind).all(|one| *one == -1.0));
                }
            }
        }
    }

    #[test]
    fn results_come_from_the_room() {
        let (mut to, mut room) = ([0.0; 20], [4.0; 20]);
        Line::new(&[1.0; 20], &mut to)
            .with_room(&mut room)
            .store_room(|one| one + 1.0);
        assert_eq!(to, [5.0; 20]);
    }

    #[test]
    fn lines_ahead_end_with_the_row_or_after_a_few() {
        for len in [0, 1, 16, 100, 2048, 5000] {
            let row = vec![0.0; len];
            let mut ahead = Ahead::of(&row);
            let first = ahead.0.start;
            for line in 0..400 {
                let bytes = (line * LINE).min(len * 4).min(Ahead::MOST);
                assert_eq!(ahead.0.start, first.wrapping_add(bytes), "{len}");
                ahead.next();
            }
        }
    }
}
