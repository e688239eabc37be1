//! `Acl::on`: its calls, its result, and its releases on each path out.

use std::mem::forget;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;

use ascendcl::error::Usage;
use ascendcl::stream::Main;
use ascendcl::{
    Acl, Current, Npu, Result, StreamName, Thread, emulator, op, release_failures, sys,
};

use crate::common::{
    acl, acl_with_journal, assert_clean, assert_says, embedded, host, isolated, usage,
};

enum Upload {}
impl StreamName for Upload {}

/// Fails unless a device can be taken into use as if nothing had happened before.
fn is_free(acl: &Acl) {
    let ran = acl.on::<Npu<0>, _>(0, |current| {
        current.create_stream::<Main>()?.destroy()?;
        current.malloc::<u8>(64)?.free()
    });
    ran.unwrap();
    // SAFETY: takes a number. The reset was the last one (observed, CANN runtime 1.17).
    let code = unsafe { sys::aclrtResetDevice(0) };
    assert_eq!(code, sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
}

/// The calls of the journal, from `start` on.
fn journal_since(start: usize) -> Vec<&'static str> {
    let journal = emulator::journal();
    journal[start..].iter().map(|call| call.name).collect()
}

/// The program of the front page of the documentation.
fn short_road(acl: &Acl) -> Result<Vec<f32>> {
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let numbers = stream.malloc_host_from(host, &[1.0_f32, 2.0, 3.0, 4.0])?;
        let a = stream.memcpy_async(stream.malloc(4)?, &numbers)?;
        let out = stream.malloc(4)?.into_tensor(&[4])?;
        let plan = op::add(current, &a.tensor(&[4])?, &a.tensor(&[4])?, 1.0, out)?;
        let sum = plan.launch(&mut stream)?.into_output();
        let result = stream.memcpy_async(stream.malloc_host(host, 4)?, &sum)?;
        Ok(stream.synchronize()?.take(result).to_vec())
    })
}

/// The program of the front page without `Acl::on`.
fn long_road(acl: &Acl) -> Result<Vec<f32>> {
    let host = acl.run_mode()?.host().unwrap();
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let mut numbers = current.malloc_host::<f32>(host, 4)?;
    numbers.copy_from_slice(&[1.0, 2.0, 3.0, 4.0]);
    let numbers = stream.adopt(numbers);
    let a = stream.adopt(current.malloc(4)?);
    let a = stream.memcpy_async(a, &numbers)?;
    let out = stream.adopt(current.malloc(4)?).into_tensor(&[4])?;
    let plan = op::add(current, &a.tensor(&[4])?, &a.tensor(&[4])?, 1.0, out)?;
    let sum = plan.launch(&mut stream)?.into_output();
    let mut result = stream.adopt(current.malloc_host::<f32>(host, 4)?);
    stream.memcpy_async(&mut result, &sum)?;
    let values = stream.synchronize()?.take(result).to_vec();
    drop((sum, a, numbers, stream));
    device.reset()?;
    Ok(values)
}

/// Drops a parked stream with work in a scope.
fn dropped_in_a_scope(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let mut parked = current.create_parked_stream()?;
    parked.with(current, |stream| -> Result<()> {
        drop(stream.memset_async(stream.malloc::<u32>(4)?, 7)?);
        Ok(())
    })?;
    current.scope(|_| drop(parked))
}

isolated! {
    fn the_short_road_makes_the_calls_of_the_long_one() {
        let acl = acl_with_journal();
        // The first allocation of a process asks for the run mode.
        acl.host().unwrap();
        let start = emulator::journal().len();
        assert_eq!(long_road(&acl).unwrap(), [2.0, 4.0, 6.0, 8.0]);
        let long = journal_since(start);
        let start = start + long.len();
        assert_eq!(short_road(&acl).unwrap(), [2.0, 4.0, 6.0, 8.0]);
        assert_eq!(journal_since(start), long);
        if embedded(&acl) {
            assert_eq!(long.iter().filter(|name| name.starts_with("aclrtSet")).count(), 2, "{long:?}");
            assert_eq!(long.last(), Some(&"aclrtResetDevice"));
        }
        assert_clean(&acl);
    }

    fn the_value_of_the_closure_comes_back() {
        let acl = acl();
        let id = acl.on::<Npu<3>, _>(1, |current| {
            let stream = current.create_stream::<Main>()?;
            stream.destroy()?;
            let mut id = -1;
            // SAFETY: `id` is valid for a write.
            assert_eq!(unsafe { sys::aclrtGetDevice(&raw mut id) }, 0);
            Ok(id)
        });
        assert_eq!(id.unwrap(), 1);
        is_free(&acl);
        assert_clean(&acl);
    }

    fn the_error_of_the_closure_comes_back_behind_a_reset() {
        let acl = acl();
        let failed = acl.on::<Npu<0>, ()>(0, |current| {
            let _kept = current.malloc::<u32>(4)?;
            current.malloc::<u32>(0)?.free()
        });
        assert_eq!(usage(failed), Usage::ZeroSize { len: 0, size: 4 });
        is_free(&acl);
        assert_clean(&acl);
    }

    fn a_function_with_another_error_type_is_the_value() {
        fn work(_: Current<'_, '_, Npu<0>>) -> std::result::Result<u32, String> {
            Err("its own words".to_owned())
        }
        let acl = acl();
        let value = acl.on::<Npu<0>, _>(0, |current| Ok(work(current))).unwrap();
        assert_eq!(value, Err("its own words".to_owned()));
        is_free(&acl);
    }

    fn a_panic_resets_the_device_too() {
        let acl = acl();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            acl.on::<Npu<0>, ()>(0, |current| {
                let mut stream = current.create_stream::<Main>()?;
                let buf = stream.malloc::<u32>(1000)?;
                let _queued = stream.memset_async(buf, 7)?;
                panic!("its own mistake");
            })
        }));
        let panic = panicked.unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"its own mistake"));
        is_free(&acl);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"] // forgotten memory is a leak, which the checker reports
    fn what_the_closure_forgot_is_waited_for() {
        let acl = acl();
        let side = host(&acl);
        let done = acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let (done, is_done) = channel();
            let numbers = stream.malloc_host_from(side, &[1_u32; 1000])?;
            forget(stream.memcpy_async(stream.malloc(1000)?, &numbers)?);
            stream.launch_host_func(move || {
                let _ = done.send(());
            })?;
            forget(numbers);
            forget(stream);
            Ok(is_done)
        });
        // The reset has waited for the forgotten stream, so the copy is complete.
        assert_eq!(done.unwrap().try_recv(), Ok(()));
        is_free(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failure_that_a_dropped_stream_reports_is_the_error() {
        let acl = acl();
        let failed = acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let _queued = stream.memset_async(stream.malloc::<u32>(4)?, 7)?;
            Ok(7)
        });
        assert_says(failed, &["aclrtSynchronizeStream", "507001"]);
        assert_eq!(release_failures(), 1);
        is_free(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failure_that_a_dropped_parked_stream_reports_is_the_error() {
        let acl = acl();
        let failed = acl.on::<Npu<0>, _>(0, |current| {
            let mut parked = current.create_parked_stream()?;
            parked.with(current, |stream| -> Result<()> {
                drop(stream.memset_async(stream.malloc::<u32>(4)?, 7)?);
                Ok(())
            })
        });
        assert_says(failed, &["aclrtSynchronizeStream", "507001"]);
        assert_eq!(release_failures(), 1);
        is_free(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failure_of_forgotten_work_is_the_error() {
        let acl = acl();
        let failed = acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            forget(stream.memset_async(stream.malloc::<u32>(4)?, 7)?);
            forget(stream);
            Ok(7)
        });
        assert_says(failed, &["aclrtSynchronizeDevice", "507001"]);
        assert_eq!(release_failures(), 1);
        is_free(&acl);
    }

    [
        "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001,aclrtMemcpy#1=507046",
        "ASCENDCL_EMULATOR_CHECK" = "0",
        "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
    ]
    fn a_failure_behind_a_time_limit_is_the_error() {
        let acl = acl();
        let side = host(&acl);
        let failed = acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let other = current.memset(current.malloc::<u32>(16)?, 0)?;
            let mut back = current.malloc_host::<u32>(side, 16)?;
            let _queued = stream.memset_async(stream.malloc::<u32>(16)?, 9)?;
            assert_says(current.memcpy(&mut back, &other), &["aclrtMemcpy", "507046"]);
            current.memcpy(&mut back, &other)
        });
        assert_says(failed, &["aclrtSynchronizeDevice", "507001"]);
        assert_eq!(release_failures(), 1);
        is_free(&acl);
    }

    [
        "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001",
        "ASCENDCL_EMULATOR_CHECK" = "0",
        "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
    ]
    fn a_failure_that_dropped_access_to_a_peer_reports_is_the_error() {
        let acl = acl();
        let second = acl.set_device::<Npu<1>>(&mut Thread::claim().unwrap(), 1).unwrap();
        let failed = acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let access = current.can_access_peer(&second)?.unwrap().enable(current)?;
            let _queued = stream.memset_async(stream.malloc::<u32>(16)?, 0)?;
            drop(access);
            Ok(7)
        });
        assert_says(failed, &["aclrtSynchronizeDevice", "507001"]);
        assert_eq!(release_failures(), 1);
        is_free(&acl);
    }

    [
        "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001",
        "ASCENDCL_EMULATOR_CHECK" = "0",
        "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
    ]
    fn a_failure_that_the_reset_of_a_peer_reports_is_the_error() {
        let acl = acl();
        let second = acl.set_device::<Npu<1>>(&mut Thread::claim().unwrap(), 1).unwrap();
        let failed = acl.on::<Npu<0>, _>(0, move |current| {
            let mut stream = current.create_stream::<Main>()?;
            forget(current.can_access_peer(&second)?.unwrap().enable(current)?);
            let _queued = stream.memset_async(stream.malloc::<u32>(16)?, 0)?;
            second.reset()
        });
        assert_says(failed, &["aclrtSynchronizeDevice", "507001"]);
        assert_eq!(release_failures(), 1);
        is_free(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failure_that_a_scope_has_returned_is_not_returned_again() {
        let acl = acl();
        let done = acl.on::<Npu<0>, _>(0, |current| Ok(usage(dropped_in_a_scope(current))));
        let mistake = done.unwrap();
        let Usage::FailedMeanwhile { cause, .. } = &mistake else { panic!("{mistake}") };
        assert!(cause.contains("507001"), "{cause}");
        let text = mistake.to_string();
        assert!(text.contains("another wait, or the hook for failed releases, received the error"), "{text}");
        assert_eq!(release_failures(), 1);
        is_free(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1+=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failure_before_a_scope_is_the_error_behind_a_failed_scope() {
        let acl = acl();
        let failed = acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            drop(stream.memset_async(stream.malloc::<u32>(4)?, 7)?);
            drop(stream);
            let mistake = usage(dropped_in_a_scope(current));
            assert!(matches!(mistake, Usage::FailedMeanwhile { .. }), "{mistake}");
            Ok(7)
        });
        assert_says(failed, &["aclrtSynchronizeStream", "507001"]);
        assert_eq!(release_failures(), 2);
        is_free(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn behind_an_error_of_the_closure_a_failure_goes_to_the_hook_alone() {
        let acl = acl();
        let failed = acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let _queued = stream.memset_async(stream.malloc::<u32>(4)?, 7)?;
            current.malloc::<u8>(0)?.free()
        });
        assert_eq!(usage(failed), Usage::ZeroSize { len: 0, size: 1 });
        assert_eq!(release_failures(), 1);
        is_free(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failure_that_the_closure_has_received_is_not_returned_again() {
        let acl = acl();
        let done = acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            drop(stream.memset_async(stream.malloc::<u32>(4)?, 7)?);
            Ok(stream.synchronize().unwrap_err().code())
        });
        assert_eq!(done.unwrap(), Some(507_001));
        assert_eq!(release_failures(), 0);
        is_free(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtFree#1=507899", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failed_free_goes_to_the_hook_alone() {
        let acl = acl();
        let done = acl.on::<Npu<0>, _>(0, |current| {
            drop(current.malloc::<u32>(4)?);
            Ok(7)
        });
        assert_eq!(done.unwrap(), 7);
        assert_eq!(release_failures(), 1);
    }

    fn a_claimed_thread_is_refused() {
        let acl = acl();
        let thread = Thread::claim().unwrap();
        let mut has_run = false;
        let refused = acl.on::<Npu<0>, _>(0, |_| {
            has_run = true;
            Ok(())
        });
        assert_eq!(usage(refused), Usage::ThreadClaimed);
        assert!(!has_run);
        drop(thread);
        is_free(&acl);
        assert!(Usage::ThreadClaimed.to_string().contains("by an `Acl::on` that has not returned"));
    }

    fn a_nested_call_is_refused_and_changes_nothing() {
        let acl = acl();
        let ran = acl.on::<Npu<0>, _>(0, |current| {
            let inner = acl.on::<Npu<1>, ()>(1, |_| panic!("bound twice"));
            assert_eq!(usage(inner), Usage::ThreadClaimed);
            assert_eq!(usage(Thread::claim()), Usage::ThreadClaimed);
            // The binding of the outer call is unchanged.
            current.memset(current.malloc::<u8>(64)?, 1)?.free()
        });
        ran.unwrap();
        // The claim of the inner call has taken neither the slot nor the card.
        acl.on::<Npu<1>, _>(1, |_| Ok(())).unwrap();
        assert_clean(&acl);
    }

    fn each_thread_takes_a_device_of_its_own() {
        let acl = acl();
        let acl = &acl;
        let ran = acl.on::<Npu<0>, _>(0, |_| {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| {
                    assert_eq!(usage(acl.on::<Npu<0>, _>(1, |_| Ok(()))), Usage::SlotTaken { slot: 0 });
                    assert_eq!(usage(acl.on::<Npu<1>, _>(0, |_| Ok(()))), Usage::DeviceTaken { id: 0 });
                    acl.on::<Npu<1>, _>(1, |current| current.malloc::<u8>(64)?.free())
                });
                other.join().unwrap()
            })
        });
        ran.unwrap();
        assert_clean(acl);
    }

    fn a_device_that_is_not_there_leaves_the_thread_free() {
        let acl = acl();
        let refused = acl.on::<Npu<0>, ()>(9, |_| panic!("there is no such device"));
        assert_says(refused, &["aclrtSetDevice", "107001", "there are 2 devices: 0 to 1"]);
        let id = 1 << 31;
        assert_eq!(usage(acl.on::<Npu<0>, _>(id, |_| Ok(()))), Usage::DeviceId { id });
        is_free(&acl);
    }

    fn a_function_that_the_runtime_calls_is_refused() {
        let acl = acl().leak();
        let ran = acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let (tells, told) = channel();
            stream.launch_host_func(move || {
                let refused = acl.on::<Npu<1>, ()>(1, |_| panic!("inside a host function"));
                tells.send(usage(refused)).unwrap();
            })?;
            stream.synchronize()?;
            Ok(told.recv().unwrap())
        });
        assert_eq!(ran.unwrap(), Usage::InHostFunc);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtResetDevice#1=507007", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failed_reset_is_the_error() {
        let acl = acl();
        assert_says(acl.on::<Npu<0>, _>(0, |_| Ok(7)), &["aclrtResetDevice", "507007"]);
        assert_eq!(release_failures(), 0);
        // Nothing proves that the device is free, so its names stay taken. The thread is free.
        assert_eq!(usage(acl.on::<Npu<0>, _>(1, |_| Ok(()))), Usage::SlotTaken { slot: 0 });
        acl.on::<Npu<1>, _>(1, |_| Ok(())).unwrap();
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtResetDevice#1=507007", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn behind_an_error_of_the_closure_a_failed_reset_goes_to_the_hook() {
        let acl = acl();
        let failed = acl.on::<Npu<0>, _>(0, |current| current.malloc::<u8>(0)?.free());
        assert_eq!(usage(failed), Usage::ZeroSize { len: 0, size: 1 });
        assert_eq!(release_failures(), 1);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtSetCurrentContext#1=107000", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failed_binding_resets_the_device() {
        let acl = acl();
        let refused = acl.on::<Npu<0>, ()>(0, |_| panic!("not bound"));
        assert_says(refused, &["aclrtSetCurrentContext", "107000"]);
        is_free(&acl);
        assert_eq!(release_failures(), 0);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn failed_work_is_told_by_its_wait() {
        let acl = acl();
        let failed = acl.on::<Npu<0>, ()>(0, |current| {
            let mut stream = current.create_stream::<Upload>()?;
            let buf = stream.malloc::<u32>(16)?;
            let _written = stream.memset_async(buf, 0)?;
            stream.synchronize()?;
            panic!("the fill has failed");
        });
        assert_says(failed, &["aclrtSynchronizeStream", "507001"]);
        is_free(&acl);
    }
}
