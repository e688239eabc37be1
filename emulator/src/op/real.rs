//! Functions of real numbers: of the standard library, and in single precision those of `f32_math`, which vectorise.

use core::ops::Div;

use super::f32_math;
use super::number::Number;

/// Defines the trait, with its functions for both types.
macro_rules! reals {
    ($($(#[$doc:meta])* $name:ident = $single:expr, $double:expr;)*) => {
        /// A type of number that supports division and the functions of real numbers.
        pub trait Real: Number + Div<Output = Self> {
            $(
                $(#[$doc])*
                #[must_use]
                fn $name(self) -> Self;
            )*

            /// Returns the nearest number to a constant.
            #[must_use]
            fn real(value: f64) -> Self;

            /// Returns this number in double precision.
            #[must_use]
            fn double(self) -> f64;

            /// Returns the number times its normal distribution.
            #[must_use]
            #[inline(always)]
            fn gelu(self) -> Self {
                let root = Self::real(core::f64::consts::FRAC_1_SQRT_2);
                Self::real(0.5) * self * (Self::real(1.0) + (self * root).erf())
            }
        }

        impl Real for f32 {
            $(
                #[inline(always)]
                fn $name(self) -> Self { $single(self) }
            )*
            // CAST: to the nearest.
            #[inline(always)]
            fn real(value: f64) -> Self { value as f32 }
            #[inline(always)]
            fn double(self) -> f64 { self.into() }
        }

        impl Real for f64 {
            $(fn $name(self) -> Self { $double(self) })*
            fn real(value: f64) -> Self { value }
            fn double(self) -> f64 { self }
        }
    };
}

reals! {
    /// Returns `e` to the power of this number.
    exp = f32_math::exp, f64::exp;
    /// Returns 2 to the power of this number.
    exp2 = f32_math::exp2, f64::exp2;
    /// Returns `e` to the power of this number, minus 1.
    exp_m1 = f32_math::exp_m1, f64::exp_m1;
    /// Returns the natural logarithm.
    ln = f32_math::ln, f64::ln;
    /// Returns the logarithm to base 2.
    log2 = f32_math::log2, f64::log2;
    /// Returns the natural logarithm of 1 more than this number.
    ln_1p = f32_math::ln_1p, f64::ln_1p;
    /// Returns the square root.
    sqrt = f32::sqrt, f64::sqrt;
    /// Returns the sine of an angle in radians.
    sin = f32::sin, f64::sin;
    /// Returns the cosine of an angle in radians.
    cos = f32::cos, f64::cos;
    /// Returns the error function.
    erf = f32_math::erf, libm::erf;
    /// Returns the hyperbolic tangent.
    tanh = f32_math::tanh, f64::tanh;
    /// Returns `1 / (1 + exp(-self))`.
    sigmoid = f32_math::sigmoid, |x: f64| 1.0 / (1.0 + (-x).exp());
    /// Returns the number times its [`sigmoid`](Self::sigmoid).
    silu = f32_math::silu, |x: f64| x / (1.0 + (-x).exp());
    /// Returns `ln(1 + exp(self))`.
    softplus = f32_math::softplus, |x: f64| x.larger(0.0) + (-x.abs()).exp().ln_1p();
    /// Returns nearly [`gelu`](Self::gelu), with the hyperbolic tangent.
    gelu_tanh = f32_math::gelu_tanh, |x: f64| {
        let factor = (2.0 / core::f64::consts::PI).sqrt();
        let inner = factor * (x + 0.044715 * x * x * x);
        // The divisor is that of `0.5 * (1 + tanh(inner))`, without the loss of a sum near 0.
        x / (1.0 + (-(inner + inner)).exp())
    };
}
