//! The elements of a buffer: their type and their number, as one type parameter.

use std::ptr::NonNull;

use crate::state::Sealed;

/// The elements of a buffer: `[T]`, whose number is known at run time, `[T; N]`, or
/// [`Fixed<T, N>`](crate::memory::fixed::Fixed).
///
/// A buffer of `[T]` is two words, an address and a length, and each call compares the length at run time. A buffer
/// of `[T; N]` is one word, and the compiler compares the length. Code for buffers of any length has a type parameter
/// for the elements:
///
/// ```
/// use ascendcl::Buf;
/// use ascendcl::bounds::{Elements, Place};
///
/// fn bytes<M: Place, E: Elements + ?Sized, I>(buffer: &Buf<'_, M, E, I>) -> usize {
///     buffer.len() * size_of::<E::Element>()
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the elements of a buffer",
    label = "expected `[T]` or `[T; N]` with elements `T`, or `Fixed<T, N>` with a number of `typenum`",
    note = "`DeviceBuf<'_, D, [f32]>` stores its length, `DeviceBuf<'_, D, [f32; 16]>` has it in its type"
)]
pub trait Elements: Sealed {
    /// The type of one element.
    type Element;

    /// Returns the number of elements.
    #[doc(hidden)]
    fn count(memory: NonNull<Self>) -> usize;
}

/// The type of one of the elements `E`.
pub(crate) type ElementOf<E> = <E as Elements>::Element;

impl<T> Sealed for [T] {}
#[diagnostic::do_not_recommend]
impl<T> Elements for [T] {
    type Element = T;

    #[inline(always)]
    fn count(memory: NonNull<[T]>) -> usize {
        memory.len()
    }
}

impl<T, const N: usize> Sealed for [T; N] {}
#[diagnostic::do_not_recommend]
impl<T, const N: usize> Elements for [T; N] {
    type Element = T;

    #[inline(always)]
    fn count(_: NonNull<[T; N]>) -> usize {
        N
    }
}

/// Elements of which [`malloc_as`](crate::Current::malloc_as) and [`Buf::from_raw`](crate::memory::Buf::from_raw) make a
/// buffer. Not every number of [`Fixed`](crate::memory::fixed::Fixed) is the length of an allocation: zero is none.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the elements of an allocation",
    label = "expected `[T; N]` with elements `T`, or `Fixed<T, N>` with a number of `typenum`",
    note = "with a length that is known at run time: `malloc::<f32>(len)`"
)]
pub trait Counted: Elements {}
#[diagnostic::do_not_recommend]
impl<T> Counted for [T] {}
#[diagnostic::do_not_recommend]
impl<T, const N: usize> Counted for [T; N] {}

/// Elements of the same type whose numbers can be equal. The compiler compares numbers that are part of types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be copied to `{Target}`",
    label = "both sides of a copy have the same element type and the same length",
    note = "if the element types differ, convert the elements on the host first",
    note = "if the lengths differ, take a `slice` of the longer buffer"
)]
pub trait SameElements<Target: ?Sized>: Sealed {
    /// Whether the compiler has compared the numbers.
    const KNOWN: bool;
}

#[diagnostic::do_not_recommend]
impl<T> SameElements<[T]> for [T] {
    const KNOWN: bool = false;
}
#[diagnostic::do_not_recommend]
impl<T, const N: usize> SameElements<[T]> for [T; N] {
    const KNOWN: bool = false;
}
#[diagnostic::do_not_recommend]
impl<T, const N: usize> SameElements<[T; N]> for [T] {
    const KNOWN: bool = false;
}
#[diagnostic::do_not_recommend]
impl<T, const N: usize> SameElements<[T; N]> for [T; N] {
    const KNOWN: bool = true;
}
