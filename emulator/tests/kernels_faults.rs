//! Injected faults in the calls of kernels, and in a launch that runs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use ascendcl_emulator::kernel::{self, ViewMut};
use ascendcl_emulator::{EmulatorConfig, Fault, api, configure, faults_struck};
use ascendcl_sys::*;

/// The code of the injected faults.
const FAULT: aclError = ACL_ERROR_RT_INTERNAL_ERROR;

/// Makes a call of a kernel twice: the first one fails, and the second one succeeds.
macro_rules! twice {
    ($api:ident, $name:ident($($argument:expr),* $(,)?)) => {
        for expected in [FAULT, 0] {
            #[allow(clippy::macro_metavars_in_unsafe, reason = "the arguments are plain values")]
            // SAFETY: the test passes valid pointers and handles.
            let code = unsafe { ($api.model.$name)($($argument),*) };
            assert_eq!(code, expected, stringify!($name));
        }
    };
}

/// One test, because the emulator is configured once in a process.
#[test]
fn each_call_fails_alone_and_a_task_fails_with_its_code() {
    let calls = [
        "aclrtBinaryLoadFromData",
        "aclrtBinaryLoad",
        "aclrtDestroyBinary",
        "aclrtBinaryGetFunction",
        "aclrtBinaryUnLoad",
        "aclrtFunctionGetParamCount",
        "aclrtFunctionGetParamInfo",
        "aclrtKernelArgsInit",
        "aclrtKernelArgsAppend",
        "aclrtKernelArgsFinalize",
        "aclrtLaunchKernelWithConfig",
        "aclrtLaunchKernelWithHostArgs",
    ];
    let mut config = EmulatorConfig::default();
    for call in calls {
        config = config.with_fault(Fault::new(call, FAULT).at(1));
    }
    // The call that succeeds queues the first task of its name.
    let task = Fault::new("aclrtLaunchKernelWithHostArgs", FAULT);
    config = config.with_fault(task.at(1).in_task());
    configure(config).unwrap();
    kernel::register(
        ascendcl_emulator::kernel!(one(x: ViewMut<u32>) |block| x.set(block.index(), 1)),
    );
    let api = api();
    // SAFETY: takes a number.
    assert_eq!(unsafe { (api.device.aclrtSetDevice)(0) }, 0);
    let (mut memory, mut loaded, mut function) = (null_mut(), null_mut(), null_mut());
    // SAFETY: valid for a write.
    let code = unsafe { (api.memory.aclrtMalloc)(&mut memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) };
    assert_eq!(code, 0);
    let wait = || {
        // SAFETY: the default stream.
        unsafe { (api.stream.aclrtSynchronizeStream)(null_mut()) }
    };
    let data = c"code".as_ptr().cast::<c_void>();
    // SAFETY: five bytes.
    let made = unsafe { (api.model.aclrtCreateBinary)(data, 5) };
    twice!(api, aclrtBinaryLoad(made, &mut loaded));
    twice!(api, aclrtDestroyBinary(made));
    twice!(api, aclrtBinaryUnLoad(loaded));
    twice!(api, aclrtBinaryLoadFromData(data, 5, null(), &mut loaded));
    twice!(
        api,
        aclrtBinaryGetFunction(loaded, c"one".as_ptr(), &mut function)
    );
    let (mut count, mut offset) = (0, 0);
    twice!(api, aclrtFunctionGetParamCount(function, &mut count));
    twice!(
        api,
        aclrtFunctionGetParamInfo(function, 0, &mut offset, null_mut())
    );
    let mut arguments = [memory];
    let room = arguments.as_mut_ptr().cast();
    twice!(
        api,
        aclrtLaunchKernelWithHostArgs(function, 1, null_mut(), null_mut(), room, 8, null_mut(), 0)
    );
    assert_eq!((wait(), wait()), (FAULT, 0));
    let (mut list, mut parameter) = (null_mut(), null_mut());
    twice!(api, aclrtKernelArgsInit(function, &mut list));
    twice!(api, aclrtKernelArgsAppend(list, room, 8, &mut parameter));
    twice!(api, aclrtKernelArgsFinalize(list));
    twice!(
        api,
        aclrtLaunchKernelWithConfig(function, 1, null_mut(), null_mut(), list, null_mut())
    );
    assert_eq!(wait(), 0);
    // SAFETY: a live binary.
    assert_eq!(unsafe { (api.model.aclrtBinaryUnLoad)(loaded) }, 0);
    assert_eq!(faults_struck(), 13);
}
