//! A walk over the rows of a tensor: each row of the result depends on the row of the operand at the same position.

use super::call::{Input, Output};
use super::cores::distribute;
use super::number::Number;
use super::shape::Dims;
use super::view::{View, ViewMut, Views, rows};

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
    let walk = Walk {
        from: views.input(input),
        to: views.output(out),
        counts,
        row,
        of_input: of(&input.tensor.strides),
        of_out: of(&out.tensor.strides),
    };
    let (count, size) = (counts.elements().unwrap_or(0), row.elements().unwrap_or(0));
    let work = |range: core::ops::Range<usize>| {
        let mut row = vec![W::ZERO; size];
        for index in range {
            // SAFETY: the ranges of the threads are apart, and so are the rows: a row is stored by the thread that read
            // it, and `is_apart` says that no other row has memory of it.
            unsafe { walk.row(index, &mut row, compute) };
        }
    };
    if views.is_apart(out.slot, [input.slot]) {
        distribute(count, GRAIN / size.max(1), 1, &work);
    } else {
        work(0..count);
    }
}

/// The tensors of a walk, and their dimensions: those that count the rows, and those of a row.
struct Walk<'a> {
    from: View<'a>,
    to: ViewMut<'a>,
    counts: Dims,
    row: Dims,
    of_input: [Dims; 2],
    of_out: [Dims; 2],
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
        compute: &(dyn Fn(usize, &mut [W]) + Sync),
    ) {
        let [counts, strides] = &self.of_input;
        let first = self.counts.offset(counts, index).unwrap_or(0);
        let (offsets, (count, step)) = rows(&self.row, strides);
        for (part, offset) in row.chunks_mut(count.max(1)).zip(offsets) {
            self.from.read(first + offset, step, part);
        }
        compute(index, row);
        let [counts, strides] = &self.of_out;
        let first = self.counts.offset(counts, index).unwrap_or(0);
        let (offsets, (count, step)) = rows(&self.row, strides);
        for (part, offset) in row.chunks(count.max(1)).zip(offsets) {
            // SAFETY: the caller's contract: no other thread uses these elements.
            unsafe { self.to.write_shared(first + offset, step, part) };
        }
    }
}
