//! Element types of tensors, and which operators take them.

use ascendcl_sys as sys;

use crate::memory::fixed::FixedSize;

/// A type that a tensor can hold, with its `aclDataType`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element type of a tensor",
    note = "tensors hold f32, f64, i8 to i64, u8 to u64, and with the feature `half` f16 and bf16"
)]
pub trait Element: FixedSize {
    /// The type as C names it.
    const DATA_TYPE: sys::aclDataType;
}

/// An element type that [`add`](crate::op::add) and [`mul`](crate::op::mul) take
/// (`aclnn_add.h`, `aclnn_mul.h`).
#[diagnostic::on_unimplemented(
    message = "the operators `add` and `mul` do not take `{Self}` elements",
    note = "they take f32, i32, i64, and with the feature `half` f16 and bf16"
)]
pub trait Arithmetic: Element {}

/// Lists element types.
macro_rules! elements {
    ($($type:ty, $data_type:ident $(, $operators:ident)*;)*) => { $(
        impl Element for $type {
            const DATA_TYPE: sys::aclDataType = sys::$data_type;
        }
        $( impl $operators for $type {} )*
    )* };
}

elements! {
    f32, ACL_FLOAT, Arithmetic;
    f64, ACL_DOUBLE;
    i8, ACL_INT8;
    i16, ACL_INT16;
    i32, ACL_INT32, Arithmetic;
    i64, ACL_INT64, Arithmetic;
    u8, ACL_UINT8;
    u16, ACL_UINT16;
    u32, ACL_UINT32;
    u64, ACL_UINT64;
}

#[cfg(feature = "half")]
elements! {
    half::f16, ACL_FLOAT16, Arithmetic;
    half::bf16, ACL_BF16, Arithmetic;
}
