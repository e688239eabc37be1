//! Operators whose second phase fails because of an injected fault.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ptr::null_mut;

use ascendcl_emulator::{EmulatorConfig, Fault, api, configure};
use ascendcl_sys::*;

/// One test, because the emulator is configured once in a process.
#[test]
fn an_executor_ends_with_a_failed_second_phase() {
    let fault = Fault::new("aclnnRelu", ACLNN_ERR_RUNTIME_ERROR).from(1);
    configure(EmulatorConfig::default().with_fault(fault)).unwrap();
    let api = api();
    // SAFETY: takes a number.
    assert_eq!(unsafe { (api.device.aclrtSetDevice)(0) }, 0);
    let (shape, mut memory) = ([4i64], null_mut());
    // SAFETY: valid for a write.
    let code = unsafe { (api.memory.aclrtMalloc)(&mut memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) };
    assert_eq!(code, 0);
    let describe = || {
        let (dims, format) = (shape.as_ptr(), ACL_FORMAT_ND);
        let strides = std::ptr::null();
        // SAFETY: the lengths are those of the shape.
        unsafe { (api.op.aclCreateTensor)(dims, 1, ACL_FLOAT, strides, 0, format, dims, 1, memory) }
    };
    let (input, out) = (describe(), describe());
    let prepare = || {
        let (mut size, mut executor) = (0, null_mut());
        // SAFETY: tensors that exist, and places for the answers.
        let code =
            unsafe { (api.op.aclnnReluGetWorkspaceSize)(input, out, &mut size, &mut executor) };
        assert_eq!((code, size), (0, 0));
        executor
    };
    let launch = |executor| {
        // SAFETY: the executor of the first phase; no workspace is needed.
        unsafe { (api.op.aclnnRelu)(null_mut(), 0, executor, null_mut()) }
    };
    // SAFETY: the emulator looks handles up.
    let destroy = |executor| unsafe { (api.op.aclDestroyAclOpExecutor)(executor) };

    let one_shot = prepare();
    assert_eq!(launch(one_shot), ACLNN_ERR_RUNTIME_ERROR);
    assert_eq!(destroy(one_shot), ACLNN_ERR_INNER, "it has ended");

    let repeatable = prepare();
    // SAFETY: an executor of a first phase.
    let code = unsafe { (api.op.aclSetAclOpExecutorRepeatable)(repeatable) };
    assert_eq!(code, 0);
    assert_eq!(launch(repeatable), ACLNN_ERR_RUNTIME_ERROR);
    assert_eq!(launch(repeatable), ACLNN_ERR_RUNTIME_ERROR);
    assert_eq!(
        destroy(repeatable),
        0,
        "it may be called again, so it stays"
    );
}
