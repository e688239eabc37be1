//! Operators: tensors, scalars, executors (`aclnn/acl_meta.h`) and the operators themselves
//! (`aclnnop/aclnn_add.h`, `aclnnop/aclnn_mul.h`).
//!
//! Floors, from the bottom: `shape` knows dimensions and broadcasting,
//! `element` the arithmetic of each data type, `machine` the processor, `source` reads operands,
//! `kernel` walks strided views, `work` is a kernel with its type chosen. Above them `tensor`,
//! `scalar`, `list` and `executor` are what C holds handles of, `inspect` tells what a tensor is, and `elementwise` is the pair of calls of
//! each operator. The only way to the device is `crate::stream::submit_kernel`.
//!
//! What differs from CANN, so that a program which runs here is not surprised there and vice versa:
//!
//! - `aclnnAdd` and `aclnnMul` are modelled for FLOAT, FLOAT16, BF16, INT32 and INT64, all three
//!   tensors of one data type. CANN promotes mixed data types and knows more of them; here that is
//!   161002 with a text that says so.
//! - A view must lie inside its storage already when it is created; CANN notices it later or never.
//! - An executor of another operator is refused, as is one that has run; CANN would run the first
//!   and touch freed memory with the second.
//! - `aclDestroyAclOpExecutor` takes repeatable executors only, as its manual demands.
//! - The workspace is checked, kept in use until the operator has run and overwritten, but its bytes are
//!   not needed: the kernels read the views where they lie. CANN does not compare its size with the one
//!   that the first phase gave, nor look where it is: the operator writes beyond it, or fails.
//! - CANN refuses to make certain executors repeatable (those that copy between host and device);
//!   no operator modelled here is one of them.
//! - `out` may be exactly the tensor `self` or `other` (in place). Any other overlap gives
//!   unspecified numbers, as on the device.
#![allow(
    non_snake_case,
    reason = "the exported functions keep their names of C"
)]

mod element;
mod elementwise;
mod executor;
mod inspect;
mod kernel;
mod list;
mod machine;
mod scalar;
mod shape;
mod source;
mod tensor;
mod work;

#[cfg(test)]
mod tests;

pub use elementwise::{aclnnAdd, aclnnAddGetWorkspaceSize, aclnnMul, aclnnMulGetWorkspaceSize};
pub use executor::{aclDestroyAclOpExecutor, aclSetAclOpExecutorRepeatable};
pub use inspect::{
    aclGetDataType, aclGetFormat, aclGetRawTensorAddr, aclGetViewOffset, aclGetViewShape,
    aclGetViewStrides, aclnnFinalize, aclnnInit,
};
pub use list::{
    aclCreateBoolArray, aclCreateFloatArray, aclCreateIntArray, aclCreateScalarList,
    aclCreateTensorList, aclDestroyBoolArray, aclDestroyFloatArray, aclDestroyIntArray,
    aclDestroyScalarList, aclDestroyTensorList, aclGetBoolArraySize, aclGetFloatArraySize,
    aclGetIntArraySize, aclGetScalarListSize, aclGetTensorListSize,
};
pub use scalar::{aclCreateScalar, aclDestroyScalar};
pub use tensor::{aclCreateTensor, aclDestroyTensor};

/// How many handles of each kind exist now, for a report of leaks.
pub(crate) fn live_handles() -> [(&'static str, usize); 8] {
    [
        ("aclTensor", tensor::TENSORS.live()),
        ("aclScalar", scalar::SCALARS.live()),
        ("aclOpExecutor", executor::EXECUTORS.live()),
        ("aclIntArray", list::INTS.live()),
        ("aclFloatArray", list::FLOATS.live()),
        ("aclBoolArray", list::BOOLS.live()),
        ("aclTensorList", list::TENSOR_LISTS.live()),
        ("aclScalarList", list::SCALAR_LISTS.live()),
    ]
}
