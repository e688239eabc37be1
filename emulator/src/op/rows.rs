//! A walk over the rows of a tensor: each row of the result depends on the row of the operand at the same position.
//!
//! Two rows are computed together, as a [`Group`]. A step of the computation is for both of them, so that the processor
//! begins with the second row while it waits for the sum of the first one.

use core::sync::atomic::{AtomicU64, Ordering};

use super::call::{Input, Output};
use super::machine::{aligned, finish_streaming, spare};
use super::scaled::Scaled;
use super::view::{Room, Views};
use super::walk::Walk;
use crate::sync::cores::distribute;

/// The number of elements for which another thread is worth its start.
pub(super) const GRAIN: usize = 1 << 16;

/// The largest number of rows in a group. Groups of four rows of half precision take longer: the processor waits for reads
/// that come all at once.
pub(super) const ROWS: usize = 2;

/// The number of elements from which on a row is computed alone: two of them do not fit the first-level cache.
pub(super) const LONG: usize = 4096;

/// Rows that are computed together. Each begins with a line of the cache.
#[derive(Debug)]
pub(super) struct Group<'a, W> {
    numbers: &'a mut [W],
    /// The number of elements in a row.
    len: usize,
}

impl<'a, W> Group<'a, W> {
    /// Makes a group of rows of this length. They begin [`distance`] elements apart.
    pub(super) fn new(numbers: &'a mut [W], len: usize) -> Self {
        Self { numbers, len }
    }

    /// Returns the rows in their order. It is inlined into code for wide vectors.
    #[inline(always)]
    pub(super) fn rows(&mut self) -> impl Iterator<Item = &mut [W]> {
        let len = self.len;
        let rows = self.numbers.chunks_mut(distance::<W>(len));
        rows.map(move |row| row.get_mut(..len).unwrap_or_default())
    }
}

/// Returns the number of elements from one row of a group to the next one.
pub(super) fn distance<W>(len: usize) -> usize {
    len.next_multiple_of(spare::<W>()).max(1)
}

/// The function that computes a group. It gets the position of the first row, and factors, which are 1. It replaces the
/// numbers of each row; the results are the numbers times the factor of their row.
pub(super) type Compute<'a, W> = &'a (dyn Fn(usize, &mut Group<'_, W>, &mut [W]) + Sync);

/// Replaces each row by its result, and stores it in `out`, which has the shape of `input`. `is_row` returns whether
/// a dimension belongs to a row; the others count the rows. The rows are on several threads if there are many.
pub(super) fn each_row<W: Scaled>(
    views: &Views<'_>,
    (input, out): (&Input, &Output),
    is_row: &dyn Fn(usize) -> bool,
    compute: Compute<'_, W>,
) {
    let (walk, count, size) = Walk::new(views, (input, out), is_row);
    // Without this, a result may be in the memory of a row that is read later.
    let is_apart = views.is_apart(out.slot, &[input.slot]);
    let distance = distance::<W>(size);
    let together = if is_apart && distance < LONG { ROWS } else { 1 };
    let work = |range: core::ops::Range<usize>| {
        let most = together.min(range.len()) * distance;
        let (mut numbers, mut room) = (vec![W::ZERO; most + spare::<W>()], Room::new());
        let numbers = aligned(&mut numbers, most);
        for first in range.clone().step_by(together) {
            let rows = first..range.end.min(first + together);
            let Some(numbers) = numbers.get_mut(..rows.len() * distance) else {
                continue;
            };
            let mut group = Group::new(numbers, size);
            for (index, row) in rows.clone().zip(group.rows()) {
                // SAFETY: the ranges of the threads are apart, and `is_apart` says that a thread writes no row of another.
                unsafe { walk.read(index, row) };
                // The processor reads the next group while it computes this one.
                walk.prefetch(index + together, size);
            }
            let mut factors = [W::truth(true); ROWS];
            compute(first, &mut group, &mut factors);
            for (index, (row, factor)) in rows.zip(group.rows().zip(factors)) {
                // SAFETY: the ranges of the threads are apart, and so are the rows: a row is stored by the thread that
                // read it, and `is_apart` says that no other row has memory of it.
                unsafe { walk.store(index, row, factor, &mut room) };
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

/// Numbers that the threads of a kernel store, one for each row.
pub(super) struct Numbers(Vec<AtomicU64>);

impl Numbers {
    pub(super) fn new(count: usize) -> Self {
        Self((0..count).map(|_| AtomicU64::new(0)).collect())
    }

    pub(super) fn set(&self, index: usize, number: f64) {
        if let Some(place) = self.0.get(index) {
            // The kernel reads it after the end of all threads.
            place.store(number.to_bits(), Ordering::Relaxed);
        }
    }

    pub(super) fn into_vec(self) -> Vec<f64> {
        let bits = self.0.into_iter().map(AtomicU64::into_inner);
        bits.map(f64::from_bits).collect()
    }
}
