//! Whole numbers of conditions, whose arithmetic does not wrap.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Rem, Sub};

thread_local! {
    /// Whether an operation of the running condition had no result.
    static HAS_NO_RESULT: Cell<bool> = const { Cell::new(false) };
}

/// A whole number in the `where` of a [`kernel!`](crate::kernel!): a length, a number of blocks or an argument.
///
/// Its arithmetic is exact. A condition does not hold where a result fits no `i128`, or where it divides by zero, whatever
/// else it says. So a product that is too large never admits a launch.
///
/// A number of Rust stands behind the operator: `x % 8 == 0`, `blocks * tiling.rows`. In front of an arithmetic operator
/// it may be a literal.
///
/// ```
/// use ascendcl::kernel::{In, Out};
///
/// ascendcl::kernel! {
///     struct Product = product(x: In<f32>, y: Out<f32>, rows: u64, columns: u64)
///         where x == rows * columns, y == x, rows.div_ceil(16) <= 48;
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Exact(i128);

/// Returns whether a condition holds, and all of its operations have a result.
#[doc(hidden)]
#[inline(always)]
pub fn holds(condition: impl FnOnce() -> bool) -> bool {
    HAS_NO_RESULT.set(false);
    condition() && !HAS_NO_RESULT.get()
}

/// The result of an operation, if it has one.
#[inline(always)]
fn exact(result: Option<i128>) -> Exact {
    #[cold]
    fn without_result() -> Exact {
        HAS_NO_RESULT.set(true);
        Exact(0)
    }
    result.map_or_else(without_result, Exact)
}

impl Exact {
    /// Returns the quotient, rounded up: the number of parts of `size` that cover `self`.
    ///
    /// ```
    /// use ascendcl::kernel::InOut;
    ///
    /// ascendcl::kernel! {
    ///     /// In tiles of 256 elements, one for each block.
    ///     struct Clear = clear<blocks>(x: InOut<u32>) where blocks == x.div_ceil(256);
    /// }
    /// ```
    #[must_use]
    #[inline]
    pub fn div_ceil(self, size: impl Into<Exact>) -> Exact {
        let Exact(size) = size.into();
        let rest = self.0.checked_rem_euclid(size);
        let whole = rest.and_then(|rest| (self.0 - rest).checked_div(size));
        exact(whole.and_then(|whole| whole.checked_add(i128::from(rest != Some(0)))))
    }

    /// The number, for a text.
    pub(super) fn text(self) -> String {
        self.0.to_string()
    }
}

/// Lists the types that convert without a loss.
macro_rules! numbers {
    ($($type:ty)*) => { $(
        impl From<$type> for Exact {
            #[inline(always)]
            fn from(number: $type) -> Exact {
                Exact(i128::from(number))
            }
        }
    )* };
}
numbers! { u8 u16 u32 u64 i8 i16 i32 i64 }

impl From<usize> for Exact {
    #[inline(always)]
    fn from(number: usize) -> Exact {
        // CAST: addresses have at most 64 bits.
        Exact(number as i128)
    }
}

/// Implements the operators for any number on the right, and for a literal on the left.
macro_rules! operators {
    ($($Trait:ident $method:ident $checked:ident;)*) => { $(
        impl<T: Into<Exact>> $Trait<T> for Exact {
            type Output = Exact;

            #[inline(always)]
            fn $method(self, other: T) -> Exact {
                exact(self.0.$checked(other.into().0))
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
        self.0 == (*other).into().0
    }
}

impl Eq for Exact {}

impl<T: Into<Exact> + Copy> PartialOrd<T> for Exact {
    #[inline(always)]
    fn partial_cmp(&self, other: &T) -> Option<Ordering> {
        Some(self.0.cmp(&(*other).into().0))
    }
}

impl Ord for Exact {
    #[inline(always)]
    fn cmp(&self, other: &Exact) -> Ordering {
        self.0.cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Exact, holds};

    #[test]
    fn a_condition_without_a_result_does_not_hold_whatever_it_says() {
        let (large, x) = (Exact::from(u64::MAX), Exact::from(8));
        assert!(!holds(|| large * large * large == x));
        assert!(!holds(|| {
            let is_larger = large * large * large > x;
            !is_larger
        }));
        assert!(!holds(|| x % 0 != 1 || x == 8), "as one of two");
        assert!(!holds(|| if x / 0 == 1 { x == 9 } else { x == 8 }));
        assert!(!holds(|| x.div_ceil(0) >= 0));
        // What is not asked for has no result to miss, and the next condition begins anew.
        assert!(holds(|| x == 8 || x % 0 == 0));
    }

    #[test]
    fn numbers_of_all_kinds_are_compared_as_numbers() {
        let (len, blocks) = (Exact::from(1024_usize), Exact::from(8_u32));
        assert!(len == blocks * 128_u32 && len % (2 * blocks) == 0 && len - 2000 == -976);
        assert!(len > blocks && len >= 1024_u64 && blocks != len && blocks / 3 == 2);
        assert!(len.div_ceil(1000) == 2 && len.div_ceil(512) == 2 && len.min(blocks) == blocks);
        assert!((blocks - 9).div_ceil(4) == 0 && (blocks - 13).div_ceil(4) == -1);
    }
}
