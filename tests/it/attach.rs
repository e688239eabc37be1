//! Sharing the process with other users of AscendCL.

use ascendcl::{Acl, Npu, Thread, sys};

use crate::common::{acl, assert_says, incomplete, isolated};

/// Initialises AscendCL as another component of the process would.
fn foreign_init() {
    acl().finalize().unwrap(); // installs the backend
    // SAFETY: null is a valid configuration.
    assert_eq!(unsafe { sys::aclInit(core::ptr::null()) }, 0);
}

isolated! {
    fn attaching_leaves_the_other_component_initialised() {
        foreign_init();
        let acl = Acl::attach().unwrap();
        assert_eq!(acl.device_count().unwrap(), 2);
        // The text of a later error does not say that AscendCL was initialised already.
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        thread.set_current(&device).unwrap();
        // SAFETY: takes no argument.
        assert!(unsafe { sys::aclGetRecentErrMsg() }.is_null());
        device.reset().unwrap();
        acl.finalize().unwrap();
        let mut left = 7;
        // SAFETY: `left` is valid for a write. The other component's reference is the last one.
        assert_eq!(unsafe { sys::aclFinalizeReference(&raw mut left) }, 0);
        assert_eq!(left, 0);
    }

    fn attaching_alone_initialises_and_finalises() {
        let acl = Acl::attach().unwrap();
        assert_says(Acl::attach(), &["already initialised"]);
        drop(acl);
        let mut left = 0;
        // SAFETY: `left` is valid for a write. Nobody is left to finalise for.
        let code = unsafe { sys::aclFinalizeReference(&raw mut left) };
        assert_eq!(code, sys::ACL_ERROR_REPEAT_FINALIZE);
    }

    fn a_device_that_other_code_holds_survives_our_reset() {
        foreign_init();
        // SAFETY: takes a number.
        assert_eq!(unsafe { sys::aclrtSetDevice(0) }, 0);
        let acl = Acl::attach().unwrap();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let buf = current.malloc::<u8>(64).unwrap();
        buf.free().unwrap();
        device.reset().unwrap();
        acl.finalize().unwrap();
        // SAFETY: takes no argument; the other component's device and context are still there.
        assert_eq!(unsafe { sys::aclrtSynchronizeDevice() }, 0);
        // SAFETY: takes a number; the other component's own reset is the last one.
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, 0);
        // SAFETY: as above, one too many.
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
    }

    ["ASCENDCL_BACKEND" = incomplete()]
    fn a_function_that_was_absent_earlier_hides_no_error() {
        let acl = Acl::attach().unwrap();
        // SAFETY: this backend has no such function, so nothing is read.
        let code = unsafe { sys::aclrtMemPoolDestroy(core::ptr::null_mut()) };
        assert_eq!(code, sys::ACL_ERROR_API_NOT_SUPPORT);
        assert_says(acl.finalize(), &["aclFinalizeReference failed with 500000"]);
    }

    fn leaked_handles_live_without_a_lifetime() {
        let acl: &'static Acl = acl().leak();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap().leak();
        let buf: ascendcl::DeviceBuf<'static, Npu<0>, [u8], _> =
            thread.set_current(device).unwrap().malloc(10).unwrap();
        std::thread::spawn(move || drop(buf)).join().unwrap();
        assert_eq!(ascendcl::release_failures(), 0);
        assert_says(Acl::from_env(), &["already initialised"]);
        assert_says(acl.set_device::<Npu<0>>(&mut thread, 1), &["slot 0"]);
    }
}
