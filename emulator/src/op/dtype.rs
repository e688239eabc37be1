//! Data types: their sizes, the type that an operator computes in, and the allowed conversions.
//!
//! The rules are those of the operator manuals and of opbase. Mixed types are promoted to a type that holds the
//! values of both. A result may have another type if it does not lose its kind (a fraction to a whole number, a
//! number to a truth value).

use ascendcl_sys::{
    ACL_BF16, ACL_BOOL, ACL_DOUBLE, ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT16, ACL_INT32,
    ACL_INT64, ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64, aclDataType,
};

/// Lists data types by the words of the operator manuals.
macro_rules! types {
    (@bf16) => { ascendcl_sys::ACL_BF16 };
    (@f16) => { ascendcl_sys::ACL_FLOAT16 };
    (@f32) => { ascendcl_sys::ACL_FLOAT };
    (@f64) => { ascendcl_sys::ACL_DOUBLE };
    (@s8) => { ascendcl_sys::ACL_INT8 };
    (@s16) => { ascendcl_sys::ACL_INT16 };
    (@s32) => { ascendcl_sys::ACL_INT32 };
    (@s64) => { ascendcl_sys::ACL_INT64 };
    (@u8) => { ascendcl_sys::ACL_UINT8 };
    (@u16) => { ascendcl_sys::ACL_UINT16 };
    (@u32) => { ascendcl_sys::ACL_UINT32 };
    (@u64) => { ascendcl_sys::ACL_UINT64 };
    (@bool) => { ascendcl_sys::ACL_BOOL };
    (@s4) => { ascendcl_sys::ACL_INT4 };
    ($($word:ident)*) => {{
        const TYPES: &[ascendcl_sys::aclDataType] = &[$(types!(@$word)),*];
        TYPES
    }};
}
pub(super) use types;

/// The real types that most operators take.
pub(super) const REAL: Types = types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 bool);

/// The real types without truth values.
pub(super) const NUMBERS: Types = types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8);

/// The types for operators that only move or convert elements.
pub(super) const MOVABLE: Types = types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 u16 u32 u64 bool);

/// The types for operators on real numbers.
pub(super) const FLOATING: Types = types!(f32 f16 bf16 f64);

/// The types for operators on real numbers of at most single precision.
pub(super) const SINGLE: Types = types!(f32 f16 bf16);

/// The types for operators on integers and truth values.
pub(super) const INTEGRAL: Types = types!(s8 s16 s32 s64 u8 u16 u32 u64 bool);

/// The data types that an operator takes.
pub(super) type Types = &'static [aclDataType];

/// The kind of a type's values, in the order of promotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Truth,
    Whole,
    Floating,
}

/// Returns the kind of a type's values; `None` for types that are not modelled.
pub(super) fn kind(dtype: aclDataType) -> Option<Kind> {
    Some(match dtype {
        ACL_BOOL => Kind::Truth,
        ACL_INT8 | ACL_INT16 | ACL_INT32 | ACL_INT64 | ACL_UINT8 | ACL_UINT16 | ACL_UINT32
        | ACL_UINT64 => Kind::Whole,
        ACL_FLOAT | ACL_FLOAT16 | ACL_BF16 | ACL_DOUBLE => Kind::Floating,
        _ => return None,
    })
}

/// Returns whether this is a type of half precision.
pub(super) fn is_half(dtype: aclDataType) -> bool {
    matches!(dtype, ACL_FLOAT16 | ACL_BF16)
}

/// Returns the bytes of an element; `None` for types that operators do not compute with.
pub(super) fn element_size(dtype: aclDataType) -> Option<usize> {
    match dtype {
        ACL_INT8 | ACL_UINT8 | ACL_BOOL => Some(1),
        ACL_FLOAT16 | ACL_BF16 | ACL_INT16 | ACL_UINT16 => Some(2),
        ACL_FLOAT | ACL_INT32 | ACL_UINT32 => Some(4),
        ACL_DOUBLE | ACL_INT64 | ACL_UINT64 => Some(8),
        _ => None,
    }
}

/// Returns the type to which two types are promoted; `None` if there is none.
pub(super) fn promote(one: aclDataType, other: aclDataType) -> Option<aclDataType> {
    if one == other {
        return Some(one);
    }
    let (low, high) = if order(one)? <= order(other)? {
        (one, other)
    } else {
        (other, one)
    };
    match (low, high) {
        (ACL_UINT8, ACL_INT8) | (ACL_INT8, ACL_UINT8) => Some(ACL_INT16),
        (ACL_FLOAT16, ACL_BF16) | (ACL_BF16, ACL_FLOAT16) => Some(ACL_FLOAT),
        _ => Some(high),
    }
}

/// Returns the type in which an operator combines a tensor with a scalar; `None` if there is none. The scalar changes
/// the type only if its kind is higher than the kind of the tensor.
pub(super) fn promote_scalar(tensor: aclDataType, scalar: aclDataType) -> Option<aclDataType> {
    if tensor == scalar || kind(tensor)? >= kind(scalar)? {
        return Some(tensor);
    }
    match kind(scalar)? {
        Kind::Floating => promote(tensor, ACL_INT8).map(|_| ACL_FLOAT),
        Kind::Whole | Kind::Truth => promote(tensor, scalar),
    }
}

/// Returns the place of a type in the order of promotion. Unsigned types above a byte combine only with themselves.
fn order(dtype: aclDataType) -> Option<u8> {
    Some(match dtype {
        ACL_BOOL => 0,
        ACL_UINT8 | ACL_INT8 => 1,
        ACL_INT16 => 2,
        ACL_INT32 => 3,
        ACL_INT64 => 4,
        ACL_FLOAT16 | ACL_BF16 => 5,
        ACL_FLOAT => 6,
        ACL_DOUBLE => 7,
        _ => return None,
    })
}

/// Returns whether a result or a scalar of one type may be stored as another. A fraction needs a type with fractions;
/// a truth value is stored as any type, and only truth values are stored as truth values.
pub(super) fn can_cast(from: aclDataType, to: aclDataType) -> bool {
    match (kind(from), kind(to)) {
        (Some(Kind::Floating), Some(to)) => to == Kind::Floating,
        (Some(from), Some(Kind::Truth)) => from == Kind::Truth,
        (Some(_), Some(_)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotion_is_symmetric_and_follows_the_table() {
        for (one, other, both) in [
            (ACL_BOOL, ACL_UINT8, Some(ACL_UINT8)),
            (ACL_UINT8, ACL_INT8, Some(ACL_INT16)),
            (ACL_INT8, ACL_INT64, Some(ACL_INT64)),
            (ACL_INT64, ACL_FLOAT16, Some(ACL_FLOAT16)),
            (ACL_BOOL, ACL_BF16, Some(ACL_BF16)),
            (ACL_FLOAT16, ACL_BF16, Some(ACL_FLOAT)),
            (ACL_FLOAT16, ACL_FLOAT, Some(ACL_FLOAT)),
            (ACL_FLOAT, ACL_DOUBLE, Some(ACL_DOUBLE)),
            (ACL_UINT32, ACL_UINT32, Some(ACL_UINT32)),
            (ACL_UINT16, ACL_INT32, None),
            (ACL_UINT64, ACL_FLOAT, None),
        ] {
            assert_eq!(promote(one, other), both, "{one:?} {other:?}");
            assert_eq!(promote(other, one), both, "{other:?} {one:?}");
        }
    }

    #[test]
    fn a_scalar_counts_only_if_its_kind_is_higher() {
        for (tensor, scalar, both) in [
            (ACL_FLOAT16, ACL_DOUBLE, Some(ACL_FLOAT16)),
            (ACL_BF16, ACL_INT64, Some(ACL_BF16)),
            (ACL_INT32, ACL_DOUBLE, Some(ACL_FLOAT)),
            (ACL_INT8, ACL_INT64, Some(ACL_INT8)),
            (ACL_BOOL, ACL_INT64, Some(ACL_INT64)),
            (ACL_BOOL, ACL_FLOAT16, Some(ACL_FLOAT)),
            (ACL_BOOL, ACL_BOOL, Some(ACL_BOOL)),
            (ACL_UINT32, ACL_FLOAT, None),
            (ACL_BOOL, ACL_UINT32, None),
            (ACL_UINT32, ACL_INT8, Some(ACL_UINT32)),
        ] {
            assert_eq!(
                promote_scalar(tensor, scalar),
                both,
                "{tensor:?} {scalar:?}"
            );
        }
    }

    #[test]
    fn what_loses_its_kind_is_not_cast() {
        for (from, to, can) in [
            (ACL_DOUBLE, ACL_FLOAT16, true),
            (ACL_INT64, ACL_INT8, true),
            (ACL_BOOL, ACL_FLOAT, true),
            (ACL_INT32, ACL_BF16, true),
            (ACL_FLOAT, ACL_INT64, false),
            (ACL_INT32, ACL_BOOL, false),
            (ACL_FLOAT, ACL_BOOL, false),
            (ACL_BOOL, ACL_BOOL, true),
        ] {
            assert_eq!(can_cast(from, to), can, "{from:?} to {to:?}");
        }
    }
}
