//! Views: other shapes and strides over the elements of a tensor. None of them copies an element.

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::error::{Result, Usage};
use crate::memory::{Buf, Elements, Init, OnDevice, Place, SliceMut};
use crate::op::layout::{Contiguous, Layout, Strided};
use crate::op::shape::{Dims, MAX_RANK};
use crate::op::tensor::{Tensor, TensorOut};
use crate::queue::{Queue, Queued};

impl<'b, X, T, L: Layout> Tensor<'b, X, T, L> {
    /// The elements with the strides of another shape, `offset` elements behind those of this tensor.
    fn viewed<K: Layout>(&self, dims: Dims, offset: i64) -> Tensor<'b, X, T, K> {
        Tensor {
            data: self.data,
            offset: self.offset + to_usize(offset),
            dims,
            _buf: std::marker::PhantomData,
        }
    }

    /// The tensor with its dimensions in another order: dimension `i` of the view is dimension `axes[i]` of the tensor.
    /// No element is copied.
    ///
    /// A dimension counts from 0, or from the end by -1, -2 and so on.
    ///
    /// ```
    /// # use ascendcl::{DeviceBuf, Npu, Result};
    /// # fn example(buf: &DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    /// let image = buf.tensor(&[4, 5, 3])?; // height, width, channel
    /// let planes = image.permute(&[2, 0, 1])?; // [3, 4, 5]
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Permutation`] if `axes` does not name each dimension once.
    pub fn permute(&self, axes: &[i64]) -> Result<Tensor<'b, X, T, Strided>> {
        Ok(self.viewed(self.dims.permuted(axes)?, 0))
    }

    /// The tensor with two dimensions swapped. No element is copied.
    ///
    /// A dimension counts from 0, or from the end by -1, -2 and so on: `transpose(-2, -1)` is the transposed matrix.
    ///
    /// ```
    /// # use ascendcl::{DeviceBuf, Npu, Result};
    /// # fn example(buf: &DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    /// let matrix = buf.tensor(&[2, 3])?;
    /// assert_eq!(matrix.transpose(-2, -1)?.shape(), [3, 2]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Axis`] for a dimension that the tensor does not have.
    pub fn transpose(&self, one: i64, other: i64) -> Result<Tensor<'b, X, T, Strided>> {
        Ok(self.viewed(self.dims.transposed(one, other)?, 0))
    }

    /// Each `step`-th of the indices `range` of the dimension `axis`. No element is copied.
    ///
    /// A dimension counts from 0, or from the end by -1, -2 and so on.
    ///
    /// ```
    /// # use ascendcl::{DeviceBuf, Npu, Result};
    /// # fn example(buf: &DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    /// let matrix = buf.tensor(&[4, 6])?;
    /// let columns = matrix.slice(1, 0..6, 2)?; // each second column
    /// assert_eq!(columns.shape(), [4, 3]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Axis`] for a dimension that the tensor does not have, and [`Usage::AxisRange`] for a range that is empty
    /// or ends behind the dimension, or a step of zero.
    pub fn slice(
        &self,
        axis: i64,
        range: Range<usize>,
        step: usize,
    ) -> Result<Tensor<'b, X, T, Strided>> {
        let (dims, offset) = self.dims.sliced("slice", axis, &range, step)?;
        Ok(self.viewed(dims, offset))
    }

    /// The elements at one index of the dimension `axis`, which the view does not have. No element is copied.
    ///
    /// A dimension counts from 0, or from the end by -1, -2 and so on.
    ///
    /// ```
    /// # use ascendcl::{DeviceBuf, Npu, Result};
    /// # fn example(buf: &DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    /// let matrix = buf.tensor(&[4, 6])?;
    /// let row = matrix.select(0, 2)?; // the third row
    /// assert_eq!(row.shape(), [6]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Axis`] for a dimension that the tensor does not have, and [`Usage::AxisRange`] for an index behind it.
    pub fn select(&self, axis: i64, index: usize) -> Result<Tensor<'b, X, T, Strided>> {
        let (dims, offset) = self.dims.selected(axis, index)?;
        Ok(self.viewed(dims, offset))
    }

    /// The tensor repeated to the shape `shape`, as NumPy broadcasts: a dimension of one element becomes as long as
    /// `shape` says, and new dimensions are in front. No element is copied.
    ///
    /// ```
    /// # use ascendcl::{DeviceBuf, Npu, Result};
    /// # fn example(buf: &DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    /// let row = buf.tensor(&[6])?;
    /// assert_eq!(row.expand(&[4, 6])?.shape(), [4, 6]); // the row, four times
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Expand`] if a dimension has neither one element nor as many as `shape` says, and [`Usage::Rank`] for more
    /// than 8 dimensions.
    pub fn expand(&self, shape: &[usize]) -> Result<Tensor<'b, X, T, Strided>> {
        Ok(self.viewed(self.dims.expanded(shape)?, 0))
    }

    /// The tensor as a view of itself, for a list of tensors of which others are views.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let numbers = current.memset(current.malloc::<f32>(6)?, 0)?;
    /// let rows = numbers.tensor(&[2, 3])?;
    /// let turned = numbers.tensor(&[3, 2])?.transpose(0, 1)?; // a view, also of two rows of three
    /// let out = current.malloc(12)?.into_tensor(&[4, 3])?;
    /// op::cat(current, &[&rows.view(), &turned], 0, out)?.run(&mut stream)?;
    /// # });
    /// ```
    #[must_use]
    pub fn view(&self) -> Tensor<'b, X, T, Strided> {
        self.viewed(self.dims, 0)
    }

    /// The sizes of the dimensions, outermost first.
    ///
    /// ```
    /// # use ascendcl::{DeviceBuf, Npu, Result};
    /// # fn example(buf: &DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    /// assert_eq!(buf.tensor(&[2, 3])?.shape(), [2, 3]);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn shape(&self) -> Vec<usize> {
        self.dims.to_vec()
    }
}

impl<'b, X, T> Tensor<'b, X, T> {
    /// The elements in another shape. Views that leave elements out or change their order have no other shape: an
    /// operator copies their elements first.
    ///
    /// ```
    /// # use ascendcl::{DeviceBuf, Npu, Result};
    /// # fn example(buf: &DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    /// let matrix = buf.tensor(&[4, 6])?;
    /// assert_eq!(matrix.reshape(&[24])?.shape(), [24]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ShapeSize`] when the shape has another number of elements, and [`Usage::Rank`] for more than 8
    /// dimensions.
    pub fn reshape(&self, shape: &[usize]) -> Result<Tensor<'b, X, T>> {
        Ok(self.viewed(Dims::of_part(shape, to_usize(self.dims.elements()))?, 0))
    }
}

impl<'b, X, T> Tensor<'b, X, T, Strided> {
    /// The view as a contiguous tensor, if its elements lie one behind the other: rows of a matrix for instance. No
    /// element is copied.
    ///
    /// ```
    /// # use ascendcl::{DeviceBuf, Npu, Result};
    /// # fn example(buf: &DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    /// let rows = buf.tensor(&[4, 6])?.slice(0, 1..3, 1)?; // two rows, one behind the other
    /// let rows = rows.contiguous()?.reshape(&[12])?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::NotContiguous`] if they do not.
    pub fn contiguous(&self) -> Result<Tensor<'b, X, T>> {
        let dims = Dims::new(&self.dims.to_vec(), to_usize(self.dims.elements()))?;
        let strides = self.dims.strides().iter().zip(dims.strides());
        let mut sizes = self.dims.sizes().iter().zip(strides);
        // The stride of a dimension of one element says nothing, and without elements no stride does.
        let is_empty = self.dims.sizes().contains(&0);
        if is_empty || sizes.all(|(size, (stride, expected))| *size == 1 || stride == expected) {
            return Ok(self.viewed(dims, 0));
        }
        let wrong = Usage::NotContiguous {
            shape: self.dims.to_vec(),
            strides: self.dims.strides().to_vec(),
        };
        Err(wrong.into())
    }
}

/// Memory that was lent as an output, so that an operator may write a part of it: it was written before.
#[diagnostic::on_unimplemented(
    message = "an operator cannot write a part of `{Self}` only",
    label = "the memory is fresh: the rest of it would come back as written, and nobody has written it",
    note = "permute the whole of a fresh output, or fill it first and lend it by `buffer.tensor_mut(shape)`"
)]
pub trait Lent: lent::Sealed {}
mod lent {
    /// Seals [`Lent`](super::Lent).
    #[diagnostic::on_unimplemented(
        message = "this trait of `ascendcl` is sealed: `{Self}` cannot implement it",
        label = "a wrong implementation would give back memory as written of which an operator has written a part only"
    )]
    pub trait Sealed {}
}
impl<M: Place, E: Elements + ?Sized> lent::Sealed for &mut Buf<'_, M, E, Init> {}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized> Lent for &mut Buf<'_, M, E, Init> {}
impl<'m, Q: Queue, M: Place + OnDevice<Q::Device>, E: Elements + ?Sized, H> lent::Sealed
    for &mut Queued<'_, Q, Buf<'m, M, E, Init>, H>
{
}
#[diagnostic::do_not_recommend]
impl<'m, Q: Queue, M: Place + OnDevice<Q::Device>, E: Elements + ?Sized, H> Lent
    for &mut Queued<'_, Q, Buf<'m, M, E, Init>, H>
{
}
impl<M: Place, E: Elements + ?Sized, Q> lent::Sealed for SliceMut<'_, M, E, Q> {}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized, Q> Lent for SliceMut<'_, M, E, Q> {}

impl<O, L: Layout> TensorOut<O, L> {
    /// The memory with other dimensions, `start` elements further behind.
    fn viewed(self, dims: Dims, start: i64) -> TensorOut<O, Strided> {
        TensorOut {
            start: L::start(self.start) + to_usize(start),
            memory: self.memory,
            offset: self.offset,
            dims,
        }
    }

    /// The output with its dimensions in another order, for an operator that writes views: dimension `i` of the view is
    /// dimension `axes[i]` of the output.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let ones = current.memset_d32(current.malloc::<i32>(6)?, 1)?;
    /// let mut out = current.memset(current.malloc::<i32>(6)?, 0)?;
    /// let columns = out.tensor_mut(&[2, 3])?.permute(&[1, 0])?; // of the shape [3, 2]
    /// op::neg(current, &ones.tensor(&[3, 2])?, columns)?.run(&mut stream)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Tensor::permute`].
    pub fn permute(self, axes: &[i64]) -> Result<TensorOut<O, Strided>> {
        let dims = self.dims.permuted(axes)?;
        Ok(self.viewed(dims, 0))
    }

    /// The output with two dimensions swapped, for an operator that writes views.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let ones = current.memset_d32(current.malloc::<i32>(6)?, 1)?;
    /// let mut out = current.memset(current.malloc::<i32>(6)?, 0)?;
    /// let columns = out.tensor_mut(&[2, 3])?.transpose(0, 1)?; // of the shape [3, 2]
    /// op::neg(current, &ones.tensor(&[3, 2])?, columns)?.run(&mut stream)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Tensor::transpose`].
    pub fn transpose(self, one: i64, other: i64) -> Result<TensorOut<O, Strided>> {
        let dims = self.dims.transposed(one, other)?;
        Ok(self.viewed(dims, 0))
    }

    /// Each `step`-th of the indices `range` of the dimension `axis`, for an operator that writes views. The elements
    /// between them keep what they are.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let ones = current.memset_d32(current.malloc::<i32>(2)?, 1)?;
    /// let mut matrix = current.memset(current.malloc::<i32>(4)?, 0)?;
    /// let second = matrix.tensor_mut(&[2, 2])?.slice(1, 1..2, 1)?; // the second column
    /// let column = ones.tensor(&[2, 1])?;
    /// op::add(current, &column, &column, 1, second)?.run(&mut stream)?;
    /// let mut back = current.malloc_host::<i32>(host, 4)?;
    /// current.memcpy(&mut back, &matrix)?;
    /// assert_eq!(back[..], [0, 2, 0, 2]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Tensor::slice`].
    pub fn slice(self, axis: i64, range: Range<usize>, step: usize) -> Result<TensorOut<O, Strided>>
    where
        O: Lent,
    {
        let (dims, start) = self.dims.sliced("slice", axis, &range, step)?;
        Ok(self.viewed(dims, start))
    }

    /// The elements at one index of the dimension `axis`, which the view does not have, for an operator that writes views.
    /// The other elements keep what they are.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let ones = current.memset_d32(current.malloc::<i32>(6)?, 1)?;
    /// let mut out = current.memset(current.malloc::<i32>(6)?, 0)?;
    /// let first = out.tensor_mut(&[2, 3])?.select(0, 0)?; // the first row
    /// op::neg(current, &ones.tensor(&[2, 3])?.select(0, 0)?, first)?.run(&mut stream)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Tensor::select`].
    pub fn select(self, axis: i64, index: usize) -> Result<TensorOut<O, Strided>>
    where
        O: Lent,
    {
        let (dims, start) = self.dims.selected(axis, index)?;
        Ok(self.viewed(dims, start))
    }

    /// The sizes of the dimensions, outermost first.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let out = current.malloc::<f32>(6)?.into_tensor(&[2, 3])?;
    /// assert_eq!(out.shape(), [2, 3]);
    /// # });
    /// ```
    #[must_use]
    pub fn shape(&self) -> Vec<usize> {
        self.dims.to_vec()
    }
}

impl<O> TensorOut<O, Contiguous> {
    /// The output in another shape.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let ones = current.memset_d32(current.malloc::<i32>(6)?, 1)?;
    /// let mut out = current.memset(current.malloc::<i32>(6)?, 0)?;
    /// let rows = out.tensor_mut(&[6])?.reshape(&[2, 3])?;
    /// op::neg(current, &ones.tensor(&[2, 3])?, rows)?.run(&mut stream)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Tensor::reshape`].
    pub fn reshape(self, shape: &[usize]) -> Result<TensorOut<O>> {
        let dims = Dims::of_part(shape, to_usize(self.dims.elements()))?;
        Ok(TensorOut { dims, ..self })
    }
}

impl Dims {
    /// The sizes with their strides.
    fn pairs(&self) -> Vec<(i64, i64)> {
        let sizes = self.sizes().iter().copied();
        sizes.zip(self.strides().iter().copied()).collect()
    }

    fn of_pairs(pairs: &[(i64, i64)]) -> Result<Dims> {
        let mut sizes = [MaybeUninit::uninit(); MAX_RANK];
        let mut strides = [MaybeUninit::uninit(); MAX_RANK];
        let rank = pairs.len();
        if rank > MAX_RANK {
            return Err(Usage::Rank { rank }.into());
        }
        for ((size, stride), pair) in sizes.iter_mut().zip(&mut strides).zip(pairs) {
            size.write(pair.0);
            stride.write(pair.1);
        }
        // INVARIANT: the loop has written `rank` sizes and strides.
        Ok(Dims {
            sizes,
            strides,
            rank,
        })
    }

    /// How many elements there are from the first one to the last one.
    pub(super) fn extent(&self) -> i64 {
        if self.sizes().contains(&0) {
            return 0;
        }
        let pairs = self.sizes().iter().zip(self.strides());
        pairs.fold(1, |extent: i64, (size, stride)| {
            extent.saturating_add((size - 1).saturating_mul(*stride))
        })
    }

    pub(super) fn permuted(&self, axes: &[i64]) -> Result<Dims> {
        let pairs = self.pairs();
        let wrong = || Usage::Permutation {
            axes: axes.to_vec(),
            rank: self.rank,
        };
        let mut permuted = Vec::with_capacity(pairs.len());
        let mut seen = [false; MAX_RANK];
        for axis in axes {
            let axis = self.axis("permute", *axis).map_err(|_| wrong())?;
            match (pairs.get(axis), seen.get_mut(axis)) {
                (Some(pair), Some(seen)) if !*seen => {
                    *seen = true;
                    permuted.push(*pair);
                }
                _ => return Err(wrong().into()),
            }
        }
        if permuted.len() != pairs.len() {
            return Err(wrong().into());
        }
        Dims::of_pairs(&permuted)
    }

    pub(super) fn transposed(&self, one: i64, other: i64) -> Result<Dims> {
        let (one, other) = (self.axis("transpose", one)?, self.axis("transpose", other)?);
        let mut pairs = self.pairs();
        pairs.swap(one, other);
        Dims::of_pairs(&pairs)
    }

    /// `view` is the name of the function that was called.
    pub(super) fn sliced(
        &self,
        view: &'static str,
        axis: i64,
        range: &Range<usize>,
        step: usize,
    ) -> Result<(Dims, i64)> {
        let axis = self.axis(view, axis)?;
        let mut pairs = self.pairs();
        let size = to_usize(self.size(axis));
        let offset = match pairs.get_mut(axis) {
            Some(pair) if range.start < range.end && range.end <= size && step != 0 => {
                let offset = to_i64(range.start) * pair.1;
                let count = to_i64(range.len().div_ceil(step));
                // One element alone has no neighbour, however large the step.
                let stride = if count == 1 {
                    pair.1
                } else {
                    pair.1 * to_i64(step)
                };
                *pair = (count, stride);
                offset
            }
            _ => {
                let wrong = Usage::AxisRange {
                    axis,
                    start: range.start,
                    end: range.end,
                    step,
                    size,
                };
                return Err(wrong.into());
            }
        };
        Ok((Dims::of_pairs(&pairs)?, offset))
    }

    fn selected(&self, axis: i64, index: usize) -> Result<(Dims, i64)> {
        let range = index..index.saturating_add(1);
        let (dims, offset) = self.sliced("select", axis, &range, 1)?;
        let axis = self.axis("select", axis)?;
        let mut pairs = dims.pairs();
        pairs.remove(axis);
        Ok((Dims::of_pairs(&pairs)?, offset))
    }

    pub(super) fn expanded(&self, shape: &[usize]) -> Result<Dims> {
        let wrong = || Usage::Expand {
            shape: self.to_vec(),
            to: shape.to_vec(),
        };
        if shape.len() > MAX_RANK {
            return Err(Usage::Rank { rank: shape.len() }.into());
        }
        let Some(new) = shape.len().checked_sub(self.rank) else {
            return Err(wrong().into());
        };
        let mut elements: i64 = 1;
        let mut pairs = self.pairs();
        pairs.splice(0..0, vec![(1, 0); new]);
        for ((size, stride), to) in pairs.iter_mut().zip(shape) {
            let Some(to) = i64::try_from(*to).ok().filter(|to| *to > 0 || *size == 0) else {
                return Err(wrong().into());
            };
            if *size != to {
                if *size != 1 {
                    return Err(wrong().into());
                }
                (*size, *stride) = (to, 0);
            }
            // As many elements as an index of C can count.
            elements = elements.checked_mul(to).ok_or_else(wrong)?;
        }
        Dims::of_pairs(&pairs)
    }
}

fn to_i64(size: usize) -> i64 {
    size.cast_signed() as i64
}

/// A number of elements, none of which is negative.
fn to_usize(size: i64) -> usize {
    usize::try_from(size).unwrap_or_default()
}
