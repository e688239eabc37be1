//! Functions of real numbers.

use core::ops::Div;

use super::number::Number;

/// Defines the trait, with the functions that the standard library has for both types.
macro_rules! reals {
    ($($(#[$doc:meta])* $name:ident = $function:ident;)*) => {
        /// A type of number that supports division and the functions of real numbers.
        pub trait Real: Number + Div<Output = Self> {
            $(
                $(#[$doc])*
                #[must_use]
                fn $name(self) -> Self;
            )*

            /// Returns the error function.
            #[must_use]
            fn erf(self) -> Self;

            /// Returns the nearest number to a constant.
            #[must_use]
            fn real(value: f64) -> Self;

            /// Returns `1 / (1 + exp(-self))`.
            #[must_use]
            fn sigmoid(self) -> Self {
                Self::real(1.0) / (Self::real(1.0) + (-self).exp())
            }

            /// Returns the number times its normal distribution.
            #[must_use]
            fn gelu(self) -> Self {
                let root = Self::real(core::f64::consts::FRAC_1_SQRT_2);
                Self::real(0.5) * self * (Self::real(1.0) + (self * root).erf())
            }

            /// Returns nearly [`gelu`](Self::gelu), with the hyperbolic tangent.
            #[must_use]
            fn gelu_tanh(self) -> Self {
                let factor = Self::real((2.0 / core::f64::consts::PI).sqrt());
                let inner = factor * (self + Self::real(0.044715) * self * self * self);
                Self::real(0.5) * self * (Self::real(1.0) + inner.tanh())
            }

            /// Returns `ln(1 + exp(self))`.
            #[must_use]
            fn softplus(self) -> Self {
                // The exponential does not overflow for negative numbers.
                self.larger(Self::ZERO) + (-self.absolute()).exp().ln_1p()
            }
        }

        impl Real for f32 {
            $(fn $name(self) -> Self { f32::$function(self) })*
            fn erf(self) -> Self { libm::erff(self) }
            // CAST: to the nearest.
            fn real(value: f64) -> Self { value as f32 }
        }

        impl Real for f64 {
            $(fn $name(self) -> Self { f64::$function(self) })*
            fn erf(self) -> Self { libm::erf(self) }
            fn real(value: f64) -> Self { value }
        }
    };
}

reals! {
    /// Returns `e` to the power of this number.
    exp = exp;
    /// Returns 2 to the power of this number.
    exp2 = exp2;
    /// Returns `e` to the power of this number, minus 1.
    exp_m1 = exp_m1;
    /// Returns the natural logarithm.
    ln = ln;
    /// Returns the logarithm to base 2.
    log2 = log2;
    /// Returns the natural logarithm of 1 more than this number.
    ln_1p = ln_1p;
    /// Returns the square root.
    sqrt = sqrt;
    /// Returns the sine of an angle in radians.
    sin = sin;
    /// Returns the cosine of an angle in radians.
    cos = cos;
    /// Returns the hyperbolic tangent.
    tanh = tanh;
}
