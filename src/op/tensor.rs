//! Tensors: device memory with a shape.

use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr;

use crate::error::{Result, Usage};
use crate::memory::{Buf, Elements, Init, OnDevice, Operand, Place, Uninit};
use crate::op::element::Element;
use crate::queue::{Queue, Queued, Shared};
use crate::state::Invariant;

/// The largest rank of a tensor (`aclnn/acl_meta.h`, CANN 8.1).
const MAX_RANK: usize = 8;

/// A shape, outermost dimension first, with the strides of a contiguous tensor. No dimension is zero,
/// because no buffer is empty.
///
/// # Invariants
///
/// `rank` is at most [`MAX_RANK`], and as many sizes and strides are initialised.
#[derive(Clone, Copy)]
pub(super) struct Dims {
    // No more than the rank is ever written: a shape that the compiler knows costs what an array of
    // its rank costs.
    pub(super) sizes: [MaybeUninit<i64>; MAX_RANK],
    pub(super) strides: [MaybeUninit<i64>; MAX_RANK],
    pub(super) rank: usize,
}

impl Dims {
    /// Checks that `shape` describes exactly `len` elements.
    #[inline(always)]
    fn new(shape: &[usize], len: usize) -> Result<Dims> {
        let rank = shape.len();
        let mut sizes = [MaybeUninit::uninit(); MAX_RANK];
        let mut strides = [MaybeUninit::uninit(); MAX_RANK];
        let (Some(used), Some(used_strides)) = (sizes.get_mut(..rank), strides.get_mut(..rank))
        else {
            return Err(Usage::Rank { rank }.into());
        };
        let mut elements: usize = 1;
        for ((size, stride), dim) in used.iter_mut().zip(used_strides).zip(shape).rev() {
            // Exact: if the product is the length of a buffer, no factor of it is larger than that.
            size.write(dim.cast_signed() as i64);
            stride.write(elements.cast_signed() as i64);
            elements = elements.saturating_mul(*dim);
        }
        if elements != len {
            return Err(Usage::shape_size(shape, elements, len).into());
        }
        // INVARIANT: the loop has written `rank` sizes and strides.
        Ok(Dims {
            sizes,
            strides,
            rank,
        })
    }

    #[inline(always)]
    fn sizes(&self) -> &[i64] {
        let sizes = self.sizes.get(..self.rank).unwrap_or_default();
        let sizes = ptr::from_ref(sizes) as *const [i64];
        // SAFETY: the first `rank` sizes are initialised (invariant of `Dims`), and `MaybeUninit<i64>` has
        // the layout of `i64`.
        unsafe { &*sizes }
    }

    fn to_vec(self) -> Vec<usize> {
        self.sizes()
            .iter()
            .map(|size| usize::try_from(*size).unwrap_or_default())
            .collect()
    }

    /// Checks that two operands broadcast to exactly this shape.
    #[inline(always)]
    pub(super) fn check_broadcast(&self, left: &Dims, right: &Dims) -> Result<()> {
        let out = self.sizes();
        if out == left.sizes() && out == right.sizes() || self.is_broadcast_of(left, right) {
            return Ok(());
        }
        Err(self.no_broadcast(left, right).into())
    }

    #[cold]
    fn no_broadcast(&self, left: &Dims, right: &Dims) -> Usage {
        Usage::Broadcast {
            left: left.to_vec(),
            right: right.to_vec(),
            output: self.to_vec(),
        }
    }

    /// Whether operands of different shapes broadcast to this one.
    #[inline(never)]
    fn is_broadcast_of(&self, left: &Dims, right: &Dims) -> bool {
        let at = |dims: &Dims, from_last: usize| {
            dims.sizes()
                .iter()
                .rev()
                .nth(from_last)
                .copied()
                .unwrap_or(1)
        };
        let rank = left.rank.max(right.rank);
        self.rank == rank
            && (0..rank).all(|dim| {
                let (l, r, out) = (at(left, dim), at(right, dim), at(self, dim));
                (l == r || l == 1 || r == 1) && out == l.max(r)
            })
    }
}

impl fmt::Debug for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.sizes(), f)
    }
}

/// An operand: initialised device memory, borrowed, with a shape.
///
/// Made by [`Buf::tensor`] from an idle buffer, then `X` is its device, or by [`Queued::tensor`] from
/// a queued one, then `X` is its queue.
///
/// # Invariants
///
/// `data` is the start of an initialised buffer of `X` with exactly the elements of `dims`, borrowed
/// for `'b`.
pub struct Tensor<'b, X, T> {
    pub(super) data: *mut T,
    pub(super) dims: Dims,
    _buf: PhantomData<(&'b T, Invariant<X>)>,
}

/// An output: memory of device `D` that an operator will write, with a shape.
///
/// Made by [`Buf::into_tensor`] from a fresh buffer, which the operator initialises, or by
/// [`Buf::tensor_mut`] from a borrowed one, which it overwrites.
#[derive(Debug)]
pub struct TensorOut<O> {
    pub(super) memory: O,
    pub(super) dims: Dims,
}

impl<M: Place, E: Elements<Element: Element> + ?Sized> Buf<'_, M, E, Init> {
    /// The buffer as an operand of the given shape, outermost dimension first; `&[]` is a scalar.
    ///
    /// # Errors
    ///
    /// [`Usage::ShapeSize`] when the shape has another number of elements than the buffer, and
    /// [`Usage::Rank`] for more than 8 dimensions.
    #[inline(always)]
    pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, M::Device, E::Element>>
    where
        M: Operand,
    {
        let dims = Dims::new(shape, self.len())?;
        Ok(Tensor {
            data: self.as_raw(),
            dims,
            _buf: PhantomData,
        })
    }

    /// The buffer as an output of the given shape.
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`].
    #[inline(always)]
    pub fn tensor_mut(&mut self, shape: &[usize]) -> Result<TensorOut<&mut Self>>
    where
        M: Operand,
    {
        let dims = Dims::new(shape, self.len())?;
        Ok(TensorOut { memory: self, dims })
    }
}

impl<M: Place, E: Elements<Element: Element> + ?Sized> Buf<'_, M, E, Uninit> {
    /// The fresh buffer as an output of the given shape; [`Plan::run`](crate::op::Plan::run) gives it
    /// back initialised.
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`]; the buffer is freed then.
    #[inline(always)]
    pub fn into_tensor(self, shape: &[usize]) -> Result<TensorOut<Self>>
    where
        M: Operand,
    {
        let dims = Dims::new(shape, self.len())?;
        Ok(TensorOut { memory: self, dims })
    }
}

impl<'dev, Q: Queue, M, E: Elements<Element: Element> + ?Sized, H>
    Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    /// The queued buffer as an operand of work on the same stream.
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`].
    #[inline(always)]
    pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, Q, E::Element>>
    where
        M: Operand,
    {
        let dims = Dims::new(shape, self.len())?;
        Ok(Tensor {
            data: self.resource().as_raw(),
            dims,
            _buf: PhantomData,
        })
    }

    /// The queued buffer as an output of work on the same stream.
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`].
    #[inline(always)]
    pub fn tensor_mut(&mut self, shape: &[usize]) -> Result<TensorOut<&mut Self>>
    where
        M: Operand,
    {
        let dims = Dims::new(shape, self.len())?;
        Ok(TensorOut { memory: self, dims })
    }
}

impl<'dev, Q: Queue, M, E: Elements<Element: Element> + ?Sized, H>
    Queued<'_, Q, Shared<Q::Device, Buf<'dev, M, E, Init>>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    /// The shared buffer as an operand of work on the same stream.
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`].
    pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, Q, E::Element>>
    where
        M: Operand,
    {
        let dims = Dims::new(shape, self.resource().len())?;
        Ok(Tensor {
            data: self.resource().as_raw(),
            dims,
            _buf: PhantomData,
        })
    }
}

impl<'dev, Q: Queue, M, E: Elements<Element: Element> + ?Sized, H>
    Queued<'_, Q, Buf<'dev, M, E, Uninit>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    /// The fresh queued buffer as an output; [`Plan::launch`](crate::op::Plan::launch) gives it back
    /// initialised.
    ///
    /// # Errors
    ///
    /// As for [`Buf::tensor`]; the buffer is parked then.
    #[inline(always)]
    pub fn into_tensor(self, shape: &[usize]) -> Result<TensorOut<Self>>
    where
        M: Operand,
    {
        let dims = Dims::new(shape, self.resource().len())?;
        Ok(TensorOut { memory: self, dims })
    }
}

impl<X, T> fmt::Debug for Tensor<'_, X, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({:p}, {:?})", self.data, self.dims)
    }
}
