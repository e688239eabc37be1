//! Indices that are known to lie within a dimension.

use std::ffi::c_void;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Site};
use crate::error::{Misplaced, Result, Usage};
use crate::op::element::{Element, IndexElement};
use crate::op::handle::{RawTensor, RawTensors};
use crate::op::layout::{Contiguous, Layout, View};
use crate::op::parameter::describe::Describe;
use crate::op::parameter::{Index, IndexList, Parameter, is_tensor};
use crate::op::site::SameSite;
use crate::op::slot::{Listed, Place};
use crate::op::tensor::Tensor;
use crate::runtime::HostSide;

/// A tensor of indices, each of which is at least 0 and less than a bound.
///
/// An operator does not compare indices with the tensor that they point into: what lies behind it would be read, or
/// overwritten. So operators take indices that were compared before, by [`Tensor::indices`].
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// let words = current.malloc_host_from(host, &[4_i64, 0, 7])?;
/// let words = current.memcpy(current.malloc(3)?, &words)?;
/// let indices = words.tensor(&[3])?.indices(current, host, 8)?; // each is less than 8
/// assert!(words.tensor(&[3])?.indices(current, host, 7).is_err());
/// # });
/// ```
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
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let words = current.malloc_host_from(host, &[4_i64, 0, 7])?;
    /// let words = current.memcpy(current.malloc(3)?, &words)?;
    /// let indices = words.tensor(&[3])?.indices(current, host, 8)?;
    /// assert_eq!(indices.below(), 8);
    /// # });
    /// ```
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

impl<I: Element> Parameter for Index<I> {
    type Handle = RawTensor;
    type Value = *mut sys::aclTensor;
    type Outputs<L> = L;
    is_tensor!(Place, true, false);

    #[inline(always)]
    fn value(handle: &RawTensor) -> *mut sys::aclTensor {
        handle.as_ptr()
    }
}

/// Implements arguments for the parameter `Index`, and for a view of it. They are not `Located`, so the functions of this
/// crate alone make plans with them, and each compares their bound with the dimension that they point into. A later run
/// has no larger bound.
macro_rules! arguments {
    ($([$($generics:tt)*] $Layout:ty, $Parameter:ty;)*) => { $(
        impl<'b, X: Site, Y: SameSite<X>, I: Element, $($generics)*> Describe<'b, X, $Parameter>
            for &Indices<'b, Y, I, $Layout>
        {
            type Memory<M> = M;

            #[inline(always)]
            fn describe(&mut self) -> Result<RawTensor> {
                let tensor = &self.tensor;
                RawTensor::new::<I, $Layout>(tensor.data, tensor.offset, tensor.dims)
            }

            #[inline(always)]
            fn place(&mut self) -> Place {
                let tensor = &self.tensor;
                Place::new::<I, $Layout>(tensor.data, tensor.offset, tensor.dims).below(self.below)
            }

            #[inline(always)]
            fn into_memory<M>(self, list: M) -> M {
                list
            }
        }
    )* };
}

arguments! {
    [] Contiguous, Index<I>;
    [L: Layout] L, View<Index<I>>;
}

impl<'b, X, I: IndexElement, L> Tensor<'b, X, I, L> {
    /// The tensor as indices, without a look at them.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let words = current.malloc_host_from(host, &[4_i64, 0, 7])?;
    /// let words = current.memcpy(current.malloc(3)?, &words)?;
    /// // SAFETY: 4, 0 and 7 are less than 8.
    /// let indices = unsafe { words.tensor(&[3])?.assume_indices(8) };
    /// # });
    /// ```
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

impl<'b, D: AnyDevice, I> Tensor<'b, D, I> {
    /// The tensor as indices that are less than `below`: copies it to the host and compares each element
    /// (`aclrtMemcpy`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let table = current.memset(current.malloc::<f32>(8 * 4)?, 0)?; // 8 rows of 4 numbers
    /// let words = current.malloc_host_from(host, &[4_i64, 0, 7])?;
    /// let words = current.memcpy(current.malloc(3)?, &words)?;
    /// let indices = words.tensor(&[3])?.indices(current, host, 8)?;
    /// let out = current.malloc(3 * 4)?.into_tensor(&[3, 4])?;
    /// let rows = op::embedding(current, &table.tensor(&[8, 4])?, &indices, out)?.run(&mut stream)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::IndexRange`] for an index that is negative or not less than `below`.
    pub fn indices(
        self,
        current: Current<'_, '_, D>,
        _host: HostSide<'_>,
        below: usize,
    ) -> Result<Indices<'b, D, I>>
    where
        I: IndexElement,
    {
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

impl<D: AnyDevice, T: Element> Tensor<'_, D, T> {
    /// Copies the elements to the host (`aclrtMemcpy`).
    pub(super) fn to_host(&self, current: Current<'_, '_, D>) -> Result<Vec<T>> {
        let len = usize::try_from(self.dims.elements()).unwrap_or_default();
        let mut values = vec![T::zeroed(); len];
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

impl<I: Element> Parameter for IndexList<I> {
    type Handle = RawTensors;
    type Value = *mut sys::aclTensorList;
    type Outputs<L> = L;
    is_tensor!(Listed, true, false);

    fn value(handle: &RawTensors) -> *mut sys::aclTensorList {
        handle.as_ptr()
    }
}

/// A list of indices, one for each dimension; `None` stands for a whole dimension.
#[derive(Debug)]
pub(super) struct EachIndex<'v, 't, 'b, X, I>(pub(super) &'v [Option<&'t Indices<'b, X, I>>]);

#[diagnostic::do_not_recommend]
impl<'b, X: Site, I: IndexElement> Describe<'b, X, IndexList<I>> for EachIndex<'_, '_, 'b, X, I> {
    type Memory<L> = L;

    fn describe(&mut self) -> Result<RawTensors> {
        let raw = |index: &Indices<'b, X, I>| {
            let tensor = &index.tensor;
            RawTensor::new::<I, Contiguous>(tensor.data, tensor.offset, tensor.dims)
        };
        let each = self.0.iter().map(|index| index.map(raw).transpose());
        RawTensors::new(each.collect::<Result<_>>()?)
    }

    fn place(&mut self) -> Listed {
        Listed
    }

    fn into_memory<L>(self, list: L) -> L {
        list
    }
}
