//! Shapes, and how operators check them.

use std::fmt;
use std::mem::MaybeUninit;
use std::ptr;

use crate::error::{Error, Misplaced, Result, Usage};

/// The largest rank of a tensor (`aclnn/acl_meta.h`, CANN 8.1).
pub(super) const MAX_RANK: usize = 8;

/// A shape, outermost dimension first, with the strides of its dimensions. No buffer is empty, so a dimension is
/// zero only in a part of a buffer.
///
/// # Invariants
///
/// `rank` is at most [`MAX_RANK`], and as many sizes and strides are initialised.
#[derive(Clone, Copy)]
pub struct Dims {
    // No more than the rank is ever written: a shape that the compiler knows costs what an array of
    // its rank costs.
    pub(super) sizes: [MaybeUninit<i64>; MAX_RANK],
    pub(super) strides: [MaybeUninit<i64>; MAX_RANK],
    pub(super) rank: usize,
}

impl Dims {
    /// Checks that `shape` describes exactly `len` elements.
    #[inline(always)]
    pub(super) fn new(shape: &[usize], len: usize) -> Result<Dims> {
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

    /// [`Dims::new`] for a part of a buffer, which may be empty: then the product of the dimensions beside a 0 is at most
    /// `i64::MAX`. So is each distance between elements of a view.
    pub(super) fn of_part(shape: &[usize], len: usize) -> Result<Dims> {
        let dims = Dims::new(shape, len)?;
        let beside = |product: i64, size: &usize| product.checked_mul(i64::try_from(*size).ok()?);
        let mut sizes = shape.iter().filter(|size| **size != 0);
        if len == 0 && sizes.try_fold(1, beside).is_none() {
            let shape = shape.to_vec();
            return Err(Usage::Dimension { shape }.into());
        }
        Ok(dims)
    }

    #[inline(always)]
    pub(super) fn sizes(&self) -> &[i64] {
        let sizes = self.sizes.get(..self.rank).unwrap_or_default();
        let sizes = ptr::from_ref(sizes) as *const [i64];
        // SAFETY: the first `rank` sizes are initialised (invariant of `Dims`), and `MaybeUninit<i64>` has
        // the layout of `i64`.
        unsafe { &*sizes }
    }

    /// The distances of neighbours in each dimension, in elements.
    pub(super) fn strides(&self) -> &[i64] {
        let strides = self.strides.get(..self.rank).unwrap_or_default();
        let strides = ptr::from_ref(strides) as *const [i64];
        // SAFETY: the first `rank` strides are initialised (invariant of `Dims`), and `MaybeUninit<i64>` has
        // the layout of `i64`.
        unsafe { &*strides }
    }

    /// The number of elements, which is that of a buffer.
    #[inline(always)]
    pub(super) fn elements(&self) -> i64 {
        self.sizes()
            .iter()
            .fold(1, |elements: i64, size| elements.wrapping_mul(*size))
    }

    pub(super) fn to_vec(self) -> Vec<usize> {
        to_sizes(self.sizes())
    }

    /// Checks that the operands of `operator` broadcast to exactly this shape.
    #[inline(always)]
    pub(super) fn check_broadcast(
        &self,
        operator: &'static str,
        left: &Dims,
        right: &Dims,
    ) -> Result<()> {
        let out = self.sizes();
        if out == left.sizes() && out == right.sizes() || self.is_broadcast_of(*left, *right) {
            return Ok(());
        }
        Err(self.no_broadcast(operator, *left, *right))
    }

    #[cold]
    #[inline(never)]
    fn no_broadcast(self, operator: &'static str, left: Dims, right: Dims) -> Error {
        let wrong = Usage::Broadcast {
            operator,
            operands: vec![left.to_vec(), right.to_vec()],
            output: self.to_vec(),
        };
        wrong.into()
    }

    /// Whether operands of different shapes broadcast to this one. By value: a path that took the addresses of shapes
    /// would keep them in memory for all paths.
    #[inline(never)]
    fn is_broadcast_of(self, left: Dims, right: Dims) -> bool {
        is_broadcast(left.sizes(), right.sizes(), self.sizes())
    }

    /// Checks that this is the shape of the operand of `operator`.
    #[inline(always)]
    pub(super) fn check_same(&self, operator: &'static str, operand: &Dims) -> Result<()> {
        if self.sizes() == operand.sizes() {
            return Ok(());
        }
        Err(self.is_not_that_of(operator, *operand))
    }

    #[cold]
    #[inline(never)]
    fn is_not_that_of(self, operator: &'static str, operand: Dims) -> Error {
        self.is_not(operator, &operand, operand.sizes())
    }

    /// The error of an output of this shape, which should be `expected`.
    #[cold]
    fn is_not(&self, operator: &'static str, operand: &Dims, expected: &[i64]) -> Error {
        let wrong = Usage::OutputShape {
            operator,
            operand: operand.to_vec(),
            expected: to_sizes(expected),
            output: self.to_vec(),
        };
        wrong.into()
    }

    /// Checks that the operand has elements if the output has some. For a tensor without elements most operators do nothing
    /// (manual of aclnn, two-phase interface), and a fresh output would come back unwritten. Sums, means, products and the
    /// like write it.
    #[inline(always)]
    pub(super) fn check_filled(&self, operator: &'static str, output: &Dims) -> Result<()> {
        if !self.sizes().contains(&0) || output.sizes().contains(&0) {
            return Ok(());
        }
        let shape = self.to_vec();
        Err(Misplaced::NoElements { operator, shape }.into())
    }

    /// Checks that this is the shape of the operand with the dimensions `axes` summed up; none stands for all.
    pub(super) fn check_reduced(
        &self,
        operator: &'static str,
        operand: &Dims,
        axes: &[i64],
        keep: bool,
    ) -> Result<()> {
        let mut reduced = [axes.is_empty(); MAX_RANK];
        for axis in axes {
            // A scalar has a dimension of one element here, as for a softmax.
            let axis = if operand.rank == 0 && (-1..=0).contains(axis) {
                0
            } else {
                operand.axis(operator, *axis)?
            };
            if let Some(reduced) = reduced.get_mut(axis) {
                if *reduced {
                    return Err(Usage::RepeatedAxis { operator, axis }.into());
                }
                *reduced = true;
            }
        }
        let left = |(size, reduced): (&i64, bool)| match reduced {
            false => Some(*size),
            true => keep.then_some(1),
        };
        let sizes = operand.sizes().iter().zip(reduced);
        let expected: Vec<i64> = sizes.filter_map(left).collect();
        self.check_is(operator, operand, &expected)
    }

    /// Checks that this is the shape of the operand with `size` elements in the dimension `axis`.
    pub(super) fn check_resized(
        &self,
        operator: &'static str,
        operand: &Dims,
        axis: usize,
        size: i64,
    ) -> Result<()> {
        let mut expected = operand.sizes().to_vec();
        if let Some(expected) = expected.get_mut(axis) {
            *expected = size;
        }
        self.check_is(operator, operand, &expected)
    }

    pub(super) fn check_is(
        &self,
        operator: &'static str,
        operand: &Dims,
        expected: &[i64],
    ) -> Result<()> {
        if self.sizes() == expected {
            return Ok(());
        }
        Err(self.is_not(operator, operand, expected))
    }

    /// Checks that this is the shape of the product of matrices, or of batches of them, as in NumPy: an operand of one
    /// dimension is a vector, and the dimensions in front of the last two broadcast.
    pub(super) fn check_product(
        &self,
        operator: &'static str,
        left: &Dims,
        right: &Dims,
    ) -> Result<()> {
        let product = || -> Option<bool> {
            let (l, r) = (left.sizes(), right.sizes());
            let (inner, l) = l.split_last()?;
            let (rows, batches) = l
                .split_last()
                .map_or((None, l), |(rows, batches)| (Some(*rows), batches));
            let (columns, r) = match r {
                [_] => (None, r),
                _ => r.split_last().map(|(columns, r)| (Some(*columns), r))?,
            };
            let (height, right_batches) = r.split_last()?;
            let mut out = self.sizes();
            for size in [columns, rows].into_iter().flatten() {
                let (last, others) = out.split_last()?;
                if *last != size {
                    return None;
                }
                out = others;
            }
            Some(inner == height && is_broadcast(batches, right_batches, out))
        };
        if product() == Some(true) {
            return left.check_filled(operator, self);
        }
        let wrong = Usage::Product {
            operator,
            left: left.to_vec(),
            right: right.to_vec(),
            output: self.to_vec(),
        };
        Err(wrong.into())
    }

    /// Checks that this is the shape of the operands, joined along the dimension `axis`.
    pub(super) fn check_joined<'a>(
        &self,
        operator: &'static str,
        operands: impl Iterator<Item = &'a Dims> + Clone,
        axis: i64,
    ) -> Result<()> {
        let Some(first) = operands.clone().next() else {
            return Err(Usage::EmptyList { operator }.into());
        };
        let axis = first.axis(operator, axis)?;
        let others = |dims: &Dims| -> Vec<i64> {
            let sizes = dims.sizes().iter().enumerate();
            sizes
                .filter(|(dim, _)| *dim != axis)
                .map(|(_, size)| *size)
                .collect()
        };
        let size = |dims: &Dims| dims.sizes().get(axis).copied().unwrap_or_default();
        let fits = |dims: &Dims| dims.rank == first.rank && others(dims) == others(first);
        let joined: i64 = operands.clone().map(size).fold(0, i64::saturating_add);
        if operands.clone().all(fits) && fits(self) && size(self) == joined {
            return Ok(());
        }
        let wrong = Usage::Joined {
            operator,
            operands: operands.map(|dims| dims.to_vec()).collect(),
            axis,
            output: self.to_vec(),
        };
        Err(wrong.into())
    }

    /// The dimension that C calls `axis`, which counts from the end if it is negative.
    pub(super) fn axis(&self, operator: &'static str, axis: i64) -> Result<usize> {
        let rank = self.rank;
        let counted = usize::try_from(axis).ok().or_else(|| {
            let from_end = usize::try_from(axis.unsigned_abs()).ok()?;
            rank.checked_sub(from_end)
        });
        match counted {
            Some(counted) if counted < rank => Ok(counted),
            _ => Err(Usage::Axis {
                operator,
                axis,
                rank,
            }
            .into()),
        }
    }

    /// The size of a dimension.
    pub(super) fn size(&self, axis: usize) -> i64 {
        self.sizes().get(axis).copied().unwrap_or(1)
    }
}

/// Whether shapes broadcast to `out`: compared from the last dimension, equal or 1.
fn is_broadcast(left: &[i64], right: &[i64], out: &[i64]) -> bool {
    let at =
        |sizes: &[i64], from_last: usize| sizes.iter().rev().nth(from_last).copied().unwrap_or(1);
    let rank = left.len().max(right.len());
    out.len() == rank
        && (0..rank).all(|dim| {
            let (l, r, out) = (at(left, dim), at(right, dim), at(out, dim));
            // Not the larger one: 0 and 1 broadcast to 0.
            (l == r || l == 1 || r == 1) && out == if l == 1 { r } else { l }
        })
}

/// Sizes as Rust counts them. None is negative.
///
/// A loop, as in [`product`]: the compiler translates an iterator anew in each place.
pub(super) fn to_sizes(sizes: &[i64]) -> Vec<usize> {
    let mut counted = Vec::with_capacity(sizes.len());
    for size in sizes {
        counted.push(usize::try_from(*size).unwrap_or_default());
    }
    counted
}

/// The product of sizes, or the largest number.
pub(super) fn product(sizes: &[i64]) -> i64 {
    let mut product = 1_i64;
    for size in sizes {
        product = product.saturating_mul(*size);
    }
    product
}

impl fmt::Debug for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.sizes(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::is_broadcast;

    #[test]
    fn shapes_broadcast_as_in_numpy_zeros_too() {
        for (left, right, out, expected) in [
            (&[2, 3][..], &[3][..], &[2, 3][..], true),
            (&[2, 1], &[1, 3], &[2, 3], true),
            (&[2, 3], &[2], &[2, 3], false),
            (&[2, 3], &[3], &[3], false),
            (&[0], &[1], &[0], true),
            (&[1], &[0], &[0], true),
            (&[0], &[1], &[1], false),
            (&[0, 3], &[], &[0, 3], true),
            (&[0], &[2], &[2], false),
            (&[0], &[0], &[0], true),
        ] {
            assert_eq!(
                is_broadcast(left, right, out),
                expected,
                "{left:?} {right:?} {out:?}"
            );
        }
    }
}
