//! Operators that a text names: the functions of the program that CANN calls (`acl/acl_op.h`, ACL 1.17).

use core::ffi::{c_int, c_void};

use super::{aclTensorDesc, aclopAttr, aclopKernelDesc};
use crate::types::aclError;

/// A function that releases the binary of a kernel.
pub type aclDataDeallocator = Option<unsafe extern "C" fn(data: *mut c_void, length: usize)>;
/// A function that chooses the kernel of an operator.
pub type aclopCompileFunc = Option<
    unsafe extern "C" fn(
        numInputs: c_int,
        inputDesc: *const *const aclTensorDesc,
        numOutputs: c_int,
        outputDesc: *const *const aclTensorDesc,
        opAttr: *const aclopAttr,
        aclopKernelDesc: *mut aclopKernelDesc,
    ) -> aclError,
>;
