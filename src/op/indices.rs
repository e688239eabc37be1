//! Indices that are known to lie within a dimension.

use std::ffi::c_void;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Site};
use crate::error::{Misplaced, Result, Usage};
use crate::op::element::IndexElement;
use crate::op::handle::{RawTensor, RawTensors};
use crate::op::layout::Contiguous;
use crate::op::parameter::SparseList;
use crate::op::parameter::describe::Describe;
use crate::op::tensor::Tensor;
use crate::runtime::HostSide;

/// A tensor of indices, each of which is at least 0 and less than a bound.
///
/// An operator does not compare indices with the tensor that they point into: what lies behind it would be read, or
/// overwritten. So operators take indices that were compared before, by [`Tensor::indices`].
///
/// # Invariants
///
/// Each element of `tensor` is at least 0 and less than `below`, as long as it is borrowed.
#[derive(Debug)]
pub struct Indices<'b, X, I, L = Contiguous> {
    pub(super) tensor: Tensor<'b, X, I, L>,
    below: usize,
}

impl<'b, X, I: IndexElement, L> Indices<'b, X, I, L> {
    /// The bound, which no index reaches.
    #[must_use]
    pub fn below(&self) -> usize {
        self.below
    }

    /// Checks that the dimension into which the indices point has so many elements.
    pub(super) fn check_within(&self, operator: &'static str, size: i64) -> Result<()> {
        let size = usize::try_from(size).unwrap_or_default();
        if self.below <= size {
            return Ok(());
        }
        let below = self.below;
        Err(Usage::IndexBound {
            operator,
            below,
            size,
        }
        .into())
    }

    /// Checks that `count` elements fit behind each other in a dimension of `size`, from each of the indices on.
    pub(super) fn check_places(&self, operator: &'static str, size: i64, count: i64) -> Result<()> {
        let to_usize = |size: i64| usize::try_from(size).unwrap_or_default();
        let places = to_usize(size.saturating_sub(count).saturating_add(1));
        if self.below <= places {
            return Ok(());
        }
        Err(Misplaced::IndexPlaces {
            operator,
            below: self.below,
            places,
            count: to_usize(count),
            size: to_usize(size),
        }
        .into())
    }
}

impl<'b, X, I: IndexElement, L> Tensor<'b, X, I, L> {
    /// The tensor as indices, without a look at them.
    ///
    /// # Safety
    ///
    /// - When an operator reads the tensor, each element is at least 0 and less than `below`.
    #[must_use]
    pub unsafe fn assume_indices(self, below: usize) -> Indices<'b, X, I, L> {
        // INVARIANT: the caller's contract.
        Indices {
            tensor: self,
            below,
        }
    }
}

impl<'b, D: AnyDevice, I: IndexElement> Tensor<'b, D, I> {
    /// The tensor as indices that are less than `below`: copies it to the host and compares each element
    /// (`aclrtMemcpy`).
    ///
    /// # Errors
    ///
    /// [`Usage::IndexRange`] for an index that is negative or not less than `below`.
    pub fn indices(
        self,
        current: Current<'_, '_, D>,
        _host: HostSide<'_>,
        below: usize,
    ) -> Result<Indices<'b, D, I>> {
        let values = self.to_host(current)?;
        let is_within = |index: i64| usize::try_from(index).is_ok_and(|index| index < below);
        for (position, value) in values.into_iter().enumerate() {
            let index = value.into();
            if !is_within(index) {
                let wrong = Usage::IndexRange {
                    index,
                    position,
                    below,
                };
                return Err(wrong.into());
            }
        }
        // INVARIANT: compared above, and nobody writes what is borrowed.
        Ok(Indices {
            tensor: self,
            below,
        })
    }
}

impl<D: AnyDevice, I: IndexElement> Tensor<'_, D, I> {
    /// Copies the elements to the host (`aclrtMemcpy`).
    pub(super) fn to_host(&self, current: Current<'_, '_, D>) -> Result<Vec<I>> {
        let len = usize::try_from(self.dims.elements()).unwrap_or_default();
        let mut values = vec![I::default(); len];
        let bytes = size_of_val(values.as_slice());
        let source = self.data.wrapping_add(self.offset).cast::<c_void>();
        // SAFETY: `values` has as many bytes; the tensor is contiguous, and borrowed memory of the current device.
        let code = unsafe {
            sys::aclrtMemcpy(
                values.as_mut_ptr().cast::<c_void>(),
                bytes,
                source,
                bytes,
                sys::ACL_MEMCPY_DEVICE_TO_HOST,
            )
        };
        if code != sys::ACL_SUCCESS {
            // It waits for a copy whose time was up: `values` is freed when this function returns.
            return Err(current.blocking_failed("aclrtMemcpy", code));
        }
        Ok(values)
    }
}

/// A list of indices, one for each dimension; `None` stands for a whole dimension.
#[derive(Debug)]
pub(super) struct IndexList<'v, 't, 'b, X, I>(pub(super) &'v [Option<&'t Indices<'b, X, I>>]);

impl<'b, X: Site, I: IndexElement> Describe<'b, X, SparseList<I>> for IndexList<'_, '_, 'b, X, I> {
    type Memory<L> = L;

    fn describe(&mut self) -> Result<RawTensors> {
        let raw = |index: &Indices<'b, X, I>| {
            let tensor = &index.tensor;
            RawTensor::new::<I, Contiguous>(tensor.data, tensor.offset, tensor.dims)
        };
        let each = self.0.iter().map(|index| index.map(raw).transpose());
        RawTensors::new(each.collect::<Result<_>>()?)
    }

    fn into_memory<L>(self, list: L) -> L {
        list
    }
}
