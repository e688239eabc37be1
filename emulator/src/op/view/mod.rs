//! Views of the operands of a running kernel.

mod whole;

use core::marker::PhantomData;
use std::sync::OnceLock;

use ascendcl_sys::{
    ACL_DT_UNDEFINED, ACL_FLOAT, ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64, aclDataType,
};

use crate::engine::kernel::Mapped;
use crate::op::call::{Input, Operand, Output};
use crate::op::dtype::{element_size, is_half};
use crate::op::machine::{LINE, STREAM_ALIGN, STREAM_FROM, prefetch, stream_bytes};
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::product::{Matrix, MatrixMut};
use crate::op::shape::Dims;
use crate::op::stray::Stray;

/// The memory of a kernel's operands while the kernel runs.
#[derive(Debug)]
pub struct Views<'a> {
    plan: &'a Plan,
    mapped: &'a [Mapped],
    /// The first index that was outside of its dimension.
    stray: OnceLock<Stray>,
}

/// The operands of a kernel, for several threads.
pub(in crate::op) struct Readers<'a>(Views<'a>);

// SAFETY: threads get nothing but views for reading from it.
unsafe impl Sync for Readers<'_> {}

impl<'a> Readers<'a> {
    /// Returns the view of a tensor that the operator reads.
    pub(in crate::op) fn input(&self, input: &Input) -> View<'a> {
        self.0.input(input)
    }
}

/// An output, for several threads.
pub(in crate::op) struct Writers<'a>(ViewMut<'a>);

// SAFETY: the function that writes is unsafe.
unsafe impl Sync for Writers<'_> {}

impl<'a> Writers<'a> {
    /// Makes the output of an operator one that several threads write.
    pub(in crate::op) fn new(views: &Views<'a>, out: &Output) -> Self {
        Self(views.output(out))
    }

    /// Stores numbers in elements next to each other, from this offset on.
    ///
    /// # Safety
    ///
    /// - No other thread reads or writes these elements during the call.
    pub(in crate::op) unsafe fn write<W: Number>(&self, offset: usize, numbers: &[W]) {
        // SAFETY: the caller's contract.
        unsafe { self.0.write_shared(offset, 1, numbers) };
    }
}

/// A tensor that a kernel reads.
///
/// # Invariants
///
/// - `extent` elements of `dtype` are readable at `first`. If the kernel writes the operand, they are writable too.
#[derive(Debug)]
pub struct View<'a> {
    shape: Dims,
    strides: Dims,
    dtype: aclDataType,
    /// The bytes of an element.
    size: usize,
    /// The number of elements from the first one to the end of the last one.
    extent: usize,
    first: *mut u8,
    lives: PhantomData<&'a Mapped>,
}

/// The number of elements that are converted at a time before they bypass the caches.
const PART: usize = 256;

/// Room for elements that bypass the caches. They begin with a line of the cache.
#[repr(align(64))]
pub(in crate::op) struct Room([u8; PART * size_of::<u64>()]);

impl Room {
    pub(in crate::op) fn new() -> Self {
        Self([0; PART * size_of::<u64>()])
    }
}

/// A tensor that a kernel writes.
#[derive(Debug)]
pub struct ViewMut<'a>(View<'a>);

impl<'a> Views<'a> {
    /// Makes views of the operands of a plan. `mapped` has the order of the plan's spans. Returns `None` if it has
    /// less memory than the plan needs.
    ///
    /// # Safety
    ///
    /// - Each mapped range is valid for reads for the lifetime `'a`. It is valid for writes too if the plan writes
    ///   it.
    /// - No other thread writes these ranges during `'a`, and no other thread reads a range that the plan writes.
    pub(in crate::op) unsafe fn new(plan: &'a Plan, mapped: &'a [Mapped]) -> Option<Self> {
        let mut spans = plan.extents.iter().filter_map(|extent| {
            let span = extent.span?;
            Some((mapped.get(span), extent.len))
        });
        let is_whole = spans.all(|(given, len)| given.is_some_and(|given| given.len >= len));
        is_whole.then_some(Self {
            plan,
            mapped,
            stray: OnceLock::new(),
        })
    }

    /// Returns the place of an index along a dimension of this size. An index outside of it is remembered for the report.
    pub(in crate::op) fn indexed(&self, index: Whole, size: usize) -> Option<usize> {
        let place = index.place(size);
        if place.is_none() {
            self.strays(index, size, None);
        }
        place
    }

    /// Returns a number that has to be below `size` as a place. Another one is remembered for the report, as an index outside
    /// of its dimension is.
    pub(in crate::op) fn below(&self, number: Whole, size: usize) -> Option<usize> {
        self.limited(number, size, None)
    }

    /// Returns a number of an operand that has to be below `size`, as [`below`](Self::below) does. The report names the operand.
    #[cfg(any(feature = "more-operators", feature = "training"))]
    pub(in crate::op) fn below_in(
        &self,
        operand: &Input,
        number: Whole,
        size: usize,
    ) -> Option<usize> {
        self.limited(number, size, Some(operand.name))
    }

    fn limited(&self, number: Whole, size: usize, operand: Option<&'static str>) -> Option<usize> {
        let place = number.below(size);
        if place.is_none() {
            self.strays(number, size, operand);
        }
        place
    }

    fn strays(&self, Whole(number): Whole, size: usize, operand: Option<&'static str>) {
        // The first one is enough.
        let _ = self.stray.set(Stray {
            number,
            size,
            operand,
        });
    }

    /// Returns the first index that was outside of its dimension.
    pub(in crate::op) fn stray(&self) -> Option<&Stray> {
        self.stray.get()
    }

    /// Returns the view of a tensor that the operator reads. The view of a tensor of another call has no elements.
    #[must_use]
    pub fn input(&self, input: &Input) -> View<'a> {
        self.view(input.slot, false)
    }

    /// Returns the view of a tensor that the operator writes. The view of a tensor of another call has no elements.
    #[must_use]
    pub fn output(&self, output: &Output) -> ViewMut<'a> {
        ViewMut(self.view(output.slot, true))
    }

    /// Returns the views for threads that only read.
    pub(in crate::op) fn shared(&self) -> Readers<'a> {
        Readers(Views {
            plan: self.plan,
            mapped: self.mapped,
            stray: OnceLock::new(),
        })
    }

    /// Returns whether several threads may compute the elements of an output, each from the elements of the operands
    /// at the same position. Each operand shares no memory with the output, or it is the output itself, and no two positions
    /// of the output share an element.
    pub(in crate::op) fn is_apart(&self, out: usize, inputs: &[usize]) -> bool {
        let tensor = |slot: usize| self.plan.operands.get(slot).map(|operand| &operand.tensor);
        if !tensor(out).is_some_and(|tensor| tensor.shape.has_own_elements(&tensor.strides)) {
            return false;
        }
        inputs.iter().all(|slot| {
            let slot = *slot;
            let is_same = || {
                let tensor = |slot: usize| {
                    let tensor = tensor(slot)?;
                    Some((tensor.dtype, tensor.shape, tensor.strides))
                };
                let address =
                    |slot: usize| self.plan.extents.get(slot).map(|extent| extent.address);
                tensor(slot) == tensor(out) && address(slot) == address(out)
            };
            self.is_alone(out, &[slot]) || is_same()
        })
    }

    /// Returns whether an output shares no memory with these operands.
    pub(in crate::op) fn is_alone(&self, out: usize, inputs: &[usize]) -> bool {
        let place = |slot: usize| {
            let extent = self.plan.extents.get(slot)?;
            Some((extent.address, extent.address.saturating_add(extent.len)))
        };
        let Some((first, end)) = place(out) else {
            return false;
        };
        // An operand without memory meets nothing.
        inputs
            .iter()
            .all(|slot| place(*slot).is_none_or(|(from, to)| to <= first || end <= from))
    }

    /// Returns the address of an operand's first byte if the operand has elements.
    pub(in crate::op) fn pointer(&self, slot: usize) -> Option<*mut u8> {
        let span = self.plan.extents.get(slot)?.span?;
        Some(self.mapped.get(span)?.pointer)
    }

    fn view(&self, slot: usize, is_written: bool) -> View<'a> {
        let operand = self.plan.operands.get(slot);
        let found = operand.filter(|operand| operand.is_written == is_written);
        let found = found.zip(self.pointer(slot));
        // INVARIANT: `new` compared the extent of this operand with this memory, or the view has no elements.
        let bytes = found.and_then(|(operand, first)| {
            let bytes = operand.tensor.pairs()?;
            Some((Dims::new([bytes])?, bytes, first))
        });
        if let Some((shape, extent, first)) = bytes {
            return View {
                shape,
                strides: shape.contiguous_strides(),
                dtype: ACL_UINT8,
                size: 1,
                extent,
                first,
                lives: PhantomData,
            };
        }
        match found {
            Some((Operand { tensor, .. }, first)) => View {
                shape: tensor.shape,
                strides: tensor.strides,
                dtype: tensor.dtype,
                size: element_size(tensor.dtype).unwrap_or(0),
                extent: tensor.extent(),
                first,
                lives: PhantomData,
            },
            None => View {
                shape: Dims::NOTHING,
                strides: Dims::NOTHING,
                dtype: ACL_DT_UNDEFINED,
                size: 0,
                extent: 0,
                first: core::ptr::dangling_mut(),
                lives: PhantomData,
            },
        }
    }
}

impl View<'_> {
    /// Returns the sizes of the view's dimensions, outermost first.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        self.shape.as_slice()
    }

    /// Returns the element with the number `index`; the last dimension counts fastest. Returns 0 if `index` is too
    /// large.
    #[must_use]
    pub fn get<W: Number>(&self, index: usize) -> W {
        let offset = self.shape.offset(&self.strides, index);
        offset.map_or(W::ZERO, |offset| self.at(offset))
    }

    /// Returns the element `offset` elements behind the first one; 0 outside of the view.
    pub(in crate::op) fn at<W: Number>(&self, offset: usize) -> W {
        let mut number = W::ZERO;
        if offset < self.extent {
            let place = self.first.wrapping_add(offset * self.size);
            let to = core::slice::from_mut(&mut number);
            // SAFETY: the invariant of `View`: the element lies in the extent.
            unsafe { W::load(self.dtype, place, 0, to) };
        }
        number
    }
}

impl View<'_> {
    /// Reads elements that lie `step` elements apart, the first one `offset` elements behind the first of the view.
    /// Elements outside of the view stay as they were.
    pub(in crate::op) fn read<W: Number>(&self, offset: usize, step: usize, to: &mut [W]) {
        let reach = to
            .len()
            .checked_sub(1)
            .and_then(|last| last.checked_mul(step));
        if reach.is_some_and(|reach| offset.saturating_add(reach) < self.extent) {
            let place = self.first.wrapping_add(offset * self.size);
            // SAFETY: the invariant of `View`: the first and the last element lie in the extent, so all do.
            unsafe { W::load(self.dtype, place, step.wrapping_mul(self.size), to) };
        }
    }

    /// Asks the processor to read elements next to each other into its caches, the first one `offset` elements behind the
    /// first of the view. It reads the rest of many elements by itself.
    pub(in crate::op) fn prefetch(&self, offset: usize, len: usize) {
        /// The number of bytes that are asked for.
        const MOST: usize = 8 << 10;
        let first = self.first.wrapping_add(offset.wrapping_mul(self.size));
        for place in (0..MOST.min(len.saturating_mul(self.size))).step_by(LINE) {
            prefetch(first.wrapping_add(place));
        }
    }

    /// Returns elements that are numbers of this type next to each other, the first one `offset` elements behind the first of
    /// the view. Returns `None` for other data types, for an address without alignment, and if one of them is outside of the
    /// view.
    ///
    /// # Safety
    ///
    /// - The kernel writes none of these elements while the slice exists, also through no other view.
    pub(in crate::op) unsafe fn own<W: Number>(&self, offset: usize, len: usize) -> Option<&[W]> {
        let first = self.own_place(offset, len)?;
        // SAFETY: the elements lie in the extent, and each is a number. The caller's contract excludes writes.
        Some(unsafe { core::slice::from_raw_parts(first, len) })
    }

    /// Returns the address of elements that [`own`](Self::own) may return.
    fn own_place<W: Number>(&self, offset: usize, len: usize) -> Option<*mut W> {
        let first = self.first.wrapping_add(offset * self.size).cast::<W>();
        let is_inside = offset
            .checked_add(len)
            .is_some_and(|end| end <= self.extent);
        (self.dtype == W::OWN && is_inside && first.is_aligned()).then_some(first)
    }

    /// Returns the address of elements of half precision that are next to each other. Returns `None` for other data types, for
    /// an address without alignment, and if an element is outside of the view. Each address that it returns is readable.
    pub(in crate::op) fn halves(&self, offset: usize, len: usize) -> Option<*const u8> {
        let first = self.first.wrapping_add(offset * self.size);
        let is_inside = offset
            .checked_add(len)
            .is_some_and(|end| end <= self.extent);
        let is_half = is_half(self.dtype) && first.cast::<u16>().is_aligned();
        (is_inside && is_half).then_some(first.cast_const())
    }

    /// Returns elements of single precision as a matrix: its first element is `offset` elements behind the first one of
    /// the view, and its rows and columns are `steps` elements apart. Returns `None` for other data types, for an
    /// address without alignment, and if an element is outside of the view.
    pub(in crate::op) fn matrix(
        &self,
        offset: usize,
        sizes: [usize; 2],
        steps: [usize; 2],
    ) -> Option<Matrix<'_>> {
        let first = self.matrix_place(offset, sizes, steps)?;
        // SAFETY: the invariant of `View`, and `matrix_place` compared all elements with the extent. An extent in bytes
        // is at most `isize::MAX`.
        Some(unsafe { Matrix::strided(first, sizes, steps) })
    }

    /// Returns the address of the first element of a matrix that is inside of the view.
    fn matrix_place(
        &self,
        offset: usize,
        sizes: [usize; 2],
        steps: [usize; 2],
    ) -> Option<*mut f32> {
        let mut last = offset;
        for (size, step) in sizes.into_iter().zip(steps) {
            last = last.checked_add(size.checked_sub(1)?.checked_mul(step)?)?;
        }
        let first = self.first.wrapping_add(offset * self.size).cast::<f32>();
        let is_possible = sizes
            .iter()
            .chain(&steps)
            .all(|one| isize::try_from(*one).is_ok());
        let is_inside = self.dtype == ACL_FLOAT && last < self.extent;
        (is_inside && is_possible && first.is_aligned()).then_some(first)
    }

    /// Returns the address of the first element, and the number of elements from there to the end of the last one.
    pub(in crate::op) fn memory(&self) -> (*const u8, usize) {
        (self.first.cast_const(), self.extent)
    }

    /// Returns the bits of the element `offset` elements behind the first one; 0 outside of the view.
    pub(in crate::op) fn bits(&self, offset: usize) -> u64 {
        if offset >= self.extent {
            return 0;
        }
        let place = self.first.wrapping_add(offset * self.size);
        // An element of the same size has the same bits.
        let dtype = match self.size {
            1 => ACL_UINT8,
            2 => ACL_UINT16,
            4 => ACL_UINT32,
            _ => ACL_UINT64,
        };
        let mut number = [Whole(0)];
        // SAFETY: the invariant of `View`: the element lies in the extent, and an element of this size is as large.
        unsafe { Whole::load(dtype, place, 0, &mut number) };
        // CAST: the same bits.
        number[0].0 as u64
    }
}

/// Returns the offset of each row, and the number and the distance of the elements of a row.
pub(in crate::op) fn rows(
    shape: &Dims,
    strides: &Dims,
) -> (impl Iterator<Item = usize> + use<>, (usize, usize)) {
    let last = shape.rank().checked_sub(1);
    let is_outer = |index| Some(index) != last;
    let at_last = |dims: &Dims, or| {
        last.and_then(|last| dims.as_slice().get(last).copied())
            .unwrap_or(or)
    };
    let outer = shape
        .filtered(&is_outer)
        .offsets(strides.filtered(&is_outer));
    (outer, (at_last(shape, 1), at_last(strides, 1)))
}

impl ViewMut<'_> {
    /// Reads elements as [`View::read`] does.
    pub(in crate::op) fn read<W: Number>(&self, offset: usize, step: usize, to: &mut [W]) {
        self.0.read(offset, step, to);
    }

    /// Stores numbers in elements that lie `step` elements apart, the first one `offset` elements behind the first of
    /// the view. Does nothing if one of them is outside of the view.
    pub(in crate::op) fn write<W: Number>(&mut self, offset: usize, step: usize, numbers: &[W]) {
        // SAFETY: the view is borrowed exclusively, so no other thread uses it.
        unsafe { self.write_shared(offset, step, numbers) };
    }

    /// Stores numbers as [`write`](Self::write) does, in a view that several threads write.
    ///
    /// # Safety
    ///
    /// - No other thread reads or writes these elements during the call.
    pub(in crate::op) unsafe fn write_shared<W: Number>(
        &self,
        offset: usize,
        step: usize,
        numbers: &[W],
    ) {
        let view = &self.0;
        let reach = numbers
            .len()
            .checked_sub(1)
            .and_then(|last| last.checked_mul(step));
        if reach.is_some_and(|reach| offset.saturating_add(reach) < view.extent) {
            let place = view.first.wrapping_add(offset * view.size);
            // SAFETY: the invariant of `View`: the first and the last element lie in the extent, so all do, and the
            // kernel writes this operand. The caller's contract excludes other threads.
            unsafe { W::store(view.dtype, numbers, place, step.wrapping_mul(view.size)) };
        }
    }

    /// Returns the address of the first element, the number of elements from there to the end of the last one, and the bytes
    /// of an element.
    pub(in crate::op) fn memory(&self) -> (*mut u8, usize, usize) {
        (self.0.first, self.0.extent, self.0.size)
    }

    /// Returns the address of elements next to each other, the first one `offset` elements behind the first of the view.
    /// Returns `None` if one of them is outside of the view.
    pub(in crate::op) fn place(&self, offset: usize, len: usize) -> Option<*mut u8> {
        let view = &self.0;
        let is_inside = offset.saturating_add(len) <= view.extent;
        is_inside.then(|| view.first.wrapping_add(offset * view.size))
    }

    /// Returns the data type of the elements.
    pub(in crate::op) fn dtype(&self) -> aclDataType {
        self.0.dtype
    }

    /// Returns whether numbers for elements next to each other bypass the caches: if the view is large.
    pub(in crate::op) fn is_streaming(&self) -> bool {
        self.0.extent.saturating_mul(self.0.size) >= STREAM_FROM
    }

    /// Stores numbers as [`write_shared`](Self::write_shared) does, in elements next to each other, so that they bypass
    /// the caches. The caller calls `finish_streaming` after the last ones.
    ///
    /// # Safety
    ///
    /// - No other thread reads or writes these elements during the call.
    pub(in crate::op) unsafe fn stream_shared<W: Number>(
        &self,
        offset: usize,
        numbers: &[W],
        room: &mut Room,
    ) {
        let view = &self.0;
        let place = view.first.wrapping_add(offset * view.size);
        let is_inside = offset.saturating_add(numbers.len()) <= view.extent;
        if !is_inside || !place.addr().is_multiple_of(STREAM_ALIGN) {
            // SAFETY: the caller's contract.
            return unsafe { self.write_shared(offset, 1, numbers) };
        }
        if view.dtype == W::OWN {
            // SAFETY: numbers have no padding, and they are borrowed.
            let bytes = unsafe {
                core::slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers))
            };
            // SAFETY: the invariant of `View`: all elements lie in the extent, and the kernel writes this operand. The
            // caller's contract excludes other threads.
            return unsafe { stream_bytes(place, bytes) };
        }
        let store = W::storer(view.dtype, view.size);
        let parts = (0..).step_by(PART * view.size).zip(numbers.chunks(PART));
        for (skipped, numbers) in parts {
            let Some(stored) = room.0.get_mut(..numbers.len() * view.size) else {
                continue;
            };
            // SAFETY: there are as many bytes as the elements have.
            unsafe { store(numbers, stored.as_mut_ptr(), view.size) };
            // SAFETY: as above. A part is a multiple of the alignment, so each place is aligned.
            unsafe { stream_bytes(place.wrapping_add(skipped), stored) };
        }
    }

    /// Returns elements of single precision as a matrix, like [`View::matrix`]. Returns `None` also if two positions of
    /// the matrix may share an element.
    pub(in crate::op) fn matrix(
        &mut self,
        offset: usize,
        sizes: [usize; 2],
        steps: [usize; 2],
    ) -> Option<MatrixMut<'_>> {
        let [[rows, columns], [row, column]] = [sizes, steps];
        let is_by_rows = column == 1 && row >= columns;
        let is_by_columns = row == 1 && column >= rows;
        if !is_by_rows && !is_by_columns {
            return None;
        }
        let first = self.0.matrix_place(offset, sizes, steps)?;
        // SAFETY: the invariant of `View`: the kernel writes this operand. `matrix_place` compared all elements with the
        // extent, and this view is borrowed exclusively. Another view of the same memory is not used meanwhile: kernels
        // ask `Views::is_alone` before.
        Some(unsafe { MatrixMut::strided(first, sizes, steps) })
    }

    /// Returns the sizes of the view's dimensions, outermost first.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    /// Stores a number in the element with the number `index`; the last dimension counts fastest. Does nothing if
    /// `index` is too large.
    pub fn set<W: Number>(&mut self, index: usize, number: W) {
        if let Some(offset) = self.0.shape.offset(&self.0.strides, index) {
            self.put(offset, number);
        }
    }

    /// Stores a number in the element `offset` elements behind the first one; does nothing outside of the view.
    pub(in crate::op) fn put<W: Number>(&mut self, offset: usize, number: W) {
        let view = &self.0;
        if offset < view.extent {
            let place = view.first.wrapping_add(offset * view.size);
            // SAFETY: the invariant of `View`: the element lies in the extent, and the kernel writes this operand.
            unsafe { W::store(view.dtype, &[number], place, 0) };
        }
    }
}
