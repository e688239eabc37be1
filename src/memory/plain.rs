//! The element types of memory.

use bytemuck::Pod;

use crate::state::Sealed;

/// An element of memory: plain data, because a device can write any bytes.
///
/// Every type that is `bytemuck::Pod` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of memory",
    label = "some byte patterns are not values of `{Self}`, or the type has padding",
    note = "elements are plain data (`bytemuck::Pod`): numbers, arrays of them, and structs that derive `Pod`",
    note = "truth values are `ascendcl::op::Bool`, which every byte is: `Bool::from(true)`"
)]
pub trait Plain: Pod {}
#[diagnostic::do_not_recommend]
impl<T: Pod> Plain for T {}

/// An element that is one word of 32 bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a word of 32 bits",
    label = "a fill with words takes `u32`, `i32` or `f32` elements",
    note = "fill other elements with bytes: `memset`"
)]
pub trait Word: Plain + Sealed {
    /// Returns the bits of the word.
    #[doc(hidden)]
    fn bits(self) -> u32;
}
#[diagnostic::do_not_recommend]
impl Word for u32 {
    fn bits(self) -> u32 {
        self
    }
}
#[diagnostic::do_not_recommend]
impl Word for i32 {
    fn bits(self) -> u32 {
        self.cast_unsigned()
    }
}
#[diagnostic::do_not_recommend]
impl Word for f32 {
    fn bits(self) -> u32 {
        self.to_bits()
    }
}
