//! Sizes of elements as numbers of `typenum`.

use typenum::Unsigned;

use crate::memory::plain::Plain;
use crate::state::Sealed;

/// An element whose size is known as a number of `typenum`: the number types of Rust.
#[diagnostic::on_unimplemented(
    message = "types do not show the size of `{Self}`",
    label = "expected a number: `u8`, `i32`, `f32` ...",
    note = "for other elements use the calls that check sizes at run time"
)]
pub trait FixedSize: Plain + Sealed {
    /// The size of the element in bytes.
    type Size: Unsigned;
}

/// Lists the number types with their sizes.
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
