//! Lengths that the compiler computes: all of this crate that calculates with numbers of `typenum`.
//!
//! A constant of the language cannot be calculated with in types yet: `[f32; N + M]` does not compile where `N` and `M`
//! are parameters. Use a plain array, `DeviceBuf<'_, D, [f32; 16]>`, as long as the lengths of a program are
//! constants; messages print it as it is written. Use this module where a length follows from others:
//!
//! - [`Fixed<T, N>`](Fixed) in the place of `[T; N]`, with `N` such as `Prod<U3, U224>`:
//!   [`Current::malloc_fixed`], [`Current::malloc_host_fixed`], and the same methods of [`Stream`](crate::Stream);
//! - [`Buf::split_fixed_mut`] and [`Queued::split_fixed_mut`](crate::Queued::split_fixed_mut) for two parts whose
//!   lengths stay in their types;
//! - [`Rows::fixed`](crate::memory::Rows::fixed) for a matrix whose width is compared with its pitch by the compiler;
//! - [`Block::room`](crate::memory::Block::room) for pieces of which the compiler knows that they fit.
//!
//! What does not fit does not compile then, and nothing is compared when the program runs.
//!
//! ```
//! # #[cfg(feature = "emulator")]
//! fn halves(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
//!     use ascendcl::{Npu, Thread};
//!     use typenum::{Prod, U3, U8, U16};
//!     let mut thread = Thread::claim()?;
//!     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
//!     let current = thread.set_current(&device)?;
//!     let Some(side) = acl.run_mode()?.host() else { return Ok(()) };
//!
//!     type Batch = Prod<U3, U8>; // 24
//!     let mut batch = current.memset(current.malloc_fixed::<u32, Batch>()?, 0)?;
//!     let (head, tail) = batch.split_fixed_mut::<U16>(); // 16 and 8 elements; `U32` would not compile
//!     let eight = current.malloc_host_fixed::<u32, U8>(side)?;
//!     current.memcpy(tail, &eight)?; // a `head` here would not compile
//!     current.memset(head, 1)?;
//!     batch.free()
//! }
//! # #[cfg(feature = "emulator")]
//! # fn main() -> ascendcl::Result<()> { halves(&ascendcl::Acl::from_env()?) }
//! # #[cfg(not(feature = "emulator"))]
//! # fn main() {}
//! ```
//!
//! The compiler prints such numbers in binary: `UInt<UInt<UTerm, B1>, B0>` is 2.

mod number;
mod queued;
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

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::memory::Buf;
use crate::memory::alloc::{malloc_device, malloc_host};
use crate::memory::elements::{Counted, Elements, SameElements};
use crate::memory::plain::Plain;
use crate::memory::policy::MallocPolicy;
use crate::memory::{DeviceBuf, HostBuf, Uninit};
use crate::runtime::HostSide;
use crate::state::Sealed;

/// `N` elements `T`, where `N` is a number of `typenum`: `Fixed<f32, Prod<U3, U224>>`.
///
/// It stands for elements in memory, as `[T; N]` does; there are no values of it.
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

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Allocates device memory (`aclrtMalloc`, pyACL `acl.rt.malloc`) for a number of elements that the compiler
    /// computed, with `typenum`. A length of zero does not compile.
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`].
    #[inline]
    pub fn malloc_fixed<T: Plain, N: NonEmpty>(
        self,
    ) -> Result<DeviceBuf<'dev, D, Fixed<T, N>, Uninit>> {
        malloc_device(N::USIZE, MallocPolicy::HugeFirst, NonNull::cast)
    }

    /// Allocates page-locked host memory (`aclrtMallocHost`, pyACL `acl.rt.malloc_host`), zeroed, for a number of
    /// elements that the compiler computed.
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`].
    #[inline]
    pub fn malloc_host_fixed<T: Plain, N: NonEmpty>(
        self,
        _host: HostSide<'_>,
    ) -> Result<HostBuf<'dev, Fixed<T, N>>> {
        malloc_host(N::USIZE, NonNull::cast)
    }
}
