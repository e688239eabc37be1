//! A walk over the rows of a tensor: each row of the result depends on the row of the operand at the same position.
//!
//! Two rows are computed together, as a [`Group`]. A step of the computation is for both of them, so that the processor
//! begins with the second row while it waits for the sum of the first one.

use core::sync::atomic::{AtomicU64, Ordering};

use super::call::{Input, Output};
use super::machine::{aligned, finish_streaming, spare};
use super::scaled::{Scaled, StoreProducts};
use super::shape::Dims;
use super::view::{Room, View, ViewMut, Views, rows};
use crate::sync::cores::distribute;

/// The number of elements for which another thread is worth its start.
const GRAIN: usize = 1 << 16;

/// The largest number of rows in a group. Groups of four rows of half precision take longer: the processor waits for reads
/// that come all at once.
pub(super) const ROWS: usize = 2;

/// The number of elements from which on a row is computed alone: two of them do not fit the first-level cache.
const LONG: usize = 4096;

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
    is_row: impl Fn(usize) -> bool,
    compute: Compute<'_, W>,
) {
    let shape = &input.tensor.shape;
    let [counts, row] = [false, true].map(|wanted| shape.filtered(|index| is_row(index) == wanted));
    let of = |strides: &Dims| {
        [false, true].map(|wanted| strides.filtered(|index| is_row(index) == wanted))
    };
    let [[input_counts, input_row], [out_counts, out_row]] =
        [&input.tensor.strides, &out.tensor.strides].map(of);
    let is_in_place = views.pointer(input.slot) == views.pointer(out.slot);
    let to = views.output(out);
    let out_parts = Parts::new(&row, &out_row);
    let is_dense = out_parts.step == 1;
    let walk = Walk {
        counts,
        of_input: (input_counts, Parts::new(&row, &input_row)),
        of_out: (out_counts, out_parts),
        is_streaming: to.is_streaming() && !is_in_place,
        store_products: W::storer_of_products(to.dtype()).filter(|_| is_dense),
        from: views.input(input),
        to,
    };
    let (count, size) = (counts.elements().unwrap_or(0), row.elements().unwrap_or(0));
    // Without this, a result may be in the memory of a row that is read later.
    let is_apart = views.is_apart(out.slot, [input.slot]);
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

/// The tensors of a walk.
struct Walk<'a, W> {
    from: View<'a>,
    to: ViewMut<'a>,
    /// The dimensions that count the rows.
    counts: Dims,
    /// Their strides, and the places in a row.
    of_input: (Dims, Parts),
    of_out: (Dims, Parts),
    /// Whether results bypass the caches.
    is_streaming: bool,
    /// The function that stores a row whose elements are next to each other.
    store_products: Option<StoreProducts<W>>,
}

/// The places of the elements of a row. A row has parts, whose elements are at the same distance.
struct Parts {
    offsets: Vec<usize>,
    count: usize,
    step: usize,
}

impl Parts {
    fn new(row: &Dims, strides: &Dims) -> Self {
        let (offsets, (count, step)) = rows(row, strides);
        Self {
            offsets: offsets.collect(),
            count: count.max(1),
            step,
        }
    }
}

// SAFETY: the functions that use the memory are `read` and `store`, which are unsafe.
unsafe impl<W: Sync> Sync for Walk<'_, W> {}

impl<W: Scaled> Walk<'_, W> {
    /// Reads a row.
    ///
    /// # Safety
    ///
    /// - No other thread writes the row with this number of `from`.
    unsafe fn read(&self, index: usize, row: &mut [W]) {
        let (strides, parts) = &self.of_input;
        let first = self.counts.offset(strides, index).unwrap_or(0);
        for (part, offset) in row.chunks_mut(parts.count).zip(&parts.offsets) {
            self.from.read(first + offset, parts.step, part);
        }
    }

    /// Asks the processor to read a row that is one part of elements next to each other.
    fn prefetch(&self, index: usize, len: usize) {
        let (strides, parts) = &self.of_input;
        if parts.step == 1
            && parts.count == len
            && let Some(first) = self.counts.offset(strides, index)
        {
            self.from.prefetch(first, len);
        }
    }

    /// Stores a row of numbers times a factor.
    ///
    /// # Safety
    ///
    /// - No other thread uses the row with this number of `to`.
    unsafe fn store(&self, index: usize, row: &mut [W], factor: W, room: &mut Room) {
        let (strides, parts) = &self.of_out;
        let first = self.counts.offset(strides, index).unwrap_or(0);
        if let Some(store) = self.store_products {
            for (part, offset) in row.chunks(parts.count).zip(&parts.offsets) {
                if let Some(place) = self.to.place(first + offset, part.len()) {
                    // SAFETY: the view has these elements, and the caller's contract excludes other threads. The function
                    // was asked for on this processor.
                    unsafe { store(part, factor, place, self.is_streaming) };
                }
            }
            return;
        }
        for one in &mut *row {
            *one = *one * factor;
        }
        for (part, offset) in row.chunks(parts.count).zip(&parts.offsets) {
            if self.is_streaming && parts.step == 1 {
                // SAFETY: the caller's contract: no other thread uses these elements.
                unsafe { self.to.stream_shared(first + offset, part, room) };
            } else {
                // SAFETY: the caller's contract: no other thread uses these elements.
                unsafe { self.to.write_shared(first + offset, parts.step, part) };
            }
        }
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
