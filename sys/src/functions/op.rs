//! Operators: aclnn tensors, scalars, executors (`aclnn/acl_meta.h`) and the operators themselves
//! (`aclnnop/aclnn_*.h`).
//!
//! An operator is one line of the list [`operators!`](crate::operators), which stands for both of its functions. The
//! first phase checks the arguments and makes an executor, the second queues what the executor prepared.

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the operator functions: those of tensors and executors, and both phases of each operator.
#[doc(hidden)]
#[macro_export]
macro_rules! op_functions {
    (@phases $callback:path; $(
        $(#[$doc:meta])*
        $([$($mark:tt)*])? operator $launch:ident, $prepare:ident($($arg:ident: $kind:ident),* $(,)?) in $header:literal;
    )*) => {
        $callback! {
            area "op", OpTable;
            /// Describes device memory as a tensor; null when the description is invalid.
            fn aclCreateTensor(viewDims: *const i64, viewDimsNum: u64, dataType: aclDataType, stride: *const i64, offset: i64, format: aclFormat, storageDims: *const i64, storageDimsNum: u64, tensorData: *mut c_void) -> *mut aclTensor;
            /// Releases the description, not the memory.
            fn aclDestroyTensor(tensor: *const aclTensor) -> aclnnStatus;
            /// Copies one host value into a scalar.
            fn aclCreateScalar(value: *mut c_void, dataType: aclDataType) -> *mut aclScalar;
            /// Releases a scalar.
            fn aclDestroyScalar(scalar: *const aclScalar) -> aclnnStatus;
            /// Copies whole numbers of the host into an array.
            fn aclCreateIntArray(value: *const i64, size: u64) -> *mut aclIntArray;
            /// Releases it.
            fn aclDestroyIntArray(array: *const aclIntArray) -> aclnnStatus;
            /// How many numbers it has.
            fn aclGetIntArraySize(array: *const aclIntArray, size: *mut u64) -> aclnnStatus;
            /// Copies numbers of the host into an array.
            fn aclCreateFloatArray(value: *const f32, size: u64) -> *mut aclFloatArray;
            /// Releases it.
            fn aclDestroyFloatArray(array: *const aclFloatArray) -> aclnnStatus;
            /// How many numbers it has.
            fn aclGetFloatArraySize(array: *const aclFloatArray, size: *mut u64) -> aclnnStatus;
            /// Copies truth values of the host into an array.
            fn aclCreateBoolArray(value: *const bool, size: u64) -> *mut aclBoolArray;
            /// Releases it.
            fn aclDestroyBoolArray(array: *const aclBoolArray) -> aclnnStatus;
            /// How many values it has.
            fn aclGetBoolArraySize(array: *const aclBoolArray, size: *mut u64) -> aclnnStatus;
            /// Makes a list of tensors, which owns them from then on.
            fn aclCreateTensorList(value: *const *const aclTensor, size: u64) -> *mut aclTensorList;
            /// Releases the list and every tensor in it.
            fn aclDestroyTensorList(array: *const aclTensorList) -> aclnnStatus;
            /// How many tensors it has.
            fn aclGetTensorListSize(tensorList: *const aclTensorList, size: *mut u64) -> aclnnStatus;
            /// Makes a list of scalars, which owns them from then on.
            fn aclCreateScalarList(value: *const *const aclScalar, size: u64) -> *mut aclScalarList;
            /// Releases the list and every scalar in it.
            fn aclDestroyScalarList(array: *const aclScalarList) -> aclnnStatus;
            /// How many scalars it has.
            fn aclGetScalarListSize(scalarList: *const aclScalarList, size: *mut u64) -> aclnnStatus;
            /// The shape of a tensor's view, in an array that becomes the caller's (`delete[]` of C++).
            fn aclGetViewShape(tensor: *const aclTensor, viewDims: *mut *mut i64, viewDimsNum: *mut u64) -> aclnnStatus;
            /// The strides of a tensor's view in elements, in an array that becomes the caller's (`delete[]` of C++).
            fn aclGetViewStrides(tensor: *const aclTensor, stridesValue: *mut *mut i64, stridesNum: *mut u64) -> aclnnStatus;
            /// The offset of a tensor's view in elements.
            fn aclGetViewOffset(tensor: *const aclTensor, offset: *mut i64) -> aclnnStatus;
            /// The format of a tensor.
            fn aclGetFormat(tensor: *const aclTensor, format: *mut aclFormat) -> aclnnStatus;
            /// The data type of a tensor.
            fn aclGetDataType(tensor: *const aclTensor, dataType: *mut aclDataType) -> aclnnStatus;
            /// Points a tensor at other memory; not between the two phases of an operator.
            fn aclSetRawTensorAddr(tensor: *mut aclTensor, addr: *mut c_void) -> aclnnStatus;
            /// The memory of a tensor.
            fn aclGetRawTensorAddr(tensor: *const aclTensor, addr: *mut *mut c_void) -> aclnnStatus;
            /// Begins aclnn in a program that does not call `aclInit`.
            fn aclnnInit(configPath: *const c_char) -> aclnnStatus;
            /// Ends what `aclnnInit` began.
            fn aclnnFinalize() -> aclnnStatus;
            /// Makes an executor reusable; right after the first phase.
            fn aclSetAclOpExecutorRepeatable(executor: *mut aclOpExecutor) -> aclnnStatus;
            /// Releases a reusable executor.
            fn aclDestroyAclOpExecutor(executor: *mut aclOpExecutor) -> aclnnStatus;
            /// Points an input of a reusable executor at other memory; `index` counts its inputs.
            fn aclSetInputTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, addr: *mut c_void) -> aclnnStatus;
            /// Points an output of a reusable executor at other memory; `index` counts its outputs.
            fn aclSetOutputTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, addr: *mut c_void) -> aclnnStatus;
            /// Points a tensor of a reusable executor at other memory; `index` counts its inputs and then its outputs.
            fn aclSetTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, addr: *mut c_void) -> aclnnStatus;
            /// Points a tensor in a list of inputs of a reusable executor at other memory.
            fn aclSetDynamicInputTensorAddr(executor: *mut aclOpExecutor, irIndex: usize, relativeIndex: usize, tensors: *mut aclTensorList, addr: *mut c_void) -> aclnnStatus;
            /// Points a tensor in a list of outputs of a reusable executor at other memory.
            fn aclSetDynamicOutputTensorAddr(executor: *mut aclOpExecutor, irIndex: usize, relativeIndex: usize, tensors: *mut aclTensorList, addr: *mut c_void) -> aclnnStatus;
            /// Points a tensor in a list of a reusable executor at other memory.
            fn aclSetDynamicTensorAddr(executor: *mut aclOpExecutor, irIndex: usize, relativeIndex: usize, tensors: *mut aclTensorList, addr: *mut c_void) -> aclnnStatus;
            $(
                $(#[$doc])*
                ///
                /// First phase: checks the arguments, asks for a workspace and makes an executor.
                #[doc = concat!("Declared in `aclnnop/", $header, "`.")]
                $([$($mark)*])? fn $prepare($($arg: $crate::parameter::$kind,)* workspaceSize: *mut u64, executor: *mut *mut aclOpExecutor) -> aclnnStatus;
                $(#[$doc])*
                ///
                /// Second phase: queues what the executor prepared.
                #[doc = concat!("Declared in `aclnnop/", $header, "`.")]
                $([$($mark)*])? fn $launch(workspace: *mut c_void, workspaceSize: u64, executor: *mut aclOpExecutor, stream: aclrtStream) -> aclnnStatus;
            )*
        }
    };
    ($callback:path) => {
        $crate::operators! { $crate::op_functions, @phases $callback; }
    };
}

op_functions!(define);

#[cfg(feature = "loaded")]
pub(crate) use op_functions;
