//! What memory can hold.

use bytemuck::Pod;
use typenum::Unsigned;

use crate::state::Sealed;

/// An element of memory: plain data, because a device writes any bytes.
///
/// Every `bytemuck::Pod` is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element type of memory",
    label = "not every byte pattern is a value of `{Self}`, or it has padding",
    note = "elements are plain data (`bytemuck::Pod`): numbers, arrays of them, and structs that derive `Pod`"
)]
pub trait Plain: Pod {}
#[diagnostic::do_not_recommend]
impl<T: Pod> Plain for T {}

/// An element whose size is a number that types can calculate with: the numbers of Rust.
#[diagnostic::on_unimplemented(
    message = "the size of `{Self}` is not known to types",
    label = "expected a number: `u8`, `i32`, `f32` ...",
    note = "for other elements use the calls that check when the program runs"
)]
pub trait FixedSize: Plain + Sealed {
    /// Its size in bytes.
    type Size: Unsigned;
}

/// Lists the numbers with their sizes.
macro_rules! sizes {
    ($($size:ident: $($type:ty)*;)*) => { $( $(
        impl Sealed for $type {}
        #[diagnostic::do_not_recommend]
        impl FixedSize for $type {
            type Size = typenum::$size;
        }
        const _: () = assert!(size_of::<$type>() == <typenum::$size as Unsigned>::USIZE);
    )* )* };
}

sizes! {
    U1: u8 i8;
    U2: u16 i16;
    U4: u32 i32 f32;
    U8: u64 i64 f64;
    U16: u128 i128;
}

#[cfg(feature = "half")]
sizes! { U2: half::f16 half::bf16; }

/// An element that is one word of 32 bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no word of 32 bits",
    label = "a fill with words takes `u32`, `i32` or `f32` elements",
    note = "fill other elements with bytes: `memset`"
)]
pub trait Word: FixedSize {
    /// Its bits.
    #[doc(hidden)]
    fn bits(self) -> u32;
}
#[diagnostic::do_not_recommend]
impl Word for u32 {
    fn bits(self) -> u32 {
        self
    }
}
#[diagnostic::do_not_recommend]
impl Word for i32 {
    fn bits(self) -> u32 {
        self.cast_unsigned()
    }
}
#[diagnostic::do_not_recommend]
impl Word for f32 {
    fn bits(self) -> u32 {
        self.to_bits()
    }
}

/// A number of elements `T` behind which an address is aligned to 64 bytes, if it was before.
///
/// Queued copies within the device want that of both addresses, and up to CANN 8.0 all queued copies do
/// (`acl/acl_rt.h`).
#[diagnostic::on_unimplemented(
    message = "element `{Self}` of a buffer of `{T}` is not aligned to 64 bytes",
    label = "queued copies want addresses that are aligned to 64 bytes",
    note = "split at a multiple of 64 bytes: 16 elements of 4 bytes, 8 of 8 bytes ..."
)]
pub trait AlignedIn<T>: aligned::In<T> {}
#[diagnostic::do_not_recommend]
impl<T, K: aligned::In<T>> AlignedIn<T> for K {}

mod aligned {
    use std::ops::{Mul, Rem};

    use typenum::{Mod, Prod, U0, U64};

    /// Seals [`AlignedIn`](super::AlignedIn): it is a property of typenum's numbers.
    pub trait In<T> {}
    impl<T: super::FixedSize, K> In<T> for K
    where
        K: Mul<T::Size>,
        Prod<K, T::Size>: Rem<U64>,
        Mod<Prod<K, T::Size>, U64>: typenum::IsEqual<U0, Output = typenum::True>,
    {
    }
}
