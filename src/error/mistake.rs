//! Makes the mistakes that several areas find, and writes the shapes of a list.

use std::fmt;
use std::num::NonZero;

use super::{Error, Usage};

impl Usage {
    /// Two lengths that differ. The whole error, so that the success path of a copy keeps no room for the parts.
    #[cold]
    #[inline(never)]
    pub(crate) fn lengths(source_len: usize, destination_len: usize) -> Error {
        let lengths = Usage::Length {
            source_len,
            destination_len,
        };
        lengths.into()
    }

    /// Elements `T` at an address that does not suit them.
    #[cold]
    pub(crate) fn misaligned<T>(address: NonZero<usize>) -> Usage {
        Usage::Alignment {
            needed: align_of::<T>(),
            given: 1 << address.trailing_zeros(),
        }
    }

    /// A shape of another number of elements than the buffer.
    #[cold]
    pub(crate) fn shape_size(shape: &[usize], elements: usize, len: usize) -> Usage {
        let shape = shape.to_vec();
        Usage::ShapeSize {
            shape,
            elements,
            len,
        }
    }
}

/// The shapes of a list: the first ones, and how many more there are.
pub(super) struct Shapes<'a>(pub(super) &'a [Vec<usize>]);

impl fmt::Display for Shapes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 4;
        let shown = self.0.get(..SHOWN).unwrap_or(self.0);
        for (index, shape) in shown.iter().enumerate() {
            let and = if index == 0 { "" } else { ", " };
            write!(f, "{and}{shape:?}")?;
        }
        match self.0.len() - shown.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
