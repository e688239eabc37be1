//! The hook for failed tasks.

use std::sync::Mutex;

use ascendcl::callback::ExceptionInfo;
use ascendcl::error::Usage;
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Thread, sys};

use crate::common::{acl, assert_says, isolated, usage};

/// The arguments of the function: device, code, whether stream and task were named, and the result of a claim.
static TOLD: Mutex<Vec<(Option<u32>, Option<u32>, bool, Usage)>> = Mutex::new(Vec::new());

fn collect(info: &ExceptionInfo<'_>) {
    let named = info.stream_id().is_some() && info.task_id().is_some();
    let claimed = usage(Thread::claim());
    TOLD.lock()
        .unwrap()
        .push((info.device_id(), info.error_code(), named, claimed));
}

/// Makes a task fail on device 1, and waits for it.
fn fail(acl: &Acl) {
    let mut thread = Thread::claim().unwrap();
    let device = acl.set_device::<Npu<0>>(&mut thread, 1).unwrap();
    let current = thread.set_current(&device).unwrap();
    let mut stream = current.create_stream::<Main>().unwrap();
    crate::stream::queue_a_failing_task(stream.as_raw());
    assert_says(stream.synchronize().map(drop), &["507001"]);
}

isolated! {
    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn each_failure_is_told_until_there_is_no_function() {
        let mut acl = acl();
        acl.set_exception_info_callback(Some(collect)).unwrap();
        fail(&acl);
        let code = sys::ACL_ERROR_RT_TS_ERROR.cast_unsigned();
        let told = [(Some(1), Some(code), true, Usage::InHostFunc)];
        assert_eq!(TOLD.lock().unwrap()[..], told);
        acl.set_exception_info_callback(None).unwrap();
        fail(&acl);
        assert_eq!(TOLD.lock().unwrap().len(), 1);
        // The thread of the wait can be claimed again.
        drop(Thread::claim().unwrap());
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_panic_in_it_ends_there() {
        let mut acl = acl();
        acl.set_exception_info_callback(Some(|info| {
            collect(info);
            panic!("its own mistake");
        }))
        .unwrap();
        fail(&acl);
        fail(&acl);
        assert_eq!(TOLD.lock().unwrap().len(), 2);
    }
}
