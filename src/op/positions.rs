//! Positions that are known to lie within a tensor.

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Site};
use crate::error::{Misplaced, Result, Usage};
use crate::op::element::{Element, IndexElement};
use crate::op::handle::RawTensor;
use crate::op::layout::Contiguous;
use crate::op::parameter::describe::Describe;
use crate::op::parameter::{Parameter, PositionRows, is_tensor};
use crate::op::shape::Dims;
use crate::op::site::SameSite;
use crate::op::slot::Listed;
use crate::op::tensor::Tensor;
use crate::runtime::HostSide;

/// A tensor of positions: each row, along the last dimension, has an index for each of the first dimensions of another
/// tensor.
///
/// An operator does not compare positions with the tensor that they point into: it would overwrite what lies behind.
/// So operators take positions that were compared before, by [`Tensor::positions`].
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// let places = current.malloc_host_from(host, &[0_i64, 3, 1, 2])?;
/// let places = current.memcpy(current.malloc(4)?, &places)?;
/// // Two positions in a matrix of 2 rows and 4 columns: (0, 3) and (1, 2).
/// let positions = places.tensor(&[2, 2])?.positions(current, host, &[2, 4])?;
/// assert_eq!(positions.below(), [2, 4]);
/// # });
/// ```
///
/// # Invariants
///
/// The last dimension of `tensor` has as many elements as `below`. As long as it is borrowed, each element is at least
/// 0 and less than the number of `below` at its place in the row.
#[derive(Debug)]
pub struct Positions<'b, X, I> {
    pub(super) tensor: Tensor<'b, X, I>,
    below: Vec<usize>,
}

impl<X, I> Positions<'_, X, I> {
    /// The bounds, which no index of a row reaches.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let places = current.malloc_host_from(host, &[0_i64, 3, 1, 2])?;
    /// let places = current.memcpy(current.malloc(4)?, &places)?;
    /// let positions = places.tensor(&[2, 2])?.positions(current, host, &[2, 4])?;
    /// assert_eq!(positions.below(), [2, 4]);
    /// # });
    /// ```
    #[must_use]
    pub fn below(&self) -> &[usize] {
        &self.below
    }

    /// Checks that the first dimensions of the operand have so many elements.
    pub(super) fn check_within(&self, operator: &'static str, operand: &Dims) -> Result<()> {
        let sizes = operand.to_vec();
        let mut bounds = self.below.iter().zip(&sizes);
        if self.below.len() <= sizes.len() && bounds.all(|(below, size)| below <= size) {
            return Ok(());
        }
        let below = self.below.clone();
        let shape = sizes;
        Err(Misplaced::PositionBound {
            operator,
            below,
            shape,
        }
        .into())
    }
}

impl<I: Element> Parameter for PositionRows<I> {
    type Handle = RawTensor;
    type Value = *mut sys::aclTensor;
    type Outputs<L> = L;
    // Other positions could have larger bounds, so their tensor keeps its address.
    is_tensor!(Listed, true, false);

    fn value(handle: &RawTensor) -> *mut sys::aclTensor {
        handle.as_ptr()
    }
}

#[diagnostic::do_not_recommend]
impl<'b, X: Site, Y: SameSite<X>, I: IndexElement> Describe<'b, X, PositionRows<I>>
    for &Positions<'b, Y, I>
{
    type Memory<L> = L;

    fn describe(&mut self) -> Result<RawTensor> {
        let tensor = &self.tensor;
        RawTensor::new::<I, Contiguous>(tensor.data, tensor.offset, tensor.dims)
    }

    fn place(&mut self) -> Listed {
        Listed
    }

    fn into_memory<L>(self, list: L) -> L {
        list
    }
}

impl<'b, X, I: IndexElement> Tensor<'b, X, I> {
    /// The tensor as positions, without a look at its elements.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let places = current.malloc_host_from(host, &[0_i64, 3, 1, 2])?;
    /// let places = current.memcpy(current.malloc(4)?, &places)?;
    /// // SAFETY: 0 and 1 are less than 2, and 3 and 2 are less than 4.
    /// let positions = unsafe { places.tensor(&[2, 2])?.assume_positions(&[2, 4]) }?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Misplaced::PositionRow`] if the last dimension has another number of elements than `below`.
    ///
    /// # Safety
    ///
    /// - When an operator reads the tensor, each element is at least 0 and less than the number of `below` at its place
    ///   in the last dimension.
    pub unsafe fn assume_positions(self, below: &[usize]) -> Result<Positions<'b, X, I>> {
        let shape = self.dims.to_vec();
        if below.is_empty() || shape.last() != Some(&below.len()) {
            let bounds = below.len();
            return Err(Misplaced::PositionRow { shape, bounds }.into());
        }
        // INVARIANT: the length was compared, and the rest is the caller's contract.
        Ok(Positions {
            tensor: self,
            below: below.to_vec(),
        })
    }
}

impl<'b, D: AnyDevice, I> Tensor<'b, D, I> {
    /// The tensor as positions within the first dimensions of a tensor, which have as many elements as `below` says:
    /// copies it to the host and compares each element (`aclrtMemcpy`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let places = current.malloc_host_from(host, &[0_i64, 3, 1, 2])?;
    /// let places = current.memcpy(current.malloc(4)?, &places)?;
    /// // The positions (0, 3) and (1, 2) in a matrix of 2 rows and 4 columns.
    /// let positions = places.tensor(&[2, 2])?.positions(current, host, &[2, 4])?;
    /// assert!(places.tensor(&[2, 2])?.positions(current, host, &[2, 3]).is_err());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Misplaced::PositionRow`] if the last dimension has another number of elements than `below`, and
    /// [`Usage::IndexRange`] for an index that is negative or not less than its bound.
    pub fn positions(
        self,
        current: Current<'_, '_, D>,
        _host: HostSide<'_>,
        below: &[usize],
    ) -> Result<Positions<'b, D, I>>
    where
        I: IndexElement,
    {
        let values = self.to_host(current)?;
        // SAFETY: not used before the comparison below, and nobody writes what is borrowed.
        let positions = unsafe { self.assume_positions(below)? };
        let bounds = below.iter().copied().cycle();
        for (position, (value, below)) in values.into_iter().zip(bounds).enumerate() {
            let index = value.into();
            if !usize::try_from(index).is_ok_and(|index| index < below) {
                let wrong = Usage::IndexRange {
                    index,
                    position,
                    below,
                };
                return Err(wrong.into());
            }
        }
        Ok(positions)
    }
}
