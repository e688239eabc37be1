//! Numbers of `typenum` that count elements.

use std::ops::Sub;

use typenum::{IsLess, NonZero, True, U0, Unsigned};

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
