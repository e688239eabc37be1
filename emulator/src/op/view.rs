//! Views of the operands of a running kernel.

use core::marker::PhantomData;

use ascendcl_sys::{ACL_DT_UNDEFINED, aclDataType};

use super::call::{Input, Operand, Output};
use super::dtype::element_size;
use super::number::Number;
use super::plan::Plan;
use super::shape::Dims;
use crate::engine::kernel::Mapped;

/// The memory of a kernel's operands while the kernel runs.
#[derive(Debug)]
pub struct Views<'a> {
    plan: &'a Plan,
    mapped: &'a [Mapped],
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
    pub(super) unsafe fn new(plan: &'a Plan, mapped: &'a [Mapped]) -> Option<Self> {
        let mut spans = plan.extents.iter().filter_map(|extent| {
            let span = extent.span?;
            Some((mapped.get(span), extent.len))
        });
        let is_whole = spans.all(|(given, len)| given.is_some_and(|given| given.len >= len));
        is_whole.then_some(Self { plan, mapped })
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

    /// Returns the address of an operand's first byte if the operand has elements.
    pub(super) fn pointer(&self, slot: usize) -> Option<*mut u8> {
        let span = self.plan.extents.get(slot)?.span?;
        Some(self.mapped.get(span)?.pointer)
    }

    fn view(&self, slot: usize, is_written: bool) -> View<'a> {
        let operand = self.plan.operands.get(slot);
        let found = operand.filter(|operand| operand.is_written == is_written);
        let found = found.zip(self.pointer(slot));
        // INVARIANT: `new` compared the extent of this operand with this memory, or the view has no elements.
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
    pub(super) fn at<W: Number>(&self, offset: usize) -> W {
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

impl ViewMut<'_> {
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
    pub(super) fn put<W: Number>(&mut self, offset: usize, number: W) {
        let view = &self.0;
        if offset < view.extent {
            let place = view.first.wrapping_add(offset * view.size);
            // SAFETY: the invariant of `View`: the element lies in the extent, and the kernel writes this operand.
            unsafe { W::store(view.dtype, &[number], place, 0) };
        }
    }
}
