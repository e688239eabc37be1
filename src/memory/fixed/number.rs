//! Numbers of `typenum` that count elements.

use std::ops::Sub;

use typenum::{IsLess, NonZero, True, U0, Unsigned};

/// More elements than any allocation has: the size of an allocation in bytes fits an `isize`.
#[cfg(target_pointer_width = "64")]
type TooMany = typenum::U9223372036854775808;
#[cfg(not(target_pointer_width = "64"))]
type TooMany = typenum::U2147483648;

/// A number of elements that can be allocated: not zero, and not more than the address space holds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the length of an allocation",
    label = "the length is zero, too large for an address, written with leading zeros, or not a number of `typenum`",
    note = "AscendCL refuses empty allocations (100000); a slice of a buffer may be empty",
    note = "write a number by its name, `U16`, or as `Sum`, `Prod` ... of such numbers: these have no leading zeros"
)]
pub trait NonEmpty: nonzero::Number {}
#[diagnostic::do_not_recommend]
impl<N: Unsigned + NonZero + Countable> NonEmpty for N {}

mod nonzero {
    /// Seals [`NonEmpty`](super::NonEmpty): only numbers of `typenum` implement it.
    pub trait Number: typenum::Unsigned {}
    impl<N: typenum::Unsigned> Number for N {}
}

/// A number of `typenum` that a `usize` can hold and that is written without leading zeros. If a number is too large,
/// `USIZE` has only its last bits, while types compare the whole number. A number with leading zeros compares as a
/// longer number than it is, and a zero with leading zeros does not count as zero (typenum 1.20).
pub trait Countable: Unsigned {}
// A difference has no leading zeros. So `N - 0` is the same type as `N` only if `N` has none.
#[diagnostic::do_not_recommend]
impl<N: Unsigned + IsLess<TooMany, Output = True> + Sub<U0, Output = N>> Countable for N {}
