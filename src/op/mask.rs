//! Masks of which it is known how many elements they choose.

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Site};
use crate::error::{Misplaced, Result};
use crate::op::handle::{RawTensor, RawTensors};
use crate::op::layout::Contiguous;
use crate::op::parameter::describe::Describe;
use crate::op::parameter::sealed::Sealed;
use crate::op::parameter::{Parameter, is_tensor};
use crate::op::shape::Dims;
use crate::op::site::SameSite;
use crate::op::slot::Listed;
use crate::op::tensor::Tensor;
use crate::op::truth::Bool;
use crate::runtime::HostSide;

/// A mask that chooses elements, and how many it chooses.
///
/// The data decide how many elements a mask chooses, and an operator writes as many. So operators take masks that were
/// counted before, by [`Tensor::mask`].
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::op::Bool;
///
/// let chosen = current.malloc_host_from(host, &[Bool::TRUE, Bool::FALSE, Bool::TRUE])?;
/// let chosen = current.memcpy(current.malloc(3)?, &chosen)?;
/// let mask = chosen.tensor(&[3])?.mask(current, host)?;
/// assert_eq!(mask.count(), 2);
/// # });
/// ```
///
/// # Invariants
///
/// As long as it is borrowed, `count` elements of `tensor` are true.
#[derive(Debug)]
pub struct Mask<'b, X> {
    tensor: Tensor<'b, X, Bool>,
    count: usize,
}

impl<X> Mask<'_, X> {
    /// How many elements it chooses.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::op::Bool;
    ///
    /// let chosen = current.malloc_host_from(host, &[Bool::TRUE, Bool::FALSE, Bool::TRUE])?;
    /// let chosen = current.memcpy(current.malloc(3)?, &chosen)?;
    /// let mask = chosen.tensor(&[3])?.mask(current, host)?;
    /// assert_eq!(mask.count(), 2);
    /// # });
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The shape of what it chooses of an operand, whose first dimensions it has.
    pub(super) fn chosen(&self, operator: &'static str, operand: &Dims) -> Result<Vec<i64>> {
        let own = &self.tensor.dims;
        let covered = operand.sizes().get(..own.rank.max(1)).unwrap_or_default();
        own.check_beside(operator, operand, covered)?;
        if own.elements() == 0 {
            let shape = own.to_vec();
            return Err(Misplaced::NoElements { operator, shape }.into());
        }
        let rest = operand.sizes().get(own.rank..).unwrap_or_default();
        let count = self.count.cast_signed() as i64;
        Ok([&[count], rest].concat())
    }
}

impl<'b, X> Tensor<'b, X, Bool> {
    /// The tensor as a mask that chooses `count` elements, without a look at them.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::op::Bool;
    ///
    /// let chosen = current.malloc_host_from(host, &[Bool::TRUE, Bool::FALSE, Bool::TRUE])?;
    /// let chosen = current.memcpy(current.malloc(3)?, &chosen)?;
    /// // SAFETY: two of the three elements are true.
    /// let mask = unsafe { chosen.tensor(&[3])?.assume_mask(2) };
    /// # });
    /// ```
    ///
    /// # Safety
    ///
    /// - When an operator reads the tensor, exactly `count` elements are true.
    #[must_use]
    pub unsafe fn assume_mask(self, count: usize) -> Mask<'b, X> {
        // INVARIANT: the caller's contract.
        Mask {
            tensor: self,
            count,
        }
    }
}

impl<'b, D: AnyDevice> Tensor<'b, D, Bool> {
    /// The tensor as a mask: copies it to the host and counts the elements that are true (`aclrtMemcpy`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::op::Bool;
    ///
    /// let chosen = current.malloc_host_from(host, &[Bool::TRUE, Bool::FALSE, Bool::TRUE])?;
    /// let chosen = current.memcpy(current.malloc(3)?, &chosen)?;
    /// let mask = chosen.tensor(&[3])?.mask(current, host)?; // for `op::masked_select`
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`](crate::ErrorKind::Refused) when the copy fails.
    pub fn mask(self, current: Current<'_, '_, D>, _host: HostSide<'_>) -> Result<Mask<'b, D>> {
        let values = self.to_host(current)?;
        let count = values
            .into_iter()
            .filter(|value| bool::from(*value))
            .count();
        // INVARIANT: counted above, and nobody writes what is borrowed.
        Ok(Mask {
            tensor: self,
            count,
        })
    }
}

/// A list that has one mask, which the operator reads. An operator of this crate has counted what it chooses, so nothing
/// else is an argument for it.
#[derive(Debug)]
pub enum MaskList {}
impl Sealed for MaskList {}
impl Parameter for MaskList {
    type Handle = RawTensors;
    type Value = *mut sys::aclTensorList;
    type Outputs<L> = L;
    // C looks for the true elements first.
    is_tensor!(Listed, true, false, waits: true);

    fn value(handle: &RawTensors) -> *mut sys::aclTensorList {
        handle.as_ptr()
    }
}
#[diagnostic::do_not_recommend]
impl<'b, X: Site, Y: SameSite<X>> Describe<'b, X, MaskList> for &Mask<'b, Y> {
    type Memory<L> = L;

    fn describe(&mut self) -> Result<RawTensors> {
        let tensor = &self.tensor;
        let raw = RawTensor::new::<Bool, Contiguous>(tensor.data, tensor.offset, tensor.dims)?;
        RawTensors::new(vec![Some(raw)])
    }

    fn place(&mut self) -> Listed {
        Listed
    }

    fn into_memory<L>(self, list: L) -> L {
        list
    }
}
