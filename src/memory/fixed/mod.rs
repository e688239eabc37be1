//! Lengths that the compiler computes: the part of this crate that calculates with numbers of `typenum`.
//!
//! Rust cannot calculate with const generics in types yet: `[f32; N + M]` does not compile if `N` and `M` are
//! parameters. If the lengths of a program are constants, use a plain array, `DeviceBuf<'_, D, [f32; 16]>`; compiler
//! messages print it as it is written. If a length depends on other lengths, use this module:
//!
//! - [`Fixed<T, N>`](Fixed) replaces `[T; N]`, with a number `N` such as `Prod<U3, U224>`:
//!   [`malloc_as`](crate::Current::malloc_as) takes both;
//! - [`Buf::split_fixed_mut`] and [`Queued::split_fixed_mut`](crate::Queued::split_fixed_mut) return two parts whose
//!   lengths are part of their types;
//! - [`Rows::fixed`](crate::memory::Rows::fixed) makes a matrix, and the compiler compares its width with its pitch;
//! - [`Block::room`](crate::memory::Block::room) returns room for pieces, and the compiler checks that the pieces
//!   fit.
//!
//! Code with lengths that do not fit does not compile, and nothing is compared at run time.
//!
//! ```
//! fn halves(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
//!     use ascendcl::memory::fixed::Fixed;
//!     use ascendcl::{Npu, Thread};
//!     use typenum::{Prod, U3, U8, U16};
//!     let mut thread = Thread::claim()?;
//!     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
//!     let current = thread.set_current(&device)?;
//!     let Some(side) = acl.run_mode()?.host() else { return Ok(()) };
//!
//!     type Batch = Prod<U3, U8>; // 24
//!     let mut batch = current.memset(current.malloc_as::<Fixed<u32, Batch>>()?, 0)?;
//!     let (head, tail) = batch.split_fixed_mut::<U16>(); // 16 and 8 elements; `U32` would not compile
//!     let eight = current.malloc_host_as::<Fixed<u32, U8>>(side)?;
//!     current.memcpy(tail, &eight)?; // a `head` here would not compile
//!     current.memset(head, 1)?;
//!     batch.free()
//! }
//! # ascendcl::example!(|acl| { halves(&acl)?; });
//! ```
//!
//! The compiler prints numbers of `typenum` in binary: `UInt<UInt<UTerm, B1>, B0>` is 2.

mod number;
mod room;
mod rows;
mod size;
mod split;

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use typenum::Unsigned;

pub use number::NonEmpty;
pub use room::{HasRoom, Measured, PieceAndRest, Room};
pub use rows::{FitsPitch, FixedRows};
pub use size::FixedSize;
pub use split::{AlignedIn, FixedHalves, SplitsAt, Without};

pub(crate) use split::halves;

#[cfg(doc)]
use crate::memory::Buf;
use crate::memory::elements::{Counted, Elements, SameElements};
use crate::state::Sealed;

/// The elements of a buffer with `N` elements `T`, where `N` is a number of `typenum`, for instance
/// `Fixed<f32, Prod<U3, U224>>`.
///
/// It describes elements in memory, as `[T; N]` does. There are no values of this type.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::DeviceBuf;
/// use ascendcl::memory::fixed::Fixed;
/// use typenum::{Prod, U3, U224};
///
/// type Picture = Fixed<f32, Prod<U3, Prod<U224, U224>>>; // 3 x 224 x 224 numbers
///
/// let fresh: DeviceBuf<'_, _, Picture, _> = current.malloc_as()?;
/// assert_eq!(fresh.len(), 150_528);
/// # });
/// ```
pub struct Fixed<T, N>(PhantomData<fn() -> (T, N)>);

impl<T, N: Unsigned> fmt::Debug for Fixed<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fixed({})", N::USIZE)
    }
}

impl<T, N> Sealed for Fixed<T, N> {}
#[diagnostic::do_not_recommend]
impl<T, N: Unsigned> Elements for Fixed<T, N> {
    type Element = T;

    #[inline(always)]
    fn count(_: NonNull<Fixed<T, N>>) -> usize {
        N::USIZE
    }
}

impl<T, N: NonEmpty> Counted for Fixed<T, N> {}

#[diagnostic::do_not_recommend]
impl<T, N> SameElements<Fixed<T, N>> for Fixed<T, N> {
    const KNOWN: bool = true;
}
#[diagnostic::do_not_recommend]
impl<T, N> SameElements<[T]> for Fixed<T, N> {
    const KNOWN: bool = false;
}
#[diagnostic::do_not_recommend]
impl<T, N> SameElements<Fixed<T, N>> for [T] {
    const KNOWN: bool = false;
}
#[diagnostic::do_not_recommend]
impl<T, N, const M: usize> SameElements<Fixed<T, N>> for [T; M] {
    const KNOWN: bool = false;
}
#[diagnostic::do_not_recommend]
impl<T, N, const M: usize> SameElements<[T; M]> for Fixed<T, N> {
    const KNOWN: bool = false;
}
