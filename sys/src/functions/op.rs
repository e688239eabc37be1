//! Operators: aclnn tensors, scalars, executors (`aclnn/acl_meta.h`) and the operators themselves
//! (`aclnnop/aclnn_*.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the operator functions.
#[doc(hidden)]
#[macro_export]
macro_rules! op_functions {
    ($callback:path) => {
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
            /// Makes an executor reusable; right after the first phase.
            fn aclSetAclOpExecutorRepeatable(executor: *mut aclOpExecutor) -> aclnnStatus;
            /// Releases a reusable executor.
            fn aclDestroyAclOpExecutor(executor: *mut aclOpExecutor) -> aclnnStatus;
            /// `out = self + alpha * other` with broadcasting, first phase.
            fn aclnnAddGetWorkspaceSize(self_: *const aclTensor, other: *const aclTensor, alpha: *const aclScalar, out: *mut aclTensor, workspaceSize: *mut u64, executor: *mut *mut aclOpExecutor) -> aclnnStatus;
            /// `out = self + alpha * other` with broadcasting, second phase.
            fn aclnnAdd(workspace: *mut c_void, workspaceSize: u64, executor: *mut aclOpExecutor, stream: aclrtStream) -> aclnnStatus;
            /// `out = self * other` with broadcasting, first phase.
            fn aclnnMulGetWorkspaceSize(self_: *const aclTensor, other: *const aclTensor, out: *mut aclTensor, workspaceSize: *mut u64, executor: *mut *mut aclOpExecutor) -> aclnnStatus;
            /// `out = self * other` with broadcasting, second phase.
            fn aclnnMul(workspace: *mut c_void, workspaceSize: u64, executor: *mut aclOpExecutor, stream: aclrtStream) -> aclnnStatus;
        }
    };
}
op_functions!(define);
#[cfg(feature = "loaded")]
op_functions!(define_lazy);
