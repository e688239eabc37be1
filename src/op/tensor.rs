//! Tensors: device memory with a shape.

use std::fmt;
use std::marker::PhantomData;

use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::Usage;
use crate::memory::elements::ElementOf;
use crate::memory::{
    Buf, Elements, Host, Init, Mapped, OnBoard, OnDevice, Operand, Place, Slice, SliceMut, Uninit,
};
use crate::op::element::Element;
use crate::op::layout::{Contiguous, Layout};
use crate::op::shape::Dims;
use crate::queue::{Queue, Queued, Shared};
use crate::scope::{Lease, Lend, LendMut, Registered};
use crate::state::Invariant;

/// An operand: initialised device memory, borrowed, with a shape.
///
/// Made by [`Buf::tensor`] from an idle buffer, then `X` is its device, or by [`Queued::tensor`] from
/// a queued one, then `X` is its queue. Views such as [`Tensor::permute`] and [`Tensor::slice`] choose among its elements
/// and copy none; their layout `L` is [`Strided`](crate::op::Strided).
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::op::Tensor;
///
/// let numbers = current.memset(current.malloc::<f32>(6)?, 0)?;
/// let matrix: Tensor<'_, _, f32> = numbers.tensor(&[2, 3])?; // 2 rows of 3 columns
/// assert!(numbers.tensor(&[2, 2]).is_err()); // the buffer has 6 elements
/// # });
/// ```
///
/// # Invariants
///
/// `data` is the start of an initialised buffer of `X`. The elements of `dims` that begin `offset` elements behind it are
/// borrowed for `'b`. The strides are those of a contiguous tensor if `L` is [`Contiguous`].
pub struct Tensor<'b, X, T, L = Contiguous> {
    pub(super) data: *mut T,
    pub(super) offset: usize,
    pub(super) dims: Dims,
    pub(super) _buf: PhantomData<(&'b T, Invariant<X>, L)>,
}

/// An output: memory of device `D` that an operator will write, with a shape.
///
/// Made by [`Buf::into_tensor`] from a fresh buffer, which the operator initialises, or by
/// [`Buf::tensor_mut`] from a borrowed one, which it overwrites.
///
/// No element of it is the same as another one, so views of an output do not [`expand`](Tensor::expand) it.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op;
///
/// let ones = current.memset(current.malloc::<i32>(4)?, 1)?;
/// let fresh = current.malloc(4)?.into_tensor(&[4])?; // is returned initialised
/// let mut written = op::abs(current, &ones.tensor(&[4])?, fresh)?.run(&mut stream)?;
/// let out = written.tensor_mut(&[4])?; // is overwritten, and `()` is returned
/// op::neg(current, &ones.tensor(&[4])?, out)?.run(&mut stream)?;
/// # });
/// ```
pub struct TensorOut<O, L: Layout = Contiguous> {
    pub(super) memory: O,
    /// How many elements in front of the memory belong to its buffer: it is described from the buffer's start.
    pub(super) offset: usize,
    /// How many elements of the memory lie in front of the first one.
    pub(super) start: L::Start,
    pub(super) dims: Dims,
}

impl<X, T> Tensor<'_, X, T> {
    /// A buffer that is the caller's to borrow, of as many elements as the shape has.
    #[inline(always)]
    pub(super) fn whole(data: *mut T, dims: Dims) -> Self {
        Tensor {
            data,
            offset: 0,
            dims,
            _buf: PhantomData,
        }
    }
}

impl<O> TensorOut<O> {
    /// Memory that begins where its buffer begins.
    #[inline(always)]
    pub(super) fn whole(memory: O, dims: Dims) -> Self {
        TensorOut {
            memory,
            offset: 0,
            start: (),
            dims,
        }
    }
}

impl<M: OnBoard, E: Elements + ?Sized> Buf<'_, M, E, Init> {
    /// The buffer as an operand of the given shape, outermost dimension first; `&[]` is a scalar.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.memset(current.malloc::<f32>(6)?, 0)?;
    /// let row = numbers.tensor(&[6])?;
    /// let matrix = numbers.tensor(&[2, 3])?; // the same elements
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ShapeSize`] when the shape has another number of elements than the buffer, and
    /// [`Usage::Rank`] for more than 8 dimensions.
    #[inline(always)]
    pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, M::Device, E::Element>>
    where
        M: Operand,
        E::Element: Element,
    {
        let dims = Dims::new(shape, self.len())?;
        Ok(Tensor {
            data: self.as_raw(),
            offset: 0,
            dims,
            _buf: PhantomData,
        })
    }
}

impl<M: Place, E: Elements + ?Sized> Buf<'_, M, E, Init> {
    /// The buffer as an output of the given shape.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let a = current.memset(current.malloc::<i32>(4)?, 0)?;
    /// let mut out = current.memset(current.malloc::<i32>(4)?, 0)?;
    /// op::add(current, &a.tensor(&[4])?, &a.tensor(&[4])?, 1, out.tensor_mut(&[4])?)?.run(&mut stream)?;
    /// assert_eq!(out.len(), 4); // `out` was lent, and belongs to the program again
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`].
    #[inline(always)]
    pub fn tensor_mut(&mut self, shape: &[usize]) -> Result<TensorOut<&mut Self>>
    where
        M: Operand,
        E::Element: Element,
    {
        let dims = Dims::new(shape, self.len())?;
        Ok(TensorOut::whole(self, dims))
    }
}

impl<M: Place, E: Elements + ?Sized> Buf<'_, M, E, Uninit> {
    /// The fresh buffer as an output of the given shape; [`Plan::run`](crate::op::Plan::run) gives it
    /// back initialised.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let a = current.memset(current.malloc::<i32>(4)?, 0)?;
    /// let out = current.malloc(4)?.into_tensor(&[4])?;
    /// let sum = op::add(current, &a.tensor(&[4])?, &a.tensor(&[4])?, 1, out)?.run(&mut stream)?;
    /// assert_eq!(sum.len(), 4); // the buffer, initialised
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`]; the buffer is freed then.
    #[inline(always)]
    pub fn into_tensor(self, shape: &[usize]) -> Result<TensorOut<Self>>
    where
        M: Operand,
        E::Element: Element,
    {
        let dims = Dims::new(shape, self.len())?;
        Ok(TensorOut::whole(self, dims))
    }
}

impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    /// The queued buffer as an operand of work on the same stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let a = stream.memset_async(stream.malloc::<i32>(4)?, 0)?;
    /// let out = stream.malloc(4)?.into_tensor(&[4])?;
    /// let plan = op::add(current, &a.tensor(&[4])?, &a.tensor(&[4])?, 1, out)?;
    /// let sum = plan.launch(&mut stream)?.into_output(); // queued behind the fill
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`].
    #[inline(always)]
    pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, Q, E::Element>>
    where
        M: Operand,
        E::Element: Element,
    {
        let dims = Dims::new(shape, self.len())?;
        Ok(Tensor {
            data: self.resource().as_raw(),
            offset: 0,
            dims,
            _buf: PhantomData,
        })
    }

    /// The queued buffer as an output of work on the same stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let a = stream.memset_async(stream.malloc::<i32>(4)?, 0)?;
    /// let mut out = stream.memset_async(stream.malloc::<i32>(4)?, 0)?;
    /// let plan = op::add(current, &a.tensor(&[4])?, &a.tensor(&[4])?, 1, out.tensor_mut(&[4])?)?;
    /// plan.launch(&mut stream)?.into_output();
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`].
    #[inline(always)]
    pub fn tensor_mut(&mut self, shape: &[usize]) -> Result<TensorOut<&mut Self>>
    where
        M: Operand,
        E::Element: Element,
    {
        let dims = Dims::new(shape, self.len())?;
        Ok(TensorOut::whole(self, dims))
    }
}

impl<'dev, Q: Queue, M, E: Elements + ?Sized, H>
    Queued<'_, Q, Shared<Q::Device, Buf<'dev, M, E, Init>>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    /// The shared buffer as an operand of work on the same stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let shared = stream.memset_async(stream.malloc::<i32>(4)?, 1)?.share();
    /// let out = stream.malloc(4)?.into_tensor(&[4])?;
    /// op::neg(current, &shared.tensor(&[4])?, out)?.launch(&mut stream)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`].
    pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, Q, E::Element>>
    where
        M: Operand,
        E::Element: Element,
    {
        let dims = Dims::new(shape, self.resource().len())?;
        Ok(Tensor {
            data: self.resource().as_raw(),
            offset: 0,
            dims,
            _buf: PhantomData,
        })
    }
}

impl<'b, 'dev, Q: Queue, M, E, H> Queued<'_, Q, Lease<'_, Q::Device, &'b Buf<'dev, M, E, Init>>, H>
where
    M: Place + OnDevice<Q::Device>,
    E: Elements + ?Sized,
{
    /// The lent buffer as an operand of work on the same stream: weights that stay idle memory of the program, and that
    /// several streams read at a time. Lend the whole buffer, by `&`.
    ///
    /// While a scope is open, a [pipeline](crate::pipeline::Pipeline) waits for each of its batches. There, give each lane a copy
    /// of the weights, or [share](Queued::share) them.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let weights = current.memset(current.malloc::<i32>(4)?, 0)?;
    /// current.scope(|scope| -> ascendcl::Result<()> {
    ///     let weights = stream.adopt(scope.lend(&weights));
    ///     let x = stream.memset_async(stream.malloc::<i32>(4)?, 1)?;
    ///     let out = stream.malloc(4)?.into_tensor(&[4])?;
    ///     let plan = op::mul(current, &x.tensor(&[4])?, &weights.tensor(&[4])?, out)?;
    ///     let product = plan.launch(&mut stream)?.into_output();
    ///     stream.synchronize()?.take(product).free()
    /// })??;
    /// weights.free()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`].
    pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, Q, E::Element>>
    where
        M: Operand,
        E::Element: Element,
    {
        lent(self.resource(), shape)
    }
}

/// Lent memory as an operand.
#[inline]
fn lent<'b, Q, D, R: Lend>(
    lease: &'b Lease<'_, D, R>,
    shape: &[usize],
) -> Result<Tensor<'b, Q, ElementOf<R::Elements>>> {
    let memory = lease.memory();
    let dims = Dims::new(shape, R::Elements::count(memory))?;
    Ok(Tensor::whole(memory.as_ptr().cast(), dims))
}

impl<Q, D, R, H> Queued<'_, Q, Lease<'_, D, Registered<Mapped<D>, R>>, H>
where
    Q: Queue<Device = D>,
    D: AnyDevice,
    R: Lend<Place = Host, Seen = (), Elements: Elements<Element: Element>>,
{
    /// The memory that is mapped for the device as an operand of work on the same stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::memory::Pages;
    /// use ascendcl::op;
    ///
    /// let numbers = Pages::<i32>::zeroed(4)?;
    /// current.scope(|scope| -> ascendcl::Result<()> {
    ///     let lent = stream.adopt(scope.lend_mapped(current, host, &numbers[..])?);
    ///     let out = stream.malloc(4)?.into_tensor(&[4])?;
    ///     op::neg(current, &lent.tensor(&[4])?, out)?.launch(&mut stream)?.into_output();
    ///     Ok(())
    /// })??;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`].
    pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, Q, ElementOf<R::Elements>>> {
        lent(self.resource(), shape)
    }

    /// The memory that is mapped for the device as an output of work on the same stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::memory::Pages;
    /// use ascendcl::op;
    ///
    /// let mut numbers = Pages::<i32>::zeroed(4)?;
    /// current.scope(|scope| -> ascendcl::Result<()> {
    ///     let mut lent = stream.adopt(scope.lend_mapped(current, host, &mut numbers[..])?);
    ///     let ones = stream.adopt(current.memset_d32(current.malloc::<i32>(4)?, 1)?);
    ///     op::neg(current, &ones.tensor(&[4])?, lent.tensor_mut(&[4])?)?.launch(&mut stream)?.into_output();
    ///     Ok(())
    /// })??;
    /// assert_eq!(numbers[..], [-1; 4]); // without a copy
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`].
    pub fn tensor_mut(&mut self, shape: &[usize]) -> Result<TensorOut<&mut Self>>
    where
        R: LendMut,
    {
        let dims = Dims::new(shape, R::Elements::count(self.resource().memory()))?;
        Ok(TensorOut::whole(self, dims))
    }
}

impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Queued<'_, Q, Buf<'dev, M, E, Uninit>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    /// The fresh queued buffer as an output; [`Plan::launch`](crate::op::Plan::launch) gives it back
    /// initialised.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let a = stream.memset_async(stream.malloc::<i32>(4)?, 0)?;
    /// let out = stream.malloc(4)?.into_tensor(&[4])?;
    /// let plan = op::mul(current, &a.tensor(&[4])?, &a.tensor(&[4])?, out)?;
    /// let squares = plan.launch(&mut stream)?.into_output();
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`]; the buffer is parked then.
    #[inline(always)]
    pub fn into_tensor(self, shape: &[usize]) -> Result<TensorOut<Self>>
    where
        M: Operand,
        E::Element: Element,
    {
        let dims = Dims::new(shape, self.resource().len())?;
        Ok(TensorOut::whole(self, dims))
    }
}

/// Declares what parts of buffers are: of idle ones, and of queued ones.
macro_rules! parts {
    ($([$($generics:tt)*] $site:ty, $queue:ty, [$($where:tt)*];)*) => { $(
        impl<'b, M: Place + Operand, T: Element, $($generics)*> Slice<'b, M, [T], $queue>
        $($where)*
        {
            /// The part as an operand of the given shape, outermost dimension first.
            ///
            /// C gets the address of the part's 32 bytes and counts from there: a tensor may begin at any element.
            ///
            /// # Errors
            ///
            /// As for [`Buf::tensor`], and [`Usage::Dimension`] for a size above `i64::MAX` beside a 0.
            pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'b, $site, T>> {
                let part = self.raw();
                let dims = Dims::of_part(shape, part.len())?;
                let start = part.cast::<T>().as_ptr();
                let offset = misaligned_by(start);
                Ok(Tensor {
                    data: start.wrapping_sub(offset),
                    offset,
                    dims,
                    _buf: PhantomData,
                })
            }
        }

        impl<'b, M: Place + Operand, T: Element, $($generics)*> SliceMut<'b, M, [T], $queue>
        $($where)*
        {
            /// The part as an operand that is read, of the given shape, outermost dimension first.
            ///
            /// # Errors
            ///
            /// As for [`Slice::tensor`].
            pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, $site, T>> {
                self.read().tensor(shape)
            }

            /// The part as an output of the given shape, outermost dimension first.
            ///
            /// # Errors
            ///
            /// As for [`Buf::tensor`], and [`Usage::Dimension`] for a size above `i64::MAX` beside a 0.
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

            /// The part as an output of the given shape, which is lent: later operators can write it too.
            ///
            /// # Errors
            ///
            /// As for [`SliceMut::into_tensor`].
            pub fn tensor_mut(&mut self, shape: &[usize]) -> Result<TensorOut<SliceMut<'_, M, [T], $queue>>> {
                self.lent().into_tensor(shape)
            }
        }
    )* };
}

parts! {
    [] M::Device, (), [];
    [Q: Queue] Q, Q, [where M: OnDevice<Q::Device>];
}

/// How many elements an address lies behind a multiple of 32 bytes, where the data of a tensor begins
/// (`aclSetTensorAddr`, CANN 8.1).
pub(super) fn misaligned_by<T>(start: *mut T) -> usize {
    (start.addr() % 32) / size_of::<T>()
}

impl<X, T, L> fmt::Debug for Tensor<'_, X, T, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({:p}, {:?})", self.data, self.dims)
    }
}

impl<O: fmt::Debug, L: Layout> fmt::Debug for TensorOut<O, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TensorOut({:?}, {:?})", self.memory, self.dims)
    }
}
