//! An operator: the product of two tensors.

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;

/// Makes a tensor of eight numbers in device memory.
pub(crate) fn tensor(memory: *mut c_void) -> *mut aclTensor {
    let (shape, stride) = ([8i64], [1i64]);
    let tensor = call!(op.aclCreateTensor(
        shape.as_ptr(),
        1,
        ACL_FLOAT,
        stride.as_ptr(),
        0,
        ACL_FORMAT_ND,
        shape.as_ptr(),
        1,
        memory
    ));
    assert!(!tensor.is_null());
    tensor
}

/// Queues `out = left * right`.
pub(crate) fn multiply(
    left: *mut c_void,
    right: *mut c_void,
    out: *mut c_void,
    stream: aclrtStream,
) -> i32 {
    let tensors = [left, right, out].map(tensor);
    let (mut size, mut executor) = (0, ptr::null_mut());
    let [left, right, out] = tensors;
    assert_eq!(
        call!(op.aclnnMulGetWorkspaceSize(left, right, out, &mut size, &mut executor)),
        0
    );
    let code = call!(op.aclnnMul(super::workspace(size), size, executor, stream));
    for tensor in tensors {
        let _ = call!(op.aclDestroyTensor(tensor));
    }
    code
}
