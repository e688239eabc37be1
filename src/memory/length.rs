//! Lengths of buffers: in the type, or known at run time.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Sub;

use typenum::{Diff, IsLess, Min, Minimum, NonZero, True, U0, Unsigned};

use crate::state::Sealed;

/// A length that is known at run time; it is compared in each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dyn(pub(crate) usize);

impl Dyn {
    /// A length of `len` elements, for [`Buf::from_raw`](crate::memory::Buf::from_raw).
    #[must_use]
    pub const fn new(len: usize) -> Dyn {
        Dyn(len)
    }
}

/// A length of `N` elements, known to the compiler: no run-time check, and a buffer is one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arr<const N: usize>;

/// A length that is computed by the compiler, as a number of `typenum`: `Fixed<Prod<U3, U224>>`.
///
/// Constants of the language cannot be calculated with in types yet; for plain numbers [`Arr`] reads
/// better in messages.
pub struct Fixed<N>(PhantomData<fn() -> N>);

impl<N> Fixed<N> {
    pub(crate) const NEW: Fixed<N> = Fixed(PhantomData);

    /// The length, for [`Buf::from_raw`](crate::memory::Buf::from_raw).
    #[must_use]
    pub const fn new() -> Fixed<N>
    where
        N: NonEmpty,
    {
        Fixed::NEW
    }
}
impl<N: NonEmpty> Default for Fixed<N> {
    fn default() -> Self {
        Fixed::NEW
    }
}
impl<N> Clone for Fixed<N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<N> Copy for Fixed<N> {}
impl<N: Unsigned> fmt::Debug for Fixed<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fixed({})", N::USIZE)
    }
}

/// More elements than any allocation has, whose bytes an `isize` counts.
#[cfg(target_pointer_width = "64")]
type TooMany = typenum::U9223372036854775808;
#[cfg(not(target_pointer_width = "64"))]
type TooMany = typenum::U2147483648;

/// A number of elements that can be allocated: any but none, and none that an address cannot span.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no length of an allocation",
    label = "zero, more than an address can span, written with zeros in front, or no number of `typenum`",
    note = "AscendCL refuses empty allocations (100000); a slice of a buffer may be empty",
    note = "write a number by its name, `U16`, or as `Sum`, `Prod` ... of such: these have no zeros in front"
)]
pub trait NonEmpty: nonzero::Number {}
#[diagnostic::do_not_recommend]
impl<N: Unsigned + NonZero + Countable> NonEmpty for N {}

mod nonzero {
    /// Seals [`NonEmpty`](super::NonEmpty): it is a property of typenum's numbers.
    pub trait Number: typenum::Unsigned {}
    impl<N: typenum::Unsigned> Number for N {}
}

/// A number of `typenum` that a `usize` can hold, without zeros in front. Of others `USIZE` has the last bits only, while
/// types compare the whole number. With zeros in front it compares as a longer number than it is, and zero itself is
/// not zero (typenum 1.20).
pub trait Countable: Unsigned {}
// A difference has no zeros in front, so it is the number itself only if that has none.
#[diagnostic::do_not_recommend]
impl<N: Unsigned + IsLess<TooMany, Output = True> + Sub<U0, Output = N>> Countable for N {}

/// A number that splits a length of `N` elements in two.
#[diagnostic::on_unimplemented(
    message = "`{N}` elements cannot be split at element `{Self}`",
    label = "the element lies behind the end, or its number is written with zeros in front",
    note = "numbers of `typenum` are printed in binary: `UInt<UInt<UTerm, B1>, B0>` is 2",
    note = "write a number by its name, `U16`, or as `Sum`, `Prod` ... of such: these have no zeros in front"
)]
pub trait SplitsAt<N>: Unsigned + split::Within<N> {}
#[diagnostic::do_not_recommend]
impl<N, K: Unsigned + split::Within<N>> SplitsAt<N> for K {}

/// What is left of a number when `K` is taken from it. That `K` is not more is checked elsewhere
/// ([`SplitsAt`], [`HasRoom`](crate::memory::HasRoom)), so that messages speak of that and not of arithmetic.
pub trait Without<K> {
    /// The difference; zero if `K` is more.
    type Rest: Unsigned;
}
#[diagnostic::do_not_recommend]
impl<N, K> Without<K> for N
where
    N: Min<K> + Sub<Minimum<N, K>, Output: Unsigned>,
{
    type Rest = Diff<N, Minimum<N, K>>;
}

mod split {
    use typenum::{IsLessOrEqual, True};

    /// Seals [`SplitsAt`](super::SplitsAt): it is a property of typenum's numbers.
    pub trait Within<N> {}
    impl<N, K: super::Countable + IsLessOrEqual<N, Output = True>> Within<N> for K {}
}

/// The length of a buffer: [`Dyn`], [`Arr`] or [`Fixed`].
pub trait Len: Sealed + Copy + Send + Sync {
    /// The number of elements.
    fn get(self) -> usize;
}

impl Sealed for Dyn {}
impl Len for Dyn {
    #[inline(always)]
    fn get(self) -> usize {
        self.0
    }
}

impl<const N: usize> Sealed for Arr<N> {}
impl<const N: usize> Len for Arr<N> {
    #[inline(always)]
    fn get(self) -> usize {
        N
    }
}

impl<N> Sealed for Fixed<N> {}
impl<N: Unsigned> Len for Fixed<N> {
    #[inline(always)]
    fn get(self) -> usize {
        N::USIZE
    }
}
