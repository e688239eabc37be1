//! Whole numbers of conditions, whose arithmetic does not wrap.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Rem, Sub};

/// A whole number in the `where` of a [`kernel!`](crate::kernel!): a length, a number of blocks or an argument.
///
/// Its arithmetic is exact. A result that no `i128` holds, and a division by zero, is no number, and each comparison with
/// no number is false, as with NaN. So a product that is too large never admits a launch.
///
/// ```
/// use ascendcl::kernel::Exact;
///
/// let (rows, columns) = (Exact::from(1_u64 << 63), Exact::from(4));
/// assert!(rows * columns / columns == rows); // does not wrap
/// let none = rows / 0;
/// assert!(!(none == 1) && !(none != 1) && !(none > 1));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Exact(Option<i128>);

impl Exact {
    /// The number, unless it is none.
    #[inline(always)]
    pub(super) fn value(self) -> Option<i128> {
        self.0
    }
}

/// Lists the types that convert without a loss.
macro_rules! numbers {
    ($($type:ty)*) => { $(
        impl From<$type> for Exact {
            #[inline(always)]
            fn from(number: $type) -> Exact {
                Exact(Some(i128::from(number)))
            }
        }
    )* };
}
numbers! { u8 u16 u32 u64 i8 i16 i32 i64 }

impl From<usize> for Exact {
    #[inline(always)]
    fn from(number: usize) -> Exact {
        // No target of CANN has addresses of more than 64 bits.
        Exact(i128::try_from(number).ok())
    }
}

/// Implements the operators for any number on the right, and for a literal on the left.
macro_rules! operators {
    ($($Trait:ident $method:ident $checked:ident;)*) => { $(
        impl<T: Into<Exact>> $Trait<T> for Exact {
            type Output = Exact;

            #[inline(always)]
            fn $method(self, other: T) -> Exact {
                match (self.0, other.into().0) {
                    (Some(left), Some(right)) => Exact(left.$checked(right)),
                    _ => Exact(None),
                }
            }
        }
        impl $Trait<Exact> for i32 {
            type Output = Exact;

            #[inline(always)]
            fn $method(self, other: Exact) -> Exact {
                Exact::from(self).$method(other)
            }
        }
    )* };
}
operators! {
    Add add checked_add;
    Sub sub checked_sub;
    Mul mul checked_mul;
    Div div checked_div;
    Rem rem checked_rem;
}

impl<T: Into<Exact> + Copy> PartialEq<T> for Exact {
    #[inline(always)]
    fn eq(&self, other: &T) -> bool {
        matches!((self.0, (*other).into().0), (Some(left), Some(right)) if left == right)
    }

    #[expect(
        clippy::partialeq_ne_impl,
        reason = "a comparison with no number is false"
    )]
    #[inline(always)]
    fn ne(&self, other: &T) -> bool {
        matches!((self.0, (*other).into().0), (Some(left), Some(right)) if left != right)
    }
}

impl<T: Into<Exact> + Copy> PartialOrd<T> for Exact {
    #[inline(always)]
    fn partial_cmp(&self, other: &T) -> Option<Ordering> {
        self.0?.partial_cmp(&(*other).into().0?)
    }
}

#[cfg(test)]
mod tests {
    use super::Exact;

    #[test]
    fn what_is_no_number_admits_nothing() {
        let large = Exact::from(u64::MAX);
        let none = [
            large * large * large,
            large % 0,
            large / 0,
            large - large * large * large,
        ];
        for one in none {
            let compared = [
                one == one,
                one != one,
                one < 1,
                one >= 0,
                one + 1 == 1,
                2 * one != 0,
            ];
            assert_eq!(compared, [false; 6], "{one:?}");
        }
    }

    #[test]
    fn numbers_of_all_kinds_are_compared_as_numbers() {
        let (len, blocks) = (Exact::from(1024_usize), Exact::from(8_u32));
        assert!(len == blocks * 128_u32 && len % (2 * blocks) == 0 && len - 2000 == -976);
        assert!(len > blocks && len >= 1024_u64 && blocks != len && blocks / 3 == 2);
    }
}
