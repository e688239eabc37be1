//! Element types and reductions, and the products that have them.

use ascendcl_sys::{
    HCCL_DATA_TYPE_BFP16, HCCL_DATA_TYPE_FP16, HCCL_DATA_TYPE_FP32, HCCL_DATA_TYPE_FP64,
    HCCL_DATA_TYPE_INT8, HCCL_DATA_TYPE_INT16, HCCL_DATA_TYPE_INT32, HCCL_DATA_TYPE_INT64,
    HCCL_DATA_TYPE_INT128, HCCL_DATA_TYPE_UINT8, HCCL_DATA_TYPE_UINT16, HCCL_DATA_TYPE_UINT32,
    HCCL_DATA_TYPE_UINT64, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN, HCCL_REDUCE_PROD, HCCL_REDUCE_SUM,
    HcclDataType, HcclReduceOp, HcclResult,
};
use half::{bf16, f16};

use super::{unsupported, wrong};
use crate::engine::engine;

/// The largest number of elements of an operation.
const MOST: u64 = 0x7_ffff_ffff;

/// The series of the product, as far as communication differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Product {
    /// 310P.
    Inference,
    /// 910.
    A1,
    /// 910B.
    A2,
    /// 910_93.
    A3,
    /// 950.
    A5,
}

/// Returns the series of the configured product.
pub(super) fn product() -> Product {
    let name = engine().config.soc_name.as_str();
    let series = [
        ("310P", Product::Inference),
        ("910B", Product::A2),
        ("910_93", Product::A3),
        ("950", Product::A5),
        ("910", Product::A1),
    ];
    let found = series.iter().find(|(part, _)| name.contains(part));
    found.map_or(Product::A2, |(_, product)| *product)
}

/// Returns the size of an element in bytes.
fn size(dtype: HcclDataType) -> Option<usize> {
    Some(match dtype {
        HCCL_DATA_TYPE_INT8 | HCCL_DATA_TYPE_UINT8 => 1,
        HCCL_DATA_TYPE_INT16
        | HCCL_DATA_TYPE_UINT16
        | HCCL_DATA_TYPE_FP16
        | HCCL_DATA_TYPE_BFP16 => 2,
        HCCL_DATA_TYPE_INT32 | HCCL_DATA_TYPE_UINT32 | HCCL_DATA_TYPE_FP32 => 4,
        HCCL_DATA_TYPE_INT64 | HCCL_DATA_TYPE_UINT64 | HCCL_DATA_TYPE_FP64 => 8,
        HCCL_DATA_TYPE_INT128 => 16,
        _ => return None,
    })
}

/// Checks a number of elements, and returns the size of the elements in bytes.
pub(super) fn bytes(call: &str, count: u64, dtype: HcclDataType) -> Result<usize, HcclResult> {
    if count > MOST {
        return Err(wrong(
            call,
            format_args!("the count is {count}; the largest one is {MOST}"),
        ));
    }
    let size = size(dtype).ok_or_else(|| {
        unsupported(
            call,
            format_args!("{dtype:?} is no element type of this product"),
        )
    })?;
    if dtype == HCCL_DATA_TYPE_BFP16 && product() == Product::Inference {
        return Err(unsupported(
            call,
            format_args!("products of the 310P series lack {dtype:?}"),
        ));
    }
    usize::try_from(count)
        .ok()
        .and_then(|count| count.checked_mul(size))
        .map(|_| size)
        .ok_or_else(|| {
            wrong(
                call,
                format_args!("the count is {count}; no memory has so many elements"),
            )
        })
}

/// Checks that the product reduces elements of this type.
pub(super) fn reducible(
    call: &str,
    dtype: HcclDataType,
    op: HcclReduceOp,
) -> Result<(), HcclResult> {
    let known = [
        HCCL_REDUCE_SUM,
        HCCL_REDUCE_PROD,
        HCCL_REDUCE_MAX,
        HCCL_REDUCE_MIN,
    ];
    if !known.contains(&op) {
        return Err(unsupported(
            call,
            format_args!("{op:?} is no reduction; pass HCCL_REDUCE_SUM, PROD, MAX or MIN"),
        ));
    }
    let is_whole = matches!(
        dtype,
        HCCL_DATA_TYPE_UINT8 | HCCL_DATA_TYPE_UINT16 | HCCL_DATA_TYPE_UINT32
    );
    let is_wide = matches!(dtype, HCCL_DATA_TYPE_UINT64 | HCCL_DATA_TYPE_FP64);
    let lacks = match product() {
        _ if is_whole || dtype == HCCL_DATA_TYPE_INT128 => true,
        Product::A5 => {
            op == HCCL_REDUCE_PROD && matches!(dtype, HCCL_DATA_TYPE_INT16 | HCCL_DATA_TYPE_BFP16)
        }
        _ if is_wide => true,
        Product::A2 | Product::A3 => {
            op == HCCL_REDUCE_PROD && matches!(dtype, HCCL_DATA_TYPE_INT16 | HCCL_DATA_TYPE_BFP16)
        }
        Product::A1 => matches!(dtype, HCCL_DATA_TYPE_INT16 | HCCL_DATA_TYPE_BFP16),
        Product::Inference => {
            matches!(dtype, HCCL_DATA_TYPE_INT64 | HCCL_DATA_TYPE_BFP16)
                || (dtype == HCCL_DATA_TYPE_INT16 && op != HCCL_REDUCE_SUM)
        }
    };
    if lacks {
        return Err(unsupported(
            call,
            format_args!(
                "{} does not reduce {dtype:?} with {op:?}; convert the elements, for example to \
                 HCCL_DATA_TYPE_FP32",
                engine().config.soc_name
            ),
        ));
    }
    Ok(())
}

/// Checks that the product has an operation. The 310P series lacks those of `inference`, the 910 series those of `a1`.
pub(super) fn available(call: &str, inference: bool, a1: bool) -> Result<(), HcclResult> {
    let lacks = match product() {
        Product::Inference => inference,
        Product::A1 => a1,
        _ => false,
    };
    if lacks {
        return Err(unsupported(
            call,
            format_args!("{} lacks this operation", engine().config.soc_name),
        ));
    }
    Ok(())
}

/// Reduces the elements of `other` into those of `into`.
pub(super) fn reduce(dtype: HcclDataType, op: HcclReduceOp, into: &mut [u8], other: &[u8]) {
    macro_rules! each {
        ($T:ty, $combine:expr) => {{
            let (into, _) = into.as_chunks_mut::<{ size_of::<$T>() }>();
            let (other, _) = other.as_chunks::<{ size_of::<$T>() }>();
            let combine: fn($T, $T) -> $T = $combine;
            for (into, other) in into.iter_mut().zip(other) {
                *into =
                    combine(<$T>::from_ne_bytes(*into), <$T>::from_ne_bytes(*other)).to_ne_bytes();
            }
        }};
    }
    macro_rules! choose {
        ($T:ty, $sum:expr, $product:expr, $max:expr, $min:expr) => {
            match op {
                HCCL_REDUCE_PROD => each!($T, $product),
                HCCL_REDUCE_MAX => each!($T, $max),
                HCCL_REDUCE_MIN => each!($T, $min),
                _ => each!($T, $sum),
            }
        };
    }
    macro_rules! whole {
        ($T:ty) => {
            choose!(
                $T,
                <$T>::wrapping_add,
                <$T>::wrapping_mul,
                <$T>::max,
                <$T>::min
            )
        };
    }
    macro_rules! real {
        ($T:ty) => {
            choose!($T, |a, b| a + b, |a, b| a * b, <$T>::max, <$T>::min)
        };
    }
    // Conversions take most of the time of these types, so one loop serves all reductions.
    let single: fn(f32, f32) -> f32 = match op {
        HCCL_REDUCE_PROD => |a, b| a * b,
        HCCL_REDUCE_MAX => f32::max,
        HCCL_REDUCE_MIN => f32::min,
        _ => |a, b| a + b,
    };
    macro_rules! narrow {
        ($T:ty) => {{
            let (into, _) = into.as_chunks_mut::<{ size_of::<$T>() }>();
            let (other, _) = other.as_chunks::<{ size_of::<$T>() }>();
            for (into, other) in into.iter_mut().zip(other) {
                let (one, other) = (<$T>::from_ne_bytes(*into), <$T>::from_ne_bytes(*other));
                *into = <$T>::from_f32(single(one.to_f32(), other.to_f32())).to_ne_bytes();
            }
        }};
    }
    match dtype {
        HCCL_DATA_TYPE_INT8 => whole!(i8),
        HCCL_DATA_TYPE_INT16 => whole!(i16),
        HCCL_DATA_TYPE_INT32 => whole!(i32),
        HCCL_DATA_TYPE_INT64 => whole!(i64),
        HCCL_DATA_TYPE_UINT64 => whole!(u64),
        HCCL_DATA_TYPE_FP16 => narrow!(f16),
        HCCL_DATA_TYPE_BFP16 => narrow!(bf16),
        HCCL_DATA_TYPE_FP64 => real!(f64),
        // `reducible` has refused all others but this one.
        _ => real!(f32),
    }
}
