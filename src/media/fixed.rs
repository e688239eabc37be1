//! Sizes of pictures that the compiler checks.

use typenum::{B0, IsGreaterOrEqual, IsLessOrEqual, True, U6, U10, U8192, UInt, Unsigned};

use crate::media::format::{Each, Even, PixelFormat};

/// Formats that have pictures of `W` x `H` pixels, which are numbers of `typenum`: `F: Fits<U224, U224>`.
///
/// A picture has from 10 x 6 to 8192 x 8192 pixels. Formats that halve their colours have an even width, an even height,
/// or both.
#[diagnostic::on_unimplemented(
    message = "a picture of the format `{Self}` cannot have this width and height",
    label = "the width or the height is out of range, or odd",
    note = "a picture has from 10 x 6 to 8192 x 8192 pixels",
    note = "4:2:0 formats (`Nv12`, `Nv21`) have an even width and height, 4:2:2 formats an even width, 4:4:0 formats an even height"
)]
pub trait Fits<W, H>: PixelFormat {}

#[diagnostic::do_not_recommend]
impl<F, W, H> Fits<W, H> for F
where
    F: PixelFormat,
    W: MultipleOf<F::Width>
        + IsGreaterOrEqual<U10, Output = True>
        + IsLessOrEqual<U8192, Output = True>,
    H: MultipleOf<F::Height>
        + IsGreaterOrEqual<U6, Output = True>
        + IsLessOrEqual<U8192, Output = True>,
{
}

/// Numbers that are multiples of a step.
pub trait MultipleOf<S>: Unsigned {}
impl<N: Unsigned> MultipleOf<Each> for N {}
impl<N: Unsigned> MultipleOf<Even> for UInt<N, B0> where UInt<N, B0>: Unsigned {}
