//! All elements of a view at once.

use std::borrow::Cow;

use ascendcl_sys::{ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64};

use super::{View, ViewMut, rows};
use crate::op::number::{Number, Whole};
use crate::op::rule::at;
use crate::op::shape::Dims;
use crate::results::list_of;

/// The number of elements that are converted at a time.
const ROOM: usize = 512;

impl View<'_> {
    /// Returns all elements; the last dimension counts fastest.
    pub(in crate::op) fn all<W: Number>(&self) -> Vec<W> {
        self.spread(&self.shape)
    }

    /// Returns all elements as numbers of this type: where they lie, or converted.
    ///
    /// # Safety
    ///
    /// - The kernel writes none of these elements while they are borrowed.
    pub(in crate::op) unsafe fn numbers<W: Number>(&self) -> Cow<'_, [W]> {
        // SAFETY: the caller's contract.
        let own = unsafe { self.own(0, self.extent) };
        match own {
            Some(own) if self.strides == self.shape.contiguous_strides() => Cow::Borrowed(own),
            _ => Cow::Owned(self.all()),
        }
    }

    /// Returns all elements, repeated as broadcasting to this shape does it.
    pub(in crate::op) fn spread<W: Number>(&self, shape: &Dims) -> Vec<W> {
        let (rows, (count, step)) = rows(shape, &self.strides.stretched(&self.shape, shape));
        let mut all = Vec::with_capacity(shape.elements().unwrap_or(0));
        for offset in rows {
            self.append(offset, step, count, &mut all);
        }
        all
    }

    /// Adds so many elements to a list; outside of the view they are 0. They go through the first-level cache: a list that is
    /// filled with 0 before takes longer.
    fn append<W: Number>(&self, offset: usize, step: usize, count: usize, all: &mut Vec<W>) {
        let mut room = [W::ZERO; ROOM];
        for first in (0..count).step_by(ROOM) {
            let room = room.get_mut(..ROOM.min(count - first)).unwrap_or_default();
            self.read(offset + first * step, step, room);
            all.extend_from_slice(room);
        }
    }

    /// Returns what is in memory from the first element to the end of the last one, by the offsets of elements.
    pub(in crate::op) fn reach<W: Number>(&self) -> Vec<W> {
        let mut all = Vec::with_capacity(self.extent);
        self.append(0, 1, self.extent, &mut all);
        all
    }

    /// Returns elements of one byte, which have this shape and these strides.
    pub(in crate::op) fn bytes(&self, shape: &Dims, strides: &Dims) -> Vec<i8> {
        let extent = if self.size == 1 { self.extent } else { 0 };
        // SAFETY: the invariant of `View`. Nothing writes the elements before the end of this function.
        let all = unsafe { core::slice::from_raw_parts(self.first.cast::<i8>(), extent) };
        let (rows, (count, step)) = rows(shape, strides);
        let mut bytes = Vec::with_capacity(shape.elements().unwrap_or(0));
        for offset in rows {
            if step == 1 {
                bytes.extend_from_slice(all.get(offset..offset + count).unwrap_or_default());
                continue;
            }
            for index in 0..count {
                bytes.push(at(all, offset + index * step));
            }
        }
        bytes
    }

    /// Returns the bits of all elements; the last dimension counts fastest.
    pub(in crate::op) fn all_bits(&self) -> Vec<u64> {
        list_of(
            self.shape
                .offsets(self.strides)
                .map(|offset| self.bits(offset)),
        )
    }
}

impl ViewMut<'_> {
    /// Returns all elements where they lie, if they are numbers of this type and next to each other.
    ///
    /// # Safety
    ///
    /// - The kernel reads or writes none of these elements otherwise while they are borrowed, also through no other view.
    #[cfg(any(feature = "more-operators", feature = "training"))]
    pub(in crate::op) unsafe fn own<W: Number>(&mut self) -> Option<&mut [W]> {
        let view = &self.0;
        let is_plain = view.strides == view.shape.contiguous_strides();
        let first = view.own_place(0, view.extent).filter(|_| is_plain)?;
        // SAFETY: the elements lie in the extent, each is a number, and the kernel writes this operand. The caller's contract
        // excludes other uses.
        Some(unsafe { core::slice::from_raw_parts_mut(first, view.extent) })
    }

    /// Stores numbers in all elements; the last dimension counts fastest. Elements without a number stay as they were.
    pub(in crate::op) fn put_all<W: Number>(&mut self, numbers: &[W]) {
        let (rows, (count, step)) = rows(&self.0.shape, &self.0.strides);
        for (row, offset) in numbers.chunks(count.max(1)).zip(rows) {
            self.write(offset, step, row);
        }
    }

    /// Returns what is in memory, as [`View::reach`] does.
    pub(in crate::op) fn reach<W: Number>(&self) -> Vec<W> {
        self.0.reach()
    }

    /// Returns whether all memory from the first element to the end of the last one belongs to the tensor.
    pub(in crate::op) fn is_whole(&self) -> bool {
        self.0.shape.elements() == Some(self.0.extent)
    }

    /// Stores the numbers with these offsets in the elements with the same offsets, or all of them in a whole tensor.
    pub(in crate::op) fn put_some<W: Number>(&mut self, offsets: &[usize], numbers: &[W]) {
        if self.is_whole() {
            // All at once is faster than one by one.
            return self.write(0, 1, numbers);
        }
        let view = &self.0;
        let store = W::storer(view.dtype, view.size);
        for offset in offsets {
            if let Some(number) = numbers.get(*offset).filter(|_| *offset < view.extent) {
                let place = view.first.wrapping_add(offset * view.size);
                // SAFETY: the invariant of `View`: the element lies in the extent, and the kernel writes this operand.
                unsafe { store(core::slice::from_ref(number), place, view.size) };
            }
        }
    }

    /// Stores the bits of elements in all elements; the last dimension counts fastest.
    pub(in crate::op) fn put_all_bits(&mut self, bits: &[u64]) {
        let dtype = match self.0.size {
            1 => ACL_UINT8,
            2 => ACL_UINT16,
            4 => ACL_UINT32,
            _ => ACL_UINT64,
        };
        let view = &self.0;
        for (offset, bits) in view.shape.offsets(view.strides).zip(bits) {
            if offset < view.extent {
                let place = view.first.wrapping_add(offset * view.size);
                // CAST: the same bits.
                let number = [Whole(*bits as i64)];
                // SAFETY: the invariant of `View`: the element lies in the extent, and the kernel writes this operand.
                unsafe { Whole::store(dtype, &number, place, 0) };
            }
        }
    }
}
