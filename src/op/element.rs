//! Element types of tensors, and which families of operators take them.

use ascendcl_sys as sys;

use crate::memory::fixed::FixedSize;
use crate::op::array::{self, Shape};
use crate::op::shape::MAX_RANK;
use crate::op::truth::Bool;

/// A type that a tensor can hold, with its `aclDataType`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element type of a tensor",
    note = "tensors hold f32, f64, i8 to i64, u8 to u64, `op::Bool`, and with the feature `half` f16 and bf16"
)]
pub trait Element: FixedSize + Shape<Element = Self> {
    /// The type as C names it.
    const DATA_TYPE: sys::aclDataType;
}

/// Declares families of element types.
macro_rules! families {
    ($( $(#[$doc:meta])* $Family:ident: $($Wider:ident)+, $message:literal, $note:literal; )*) => { $(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(
            message = $message,
            note = $note,
            note = "`op::cast` converts elements on the device"
        )]
        pub trait $Family: $($Wider +)+ {}
    )* };
}

families! {
    /// An element type of numbers that nearly every operator takes: f32, i32, i64, and with the feature `half` f16 and
    /// bf16.
    Numeric: Signed, "this operator does not take `{Self}` elements: they are not `Numeric`",
        "`Numeric` are f32, i32, i64, and with the feature `half` f16 and bf16";
    /// An element type that operators of arithmetic take, such as [`add`](crate::op::add) and [`mul`](crate::op::mul):
    /// numbers of any width up to 64 bits, but no unsigned ones beyond `u8`.
    Arithmetic: Comparable, "this operator does not take `{Self}` elements: they are not `Arithmetic`",
        "`Arithmetic` are f32, f64, i8 to i64, u8, and with the feature `half` f16 and bf16";
    /// An element type of numbers with a sign, which [`neg`](crate::op::neg) takes.
    Signed: Arithmetic, "this operator does not take `{Self}` elements: they are not `Signed`",
        "`Signed` are f32, f64, i8, i32, i64, and with the feature `half` f16 and bf16";
    /// An element type of floating-point numbers that matrix units take: [`matmul`](crate::op::matmul), normalisations and
    /// activations.
    Floating: Numeric Fractional, "this operator does not take `{Self}` elements: they are not `Floating`",
        "`Floating` are f32, and with the feature `half` f16 and bf16";
    /// An element type of floating-point numbers of any width, which operators such as [`div`](crate::op::div) take.
    Fractional: Signed, "this operator does not take `{Self}` elements: they are not `Fractional`",
        "`Fractional` are f32, f64, and with the feature `half` f16 and bf16";
    /// An element type that comparisons and operators of logic take: numbers and [`Bool`].
    Comparable: Castable, "this operator does not take `{Self}` elements: they are not `Comparable`",
        "`Comparable` are f32, f64, i8 to i64, u8, `op::Bool`, and with the feature `half` f16 and bf16";
    /// An element type of numbers in 16 bits, which attention for inference and quantization take: with the feature `half`
    /// f16 and bf16.
    Half: Floating, "this operator does not take `{Self}` elements: they are not `Half`",
        "`Half` are f16 and bf16, with the feature `half`";
    /// An element type that products of quantized matrices give.
    Dequantized: Signed, "a product of quantized matrices does not give `{Self}` elements",
        "these are i8, i32, and with the feature `half` f16 and bf16";
    /// An element type whose bits an operator combines: whole numbers and [`Bool`].
    Bits: Comparable, "this operator does not take `{Self}` elements: they are not `Bits`",
        "`Bits` are i8 to i64, u8 and `op::Bool`";
    /// An element type that operators copy to other places, such as [`slice`](crate::op::slice).
    Movable: Comparable, "this operator does not take `{Self}` elements: they are not `Movable`",
        "`Movable` are f32, i8, i32, i64, u8, `op::Bool`, and with the feature `half` f16 and bf16";
    /// An element type that [`triangular_solve`](crate::op::triangular_solve) takes.
    Real: Fractional, "this operator does not take `{Self}` elements: they are not `Real`", "`Real` are f32 and f64";
    /// An element type that [`sum`](crate::op::sum) adds up.
    SumElement: Arithmetic, "this operator does not take `{Self}` elements: they are no `SumElement`",
        "`SumElement` are f32, i8, i32, u8, and with the feature `half` f16";
    /// An element type of one-hot vectors, which [`one_hot`](crate::op::one_hot) makes.
    OneHotElement: Arithmetic, "this operator does not take `{Self}` elements: they are no `OneHotElement`",
        "`OneHotElement` are f32, i8, i32, i64, u8, and with the feature `half` f16";
    /// An element type that [`inplace_scatter_update`](crate::op::inplace_scatter_update) stores.
    ScatterElement: Arithmetic, "this operator does not take `{Self}` elements: they are no `ScatterElement`",
        "`ScatterElement` are f32, i8, i32, u8, and with the feature `half` f16 and bf16";
    /// An element type that [`scatter_nd_update`](crate::op::scatter_nd_update) stores.
    ScatterNdElement: Comparable, "this operator does not take `{Self}` elements: they are no `ScatterNdElement`",
        "`ScatterNdElement` are f32, i8, i64, `op::Bool`, and with the feature `half` f16 and bf16";
}

/// An element type of numbers in order, which [`arange`](crate::op::arange) and [`range`](crate::op::range) give.
#[diagnostic::on_unimplemented(
    message = "this operator does not take `{Self}` elements: they are not `Stepped`",
    note = "`Stepped` are f32, f64, i32, i64, and with the feature `half` f16 and bf16",
    note = "`op::cast` converts elements on the device"
)]
pub trait Stepped: Element + steps::Steps {}

/// An element type of numbers that count elements or rows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` elements are no indices",
    note = "indices are i32 or i64; `op::cast` converts elements on the device"
)]
pub trait IndexElement: Numeric + Bits + Into<i64> + Default {}

/// An element type of the bias beside `T` elements with quantized weights: f16 beside f16, and f32 beside bf16.
#[diagnostic::on_unimplemented(
    message = "the bias beside `{T}` elements does not have `{Self}` elements",
    note = "beside f16 it has f16, and beside bf16 and f32 it has f32"
)]
pub trait BiasOf<T>: Element + sealed::Pair<T> {}

/// An element type that [`cast`](crate::op::cast) turns into `U`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` elements cannot be cast to `{U}` elements",
    label = "`cast` takes and gives numbers",
    note = "these are f32, f64, i8 to i64, u8, `op::Bool`, and with the feature `half` f16 and bf16"
)]
pub trait CastTo<U>: Element + sealed::Pair<U> {}
#[diagnostic::do_not_recommend]
impl<T: Castable, U: Castable> CastTo<U> for T {}

/// An element type whose sums [`reduce_sum`](crate::op::reduce_sum) gives as `U`: the type itself, or a wider one.
#[diagnostic::on_unimplemented(
    message = "sums of `{Self}` elements are not given as `{U}`",
    label = "the output of a sum holds the operand's type or a wider one",
    note = "each `Arithmetic` type as itself, f16 and bf16 also as f32, and i8, i16, i32 and u8 also as i64"
)]
pub trait SumTo<U>: Element + sealed::Pair<U> {}

/// Types that `aclnnCast` takes and gives on every card (`aclnn_cast.h`).
pub trait Castable: Element {}

mod sealed {
    crate::state::sealed! {
        "a wrong implementation would name types to an operator that it does not take";
        /// Seals relations of two element types: a program may implement a trait that has one of its own types as
        /// parameter for any type.
        pub trait Pair<U> {}
    }
    impl<T: super::Element, U: super::Element> Pair<U> for T {}
}

/// Lists element types.
macro_rules! elements {
    ($($type:ty, $data_type:ident $(, $family:ident)*;)*) => { $(
        impl Element for $type {
            const DATA_TYPE: sys::aclDataType = sys::$data_type;
        }
        impl array::shape::Sealed for $type {}
        #[diagnostic::do_not_recommend]
        impl Shape for $type {
            type Element = $type;
            const RANK: usize = 0;
            const SIZES: [usize; MAX_RANK] = [0; MAX_RANK];
            const LEN: usize = 1;
        }
        $( impl $family for $type {} )*
    )* };
}

elements! {
    f32, ACL_FLOAT, Numeric, Arithmetic, Signed, Floating, Fractional, Comparable, Castable, Movable, Real, OneHotElement, ScatterElement, ScatterNdElement, Stepped, SumElement;
    f64, ACL_DOUBLE, Arithmetic, Signed, Fractional, Comparable, Castable, Real, Stepped;
    i8, ACL_INT8, Arithmetic, Signed, Comparable, Bits, Castable, Movable, OneHotElement, ScatterElement, ScatterNdElement, Dequantized, SumElement;
    i16, ACL_INT16, Arithmetic, Comparable, Bits, Castable;
    i32, ACL_INT32, Numeric, Arithmetic, Signed, Comparable, Bits, IndexElement, Castable, Movable, OneHotElement, ScatterElement, Stepped, Dequantized, SumElement;
    i64, ACL_INT64, Numeric, Arithmetic, Signed, Comparable, Bits, IndexElement, Castable, Movable, OneHotElement, ScatterNdElement, Stepped;
    u8, ACL_UINT8, Arithmetic, Comparable, Bits, Castable, Movable, OneHotElement, ScatterElement, SumElement;
    u16, ACL_UINT16;
    u32, ACL_UINT32;
    u64, ACL_UINT64;
    Bool, ACL_BOOL, Comparable, Bits, Castable, Movable, ScatterNdElement;
}

#[cfg(feature = "half")]
elements! {
    half::f16, ACL_FLOAT16, Numeric, Arithmetic, Signed, Floating, Fractional, Comparable, Castable, Movable, OneHotElement, ScatterElement, ScatterNdElement, Stepped, Half, Dequantized, SumElement;
    half::bf16, ACL_BF16, Numeric, Arithmetic, Signed, Floating, Fractional, Comparable, Castable, Movable, ScatterElement, ScatterNdElement, Stepped, Half, Dequantized;
}

/// Lists what sums are given as.
macro_rules! sums {
    ($($type:ty => $($sum:ty),*;)*) => { $($(
        #[diagnostic::do_not_recommend]
        impl SumTo<$sum> for $type {}
    )*)* };
}

sums! {
    f32 => f32;
    f64 => f64;
    i8 => i8, i64;
    i16 => i16, i64;
    i32 => i32, i64;
    i64 => i64;
    u8 => u8, i64;
}

#[cfg(feature = "half")]
sums! {
    half::f16 => half::f16, f32;
    half::bf16 => half::bf16, f32;
}

pub(super) mod steps {
    /// Counts the numbers of a range.
    pub trait Steps: Sized {
        /// How many numbers there are from `start` to `end` by steps of `step`, with `end` if `closed`; `None` if no steps
        /// lead there.
        #[doc(hidden)]
        fn count(start: Self, end: Self, step: Self, closed: bool) -> Option<i64>;
    }

    /// Counts whole numbers, which have no rounding.
    macro_rules! whole {
        ($($type:ty),*) => { $(
            impl Steps for $type {
                fn count(start: $type, end: $type, step: $type, closed: bool) -> Option<i64> {
                    let (distance, step) = (i128::from(end) - i128::from(start), i128::from(step));
                    let last = distance.checked_div(step).filter(|last| *last >= 0 && distance.signum() != -step.signum())?;
                    let more = closed || distance % step != 0;
                    i64::try_from(last + i128::from(more)).ok()
                }
            }
        )* };
    }
    whole!(i32, i64);

    /// Counts floating-point numbers, in double precision.
    macro_rules! real {
        ($($type:ty),*) => { $(
            impl Steps for $type {
                fn count(start: $type, end: $type, step: $type, closed: bool) -> Option<i64> {
                    let steps = (f64::from(end) - f64::from(start)) / f64::from(step);
                    // Not a number if it is no range.
                    let count = if closed { steps.floor() + 1.0 } else { steps.ceil() };
                    // 2 ^ 53: from there on not each number is one of double precision.
                    let is_range = steps >= 0.0 && count < 9_007_199_254_740_992.0;
                    is_range.then_some(count as i64)
                }
            }
        )* };
    }
    real!(f32, f64);
    #[cfg(feature = "half")]
    real!(half::f16, half::bf16);
}
impl BiasOf<f32> for f32 {}
#[cfg(feature = "half")]
impl BiasOf<half::f16> for half::f16 {}
#[cfg(feature = "half")]
impl BiasOf<half::bf16> for f32 {}
