//! Checks that many definitions make: data types, shapes, dimensions, and numbers among the parameters.

use ascendcl_sys::aclDataType;

use super::call::{Input, Output};
use super::dtype::{Types, can_cast};
use super::refusal::Refusal;
use super::shape::Dims;

impl Input {
    /// Refuses other data types than these.
    pub(super) fn of(self, types: Types) -> Result<Self, Refusal> {
        of(self.name, self.dtype(), types)?;
        Ok(self)
    }

    /// Refuses a data type that differs from that of another tensor.
    pub(super) fn like(self, other: &Self) -> Result<Self, Refusal> {
        of_one(self.name, self.dtype(), other)?;
        Ok(self)
    }

    /// Refuses another shape.
    pub(super) fn shaped(self, shape: &[usize]) -> Result<Self, Refusal> {
        shaped(self.name, self.shape(), shape)?;
        Ok(self)
    }

    /// Refuses other ranks than these.
    pub(super) fn ranked(self, ranks: core::ops::RangeInclusive<usize>) -> Result<Self, Refusal> {
        ranked(self.name, self.shape(), ranks)?;
        Ok(self)
    }
}

impl Output {
    /// Refuses other data types than these.
    pub(super) fn of(self, types: Types) -> Result<Self, Refusal> {
        of(self.name, self.dtype(), types)?;
        Ok(self)
    }

    /// Refuses a data type that differs from that of another tensor.
    pub(super) fn like(self, other: &Input) -> Result<Self, Refusal> {
        of_one(self.name, self.dtype(), other)?;
        Ok(self)
    }

    /// Refuses a data type to which results of `dtype` cannot be cast.
    pub(super) fn cast_from(self, dtype: aclDataType) -> Result<Self, Refusal> {
        if can_cast(dtype, self.dtype()) {
            return Ok(self);
        }
        Err(Refusal::invalid(format_args!(
            "{} has the data type {:?}, to which {dtype:?} cannot be cast",
            self.name,
            self.dtype()
        )))
    }

    /// Refuses another shape, unless both shapes have one element: then the output is taken as one of this shape. A few
    /// operators of CANN compare shapes in this way (`CheckShapeAndScalarSame`, published source).
    pub(super) fn shaped_or_one(mut self, shape: &[usize]) -> Result<Self, Refusal> {
        let dims = Dims::new(shape.iter().copied());
        if let (Some(dims), 1) = (
            dims.filter(|dims| dims.elements() == Some(1)),
            self.elements(),
        ) {
            self.tensor.strides = dims.contiguous_strides();
            self.tensor.shape = dims;
        }
        self.shaped(shape)
    }

    /// Refuses another shape.
    pub(super) fn shaped(self, shape: &[usize]) -> Result<Self, Refusal> {
        shaped(self.name, self.shape(), shape)?;
        Ok(self)
    }
}

/// The checks of a parameter that may be refused already, so that a chain of checks ends with one `?`.
pub(super) trait Checks: Sized {
    /// Refuses other data types than these.
    fn of(self, types: Types) -> Self;
    /// Refuses a data type that differs from that of another tensor.
    fn like(self, other: &Input) -> Self;
    /// Refuses another shape.
    fn shaped(self, shape: &[usize]) -> Self;
    /// Refuses other ranks than these.
    fn ranked(self, ranks: core::ops::RangeInclusive<usize>) -> Self;
}

macro_rules! checks {
    ($($Parameter:ty)*) => { $(
        impl Checks for Result<$Parameter, Refusal> {
            fn of(self, types: Types) -> Self {
                self.and_then(|one| one.of(types))
            }

            fn like(self, other: &Input) -> Self {
                self.and_then(|one| one.like(other))
            }

            fn shaped(self, shape: &[usize]) -> Self {
                self.and_then(|one| one.shaped(shape))
            }

            fn ranked(self, ranks: core::ops::RangeInclusive<usize>) -> Self {
                let one = self?;
                ranked(one.name, one.shape(), ranks)?;
                Ok(one)
            }
        }
    )* };
}
checks!(Input Output);

fn of(name: &str, dtype: aclDataType, types: Types) -> Result<(), Refusal> {
    if types.contains(&dtype) {
        return Ok(());
    }
    Err(Refusal::unsupported(name, dtype, types))
}

fn of_one(name: &str, dtype: aclDataType, other: &Input) -> Result<(), Refusal> {
    if dtype == other.dtype() {
        return Ok(());
    }
    Err(Refusal::invalid(format_args!(
        "{name} has the data type {dtype:?}, and {} has {:?}",
        other.name,
        other.dtype()
    )))
}

fn shaped(name: &str, shape: &[usize], expected: &[usize]) -> Result<(), Refusal> {
    if shape == expected {
        return Ok(());
    }
    Err(Refusal::invalid(format_args!(
        "{name} has the shape {shape:?}; it has to be {expected:?}"
    )))
}

fn ranked(
    name: &str,
    shape: &[usize],
    ranks: core::ops::RangeInclusive<usize>,
) -> Result<(), Refusal> {
    if ranks.contains(&shape.len()) {
        return Ok(());
    }
    let (least, most) = ranks.into_inner();
    Err(Refusal::invalid(format_args!(
        "{name} has the shape {shape:?}; it has {least} to {most} dimensions"
    )))
}

/// Checks that a data type parameter is one of these types, and the type of the output.
pub(super) fn same_type(dtype: aclDataType, types: Types, out: &Output) -> Result<(), Refusal> {
    of("dtype", dtype, types)?;
    if dtype == out.dtype() {
        return Ok(());
    }
    Err(Refusal::invalid(format_args!(
        "dtype is {dtype:?}, and {} has {:?}",
        out.name,
        out.dtype()
    )))
}

/// Returns the index of a dimension. A negative number counts from the end.
pub(super) fn dimension(name: &str, dim: i64, rank: usize) -> Result<usize, Refusal> {
    // CAST: a rank is at most 8. Here a tensor of rank 0 counts as having one dimension.
    let count = rank.max(1) as i64;
    let index = if dim < 0 {
        dim.saturating_add(count)
    } else {
        dim
    };
    match usize::try_from(index) {
        Ok(index) if index < rank.max(1) => Ok(index),
        _ => Err(Refusal::invalid(format_args!(
            "{name} is {dim}; the tensor has the dimensions {} to {}",
            -count,
            count - 1
        ))),
    }
}

/// Returns a size or a count among the parameters, which is not negative. Sums of such numbers do not overflow.
pub(super) fn count(name: &str, value: i64) -> Result<usize, Refusal> {
    // A negative number keeps its sign.
    if value >> 32 == 0 {
        return Ok(value as usize);
    }
    Err(Refusal::invalid(format_args!(
        "{name} is {value}; it is 0 to 4294967295"
    )))
}

/// A shape as three dimensions: one of its dimensions, and the products of those before and behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Split {
    pub(super) outer: usize,
    pub(super) size: usize,
    pub(super) inner: usize,
}

impl Split {
    /// Splits a shape at a dimension. A shape of rank 0 has one element there.
    pub(super) fn new(shape: &[usize], dim: usize) -> Self {
        Self {
            outer: shape.iter().take(dim).product(),
            size: shape.get(dim).copied().unwrap_or(1),
            inner: shape.iter().skip(dim + 1).product(),
        }
    }

    /// Returns the index of the first element of each row along the dimension.
    pub(super) fn rows(self) -> impl Iterator<Item = usize> {
        (0..self.outer * self.inner).map(move |row| {
            let (outer, inner) = (row / self.inner, row % self.inner);
            outer * self.size * self.inner + inner
        })
    }
}

/// Returns an element, or 0 for an index outside of the slice.
pub(super) fn at<T: Copy + Default>(slice: &[T], index: usize) -> T {
    slice.get(index).copied().unwrap_or_default()
}

/// Returns the sizes of one shape and then those of another.
pub(super) fn joined(one: &[usize], other: &[usize]) -> Vec<usize> {
    let mut sizes = one.to_vec();
    sizes.extend_from_slice(other);
    sizes
}

/// Stores an element; does nothing for an index outside of the slice.
pub(super) fn put<T>(slice: &mut [T], index: usize, value: T) {
    if let Some(place) = slice.get_mut(index) {
        *place = value;
    }
}
