//! Functions that the emulator does not model: their arguments have the codes of the production runtime, and then they
//! refuse.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;
use common::*;

passes_while_watched!("unmodelled");

/// A handle or an address that is not null. None of the functions follows it.
fn some<T>() -> *mut T {
    ptr::dangling_mut()
}

#[test]
fn parts_of_kernels_need_ai_cores() {
    let _serial = start();
    let (mut out, none) = (ptr::null_mut::<c_void>(), ptr::null_mut::<c_void>());
    let (mut size, one) = (0, dim3 { x: 1, y: 1, z: 1 });
    check!(
        100000,
        model.aclrtBinaryGetFunctionByEntry(none, 1, &mut out)
    );
    check!(
        207000,
        model.aclrtBinaryGetFunctionByEntry(some(), 1, &mut out)
    );
    assert!(
        text().contains("no code, variables or symbols of kernels"),
        "{}",
        text()
    );
    assert_eq!(
        call!(runtime.aclrtGetLastError(ACL_RT_THREAD_LEVEL)),
        207000
    );
    check!(
        100000,
        model.aclrtBinaryGetGlobal(some(), ptr::null(), &mut out, &mut size)
    );
    check!(
        207000,
        model.aclrtBinaryGetGlobal(some(), c"x".as_ptr(), &mut out, &mut size)
    );
    check!(
        100000,
        model.aclrtBinarySetExceptionCallback(some(), None, none)
    );
    check!(
        107000,
        model.aclrtGetFunctionSize(none, &mut size, &mut size)
    );
    check!(
        207000,
        model.aclrtGetFunctionSize(some(), &mut size, &mut size)
    );
    check!(
        100000,
        model.aclrtFunctionGetAvailDynUbufPerBlock(some(), 0, ptr::null_mut())
    );
    check!(
        207000,
        model.aclrtFunctionGetAvailDynUbufPerBlock(some(), 0, &mut size)
    );
    let launch = |function, args| {
        call!(model.aclrtLaunchSIMTKernelWithHostArgs(
            function,
            one,
            one,
            0,
            none,
            ptr::null_mut(),
            args,
            8,
            ptr::null_mut(),
            0
        ))
    };
    assert_eq!(
        (launch(none, some()), launch(some(), none)),
        (100000, 100000)
    );
    assert_eq!(launch(some(), some()), 207000);
    check!(107000, device.aclrtGetHardwareSyncAddr(ptr::null_mut()));
    check!(207000, device.aclrtGetHardwareSyncAddr(&mut out));
    check!(100000, memory.aclrtGetSymbolAddress(ptr::null(), &mut out));
    check!(207000, memory.aclrtGetSymbolAddress(some(), &mut out));
    assert_eq!((out, size), (none, 0));
}

#[test]
fn memory_of_other_kinds_is_refused() {
    let _serial = start();
    let (mut out, none) = (ptr::null_mut::<c_void>(), ptr::null_mut::<c_void>());
    let mut size = 0;
    check!(
        100000,
        memory.aclrtMemAllocManaged(ptr::null_mut(), 64, ACL_RT_MEM_ATTACH_GLOBAL)
    );
    check!(100000, memory.aclrtMemAllocManaged(&mut out, 64, 0));
    check!(
        207000,
        memory.aclrtMemAllocManaged(&mut out, 64, ACL_RT_MEM_ATTACH_GLOBAL)
    );
    assert!(text().contains("aclrtMallocHost"));
    check!(100000, memory.aclrtAllocBuf(&mut out, 0));
    check!(207000, memory.aclrtAllocBuf(&mut out, 8));
    check!(107000, memory.aclrtCmoGetDescSize(ptr::null_mut()));
    check!(207000, memory.aclrtCmoGetDescSize(&mut size));
    check!(100000, device.aclrtGetGroupCount(ptr::null_mut()));
    assert_eq!((out, size), (none, 0));
}

#[test]
fn a_stream_does_not_switch_to_another_one() {
    let _serial = start();
    let (s, bound, memory, none) = (stream(), stream(), malloc(16), ptr::null_mut());
    let (cond, numbers) = (aclrtCondition(0), aclrtCompareDataType(0));
    let switch = |left, right, to, on| {
        call!(stream.aclrtSwitchStream(left, cond, right, numbers, to, none, on))
    };
    for (left, right, to, on) in [
        (none, memory, bound, s),
        (memory, none, bound, s),
        (memory, memory, none, s),
        (memory, memory, bound, none),
    ] {
        assert_eq!(switch(left, right, to, on), 100000);
    }
    assert_eq!(switch(memory, memory, bound, s), 207000);
    assert!(text().contains("aclrtSwitchLabelByIndex"));
}

#[test]
fn what_is_only_declared_says_that_it_is_not_modelled() {
    let _serial = start();
    check!(200001, device.aclRecoverAllHcclTasks(0));
    // The check consumes the text, so here the test makes the call itself.
    let code = call!(device.aclRecoverAllHcclTasks(0));
    let said = "aclRecoverAllHcclTasks is not modelled by the emulator";
    assert_eq!((code, text().as_str()), (200001, said));
}
