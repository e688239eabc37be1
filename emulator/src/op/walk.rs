//! The memory of the rows of two tensors: each row of the result is at the same position as the row of the operand that it
//! depends on.

use ascendcl_sys::ACL_FLOAT;

use super::call::{Input, Output};
use super::scaled::{Scaled, StoreProducts};
use super::shape::Dims;
use super::view::{Room, View, ViewMut, Views, rows};
use crate::results::list_of;

/// The tensors of a walk.
pub(super) struct Walk<'a, W> {
    from: View<'a>,
    to: ViewMut<'a>,
    /// The dimensions that count the rows.
    counts: Dims,
    /// Their strides, and the places in a row.
    of_input: (Dims, Parts),
    of_out: (Dims, Parts),
    /// Whether results bypass the caches.
    pub(super) is_streaming: bool,
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
        // A row of several dimensions without gaps is one part.
        if *strides == row.contiguous_strides() {
            return Self {
                offsets: vec![0],
                count: row.elements().unwrap_or(0).max(1),
                step: 1,
            };
        }
        let (offsets, (count, step)) = rows(row, strides);
        Self {
            offsets: list_of(offsets),
            count: count.max(1),
            step,
        }
    }

    /// Returns whether a row of this length is one part of elements next to each other.
    fn is_one(&self, len: usize) -> bool {
        self.step == 1 && self.count == len
    }
}

// SAFETY: the functions that use the memory are `read`, `source` and `store`, which are unsafe.
unsafe impl<W: Sync> Sync for Walk<'_, W> {}

impl<'a, W: Scaled> Walk<'a, W> {
    /// Makes a walk, and returns the number of rows and of the elements in one. `is_row` returns whether a dimension belongs
    /// to a row; the others count the rows.
    pub(super) fn new(
        views: &Views<'a>,
        (input, out): (&Input, &Output),
        is_row: &dyn Fn(usize) -> bool,
    ) -> (Self, usize, usize) {
        let shape = &input.tensor.shape;
        let (counts, row) = shape.split(is_row);
        let (input_counts, input_row) = input.tensor.strides.split(is_row);
        let (out_counts, out_row) = out.tensor.strides.split(is_row);
        let is_in_place = views.pointer(input.slot) == views.pointer(out.slot);
        let to = views.output(out);
        let out_parts = Parts::new(&row, &out_row);
        let store_products = match out_parts.step {
            1 => W::storer_of_products(to.dtype()),
            _ => None,
        };
        let walk = Walk {
            counts,
            of_input: (input_counts, Parts::new(&row, &input_row)),
            of_out: (out_counts, out_parts),
            is_streaming: to.is_streaming() && !is_in_place,
            store_products,
            from: views.input(input),
            to,
        };
        let (count, size) = (counts.elements().unwrap_or(0), row.elements().unwrap_or(0));
        (walk, count, size)
    }

    /// Reads a row.
    ///
    /// # Safety
    ///
    /// - No other thread writes the row with this number of `from`.
    pub(super) unsafe fn read(&self, index: usize, row: &mut [W]) {
        let (strides, parts) = &self.of_input;
        let first = self.counts.offset(strides, index).unwrap_or(0);
        for (part, offset) in row.chunks_mut(parts.count).zip(&parts.offsets) {
            self.from.read(first + offset, parts.step, part);
        }
    }

    /// Returns a row that is one part of elements of single precision next to each other.
    ///
    /// # Safety
    ///
    /// - The kernel writes none of these elements while the slice exists.
    pub(super) unsafe fn source(&self, index: usize, len: usize) -> Option<&[f32]> {
        let (strides, parts) = &self.of_input;
        if !parts.is_one(len) {
            return None;
        }
        let first = self.counts.offset(strides, index)?;
        // SAFETY: the caller's contract.
        unsafe { self.from.own(first, len) }
    }

    /// Returns the place of a row of results that is one part of elements of single precision next to each other. It is
    /// valid for writes.
    pub(super) fn target(&self, index: usize, len: usize) -> Option<*mut [f32]> {
        let (strides, parts) = &self.of_out;
        if !parts.is_one(len) || self.to.dtype() != ACL_FLOAT {
            return None;
        }
        let first = self.counts.offset(strides, index)?;
        let place = self.to.place(first, len)?.cast::<f32>();
        place
            .is_aligned()
            .then(|| core::ptr::slice_from_raw_parts_mut(place, len))
    }

    /// Asks the processor to read a row that is one part of elements next to each other.
    pub(super) fn prefetch(&self, index: usize, len: usize) {
        let (strides, parts) = &self.of_input;
        if parts.is_one(len)
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
    pub(super) unsafe fn store(&self, index: usize, row: &mut [W], factor: W, room: &mut Room) {
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
