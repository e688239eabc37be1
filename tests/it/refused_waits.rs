//! Waits that the runtime refuses before it waits: an ordinary error, which spoils nothing and proves nothing.

use std::time::Duration;

use ascendcl::event::Progress;
use ascendcl::stream::Main;
use ascendcl::{Current, Error, ErrorKind, Npu, Result, Thread, leaks, op, sys};

use crate::common::{acl, assert_clean, assert_refused, assert_says, bound, isolated};

/// The codes of `src/error/refusal.rs`, with one for its range.
const REFUSALS: [i32; 7] = [
    sys::ACL_ERROR_INVALID_PARAM,
    sys::ACL_ERROR_RT_CONTEXT_NULL,
    sys::ACL_ERROR_RT_STREAM_CONTEXT,
    sys::ACL_ERROR_RT_STREAM_CAPTURED,
    sys::ACL_ERROR_RT_EVENT_CAPTURED,
    sys::ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT,
    sys::ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC,
];

/// Codes of the same class that may stand for failed work.
const FAILURES: [i32; 9] = [
    sys::ACL_ERROR_RT_PARAM_INVALID,
    sys::ACL_ERROR_RT_INVALID_HANDLE,
    sys::ACL_ERROR_RT_WAIT_TIMEOUT,
    sys::ACL_ERROR_RT_TASK_TIMEOUT,
    sys::ACL_ERROR_RT_DEVICE_TASK_ABORT,
    sys::ACL_ERROR_RT_STREAM_ABORT,
    sys::ACL_ERROR_RT_TASK_ABORT_STOP,
    sys::ACL_ERROR_RT_AICORE_OVER_FLOW,
    sys::ACL_ERROR_RT_TS_ERROR,
];

/// Faults with which the calls of a function from the first one on return the codes.
fn faults(call: &str, codes: impl IntoIterator<Item = i32>) -> &'static str {
    numbered(call, codes, 1)
}

/// Faults with which the first call, the call `step` later and so on return the codes.
fn numbered(call: &str, codes: impl IntoIterator<Item = i32>, step: usize) -> &'static str {
    let faults = codes.into_iter().zip((1..).step_by(step));
    let faults: Vec<_> = faults
        .map(|(code, n)| format!("{call}#{n}={code}"))
        .collect();
    faults.join(",").leak()
}

/// A capture that refuses more waits than a wait for a proof has attempts.
fn capture(call: &str) -> &'static str {
    faults(call, [sys::ACL_ERROR_RT_STREAM_CAPTURED; 40])
}

fn add(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut ascendcl::Stream<'_, '_, Npu<0>, Main>,
) -> Result<()> {
    let zeros = current.memset(current.malloc::<f32>(4)?, 0)?;
    let zeros = zeros.tensor(&[4])?;
    let out = current.malloc(4)?.into_tensor(&[4])?;
    op::add(current, &zeros, &zeros, 1.0, out)?
        .run(stream)
        .map(drop)
}

isolated! {
    ["ASCENDCL_EMULATOR_FAULTS" = faults("aclrtSynchronizeStream", REFUSALS)]
    fn a_refused_wait_for_a_stream_spoils_nothing() {
        bound!(acl, device: Npu<0>, current, stream);
        let zeros = stream.memset_async(stream.malloc::<u8>(4).unwrap(), 0).unwrap();
        for code in REFUSALS {
            assert_refused(stream.synchronize(), code);
        }
        stream.synchronize().unwrap().take(zeros).free().unwrap();
        drop(stream);
        drop(device);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = faults("aclrtSynchronizeStreamWithTimeout", REFUSALS)]
    fn a_refused_wait_with_a_limit_spoils_nothing() {
        bound!(acl, device: Npu<0>, current, stream);
        let zeros = stream.memset_async(stream.malloc::<u8>(4).unwrap(), 0).unwrap();
        for code in REFUSALS {
            assert_refused(stream.synchronize_within(Duration::from_secs(60)), code);
        }
        stream.synchronize().unwrap().take(zeros).free().unwrap();
        drop(stream);
        drop(device);
        assert_clean(&acl);
    }

    // The checker finds memory that is freed while its copy is queued.
    ["ASCENDCL_EMULATOR_FAULTS" = faults("aclrtSynchronizeDevice", REFUSALS), "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_refused_wait_for_the_device_spoils_no_stream_and_frees_nothing() {
        bound!(acl, device: Npu<0>, current, stream);
        drop(stream.memset_async(stream.malloc::<u8>(4).unwrap(), 0).unwrap());
        for code in REFUSALS {
            assert_refused(current.synchronize_device(), code);
        }
        stream.synchronize().unwrap();
        current.synchronize_device().unwrap();
        drop(stream);
        drop(device);
        assert_clean(&acl);
    }

    // The controls: codes that may stand for failed work poison the stream.
    ["ASCENDCL_EMULATOR_FAULTS" = numbered("aclrtSynchronizeStream", FAILURES, 2), "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn codes_of_failed_work_are_failures() {
        bound!(acl, device: Npu<0>, current);
        let mut lanes = FAILURES.map(|_| current.create_parked_stream().unwrap());
        for (lane, code) in lanes.iter_mut().zip(FAILURES) {
            lane.with(current, |stream| -> Result<()> {
                let failed = stream.synchronize().map(drop).map_err(Error::into_kind);
                assert!(matches!(failed, Err(ErrorKind::Wait(failed)) if failed.code == code));
                assert_says(stream.synchronize(), &["has failed"]);
                Ok(())
            })
            .unwrap();
        }
    }

    // A copy of memory that is not page-locked waits, and its wait may be the one that is refused or fails.
    ["ASCENDCL_EMULATOR_FAULTS" = faults("aclrtMemcpyAsync", REFUSALS.into_iter().chain([sys::ACL_ERROR_RT_TASK_TIMEOUT])),
     "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_copy_that_waits_spoils_nothing_unless_it_fails() {
        bound!(acl, device: Npu<0>, current, stream);
        let numbers = [1_u8; 4];
        let ended = current.scope(|scope| {
            let from = stream.adopt(scope.lend(&numbers[..]));
            for code in REFUSALS {
                assert_refused(stream.memcpy_async(stream.malloc::<u8>(4).unwrap(), &from), code);
                stream.synchronize().unwrap();
            }
            let late = stream.memcpy_async(stream.malloc::<u8>(4).unwrap(), &from).map(drop);
            assert!(matches!(late.map_err(Error::into_kind), Err(ErrorKind::Wait(_))));
            assert_says(stream.synchronize(), &["has failed"]);
        });
        assert_says(ended, &["failed"]);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = faults("aclrtSynchronizeStream", REFUSALS)]
    fn a_drain_goes_on_behind_refusals() {
        bound!(acl, device: Npu<0>, current, stream);
        let zeros = stream.memset_async(stream.malloc::<u8>(4).unwrap(), 0).unwrap();
        let zeros = stream.drain().unwrap().take(zeros);
        stream.synchronize().unwrap().verify(zeros).free().unwrap();
        drop(stream);
        drop(device);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = faults("aclrtSynchronizeEvent", REFUSALS)]
    fn a_refused_wait_for_an_event_spoils_nothing() {
        bound!(acl, device: Npu<0>, current, stream);
        let mut event = current.create_event::<Progress>().unwrap();
        let recorded = stream.record(&mut event).unwrap();
        for code in REFUSALS {
            assert_refused(recorded.synchronize(), code);
        }
        recorded.synchronize().unwrap();
        stream.synchronize().unwrap();
        drop((event, stream));
        drop(device);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = faults("aclrtSynchronizeEventWithTimeout", REFUSALS)]
    fn a_fence_outlives_refused_waits() {
        bound!(acl, device: Npu<0>, current, stream);
        let zeros = stream.memset_async(stream.malloc::<u8>(4).unwrap(), 0).unwrap();
        let mut fence = stream.fence(current.create_event::<Progress>().unwrap(), zeros).unwrap();
        for code in REFUSALS {
            let unfinished = fence.synchronize_within(Duration::from_secs(60)).unwrap_err();
            fence = unfinished.fence.unwrap();
            assert_refused(Err::<(), _>(unfinished.error), code);
        }
        let (zeros, event) = fence.synchronize_within(Duration::from_secs(60)).unwrap();
        stream.synchronize().unwrap().verify(zeros).free().unwrap();
        drop((event, stream));
        drop(device);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = faults("aclrtFreeWithDevSync", REFUSALS)]
    fn a_refused_free_that_waits_parks_its_memory() {
        bound!(acl, device: Npu<0>, current, stream);
        for code in REFUSALS {
            let zeros = stream.memset_async(stream.malloc::<u8>(4).unwrap(), 0).unwrap();
            assert_refused(zeros.free_with_dev_sync(current), code);
        }
        stream.synchronize().unwrap();
        drop(stream);
        drop(device);
        assert_clean(&acl);
    }

    // The wait for the device and the wait for the stream that has the lease are refused, in turns.
    ["ASCENDCL_EMULATOR_FAULTS" = format!("{},{}", capture("aclrtSynchronizeDevice"), capture("aclrtSynchronizeStream")).leak()]
    fn a_scope_outlasts_a_capture() {
        bound!(acl, device: Npu<0>, current, stream);
        let mut numbers = [0_u32; 4];
        current
            .scope(|scope| -> Result<()> {
                let mut to = stream.adopt(scope.lend(&mut numbers[..]));
                let ones = stream.memset_async(stream.malloc::<u32>(4)?, 1)?;
                stream.memcpy_async(&mut to, &ones)
            })
            .unwrap()
            .unwrap();
        assert_eq!(numbers, [0x0101_0101; 4]);
        stream.synchronize().unwrap();
        drop(stream);
        drop(device);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = capture("aclrtSynchronizeDevice"), "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_reset_outlasts_a_capture() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        {
            let current = thread.set_current_context(&context).unwrap();
            let mut stream = current.default_stream().unwrap();
            drop(stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap());
        }
        context.destroy().unwrap();
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
        assert_clean(&acl);
    }

    // The operator's own wait, and then the next one.
    ["ASCENDCL_EMULATOR_FAULTS" = capture("aclrtSynchronizeStream")]
    fn an_operator_outlasts_a_capture() {
        bound!(acl, device: Npu<0>, current, stream);
        assert_refused(add(current, &mut stream), sys::ACL_ERROR_RT_STREAM_CAPTURED);
        add(current, &mut stream).unwrap();
        stream.destroy().unwrap();
        drop(device);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = faults("aclrtSynchronizeStream", REFUSALS)]
    fn a_stream_ends_behind_refusals() {
        bound!(acl, device: Npu<0>, current, stream);
        drop(stream.memset_async(stream.malloc::<u8>(4).unwrap(), 0).unwrap());
        stream.destroy().unwrap();
        current.create_stream::<Main>().unwrap().destroy().unwrap();
        drop(device);
        assert_eq!(leaks(), 0);
        assert_clean(&acl);
    }

    // A stream that is captured for ever is not destroyed, and its memory is freed behind a wait for the device.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeStream#1+=107027", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
     "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_stream_that_stays_captured_is_left_to_its_device() {
        bound!(acl, device: Npu<0>, current, stream);
        drop(stream.memset_async(stream.malloc::<u8>(4).unwrap(), 0).unwrap());
        assert_refused(stream.drain(), sys::ACL_ERROR_RT_STREAM_CAPTURED);
        assert_refused(stream.destroy(), sys::ACL_ERROR_RT_STREAM_CAPTURED);
        assert_eq!(leaks(), 1, "the stream");
        assert_says(current.create_stream::<Main>(), &["is taken"]);
        current.synchronize_device().unwrap();
        device.reset().unwrap();
    }
}
