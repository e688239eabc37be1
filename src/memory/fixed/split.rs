//! Splits of buffers into two parts whose lengths are part of their types.

use std::ops::Sub;
use std::ptr::NonNull;

use typenum::{Diff, Min, Minimum, Unsigned};

use crate::memory::Buf;
use crate::memory::fixed::Fixed;
use crate::memory::place::Place;
use crate::memory::slice::SliceMut;
use crate::state::Init;

/// A position at which `N` elements can be split in two: a number that is at most `N`.
#[diagnostic::on_unimplemented(
    message = "`{N}` elements cannot be split at element `{Self}`",
    label = "the element is after the end, or its number is written with leading zeros",
    note = "numbers of `typenum` are printed in binary: `UInt<UInt<UTerm, B1>, B0>` is 2",
    note = "write a number by its name, `U16`, or as `Sum`, `Prod` ... of such numbers: these have no leading zeros"
)]
pub trait SplitsAt<N>: Unsigned + sealed::Within<N> {}
#[diagnostic::do_not_recommend]
impl<N, K: Unsigned + sealed::Within<N>> SplitsAt<N> for K {}

/// A number from which `K` can be subtracted. Other traits check that `K` is not larger ([`SplitsAt`],
/// [`HasRoom`](crate::memory::fixed::HasRoom)), so that compiler messages are about the split or the piece and not
/// about arithmetic.
pub trait Without<K> {
    /// The difference, or zero if `K` is larger.
    type Rest: Unsigned;
}
#[diagnostic::do_not_recommend]
impl<N, K> Without<K> for N
where
    N: Min<K> + Sub<Minimum<N, K>, Output: Unsigned>,
{
    type Rest = Diff<N, Minimum<N, K>>;
}

mod sealed {
    use typenum::{IsLessOrEqual, True};

    use crate::memory::fixed::number::Countable;

    /// Seals [`SplitsAt`](super::SplitsAt): only numbers of `typenum` implement it.
    pub trait Within<N> {}
    impl<N, K: Countable + IsLessOrEqual<N, Output = True>> Within<N> for K {}
}

/// A number of elements `T` whose size is a multiple of 64 bytes. A split at this element keeps the alignment of the
/// start.
///
/// Queued copies within the device need both addresses aligned to 64 bytes. Up to CANN 8.0 all queued copies need
/// this (`acl/acl_rt.h`).
#[diagnostic::on_unimplemented(
    message = "element `{Self}` of a buffer of `{T}` is not aligned to 64 bytes",
    label = "queued copies need addresses that are aligned to 64 bytes",
    note = "split at a multiple of 64 bytes: 16 elements of 4 bytes, 8 of 8 bytes ..."
)]
pub trait AlignedIn<T>: aligned::In<T> {}
#[diagnostic::do_not_recommend]
impl<T, K: aligned::In<T>> AlignedIn<T> for K {}

mod aligned {
    use std::ops::{Mul, Rem};

    use typenum::{Mod, Prod, U0, U64};

    use crate::memory::fixed::FixedSize;

    /// Seals [`AlignedIn`](super::AlignedIn): only numbers of `typenum` implement it.
    pub trait In<T> {}
    impl<T: FixedSize, K> In<T> for K
    where
        K: Mul<T::Size>,
        Prod<K, T::Size>: Rem<U64>,
        Mod<Prod<K, T::Size>, U64>: typenum::IsEqual<U0, Output = typenum::True>,
    {
    }
}

/// The two parts of [`Buf::split_fixed_mut`] and [`Queued::split_fixed_mut`](crate::Queued::split_fixed_mut): the
/// first `K` elements, and the rest of `N`.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::memory::fixed::Fixed;
/// use ascendcl::memory::fixed::FixedHalves;
/// use typenum::{U16, U64};
///
/// let mut numbers = current.memset(current.malloc_as::<Fixed<f32, U64>>()?, 0)?;
/// let (left, right): FixedHalves<'_, _, f32, U16, U64> = numbers.split_fixed_mut();
/// current.memset(left, 1)?; // 16 elements
/// current.memset(right, 2)?; // 48 elements
/// # });
/// ```
pub type FixedHalves<'b, M, T, K, N, Q = ()> = (
    SliceMut<'b, M, Fixed<T, K>, Q>,
    SliceMut<'b, M, Fixed<T, <N as Without<K>>::Rest>, Q>,
);

impl<M: Place, T, N: Unsigned> Buf<'_, M, Fixed<T, N>, Init> {
    /// Splits the buffer at element `K` and returns both sides, with their lengths as part of their types. A `K`
    /// larger than the length does not compile.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::memory::fixed::Fixed;
    /// use typenum::{U16, U64};
    ///
    /// let mut numbers = current.memset(current.malloc_as::<Fixed<f32, U64>>()?, 0)?;
    /// let (head, tail) = numbers.split_fixed_mut::<U16>(); // 16 and 48 elements
    /// current.memset(head, 1)?;
    /// # });
    /// ```
    pub fn split_fixed_mut<K>(&mut self) -> FixedHalves<'_, M, T, K, N>
    where
        K: SplitsAt<N>,
        N: Without<K>,
    {
        let (left, right) = halves::<T, K, N>(self.raw());
        // SAFETY: within the buffer, which is borrowed exclusively.
        let left = unsafe { SliceMut::new(left) };
        // SAFETY: within the buffer, which is borrowed exclusively, and without the elements of `left`.
        let right = unsafe { SliceMut::new(right) };
        (left, right)
    }
}

/// Returns the pointers to the two parts.
#[inline(always)]
pub(crate) fn halves<T, K, N>(
    start: NonNull<Fixed<T, N>>,
) -> (NonNull<Fixed<T, K>>, NonNull<Fixed<T, N::Rest>>)
where
    K: SplitsAt<N>,
    N: Without<K>,
{
    let behind = start.as_ptr().cast::<T>().wrapping_add(K::USIZE);
    // SAFETY: not null, because `K <= N` (`SplitsAt`), so the address lies within the elements or at their end.
    let behind = unsafe { NonNull::new_unchecked(behind) };
    (start.cast(), behind.cast())
}
