//! The results of the CPU, to compare with the device's result.

use std::fmt;
use std::str::FromStr;

use ascendcl::bounds::Arithmetic;
use half::{bf16, f16};

use crate::Result;
use crate::shape::{Walk, index, tuple};

/// What is computed for each pair of elements.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Function<T> {
    /// `a + alpha * b`.
    Add {
        /// The factor.
        alpha: T,
    },
    /// `a * b`.
    Multiply,
}

impl<T: Number> fmt::Display for Function<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Function::Add { alpha } if alpha.to_string() == "1" => f.write_str("+"),
            Function::Add { alpha } => write!(f, "+ {alpha} *"),
            Function::Multiply => f.write_str("*"),
        }
    }
}

/// An element type, with the arithmetic of the operators: integers wrap, half precision is computed
/// in single precision and rounded once.
pub(crate) trait Number: Arithmetic + PartialOrd + FromStr + fmt::Display {
    /// The numbers that `--alpha` accepts.
    const RANGE: &'static str;

    /// `self + alpha * other`. In single precision the product is rounded before the sum, as the
    /// manual's formula reads; a card that fuses the two differs for an `alpha` other than 1.
    fn plus(self, alpha: Self, other: Self) -> Self;

    /// `self * other`.
    fn times(self, other: Self) -> Self;

    /// Whether two results are equal: the same bits, or both not a number. IEEE 754 does not say which NaN an
    /// operation returns.
    fn same(self, other: Self) -> bool {
        let nan = |value: Self| value.partial_cmp(&value).is_none();
        bytemuck::bytes_of(&self) == bytemuck::bytes_of(&other) || (nan(self) && nan(other))
    }
}

impl Number for f32 {
    const RANGE: &'static str = "a number such as 0.5";

    fn plus(self, alpha: f32, other: f32) -> f32 {
        self + alpha * other
    }

    fn times(self, other: f32) -> f32 {
        self * other
    }
}

macro_rules! halves {
    ($($type:ty),*) => { $( impl Number for $type {
        const RANGE: &'static str = "a number such as 0.5";

        fn plus(self, alpha: Self, other: Self) -> Self {
            Self::from_f32(self.to_f32() + alpha.to_f32() * other.to_f32())
        }

        fn times(self, other: Self) -> Self {
            Self::from_f32(self.to_f32() * other.to_f32())
        }
    } )* };
}
halves!(f16, bf16);

macro_rules! integers {
    ($($type:ty, $range:literal;)*) => { $( impl Number for $type {
        const RANGE: &'static str = $range;

        fn plus(self, alpha: Self, other: Self) -> Self {
            self.wrapping_add(alpha.wrapping_mul(other))
        }

        fn times(self, other: Self) -> Self {
            self.wrapping_mul(other)
        }
    } )* };
}
integers! {
    i32, "a whole number from -2147483648 to 2147483647";
    i64, "a whole number from -9223372036854775808 to 9223372036854775807";
}

/// The right result, element by element; it is never stored as a whole.
#[derive(Debug)]
pub(crate) struct Expected<'a, T> {
    function: Function<T>,
    a: (&'a [T], Walk),
    b: (&'a [T], Walk),
    shape: &'a [usize],
    checked: usize,
}

impl<'a, T: Number> Expected<'a, T> {
    /// The result of the shape `shape` for operands with theirs.
    pub(crate) fn new(
        function: Function<T>,
        a: (&'a [T], &[usize]),
        b: (&'a [T], &[usize]),
        shape: &'a [usize],
    ) -> Self {
        let operand = |(values, own)| (values, Walk::repeating(own, shape));
        Expected {
            function,
            a: operand(a),
            b: operand(b),
            shape,
            checked: 0,
        }
    }

    /// Compares the next elements of the device's result.
    pub(crate) fn check(&mut self, values: &[T]) -> Result<()> {
        let (a, b) = (&mut self.a, &mut self.b);
        for (value, (a_at, b_at)) in values.iter().zip((&mut a.1).zip(&mut b.1)) {
            let (Some(left), Some(right)) = (a.0.get(a_at), b.0.get(b_at)) else {
                bail!("an operand is shorter than its shape says");
            };
            let right = match self.function {
                Function::Add { alpha } => left.plus(alpha, *right),
                Function::Multiply => left.times(*right),
            };
            if !value.same(right) {
                let place = tuple(&index(self.shape, self.checked));
                bail!(
                    "the result is wrong and was not written: the element at {place} is {value} and \
                     should be {right}; try another --device, or look at `npu-smi info`"
                );
            }
            self.checked += 1;
        }
        Ok(())
    }
}
