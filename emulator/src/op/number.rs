//! Numbers of the general kernels, and their conversion from and to elements of device memory.
//!
//! There are three types of numbers: `f32` for all types of at most its precision, `f64`, and [`Whole`] for integers
//! and truth values. A result is rounded once, to the nearest, ties to even. A fraction that becomes a whole number
//! loses the digits behind the point, and NaN becomes 0.

use core::mem::MaybeUninit;
use core::ops::{Add, Mul, Neg, Sub};

use ascendcl_sys::{
    ACL_BF16, ACL_BOOL, ACL_DOUBLE, ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT16, ACL_INT32,
    ACL_INT64, ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64, aclDataType,
};
use half::{bf16, f16};

use super::dtype::element_size;
use super::f16_convert::Halves;
use super::scalar::Scalar;
use super::stored::{Stored, Truth};
use crate::op::keys::key_of;

/// The number of elements that are loaded, computed and stored at a time: enough that the steps between chunks take little of
/// the time, and few enough that the registers of a formula stay in the first-level cache.
pub const CHUNK: usize = 512;

/// Reads elements of a data type that lie a number of bytes apart, from the first one on.
pub(super) type Load<W> = unsafe fn(*const u8, usize, &mut [W]);

/// Writes elements of a data type a number of bytes apart, from the first one on.
pub(super) type Store<W> = unsafe fn(&[W], *mut u8, usize);

/// Returns a number, or NaN if one of the others is NaN. There is no branch, so loops become vectors. If the result was one of
/// two numbers in memory, a vector would be stored with a mask over the one that lies there, which takes many times as long.
#[inline(always)]
fn or_nan<W: Number>(one: W, other: W, number: W) -> W {
    if one.is_nan() | other.is_nan() {
        one + other
    } else {
        number
    }
}

/// A type of number that every operator may compute in.
pub trait Number:
    Copy
    + Default
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + Send
    + Sync
    + 'static
{
    /// The number 0.
    const ZERO: Self;

    /// The data type whose elements are numbers of this type.
    #[doc(hidden)]
    const OWN: aclDataType;

    /// Returns the larger number, or NaN if one of the two is NaN.
    #[must_use]
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        let most = if self < other { other } else { self };
        or_nan(self, other, most)
    }

    /// Returns whether this is NaN.
    #[must_use]
    fn is_nan(self) -> bool;

    /// Returns an integer whose order is that of the numbers. Numbers that are equal have one, and NaN has the largest.
    #[doc(hidden)]
    fn key(self) -> i64;

    /// Returns the smaller number, or NaN if one of the two is NaN.
    #[must_use]
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        let least = if self > other { other } else { self };
        or_nan(self, other, least)
    }

    /// Returns 1 for true and 0 for false.
    #[must_use]
    fn truth(value: bool) -> Self;

    /// Returns whether this is not 0.
    #[must_use]
    #[inline(always)]
    fn is_true(self) -> bool {
        self != Self::ZERO
    }

    /// Returns -1, 0 or 1 as the number is negative, 0 or positive, and NaN for NaN.
    #[must_use]
    #[inline(always)]
    fn sign(self) -> Self {
        if self > Self::ZERO {
            Self::truth(true)
        } else if self < Self::ZERO {
            -Self::truth(true)
        } else {
            self
        }
    }

    /// Returns whether this is infinite.
    #[must_use]
    fn is_infinite(self) -> bool;

    /// Returns the absolute value.
    #[must_use]
    fn absolute(self) -> Self;

    /// Rounds down.
    #[must_use]
    fn floor(self) -> Self;

    /// Rounds up.
    #[must_use]
    fn ceil(self) -> Self;

    /// Cuts the fraction off.
    #[must_use]
    fn trunc(self) -> Self;

    /// Rounds to the nearest whole number, a tie to the even one.
    #[must_use]
    fn round(self) -> Self;

    /// Returns the quotient without its fraction. An integer divided by 0 gives 0.
    #[must_use]
    fn quotient(self, other: Self) -> Self;

    /// Returns the quotient, rounded down. An integer divided by 0 gives 0.
    #[must_use]
    fn quotient_down(self, other: Self) -> Self;

    /// Returns the remainder of a quotient whose fraction is cut off; it has the sign of `self`.
    #[must_use]
    fn remainder(self, other: Self) -> Self;

    /// Returns the remainder of a quotient that is rounded down; it has the sign of `other`.
    #[must_use]
    fn remainder_down(self, other: Self) -> Self {
        self.remainder(other).with_sign_of(other)
    }

    /// Returns a remainder, plus the divisor if their signs differ.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    fn with_sign_of(self, divisor: Self) -> Self {
        if self.is_true() & ((self < Self::ZERO) != (divisor < Self::ZERO)) {
            self + divisor
        } else {
            self
        }
    }

    /// Returns `self` to the power of `exponent`. An integer to a negative power is 0, except for 1 and -1.
    #[must_use]
    fn power(self, exponent: Self) -> Self;

    /// Returns the value of a scalar.
    #[doc(hidden)]
    fn of(scalar: Scalar) -> Self;

    /// Returns the function that reads elements of a data type which lie `step` bytes apart. Its contract is that of
    /// [`load`](Self::load).
    #[doc(hidden)]
    fn loader(dtype: aclDataType, step: usize) -> unsafe fn(*const u8, usize, &mut [Self]);

    /// Returns the function that writes elements of a data type `step` bytes apart. Its contract is that of
    /// [`store`](Self::store).
    #[doc(hidden)]
    fn storer(dtype: aclDataType, step: usize) -> unsafe fn(&[Self], *mut u8, usize);

    /// Reads the elements of a data type that lie `step` bytes apart.
    ///
    /// # Safety
    ///
    /// - `to.len()` elements are readable, `step` bytes apart, the first one at `from`.
    #[doc(hidden)]
    unsafe fn load(dtype: aclDataType, from: *const u8, step: usize, to: &mut [Self]) {
        // SAFETY: the caller's contract; the function is for this data type and this distance.
        unsafe { Self::loader(dtype, step)(from, step, to) };
    }

    /// Writes elements of a data type `step` bytes apart.
    ///
    /// # Safety
    ///
    /// - `from.len()` elements are writable, `step` bytes apart, the first one at `to`.
    #[doc(hidden)]
    unsafe fn store(dtype: aclDataType, from: &[Self], to: *mut u8, step: usize) {
        // SAFETY: the caller's contract; the function is for this data type and this distance.
        unsafe { Self::storer(dtype, step)(from, to, step) };
    }

    /// Rounds each number to the value that an element of the data type can hold.
    #[doc(hidden)]
    fn quantise(dtype: aclDataType, numbers: &mut [Self]) {
        let size = element_size(dtype).unwrap_or(0);
        let (load, store) = (Self::loader(dtype, size), Self::storer(dtype, size));
        let mut room = [MaybeUninit::<u64>::uninit(); CHUNK];
        for numbers in numbers.chunks_mut(CHUNK) {
            // SAFETY: there is room for a chunk of elements, which have at most 64 bits.
            unsafe { store(numbers, room.as_mut_ptr().cast(), size) };
            // SAFETY: the elements have just been written. For a type that is not modelled both functions do nothing.
            unsafe { load(room.as_ptr().cast(), size, numbers) };
        }
    }
}

/// Integers and truth values. The arithmetic is modulo 2^64, and an element stores the lower bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Whole(pub i64);

impl Whole {
    /// Returns the place of this index along a dimension of this size; a negative index counts from the end.
    pub(super) fn place(self, size: usize) -> Option<usize> {
        // CAST: a size of a tensor.
        let index = if self.0 < 0 {
            self.0.saturating_add(size as i64)
        } else {
            self.0
        };
        Whole(index).below(size)
    }

    /// Returns the place of this index along a dimension of this size, from its begin.
    pub(super) fn below(self, size: usize) -> Option<usize> {
        match usize::try_from(self.0) {
            Ok(place) if place < size => Some(place),
            _ => None,
        }
    }
}

impl Add for Whole {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}
impl Sub for Whole {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}
impl Mul for Whole {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(self.0.wrapping_mul(other.0))
    }
}
impl Neg for Whole {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

/// Returns an expression with the Rust type of a data type, or another one for types that are not modelled.
macro_rules! with_type {
    ($dtype:expr, $T:ident => $do:expr, $otherwise:expr) => {
        match $dtype {
            ACL_FLOAT => {
                type $T = f32;
                $do
            }
            ACL_FLOAT16 => {
                type $T = f16;
                $do
            }
            ACL_BF16 => {
                type $T = bf16;
                $do
            }
            ACL_DOUBLE => {
                type $T = f64;
                $do
            }
            ACL_INT8 => {
                type $T = i8;
                $do
            }
            ACL_INT16 => {
                type $T = i16;
                $do
            }
            ACL_INT32 => {
                type $T = i32;
                $do
            }
            ACL_INT64 => {
                type $T = i64;
                $do
            }
            ACL_UINT8 => {
                type $T = u8;
                $do
            }
            ACL_UINT16 => {
                type $T = u16;
                $do
            }
            ACL_UINT32 => {
                type $T = u32;
                $do
            }
            ACL_UINT64 => {
                type $T = u64;
                $do
            }
            ACL_BOOL => {
                type $T = Truth;
                $do
            }
            _ => $otherwise,
        }
    };
}

/// Reads elements that are numbers of this type, next to each other.
///
/// # Safety
///
/// - `to.len()` elements of `W` are readable, next to each other, the first one at `from`.
/// - All bit patterns are valid numbers.
unsafe fn load_own<W>(from: *const u8, _: usize, to: &mut [W]) {
    // SAFETY: the caller's contract. The elements are in other memory, because `to` is borrowed exclusively.
    unsafe { from.copy_to_nonoverlapping(to.as_mut_ptr().cast(), size_of_val(to)) };
}

/// Writes elements that are numbers of this type, next to each other.
///
/// # Safety
///
/// - `from.len()` elements of `W` are writable, next to each other, the first one at `to`.
unsafe fn store_own<W>(from: &[W], to: *mut u8, _: usize) {
    // SAFETY: the caller's contract. The elements are in other memory, because `from` is borrowed.
    unsafe { to.copy_from_nonoverlapping(from.as_ptr().cast(), size_of_val(from)) };
}

/// A type of number, as elements are converted to it and from it.
trait Converted: Copy {
    fn from_element<T: Stored>(element: T) -> Self;
    fn to_element<T: Stored>(self) -> T;
}

/// Reads elements of one type.
///
/// # Safety
///
/// - `to.len()` elements of `T` are readable, `step` bytes apart, the first one at `from`.
unsafe fn load_all<T: Stored, W: Converted>(from: *const u8, step: usize, to: &mut [W]) {
    if step == size_of::<T>() && to.len() >= LONG && has_vectors() {
        // SAFETY: the caller's contract, and the processor has AVX2.
        return unsafe { load_wide::<T, W>(from, to) };
    }
    // A step that the compiler knows makes vector code.
    if step == size_of::<T>() {
        // SAFETY: the caller's contract.
        unsafe { load_each::<T, W>(from, size_of::<T>(), to) };
    } else {
        // SAFETY: the caller's contract.
        unsafe { load_each::<T, W>(from, step, to) };
    }
}

/// The number of elements from which on they are converted by a function for wider vectors.
const LONG: usize = 16;

/// Whether [`load_wide`] and [`store_wide`] may run on this processor.
fn has_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = std::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    has
}

/// Reads elements next to each other with vectors of 256 bits.
///
/// # Safety
///
/// - The contract of [`load_all`] holds, for a step that is the size of an element.
/// - The processor has AVX2.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
unsafe fn load_wide<T: Stored, W: Converted>(from: *const u8, to: &mut [W]) {
    // SAFETY: the caller's contract.
    unsafe { load_each::<T, W>(from, size_of::<T>(), to) };
}

/// Writes elements next to each other with vectors of 256 bits.
///
/// # Safety
///
/// - The contract of [`store_all`] holds, for a step that is the size of an element.
/// - The processor has AVX2.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
unsafe fn store_wide<T: Stored, W: Converted>(from: &[W], to: *mut u8) {
    // SAFETY: the caller's contract.
    unsafe { store_each::<T, W>(from, to, size_of::<T>()) };
}

/// Does what [`load_all`] does.
///
/// # Safety
///
/// - The contract of [`load_all`] holds.
#[inline(always)]
unsafe fn load_each<T: Stored, W: Converted>(from: *const u8, step: usize, to: &mut [W]) {
    let mut element = from;
    for to in to {
        // SAFETY: the caller's contract; all bit patterns are valid elements.
        *to = W::from_element(unsafe { element.cast::<T>().read_unaligned() });
        element = element.wrapping_add(step);
    }
}

/// Writes elements of one type.
///
/// # Safety
///
/// - `from.len()` elements of `T` are writable, `step` bytes apart, the first one at `to`.
unsafe fn store_all<T: Stored, W: Converted>(from: &[W], to: *mut u8, step: usize) {
    if step == size_of::<T>() && from.len() >= LONG && has_vectors() {
        // SAFETY: the caller's contract, and the processor has AVX2.
        return unsafe { store_wide::<T, W>(from, to) };
    }
    // A step that the compiler knows makes vector code.
    if step == size_of::<T>() {
        // SAFETY: the caller's contract.
        unsafe { store_each::<T, W>(from, to, size_of::<T>()) };
    } else {
        // SAFETY: the caller's contract.
        unsafe { store_each::<T, W>(from, to, step) };
    }
}

/// Does what [`store_all`] does.
///
/// # Safety
///
/// - The contract of [`store_all`] holds.
#[inline(always)]
unsafe fn store_each<T: Stored, W: Converted>(from: &[W], to: *mut u8, step: usize) {
    let mut element = to;
    for from in from {
        // SAFETY: the caller's contract.
        unsafe { element.cast::<T>().write_unaligned(from.to_element::<T>()) };
        element = element.wrapping_add(step);
    }
}

macro_rules! number {
    ($($ty:ty, $own:ident, $zero:expr, $widen:ident, $narrow:ident, { $($methods:tt)* };)*) => {$(
        impl Converted for $ty {
            #[inline(always)]
            fn from_element<T: Stored>(element: T) -> Self { element.$widen() }
            #[inline(always)]
            fn to_element<T: Stored>(self) -> T { T::$narrow(self) }
        }

        impl Number for $ty {
            const ZERO: Self = $zero;
            const OWN: aclDataType = $own;

            $($methods)*

            fn of(scalar: Scalar) -> Self {
                scalar.$widen()
            }

            fn loader(dtype: aclDataType, step: usize) -> Load<Self> {
                if dtype == $own && step == size_of::<Self>() {
                    return load_own;
                }
                if let Some(load) = Self::half_loader(dtype, step) {
                    return load;
                }
                with_type!(dtype, T => load_all::<T, Self>, |_, _, _| {})
            }

            fn storer(dtype: aclDataType, step: usize) -> Store<Self> {
                if dtype == $own && step == size_of::<Self>() {
                    return store_own;
                }
                if let Some(store) = Self::half_storer(dtype, step) {
                    return store;
                }
                with_type!(dtype, T => store_all::<T, Self>, |_, _, _| {})
            }
        }
    )*};
}

/// Implements the arithmetic of a floating-point type.
macro_rules! floating {
    ($($ty:ident, $own:ident, $widen:ident, $narrow:ident;)*) => {$(
        number! {
            $ty, $own, 0.0, $widen, $narrow, {
                #[inline(always)]
                fn truth(value: bool) -> Self { $ty::from(u8::from(value)) }
                #[inline(always)]
                fn is_nan(self) -> bool { $ty::is_nan(self) }
                fn key(self) -> i64 { key_of(self.into()) }
                #[inline(always)]
                fn is_infinite(self) -> bool { $ty::is_infinite(self) }
                #[inline(always)]
                fn absolute(self) -> Self { self.abs() }
                fn floor(self) -> Self { $ty::floor(self) }
                fn ceil(self) -> Self { $ty::ceil(self) }
                fn trunc(self) -> Self { $ty::trunc(self) }
                fn round(self) -> Self { self.round_ties_even() }
                #[inline(always)]
                fn quotient(self, other: Self) -> Self { $ty::trunc(self / other) }
                #[inline(always)]
                fn quotient_down(self, other: Self) -> Self { $ty::floor(self / other) }
                fn remainder(self, other: Self) -> Self { self % other }
                fn power(self, exponent: Self) -> Self { self.powf(exponent) }
            };
        }
    )*};
}
floating! {
    f32, ACL_FLOAT, to_f32, from_f32;
    f64, ACL_DOUBLE, to_f64, from_f64;
}

number! {
    Whole, ACL_INT64, Whole(0), to_whole, from_whole, {
        #[inline(always)]
        fn truth(value: bool) -> Self { Self(value.into()) }
        #[inline(always)]
        fn is_nan(self) -> bool { false }
        fn key(self) -> i64 { self.0 }
        #[inline(always)]
        fn is_infinite(self) -> bool { false }
        #[inline(always)]
        fn absolute(self) -> Self { Self(self.0.wrapping_abs()) }
        fn floor(self) -> Self { self }
        fn ceil(self) -> Self { self }
        fn trunc(self) -> Self { self }
        fn round(self) -> Self { self }
        fn quotient(self, other: Self) -> Self {
            Self(if other.0 == 0 { 0 } else { self.0.wrapping_div(other.0) })
        }
        fn quotient_down(self, other: Self) -> Self {
            let (quotient, rest) = (self.quotient(other), self.remainder(other));
            let is_above = other.0 != 0 && rest.0 != 0 && (rest.0 < 0) != (other.0 < 0);
            Self(quotient.0.wrapping_sub(is_above.into()))
        }
        fn remainder(self, other: Self) -> Self {
            Self(if other.0 == 0 { self.0 } else { self.0.wrapping_rem(other.0) })
        }
        fn power(self, exponent: Self) -> Self {
            match (self.0, u64::try_from(exponent.0)) {
                (base, Ok(exponent)) => Self(power(base, exponent)),
                (1, Err(_)) => Self(1),
                (-1, Err(_)) => Self(1 - 2 * (exponent.0 & 1)),
                (_, Err(_)) => Self(0),
            }
        }
    };
}

/// Returns a power modulo 2^64.
fn power(mut base: i64, mut exponent: u64) -> i64 {
    let mut power = 1i64;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    power
}
