//! Outputs of which the data decide how many elements an operator writes: it writes the front, and C says how far.

use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::device::{AnyDevice, Site};
use crate::error::{Error, Result};
use crate::memory::{Buf, Elements, OnDevice, Operand, Place, Slice, Uninit};
use crate::op::element::Element;
use crate::op::handle::RawTensor;
use crate::op::layout::Contiguous;
use crate::op::located::Located;
use crate::op::operator::written::{Front, Returned};
use crate::op::parameter::describe::Describe;
use crate::op::parameter::{OutUpTo, Parameter, is_tensor};
use crate::op::shape::{Dims, MAX_RANK};
use crate::op::slot::Listed;
use crate::op::tensor::Tensor;
use crate::park::{Parking, StreamKey, User};
use crate::queue::{Queue, Queued, owned};
use crate::raw::check;
use crate::stream::{AnyStream, StreamTag};

/// An output of which the data decide how many elements the operator writes: fresh memory, with the largest shape that
/// the result can have.
///
/// Made by [`Buf::into_tensor_up_to`] from an idle buffer, or by [`Queued::into_tensor_up_to`] from a queued one. The
/// operator gives the memory back as [`Counted`].
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op;
///
/// let zeros = current.memset(current.malloc::<f32>(4)?, 0)?;
/// let out = current.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?; // at most four positions
/// let found = op::nonzero(current, &zeros.tensor(&[4])?, out)?.run(&mut stream)?;
/// assert_eq!(found.shape()?, [0, 1]); // no element is other than zero
/// # });
/// ```
pub struct TensorUpTo<C> {
    counted: C,
    pub(super) dims: Dims,
}

/// Memory of which an operator has written the front, and the shape of what it has written.
///
/// The data decide the shape, so C has it only after a wait. [`Plan::run`](crate::op::Plan::run) waits and gives this
/// back. [`Plan::launch`](crate::op::Plan::launch) gives back [`Queued`] memory, for which
/// [`Idle::take`](crate::stream::Idle::take) returns this. The elements behind the front stay uninitialised, so nothing
/// reads them.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op;
///
/// let numbers = current.malloc_host_from(host, &[0_i32, 5, 0, 7])?;
/// let numbers = current.memcpy(current.malloc(4)?, &numbers)?;
/// let out = current.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?;
/// let found = op::nonzero(current, &numbers.tensor(&[4])?, out)?.run(&mut stream)?;
/// assert_eq!(found.shape()?, [2, 1]);
/// let mut positions = current.malloc_host::<i64>(host, 2)?;
/// current.memcpy(&mut positions, found.front()?)?;
/// assert_eq!(positions[..], [1, 3]);
/// # });
/// ```
///
/// # Invariants
///
/// - `tensor` describes `memory`, contiguous and from its first element on.
/// - Outside of [`Queued`] and [`TensorUpTo`], the operator that got `tensor` as an output has succeeded.
pub struct Counted<'dev, M: Place, E: Elements + ?Sized> {
    /// C changes its shape. So it lives until the work is over.
    tensor: RawTensor,
    memory: Buf<'dev, M, E, Uninit>,
}

impl<'dev, M: Place + Operand, E: Elements<Element: Element> + ?Sized> Buf<'dev, M, E, Uninit> {
    /// The fresh buffer as an output of at most the given shape, for operators such as
    /// [`nonzero`](crate::op::nonzero): the data decide how many elements they write.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let numbers = current.malloc_host_from(host, &[0_i32, 5, 0, 7])?;
    /// let numbers = current.memcpy(current.malloc(4)?, &numbers)?;
    /// let out = current.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?; // at most four positions
    /// let found = op::nonzero(current, &numbers.tensor(&[4])?, out)?.run(&mut stream)?;
    /// assert_eq!(found.shape()?, [2, 1]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`]; the buffer is freed then.
    pub fn into_tensor_up_to(self, shape: &[usize]) -> Result<TensorUpTo<Counted<'dev, M, E>>> {
        let dims = Dims::new(shape, self.len())?;
        let tensor = RawTensor::new::<E::Element, Contiguous>(self.as_raw(), 0, dims)?;
        // INVARIANT: no operator had it yet.
        let counted = Counted {
            tensor,
            memory: self,
        };
        Ok(TensorUpTo { counted, dims })
    }
}

// Not on a recording: the second phase of such an operator waits for the stream.
impl<'q, 'dev, D: AnyDevice, S: AnyStream, M, E, H> Queued<'q, (D, S), Buf<'dev, M, E, Uninit>, H>
where
    M: Place + Operand + OnDevice<D>,
    E: Elements<Element: Element> + ?Sized,
{
    /// The fresh queued buffer as an output of at most the given shape, for operators such as
    /// [`nonzero`](crate::op::nonzero): the data decide how many elements they write.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let zeros = stream.memset_async(stream.malloc::<f32>(4)?, 0)?;
    /// let out = stream.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?;
    /// let found = op::nonzero(current, &zeros.tensor(&[4])?, out)?.launch(&mut stream)?.into_output();
    /// let found = stream.synchronize()?.take(found);
    /// assert_eq!(found.shape()?, [0, 1]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`]; the buffer is parked then.
    pub fn into_tensor_up_to(
        self,
        shape: &[usize],
    ) -> Result<TensorUpTo<Queued<'q, (D, S), Counted<'dev, M, E>, H>>>
    where
        S: StreamTag,
    {
        let memory = self.resource();
        let dims = Dims::new(shape, memory.len())?;
        let tensor = RawTensor::new::<E::Element, Contiguous>(memory.as_raw(), 0, dims)?;
        // INVARIANT: no operator had it yet.
        let counted = self.map(|memory| Counted { tensor, memory });
        Ok(TensorUpTo { counted, dims })
    }
}

impl<'dev, M: Place, E: Elements + ?Sized> Counted<'dev, M, E> {
    /// The shape of what the operator has written (`aclGetViewShape`). It has the dimensions of the largest shape.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let zeros = current.memset(current.malloc::<f32>(4)?, 0)?;
    /// let out = current.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?;
    /// let found = op::nonzero(current, &zeros.tensor(&[4])?, out)?.run(&mut stream)?;
    /// assert_eq!(found.shape()?, [0, 1]); // no element is other than zero
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`](crate::ErrorKind::Refused) if C does not say the shape, or says one that is larger than the
    /// memory.
    #[doc(alias = "aclGetViewShape")]
    pub fn shape(&self) -> Result<Vec<usize>> {
        const CALL: &str = "aclGetViewShape";
        let (mut sizes, mut rank) = (std::ptr::null_mut(), 0);
        // SAFETY: a live description, and both places are valid for writes.
        let code =
            unsafe { sys::aclGetViewShape(self.tensor.as_ptr(), &raw mut sizes, &raw mut rank) };
        check(CALL, code)?;
        let rank = usize::try_from(rank).unwrap_or(usize::MAX);
        let shape = (!sizes.is_null() && rank <= MAX_RANK).then(|| {
            // SAFETY: C has written `rank` numbers there (`aclnn/acl_meta.h`).
            let sizes = unsafe { std::slice::from_raw_parts(sizes, rank) };
            fitting(sizes, self.memory.len())
        });
        // SAFETY: C has allocated them for the caller by `new[]` (manual of `aclGetViewShape`, CANN 8.0). For numbers the
        // C++ runtime allocates by `malloc`, and nothing else has the address; null is allowed.
        unsafe { free(sizes.cast()) };
        shape
            .flatten()
            .ok_or_else(|| Error::refused(CALL, sys::ACLNN_ERR_INNER))
    }

    /// The elements that the operator has written, as a part that copies read.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let numbers = current.malloc_host_from(host, &[0_i32, 5, 0, 7])?;
    /// let numbers = current.memcpy(current.malloc(4)?, &numbers)?;
    /// let out = current.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?;
    /// let found = op::nonzero(current, &numbers.tensor(&[4])?, out)?.run(&mut stream)?;
    /// let mut positions = current.malloc_host::<i64>(host, 2)?;
    /// current.memcpy(&mut positions, found.front()?)?;
    /// assert_eq!(positions[..], [1, 3]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Counted::shape`].
    pub fn front(&self) -> Result<Slice<'_, M, [E::Element]>> {
        let len = elements(&self.shape()?).unwrap_or_default();
        let front = self.memory.at(0..len)?;
        // SAFETY: the operator has succeeded (invariant) and has written the elements of the shape that it has left
        // (contract of `Operator`). They are borrowed with `self`, and idle.
        Ok(unsafe { Slice::new(front) })
    }

    /// What the operator has written, as an operand of the shape that it has left.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let numbers = current.malloc_host_from(host, &[0_i32, 5, 0, 7])?;
    /// let numbers = current.memcpy(current.malloc(4)?, &numbers)?;
    /// let out = current.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?;
    /// let found = op::nonzero(current, &numbers.tensor(&[4])?, out)?.run(&mut stream)?;
    /// let out = current.malloc(2)?.into_tensor(&[2, 1])?;
    /// op::neg(current, &found.tensor()?, out)?.run(&mut stream)?; // of the two positions
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Counted::shape`].
    pub fn tensor(&self) -> Result<Tensor<'_, M::Device, E::Element>>
    where
        M: Operand,
    {
        let shape = self.shape()?;
        let len = elements(&shape).unwrap_or_default();
        let dims = Dims::of_part(&shape, len)?;
        // INVARIANT: as in `front`.
        Ok(Tensor::whole(self.memory.as_raw(), dims))
    }

    /// The memory as fresh memory, for another output.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let numbers = current.malloc_host_from(host, &[0_i32, 5, 0, 7])?;
    /// let numbers = current.memcpy(current.malloc(4)?, &numbers)?;
    /// let out = current.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?;
    /// let found = op::nonzero(current, &numbers.tensor(&[4])?, out)?.run(&mut stream)?;
    /// let again = found.into_fresh().into_tensor_up_to(&[4, 1])?; // for another search
    /// # });
    /// ```
    #[must_use]
    pub fn into_fresh(self) -> Buf<'dev, M, E, Uninit> {
        self.memory
    }
}

unsafe extern "C" {
    /// Of the C library, which each program of `std` has.
    fn free(memory: *mut c_void);
}

/// The sizes as a shape, if memory of `len` elements has all of its elements.
fn fitting(sizes: &[i64], len: usize) -> Option<Vec<usize>> {
    let sizes = sizes.iter().map(|size| usize::try_from(*size).ok());
    let shape: Vec<usize> = sizes.collect::<Option<_>>()?;
    elements(&shape)
        .is_some_and(|elements| elements <= len)
        .then_some(shape)
}

/// The number of elements of a shape.
fn elements(shape: &[usize]) -> Option<usize> {
    shape
        .iter()
        .try_fold(1usize, |elements, size| elements.checked_mul(*size))
}

impl<D, M: Place + OnDevice<D>, E: Elements + ?Sized> owned::Owned<D> for Counted<'_, M, E> {
    const SWAPS: bool = true;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        self.tensor.into_parking(parking, users);
        self.memory.into_parking(parking, users);
    }

    fn enters(&self, _: StreamKey) {}

    /// The shape is compared with the memory whenever it is read, so a shape that no operator has written reaches no
    /// other memory.
    fn accepted(&self) {}
}

/// Fresh memory of which an operator of the site `X` writes the front.
#[diagnostic::on_unimplemented(
    message = "an operator on `{T}` elements of `{X}` cannot write to the front of `{Self}`",
    label = "expected fresh `{T}` device memory at the site of the operands: idle on their device, or queued on their stream",
    note = "if the operands are idle, so is the output: `current.malloc(len)?.into_tensor_up_to(shape)?`",
    note = "if the operands are queued, allocate the output on their stream: `stream.malloc(len)?.into_tensor_up_to(shape)?`"
)]
pub trait CountedOutput<X, T>: front::Front<X, Elements: Elements<Element = T>> + Located {}
#[diagnostic::do_not_recommend]
impl<X, T, C: front::Front<X, Elements: Elements<Element = T>> + Located> CountedOutput<X, T>
    for C
{
}

mod front {
    use super::{Elements, sys};

    crate::state::sealed! {
        "a wrong implementation would say that memory was written";
        /// Seals [`CountedOutput`](super::CountedOutput), for each site.
        pub trait Front<X> {
            /// The elements of the memory.
            type Elements: Elements + ?Sized;
            /// What the caller has afterwards: [`Counted`](super::Counted) memory, or the same queued.
            type Counted;

            fn description(&self) -> *mut sys::aclTensor;

            /// # Safety
            ///
            /// - If `X` is a device, the operator has succeeded. If `X` is a queue, it was queued.
            unsafe fn counted(self) -> Self::Counted;
        }
    }
}

#[diagnostic::do_not_recommend]
impl<D: AnyDevice, M, E: Elements + ?Sized> front::Front<D> for Counted<'_, M, E>
where
    M: Place + OnDevice<D>,
{
    type Elements = E;
    type Counted = Self;

    fn description(&self) -> *mut sys::aclTensor {
        self.tensor.as_ptr()
    }

    unsafe fn counted(self) -> Self {
        // INVARIANT: the caller's contract.
        self
    }
}

#[diagnostic::do_not_recommend]
impl<'q, 'dev, Q: Queue, M, E: Elements + ?Sized, H> front::Front<Q>
    for Queued<'q, Q, Counted<'dev, M, E>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Elements = E;
    type Counted = Queued<'q, Q, Counted<'dev, M, E>>;

    fn description(&self) -> *mut sys::aclTensor {
        self.resource().tensor.as_ptr()
    }

    unsafe fn counted(self) -> Self::Counted {
        // The work replaces all that is read of streams before `Q`, so their names are removed.
        // INVARIANT: the memory leaves the queue only behind a wait for that work.
        self.with_history()
    }
}

impl<T: Element> Parameter for OutUpTo<T> {
    // Its memory owns the description, because C changes it later.
    type Handle = *mut sys::aclTensor;
    type Value = *mut sys::aclTensor;
    type Outputs<L> = (L, Front<T>);
    is_tensor!(Listed, false, true, waits: true);

    fn value(handle: &*mut sys::aclTensor) -> *mut sys::aclTensor {
        *handle
    }
}
impl<'b, X: Site, T: Element, C: CountedOutput<X, T>> Describe<'b, X, OutUpTo<T>>
    for TensorUpTo<C>
{
    type Memory<L> = (L, C);

    fn describe(&mut self) -> Result<*mut sys::aclTensor> {
        Ok(front::Front::<X>::description(&self.counted))
    }

    fn place(&mut self) -> Listed {
        Listed
    }

    fn into_memory<L>(self, list: L) -> (L, C) {
        (list, self.counted)
    }
}

impl<X, T, C: CountedOutput<X, T>> Returned<X, Front<T>> for C {
    type Returned = <C as front::Front<X>>::Counted;

    unsafe fn returned(self) -> Self::Returned {
        // SAFETY: the caller's contract.
        unsafe { front::Front::<X>::counted(self) }
    }
}

impl<M: Place, E: Elements + ?Sized> Located for Counted<'_, M, E> {
    type Site<D, Rest> = D;
}
impl<C: Located> Located for TensorUpTo<C> {
    type Site<D, Rest> = C::Site<D, Rest>;
}

impl<M: Place, E: Elements + ?Sized> fmt::Debug for Counted<'_, M, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Counted({:?})", self.memory)
    }
}

impl<C: fmt::Debug> fmt::Debug for TensorUpTo<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TensorUpTo({:?}, {:?})", self.counted, self.dims)
    }
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn a_shape_lies_in_its_memory() {
        for (sizes, len, expected) in [
            (&[3, 2][..], 6, Some(vec![3, 2])),
            (&[0, 2], 6, Some(vec![0, 2])),
            (&[], 1, Some(vec![])),
            (&[4, 2], 6, None),
            (&[-1, 2], 6, None),
            (&[i64::MAX, i64::MAX], 6, None),
        ] {
            assert_eq!(fitting(sizes, len), expected, "{sizes:?} {len}");
        }
    }
}
