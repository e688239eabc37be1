//! Memory at reserved addresses as operands: all elements that were written, and the next ones.

use crate::device::AnyDevice;
use crate::error::Result;
use crate::memory::{OnDevice, Plain, Reserved, ReservedBuf, Slice, Tail};
use crate::op::element::Element;
use crate::op::located::Located;
use crate::op::shape::Dims;
use crate::op::tensor::{Tensor, TensorOut, misaligned_by};
use crate::queue::{Queue, Queued, Shared};

/// Declares what an idle and a queued buffer are.
macro_rules! tensors {
    ($([$($generics:tt)*] $buffer:ty, $site:ty, [$($where:tt)*];)*) => { $(
        impl<D: AnyDevice, T: Element + Plain, $($generics)*> $buffer
        $($where)*
        {
            /// The elements that were written, as an operand of the given shape, outermost dimension first.
            ///
            /// ```
            /// # ascendcl::example!(|acl, host, current, stream| {
            /// use ascendcl::op;
            ///
            /// let mut rows = stream.adopt(current.reserve_mem_address::<f32>(host, 1 << 20)?);
            /// stream.memset_async(rows.grow(current, 8)?, 0)?;
            /// let out = stream.malloc(8)?.into_tensor(&[2, 4])?;
            /// op::abs(current, &rows.tensor(&[2, 4])?, out)?.launch(&mut stream)?.into_output();
            /// # });
            /// ```
            ///
            /// # Errors
            ///
            /// As for [`Slice::tensor`](crate::memory::Slice::tensor).
            pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, $site, T>> {
                self.slice(0..self.len())?.tensor(shape)
            }
        }
    )* };
}

tensors! {
    [] ReservedBuf<'_, D, T>, D, [];
    [Q: Queue, H] Queued<'_, Q, ReservedBuf<'_, D, T>, H>, Q, [where Reserved<D>: OnDevice<Q::Device>];
}

impl<D: AnyDevice, T: Element + Plain, Q: Queue, H>
    Queued<'_, Q, Shared<Q::Device, ReservedBuf<'_, D, T>>, H>
where
    Reserved<D>: OnDevice<Q::Device>,
{
    /// The elements that were written, as an operand of work on the same stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let mut rows = stream.adopt(current.reserve_mem_address::<f32>(host, 1 << 20)?);
    /// stream.memset_async(rows.grow(current, 8)?, 0)?;
    /// let rows = rows.share(); // several streams read it, and it grows no more
    /// let out = stream.malloc(8)?.into_tensor(&[2, 4])?;
    /// op::abs(current, &rows.tensor(&[2, 4])?, out)?.launch(&mut stream)?.into_output();
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Slice::tensor`].
    pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, Q, T>> {
        // SAFETY: the written elements of a share that is queued on `Q` and borrowed.
        let rows: Slice<'_, Reserved<D>, [T], Q> = unsafe { Slice::new(self.resource().written()) };
        rows.tensor(shape)
    }
}

impl<D, T: Element, Q> Tail<'_, D, T, Q> {
    /// The next elements as an output of the given shape, outermost dimension first: an operator appends its result.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let ones = stream.memset_async(stream.malloc::<i32>(4)?, 1)?;
    /// let mut sums = stream.adopt(current.reserve_mem_address::<i32>(host, 1 << 20)?);
    /// for _ in 0..3 {
    ///     let next = sums.grow(current, 4)?.into_tensor(&[4])?;
    ///     op::mul(current, &ones.tensor(&[4])?, &ones.tensor(&[4])?, next)?.launch(&mut stream)?.into_output();
    /// }
    /// assert_eq!(sums.len(), 12);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`SliceMut::into_tensor`](crate::memory::SliceMut::into_tensor).
    pub fn into_tensor(self, shape: &[usize]) -> Result<TensorOut<Self>> {
        let part = self.raw();
        let dims = Dims::of_part(shape, part.len())?;
        let offset = misaligned_by(part.cast::<T>().as_ptr());
        Ok(TensorOut {
            memory: self,
            offset,
            start: (),
            dims,
        })
    }
}

impl<D, T> Located for Tail<'_, D, T> {
    type Site<C, Rest> = C;
}
impl<D, T, C, S> Located for Tail<'_, D, T, (C, S)> {
    type Site<E, Rest> = (C, S);
}
