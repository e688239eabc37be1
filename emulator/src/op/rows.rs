//! A walk over the rows of a tensor: each row of the result depends on the row of the operand at the same position.

use super::call::{Input, Output};
use super::cores::distribute;
use super::machine::finish_streaming;
use super::number::Number;
use super::shape::Dims;
use super::view::{Room, View, ViewMut, Views, rows};

/// The number of elements for which another thread is worth its start.
const GRAIN: usize = 1 << 16;

/// Replaces each row by its result, and stores it in `out`, which has the shape of `input`. `is_row` returns whether
/// a dimension belongs to a row; the others count the rows. The rows are on several threads if there are many.
pub(super) fn each_row<W: Number>(
    views: &Views<'_>,
    (input, out): (&Input, &Output),
    is_row: impl Fn(usize) -> bool,
    compute: &(dyn Fn(usize, &mut [W]) + Sync),
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
    let walk = Walk {
        counts,
        of_input: (input_counts, Parts::new(&row, &input_row)),
        of_out: (out_counts, Parts::new(&row, &out_row)),
        is_streaming: to.is_streaming() && !is_in_place,
        from: views.input(input),
        to,
    };
    let (count, size) = (counts.elements().unwrap_or(0), row.elements().unwrap_or(0));
    let work = |range: core::ops::Range<usize>| {
        let (mut row, mut room) = (vec![W::ZERO; size], Room::new());
        for index in range {
            // SAFETY: the ranges of the threads are apart, and so are the rows: a row is stored by the thread that read
            // it, and `is_apart` says that no other row has memory of it.
            unsafe { walk.row(index, &mut row, &mut room, compute) };
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
struct Walk<'a> {
    from: View<'a>,
    to: ViewMut<'a>,
    /// The dimensions that count the rows.
    counts: Dims,
    /// Their strides, and the places in a row.
    of_input: (Dims, Parts),
    of_out: (Dims, Parts),
    /// Whether results bypass the caches.
    is_streaming: bool,
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
unsafe impl Sync for Walk<'_> {}

impl Walk<'_> {
    /// Reads a row, computes its result and stores it.
    ///
    /// # Safety
    ///
    /// - No other thread uses the row with this number of `to`, or writes the row of `from`.
    unsafe fn row<W: Number>(
        &self,
        index: usize,
        row: &mut [W],
        room: &mut Room,
        compute: &(dyn Fn(usize, &mut [W]) + Sync),
    ) {
        let (strides, parts) = &self.of_input;
        let first = self.counts.offset(strides, index).unwrap_or(0);
        for (part, offset) in row.chunks_mut(parts.count).zip(&parts.offsets) {
            self.from.read(first + offset, parts.step, part);
        }
        if parts.step == 1 {
            // The processor reads the next row while this one is computed.
            let next = self.counts.offset(strides, index + 1).unwrap_or(first);
            for offset in &parts.offsets {
                self.from.prefetch(next + offset, parts.count);
            }
        }
        compute(index, row);
        let (strides, parts) = &self.of_out;
        let first = self.counts.offset(strides, index).unwrap_or(0);
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
