//! Sizes of weights in fractal formats (`aclnnop/aclnn_trans_matmul_weight.h`).
//!
//! A fractal format stores the last two dimensions in blocks and fills up the blocks at the edges. The emulator has no
//! operators on these formats. Programs ask for the sizes before they allocate, also if they keep plain matrices.

use core::ops::RangeInclusive;

use ascendcl_sys::{
    ACL_BF16, ACL_FLOAT16, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, aclDataType,
    aclIntArray, aclnnStatus,
};

use super::list::INTS;
use crate::error::fail;

/// Writes how many elements of half precision a weight of this shape takes. Returns 161001 for null, and 161002 for
/// another number of dimensions than 2 or 3 (published source, for Atlas A2).
///
/// # Safety
///
/// - `weightTensorSize` is null or valid for a write. The array may be any value: it is looked up and never
///   dereferenced.
pub unsafe extern "C" fn aclnnCalculateMatmulWeightSize(
    tensorShape: *const aclIntArray,
    weightTensorSize: *mut u64,
) -> aclnnStatus {
    let call = "aclnnCalculateMatmulWeightSize";
    // SAFETY: the caller's contract.
    unsafe {
        calculate(
            call,
            tensorShape,
            2..=3,
            |_| true,
            ACL_FLOAT16,
            weightTensorSize,
        )
    }
}

/// Writes how many elements of this type a weight of this shape takes. A block has 16 rows, and 16 columns of half
/// precision or 32 of any other type. Returns 161001 for null, and 161002 for a dimension of 0 or another number of
/// dimensions than 2 to 6 (published source).
///
/// # Safety
///
/// - `weightTensorSize` is null or valid for a write. The array may be any value: it is looked up and never
///   dereferenced.
pub unsafe extern "C" fn aclnnCalculateMatmulWeightSizeV2(
    tensorShape: *const aclIntArray,
    dataType: aclDataType,
    weightTensorSize: *mut u64,
) -> aclnnStatus {
    let call = "aclnnCalculateMatmulWeightSizeV2";
    // SAFETY: the caller's contract.
    unsafe {
        calculate(
            call,
            tensorShape,
            2..=6,
            |size| size != 0,
            dataType,
            weightTensorSize,
        )
    }
}

/// # Safety
///
/// - `count` is null or valid for a write.
unsafe fn calculate(
    call: &str,
    shape: *const aclIntArray,
    ranks: RangeInclusive<usize>,
    takes: fn(i64) -> bool,
    dtype: aclDataType,
    count: *mut u64,
) -> aclnnStatus {
    if shape.is_null() || count.is_null() {
        return fail(
            ACLNN_ERR_PARAM_NULLPTR,
            format_args!("{call}: it was given null; pass a shape and a place for the size"),
        );
    }
    let Some(shape) = INTS.get(shape.addr()) else {
        return fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!(
                "{call}: {:#x} is not an aclIntArray, or was destroyed already",
                shape.addr()
            ),
        );
    };
    let elements = elements(&shape, dtype);
    let is_taken = ranks.contains(&shape.len()) && shape.iter().all(|size| takes(*size));
    let Some(elements) = elements.filter(|_| is_taken) else {
        let (least, most) = ranks.into_inner();
        return fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!("{call}: the shape is {shape:?}; it has {least} to {most} dimensions"),
        );
    };
    // SAFETY: not null; the caller's contract.
    unsafe { count.write(elements) };
    0
}

/// Returns the number of elements with those that fill up the blocks; `None` if a size is negative, or on overflow.
fn elements(shape: &[i64], dtype: aclDataType) -> Option<u64> {
    let columns = match dtype {
        ACL_FLOAT16 | ACL_BF16 => 16,
        _ => 32,
    };
    let mut product = 1_u64;
    for (index, size) in shape.iter().rev().enumerate() {
        let block = match index {
            0 => columns,
            1 => 16,
            _ => 1,
        };
        let size = u64::try_from(*size).ok()?.checked_next_multiple_of(block)?;
        product = product.checked_mul(size)?;
    }
    Some(product)
}

#[cfg(test)]
mod tests {
    use core::ptr::{null, null_mut};

    use ascendcl_sys::{ACL_FLOAT16, ACL_INT8, aclDataType};

    use super::{aclnnCalculateMatmulWeightSize, aclnnCalculateMatmulWeightSizeV2};
    use crate::op::{aclCreateIntArray, aclDestroyIntArray};

    /// The answers of both functions for a shape: the size, or the code.
    fn sizes(shape: &[i64], dtype: aclDataType) -> [Result<u64, i32>; 2] {
        // SAFETY: the length is that of the slice.
        let array = unsafe { aclCreateIntArray(shape.as_ptr(), shape.len() as u64) };
        let (mut first, mut second) = (0, 0);
        // SAFETY: the place is valid for a write.
        let one = unsafe { aclnnCalculateMatmulWeightSize(array, &mut first) };
        // SAFETY: the place is valid for a write.
        let two = unsafe { aclnnCalculateMatmulWeightSizeV2(array, dtype, &mut second) };
        // SAFETY: no preconditions.
        assert_eq!(unsafe { aclDestroyIntArray(array) }, 0);
        [(one, first), (two, second)].map(|(code, size)| match code {
            0 => Ok(size),
            code => Err(code),
        })
    }

    #[test]
    fn blocks_at_the_edges_are_filled_up() {
        assert_eq!(sizes(&[32, 16], ACL_FLOAT16), [Ok(512), Ok(512)]);
        assert_eq!(sizes(&[17, 1], ACL_FLOAT16), [Ok(512), Ok(512)]);
        assert_eq!(sizes(&[17, 1], ACL_INT8), [Ok(512), Ok(1024)]);
        assert_eq!(sizes(&[3, 17, 33], ACL_INT8), [Ok(4608), Ok(6144)]);
    }

    #[test]
    fn other_shapes_are_refused() {
        let refused = Err(161_002);
        assert_eq!(sizes(&[16], ACL_INT8), [refused, refused]);
        assert_eq!(sizes(&[2, 2, 16, 16], ACL_INT8), [refused, Ok(2048)]);
        assert_eq!(sizes(&[1, 1, 1, 1, 1, 16, 16], ACL_INT8), [refused; 2]);
        assert_eq!(sizes(&[0, 16], ACL_INT8), [Ok(0), refused]);
        assert_eq!(sizes(&[-1, 16], ACL_INT8), [refused; 2]);
        assert_eq!(sizes(&[i64::MAX, i64::MAX], ACL_INT8), [refused; 2]);
    }

    #[test]
    fn null_and_stale_handles_are_refused() {
        let mut size = 7;
        // SAFETY: the place is valid for a write.
        let code = unsafe { aclnnCalculateMatmulWeightSizeV2(null(), ACL_INT8, &mut size) };
        assert_eq!((code, size), (161_001, 7));
        // SAFETY: the length is that of the array.
        let array = unsafe { aclCreateIntArray([32, 16].as_ptr(), 2) };
        // SAFETY: null is allowed.
        let code = unsafe { aclnnCalculateMatmulWeightSize(array, null_mut()) };
        assert_eq!(code, 161_001);
        // SAFETY: no preconditions.
        assert_eq!(unsafe { aclDestroyIntArray(array) }, 0);
        // SAFETY: the place is valid for a write.
        let code = unsafe { aclnnCalculateMatmulWeightSize(array, &mut size) };
        assert_eq!((code, size), (161_002, 7));
    }
}
