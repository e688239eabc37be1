//! A walk over the rows of a tensor: each row of the result depends on the row of the operand at the same position.

use core::sync::atomic::{AtomicU64, Ordering};

use super::call::{Input, Output};
use super::cores::distribute;
use super::machine::{aligned, finish_streaming, spare};
use super::scaled::{Scaled, StoreProducts};
use super::shape::Dims;
use super::view::{Room, View, ViewMut, Views, rows};

/// The number of elements for which another thread is worth its start.
const GRAIN: usize = 1 << 16;

/// Replaces each row by its result, and stores it in `out`, which has the shape of `input`. `is_row` returns whether
/// a dimension belongs to a row; the others count the rows. The rows are on several threads if there are many.
///
/// `compute` gets the position of a row and its numbers. It replaces the numbers and returns a factor: the results are the
/// numbers times this factor.
pub(super) fn each_row<W: Scaled>(
    views: &Views<'_>,
    (input, out): (&Input, &Output),
    is_row: impl Fn(usize) -> bool,
    compute: &(dyn Fn(usize, &mut [W]) -> W + Sync),
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
        store: W::storer_of_products(to.dtype()).filter(|_| is_dense),
        from: views.input(input),
        to,
    };
    let (count, size) = (counts.elements().unwrap_or(0), row.elements().unwrap_or(0));
    let work = |range: core::ops::Range<usize>| {
        let (mut numbers, mut room) = (vec![W::ZERO; size + spare::<W>()], Room::new());
        let row = aligned(&mut numbers, size);
        for index in range {
            // SAFETY: the ranges of the threads are apart, and so are the rows: a row is stored by the thread that read
            // it, and `is_apart` says that no other row has memory of it.
            unsafe { walk.row(index, row, &mut room, compute) };
        }
        if walk.is_streaming {
            finish_streaming();
        }
    };
    if views.is_apart(out.slot, [input.slot]) {
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
    store: Option<StoreProducts<W>>,
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

// SAFETY: the only function that uses the memory is `row`, which is unsafe.
unsafe impl<W: Sync> Sync for Walk<'_, W> {}

impl<W: Scaled> Walk<'_, W> {
    /// Reads a row, computes its result and stores it.
    ///
    /// # Safety
    ///
    /// - No other thread uses the row with this number of `to`, or writes the row of `from`.
    unsafe fn row(
        &self,
        index: usize,
        row: &mut [W],
        room: &mut Room,
        compute: &(dyn Fn(usize, &mut [W]) -> W + Sync),
    ) {
        // The processor reads the next row by itself while this one is computed.
        let (strides, parts) = &self.of_input;
        let first = self.counts.offset(strides, index).unwrap_or(0);
        for (part, offset) in row.chunks_mut(parts.count).zip(&parts.offsets) {
            self.from.read(first + offset, parts.step, part);
        }
        let factor = compute(index, row);
        let (strides, parts) = &self.of_out;
        let first = self.counts.offset(strides, index).unwrap_or(0);
        if let Some(store) = self.store {
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
