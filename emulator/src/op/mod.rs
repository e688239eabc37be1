//! Operators: tensors, scalars, executors (`aclnn/acl_meta.h`) and the operators themselves (`aclnnop/aclnn_*.h`).
//!
//! An operator is a line in `define`: its name, and what it computes. The list of `ascendcl-sys` gives its parameters,
//! from which `functions` makes both of its calls; `custom` makes them for operators that a program brings.
//!
//! Floors, from the bottom: `shape` knows dimensions and broadcasting, `dtype` which data types go together, `number`
//! how elements become numbers and back. `element`, `machine`, `source`, `kernel` and `work` are the kernels with vector
//! instructions, which sums and products have for some data types. `tensor`, `scalar` and `list` are what C holds
//! handles of, and `inspect` tells what a tensor is. A first phase goes through `argument` (what C passed), `call` (what
//! the handles stand for), the definition, and `plan` (what is to be queued); `executor` holds that for the second
//! phase, and `view` is the memory of the operands while it runs. `pass` walks over operands of any data types, and
//! `elementwise` is an arithmetic for it. The only way to the device is `crate::engine::kernel::submit_kernel`.
//!
//! What differs from CANN, so that a program which runs here is not surprised there and vice versa:
//!
//! - Data types are the real ones. Complex numbers and the types below a byte are 161002 with a text that says so.
//!   Where products of Ascend differ, Atlas A2 is followed.
//! - A view must lie inside its storage already when it is created; CANN notices it later or never.
//! - A tensor in a fractal format is refused. CANN takes it for a plain one in most operators, with a warning.
//! - An executor of another operator is refused, as is one that has run; CANN would run the first
//!   and touch freed memory with the second.
//! - The workspace is checked, kept in use until the operator has run and overwritten, but its bytes are
//!   not needed: the kernels read the views where they lie. CANN does not compare its size with the one
//!   that the first phase gave, nor look where it is: the operator writes beyond it, or fails.
//! - Every executor may be made repeatable, at any time before its second phase. CANN refuses those that copy between
//!   host and device, and wants the call right behind the first phase, on its thread.
//! - An output may be exactly one of the operands (in place). Any other overlap gives unspecified numbers, as on the
//!   device.
//! - Single precision is kept where a card may drop some of it (`cubeMathType` of `aclnnMatmul`).
#![allow(
    non_snake_case,
    reason = "the exported functions keep their names of C"
)]

mod argument;
mod call;
pub mod custom;
mod define;
mod dtype;
mod element;
mod elementwise;
mod executor;
mod functions;
mod inspect;
mod kernel;
mod list;
mod machine;
mod number;
mod pass;
mod plan;
mod refusal;
mod scalar;
mod shape;
mod source;
mod tensor;
mod view;
mod work;

#[cfg(test)]
mod tests;

pub use executor::{aclDestroyAclOpExecutor, aclSetAclOpExecutorRepeatable};
pub(crate) use functions::OPERATORS;
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
