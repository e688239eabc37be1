//! Borrowed memory on a device: the scope does not end before the device is done with it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ascendcl::error::Usage;
use ascendcl::stream::Main;
use ascendcl::{
    Current, DeviceBuf, ErrorKind, HostBuf, Npu, Result, Stream, StreamName, Thread, op, sys,
};

use crate::common::{acl, assert_clean, assert_says, bound, isolated, usage};
use crate::stream::queue_a_failing_task;

enum Upload {}
impl StreamName for Upload {}

isolated! {
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn lent_weights_are_operands_of_queued_work_on_two_streams() {
        bound!(acl, device: Npu<0>, current);
        let mut weights = current.memset(current.malloc::<f32>(4).unwrap(), 0).unwrap();
        let mut first = current.create_stream::<Main>().unwrap();
        let mut second = current.create_stream::<Upload>().unwrap();
        let sums = current.scope(|scope| -> Result<_> {
            let out = first.malloc(4)?.into_tensor(&[2, 2])?;
            let x = first.memset_async(first.malloc::<f32>(4)?, 0)?;
            let lent = first.adopt(scope.lend(&weights));
            let plan = op::add(current, &x.tensor(&[2, 2])?, &lent.tensor(&[2, 2])?, 1.0, out)?;
            let sum = plan.launch(&mut first)?.into_output();
            let out = second.malloc(4)?.into_tensor(&[4])?;
            let lent = second.adopt(scope.lend(&weights));
            let wrong = usage(lent.tensor(&[5]).map(drop));
            assert!(matches!(wrong, Usage::ShapeSize { .. }), "{wrong:?}");
            let twice = op::add(current, &lent.tensor(&[4])?, &lent.tensor(&[4])?, 1.0, out)?;
            let twice = twice.launch(&mut second)?.into_output();
            Ok((first.synchronize()?.take(sum), second.synchronize()?.take(twice)))
        });
        let (sum, twice) = sums.unwrap().unwrap();
        // The loan has ended: the program writes the weights again.
        current.memcpy(&mut weights, &sum).unwrap();
        drop((weights, sum, twice, first, second));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn plain_slices_are_read_and_written() {
        bound!(acl, device: Npu<0>, current, stream);
        let source: Vec<u32> = (0..1000).collect();
        let mut target = vec![0_u32; 1000];
        let length = current
            .scope(|scope| {
                let from = stream.adopt(scope.lend(&source[..]));
                let mut to = stream.adopt(scope.lend(&mut target[..]));
                let buf = stream.adopt(current.malloc::<u32>(1000).unwrap());
                let buf = stream.memcpy_async(buf, &from).unwrap();
                stream.memcpy_async(&mut to, &buf).unwrap();
                source.len()
            })
            .unwrap();
        assert_eq!((length, target), (1000, source));
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn memory_from_within_and_without_is_lent_to_a_branded_device() {
        let acl = acl();
        let side = crate::common::host(&acl);
        let mut thread = Thread::claim().unwrap();
        let source: Vec<u32> = (0..100).collect();
        let mut target = vec![0_u32; 100];
        acl.with_device(&mut thread, 0, |device, thread| {
            let current = thread.set_current(&device).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let mut within = current.malloc_host::<u32>(side, 100).unwrap();
            current
                .scope(|scope| {
                    let from = stream.adopt(scope.lend(&source[..]));
                    let mut to = stream.adopt(scope.lend(&mut within));
                    let buf = stream.adopt(current.malloc::<u32>(100).unwrap());
                    let buf = stream.memcpy_async(buf, &from).unwrap();
                    stream.memcpy_async(&mut to, &buf).unwrap();
                    let mut last = stream.adopt(scope.lend(&mut target[..]));
                    stream.memcpy_async(&mut last, &buf).unwrap();
                })
                .unwrap();
            assert_eq!(within[..], source);
        })
        .unwrap();
        assert_eq!(target, source);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn buffers_and_their_parts_are_lent() {
        bound!(acl, side, device: Npu<0>, current, main);
        let mut upload = current.create_stream::<Upload>().unwrap();
        let mut host = current.malloc_host::<u32>(side, 64).unwrap();
        host.fill(3);
        let mut back = current.malloc_host::<u32>(side, 64).unwrap();
        let mut memory = current.memset(current.malloc::<u32>(64).unwrap(), 0).unwrap();
        current
            .scope(|scope| {
                let from = upload.adopt(scope.lend(&host));
                let mut to = upload.adopt(scope.lend(&mut memory));
                upload.memcpy_async(&mut to, &from).unwrap();
            })
            .unwrap();
        current
            .scope(|scope| {
                // Halves of the host buffer on two streams.
                let from = main.adopt(scope.lend(&memory));
                let mut to = main.adopt(scope.lend(&mut back));
                main.memcpy_async(&mut to, &from).unwrap();
            })
            .unwrap();
        assert_eq!(back[..], host[..]);
        drop((main, upload));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_lease_comes_back_within_the_scope() {
        bound!(acl, device: Npu<0>, current, stream);
        let mut numbers = [0_u16; 100];
        current
            .scope(|scope| {
                let filled = stream.adopt(current.malloc::<u16>(100).unwrap());
                let filled = stream.memset_async(filled, 1).unwrap();
                let mut lent = stream.adopt(scope.lend(&mut numbers[..]));
                stream.memcpy_async(&mut lent, &filled).unwrap();
                let idle = stream.synchronize().unwrap();
                let numbers = idle.take(lent).into_inner();
                assert!(numbers.iter().all(|number| *number == 0x0101));
                numbers[0] = 5;
            })
            .unwrap();
        assert_eq!((numbers[0], numbers[1]), (5, 0x0101));
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_panic_waits_too() {
        bound!(acl, device: Npu<0>, current, stream);
        let mut target = vec![0_u32; 1000];
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            current.scope(|scope| {
                let filled = stream.adopt(current.malloc::<u32>(1000).unwrap());
                let filled = stream.memset_async(filled, 1).unwrap();
                let mut to = stream.adopt(scope.lend(&mut target[..]));
                stream.memcpy_async(&mut to, &filled).unwrap();
                core::mem::forget(to);
                panic!("in the middle");
            })
        }));
        assert!(outcome.is_err());
        // The copy was carried out before the slice came back.
        assert!(target.iter().all(|value| *value == 0x0101_0101));
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failed_task_in_a_scope_is_reported() {
        bound!(acl, device: Npu<0>, current, stream);
        let outcome = current.scope(|_| queue_a_failing_task(stream.as_raw()));
        assert_says(outcome, &["aclrtSynchronizeDevice", "507001"]);
        assert_says(stream.synchronize().map(drop), &["drain"]);
        stream.drain().unwrap();
    }

    // Another wait may receive the report: the lent memory is not written.
    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#1=507001"]
    fn a_failure_that_a_dropped_stream_was_told_is_that_of_the_scope_too() {
        let outcome = failing_copy(|current, source, target| {
            current.scope(|scope| {
                let mut stream = current.create_stream::<Main>().unwrap();
                let from = stream.adopt(scope.lend(source));
                let mut to = stream.adopt(scope.lend(target));
                stream.memcpy_async(&mut to, &from).unwrap();
            })
        });
        assert_says(outcome, &["failed during the scope", "507001"]);
        assert_eq!(ascendcl::release_failures(), 1);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#1=507001"]
    fn a_failure_that_another_wait_was_told_is_that_of_the_scope_too() {
        let outcome = failing_copy(|current, source, target| {
            let mut stream = current.create_stream::<Main>().unwrap();
            current.scope(|scope| {
                let from = stream.adopt(scope.lend(source));
                let mut to = stream.adopt(scope.lend(target));
                stream.memcpy_async(&mut to, &from).unwrap();
                assert_says(current.synchronize_device(), &["507001"]);
            })
        });
        assert_says(outcome, &["failed during the scope", "aclrtSynchronizeDevice", "507001"]);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#1=507001,aclnnAdd#1=561000"]
    fn a_failure_that_a_refused_operator_has_waited_for_is_not_lost() {
        let outcome = failing_copy(|current, source, target| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let zeros = current.memset(current.malloc::<f32>(4).unwrap(), 0).unwrap();
            let zeros = zeros.tensor(&[4]).unwrap();
            current.scope(|scope| {
                let from = stream.adopt(scope.lend(source));
                let mut to = stream.adopt(scope.lend(target));
                stream.memcpy_async(&mut to, &from).unwrap();
                let out = current.malloc(4).unwrap().into_tensor(&[4]).unwrap();
                let plan = op::add(current, &zeros, &zeros, 1.0, out).unwrap();
                assert_says(plan.run(&mut stream).map(drop), &["aclnnAdd", "561000"]);
            })
        });
        assert_says(outcome, &["aclrtSynchronizeStream failed with 507001"]);
    }

    // Failures of another thread between the waits of a scope are no reason to abort.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1=507001,aclrtSynchronizeDevice#2=507001"]
    fn two_failures_do_not_abort() {
        bound!(acl, device: Npu<0>, current);
        assert_says(current.scope(|_| ()), &["507001"]);
        current.scope(|_| ()).unwrap();
    }

    // Nothing proves that the device has stopped, and the caller would get the slice back. A hook that panics does
    // not prevent the abort.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507046"]
    fn a_scope_that_cannot_wait_aborts() {
        fn panicking(_: &ascendcl::Error) {
            panic!("a hook must not, but may");
        }
        ascendcl::on_release_failure(panicking);
        bound!(acl, device: Npu<0>, current);
        let outcome = catch_unwind(AssertUnwindSafe(|| current.scope(|_| ()).map(drop)));
        panic!("the scope went on: {outcome:?}");
    }

    // A copy of memory that is not page-locked waits for the stream, so it returns earlier failures.
    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#1=507001"]
    fn a_copy_from_lent_memory_does_not_hide_that_earlier_work_has_failed() {
        hidden_failure(|current, stream, numbers| {
            current.scope(|scope| {
                let lent = stream.adopt(scope.lend(&*numbers));
                let fresh = stream.adopt(current.malloc::<u32>(16)?);
                stream.memcpy_async(fresh, &lent).map(drop)
            })
        });
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#1=507001"]
    fn a_copy_to_lent_memory_does_not_hide_it_either() {
        hidden_failure(|current, stream, numbers| {
            let source = stream.adopt(current.memset(current.malloc::<u32>(16)?, 0)?);
            current.scope(|scope| {
                let mut lent = stream.adopt(scope.lend(numbers));
                stream.memcpy_async(&mut lent, &source)
            })
        });
    }
}

/// Passes `copy` two lent buffers, and checks its result when the copy has failed.
fn failing_copy(
    copy: impl for<'d> FnOnce(
        Current<'_, 'd, Npu<0>>,
        &DeviceBuf<'d, Npu<0>, [u32]>,
        &mut HostBuf<'d, [u32]>,
    ) -> Result<()>,
) -> Result<()> {
    bound!(acl, side, device: Npu<0>, current);
    let source = current
        .memset(current.malloc::<u32>(16).unwrap(), 7)
        .unwrap();
    let mut target = current.malloc_host::<u32>(side, 16).unwrap();
    let outcome = copy(current, &source, &mut target);
    assert_eq!(target[..], [0; 16]);
    outcome
}

/// Queues a copy that fails and then `copy`, which waits for it.
fn hidden_failure(
    copy: impl FnOnce(
        Current<'_, '_, Npu<0>>,
        &mut Stream<'_, '_, Npu<0>>,
        &mut [u32],
    ) -> Result<Result<()>>,
) {
    bound!(acl, side, device: Npu<0>, current, stream);
    let source = stream.adopt(current.malloc_host::<u32>(side, 16).unwrap());
    let on_device = stream.adopt(current.malloc::<u32>(16).unwrap());
    let on_device = stream.memcpy_async(on_device, &source).unwrap();
    let mut numbers = [7; 16];
    let error = copy(current, &mut stream, &mut numbers).unwrap_err();
    assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_TS_ERROR));
    let ErrorKind::Usage(Usage::FailedMeanwhile { cause, .. }) = error.kind() else {
        panic!("{error}")
    };
    assert!(
        cause.contains("aclrtMemcpyAsync failed with 507001"),
        "{cause}"
    );
    let mistake = usage(stream.synchronize());
    assert!(matches!(mistake, Usage::StreamPoisoned { .. }));
    drop(stream.drain().unwrap().take(on_device));
}
